//! Terrain cost from a height map: how much slower people walk on a slope than on the flat, and the
//! gradient of the ground for solvers that tell uphill from downhill.
//!
//! The walking speed is Tobler's hiking function (W. Tobler 1993, "Three presentations on
//! geographical analysis and modeling", NCGIA report 93-1): 6 exp(-3.5 |s + 0.05|) km/h for a signed
//! slope s = rise / run, fastest on a slight descent.

use super::{CostError, MAX_COST, first_bad};
use crate::grid::Grid;
use glam::Vec2;
use rayon::prelude::*;

/// The greatest height above or below zero, in metres.
pub const MAX_HEIGHT: f32 = 1e6;

/// How slope becomes cost. The defaults are Tobler's hiking function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeParams {
    /// How fast walking slows with slope, per unit of rise / run; 3.5. Zero: slope does not matter.
    pub steepness: f32,
    /// The descent (rise / run, taken positive) on which walking is fastest; 0.05, about 3 degrees.
    pub best_descent: f32,
    /// Ground steeper than this (rise / run) is blocked; 1, which is 45 degrees.
    pub max_slope: f32,
}

impl Default for SlopeParams {
    fn default() -> Self {
        Self { steepness: 3.5, best_descent: 0.05, max_slope: 1.0 }
    }
}

impl SlopeParams {
    /// Cost of walking along a signed slope (rise / run, uphill positive) relative to the flat,
    /// whatever `max_slope` says. Below 1 on a slight descent, e^-0.175 = 0.84 at the least.
    pub fn directed_cost(&self, slope: f32) -> f32 {
        (self.steepness * ((slope + self.best_descent).abs() - self.best_descent)).exp()
    }

    /// Cost of a slope (rise / run, not negative) when the direction of walking is not known: the
    /// mean of up and down, that is the time there and back. 1 on the flat; `f32::INFINITY` above
    /// `max_slope`, and for NaN.
    pub fn isotropic_cost(&self, slope: f32) -> f32 {
        if slope <= self.max_slope {
            // The mean falls below 1 by rounding at most.
            (0.5 * (self.directed_cost(slope) + self.directed_cost(-slope))).max(1.0)
        } else {
            f32::INFINITY
        }
    }

    /// Checks that every legal slope gives a legal cost.
    ///
    /// # Errors
    /// [`CostError::BadSlopeParam`] names the field.
    pub fn check(&self) -> Result<(), CostError> {
        let not_negative = "finite and not negative";
        for (field, value) in [
            ("steepness", self.steepness),
            ("best_descent", self.best_descent),
            ("max_slope", self.max_slope),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(bad_param(field, value, not_negative));
            }
        }
        if self.isotropic_cost(self.max_slope) > MAX_COST {
            let right = "so small that steepness * max_slope costs no more than 1e6 (about 13.8)";
            return Err(bad_param("max_slope", self.max_slope, right));
        }
        Ok(())
    }
}

fn bad_param(field: &'static str, value: f32, right: &'static str) -> CostError {
    CostError::BadSlopeParam { field, value, right }
}

/// What [`slope_cost`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlopeReport {
    /// Cells blocked because they are steeper than `max_slope`.
    pub too_steep: usize,
    /// Cells blocked because their height is NaN.
    pub no_data: usize,
}

/// Gradient of the ground in rise per run (no unit), pointing uphill, from heights in metres.
///
/// Central differences; one-sided at the edge of the grid and beside cells without data (NaN); zero
/// along an axis on which no neighbour has data, and in cells without data themselves.
///
/// # Errors
/// [`CostError::BadHeight`] where a height is infinite or beyond [`MAX_HEIGHT`].
pub fn height_gradient(heights: &Grid<f32>) -> Result<Grid<Vec2>, CostError> {
    check_heights(heights)?;
    let width = heights.width();
    let mut out = heights.map(|_| Vec2::ZERO);
    let rows = out.as_mut_slice().par_chunks_mut(width).enumerate();
    rows.for_each(|(y, row)| {
        for (x, out) in row.iter_mut().enumerate() {
            *out = gradient_at(heights, x, y);
        }
    });
    Ok(out)
}

