//! The cost of crossing a cell, and what it is made of: F = aT + bD + cA (Shopf, Barczak, Oat and
//! Tatarchuk 2008, "March of the Froblins", section 3.2.1). `slope` makes terrain T from heights,
//! `density` makes D from agents, `hazard` stamps A, `compose` puts them together for the solvers.
//!
//! A cost is time per metre relative to an unhindered walk on the flat, which costs 1; `f32::INFINITY`
//! is a blocked cell. Density is in people per square metre, hazards are in cost units, so weight b
//! is in square metres per person and a, c have no unit.

mod compose;
mod density;
mod error;
mod hazard;
mod slope;

pub use compose::{ComposeInput, ComposeReport, Weight, compose};
pub use density::{
    DensitySplat, MAX_AGENT_WEIGHT, SPLAT_BITS, SplatInput, SplatReport, UNITS_PER_PERSON,
};
pub use error::CostError;
pub use hazard::{CellRect, Falloff, Hazard, restamp};
pub use slope::{MAX_HEIGHT, SlopeParams, SlopeReport, height_gradient, slope_cost};

use crate::grid::{Grid, MAX_CELLS};
use rayon::prelude::*;

/// The least cost a free cell may have.
///
/// Its square, 1e-12, is still far above the smallest normal `f32` for cells of 1 mm and more.
pub const MIN_COST: f32 = 1e-6;

/// The greatest cost a free cell may have.
///
/// A route never needs a cell twice, so no potential exceeds cells · cost · cell size: for the
/// largest grid and cells of 1 km that is 1.1e18, and the sum of two such squares, 2.3e36, is
/// finite in `f32`. Finite is not exact: where the potential exceeds 2^24 times the cost of one
/// cell, an `f32` no longer grows by crossing it. Costs within about four decades of each other
/// stay clear of that on grids of 4096 x 4096 unless the route itself is a maze of millions of
/// cells.
pub const MAX_COST: f32 = 1e6;

/// The potential of the worst route over cells of 1 km must survive being squared and doubled.
const _: () = {
    let worst = MAX_CELLS as f64 * MAX_COST as f64 * 1e3;
    assert!(2.0 * worst * worst < f32::MAX as f64);
    let least = MIN_COST as f64 * 1e-3;
    assert!(least * least > 1e6 * f32::MIN_POSITIVE as f64);
};

/// Cells that one task works on at a time: small enough for the first-level cache.
const BLOCK: usize = 2048;

/// Checks that every cell holds a cost the solvers can work with: [`MIN_COST`] to [`MAX_COST`], or
/// `f32::INFINITY` for a blocked cell.
///
/// # Errors
/// [`CostError::BadCost`] with the first bad cell in row order and the number of bad cells.
pub fn check_cost(cost: &Grid<f32>) -> Result<(), CostError> {
    match first_bad(cost.as_slice(), is_cost) {
        None => Ok(()),
        Some(bad) => Err(CostError::BadCost {
            cell: cost.cell_at(bad.index),
            value: bad.value,
            count: bad.count,
        }),
    }
}

/// Whether a value is a cost or blocked; without branches, so that scans of it use SIMD.
#[inline(always)]
fn is_cost(value: f32) -> bool {
    (MIN_COST..=MAX_COST).contains(&value) | (value == f32::INFINITY)
}

/// Whether a value may be a density, a hazard or a weight.
#[inline(always)]
fn is_term(value: f32) -> bool {
    (0.0..f32::INFINITY).contains(&value)
}

/// The first value that a check refuses, and how many it refuses.
#[derive(Clone, Copy)]
struct Bad {
    index: usize,
    value: f32,
    count: usize,
}

impl Bad {
    fn earlier(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let (Some(a), Some(b)) = (a, b) else {
            return a.or(b);
        };
        let first = if a.index <= b.index { a } else { b };
        let count = a.count + b.count;
        Some(Self { count, ..first })
    }
}

/// Scans values in parallel for those that are not `right`.
fn first_bad(values: &[f32], right: impl Fn(f32) -> bool + Sync) -> Option<Bad> {
    let scan = |(block, values): (usize, &[f32])| {
        let count: u32 = values.iter().map(|&v| u32::from(!right(v))).sum();
        if count == 0 {
            return None;
        }
        let at = values.iter().position(|&v| !right(v))?;
        Some(Bad { index: block * BLOCK + at, value: values[at], count: count as usize })
    };
    let blocks = values.par_chunks(BLOCK).enumerate().with_min_len(8);
    blocks.map(scan).reduce(|| None, Bad::earlier)
}

/// Checks that two grids have the same cells at the same place in the world.
fn check_same_cells<T, U>(
    (what, grid): (&'static str, &Grid<T>),
    (with, other): (&'static str, &Grid<U>),
) -> Result<(), CostError> {
    if !grid.same_shape(other) {
        return Err(CostError::ShapeMismatch {
            what,
            with,
            found: (grid.width(), grid.height()),
            expected: (other.width(), other.height()),
        });
    }
    let found = (grid.cell_size(), grid.origin());
    let expected = (other.cell_size(), other.origin());
    if found != expected {
        return Err(CostError::PlaceMismatch { what, with, found, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;
    use glam::Vec2;

    /// A cost that slipped through would make a solver overflow, stall or divide by zero.
    #[test]
    fn every_kind_of_bad_cost_is_refused_with_its_cell() {
        let too_small = MIN_COST / 2.0;
        let bad = [f32::NAN, -1.0, 0.0, -0.0, f32::NEG_INFINITY, 1e-40, too_small, 1.1e6, f32::MAX];
        for value in bad {
            let mut grid = Grid::filled(70, 60, 1.0).unwrap();
            grid[Cell::new(3, 50)] = value;
            grid[Cell::new(69, 40)] = value;
            let Err(CostError::BadCost { cell, value: found, count }) = check_cost(&grid) else {
                panic!("{value} was taken for a cost");
            };
            assert_eq!((cell, count), (Cell::new(69, 40), 2));
            assert_eq!(found.to_bits(), value.to_bits());
        }
    }

    /// Refusing a legal cost would make scenes unusable.
    #[test]
    fn legal_costs_and_walls_pass() {
        let legal = vec![MIN_COST, MAX_COST, f32::INFINITY, 1.0];
        assert_eq!(check_cost(&Grid::from_vec(2, 2, legal).unwrap()), Ok(()));
    }

    /// An error that does not name cell, value and remedy in one line leaves the user guessing.
    #[test]
    fn the_message_is_one_line_with_cell_value_and_remedy() {
        let grid = Grid::from_vec(2, 1, vec![1.0, -2.5]).unwrap();
        let text = check_cost(&grid).unwrap_err().to_string();
        assert_eq!(
            text,
            "cost -2.5 at cell (1, 0) (bad cells: 1); a cost must be 1e-6 to 1e6, or inf for a \
             blocked cell"
        );
    }

    /// Grids that lie apart in the world would be added cell by cell as if they lay together.
    #[test]
    fn grids_elsewhere_do_not_match() {
        let here = Grid::filled(3, 2, 0.0f32).unwrap();
        let there = here.clone().placed(1.0, Vec2::X).unwrap();
        let turned = Grid::filled(2, 3, 0.0f32).unwrap();
        let check = |other| check_same_cells(("density", other), ("terrain", &here));
        assert_eq!(check(&here), Ok(()));
        assert!(matches!(check(&there), Err(CostError::PlaceMismatch { .. })));
        assert!(matches!(check(&turned), Err(CostError::ShapeMismatch { .. })));
    }
}
