//! Crowd density D: agents splatted bilinearly onto a grid, in people per square metre.
//!
//! Shares are whole numbers of 1/65536 person, added as integers: nobody is lost or made up by
//! rounding, and the sum has the same bits in any order and on any number of threads.

use super::{CostError, check_same_cells, first_bad};
use crate::grid::Grid;
use glam::Vec2;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Steps into which the side of a cell is divided: positions are rounded down to 1/256 of a cell.
const STEPS: u64 = 1 << SPLAT_BITS;
/// The binary logarithm of the steps into which the side of a cell is divided.
pub const SPLAT_BITS: u32 = 8;

/// Whole shares that make one person. A cell of up to 256 people is exact in `f32` as well, where
/// the cell's area is a power of two.
pub const UNITS_PER_PERSON: u64 = STEPS * STEPS;

/// The greatest number of people that one agent may stand for.
pub const MAX_AGENT_WEIGHT: f32 = 65536.0;

/// Agents that one task splats at a time.
const AGENTS_PER_TASK: usize = 1024;

/// Who is splatted, and where nobody can stand.
#[derive(Clone, Copy, Debug)]
pub struct SplatInput<'a> {
    /// World positions in metres.
    pub positions: &'a [Vec2],
    /// People that each agent stands for, 0 to [`MAX_AGENT_WEIGHT`], rounded to 1/65536 person;
    /// `None`: one each.
    pub weights: Option<&'a [f32]>,
    /// Cost grid of the same cells as the output whose `f32::INFINITY` cells are blocked: a share
    /// that would fall into a blocked cell goes to the cell in which the agent stands. `None`: no
    /// cell is blocked.
    pub terrain: Option<&'a Grid<f32>>,
}

impl<'a> SplatInput<'a> {
    /// One person at each position, no cell blocked.
    pub fn new(positions: &'a [Vec2]) -> Self {
        Self { positions, weights: None, terrain: None }
    }

    fn check(&self, out: &Grid<f32>) -> Result<(), CostError> {
        if let Some(terrain) = self.terrain {
            check_same_cells(("terrain", terrain), ("density", out))?;
        }
        let Some(weights) = self.weights else {
            return Ok(());
        };
        if weights.len() != self.positions.len() {
            return Err(CostError::WeightCount {
                weights: weights.len(),
                agents: self.positions.len(),
            });
        }
        match first_bad(weights, |w| (0.0..=MAX_AGENT_WEIGHT).contains(&w)) {
            None => Ok(()),
            Some(bad) => Err(CostError::BadAgentWeight {
                agent: bad.index,
                value: bad.value,
                count: bad.count,
            }),
        }
    }

    /// Weight of one agent in units; rounding is exact, ties go up.
    fn units(&self, agent: usize) -> u64 {
        match self.weights {
            None => UNITS_PER_PERSON,
            Some(weights) => (f64::from(weights[agent]) * UNITS_PER_PERSON as f64 + 0.5) as u64,
        }
    }
}

/// Where everybody went: `inside + outside` is the number of agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SplatReport {
    /// Agents on the grid.
    pub inside: usize,
    /// Agents off the grid, or with a NaN position; they are in no cell.
    pub outside: usize,
    /// Agents of those inside that stand in a blocked cell; their whole weight or part of it is
    /// there.
    pub in_blocked: usize,
    /// Sum over all cells in 1/65536 person, see [`UNITS_PER_PERSON`]. Exactly the sum of the
    /// weights of the agents inside, each rounded to a whole unit.
    pub units: u64,
}

impl SplatReport {
    /// People on the grid; exact below 2^37 people.
    pub fn people(&self) -> f64 {
        self.units as f64 / UNITS_PER_PERSON as f64
    }

    fn plus(self, other: Self) -> Self {
        Self {
            inside: self.inside + other.inside,
            outside: self.outside + other.outside,
            in_blocked: self.in_blocked + other.in_blocked,
            units: self.units + other.units,
        }
    }
}

/// Splats agents; owns only the scratch memory, one `u64` per cell, kept between calls.
#[derive(Debug, Default)]
pub struct DensitySplat {
    /// Units per cell; all zero between calls.
    cells: Vec<AtomicU64>,
}

