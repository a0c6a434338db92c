//! Why a field could not be solved.

use crate::cost::CostError;
use crate::grid::Cell;

/// Why a field could not be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// No goals.
    #[error("no goals: at least one source cell is needed")]
    NoSources,
    /// A goal outside the grid.
    #[error("goal {cell} is outside the map of {width} x {height} cells")]
    SourceOutside {
        /// The goal.
        cell: Cell,
        /// Cells across.
        width: usize,
        /// Cells down.
        height: usize,
    },
    /// A goal in a wall.
    #[error("goal {cell} is in a blocked cell; choose a free one")]
    SourceBlocked {
        /// The goal.
        cell: Cell,
    },
    /// A goal whose start value is no potential.
    #[error("goal {cell} has start value {start}; it must be at least 0 and below 1e18")]
    BadStart {
        /// The goal.
        cell: Cell,
        /// Its start value.
        start: f32,
    },
    /// A cost that is no cost.
    #[error(transparent)]
    BadCost(#[from] CostError),
    /// A grid of another size than the cost's.
    #[error("a grid of {} x {} cells was given where the cost has {} x {}", found.0, found.1, expected.0, expected.1)]
    ShapeMismatch {
        /// The cost's width and height.
        expected: (usize, usize),
        /// The other's.
        found: (usize, usize),
    },
    /// As many costs or results as groups are needed.
    #[error("{found} {what} for {groups} goal groups; one each is needed")]
    GroupCount {
        /// What there were too many or too few of.
        what: &'static str,
        /// How many were given.
        found: usize,
        /// How many groups there are.
        groups: usize,
    },
    /// A changed cell that is not in the grid.
    #[error("changed cell number {index} is outside the map of {cells} cells")]
    ChangedOutside {
        /// Its index in row order.
        index: u32,
        /// Cells of the grid.
        cells: usize,
    },
    /// Slope parameters that are no slope.
    #[error("slope factors uphill {uphill} and downhill {downhill}: {cause}")]
    BadSlope {
        /// Extra cost per unit of rise.
        uphill: f32,
        /// Extra cost per unit of fall.
        downhill: f32,
        /// What is wrong, and what would be right.
        cause: &'static str,
    },
    /// Something a solver does not do.
    #[error("{what} is not supported by {solver}; {cure}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// Of whom.
        solver: &'static str,
        /// What to do instead.
        cure: &'static str,
    },
    /// The field does not satisfy the scheme, mostly because the round limit came before the solution.
    #[error("not converged after {rounds} rounds: residual {residual:e}")]
    NotConverged {
        /// Rounds taken.
        rounds: u64,
        /// Largest relative violation of the scheme left.
        residual: f32,
    },
}
