//! All skins of a file as one skeleton.
//!
//! A joint of ours is a node, with its inverse bind matrix. Where skins bind one node differently, or a mesh hangs
//! on a node without any skin, the node gets a further joint that does not move against it.

use std::collections::HashMap;

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::{MOST_JOINTS, Reading, Refusal};
use crate::rig::{Joint, Skeleton, Transform};

/// Nodes that matter, and the joints made of them.
pub(super) struct Tree {
    /// Our joints: first one per node, parents first; then further ones.
    joints: Vec<Joint>,
    /// Joint of each node.
    pub(super) of_node: HashMap<usize, usize>,
    /// Whether a joint's inverse bind matrix is in use.
    bound: Vec<bool>,
}

impl Tree {
    pub(super) fn read(reading: &Reading<'_>) -> Result<Self, Refusal> {
        let document = reading.document;
        for skin in document.skins() {
            let found = skin.joints().count();
            match found {
                0 => return Err(Refusal::NoBones { skin: skin.index() }),
                found if found > MOST_JOINTS => return Err(Refusal::TooManyBones { found }),
                _ => {}
            }
        }
        let nodes: Vec<gltf::Node<'_>> = document.nodes().collect();
        let mut parent: Vec<Option<usize>> = vec![None; nodes.len()];
        for node in &nodes {
            for child in node.children() {
                if let Some(other) = parent[child.index()] {
                    let parents = [other, node.index()];
                    // A node that is its own parent is a circle, not a quarrel.
                    return Err(match node.index() == child.index() {
                        true => Refusal::Cycle { node: child.index() },
                        false => Refusal::TwoParents { node: child.index(), parents },
                    });
                }
                parent[child.index()] = Some(node.index());
            }
        }
        // Joints, nodes with meshes, and all above them.
        let joints =
            document.skins().flat_map(|skin| skin.joints().map(|j| j.index()).collect::<Vec<_>>());
        let bodies = nodes.iter().filter(|n| n.mesh().is_some()).map(gltf::Node::index);
        let mut depth: HashMap<usize, usize> = HashMap::new();
        for start in joints.chain(bodies) {
            let mut way = vec![start];
            while let Some(above) = way.last().and_then(|n| parent[*n]) {
                if way.len() > nodes.len() {
                    return Err(Refusal::Cycle { node: start });
                }
                way.push(above);
            }
            for (i, node) in way.iter().rev().enumerate() {
                depth.insert(*node, i);
            }
        }
        let mut order: Vec<usize> = depth.keys().copied().collect();
        order.sort_by_key(|node| (depth[node], *node));
        if order.len() > MOST_JOINTS * 2 {
            return Err(Refusal::TooManyBones { found: order.len() });
        }
        let of_node: HashMap<usize, usize> =
            order.iter().enumerate().map(|(i, node)| (*node, i)).collect();
        let joint = |node: &usize| {
            let (translation, rotation, scale) = nodes[*node].transform().decomposed();
            let rest = Transform {
                translation: translation.into(),
                rotation: Quat::from_array(rotation).normalize(),
                scale: scale.into(),
            };
            Joint {
                name: nodes[*node].name().map_or_else(|| format!("node {node}"), str::to_owned),
                parent: parent[*node].and_then(|p| of_node.get(&p).copied()),
                rest: sane(rest),
                inverse_bind: Affine3A::IDENTITY,
            }
        };
        let joints: Vec<Joint> = order.iter().map(joint).collect();
        Ok(Self { bound: vec![false; joints.len()], joints, of_node })
    }

    /// A joint at a node with an inverse bind matrix; the node's own, or a further one.
    pub(super) fn bind(&mut self, node: usize, inverse: Affine3A) -> Option<u16> {
        let own = *self.of_node.get(&node)?;
        let same = |joint: &Joint| joint.inverse_bind.abs_diff_eq(inverse, 1e-5);
        if !self.bound[own] || same(&self.joints[own]) {
            self.bound[own] = true;
            self.joints[own].inverse_bind = inverse;
            return u16::try_from(own).ok();
        }
        let further = self
            .joints
            .iter()
            .skip(own + 1)
            .position(|j| j.parent == Some(own) && same(j) && j.name.ends_with('*'));
        if let Some(i) = further {
            return u16::try_from(own + 1 + i).ok();
        }
        let name = format!("{}*", self.joints[own].name);
        self.joints.push(Joint {
            name,
            parent: Some(own),
            rest: Transform::default(),
            inverse_bind: inverse,
        });
        self.bound.push(true);
        u16::try_from(self.joints.len() - 1).ok()
    }

    /// Joints of a skin, in its order.
    pub(super) fn skin(
        &mut self,
        reading: &Reading<'_>,
        skin: &gltf::Skin<'_>,
    ) -> Result<Vec<u16>, Refusal> {
        let nodes: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        let matrices: Vec<Affine3A> = match skin.inverse_bind_matrices() {
            None => vec![Affine3A::IDENTITY; nodes.len()],
            Some(accessor) => {
                let list = reading.buffers.floats::<16>(&accessor)?;
                if list.len() < nodes.len() {
                    let what =
                        format!("{} inverse bind matrices for {} bones", list.len(), nodes.len());
                    return Err(Refusal::Accessor { index: accessor.index(), what });
                }
                list.iter().map(|m| Affine3A::from_mat4(Mat4::from_cols_array(m))).collect()
            }
        };
        let bound = nodes.iter().zip(matrices).map(|(node, m)| self.bind(*node, m));
        let joints: Option<Vec<u16>> = bound.collect();
        match joints {
            Some(joints) if self.joints.len() <= MOST_JOINTS * 2 => Ok(joints),
            _ => Err(Refusal::TooManyBones { found: self.joints.len() }),
        }
    }

    /// The skeleton, not yet upright.
    pub(super) fn skeleton(&self) -> Skeleton {
        Skeleton { joints: self.joints.clone(), to_object: Affine3A::IDENTITY }
    }
}

/// Numbers that are none make nothing.
fn sane(t: Transform) -> Transform {
    let finite = |v: Vec3, other: Vec3| if v.is_finite() { v } else { other };
    let rotation = if t.rotation.is_finite() { t.rotation } else { Quat::IDENTITY };
    Transform {
        translation: finite(t.translation, Vec3::ZERO),
        rotation,
        scale: finite(t.scale, Vec3::ONE),
    }
}
