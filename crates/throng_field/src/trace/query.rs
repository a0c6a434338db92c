//! Many path queries: one field for all queries with the same goal, many fields at a time.

use super::{Path, TraceError, TraceParams, Tracer};
use crate::cost::check_cost;
use crate::grid::{Cell, Grid};
use crate::solve::{Batched, Costs, Order, SolveError, SolveParams, Source, check_sources};
use rayon::prelude::*;

/// The most fields that are held at a time.
const MOST_FIELDS: usize = 16;

/// Cells of all fields held at a time, unless one alone has more: 256 MiB of potentials.
const MOST_CELLS: usize = 64 << 20;

/// What [`paths_to_goals`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryReport {
    /// Queries answered, with a path or with an error.
    pub queries: usize,
    /// Of these, answered with a path.
    pub paths: usize,
    /// Fields solved: one for each different goal that is on the map and free.
    pub fields: usize,
}

/// Finds a path for each query `(start, goal)`, from the centre of the start cell to the centre of the
/// goal cell, and hands it to `each` with the number of its query. Paths are as traced; [`tighten`]
/// them in `each`, which runs in parallel and in no particular order.
///
/// Queries with the same goal share its field. Up to 16 fields are solved and held at a time (fewer
/// for grids above 4 million cells), so memory does not grow with the number of queries. After each
/// such batch `progress` gets the number of queries answered so far.
///
/// A query whose start or goal is outside, blocked or cut off gets its own error; the others go on.
///
/// # Errors
/// [`SolveError`] if the cost is none, or a field does not converge.
///
/// [`tighten`]: super::tighten()
pub fn paths_to_goals(
    cost: &Grid<f32>,
    queries: &[(Cell, Cell)],
    order: Order,
    each: impl Fn(usize, Result<Path, TraceError>) + Sync,
    progress: impl Fn(usize) + Sync,
) -> Result<QueryReport, SolveError> {
    check_cost(cost)?;
    let mut report = QueryReport::default();
    let mut by_goal: Vec<usize> = Vec::with_capacity(queries.len());
    for (i, &(_, goal)) in queries.iter().enumerate() {
        match check_sources(cost, &[goal.into()]) {
            Ok(()) => by_goal.push(i),
            Err(error) => {
                each(i, Err(error.into()));
                report.queries += 1;
            }
        }
    }
    by_goal.sort_by_key(|&i| cost.index(queries[i].1));
    let groups: Vec<&[usize]> = by_goal.chunk_by(|&i, &j| queries[i].1 == queries[j].1).collect();
    let at_a_time = (MOST_CELLS / cost.cells()).clamp(1, MOST_FIELDS).min(groups.len().max(1));
    let params = SolveParams { order, ..SolveParams::default() };
    let mut solver = Batched::new();
    let mut fields: Vec<Grid<f32>> = vec![];
    for batch in groups.chunks(at_a_time) {
        fields.resize_with(batch.len(), || cost.map(|_| f32::INFINITY));
        let goal = |group: &[usize]| [Source::from(queries[group[0]].1)];
        let sources: Vec<[Source; 1]> = batch.iter().map(|group| goal(group)).collect();
        let sources: Vec<&[Source]> = sources.iter().map(|s| &s[..]).collect();
        solver.solve_groups(Costs::Shared(cost), &sources, &params, &mut fields)?;
        report.fields += batch.len();
        let answer = |(field, i): (usize, usize)| {
            let path = query(cost, &fields[field], sources[field], queries[i].0);
            let found = usize::from(path.is_ok());
            each(i, path);
            found
        };
        let jobs: Vec<(usize, usize)> = (batch.iter().enumerate())
            .flat_map(|(field, group)| group.iter().map(move |&i| (field, i)))
            .collect();
        report.paths += jobs.par_iter().copied().map(answer).sum::<usize>();
        report.queries += jobs.len();
        progress(report.queries);
    }
    Ok(report)
}

/// The path from the centre of a cell.
fn query(
    cost: &Grid<f32>,
    potential: &Grid<f32>,
    sources: &[Source],
    start: Cell,
) -> Result<Path, TraceError> {
    let tracer = Tracer::new(cost, potential, sources, &TraceParams::default())?;
    tracer.trace(cost.centre(start))
}