/// Terrain cost T of a height map in metres: 1 on the flat, [`SlopeParams::isotropic_cost`] of the
/// steepest slope elsewhere, `f32::INFINITY` where it is too steep or the height is NaN (no data).
///
/// The slope is that of [`height_gradient`], a mean over two cells: a step of height h between flats
/// reads as h / (2 · cell size) on both its cells.
///
/// # Errors
/// [`CostError::BadSlopeParam`], or [`CostError::BadHeight`] where a height is infinite or beyond
/// [`MAX_HEIGHT`].
pub fn slope_cost(
    heights: &Grid<f32>,
    params: &SlopeParams,
) -> Result<(Grid<f32>, SlopeReport), CostError> {
    params.check()?;
    check_heights(heights)?;
    let width = heights.width();
    let mut out = heights.map(|_| f32::INFINITY);
    let rows = out.as_mut_slice().par_chunks_mut(width).enumerate();
    let report = rows.map(|(y, row)| slope_row(heights, params, y, row)).reduce(
        SlopeReport::default,
        |a, b| SlopeReport { too_steep: a.too_steep + b.too_steep, no_data: a.no_data + b.no_data },
    );
    Ok((out, report))
}

fn slope_row(heights: &Grid<f32>, params: &SlopeParams, y: usize, row: &mut [f32]) -> SlopeReport {
    let mut report = SlopeReport::default();
    for (x, (out, height)) in row.iter_mut().zip(heights.row(y)).enumerate() {
        if height.is_nan() {
            report.no_data += 1;
            continue;
        }
        *out = params.isotropic_cost(gradient_at(heights, x, y).length());
        report.too_steep += usize::from(*out == f32::INFINITY);
    }
    report
}

fn check_heights(heights: &Grid<f32>) -> Result<(), CostError> {
    let right = |h: f32| h.is_nan() | (h.abs() <= MAX_HEIGHT);
    match first_bad(heights.as_slice(), right) {
        None => Ok(()),
        Some(bad) => Err(CostError::BadHeight {
            cell: heights.cell_at(bad.index),
            value: bad.value,
            count: bad.count,
        }),
    }
}

fn gradient_at(heights: &Grid<f32>, x: usize, y: usize) -> Vec2 {
    let (w, h) = (heights.width(), heights.height());
    let data = heights.as_slice();
    let at = y * w + x;
    let here = data[at];
    if here.is_nan() {
        return Vec2::ZERO;
    }
    let left = (x > 0).then(|| data[at - 1]);
    let right = (x + 1 < w).then(|| data[at + 1]);
    let above = (y > 0).then(|| data[at - w]);
    let below = (y + 1 < h).then(|| data[at + w]);
    Vec2::new(difference(left, here, right), difference(above, here, below)) / heights.cell_size()
}

