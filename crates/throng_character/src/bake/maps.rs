//! Albedo, normals and displacement of the cage, by rays to the detailed sculpture.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::mesh::{Mesh, pack_charts};
use crate::sculpt::{Coat, Sculpture, Surface, froblin};
use crate::sheet::raster::encode;

/// No ray looks farther than this from the cage.
const REACH: f32 = 0.014;
/// Texels over which displacement goes over to that of a seam.
const SEAM: f32 = 3.0;

/// Pictures on the atlas, rows from v = 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Colour as sRGB, and how far a look's skin tints it.
    pub albedo: Vec<[u8; 4]>,
    /// Normal along tangent and binormal ((byte - 128) / 127; the third is what is left of length 1), how far a
    /// look's cloth tints, and how open to light the place is.
    pub normal: Vec<[u8; 4]>,
    /// Displacement along the cage's normal: value / 65535 × `scale` + `bias`, in body heights.
    pub displacement: Vec<u16>,
    /// See `displacement`.
    pub scale: f32,
    /// See `displacement`.
    pub bias: f32,
}

impl Maps {
    /// Of a colour and flat.
    #[must_use]
    pub fn flat(width: u32, height: u32, albedo: Vec<[u8; 4]>) -> Self {
        let texels = (width * height) as usize;
        let (normal, displacement) = (vec![[128, 128, 0, 255]; texels], vec![0; texels]);
        Self { width, height, albedo, normal, displacement, scale: 0.0, bias: 0.0 }
    }

    /// Displacement at a place of the atlas, between texels.
    #[must_use]
    pub fn displacement_at(&self, uv: Vec2) -> f32 {
        let at = |x: u32, y: u32| {
            let value = self.displacement
                [(y.min(self.height - 1) * self.width + x.min(self.width - 1)) as usize];
            f32::from(value) / 65_535.0 * self.scale + self.bias
        };
        let p = (uv * Vec2::new(self.width as f32, self.height as f32) - 0.5).max(Vec2::ZERO);
        let (x, y) = (p.x as u32, p.y as u32);
        let (fx, fy) = (p.x.fract(), p.y.fract());
        let row = |y| at(x, y) + (at(x + 1, y) - at(x, y)) * fx;
        row(y) + (row(y + 1) - row(y)) * fy
    }
}

/// What a texel gets.
#[derive(Clone, Copy, Default)]
struct Texel {
    displacement: f32,
    coat: Coat,
    normal: Vec2,
    open: f32,
}

/// Bakes the maps of a cage, and its displacement at each vertex.
pub(crate) fn bake(
    cage: &Mesh,
    pieces: &[Sculpture],
    of_face: &[usize],
    texels: u32,
) -> (Maps, Vec<f32>) {
    let heights = corner_heights(cage, pieces, of_face);
    let seams = crate::character::seams(cage);
    let side = texels as usize;
    let triangles: Vec<[usize; 3]> = cage.triangles().collect();
    let of_triangle = |(f, t): (usize, &[usize; 3])| {
        let uv = t.map(|v| cage.uvs[v] * texels as f32);
        let low = (uv[0].min(uv[1]).min(uv[2]) - 1.0).max(Vec2::ZERO);
        let high = (uv[0].max(uv[1]).max(uv[2]) + 1.0).min(Vec2::splat(texels as f32 - 1.0));
        let mut list = Vec::new();
        for y in low.y as usize..=high.y as usize {
            for x in low.x as usize..=high.x as usize {
                let centre = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                // Texels half covered belong to it too, so that filtering never meets an empty one.
                let off = pack_charts::distance(&uv, centre);
                if off > 0.72 {
                    continue;
                }
                // Beyond an edge, what is at the edge: another thing may begin there.
                let shares = barycentric(&uv, centre).map(|s| s.max(0.0));
                let sum = shares.iter().sum::<f32>();
                let shares = shares.map(|s| s / sum);
                let ray = Ray::new(cage, t, shares);
                let mut texel = look(&pieces[of_face[f]], &ray);
                let edges = (0..3).filter(|i| seams[f][*i]);
                let (share, straight) = nearest_seam(&uv, centre, edges, t.map(|v| heights[v]));
                texel.displacement += (straight - texel.displacement) * share;
                list.push((y * side + x, off, texel));
            }
        }
        list
    };
    let all: Vec<Vec<(usize, f32, Texel)>> =
        triangles.par_iter().enumerate().map(of_triangle).collect();
    let mut chosen: Vec<Option<(f32, Texel)>> = vec![None; side * side];
    for (at, off, texel) in all.into_iter().flatten() {
        if chosen[at].is_none_or(|(other, _)| off < other) {
            chosen[at] = Some((off, texel));
        }
    }
    fill_margins(&mut chosen, side);
    (encoded(&chosen, texels), heights)
}

