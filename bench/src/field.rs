//! `throng bench field`: our solvers against the crates `eikonal` and `pathfinding` and, where they are
//! installed, scikit-fmm and pyekfmm.
//!
//! The machine may be shared and noisy. So on each problem all contestants in Rust take turns, round
//! after round, and the best time of each counts. The peers in Python follow in a process of their own.

use crate::BenchError;
use crate::contestants::{Contestant, Groups, entries, iterative};
use crate::problems::{KINDS, Problem, problem};
use crate::python::{self, Answer};
use serde::Serialize;
use std::time::Instant;
use throng_field::solve::{FastIterative, SolveError, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sides of the square grids.
    pub sizes: Vec<usize>,
    /// Goal groups of the batched solver.
    pub groups: usize,
    /// Sides of the large grids for the scale table.
    pub scale: Vec<usize>,
    /// Random spots of the warm start.
    pub spots: usize,
    /// Rounds over all contestants.
    pub rounds: usize,
    /// Whether to run the peers in Python.
    pub python: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            sizes: vec![256, 512, 1024],
            groups: 8,
            scale: vec![256, 4096],
            spots: 50,
            rounds: 15,
            python: true,
        }
    }
}

/// One contestant on one problem.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Kind of cost.
    pub problem: &'static str,
    /// Side of the grid in cells.
    pub size: usize,
    /// Which of our solvers,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// or which peer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
    /// Threads used.
    pub threads: usize,
    /// Goal groups solved together.
    pub groups: usize,
    /// Best time per field, milliseconds.
    pub ms_per_field: f64,
    /// Than the crate `eikonal` on the same problem.
    pub times_faster: f64,
    /// Largest error against the exact solution, in cells, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_max: Option<f64>,
}

/// Time per cell on a large grid against a small one.
#[derive(Clone, Debug, Serialize)]
pub struct ScaleRow {
    /// Kind of cost.
    pub problem: &'static str,
    /// Which solver.
    pub solver: &'static str,
    /// Side of the grid in cells.
    pub size: usize,
    /// Best time per cell and field, nanoseconds.
    pub ns_per_cell: f64,
    /// Than on the smallest grid.
    pub times_slower: f64,
}

/// Warm start against cold start.
#[derive(Clone, Debug, Serialize)]
pub struct WarmRow {
    /// What was done to the spots.
    pub edit: &'static str,
    /// Side of the grid in cells.
    pub size: usize,
    /// Spots of one hundredth of the cells.
    pub spots: usize,
    /// Time of a warm start, best of some tries, mean over the spots, milliseconds.
    pub warm_ms: f64,
    /// The same of a cold start.
    pub cold_ms: f64,
    /// Warm through cold.
    pub share: f64,
}

/// A peer that could not be measured.
#[derive(Clone, Debug, Serialize)]
pub struct Missing {
    /// Which.
    pub peer: String,
    /// Why.
    pub reason: String,
}

/// All that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct FieldBench {
    /// Contestants by problem.
    pub rows: Vec<Row>,
    /// Large grids.
    pub scale: Vec<ScaleRow>,
    /// Warm starts.
    pub warm: Vec<WarmRow>,
    /// Peers that are not here.
    pub missing: Vec<Missing>,
}

/// Measures everything; `progress` is told how many of how many problems are done.
///
/// # Errors
/// If a solver refuses a problem, or a file for a peer cannot be written.
pub fn run(options: &Options, progress: impl Fn(usize, usize)) -> Result<FieldBench, BenchError> {
    let total = options.sizes.len() * KINDS.len() + options.scale.len() * 3 + 2;
    let mut bench =
        FieldBench { rows: Vec::new(), scale: Vec::new(), warm: Vec::new(), missing: Vec::new() };
    let mut done = 0;
    let step = |done: &mut usize| {
        progress(*done, total);
        *done += 1;
    };
    let mut problems = Vec::new();
    for &size in &options.sizes {
        for kind in KINDS {
            step(&mut done);
            let problem = problem(kind, size, options.groups);
            bench.rows.extend(contest(&problem, size, options)?);
            problems.push((problem, size));
        }
    }
    if options.python {
        run_python(&mut bench, &problems, options)?;
    }
    for kind in ["uniform", "smooth", "walls"] {
        let mut smallest = Vec::new();
        for &size in &options.scale {
            step(&mut done);
            scale(&mut bench.scale, kind, size, &mut smallest)?;
        }
    }
    for edit in ["raised", "lowered"] {
        step(&mut done);
        bench.warm.push(warm(edit, 512, options.spots)?);
    }
    bench.warm.push(mean_of(&bench.warm));
    progress(total, total);
    Ok(bench)
}

