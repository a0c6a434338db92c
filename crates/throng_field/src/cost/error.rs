//! `CostError`: every way in which the making of costs can refuse its input, in one line each that
//! names the cell or agent, the value found and what would be right.

use super::{MAX_AGENT_WEIGHT, MAX_COST, MAX_HEIGHT, MIN_COST};
use crate::grid::Cell;
use glam::Vec2;

/// Why costs could not be checked, stamped, splatted or composed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CostError {
    /// A cell's cost is NaN, zero, negative, or outside [`MIN_COST`]..=[`MAX_COST`] without being
    /// `+inf`.
    #[error(
        "cost {value} at cell {cell} (bad cells: {count}); a cost must be {MIN_COST:e} to {MAX_COST:e}, or inf for a blocked cell"
    )]
    BadCost {
        /// First bad cell in row order.
        cell: Cell,
        /// What it holds.
        value: f32,
        /// Bad cells in the whole grid.
        count: usize,
    },
    /// A cell of a density, hazard or weight grid is negative, NaN or infinite.
    #[error(
        "{what} {value} at cell {cell} (bad cells: {count}); it must be finite and not negative"
    )]
    BadTerm {
        /// Which input: "density", "hazard", "terrain weight" and so on.
        what: &'static str,
        /// First bad cell in row order.
        cell: Cell,
        /// What it holds.
        value: f32,
        /// Bad cells in the whole grid.
        count: usize,
    },
    /// A weight given as one number is negative, NaN or infinite.
    #[error("{what} is {value}; a weight must be finite and not negative")]
    BadWeight {
        /// Which weight.
        what: &'static str,
        /// The number given.
        value: f32,
    },
    /// Two grids that must cover the same cells do not.
    #[error(
        "{what} has {} x {} cells; it must have {} x {} as the {with} has",
        found.0, found.1, expected.0, expected.1
    )]
    ShapeMismatch {
        /// Which input.
        what: &'static str,
        /// The input it is compared with.
        with: &'static str,
        /// Its columns and rows.
        found: (usize, usize),
        /// Columns and rows of the other.
        expected: (usize, usize),
    },
    /// Two grids of the same shape lie elsewhere in the world or have cells of another size.
    #[error(
        "{what} has cells of {} m from ({}, {}); it must have {} m from ({}, {}) as the {with} has",
        found.0, found.1.x, found.1.y, expected.0, expected.1.x, expected.1.y
    )]
    PlaceMismatch {
        /// Which input.
        what: &'static str,
        /// The input it is compared with.
        with: &'static str,
        /// Its cell size in metres and origin.
        found: (f32, Vec2),
        /// Cell size in metres and origin of the other.
        expected: (f32, Vec2),
    },
    /// A height is infinite or absurd.
    #[error(
        "height {value} m at cell {cell} (bad cells: {count}); a height must be within +-{MAX_HEIGHT:e} m, or NaN for no data"
    )]
    BadHeight {
        /// First bad cell in row order.
        cell: Cell,
        /// What it holds, in metres.
        value: f32,
        /// Bad cells in the whole grid.
        count: usize,
    },
    /// A number of [`SlopeParams`](super::SlopeParams) cannot be used.
    #[error("slope parameter {field} is {value}; it must be {right}")]
    BadSlopeParam {
        /// The field's name.
        field: &'static str,
        /// The number given.
        value: f32,
        /// What would be right.
        right: &'static str,
    },
    /// A number of a [`Hazard`](super::Hazard) cannot be used.
    #[error("hazard {index}: {field} is {value}; it must be {right}")]
    BadHazard {
        /// Position in the list of hazards; 0 for a single one.
        index: usize,
        /// The field's name.
        field: &'static str,
        /// The number given.
        value: f32,
        /// What would be right.
        right: &'static str,
    },
    /// There is not one weight per agent.
    #[error("{weights} weights for {agents} agents; give one weight per agent or none at all")]
    WeightCount {
        /// Weights given.
        weights: usize,
        /// Positions given.
        agents: usize,
    },
    /// An agent's weight is negative, NaN or too large.
    #[error(
        "weight {value} of agent {agent} (bad weights: {count}); it must be 0 to {MAX_AGENT_WEIGHT} people"
    )]
    BadAgentWeight {
        /// First bad agent.
        agent: usize,
        /// Its weight.
        value: f32,
        /// Bad weights in all.
        count: usize,
    },
}
