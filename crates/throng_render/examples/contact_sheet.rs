//! Every mesh of the scenery on one sheet, drawn by a small rasteriser on the CPU:
//! `cargo run -p throng_render --example contact_sheet -- sheet.png [part of a name]`.
#![allow(clippy::print_stdout, reason = "an example speaks")]

use glam::{Vec2, Vec3};
use throng_render::{Mesh, Surface, scenery};

const TILE: usize = 300;
const COLUMNS: usize = 6;
/// Samples of a pixel, per side.
const FINE: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().ok_or("give a file to write")?;
    let wanted = args.get(1).map_or("", String::as_str);
    let start = std::time::Instant::now();
    let meshes: Vec<Mesh> =
        scenery::catalogue().into_iter().filter(|m| m.name.contains(wanted)).collect();
    println!("made in {:?}", start.elapsed());
    let columns = COLUMNS.min(meshes.len());
    let rows = meshes.len().div_ceil(columns);
    let mut sheet = vec![0_u8; columns * rows * TILE * TILE * 3];
    for (i, mesh) in meshes.iter().enumerate() {
        mesh.check()?;
        println!("{:>3} {:<16} {:>5} triangles", i, mesh.name, mesh.indices.len() / 3);
        let tile = picture(mesh, TILE * FINE);
        let (x0, y0) = (i % columns * TILE, i / columns * TILE);
        for y in 0..TILE {
            for x in 0..TILE {
                let mut sum = Vec3::ZERO;
                for k in 0..FINE * FINE {
                    sum += tile[(y * FINE + k / FINE) * TILE * FINE + x * FINE + k % FINE];
                }
                let c = tone(sum / (FINE * FINE) as f32);
                let at = ((y0 + y) * columns * TILE + x0 + x) * 3;
                sheet[at..at + 3].copy_from_slice(&c);
            }
        }
    }
    let out = std::io::BufWriter::new(std::fs::File::create(file)?);
    let mut encoder = png::Encoder::new(out, (columns * TILE) as u32, (rows * TILE) as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&sheet)?;
    Ok(())
}

fn tone(c: Vec3) -> [u8; 3] {
    // A soft shoulder, then sRGB.
    let c = c * (1.0 + c * 0.15) / (1.0 + c * 0.85) * 1.25;
    (c.clamp(Vec3::ZERO, Vec3::ONE).powf(1.0 / 2.2) * 255.0).to_array().map(|v| v as u8)
}

/// Depth and colour of one view, from in front and a little above.
struct Raster {
    side: usize,
    depth: Vec<f32>,
    colour: Vec<Vec3>,
}

impl Raster {
    fn triangle(&mut self, p: [Vec3; 3], mut shade: impl FnMut(Vec3) -> Vec3) {
        let area = (p[1] - p[0]).truncate().perp_dot((p[2] - p[0]).truncate());
        if area.abs() < 1e-9 {
            return;
        }
        let side = self.side as f32 - 1.0;
        let low =
            p[0].min(p[1]).min(p[2]).truncate().clamp(Vec2::ZERO, Vec2::splat(side)).as_uvec2();
        let high =
            p[0].max(p[1]).max(p[2]).truncate().clamp(Vec2::ZERO, Vec2::splat(side)).as_uvec2();
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let q = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let w = |a: Vec3, b: Vec3| {
                    (b.truncate() - a.truncate()).perp_dot(q - a.truncate()) / area
                };
                let b = Vec3::new(w(p[1], p[2]), w(p[2], p[0]), w(p[0], p[1]));
                if b.min_element() < 0.0 {
                    continue;
                }
                let z = b.dot(Vec3::new(p[0].z, p[1].z, p[2].z));
                let at = y as usize * self.side + x as usize;
                if z < self.depth[at] {
                    self.depth[at] = z;
                    self.colour[at] = shade(b);
                }
            }
        }
    }
}