fn contest(problem: &Problem, size: usize, options: &Options) -> Result<Vec<Row>, BenchError> {
    let mut entries = entries(problem, options.groups);
    let mut best = vec![f64::INFINITY; entries.len()];
    // Large grids take their time, and short times need more tries.
    let rounds = if size > 512 { options.rounds.div_ceil(2) } else { options.rounds };
    for _ in 0..rounds {
        for (best, entry) in best.iter_mut().zip(&mut entries) {
            let seconds = time(entry.contestant.as_mut(), entry.name, problem)?;
            *best = best.min(seconds * 1e3 / entry.groups as f64);
        }
    }
    let yardstick = best[0];
    let rows = entries.iter().zip(&best).map(|(entry, &ms)| Row {
        problem: problem.name,
        size,
        solver: entry.ours.then(|| entry.name.to_owned()),
        peer: (!entry.ours).then(|| entry.name.to_owned()),
        threads: entry.threads,
        groups: entry.groups,
        ms_per_field: ms,
        times_faster: yardstick / ms,
        error_max: entry
            .contestant
            .field()
            .filter(|_| problem.name == "uniform")
            .map(|field| distance_error(&field, problem.goals[0])),
    });
    Ok(rows.collect())
}

/// Seconds that one run takes.
fn time(contestant: &mut dyn Contestant, name: &str, problem: &Problem) -> Result<f64, BenchError> {
    let started = Instant::now();
    contestant.run().map_err(|cause| BenchError::Solver {
        solver: name.to_owned(),
        problem: format!("{} {}²", problem.name, problem.cost.width()),
        cause,
    })?;
    Ok(started.elapsed().as_secs_f64())
}

/// Largest error against the exact distance, in cells.
fn distance_error(field: &Grid<f32>, goal: Cell) -> f64 {
    (0..field.cells()).fold(0.0, |worst: f64, i| {
        let c = field.cell_at(i);
        let (dx, dy) = (f64::from(c.x.abs_diff(goal.x)), f64::from(c.y.abs_diff(goal.y)));
        worst.max((f64::from(field.as_slice()[i]) - dx.hypot(dy)).abs())
    })
}

fn run_python(
    bench: &mut FieldBench,
    problems: &[(Problem, usize)],
    options: &Options,
) -> Result<(), BenchError> {
    let repeats = options.rounds.min(5);
    let list: Vec<(&Problem, usize)> = problems.iter().map(|(p, _)| (p, repeats)).collect();
    for (peer, answer) in python::run(&list)? {
        let rows = match answer {
            Answer::Missing(reason) => {
                bench.missing.push(Missing { peer, reason });
                continue;
            }
            Answer::Rows(rows) => rows,
        };
        for ((problem, size), row) in problems.iter().zip(rows) {
            let Some(row) = row else { continue };
            let same = |r: &&Row| r.problem == problem.name && r.size == *size;
            let yardstick = bench.rows.iter().find(same).map_or(f64::NAN, |r| r.ms_per_field);
            bench.rows.push(Row {
                problem: problem.name,
                size: *size,
                solver: None,
                peer: Some(peer.clone()),
                threads: 1,
                groups: 1,
                ms_per_field: row.ms,
                times_faster: yardstick / row.ms,
                error_max: row.error_max,
            });
        }
    }
    Ok(())
}

