//! Fast iterative method for one field, on all cores; and the warm start.
//!
//! Theory in [`super::tiled`]: sweeps over active tiles until none is active.
//!
//! # Warm start
//! [`FastIterative::update`] takes the last solution and a cost that differs in some cells. Where a cost
//! went down, values only have to go down: the tiles are due again, that is all. Where it went up, the
//! old values downwind of it are too low, and lowering cannot mend that. So the cells that became dearer
//! lose their values, and a first run of rounds takes away every value that its neighbours no longer support: a cell keeps its potential only if the
//! update from its neighbours is no higher. Cells that built on a lost one lose theirs in turn, in the
//! same vectorised sweeps. What is left is an upper bound of the new solution everywhere, and lowering
//! from there ends at the answer of a cold solve (the invalidate-then-relax of dynamic shortest paths,
//! Ramalingam and Reps 1996, on tiles).

use super::residual::measure;
use super::second_order::Refiner;
use super::tiled::kernel::Mode;
use super::tiled::rounds::{Rounds, RunParams, Tally};
use super::tiled::shear::{ShearedCost, TILE_H, TILE_W};
use super::{
    FastMarching, Order, Report, SolveError, SolveParams, Solver, Source, check_problem,
    check_shape, check_sources,
};
use crate::cost::check_cost;
use crate::grid::Grid;

/// Share of a tile's height, in typical steps, by which values may run ahead of the lowest in one
/// round. More keeps more cores busy, less visits fewer tiles twice. Measured.
const SLACK: f32 = 1.5;
/// The same for a warm start, which has fewer tiles to visit.
const WARM_SLACK: f32 = 0.5;

/// The fast iterative method for one field. Owns scratch memory only.
#[derive(Debug, Default)]
pub struct FastIterative {
    sheared: ShearedCost,
    rounds: Rounds,
    refiner: Refiner,
    /// Tiles with changed cells, and the cells whose cost went up.
    tiles: Vec<usize>,
    raised: Vec<u32>,
    /// For fields too thin to be worth a tile.
    marching: FastMarching,
}

impl FastIterative {
    /// A solver with no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves again after the cost changed in some cells, given the last solution in `out`.
    ///
    /// `changed` lists the cells (in row order, any sequence, repeats allowed) whose cost is not what it
    /// was when `out` was solved; cells that ceased to be sources belong there too, new sources need
    /// not. The result is that of a cold solve; where little changed it comes much faster. If `out`
    /// was no first-order solution, or a changed cell was left out, the residual of the whole field
    /// tells, and it is solved anew.
    ///
    /// # Errors
    /// As for [`Solver::solve`]; [`SolveError::ChangedOutside`] for an index outside the grid.
    pub fn update(
        &mut self,
        cost: &Grid<f32>,
        sources: &[Source],
        changed: &[u32],
        params: &SolveParams,
        out: &mut Grid<f32>,
    ) -> Result<Report, SolveError> {
        check_cells(cost, changed)?;
        check_sources(cost, sources)?;
        check_shape(cost, out)?;
        if params.order == Order::Second {
            return Err(SolveError::Unsupported {
                what: "a second-order warm start",
                solver: "the fast iterative method",
                cure: "solve anew, or update with first order",
            });
        }
        if is_thin(cost) {
            return self.solve(cost, sources, params, out);
        }
        let tally = self.update_warm(cost, sources, changed, params, out);
        match finish(cost, sources, out, tally) {
            Err(SolveError::NotConverged { .. }) if tally.finished => {
                self.solve(cost, sources, params, out)
            }
            other => other,
        }
    }

    /// The step (cost times cell size) that the rounds are scheduled by, as of the last cold solve.
    /// Only of use to [`FastIterative::remember`].
    pub fn typical_step(&self) -> f32 {
        self.sheared.typical_step()
    }

    /// Takes note of the cost and the [typical step](Self::typical_step) that a solution was made
    /// with: the next [`FastIterative::update`] then goes exactly, bit by bit, as it would have gone
    /// in the solver that made it. For solutions kept elsewhere, such as in a snapshot.
    pub fn remember(&mut self, cost: &Grid<f32>, typical_step: f32) {
        if !is_thin(cost) {
            self.sheared.fill(cost);
            self.sheared.set_typical_step(typical_step);
        }
    }

    fn update_warm(
        &mut self,
        cost: &Grid<f32>,
        sources: &[Source],
        changed: &[u32],
        params: &SolveParams,
        out: &mut Grid<f32>,
    ) -> Tally {
        self.shear_changed(cost, changed);
        self.rounds.prepare(cost);
        self.rounds.place_sources(sources, out);
        self.wake_at(cost, changed, |i| out.as_slice()[i]);
        self.clear_raised(cost, sources, out);
        let run = RunParams {
            slack: WARM_SLACK * TILE_H as f32 * self.sheared.typical_step(),
            ..self.params(params)
        };
        let raise = RunParams { mode: Mode::Raise, ..run };
        let raised = self.rounds.run(cost, &self.sheared, out, raise);
        // Refill what was taken, and let through what became cheaper, lowest first.
        self.rounds.take_lost(|rounds, tile, lost| rounds.wake_tile(tile, lost));
        self.wake_at(cost, changed, |i| lowest_beside(out, i));
        place(cost, sources, &mut self.rounds, out);
        let lowered = self.rounds.run(cost, &self.sheared, out, run);
        Tally {
            rounds: raised.rounds + lowered.rounds,
            visits: raised.visits + lowered.visits,
            finished: raised.finished && lowered.finished,
        }
    }

    fn params(&self, params: &SolveParams) -> RunParams {
        RunParams {
            mode: Mode::Lower,
            slack: SLACK * TILE_H as f32 * self.sheared.typical_step(),
            max_rounds: params.max_rounds,
            parallel: rayon::current_num_threads() > 1,
        }
    }

