//! Eikonal solvers: from a cost per cell and some goals to the potential that leads there.
//!
//! The potential `phi` of a cell is the least cost of any way from it to a goal: `phi` is 0 (or the
//! given start value) at goals and `|grad phi| = F` elsewhere, F being the cost per metre. Agents walk
//! down its gradient. All solvers but [`Directional`] find the same numbers, the solution of the first-order upwind
//! scheme in [`update`], and differ in how fast they get there:
//!
//! | solver | for |
//! |---|---|
//! | [`FastMarching`] | the reference: cells in order of potential, one at a time |
//! | [`FastIterative`] | one field, all cores; and [`FastIterative::update`], the warm start |
//! | [`Batched`] | many goal groups at once |
//! | [`Directional`] | costs that depend on the direction of travel (uphill, downhill) |
//! | `gpu` | many goal groups at once on the GPU, a bounded share of the work per step (feature `gpu`) |
//!
//! With [`Order::Second`] the first-order solution is refined by [`second_order`].
//!
//! Every call checks its input, returns a [`Report`] with the residual measured on the finished
//! field, and returns [`SolveError::NotConverged`] rather than a field that is not a solution.

pub mod batched;
pub mod directional;
mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod iterative;
pub mod march;
mod residual;
pub mod second_order;
pub mod tiled;
pub mod update;

pub use batched::{Batched, Costs};
pub use directional::{Directional, Slope};
pub use error::SolveError;
pub use iterative::FastIterative;
pub use march::FastMarching;

use crate::cost::check_cost;
use crate::grid::{Cell, Grid};

/// A cell where a potential is given: a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// The goal cell.
    pub cell: Cell,
    /// Its potential: 0 for a plain goal, more for a goal that is less attractive by so much.
    pub start: f32,
}

impl Source {
    /// A goal with a start value.
    pub const fn new(cell: Cell, start: f32) -> Self {
        Self { cell, start }
    }
}

impl From<Cell> for Source {
    fn from(cell: Cell) -> Self {
        Self { cell, start: 0.0 }
    }
}

/// Accuracy of the scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// First order: error in proportion to the cell size. Monotone, robust, fast.
    #[default]
    First,
    /// Second order where the field is smooth, exact around sources in uniform cost.
    Second,
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveParams {
    /// Accuracy of the scheme.
    pub order: Order,
    /// The most rounds the iterative solvers may take before they give up with
    /// [`SolveError::NotConverged`]. `None`: until converged, which always comes.
    pub max_rounds: Option<u64>,
}

impl Default for SolveParams {
    fn default() -> Self {
        Self { order: Order::First, max_rounds: None }
    }
}

impl SolveParams {
    /// Second order, everything else as by default.
    pub const SECOND_ORDER: Self = Self { order: Order::Second, max_rounds: None };
}

/// The residual above which a field does not count as solved: some roundings of `f32`.
pub const RESIDUAL_LIMIT: f32 = 2e-6;

/// What a solver did, and how good the field is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Cells accepted (marching), tile visits (iterative, batched) or cell updates (directional).
    pub iterations: u64,
    /// Rounds over the active list; 1 for marching.
    pub rounds: u64,
    /// Largest relative violation of the first-order scheme in any cell, measured on the finished
    /// field (for [`Order::Second`]: before it was refined).
    pub residual: f32,
    /// Cells with a finite potential.
    pub reachable: usize,
    /// Largest finite potential.
    pub max: f32,
}

/// What every solver of one field offers. The solver object owns nothing but scratch memory, kept
/// from call to call; the caller owns cost and result.
pub trait Solver {
    /// Solves `cost` from `sources` into `out`: potential in cost times metres, infinite where blocked
    /// or out of reach.
    ///
    /// # Errors
    /// [`SolveError`] if the input is no problem to solve, or the solver gave up. `out` then holds no
    /// solution.
    fn solve(
        &mut self,
        cost: &Grid<f32>,
        sources: &[Source],
        params: &SolveParams,
        out: &mut Grid<f32>,
    ) -> Result<Report, SolveError>;
}

/// Checks that there is a problem to solve.
pub(crate) fn check_problem(
    cost: &Grid<f32>,
    sources: &[Source],
    out: &Grid<f32>,
) -> Result<(), SolveError> {
    check_cost(cost)?;
    check_sources(cost, sources)?;
    check_shape(cost, out)
}

pub(crate) fn check_shape<T>(cost: &Grid<f32>, other: &Grid<T>) -> Result<(), SolveError> {
    if cost.same_shape(other) {
        return Ok(());
    }
    Err(SolveError::ShapeMismatch {
        expected: (cost.width(), cost.height()),
        found: (other.width(), other.height()),
    })
}

pub(crate) fn check_sources(cost: &Grid<f32>, sources: &[Source]) -> Result<(), SolveError> {
    if sources.is_empty() {
        return Err(SolveError::NoSources);
    }
    for source in sources {
        let cell = source.cell;
        let Some(&c) = cost.get(cell) else {
            let (width, height) = (cost.width(), cost.height());
            return Err(SolveError::SourceOutside { cell, width, height });
        };
        if c == f32::INFINITY {
            return Err(SolveError::SourceBlocked { cell });
        }
        if !(source.start >= 0.0 && source.start < update::UNREACHED) {
            return Err(SolveError::BadStart { cell, start: source.start });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
