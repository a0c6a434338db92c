//! Two bones to a target, in closed form.

use glam::{Mat3, Quat, Vec3};

/// A chain of two bones that reaches for something.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Where the middle joint is.
    pub middle: Vec3,
    /// Where the end is: at the target, or towards it if that is too far.
    pub end: Vec3,
    /// The axis about which the middle joint bends.
    pub hinge: Vec3,
}

/// A chain from `root` of lengths `a` and `b` whose end shall be at `target`. The middle joint lies towards `pole`.
#[must_use]
pub fn two_bones(root: Vec3, target: Vec3, [a, b]: [f32; 2], pole: Vec3) -> Reach {
    let way = target - root;
    let dir = way.normalize_or(Vec3::NEG_Z);
    let d = way.length().clamp((a - b).abs() * 1.001 + 1e-4, (a + b) * 0.999);
    let aside = (pole - dir * dir.dot(pole)).normalize_or(dir.any_orthonormal_vector());
    let cos = ((a * a + d * d - b * b) / (2.0 * a * d)).clamp(-1.0, 1.0);
    let middle = root + dir * (a * cos) + aside * (a * (1.0 - cos * cos).sqrt());
    Reach { middle, end: root + dir * d, hinge: dir.cross(aside) }
}

/// The hinge of a chain at rest, from its whole way and its pole.
#[must_use]
pub fn hinge(way: Vec3, pole: Vec3) -> Vec3 {
    way.cross(pole).normalize_or(Vec3::Y)
}

/// The turn that carries a bone and its hinge at rest to a bone and its hinge in the pose: the bone is not twisted
/// against its hinge. (A frame from the pole would turn over where a bone passes it.)
#[must_use]
pub fn turn_between(rest: [Vec3; 2], posed: [Vec3; 2]) -> Quat {
    let frame = |[along, hinge]: [Vec3; 2]| {
        let x = along.normalize_or(Vec3::X);
        let z = (hinge - x * x.dot(hinge)).normalize_or(x.any_orthonormal_vector());
        Mat3::from_cols(x, z.cross(x), z)
    };
    Quat::from_mat3(&(frame(posed) * frame(rest).transpose())).normalize()
}

/// The part of a turn that is about an axis.
#[must_use]
pub fn twist(turn: Quat, axis: Vec3) -> Quat {
    let along = axis.normalize_or(Vec3::X);
    let v = along * along.dot(Vec3::new(turn.x, turn.y, turn.z));
    let q = Quat::from_xyzw(v.x, v.y, v.z, turn.w);
    if q.length_squared() < 1e-12 { Quat::IDENTITY } else { q.normalize() }
}

/// A turn by angles about x (roll), y (pitch: forward is positive) and z (left is positive), in radians.
#[must_use]
pub fn euler(v: Vec3) -> Quat {
    Quat::from_rotation_z(v.z) * Quat::from_rotation_y(v.y) * Quat::from_rotation_x(v.x)
}
