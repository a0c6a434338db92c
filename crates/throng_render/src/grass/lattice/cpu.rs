//! The plain twin of the springs, the way out of a body, and recovery.

use glam::Vec3;

/// Four rows of three points, row by row from the ground.
pub(crate) type Lattice = [Vec3; 12];

/// Point (i, j) of a flat quad, bilinear.
pub(crate) fn refine(
    [low_left, low_right, high_left, high_right]: [Vec3; 4],
    i: u32,
    j: u32,
) -> Vec3 {
    let (a, b) = (j as f32 / 2.0, i as f32 / 3.0);
    low_left.lerp(low_right, a).lerp(high_left.lerp(high_right, a), b)
}

/// The springs in the order in which they are relaxed: two points, and which of the rest lengths.
pub(crate) fn springs() -> Vec<(usize, usize, usize)> {
    let mut all = Vec::new();
    for i in 0..3 {
        for j in 0..3 {
            all.push((i * 3 + j, (i + 1) * 3 + j, 1));
        }
    }
    for i in 1..4 {
        for j in 0..2 {
            all.push((i * 3 + j, i * 3 + j + 1, 0));
        }
    }
    for i in 0..3 {
        for j in 0..2 {
            all.push((i * 3 + j, (i + 1) * 3 + j + 1, 2));
            all.push(((i + 1) * 3 + j, i * 3 + j + 1, 2));
        }
    }
    // Those at the ground first, each part in its order.
    let (ground, free): (Vec<_>, Vec<_>) = all.into_iter().partition(|(a, b, _)| *a < 3 || *b < 3);
    [ground, free].concat()
}

/// A sweep over all springs.
pub(crate) fn relax(lattice: &mut Lattice, rest: [f32; 3], stiffness: f32) {
    for (a, b, kind) in springs() {
        let d = lattice[b] - lattice[a];
        let f = d * (stiffness * (d.length() - rest[kind]) / d.length().max(1e-9));
        let share = |own: usize, other: usize| match (own < 3, other < 3) {
            (true, _) => 0.0,
            (false, true) => 1.0,
            (false, false) => 0.5,
        };
        lattice[a] += f * share(a, b);
        lattice[b] -= f * share(b, a);
    }
}

/// The greatest deviation of a spring from its rest length, as a share of it.
pub(crate) fn strain(lattice: &Lattice, rest: [f32; 3]) -> f32 {
    let off = |&(a, b, kind): &(usize, usize, usize)| {
        ((lattice[b] - lattice[a]).length() / rest[kind] - 1.0).abs()
    };
    springs().iter().map(off).fold(0.0, f32::max)
}

/// How far a point goes along a normal to leave the box of its distances along and against the axes.
pub(crate) fn way_out(along: Vec3, against: Vec3, normal: Vec3) -> f32 {
    ((normal * along).max(Vec3::ZERO) + (-normal * against).max(Vec3::ZERO)).element_sum()
}

/// What is left after a share of the time of recovery.
pub(crate) fn residual(u: f32) -> f32 {
    let t = u.clamp(0.0, 1.0);
    1.0 - 3.0 * t * t + 2.0 * t * t * t
}

/// Factor on an offset between two shares.
pub(crate) fn recovered(before: f32, after: f32) -> f32 {
    let left = residual(before);
    if left > 1e-6 { residual(after) / left } else { 0.0 }
}
