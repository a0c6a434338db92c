//! A sculpture to a fine mesh: naive surface nets (Gibson 1998), then every vertex drawn onto the surface.

use std::collections::HashMap;

use glam::{IVec3, UVec3, Vec3};
use rayon::prelude::*;

use super::Mesh;
use crate::sculpt::Sculpture;

const BRICK: u32 = 8;

/// Distances at the points of a lattice.
struct Lattice {
    origin: Vec3,
    step: f32,
    size: UVec3,
    values: Vec<f32>,
}

impl Lattice {
    fn sample(sculpture: &Sculpture, step: f32) -> Self {
        let [low, high] = sculpture.bounds;
        let size = ((high - low) / step).ceil().as_uvec3() + UVec3::ONE;
        let bricks = (size + UVec3::splat(BRICK - 1)) / BRICK;
        let place = |p: UVec3| low + p.as_vec3() * step;
        // Far from the surface one value serves a brick. Estimates of distance may be wrong by half.
        let radius = BRICK as f32 * step * 3.0_f32.sqrt() * 0.5;
        let fill = |slab: u32| {
            let deep = BRICK.min(size.z - slab * BRICK);
            let mut values = vec![0.0_f32; (size.x * size.y * deep) as usize];
            for (by, bx) in (0..bricks.y).flat_map(|by| (0..bricks.x).map(move |bx| (by, bx))) {
                let first = UVec3::new(bx, by, slab) * BRICK;
                let middle = place(first) + Vec3::splat(BRICK as f32 * step * 0.5);
                let d = sculpture.distance(middle);
                let last = (first + UVec3::splat(BRICK)).min(size);
                let far = d.abs() > radius * 2.0;
                for z in first.z..last.z {
                    for y in first.y..last.y {
                        for x in first.x..last.x {
                            let at = ((z - first.z) * size.y + y) * size.x + x;
                            let d = if far {
                                d
                            } else {
                                sculpture.distance(place(UVec3::new(x, y, z)))
                            };
                            values[at as usize] = d;
                        }
                    }
                }
            }
            values
        };
        let slabs: Vec<Vec<f32>> = (0..bricks.z).into_par_iter().map(fill).collect();
        Self { origin: low, step, size, values: slabs.concat() }
    }

    fn at(&self, p: IVec3) -> f32 {
        let p = p.as_uvec3();
        self.values[((p.z * self.size.y + p.y) * self.size.x + p.x) as usize]
    }
}

const CORNERS: [IVec3; 8] = [
    IVec3::new(0, 0, 0),
    IVec3::new(1, 0, 0),
    IVec3::new(0, 1, 0),
    IVec3::new(1, 1, 0),
    IVec3::new(0, 0, 1),
    IVec3::new(1, 0, 1),
    IVec3::new(0, 1, 1),
    IVec3::new(1, 1, 1),
];

/// The surface as a closed mesh of triangles with edges of about `step`; positions and indices only.
#[must_use]
pub fn mesh(sculpture: &Sculpture, step: f32) -> Mesh {
    let lattice = Lattice::sample(sculpture, step);
    let cells = lattice.size.as_ivec3() - IVec3::ONE;
    let mut vertex = vec![u32::MAX; (cells.x * cells.y * cells.z) as usize];
    let cell_index = |c: IVec3| ((c.z * cells.y + c.y) * cells.x + c.x) as usize;
    let mut positions = Vec::new();
    for c in all(cells) {
        if let Some(p) = crossing(&lattice, c) {
            vertex[cell_index(c)] = positions.len() as u32;
            positions.push(p);
        }
    }
    positions.par_iter_mut().for_each(|p| *p = draw_onto(sculpture, *p, step));
    let mut indices = Vec::new();
    for c in all(cells) {
        for axis in 0..3 {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            if c[u] == 0 || c[v] == 0 {
                continue;
            }
            let mut along = IVec3::ZERO;
            along[axis] = 1;
            let inside = [lattice.at(c) < 0.0, lattice.at(c + along) < 0.0];
            if inside[0] == inside[1] {
                continue;
            }
            let [mut du, mut dv] = [IVec3::ZERO; 2];
            du[u] = 1;
            dv[v] = 1;
            let ring = [c - du - dv, c - dv, c, c - du].map(|q| vertex[cell_index(q)]);
            let ring = if inside[0] { ring } else { [ring[3], ring[2], ring[1], ring[0]] };
            let [a, b, c, d] = ring.map(|i| positions[i as usize]);
            // The shorter diagonal.
            let cut = usize::from(a.distance_squared(c) > b.distance_squared(d));
            let q = |i: usize| ring[(i + cut) % 4];
            indices.extend([q(0), q(1), q(2), q(0), q(2), q(3)]);
        }
    }
    let mut mesh = Mesh { positions, indices, ..Default::default() };
    separate(&mut mesh, step * 1e-2);
    mesh
}

