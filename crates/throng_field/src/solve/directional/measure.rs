//! The last look at a field: does every cell satisfy the scheme? A pass of its own over the finished
//! field that knows nothing of tiles, sweeps or what was due.

use super::Problem;
use super::stencil::{Around, Factors, Ground, offer};
use crate::grid::Grid;
use crate::solve::residual::Finding;
use glam::Vec2;
use rayon::prelude::*;

const NOTHING: Finding = Finding { residual: 0.0, reachable: 0, max: 0.0 };

/// Measures the field. `fixed` holds the indices of the sources in order, repeats allowed. Rows in
/// parallel; the result does not depend on the number of threads.
pub(super) fn measure(problem: Problem<'_>, fixed: &[u32], phi: &Grid<f32>) -> Finding {
    let arch = pulp::Arch::new();
    let join = |a: Finding, b: Finding| Finding {
        residual: a.residual.max(b.residual),
        reachable: a.reachable + b.reachable,
        max: a.max.max(b.max),
    };
    (0..phi.height())
        .into_par_iter()
        .with_min_len((1 << 12) / phi.width() + 1)
        .map(|y| arch.dispatch(Row::new(problem, fixed, phi, y)))
        .reduce(|| NOTHING, join)
}

/// A row to be looked at.
struct Row<'a> {
    /// Index of its first cell.
    first: usize,
    /// Sources of this row and the rows after it.
    fixed: &'a [u32],
    /// Potentials of the row above, this one and the one below; empty outside the grid.
    phi: [&'a [f32]; 3],
    /// Costs likewise.
    cost: [&'a [f32]; 3],
    gradient: &'a [Vec2],
    cell_size: f32,
    factors: Factors,
}

impl pulp::NullaryFnOnce for Row<'_> {
    type Output = Finding;

    #[inline(always)]
    fn call(self) -> Finding {
        let mut found = NOTHING;
        let mut fixed = self.fixed;
        for (x, &u) in self.phi[1].iter().enumerate() {
            let mut is_source = false;
            while let [next, rest @ ..] = fixed
                && *next as usize == self.first + x
            {
                is_source = true;
                fixed = rest;
            }
            let reached = u < f32::INFINITY;
            let violation = violation(u, self.offer(x), is_source);
            found.residual = found.residual.max(violation);
            found.reachable += usize::from(reached);
            found.max = if reached { found.max.max(u) } else { found.max };
        }
        found
    }
}

/// Relative difference between a potential and what the neighbours offer; infinite if only one of them
/// is a potential. A source need not be supported by its neighbours, only not be undercut by them.
#[inline(always)]
fn violation(u: f32, offer: f32, is_source: bool) -> f32 {
    if u == offer || (is_source && u < offer) {
        0.0
    } else if u < f32::INFINITY && offer < f32::INFINITY {
        (u - offer).abs() / offer.max(f32::MIN_POSITIVE)
    } else {
        f32::INFINITY
    }
}

impl<'a> Row<'a> {
    fn new(problem: Problem<'a>, fixed: &'a [u32], phi: &'a Grid<f32>, y: usize) -> Self {
        let Problem { cost, slope } = problem;
        let first = y * phi.width();
        let three = |grid: &'a Grid<f32>| {
            [y.wrapping_sub(1), y, y + 1].map(|y| if y < grid.height() { grid.row(y) } else { &[] })
        };
        Self {
            first,
            fixed: &fixed[fixed.partition_point(|&i| (i as usize) < first)..],
            phi: three(phi),
            cost: three(cost),
            gradient: slope.gradient.row(y),
            cell_size: cost.cell_size(),
            factors: Factors::of(slope),
        }
    }

    /// What the neighbours of a cell offer it; nothing if it is blocked.
    #[inline(always)]
    fn offer(&self, x: usize) -> f32 {
        let cost = self.cost[1][x];
        if cost == f32::INFINITY {
            return f32::INFINITY;
        }
        let (west, east) = (x.wrapping_sub(1), x + 1);
        let free = |row: usize, x: usize| value_or_none(self.cost[row], x) < f32::INFINITY;
        let value = |row: usize, x: usize| value_or_none(self.phi[row], x);
        let corner = |open: bool, row: usize, x: usize| {
            if open { value(row, x) } else { f32::INFINITY }
        };
        let (to_east, to_north) = (free(1, east), free(0, x));
        let (to_west, to_south) = (free(1, west), free(2, x));
        let axis = [value(1, east), value(0, x), value(1, west), value(2, x)];
        let diagonal = [
            corner(to_east & to_north, 0, east),
            corner(to_west & to_north, 0, west),
            corner(to_west & to_south, 2, west),
            corner(to_east & to_south, 2, east),
        ];
        let ground = Ground::new(cost * self.cell_size, self.gradient[x]);
        offer(&Around { axis, diagonal }, &ground, self.factors)
    }
}

/// The value of a cell of a row, infinite outside the grid.
#[inline(always)]
fn value_or_none(row: &[f32], x: usize) -> f32 {
    row.get(x).copied().unwrap_or(f32::INFINITY)
}