fn barycentric(t: &[Vec2; 3], p: Vec2) -> [f32; 3] {
    let area = (t[1] - t[0]).perp_dot(t[2] - t[0]);
    if area.abs() < 1e-9 {
        return [1.0, 0.0, 0.0];
    }
    let u = (t[2] - t[1]).perp_dot(p - t[1]) / area;
    let v = (t[0] - t[2]).perp_dot(p - t[2]) / area;
    [u, v, 1.0 - u - v]
}

/// How near the nearest seam is (1 on it, 0 some texels off), and the height on it.
fn nearest_seam(
    uv: &[Vec2; 3],
    p: Vec2,
    edges: impl Iterator<Item = usize>,
    heights: [f32; 3],
) -> (f32, f32) {
    let mut best = (0.0, 0.0);
    for i in edges {
        let (a, b) = (uv[i], uv[(i + 1) % 3]);
        let s = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-9)).clamp(0.0, 1.0);
        let share = (1.25 - p.distance(a.lerp(b, s)) / SEAM).clamp(0.0, 1.0);
        if share > best.0 {
            best = (share, heights[i] + (heights[(i + 1) % 3] - heights[i]) * s);
        }
    }
    best
}

/// Where a ray to the sculpture begins: on the cage, along its smooth normal, with the frame for the result.
struct Ray {
    at: Vec3,
    normal: Vec3,
    tangent: Vec3,
    binormal: Vec3,
}

impl Ray {
    fn new(cage: &Mesh, t: &[usize; 3], shares: [f32; 3]) -> Self {
        let mix = |list: &[Vec3]| {
            list[t[0]] * shares[0] + list[t[1]] * shares[1] + list[t[2]] * shares[2]
        };
        let normal = mix(&cage.normals).normalize_or(Vec3::Z);
        let along =
            t.iter().zip(shares).map(|(v, s)| cage.tangents[*v].truncate() * s).sum::<Vec3>();
        let tangent =
            (along - normal * normal.dot(along)).normalize_or(normal.any_orthonormal_vector());
        let binormal = normal.cross(tangent) * cage.tangents[t[0]].w;
        Self { at: mix(&cage.positions), normal, tangent, binormal }
    }

    /// How far along the normal the sculpture is: outwards from within, inwards from without. 0 if nowhere near.
    fn cast(&self, piece: &Sculpture, surface: &Surface) -> f32 {
        let start = piece.detailed(self.at, surface);
        let way = -start.signum();
        let (mut t, mut d) = (0.0_f32, start.abs());
        for _ in 0..24 {
            if d < 2e-5 {
                return way * t;
            }
            // Detail makes distances too long; careful steps do not jump over the surface.
            t += d * 0.8;
            if t > REACH {
                return 0.0;
            }
            let now = piece.detailed(self.at + self.normal * (way * t), surface);
            d = if (now < 0.0) == (start < 0.0) { now.abs() } else { 0.0 };
        }
        way * t
    }
}

fn look(piece: &Sculpture, ray: &Ray) -> Texel {
    let nearby = piece.surface(ray.at);
    let displacement = ray.cast(piece, &nearby);
    let p = ray.at + ray.normal * displacement;
    let surface = piece.surface(p);
    let n = piece.normal(p, 0.0012, Some(&surface));
    let open = openness(piece, p, n);
    Texel {
        displacement,
        coat: coat(&surface, p),
        normal: Vec2::new(n.dot(ray.tangent), n.dot(ray.binormal)),
        open,
    }
}

