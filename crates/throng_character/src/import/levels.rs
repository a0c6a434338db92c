//! Brings an imported mesh upright and to height 1, completes it, and makes its levels.

use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};

use super::{Reading, Refusal};
use crate::character::Level;
use crate::mesh::{Mesh, frame, simpler::simpler};
use crate::rig::Skeleton;
use crate::sheet::draw::skinned;

/// Triangles of the middle and far levels.
const FACES: [usize; 2] = [2000, 840];

/// glTF has y up and looks along z; we have z up and look along x. Height becomes 1, the ground 0.
pub(super) fn to_object(mesh: &mut Mesh, skeleton: &mut Skeleton) -> Result<(), Refusal> {
    let turn = Mat3A::from_cols(Vec3A::Y, Vec3A::Z, Vec3A::X);
    let upright = Affine3A { matrix3: turn, translation: Vec3A::ZERO };
    skeleton.to_object = upright;
    mesh.tangents.resize(mesh.positions.len(), Vec4::ZERO);
    let (points, ..) = skinned(mesh, &skeleton.flatten(&skeleton.rest()));
    let far = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    let [low, high] = points.iter().fold(far, |[a, b], p| [a.min(*p), b.max(*p)]);
    let height = high.z - low.z;
    if !height.is_finite() || height < 1e-6 {
        return Err(Refusal::NoHeight);
    }
    let size = 1.0 / height;
    // Who was made far from the origin is brought there.
    let middle = (low + high) * 0.5;
    let off = if middle.truncate().length() > height * 0.5 {
        middle.truncate()
    } else {
        glam::Vec2::ZERO
    };
    let foot = off.extend(low.z);
    let place =
        Affine3A::from_scale(Vec3::splat(size)) * Affine3A::from_translation(-foot) * upright;
    skeleton.to_object = place;
    // The mesh is kept as it is bound, in our axes and size: what undoes that goes to the joints.
    let back = place.inverse();
    for joint in &mut skeleton.joints {
        joint.inverse_bind *= back;
    }
    mesh.positions.iter_mut().for_each(|p| *p = place.transform_point3(*p));
    mesh.normals.iter_mut().for_each(|n| *n = Vec3::from(turn * Vec3A::from(*n)));
    mesh.tangents
        .iter_mut()
        .for_each(|t| *t = Vec3::from(turn * Vec3A::from(t.truncate())).extend(t.w));
    Ok(())
}

/// Makes what tangents are missing.
pub(super) fn complete(mesh: &mut Mesh, reading: &mut Reading<'_>) {
    let missing = mesh.tangents.iter().filter(|t| t.truncate().length_squared() < 0.25).count();
    if missing > 0 {
        reading.notice(format!("tangents of {missing} vertices are made from the atlas"));
        let made = frame::tangents(mesh);
        for (own, made) in mesh.tangents.iter_mut().zip(made) {
            if own.truncate().length_squared() < 0.25 {
                *own = made;
            }
        }
    }
    for tangent in &mut mesh.tangents {
        let along = tangent.truncate().normalize_or(Vec3::X);
        *tangent = along.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 });
    }
}

/// The mesh, and two simpler ones where it is larger than those.
pub(super) fn levels(mesh: Mesh) -> Vec<Level> {
    let mut levels = vec![Level::plain(mesh)];
    for faces in FACES {
        let last = &levels[levels.len() - 1].mesh;
        if last.faces() <= faces {
            levels.push(Level::plain(last.clone()));
            continue;
        }
        let simple = simpler(&levels[0].mesh, faces, |_| 1.0);
        levels.push(Level::plain(simple));
    }
    levels
}
