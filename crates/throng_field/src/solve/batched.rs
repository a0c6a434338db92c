//! Many goal groups at once, over one cost or one cost each.
//!
//! Theory in [`super::tiled`]. Two designs put many fields into vector lanes: one lane per group, or
//! all lanes along the diagonals of one field. With a lane per group a tile has to be visited whenever
//! the front of any group passes it, and the lanes of all other groups idle; fronts of different
//! goals rarely meet. Along the diagonal all lanes always work for the same front. So the groups share
//! what they can share, the sheared costs, and are handed to the threads one by one.

use super::iterative::{is_thin, solve_cold};
use super::second_order::Refiner;
use super::tiled::kernel::Mode;
use super::tiled::rounds::{Rounds, RunParams};
use super::tiled::shear::{ShearedCost, TILE_H};
use super::{
    FastIterative, Order, Report, SolveError, SolveParams, Solver, Source, check_shape,
    check_sources,
};
use crate::cost::check_cost;
use crate::grid::Grid;
use rayon::prelude::*;

/// As `iterative::SLACK`; a group that runs on one thread need not keep others busy.
const SLACK: f32 = 0.4;

/// What the groups walk on.
#[derive(Clone, Copy, Debug)]
pub enum Costs<'a> {
    /// The same ground for all.
    Shared(&'a Grid<f32>),
    /// Ground of its own for each group.
    PerGroup(&'a [&'a Grid<f32>]),
}

impl<'a> Costs<'a> {
    fn of(self, group: usize) -> &'a Grid<f32> {
        match self {
            Self::Shared(cost) => cost,
            Self::PerGroup(costs) => costs[group],
        }
    }
}

/// Solver for many goal groups. Owns scratch memory only.
#[derive(Debug, Default)]
pub struct Batched {
    sheared: Vec<ShearedCost>,
    rounds: Vec<Rounds>,
    refiners: Vec<Refiner>,
}

impl Batched {
    /// A solver with no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves one field for each group of sources into the grid of the same number.
    ///
    /// # Errors
    /// As for [`Solver::solve`], of the first group that has one; [`SolveError::GroupCount`] if costs or
    /// results are not as many as the groups.
    pub fn solve_groups(
        &mut self,
        costs: Costs<'_>,
        groups: &[&[Source]],
        params: &SolveParams,
        outs: &mut [Grid<f32>],
    ) -> Result<Vec<Report>, SolveError> {
        check_groups(costs, groups, outs)?;
        let grounds = match costs {
            Costs::Shared(_) => 1,
            Costs::PerGroup(_) => groups.len(),
        };
        if (0..groups.len()).any(|i| is_thin(costs.of(i))) {
            return solve_thin(costs, groups, params, outs);
        }
        self.sheared.resize_with(grounds, ShearedCost::default);
        self.rounds.resize_with(groups.len(), Rounds::default);
        for (i, sheared) in self.sheared.iter_mut().enumerate() {
            sheared.fill(costs.of(i));
        }
        let sheared = &self.sheared;
        // Fewer groups than threads: the tiles of a group are shared out too.
        let parallel = groups.len() < rayon::current_num_threads();
        let solve = |(i, (rounds, out)): (usize, (&mut Rounds, &mut Grid<f32>))| {
            let sheared = &sheared[i.min(sheared.len() - 1)];
            let run = RunParams {
                mode: Mode::Lower,
                slack: SLACK * TILE_H as f32 * sheared.typical_step(),
                max_rounds: params.max_rounds,
                parallel,
            };
            solve_cold(costs.of(i), sheared, groups[i], run, rounds, out)
        };
        let jobs = self.rounds.par_iter_mut().zip(outs.par_iter_mut()).enumerate();
        // All first, then in order: which error is returned must not depend on timing.
        let reports: Vec<Result<Report, SolveError>> = jobs.map(solve).collect();
        let mut reports = reports.into_iter().collect::<Result<Vec<_>, _>>()?;
        if params.order == Order::Second {
            self.refine_groups(costs, groups, outs, &mut reports);
        }
        Ok(reports)
    }

    /// Refines the groups, on all threads if there are so many that the refiners' memory, shared out,
    /// stays small; one after the other otherwise.
    fn refine_groups(
        &mut self,
        costs: Costs<'_>,
        groups: &[&[Source]],
        outs: &mut [Grid<f32>],
        reports: &mut [Report],
    ) {
        let threads = rayon::current_num_threads();
        let refiners = if groups.len() >= 4 * threads { threads } else { 1 };
        self.refiners.resize_with(refiners, Refiner::default);
        let share = groups.len().div_ceil(refiners).max(1);
        let jobs = outs.par_chunks_mut(share).zip(reports.par_chunks_mut(share));
        self.refiners.par_iter_mut().zip(jobs).enumerate().for_each(
            |(chunk, (refiner, (outs, reports)))| {
                for (k, (out, report)) in outs.iter_mut().zip(reports).enumerate() {
                    let i = chunk * share + k;
                    *report = refiner.refine(costs.of(i), groups[i], out, *report);
                }
            },
        );
    }
}

/// Fields too thin to be worth a tile, one after the other.
fn solve_thin(
    costs: Costs<'_>,
    groups: &[&[Source]],
    params: &SolveParams,
    outs: &mut [Grid<f32>],
) -> Result<Vec<Report>, SolveError> {
    let mut solver = FastIterative::new();
    let jobs = groups.iter().zip(outs).enumerate();
    jobs.map(|(i, (sources, out))| solver.solve(costs.of(i), sources, params, out)).collect()
}

impl Solver for Batched {
    fn solve(
        &mut self,
        cost: &Grid<f32>,
        sources: &[Source],
        params: &SolveParams,
        out: &mut Grid<f32>,
    ) -> Result<Report, SolveError> {
        let reports =
            self.solve_groups(Costs::Shared(cost), &[sources], params, std::slice::from_mut(out))?;
        Ok(reports[0])
    }
}

fn check_groups(
    costs: Costs<'_>,
    groups: &[&[Source]],
    outs: &[Grid<f32>],
) -> Result<(), SolveError> {
    let same = |found: usize, what: &'static str| {
        if found == groups.len() {
            Ok(())
        } else {
            Err(SolveError::GroupCount { what, found, groups: groups.len() })
        }
    };
    same(outs.len(), "result grids")?;
    match costs {
        Costs::Shared(cost) => check_cost(cost)?,
        Costs::PerGroup(costs) => {
            same(costs.len(), "cost grids")?;
            for cost in costs {
                check_cost(cost)?;
            }
        }
    }
    for (i, (sources, out)) in groups.iter().zip(outs).enumerate() {
        check_sources(costs.of(i), sources)?;
        check_shape(costs.of(i), out)?;
    }
    Ok(())
}