/// Colour of all paints at a point together.
pub(crate) fn coat(surface: &Surface, p: Vec3) -> Coat {
    let side = if p.y < 0.0 { Vec3::new(1.0, -1.0, 1.0) } else { Vec3::ONE };
    let eye = (p * side - froblin::eye().0) * side;
    let mut sum = Coat::default();
    for (paint, share) in &surface.paints {
        let coat = paint.coat(p, eye);
        sum.colour += coat.colour * *share;
        sum.skin += coat.skin * share;
        sum.cloth += coat.cloth * share;
    }
    sum
}

/// How little of the sky is hidden by the piece itself: distances along the normal against how far they might be.
fn openness(piece: &Sculpture, p: Vec3, n: Vec3) -> f32 {
    let steps = [0.012_f32, 0.03, 0.06, 0.11];
    let hidden: f32 =
        steps.iter().map(|h| ((h - piece.distance(p + n * *h)) / h).clamp(0.0, 1.0) * 0.33).sum();
    (1.0 - hidden).clamp(0.12, 1.0)
}

fn corner_heights(cage: &Mesh, pieces: &[Sculpture], of_face: &[usize]) -> Vec<f32> {
    let corners = cage.corners();
    let mut of_vertex = vec![None; cage.positions.len()];
    for (f, t) in cage.triangles().enumerate() {
        for v in t {
            of_vertex[v] = Some((of_face[f], t));
        }
    }
    let cast = |v: usize| {
        let (piece, t) = of_vertex[v]?;
        let shares = t.map(|other| if other == v { 1.0 } else { 0.0 });
        let ray = Ray::new(cage, &t, shares);
        Some(ray.cast(&pieces[piece], &pieces[piece].surface(ray.at)))
    };
    let own: Vec<f32> =
        (0..cage.positions.len()).into_par_iter().map(|v| cast(v).unwrap_or(0.0)).collect();
    // One height per place, to the last bit.
    let mut of_corner = std::collections::HashMap::new();
    corners.iter().zip(own).map(|(c, h)| *of_corner.entry(*c).or_insert(h)).collect()
}

/// Carries texels outwards into the margins.
fn fill_margins(chosen: &mut [Option<(f32, Texel)>], side: usize) {
    for _ in 0..6 {
        let before: Vec<Option<(f32, Texel)>> = chosen.to_vec();
        for (i, texel) in chosen.iter_mut().enumerate().filter(|(_, t)| t.is_none()) {
            let (x, y) = ((i % side) as isize, (i / side) as isize);
            let near = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)];
            let inside = |v: isize| (0..side as isize).contains(&v);
            let there = near
                .iter()
                .map(|(dx, dy)| (x + dx, y + dy))
                .filter(|(x, y)| inside(*x) && inside(*y));
            *texel = there.filter_map(|(x, y)| before[y as usize * side + x as usize]).next();
        }
    }
}

fn encoded(chosen: &[Option<(f32, Texel)>], texels: u32) -> Maps {
    let used = chosen.iter().flatten().map(|(_, t)| t.displacement);
    let [low, high] = used.fold([0.0_f32; 2], |[a, b], d| [a.min(d), b.max(d)]);
    let scale = (high - low).max(1e-6);
    let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let signed = |v: f32| (v.clamp(-1.0, 1.0) * 127.0).round() as i32 + 128;
    let mut maps = Maps { width: texels, height: texels, scale, bias: low, ..Default::default() };
    for texel in chosen {
        let texel = texel.map_or_else(|| Texel { open: 1.0, ..Default::default() }, |(_, t)| t);
        let [r, g, b] = encode(texel.coat.colour);
        maps.albedo.push([r, g, b, byte(texel.coat.skin)]);
        let [x, y] = texel.normal.to_array().map(|v| signed(v) as u8);
        maps.normal.push([x, y, byte(texel.coat.cloth), byte(texel.open)]);
        maps.displacement.push(((texel.displacement - low) / scale * 65_535.0 + 0.5) as u16);
    }
    maps
}
