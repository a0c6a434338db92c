//! Ambient occlusion, baked into the colours of vertices: a mesh is filled into a coarse grid and rays
//! are walked through it. Hollows, undersides and feet grow dark, tips stay light.

use glam::{IVec3, Vec3};

use super::chance::Chance;
use crate::Mesh;

/// Cells along the longest side.
const CELLS: f32 = 40.0;
/// Rays from each vertex.
const RAYS: usize = 28;
/// A ray is walked for so many cells.
const STEPS: i32 = 13;

struct Cells {
    low: Vec3,
    side: f32,
    size: IVec3,
    full: Vec<bool>,
}

impl Cells {
    fn new(mesh: &Mesh) -> Self {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for p in &mesh.positions {
            (low, high) = (low.min(*p), high.max(*p));
        }
        let side = ((high - low).max_element() / CELLS).max(1e-3);
        let size = ((high - low) / side).ceil().as_ivec3() + 1;
        let mut cells =
            Self { low, side, size, full: vec![false; (size.x * size.y * size.z) as usize] };
        for t in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| mesh.positions[i as usize]);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let n = (longest / side * 1.5).ceil().clamp(1.0, 200.0) as usize;
            for i in 0..=n {
                for j in 0..=n - i {
                    let (u, v) = (i as f32 / n as f32, j as f32 / n as f32);
                    if let Some(at) = cells.index(a + (b - a) * u + (c - a) * v) {
                        cells.full[at] = true;
                    }
                }
            }
        }
        cells
    }

    fn index(&self, p: Vec3) -> Option<usize> {
        let at = ((p - self.low) / self.side).floor().as_ivec3();
        let inside = at.cmpge(IVec3::ZERO).all() && at.cmplt(self.size).all();
        inside.then(|| ((at.z * self.size.y + at.y) * self.size.x + at.x) as usize)
    }

    /// Share of light that comes along a ray.
    fn open(&self, from: Vec3, along: Vec3) -> f32 {
        for step in 1..=STEPS {
            let p = from + along * self.side * (step as f32 + 0.4);
            let far = step as f32 / (STEPS + 1) as f32;
            if p.z < 0.0 {
                // The ground sends some light back.
                return 0.35 + 0.65 * far;
            }
            match self.index(p) {
                Some(at) if self.full[at] => return far * far,
                _ => {}
            }
        }
        1.0
    }
}

/// Darkens a mesh where little light comes: down to `1 - strength` of its colour.
pub(super) fn bake(mesh: &mut Mesh, strength: f32) {
    if mesh.positions.is_empty() {
        return;
    }
    let cells = Cells::new(mesh);
    let mut chance = Chance::new(0, 0xA0);
    let rays: Vec<Vec3> = (0..RAYS).map(|_| chance.direction()).collect();
    for i in 0..mesh.positions.len() {
        let (p, n) = (mesh.positions[i], mesh.normals[i]);
        let from = p + n * cells.side * 0.8;
        let (mut sum, mut weight) = (0.0, 0.0);
        for &ray in &rays {
            let along = if ray.dot(n) < 0.0 { -ray } else { ray };
            let share = along.dot(n) + 0.1;
            sum += cells.open(from, along) * share;
            weight += share;
        }
        let factor = 1.0 - strength * (1.0 - sum / weight);
        for c in &mut mesh.colours[i][..3] {
            *c = (f32::from(*c) * factor).round() as u8;
        }
    }
}