/// Time per cell of the parallel solvers on one grid.
fn scale(
    rows: &mut Vec<ScaleRow>,
    kind: &'static str,
    size: usize,
    smallest: &mut Vec<f64>,
) -> Result<(), BenchError> {
    const GROUPS: usize = 4;
    let problem = problem(kind, size, GROUPS);
    let rounds = if size > 1024 { 3 } else { 15 };
    let mut solvers: [(&'static str, usize, Box<dyn Contestant>); 2] = [
        ("iterative", 1, iterative(&problem)),
        ("batched", GROUPS, Box::new(Groups::new(&problem))),
    ];
    for (i, (solver, groups, contestant)) in solvers.iter_mut().enumerate() {
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            best = best.min(time(contestant.as_mut(), solver, &problem)? / *groups as f64);
        }
        let ns_per_cell = best * 1e9 / (size * size) as f64;
        if smallest.len() <= i {
            smallest.push(ns_per_cell);
        }
        let times_slower = ns_per_cell / smallest[i];
        rows.push(ScaleRow { problem: kind, solver, size, ns_per_cell, times_slower });
    }
    Ok(())
}

/// The mean over all edits.
fn mean_of(rows: &[WarmRow]) -> WarmRow {
    let mean = |f: fn(&WarmRow) -> f64| rows.iter().map(f).sum::<f64>() / rows.len() as f64;
    let (warm_ms, cold_ms) = (mean(|r| r.warm_ms), mean(|r| r.cold_ms));
    let spots = rows.iter().map(|r| r.spots).sum();
    WarmRow {
        edit: "either",
        size: rows[0].size,
        spots,
        warm_ms,
        cold_ms,
        share: warm_ms / cold_ms,
    }
}

/// Tries at each spot.
const WARM_ROUNDS: usize = 5;

/// Random round spots of one hundredth of the cells, raised threefold or back again.
fn warm(edit: &'static str, size: usize, spots: usize) -> Result<WarmRow, BenchError> {
    let problem = problem("smooth", size, spots + 1);
    let sources = [Source::from(problem.goals[0])];
    let params = SolveParams::default();
    let fail = |e: SolveError| BenchError::Solver {
        solver: "iterative".into(),
        problem: format!("warm start {size}²"),
        cause: e.to_string(),
    };
    let radius = ((size * size) as f64 / 100.0 / std::f64::consts::PI).sqrt();
    let (mut warm_time, mut cold_time) = (0.0, 0.0);
    let mut solver = FastIterative::new();
    let mut cold_solver = FastIterative::new();
    let mut out = problem.cost.clone();
    for &centre in &problem.goals[1..] {
        let mut spot = Vec::new();
        let mut raised = problem.cost.clone();
        for i in 0..raised.cells() {
            let c = raised.cell_at(i);
            let (dx, dy) = (f64::from(c.x.abs_diff(centre.x)), f64::from(c.y.abs_diff(centre.y)));
            if dx.hypot(dy) <= radius {
                raised.as_mut_slice()[i] *= 3.0;
                spot.push(i as u32);
            }
        }
        let (before, after) =
            if edit == "raised" { (&problem.cost, &raised) } else { (&raised, &problem.cost) };
        // By turns, and the best of each, as in the contest.
        let (mut warm, mut cold) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..WARM_ROUNDS {
            solver.solve(before, &sources, &params, &mut out).map_err(fail)?;
            let started = Instant::now();
            solver.update(after, &sources, &spot, &params, &mut out).map_err(fail)?;
            warm = warm.min(started.elapsed().as_secs_f64());
            let started = Instant::now();
            cold_solver.solve(after, &sources, &params, &mut out).map_err(fail)?;
            cold = cold.min(started.elapsed().as_secs_f64());
        }
        warm_time += warm;
        cold_time += cold;
    }
    let (warm_ms, cold_ms) = (warm_time * 1e3 / spots as f64, cold_time * 1e3 / spots as f64);
    Ok(WarmRow { edit, size, spots, warm_ms, cold_ms, share: warm_ms / cold_ms })
}
