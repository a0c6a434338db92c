//! The last look at a field: does every cell satisfy the scheme? Measured, not assumed.

use super::update::{UNREACHED, godunov};
use super::{Report, SolveError, Source};
use crate::grid::Grid;
use rayon::prelude::*;

/// What a finished field looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) residual: f32,
    pub(crate) reachable: usize,
    pub(crate) max: f32,
}

impl Finding {
    const NOTHING: Self = Self { residual: 0.0, reachable: 0, max: 0.0 };

    fn join(self, other: Self) -> Self {
        Self {
            residual: self.residual.max(other.residual),
            reachable: self.reachable + other.reachable,
            max: self.max.max(other.max),
        }
    }

    /// The report of a solver that believes to be done.
    pub(crate) fn report(self, iterations: u64, rounds: u64) -> Result<Report, SolveError> {
        let Self { residual, reachable, max } = self;
        if residual > super::RESIDUAL_LIMIT {
            return Err(SolveError::NotConverged { rounds, residual });
        }
        Ok(Report { iterations, rounds, residual, reachable, max })
    }
}

/// Measures the field. Rows in parallel; the result does not depend on the number of threads.
pub(crate) fn measure(cost: &Grid<f32>, sources: &[Source], phi: &Grid<f32>) -> Finding {
    let arch = pulp::Arch::new();
    let rows_per_task = LEAST_CELLS / phi.width() + 1;
    let mut sources: Vec<&Source> = sources.iter().collect();
    sources.sort_unstable_by_key(|s| s.cell.y);
    (0..phi.height())
        .into_par_iter()
        .with_min_len(rows_per_task)
        .map(|y| {
            let row = Row::new(cost, phi, y);
            let from = sources.partition_point(|s| (s.cell.y as usize) < y);
            let to = sources.partition_point(|s| s.cell.y as usize <= y);
            if from == to {
                return arch.dispatch(row);
            }
            let mut is_source = vec![false; phi.width()];
            for source in &sources[from..to] {
                // A source that its neighbours undercut is a cell like any other.
                is_source[source.cell.x as usize] |= source.start <= phi[source.cell];
            }
            row.measure_each(|x| is_source[x])
        })
        .reduce(|| Finding::NOTHING, Finding::join)
}

/// A row of the field and the rows beside it.
struct Row<'a> {
    here: &'a [f32],
    above: Option<&'a [f32]>,
    below: Option<&'a [f32]>,
    cost: &'a [f32],
    cell_size: f32,
}

/// Fewer cells than this are done before another thread is awake.
const LEAST_CELLS: usize = 1 << 16;

/// Cells looked at together: enough for the widest vectors.
const CHUNK: usize = 16;

impl<'a> Row<'a> {
    fn new(cost: &'a Grid<f32>, phi: &'a Grid<f32>, y: usize) -> Self {
        Self {
            here: phi.row(y),
            above: (y > 0).then(|| phi.row(y - 1)),
            below: (y + 1 < phi.height()).then(|| phi.row(y + 1)),
            cost: cost.row(y),
            cell_size: cost.cell_size(),
        }
    }

    /// One cell at a time, sources told apart.
    fn measure_each(&self, is_source: impl Fn(usize) -> bool) -> Finding {
        (0..self.here.len())
            .fold(Finding::NOTHING, |found, x| found.join(self.measure_cell(x, is_source(x))))
    }

    fn measure_cell(&self, x: usize, is_source: bool) -> Finding {
        let u = self.here[x];
        let left = if x > 0 { self.here[x - 1] } else { UNREACHED };
        let right = self.here.get(x + 1).copied().unwrap_or(UNREACHED);
        let up = self.above.map_or(UNREACHED, |row| row[x]);
        let down = self.below.map_or(UNREACHED, |row| row[x]);
        let mut residual = violation(u, [left, right, up, down], self.cost[x] * self.cell_size);
        if is_source && u < UNREACHED {
            // A source need not be supported by its neighbours, only not be undercut by them.
            let offer = offer([left, right, up, down], self.cost[x] * self.cell_size);
            residual = if offer < u { (u - offer) / u } else { 0.0 };
        }
        let reached = u < UNREACHED;
        Finding { residual, reachable: usize::from(reached), max: if reached { u } else { 0.0 } }
    }
}