fn picture(mesh: &Mesh, side: usize) -> Vec<Vec3> {
    let high = mesh.positions.iter().map(|p| p.z).fold(0.0, f32::max);
    let wide = mesh.positions.iter().map(|p| p.truncate().length()).fold(0.0, f32::max);
    let span = (high * 0.92 + wide * 0.75).max(wide * 2.15) * 1.08;
    let eye = Vec3::new(-0.55, -0.75, 0.42).normalize();
    let right = Vec3::Z.cross(eye).normalize();
    let up = eye.cross(right);
    let middle = Vec3::Z * high * 0.47;
    let put = |p: Vec3| {
        let q = p - middle;
        let s = side as f32;
        Vec3::new(s * (0.5 + q.dot(right) / span), s * (0.53 - q.dot(up) / span), -q.dot(eye))
    };
    let sun = Vec3::new(-0.75, -0.15, 0.75).normalize();
    // The sun's own view gives shadows.
    let (sx, sy) = (sun.any_orthonormal_vector(), sun.cross(sun.any_orthonormal_vector()));
    let far = side;
    let lit = |p: Vec3| {
        let s = far as f32;
        let q = p - middle;
        Vec3::new(
            s * (0.5 + q.dot(sx) / (span * 1.5)),
            s * (0.5 + q.dot(sy) / (span * 1.5)),
            -q.dot(sun),
        )
    };
    let blank = |n: usize| Raster {
        side: n,
        depth: vec![f32::INFINITY; n * n],
        colour: vec![Vec3::ZERO; n * n],
    };
    let mut shadow = blank(far);
    let corners = |t: &[u32]| [t[0], t[1], t[2]].map(|i| mesh.positions[i as usize]);
    for t in mesh.indices.chunks_exact(3) {
        shadow.triangle(corners(t).map(lit), |_| Vec3::ZERO);
    }
    let shaded = |p: Vec3, bias: f32| {
        let q = lit(p);
        let mut sum = 0.0;
        for (dx, dy) in [(-1.3, -0.6), (1.2, -0.9), (0.4, 1.3), (-0.9, 1.0), (0.0, 0.0)] {
            let at = (q.truncate() + Vec2::new(dx, dy) * 1.6)
                .clamp(Vec2::ZERO, Vec2::splat(far as f32 - 1.0))
                .as_uvec2();
            let d = shadow.depth[at.y as usize * far + at.x as usize];
            sum += if d < q.z - bias { 0.0 } else { 0.2 };
        }
        sum
    };
    let light = |albedo: Vec3, n: Vec3, visible: f32| {
        let sky = Vec3::new(0.34, 0.42, 0.55).lerp(Vec3::new(0.20, 0.17, 0.11), 0.5 - 0.5 * n.z);
        albedo * (Vec3::new(1.5, 1.32, 1.02) * n.dot(sun).max(0.0) * visible + sky * 1.15)
    };
    let bias = span * 0.012;
    let mut view = blank(side);
    // The ground they stand on.
    let g = span * 2.0;
    let ground = [
        Vec3::new(-g, -g, 0.0),
        Vec3::new(g, -g, 0.0),
        Vec3::new(g, g, 0.0),
        Vec3::new(-g, g, 0.0),
    ];
    for t in [[0, 1, 2], [0, 2, 3]] {
        let w = t.map(|i: usize| ground[i]);
        view.triangle(w.map(put), |b| {
            let p = w[0] * b.x + w[1] * b.y + w[2] * b.z;
            light(Vec3::new(0.17, 0.19, 0.085), Vec3::Z, shaded(p, bias))
        });
    }
    for t in mesh.indices.chunks_exact(3) {
        let w = corners(t);
        let normals = [t[0], t[1], t[2]].map(|i| mesh.normals[i as usize]);
        let colours = [t[0], t[1], t[2]].map(|i| {
            let c = mesh.colours[i as usize];
            (Vec3::new(f32::from(c[0]), f32::from(c[1]), f32::from(c[2])) / 255.0).powf(2.2)
        });
        let surface = mesh.colours[t[0] as usize][3];
        view.triangle(w.map(put), |b| {
            let mix = |v: [Vec3; 3]| v[0] * b.x + v[1] * b.y + v[2] * b.z;
            let (p, mut n, c) = (mix(w), mix(normals).normalize_or(Vec3::Z), mix(colours));
            if surface == Surface::Glowing as u8 {
                return c * 2.2;
            }
            let leaf = surface == Surface::Foliage as u8;
            if leaf && n.dot(eye) < 0.0 {
                n = -n;
            }
            let visible = shaded(p + n * bias, bias);
            let through = if leaf { (-n).dot(sun).max(0.0) * visible } else { 0.0 };
            light(c, n, visible) + c * Vec3::new(0.75, 0.8, 0.2) * through
        });
    }
    view.colour
}
