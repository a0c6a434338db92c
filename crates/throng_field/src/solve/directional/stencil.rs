//! The local rule: the least cost of a cell from the values of its eight neighbours, in closed form.
//!
//! In a triangle of axis neighbour `A` and diagonal neighbour `D`, the way from the cell meets the edge
//! at `A + t (D - A)`. With step cost `f` (cost times cell size), rises `pA` and `pA + pD` of the ground
//! to `A` and `D` (times `f`), and `k` one of `uphill`, `-downhill`, it costs
//! `f_k(t) = (1 - t) uA + t uD + f √(1 + t²) + k (pA + t pD)`, and the true cost is the greater of the two
//! `f_k`. Each is the isotropic cost with shifted values; with `q = -(uD - uA + k pD) / f` it is least at
//! `t = q / √(1 - q²)`, where it is `uA + k pA + f √(1 - q²)`, or at the end of the edge that lies
//! nearer. If `f_uphill` is least where the way goes up, that is the least of both, and likewise for
//! downhill; else it is where the way is level, `pA + t pD = 0`.

use super::Slope;
use glam::Vec2;
use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

/// Values of the eight neighbours: axis ones east, north, west, south; diagonal ones north-east,
/// north-west, south-west, south-east. North is towards row 0. Infinite: blocked, unreached, or a
/// diagonal beside a wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) axis: [f32; 4],
    pub(super) diagonal: [f32; 4],
}

/// Extra cost per unit of slope, up and down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factors {
    pub(super) uphill: f32,
    pub(super) downhill: f32,
}

impl Factors {
    pub(super) fn of(slope: &Slope<'_>) -> Self {
        Self { uphill: slope.uphill, downhill: slope.downhill }
    }
}

/// The ground of one cell, made ready for the rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    /// Step cost: cost times cell size; infinite if blocked.
    pub(super) step: f32,
    /// One over the step.
    pub(super) inverse: f32,
    /// Step times rise of the ground to the east.
    pub(super) rise_x: f32,
    /// Step times rise of the ground to the south.
    pub(super) rise_y: f32,
    /// Where a level way meets the edge of its triangle; NaN on flat ground, where it is not needed.
    pub(super) level: f32,
    /// Step cost of that level way.
    pub(super) level_step: f32,
}

impl Ground {
    #[inline(always)]
    pub(super) fn new(step: f32, gradient: Vec2) -> Self {
        let (x, y) = (gradient.x.abs(), gradient.y.abs());
        let level = if x < y { x / y } else { y / x };
        Self {
            step,
            inverse: 1.0 / step,
            rise_x: step * gradient.x,
            rise_y: step * gradient.y,
            level,
            level_step: step * (1.0 + level * level).sqrt(),
        }
    }
}

/// What the neighbours offer a cell; infinite if nothing. No fused operations, so that every instruction
/// set gives the same bits. Comparisons are such that infinite values and the NaN of their difference
/// choose the end of the edge that is not infinite.
#[inline(always)]
pub(super) fn offer(around: &Around, ground: &Ground, factors: Factors) -> f32 {
    let [east, north, west, south] = around.axis;
    let [ne, nw, sw, se] = around.diagonal;
    let (x, y) = (ground.rise_x, ground.rise_y);
    let axis = [east, north, north, west, west, south, south, east];
    let diagonal = [ne, ne, nw, nw, sw, sw, se, se];
    let to_axis = [x, -y, -y, -x, -x, y, y, x];
    let along = [-y, x, -x, -y, y, -x, x, y];
    let mut best = [f32::INFINITY; 8];
    for i in 0..8 {
        best[i] = triangle(axis[i], diagonal[i], to_axis[i], along[i], ground, factors);
    }
    let lesser = |a: f32, b: f32| if a < b { a } else { b };
    let mut four = [f32::INFINITY; 4];
    for i in 0..4 {
        four[i] = lesser(best[i], best[i + 4]);
    }
    lesser(lesser(four[0], four[2]), lesser(four[1], four[3]))
}

/// What one triangle offers.
#[inline(always)]
fn triangle(
    axis: f32,
    diagonal: f32,
    to_axis: f32,
    along: f32,
    ground: &Ground,
    factors: Factors,
) -> f32 {
    let up = half_space(axis, diagonal, to_axis, along, ground, factors.uphill);
    let down = half_space(axis, diagonal, to_axis, along, ground, -factors.downhill);
    let level = (1.0 - ground.level) * axis + ground.level * diagonal + ground.level_step;
    let down_or_level = if down.rise <= 0.0 { down.cost } else { level };
    if up.rise >= 0.0 { up.cost } else { down_or_level }
}

/// The best way through a triangle if slope cost the same up and down.
struct Way {
    cost: f32,
    /// Of the sign of its rise.
    rise: f32,
}

#[inline(always)]
fn half_space(
    axis: f32,
    diagonal: f32,
    to_axis: f32,
    along: f32,
    ground: &Ground,
    factor: f32,
) -> Way {
    let fall = (axis - diagonal) - factor * along;
    let q = fall * ground.inverse;
    let q = if q > 0.0 { q } else { 0.0 };
    let sine = if q < FRAC_1_SQRT_2 { q } else { FRAC_1_SQRT_2 };
    let cosine = (1.0 - sine * sine).sqrt();
    let inside = axis + (factor * to_axis + ground.step * cosine);
    let at_diagonal = diagonal + (factor * (to_axis + along) + ground.step * SQRT_2);
    Way {
        cost: if q < FRAC_1_SQRT_2 { inside } else { at_diagonal },
        rise: to_axis * cosine + along * sine,
    }
}
