//! Routes: the way from a place to a goal, as a line of points.
//!
//! [`trace`] follows a solved potential down to a goal; [`tighten()`] pulls the line taut;
//! [`paths_to_goals`] answers many queries, sharing fields between those with the same goal.
//!
//! What every path keeps: no point lies in a blocked cell; no segment goes through one, or between
//! two blocked cells that meet at a corner; all points but the start keep a small distance (a
//! thousandth of a cell, more where `f32` metres are coarse) from every wall.

mod corner;
mod descend;
mod ground;
mod query;
pub(crate) mod segment;
#[cfg(test)]
mod tests;
mod tighten;

pub use query::{QueryReport, paths_to_goals};
pub use tighten::tighten;

use crate::direction::goals;
use crate::grid::{Cell, Grid};
use crate::solve::{SolveError, Source, check_shape, check_sources};
use glam::{DVec2, Vec2};
use ground::Ground;

/// A line of points over the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// World positions in metres, from the start to the goal; one if the start is the goal.
    pub points: Vec<Vec2>,
    /// Length in metres.
    pub length_m: f64,
    /// Integral of the cost along the line, in cost times metres: what the potential estimates.
    pub cost: f64,
}

impl Path {
    /// A path from its points, in cell units of `ground`.
    fn over(ground: &Ground<'_>, points: &[DVec2]) -> Self {
        let segments = || points.windows(2).map(|s| (s[0], s[1]));
        let length: f64 = segments().map(|(a, b)| a.distance(b)).sum();
        let cost: f64 = segments().map(|(a, b)| ground.integral(a, b)).sum();
        Self {
            points: points.iter().map(|&p| ground.to_world(p)).collect(),
            length_m: length * ground.cell_size(),
            cost: cost * ground.cell_size(),
        }
    }
}

/// Why there is no path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TraceError {
    /// The start is not on the map, or not a number.
    #[error("start ({}, {}) m is outside the map of {width} x {height} cells", start.x, start.y)]
    StartOutside {
        /// The start in metres.
        start: Vec2,
        /// Cells across.
        width: usize,
        /// Cells down.
        height: usize,
    },
    /// The start is in a wall.
    #[error("start ({}, {}) m is in the blocked cell {cell}; choose a free one", start.x, start.y)]
    StartBlocked {
        /// The start in metres.
        start: Vec2,
        /// Its cell.
        cell: Cell,
    },
    /// No way leads from the start to a goal.
    #[error("no way leads from ({}, {}) m in cell {cell} to a goal", start.x, start.y)]
    Unreachable {
        /// The start in metres.
        start: Vec2,
        /// Its cell.
        cell: Cell,
    },
    /// Positions in `f32` metres cannot tell places within a cell apart.
    #[error(
        "cells of {cell_size} m at ({}, {}) m are too small to tell positions apart; move the origin closer",
        origin.x, origin.y
    )]
    TooFar {
        /// Side of a cell in metres.
        cell_size: f32,
        /// The grid's origin in metres.
        origin: Vec2,
    },
    /// The field does not fit the cost, or its goals do not.
    #[error(transparent)]
    Field(#[from] SolveError),
}

/// How to follow a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TraceParams {
    /// Length of a step in cells, clamped to 0.05..=1. Shorter steps follow bends more closely.
    pub step: f64,
}

impl Default for TraceParams {
    /// Half a cell: the field has no detail below a cell.
    fn default() -> Self {
        Self { step: 0.5 }
    }
}

/// A field made ready to be followed from many starts, from many threads.
#[derive(Debug)]
pub struct Tracer<'a> {
    ground: Ground<'a>,
    potential: &'a Grid<f32>,
    /// Goal cells in row order.
    goals: Vec<usize>,
    step: f64,
}

impl<'a> Tracer<'a> {
    /// Takes the potential that was solved on `cost` for `sources`. Placement is that of `cost`.
    ///
    /// # Errors
    /// [`TraceError::Field`] if the shapes differ or a source is outside or blocked;
    /// [`TraceError::TooFar`] if positions within a cell cannot be told apart.
    pub fn new(
        cost: &'a Grid<f32>,
        potential: &'a Grid<f32>,
        sources: &[Source],
        params: &TraceParams,
    ) -> Result<Self, TraceError> {
        check_shape(cost, potential)?;
        check_sources(cost, sources)?;
        let ground = Ground::new(cost)
            .ok_or(TraceError::TooFar { cell_size: cost.cell_size(), origin: cost.origin() })?;
        let mut goals: Vec<usize> = goals(potential, sources).map(|c| cost.index(c)).collect();
        goals.sort_unstable();
        Ok(Self { ground, potential, goals, step: params.step.clamp(0.05, 1.0) })
    }

    /// The path from `start` (metres) to the goal that the field leads to; it ends at the centre of a
    /// goal cell.
    ///
    /// How it is found, and why it ends: see the notes in the source of `descend`. In short, steps
    /// along the gradient are taken as long as they reach cells of lower potential than all before;
    /// otherwise the path goes on over cell centres to the next lower cell. So the least potential seen
    /// falls strictly, at most once for each cell of the grid, until the cell is a goal.
    ///
    /// # Errors
    /// [`TraceError`] if the start is outside, blocked, or without a way to a goal.
    pub fn trace(&self, start: Vec2) -> Result<Path, TraceError> {
        let cost = self.ground.grid();
        let cell = cost.cell_of(start).ok_or(TraceError::StartOutside {
            start,
            width: cost.width(),
            height: cost.height(),
        })?;
        if cost[cell] == f32::INFINITY {
            return Err(TraceError::StartBlocked { start, cell });
        }
        let points = self.descend(self.ground.to_cells(start), cell);
        let points = points.ok_or(TraceError::Unreachable { start, cell })?;
        Ok(Path::over(&self.ground, &points))
    }
}

/// The path from `start` (metres) down `potential`, which was solved on `cost` for `sources`.
///
/// For many starts on one field, make a [`Tracer`] once.
///
/// # Errors
/// As [`Tracer::new`] and [`Tracer::trace`].
pub fn trace(
    cost: &Grid<f32>,
    potential: &Grid<f32>,
    sources: &[Source],
    start: Vec2,
) -> Result<Path, TraceError> {
    Tracer::new(cost, potential, sources, &TraceParams::default())?.trace(start)
}

/// Whether the straight segment from `a` to `b` (metres) is free: it does not go through the inside of
/// a blocked cell, along the border between two, or through the corner where two meet diagonally.
/// Touching the side or corner of one blocked cell is allowed. Outside the grid all is blocked.
pub fn segment_is_free(cost: &Grid<f32>, a: Vec2, b: Vec2) -> bool {
    let ground = Ground::anywhere(cost);
    ground.is_free(ground.to_cells(a), ground.to_cells(b))
}

/// Integral of the cost along the straight segment from `a` to `b` (metres), in cost times metres;
/// infinite if it goes through a blocked cell or leaves the grid. Along a border the cheaper side
/// counts.
pub fn segment_cost(cost: &Grid<f32>, a: Vec2, b: Vec2) -> f64 {
    let ground = Ground::anywhere(cost);
    ground.integral(ground.to_cells(a), ground.to_cells(b)) * ground.cell_size()
}