impl pulp::NullaryFnOnce for Row<'_> {
    type Output = Finding;

    /// A row without sources, compiled for the widest vectors there are.
    #[inline(always)]
    fn call(self) -> Finding {
        let width = self.here.len();
        let (Some(above), Some(below)) = (self.above, self.below) else {
            return self.measure_each(|_| false);
        };
        let mut worst = [0.0f32; CHUNK];
        let mut max = [0.0f32; CHUNK];
        let mut reachable = [0u32; CHUNK];
        // Chunks from 1 on; the last one is set back to end before the edge, and overlaps.
        let mut next = 1;
        while next + 1 < width && width > CHUNK + 1 {
            let x = next.min(width - 1 - CHUNK);
            let left = &self.here[x - 1..][..CHUNK];
            let here = &self.here[x..][..CHUNK];
            let right = &self.here[x + 1..][..CHUNK];
            let up = &above[x..][..CHUNK];
            let down = &below[x..][..CHUNK];
            let cost = &self.cost[x..][..CHUNK];
            let seen = next - x;
            for k in 0..CHUNK {
                let u = here[k];
                let around = [left[k], right[k], up[k], down[k]];
                let off = violation(u, around, cost[k] * self.cell_size);
                let reached = u < UNREACHED;
                let value = if reached { u } else { 0.0 };
                worst[k] = if off > worst[k] { off } else { worst[k] };
                max[k] = if value > max[k] { value } else { max[k] };
                reachable[k] += u32::from(reached & (k >= seen));
            }
            next = x + CHUNK;
        }
        let mut found = Finding::NOTHING;
        for k in 0..CHUNK {
            let reachable = reachable[k] as usize;
            found = found.join(Finding { residual: worst[k], reachable, max: max[k] });
        }
        for x in (0..1).chain(next..width) {
            found = found.join(self.measure_cell(x, false));
        }
        found
    }
}

/// What the neighbours left, right, above and below offer a cell.
#[inline(always)]
fn offer([left, right, up, down]: [f32; 4], step: f32) -> f32 {
    let least = |a: f32, b: f32| {
        let low = if a < b { a } else { b };
        if low < UNREACHED { low } else { UNREACHED }
    };
    godunov(least(left, right), least(up, down), step)
}

/// Relative difference between a cell's potential and what its neighbours offer. Infinite if they offer
/// something to a cell that has none, if a cell has what nobody offers (in a wall, say), and for
/// whatever is no potential at all.
#[inline(always)]
fn violation(u: f32, neighbours: [f32; 4], step: f32) -> f32 {
    let offer = offer(neighbours, step);
    let off = (u - offer).abs() / offer;
    // NaN compares as false, and false is the bad case in both.
    let held = if (u >= 0.0) & (offer < UNREACHED) { off } else { f32::INFINITY };
    let missed = if offer >= UNREACHED { 0.0 } else { f32::INFINITY };
    if u >= UNREACHED { missed } else { held }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;

    /// What a wrong field looks like must be seen in every form, in rows with and without sources.
    #[test]
    fn every_kind_of_wrong_value_is_found() {
        let mut cost = Grid::filled(40, 8, 1.0f32).unwrap();
        cost[Cell::new(20, 2)] = f32::INFINITY;
        cost[Cell::new(20, 5)] = f32::INFINITY;
        let sources: Vec<Source> = (0..8).map(|y| Cell::new(0, y).into()).collect();
        let lone = [Source::from(Cell::new(0, 2))];
        for sources in [&sources[..], &lone] {
            let mut good = cost.clone();
            use crate::solve::Solver;
            crate::solve::FastMarching::new()
                .solve(&cost, sources, &Default::default(), &mut good)
                .unwrap();
            let found = measure(&cost, sources, &good);
            assert!(found.residual < 1e-6);
            assert_eq!(found.reachable, 40 * 8 - 2);
            let wrong = [f32::NAN, -1.0, f32::INFINITY, 3.0, 1e19];
            for (value, y) in wrong.into_iter().flat_map(|v| [(v, 2), (v, 5)]) {
                let mut bad = good.clone();
                bad[Cell::new(30, y)] = value;
                assert!(measure(&cost, sources, &bad).residual > 0.01, "{value} in row {y}");
            }
            for y in [2, 5] {
                let mut bad = good.clone();
                bad[Cell::new(20, y)] = 20.0;
                assert_eq!(measure(&cost, sources, &bad).residual, f32::INFINITY, "in a wall");
            }
        }
    }

    /// Chunks overlap at the end of a row: no cell may be counted twice, or not at all.
    #[test]
    fn every_cell_is_counted_once_at_any_width() {
        for width in 1..80 {
            let phi = Grid::from_fn(width, 4, |c| (c.x + c.y) as f32).unwrap();
            let cost = phi.map(|_| 1.0);
            let found = measure(&cost, &[], &phi);
            assert_eq!(found.reachable, width * 4, "width {width}");
            assert_eq!(found.max, (width + 2) as f32, "width {width}");
        }
    }
}