/// Where two sheets of the surface share a cell they share its vertex; here each gets its own, a little inwards, so
/// that every edge has two triangles and every vertex one fan of them.
fn separate(mesh: &mut Mesh, inwards: f32) {
    let partner = partners(mesh);
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); mesh.positions.len()];
    for (i, v) in mesh.indices.iter().enumerate() {
        around[*v as usize].push(i / 3);
    }
    let before = mesh.indices.clone();
    for (v, faces) in around.into_iter().enumerate() {
        let v = v as u32;
        let mut left = faces;
        let mut first = true;
        while let Some(seed) = left.pop() {
            // All that is joined to the seed around the vertex.
            let mut fan = vec![seed];
            let mut next = 0;
            while next < fan.len() {
                let f = fan[next];
                for k in 0..3 {
                    let ends = [before[f * 3 + k], before[f * 3 + (k + 1) % 3]];
                    if !ends.contains(&v) {
                        continue;
                    }
                    if let Some(i) = left.iter().position(|l| Some(*l) == partner[f * 3 + k]) {
                        fan.push(left.swap_remove(i));
                    }
                }
                next += 1;
            }
            if std::mem::take(&mut first) {
                continue;
            }
            let normal = |f: &usize| {
                let [a, b, c] = [0, 1, 2].map(|k| mesh.positions[before[f * 3 + k] as usize]);
                (b - a).cross(c - a)
            };
            let out = fan.iter().map(normal).sum::<Vec3>().normalize_or(Vec3::Z);
            let own = mesh.positions.len() as u32;
            mesh.positions.push(mesh.positions[v as usize] - out * inwards);
            for f in fan {
                for index in &mut mesh.indices[f * 3..f * 3 + 3] {
                    if *index == v {
                        *index = own;
                    }
                }
            }
        }
    }
}

/// The triangle beyond each edge of each triangle. Where more than two meet, the one that bounds the same solid: the
/// next one around the edge on the inner side.
fn partners(mesh: &Mesh) -> Vec<Option<usize>> {
    let mut edges: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    let ends = |i: usize| (mesh.indices[i], mesh.indices[i / 3 * 3 + (i % 3 + 1) % 3]);
    for i in 0..mesh.indices.len() {
        let (a, b) = ends(i);
        edges.entry([a.min(b), a.max(b)]).or_default().push(i);
    }
    let mut partner = vec![None; mesh.indices.len()];
    for ([a, b], sides) in edges {
        let (from, to) = (mesh.positions[a as usize], mesh.positions[b as usize]);
        let axis = (to - from).normalize_or(Vec3::Z);
        let (x, y) = axis.any_orthonormal_pair();
        let angle = |i: usize| {
            let third = mesh.positions[mesh.indices[i / 3 * 3 + (i % 3 + 2) % 3] as usize] - from;
            third.dot(y).atan2(third.dot(x))
        };
        let (along, against): (Vec<usize>, Vec<usize>) =
            sides.iter().partition(|i| ends(**i) == (a, b));
        let mut free = against;
        for i in along {
            // Along the axis, the solid is where angles fall.
            let behind = |j: usize| (angle(i) - angle(j)).rem_euclid(std::f32::consts::TAU);
            let best = (0..free.len()).min_by(|p, q| behind(free[*p]).total_cmp(&behind(free[*q])));
            if let Some(best) = best {
                let j = free.swap_remove(best);
                partner[i] = Some(j / 3);
                partner[j] = Some(i / 3);
            }
        }
    }
    partner
}

fn all(size: IVec3) -> impl Iterator<Item = IVec3> {
    let row = move |y, z| (0..size.x).map(move |x| IVec3::new(x, y, z));
    (0..size.z).flat_map(move |z| (0..size.y).flat_map(move |y| row(y, z)))
}

/// Mean of where the edges of a cell cross the surface.
fn crossing(lattice: &Lattice, cell: IVec3) -> Option<Vec3> {
    let values = CORNERS.map(|c| lattice.at(cell + c));
    let below = values.iter().filter(|v| **v < 0.0).count();
    if below == 0 || below == 8 {
        return None;
    }
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for a in 0..8 {
        for bit in [1, 2, 4] {
            let b = a | bit;
            if a & bit == 0 && (values[a] < 0.0) != (values[b] < 0.0) {
                let t = values[a] / (values[a] - values[b]);
                sum += CORNERS[a].as_vec3().lerp(CORNERS[b].as_vec3(), t);
                count += 1.0;
            }
        }
    }
    Some(lattice.origin + (cell.as_vec3() + sum / count) * lattice.step)
}

/// A point near the surface to the surface, by at most a step.
pub(crate) fn draw_onto(sculpture: &Sculpture, start: Vec3, step: f32) -> Vec3 {
    let mut p = start;
    for _ in 0..3 {
        let d = sculpture.distance(p);
        p -= sculpture.normal(p, step * 0.1, None) * d.clamp(-step * 0.5, step * 0.5);
    }
    if p.distance(start) < step { p } else { start }
}
