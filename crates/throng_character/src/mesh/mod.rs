//! Meshes: from a sculpture to levels of detail with normals, tangents, an atlas and packed vertices.

pub mod decimate;
pub mod frame;
pub mod nets;
pub(crate) mod pack_charts;
pub mod packed;
pub mod simpler;
pub mod unwrap;

use glam::{Vec2, Vec3, Vec4};

pub use packed::{PackedVertex, PositionBox, Vertex};

/// A mesh that follows a skeleton. Vertices at a seam of the atlas are there once per side.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Where vertices are at rest.
    pub positions: Vec<Vec3>,
    /// Outward, of length 1.
    pub normals: Vec<Vec3>,
    /// Along u, of length 1, square to the normal; w is the side of the binormal.
    pub tangents: Vec<Vec4>,
    /// Places in the atlas, 0 to 1, v down.
    pub uvs: Vec<Vec2>,
    /// Up to four joints, heaviest first; unused ones are 0.
    pub joints: Vec<[u16; 4]>,
    /// Their weights, which sum to 1.
    pub weights: Vec<[f32; 4]>,
    /// Triangles, three each, anticlockwise from outside.
    pub indices: Vec<u32>,
}

impl Mesh {
    /// The triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        self.indices.chunks_exact(3).map(|t| [t[0] as usize, t[1] as usize, t[2] as usize])
    }

    /// How many triangles.
    #[must_use]
    pub fn faces(&self) -> usize {
        self.indices.len() / 3
    }

    /// Opposite corners of the box around all vertices at rest.
    #[must_use]
    pub fn bounds(&self) -> [Vec3; 2] {
        let all = self.positions.iter();
        all.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[a, b], p| [a.min(*p), b.max(*p)])
    }

    /// Per vertex a number that is the same for all vertices of one place.
    #[must_use]
    pub fn corners(&self) -> Vec<u32> {
        let mut seen = std::collections::HashMap::new();
        let key = |p: &Vec3| p.to_array().map(|v| (v + 0.0).to_bits());
        let mut next = 0;
        let mut number = |p| {
            *seen.entry(key(p)).or_insert_with(|| {
                next += 1;
                next - 1
            })
        };
        self.positions.iter().map(&mut number).collect()
    }

    /// Drops vertices that no triangle has.
    pub(crate) fn compact(&mut self) {
        let mut to = vec![u32::MAX; self.positions.len()];
        let mut kept = Vec::new();
        for index in &mut self.indices {
            let slot = &mut to[*index as usize];
            if *slot == u32::MAX {
                *slot = kept.len() as u32;
                kept.push(*index as usize);
            }
            *index = *slot;
        }
        fn pick<T: Copy>(list: &mut Vec<T>, kept: &[usize]) {
            if !list.is_empty() {
                *list = kept.iter().map(|&i| list[i]).collect();
            }
        }
        pick(&mut self.positions, &kept);
        pick(&mut self.normals, &kept);
        pick(&mut self.tangents, &kept);
        pick(&mut self.uvs, &kept);
        pick(&mut self.joints, &kept);
        pick(&mut self.weights, &kept);
    }
}
