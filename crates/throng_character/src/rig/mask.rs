//! Joint masks: what a character has not, by folding joints to a point (after "Real-time character
//! dismemberment by flattening bone matrices", Game Engine Gems 1, chapter 19).
//!
//! A zone is a joint with all below it. A character that lacks a zone has the vertices of those joints drawn to
//! the zone's own joint, where their triangles have no area. The same mesh serves everybody.

use glam::{Affine3A, Mat3A, Vec3A};

use super::Skeleton;

/// What can be taken away, by name.
#[derive(Clone, Debug, Default)]
pub struct Zones {
    /// Name and top joint of each, at most 32; a zone within another comes after it.
    pub zones: Vec<(String, usize)>,
    /// Per joint the zones that hold it, as bits.
    pub of_joint: Vec<u32>,
}

impl Zones {
    /// Zones of the joints with these names; names that the skeleton lacks are left out.
    #[must_use]
    pub fn new(skeleton: &Skeleton, names: &[&str]) -> Self {
        let mut zones: Vec<(String, usize)> = names
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), skeleton.find(name)?)))
            .collect();
        // Parents come before children among joints, and so among zones.
        zones.sort_by_key(|(_, joint)| *joint);
        zones.truncate(32);
        let mut of_joint = vec![0_u32; skeleton.joints.len()];
        for (i, joint) in skeleton.joints.iter().enumerate() {
            let own = zones.iter().position(|(_, top)| *top == i).map_or(0, |zone| 1 << zone);
            of_joint[i] = own | joint.parent.map_or(0, |parent| of_joint[parent]);
        }
        Self { zones, of_joint }
    }

    /// The bit of a zone by name; 0 if there is none.
    #[must_use]
    pub fn bit(&self, name: &str) -> u32 {
        self.zones.iter().position(|(zone, _)| zone == name).map_or(0, |zone| 1 << zone)
    }

    /// Folds what is missing in flattened matrices. `places` are those of the joints in the same pose.
    pub fn fold(&self, matrices: &mut [Affine3A], places: &[Affine3A], missing: u32) {
        for (matrix, zones) in matrices.iter_mut().zip(&self.of_joint) {
            let gone = zones & missing;
            if gone != 0 {
                // The lowest bit is the topmost zone.
                let top = self.zones[gone.trailing_zeros() as usize].1;
                let pivot: Vec3A = places[top].translation;
                *matrix = Affine3A { matrix3: Mat3A::ZERO, translation: pivot };
            }
        }
    }
}
