//! Signed distances of simple shapes, and how they melt into each other.
//!
//! Distances are negative inside. Those of ellipsoids are estimates that are exact at the surface, which is
//! where everything is asked (after Quilez, "distance functions").

use glam::{Quat, Vec3};

/// A solid about the origin of its part.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Half axes.
    Ellipsoid(Vec3),
    /// From the part's place to another point (relative to it, in the part's turn), round at both ends.
    Limb {
        /// The other end.
        to: Vec3,
        /// Radius at the part's place.
        from_radius: f32,
        /// Radius at the other end.
        to_radius: f32,
    },
    /// Half sides and the radius of the edges.
    Block(Vec3, f32),
    /// Around z: radius of the ring, radius of the rope.
    Ring(f32, f32),
}

impl Shape {
    /// Distance of a point.
    #[must_use]
    pub fn distance(&self, p: Vec3) -> f32 {
        match *self {
            Self::Ellipsoid(radii) => {
                let outer = (p / radii).length();
                let slope = (p / (radii * radii)).length();
                if slope < 1e-6 { -radii.min_element() } else { outer * (outer - 1.0) / slope }
            }
            Self::Limb { to, from_radius, to_radius } => limb(p, to, from_radius, to_radius),
            Self::Block(half, round) => {
                let q = p.abs() - (half - Vec3::splat(round));
                q.max(Vec3::ZERO).length() + q.max_element().min(0.0) - round
            }
            Self::Ring(ring, rope) => glam::vec2(p.truncate().length() - ring, p.z).length() - rope,
        }
    }

    /// Radius of a ball about the origin that holds the shape.
    #[must_use]
    pub fn reach(&self) -> f32 {
        match *self {
            Self::Ellipsoid(radii) => radii.max_element(),
            Self::Limb { to, from_radius, to_radius } => from_radius.max(to.length() + to_radius),
            Self::Block(half, _) => half.length(),
            Self::Ring(ring, rope) => ring + rope,
        }
    }
}

/// A cone with round ends, exact.
fn limb(p: Vec3, to: Vec3, r1: f32, r2: f32) -> f32 {
    let l2 = to.length_squared();
    let rr = r1 - r2;
    let a2 = l2 - rr * rr;
    // One end swallows the other.
    if a2 <= 0.0 {
        return (p.length() - r1).min((p - to).length() - r2);
    }
    let y = p.dot(to);
    let z = y - l2;
    let x2 = (p * l2 - to * y).length_squared();
    let (y2, z2) = (y * y * l2, z * z * l2);
    let k = rr.signum() * rr * rr * x2;
    if z.signum() * a2 * z2 > k {
        return (x2 + z2).sqrt() / l2 - r2;
    }
    if y.signum() * a2 * y2 < k {
        return (x2 + y2).sqrt() / l2 - r1;
    }
    ((x2 * a2 / l2).sqrt() + y * rr) / l2 - r1
}

/// The union of two distances, rounded over a width `k`; twice differentiable.
#[must_use]
pub fn melt(a: f32, b: f32, k: f32) -> f32 {
    if k <= 0.0 {
        return a.min(b);
    }
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * h * k / 6.0
}

/// What is left of `a` without `b`, the edge rounded over `k`.
#[must_use]
pub fn carve(a: f32, b: f32, k: f32) -> f32 {
    -melt(-a, b, k)
}

/// What is common to both, the edge rounded over `k`.
#[must_use]
pub fn common(a: f32, b: f32, k: f32) -> f32 {
    -melt(-a, -b, k)
}

/// A turn that carries z to a direction.
#[must_use]
pub fn upright_to(direction: Vec3) -> Quat {
    Quat::from_rotation_arc(Vec3::Z, direction.normalize_or(Vec3::Z))
}