impl DensitySplat {
    /// Without scratch memory yet: the first call asks for it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Overwrites `out` with the density of the agents in people per square metre.
    ///
    /// Each agent is shared among the four cells whose centres surround it, in proportion to
    /// nearness along x and y. Shares beyond the edge go to the nearest cells inside. Runs on all
    /// threads; the bits do not depend on how many, nor on the order of the agents.
    ///
    /// # Errors
    /// If `terrain` has other cells than `out`, or a weight is bad; `out` is then unchanged.
    pub fn splat(
        &mut self,
        input: &SplatInput<'_>,
        out: &mut Grid<f32>,
    ) -> Result<SplatReport, CostError> {
        input.check(out)?;
        self.cells.resize_with(out.cells(), AtomicU64::default);
        let target = Target::new(out, input.terrain, &self.cells);
        let tasks = input.positions.par_chunks(AGENTS_PER_TASK).enumerate();
        let mut report = tasks
            .map(|(task, positions)| {
                let agents = positions.iter().zip(task * AGENTS_PER_TASK..);
                agents.fold(SplatReport::default(), |tally, (&position, agent)| {
                    tally.plus(target.add(position, input.units(agent)))
                })
            })
            .reduce(SplatReport::default, SplatReport::plus);
        report.units = self.read_out(out);
        Ok(report)
    }

    /// Turns units into density, sets the scratch back to zero and returns the sum of units.
    fn read_out(&mut self, out: &mut Grid<f32>) -> u64 {
        let area = f64::from(out.cell_size()) * f64::from(out.cell_size());
        let scale = 1.0 / (UNITS_PER_PERSON as f64 * area);
        let cells = self.cells.par_iter_mut().with_min_len(super::BLOCK);
        cells
            .zip(out.as_mut_slice())
            .map(|(cell, out)| {
                let units = std::mem::take(cell.get_mut());
                *out = (units as f64 * scale) as f32;
                units
            })
            .sum()
    }
}

/// The cells that agents are added to.
struct Target<'a> {
    origin: Vec2,
    cell_size: f32,
    width: usize,
    height: usize,
    terrain: Option<&'a [f32]>,
    cells: &'a [AtomicU64],
}

impl<'a> Target<'a> {
    fn new(out: &Grid<f32>, terrain: Option<&'a Grid<f32>>, cells: &'a [AtomicU64]) -> Self {
        Self {
            origin: out.origin(),
            cell_size: out.cell_size(),
            width: out.width(),
            height: out.height(),
            terrain: terrain.map(Grid::as_slice),
            cells,
        }
    }

    /// Adds one agent of this many units and says where it stands.
    fn add(&self, position: Vec2, units: u64) -> SplatReport {
        let Some((x, y)) = self.steps(position) else {
            return SplatReport { outside: 1, ..SplatReport::default() };
        };
        let (x0, x1, right) = neighbours(x, self.width);
        let (y0, y1, down) = neighbours(y, self.height);
        let here = (y >> SPLAT_BITS) as usize * self.width + (x >> SPLAT_BITS) as usize;
        let (left, up) = (STEPS - right, STEPS - down);
        let part = |steps: u64| (units * steps) >> (2 * SPLAT_BITS);
        let (a, b, c) = (part(left * up), part(right * up), part(left * down));
        let shares = [
            (y0 * self.width + x0, a),
            (y0 * self.width + x1, b),
            (y1 * self.width + x0, c),
            (y1 * self.width + x1, units - a - b - c),
        ];
        for (cell, share) in shares {
            let cell = if self.blocked(cell) { here } else { cell };
            self.cells[cell].fetch_add(share, Relaxed);
        }
        SplatReport {
            inside: 1,
            in_blocked: usize::from(self.blocked(here)),
            ..SplatReport::default()
        }
    }

    /// Position in steps from the grid's corner, or `None` outside (by the rule of
    /// [`Grid::cell_of`]).
    fn steps(&self, position: Vec2) -> Option<(u64, u64)> {
        let p = (position - self.origin) / self.cell_size;
        let inside =
            p.x >= 0.0 && p.y >= 0.0 && p.x < self.width as f32 && p.y < self.height as f32;
        let steps = p * STEPS as f32;
        inside.then_some((steps.x as u64, steps.y as u64))
    }

    fn blocked(&self, cell: usize) -> bool {
        self.terrain.is_some_and(|terrain| terrain[cell] == f32::INFINITY)
    }
}

/// Along one axis: the cells whose centres lie before and after a position in steps, and how many
/// steps the position lies after the first of them. At the edge both are the edge cell.
fn neighbours(steps: u64, cells: usize) -> (usize, usize, u64) {
    // One cell is added so that positions before the first centre stay positive.
    let from_centre = steps + STEPS / 2;
    let after = (from_centre >> SPLAT_BITS) as usize;
    let weight = from_centre & (STEPS - 1);
    (after.saturating_sub(1), after.min(cells - 1), weight)
}

#[cfg(test)]
mod tests;
