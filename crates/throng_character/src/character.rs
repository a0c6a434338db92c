//! What a character is, whether made by code or read from a file.

use glam::Vec3;

use crate::bake::maps::Maps;
use crate::clip::Clip;
use crate::mesh::Mesh;
use crate::rig::{Skeleton, Zones};

/// A character: 1 high, stands at z = 0, looks along x, its left is y.
#[derive(Clone, Debug)]
pub struct Character {
    /// What it is called.
    pub name: String,
    /// Meshes from near to far; at least one. All share the skeleton and the maps.
    pub levels: Vec<Level>,
    /// Its joints.
    pub skeleton: Skeleton,
    /// What can be taken away from it.
    pub zones: Zones,
    /// How it moves, at least one.
    pub clips: Vec<Clip>,
    /// What it is painted with.
    pub maps: Maps,
    /// How it may be varied, at least one.
    pub looks: Vec<Look>,
    /// What was not taken over from a file, and why.
    pub notices: Vec<String>,
}

impl Character {
    /// A clip by name.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<usize> {
        self.clips.iter().position(|clip| clip.name == name)
    }

    /// Zones that somebody of a look lacks while playing a clip: what the look lacks, and all props that
    /// belong to other clips and not to the look.
    #[must_use]
    pub fn missing(&self, look: &Look, clip: &Clip) -> u32 {
        let in_hand = clip.props.iter().fold(0, |bits, prop| bits | self.zones.bit(prop));
        look.missing & !in_hand
    }
}

/// One mesh of a character, with what close-ups need to stay closed.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The mesh.
    pub mesh: Mesh,
    /// Displacement at each vertex, exactly; equal for all vertices of a place.
    pub heights: Vec<f32>,
    /// Per triangle, whether the edge from each vertex to the next is a seam of the atlas. Along such an edge the
    /// displacement runs straight between the heights of its ends, on both sides, whatever the map says.
    pub seams: Vec<[bool; 3]>,
}

impl Level {
    /// A level without displacement.
    #[must_use]
    pub fn plain(mesh: Mesh) -> Self {
        let seams = seams(&mesh);
        Self { heights: vec![0.0; mesh.positions.len()], seams, mesh }
    }
}

/// Which edges have different vertices on their two sides, or only one side.
#[must_use]
pub fn seams(mesh: &Mesh) -> Vec<[bool; 3]> {
    let corners = mesh.corners();
    let mut sides = std::collections::HashMap::new();
    for t in mesh.triangles() {
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            sides.insert((corners[a], corners[b]), (a, b));
        }
    }
    let seam = |a: usize, b: usize| sides.get(&(corners[b], corners[a])) != Some(&(b, a));
    mesh.triangles().map(|t| [0, 1, 2].map(|i| seam(t[i], t[(i + 1) % 3]))).collect()
}

/// A variation of a character.
#[derive(Clone, Debug)]
pub struct Look {
    /// What it is called.
    pub name: String,
    /// Multiplies what the maps mark as skin; linear.
    pub skin: Vec3,
    /// Multiplies what the maps mark as cloth; linear.
    pub cloth: Vec3,
    /// Height against the usual.
    pub size: f32,
    /// Zones that it lacks, as bits of [`Zones`].
    pub missing: u32,
}