/// Difference per cell along one axis from the neighbours that exist and have data.
fn difference(before: Option<f32>, here: f32, after: Option<f32>) -> f32 {
    let known = |h: &f32| !h.is_nan();
    match (before.filter(known), after.filter(known)) {
        (Some(before), Some(after)) => 0.5 * (after - before),
        (Some(before), None) => here - before,
        (None, Some(after)) => after - here,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_cost;
    use super::*;
    use crate::grid::Cell;
    use proptest::prelude::*;

    fn plane(gx: f32, gy: f32, cell_size: f32) -> Grid<f32> {
        Grid::from_fn(9, 7, |c| (c.x as f32 * gx + c.y as f32 * gy) * cell_size + 100.0)
            .unwrap()
            .placed(cell_size, Vec2::new(-3.0, 5.0))
            .unwrap()
    }

    /// If the published figures do not come out, the constants or signs are wrong.
    #[test]
    fn toblers_figures() {
        let params = SlopeParams::default();
        let kmh = |slope: f32| 6.0 * (-0.175f32).exp() / params.directed_cost(slope);
        assert!((kmh(0.0) - 5.037).abs() < 1e-3, "flat: about 5 km/h");
        assert!((kmh(-0.05) - 6.0).abs() < 1e-4, "fastest: 6 km/h");
        assert!((kmh(0.5) - 6.0 * (-3.5f32 * 0.55).exp()).abs() < 1e-5);
        assert_eq!(params.isotropic_cost(0.0), 1.0);
        assert_eq!(params.isotropic_cost(1.001), f32::INFINITY);
        assert_eq!(params.isotropic_cost(f32::NAN), f32::INFINITY);
    }

    /// A plane's gradient is exact everywhere, or edges and corners bend every route.
    #[test]
    fn a_plane_has_the_same_gradient_in_every_cell() {
        let heights = plane(0.25, -0.5, 2.0);
        let gradient = height_gradient(&heights).unwrap();
        assert_eq!(gradient.cell_size(), 2.0);
        for g in gradient.as_slice() {
            assert!((*g - Vec2::new(0.25, -0.5)).length() < 1e-5, "{g}");
        }
        let (cost, report) = slope_cost(&heights, &SlopeParams::default()).unwrap();
        assert_eq!(report, SlopeReport::default());
        let expected = SlopeParams::default().isotropic_cost(0.3125f32.sqrt());
        for c in cost.as_slice() {
            assert!((c - expected).abs() < 1e-4 * expected);
        }
    }

    /// A cell without data must be blocked and must not spread NaN or a false cliff.
    #[test]
    fn no_data_is_blocked_and_its_neighbours_are_one_sided() {
        let mut heights = plane(0.25, 0.0, 1.0);
        heights[Cell::new(4, 3)] = f32::NAN;
        let (cost, report) = slope_cost(&heights, &SlopeParams::default()).unwrap();
        assert_eq!((report.no_data, report.too_steep), (1, 0));
        assert_eq!(cost[Cell::new(4, 3)], f32::INFINITY);
        let gradient = height_gradient(&heights).unwrap();
        for (i, g) in gradient.as_slice().iter().enumerate() {
            let expected = if gradient.cell_at(i) == Cell::new(4, 3) { 0.0 } else { 0.25 };
            assert!((g.x - expected).abs() < 1e-5 && g.y == 0.0);
        }
        let lonely = Grid::filled(1, 1, 3.0).unwrap();
        assert_eq!(height_gradient(&lonely).unwrap().as_slice(), [Vec2::ZERO]);
    }

    /// People would walk up cliffs.
    #[test]
    fn too_steep_is_blocked() {
        let (cost, report) = slope_cost(&plane(1.5, 0.0, 1.0), &SlopeParams::default()).unwrap();
        assert_eq!(report.too_steep, cost.cells());
        assert!(cost.as_slice().iter().all(|c| *c == f32::INFINITY));
    }

    /// Bad parameters or heights would come out as NaN costs.
    #[test]
    fn bad_parameters_and_heights_are_refused() {
        let bad = |f: fn(&mut SlopeParams)| {
            let mut params = SlopeParams::default();
            f(&mut params);
            slope_cost(&plane(0.0, 0.0, 1.0), &params).is_err()
        };
        assert!(bad(|p| p.steepness = f32::NAN));
        assert!(bad(|p| p.best_descent = -0.1));
        assert!(bad(|p| p.max_slope = f32::INFINITY));
        assert!(bad(|p| p.max_slope = 5.0));
        assert!(!bad(|p| p.max_slope = 3.9));
        let mut heights = plane(0.0, 0.0, 1.0);
        heights[Cell::new(8, 6)] = f32::INFINITY;
        let Err(CostError::BadHeight { cell, .. }) = height_gradient(&heights) else {
            panic!("an infinite height was taken");
        };
        assert_eq!(cell, Cell::new(8, 6));
    }

    proptest! {
        /// Costs outside the supported range, or steeper being cheaper, would mislead the solvers.
        #[test]
        fn costs_are_legal_and_grow_with_slope(
            heights in prop::collection::vec(prop_oneof![9 => -5.0f32..5.0, 1 => Just(f32::NAN)], 48),
            slopes in (0.0f32..1.0, 0.0f32..1.0),
        ) {
            let params = SlopeParams::default();
            let heights = Grid::from_vec(8, 6, heights).unwrap();
            let (cost, _) = slope_cost(&heights, &params).unwrap();
            prop_assert_eq!(check_cost(&cost), Ok(()));
            let (gentle, steep) = (slopes.0.min(slopes.1), slopes.0.max(slopes.1));
            let (cheap, dear) = (params.isotropic_cost(gentle), params.isotropic_cost(steep));
            prop_assert!(cheap <= dear * (1.0 + 1e-6));
        }
    }
}