    /// Brings the sheared costs up to date, and lists the cells whose cost went up.
    fn shear_changed(&mut self, cost: &Grid<f32>, changed: &[u32]) {
        let across = cost.width().div_ceil(TILE_W);
        let known = self.sheared.fits(cost);
        self.tiles.clear();
        self.raised.clear();
        for &i in changed {
            let cell = cost.cell_at(i as usize);
            self.tiles.push((cell.y as usize / TILE_H) * across + cell.x as usize / TILE_W);
            // What is not known to be the same or less counts as more.
            let step = cost[cell] * cost.cell_size();
            if !known || step > self.sheared.step(cell) {
                self.raised.push(i);
            }
        }
        self.tiles.sort_unstable();
        self.tiles.dedup();
        if known {
            self.sheared.refresh(cost, &self.tiles);
        } else {
            self.sheared.fill(cost);
        }
    }

    /// Takes the potential of cells that became dearer, whatever their neighbours support: many small
    /// rises on end would otherwise hide in the rounding that support is granted. A source keeps its
    /// own: it does not depend on the cost of its cell.
    fn clear_raised(&mut self, cost: &Grid<f32>, sources: &[Source], out: &mut Grid<f32>) {
        let firm = sources.iter().filter(|s| s.start <= out[s.cell]);
        let mut firm: Vec<u32> = firm.map(|s| cost.index(s.cell) as u32).collect();
        firm.sort_unstable();
        for &i in &self.raised {
            let value = &mut out.as_mut_slice()[i as usize];
            if *value < f32::INFINITY && firm.binary_search(&i).is_err() {
                let key = std::mem::replace(value, f32::INFINITY);
                self.rounds.wake_around(cost, cost.cell_at(i as usize), key);
            }
        }
    }

    /// Makes the tiles of changed cells due, with the lowest key of their changed cells.
    fn wake_at(&mut self, cost: &Grid<f32>, changed: &[u32], key: impl Fn(usize) -> f32) {
        let across = cost.width().div_ceil(TILE_W);
        for &i in changed {
            let cell = cost.cell_at(i as usize);
            let tile = (cell.y as usize / TILE_H) * across + cell.x as usize / TILE_W;
            self.rounds.wake_tile(tile, key(i as usize));
        }
    }
}

/// The lowest potential beside a cell: what could flow into it.
fn lowest_beside(phi: &Grid<f32>, i: usize) -> f32 {
    let (width, values) = (phi.width(), phi.as_slice());
    let x = i % width;
    let beside = [
        (x > 0).then(|| i - 1),
        (x + 1 < width).then_some(i + 1),
        i.checked_sub(width),
        Some(i + width),
    ];
    let beside = beside.into_iter().flatten().filter_map(|i| values.get(i));
    beside.fold(f32::INFINITY, |low, &v| low.min(v))
}

impl Solver for FastIterative {
    fn solve(
        &mut self,
        cost: &Grid<f32>,
        sources: &[Source],
        params: &SolveParams,
        out: &mut Grid<f32>,
    ) -> Result<Report, SolveError> {
        if is_thin(cost) {
            return self.marching.solve(cost, sources, params, out);
        }
        check_problem(cost, sources, out)?;
        self.sheared.fill(cost);
        let run = self.params(params);
        let report = solve_cold(cost, &self.sheared, sources, run, &mut self.rounds, out)?;
        match params.order {
            Order::First => Ok(report),
            Order::Second => Ok(self.refiner.refine(cost, sources, out, report)),
        }
    }
}

/// Whether a field has fewer rows or columns than make a tile worth its memory.
pub(crate) fn is_thin(cost: &Grid<f32>) -> bool {
    const THINNEST: usize = 8;
    cost.width().min(cost.height()) < THINNEST
}

/// Solves from nothing, given sheared costs.
pub(crate) fn solve_cold(
    cost: &Grid<f32>,
    sheared: &ShearedCost,
    sources: &[Source],
    run: RunParams,
    rounds: &mut Rounds,
    out: &mut Grid<f32>,
) -> Result<Report, SolveError> {
    out.as_mut_slice().fill(f32::INFINITY);
    rounds.prepare(cost);
    place(cost, sources, rounds, out);
    let tally = rounds.run(cost, sheared, out, run);
    finish(cost, sources, out, tally)
}

/// Gives the sources their start values where those are lower, and wakes their tiles.
fn place(cost: &Grid<f32>, sources: &[Source], rounds: &mut Rounds, out: &mut Grid<f32>) {
    for source in sources {
        if source.start < out[source.cell] {
            out[source.cell] = source.start;
            rounds.wake_around(cost, source.cell, source.start);
        }
    }
}

fn finish(
    cost: &Grid<f32>,
    sources: &[Source],
    out: &Grid<f32>,
    tally: Tally,
) -> Result<Report, SolveError> {
    let found = measure(cost, sources, out);
    if !tally.finished {
        return Err(SolveError::NotConverged { rounds: tally.rounds, residual: found.residual });
    }
    found.report(tally.visits, tally.rounds)
}

/// Checks the changed cells alone: the rest was checked when it was solved.
fn check_cells(cost: &Grid<f32>, changed: &[u32]) -> Result<(), SolveError> {
    let values = cost.as_slice();
    for &index in changed {
        let Some(&value) = values.get(index as usize) else {
            return Err(SolveError::ChangedOutside { index, cells: values.len() });
        };
        let valid = value == f32::INFINITY
            || (crate::cost::MIN_COST..=crate::cost::MAX_COST).contains(&value);
        if !valid {
            check_cost(cost)?;
        }
    }
    Ok(())
}
