//! Joints in a tree, and poses flattened to matrices of the object.

use glam::{Affine3A, Mat4, Quat, Vec3};

/// Place, turn and size of a joint in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Where it is.
    pub translation: Vec3,
    /// How it is turned.
    pub rotation: Quat,
    /// How it is stretched.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

impl Transform {
    /// As a matrix.
    #[must_use]
    pub fn matrix(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// What it is called.
    pub name: String,
    /// Index of what it hangs on, which is less than its own.
    pub parent: Option<usize>,
    /// Place in the parent at rest.
    pub rest: Transform,
    /// From the object, as its mesh is at rest, to the joint.
    pub inverse_bind: Affine3A,
}

impl Joint {
    /// A joint with a place in the object, to be given to `Skeleton::at_rest`.
    #[must_use]
    pub fn new(name: &str, parent: Option<usize>, at: Vec3) -> Self {
        let rest = Transform { translation: at, ..Default::default() };
        Self { name: name.to_owned(), parent, rest, inverse_bind: Affine3A::from_translation(-at) }
    }
}

/// Joints, parents before children.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    /// The joints.
    pub joints: Vec<Joint>,
    /// Applied to everything: brings imported characters to z up, x ahead, height 1.
    pub to_object: Affine3A,
}

impl Skeleton {
    /// From joints whose places are in the object and that are not turned.
    pub(crate) fn at_rest(mut joints: Vec<Joint>) -> Self {
        let places: Vec<Vec3> = joints.iter().map(|joint| joint.rest.translation).collect();
        for joint in &mut joints {
            if let Some(parent) = joint.parent {
                joint.rest.translation -= places[parent];
            }
        }
        Self { joints, to_object: Affine3A::IDENTITY }
    }

    /// The pose at rest.
    #[must_use]
    pub fn rest(&self) -> Vec<Transform> {
        self.joints.iter().map(|joint| joint.rest).collect()
    }

    /// Index of a joint by name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// Where the joints are in the object, for a pose of places in parents.
    #[must_use]
    pub fn places(&self, pose: &[Transform]) -> Vec<Affine3A> {
        let mut places: Vec<Affine3A> = Vec::with_capacity(self.joints.len());
        for (joint, local) in self.joints.iter().zip(pose) {
            let above = joint.parent.map_or(self.to_object, |parent| places[parent]);
            places.push(above * local.matrix());
        }
        places
    }

    /// What carries a vertex from rest to the pose, per joint.
    #[must_use]
    pub fn flatten(&self, pose: &[Transform]) -> Vec<Affine3A> {
        let places = self.places(pose);
        places
            .into_iter()
            .zip(&self.joints)
            .map(|(place, joint)| place * joint.inverse_bind)
            .collect()
    }

    /// Where the joints are in the object at bind, whatever the pose of rest.
    #[must_use]
    pub fn bind_places(&self) -> Vec<Vec3> {
        let bind =
            |joint: &Joint| Mat4::from(joint.inverse_bind).inverse().transform_point3(Vec3::ZERO);
        self.joints.iter().map(|joint| self.to_object.transform_point3(bind(joint))).collect()
    }
}
