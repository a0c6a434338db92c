//! One visit to a tile: its cells, with a rim of their neighbours, swept until nothing more is due.
//!
//! Which cells are due is a bit each. A cell that goes down makes those neighbours due that might follow;
//! bits left on the rim are for the tiles beside.

use super::Problem;
use super::stencil::{Around, Factors, Ground, offer};
use crate::grid::Grid;
use glam::Vec2;
use std::f32::consts::FRAC_1_SQRT_2;

/// Cells along the side of a tile. Measured.
pub(super) const SIDE: usize = 16;
/// Cells along the side of a tile with its rim.
pub(super) const RIMMED: usize = SIDE + 2;
const CELLS: usize = RIMMED * RIMMED;
/// The bits of a row that are cells of the tile, not of the rim.
pub(super) const INSIDE: u32 = ((1 << SIDE) - 1) << 1;

/// A tile at work: what goes in and what comes out.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    /// Column and row of the tile.
    pub(super) tile: (usize, usize),
    /// Which cells are due, a row of bits each; bit 0, bit `SIDE + 1` and the outer rows are the rim.
    pub(super) due: [u32; RIMMED],
    /// Potentials, rim included; infinite outside the grid.
    pub(super) values: [f32; CELLS],
    /// Cells computed.
    pub(super) updates: u64,
}

impl Visit {
    pub(super) const EMPTY: Self =
        Self { tile: (0, 0), due: [0; RIMMED], values: [f32::INFINITY; CELLS], updates: 0 };

    /// The part of the grid that the tile and its rim cover in one direction: first local index, first
    /// cell, number of cells.
    fn span(tile: usize, cells: usize) -> (usize, usize, usize) {
        let first = (tile * SIDE).saturating_sub(1);
        let local = usize::from(tile == 0);
        let end = (tile * SIDE + SIDE + 1).min(cells);
        (local, first, end - first)
    }

    /// Rows of the grid that the tile covers, without its rim: local index of the row's first cell,
    /// row, columns.
    pub(super) fn rows(
        &self,
        (width, height): (usize, usize),
    ) -> impl Iterator<Item = (usize, usize, std::ops::Range<usize>)> + use<> {
        let (x, y) = (self.tile.0 * SIDE, self.tile.1 * SIDE);
        let columns = x..(x + SIDE).min(width);
        (y..(y + SIDE).min(height))
            .enumerate()
            .map(move |(row, y)| ((row + 1) * RIMMED + 1, y, columns.clone()))
    }
}

/// A visit to be made, in a form that can be compiled for the widest vectors there are.
pub(super) struct Sweep<'a> {
    pub(super) problem: Problem<'a>,
    pub(super) phi: &'a Grid<f32>,
    pub(super) visit: &'a mut Visit,
}

impl pulp::NullaryFnOnce for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { problem, phi, visit } = self;
        visit.updates = 0;
        gather_values(phi, visit);
        let block = Block::gather(problem, visit.tile);
        let factors = Factors::of(problem.slope);
        while visit.due[1..=SIDE].iter().any(|bits| bits & INSIDE != 0) {
            for y in 1..=SIDE {
                sweep_row(visit, &block, factors, y);
            }
            for y in (1..=SIDE).rev() {
                sweep_row(visit, &block, factors, y);
            }
        }
    }
}

/// Sweeps the due cells of a row to the east and back.
#[inline(always)]
fn sweep_row(visit: &mut Visit, block: &Block, factors: Factors, y: usize) {
    let mut ahead = INSIDE;
    while visit.due[y] & ahead != 0 {
        let x = (visit.due[y] & ahead).trailing_zeros();
        ahead = INSIDE & (u32::MAX << x << 1);
        lower(visit, block, factors, x as usize, y);
    }
    ahead = INSIDE;
    while visit.due[y] & ahead != 0 {
        let x = (visit.due[y] & ahead).ilog2();
        ahead = INSIDE & ((1 << x) - 1);
        lower(visit, block, factors, x as usize, y);
    }
}

/// Computes one cell, and if it goes down, makes due who might follow.
#[inline(always)]
fn lower(visit: &mut Visit, block: &Block, factors: Factors, x: usize, y: usize) {
    visit.due[y] &= !(1 << x);
    visit.updates += 1;
    let at = y * RIMMED + x;
    let u = &mut visit.values;
    let open = block.open[at];
    let beside = |bit: u8, value: f32| {
        if open & bit != 0 { value } else { f32::INFINITY }
    };
    let around = Around {
        axis: [u[at + 1], u[at - RIMMED], u[at - 1], u[at + RIMMED]],
        diagonal: [
            beside(1, u[at - RIMMED + 1]),
            beside(2, u[at - RIMMED - 1]),
            beside(4, u[at + RIMMED - 1]),
            beside(8, u[at + RIMMED + 1]),
        ],
    };
    let value = offer(&around, &Ground::new(block.step[at], block.gradient[at]), factors);
    if value < u[at] {
        u[at] = value;
        for dy in 0..3 {
            let first = at + dy * RIMMED - RIMMED - 1;
            let follows = |i: usize| {
                let reach = if (dy + i) % 2 == 1 {
                    block.reach[first + i]
                } else {
                    block.reach_diagonal[first + i]
                };
                u32::from(u[first + i] > value + reach) << i
            };
            visit.due[y + dy - 1] |= (follows(0) | follows(1) | follows(2)) << (x - 1);
        }
    }
}

#[inline(always)]
fn gather_values(phi: &Grid<f32>, visit: &mut Visit) {
    let (local_x, x, columns) = Visit::span(visit.tile.0, phi.width());
    let (local_y, y, rows) = Visit::span(visit.tile.1, phi.height());
    if columns < RIMMED || rows < RIMMED {
        visit.values.fill(f32::INFINITY);
    }
    for row in 0..rows {
        let to = (local_y + row) * RIMMED + local_x;
        visit.values[to..to + columns].copy_from_slice(&phi.row(y + row)[x..x + columns]);
    }
}

/// The ground of a tile and its rim.
struct Block {
    /// Cost times cell size; infinite if blocked.
    step: [f32; CELLS],
    gradient: [Vec2; CELLS],
    /// How far above the new value of an axis neighbour a cell must be to be lowered by it; infinite if
    /// blocked.
    reach: [f32; CELLS],
    /// The same of a diagonal neighbour.
    reach_diagonal: [f32; CELLS],
    /// Which diagonal neighbours have free cells on both sides: bits 1, 2, 4, 8 for north-east,
    /// north-west, south-west, south-east.
    open: [u8; CELLS],
}

impl Block {
    #[inline(always)]
    fn gather(problem: Problem<'_>, tile: (usize, usize)) -> Self {
        let Problem { cost, slope } = problem;
        let mut block = Self {
            step: [f32::INFINITY; CELLS],
            gradient: [Vec2::ZERO; CELLS],
            reach: [f32::INFINITY; CELLS],
            reach_diagonal: [f32::INFINITY; CELLS],
            open: [0; CELLS],
        };
        let strongest = slope.uphill.abs().max(slope.downhill.abs());
        let (local_x, x, columns) = Visit::span(tile.0, cost.width());
        let (local_y, y, rows) = Visit::span(tile.1, cost.height());
        for row in 0..rows {
            let to = (local_y + row) * RIMMED + local_x;
            let costs = &cost.row(y + row)[x..x + columns];
            let gradients = &slope.gradient.row(y + row)[x..x + columns];
            let to_gradients = &mut block.gradient[to..to + columns];
            let steps = &mut block.step[to..to + columns];
            let axis = &mut block.reach[to..to + columns];
            let diagonal = &mut block.reach_diagonal[to..to + columns];
            for i in 0..columns {
                to_gradients[i] = gradients[i];
                steps[i] = costs[i] * cost.cell_size();
                (axis[i], diagonal[i]) = reach(steps[i], gradients[i], strongest);
            }
        }
        block.open_diagonals();
        block
    }

    #[inline(always)]
    fn open_diagonals(&mut self) {
        let free = |i: usize| u8::from(self.step[i] < f32::INFINITY);
        for y in 1..=SIDE {
            for x in 1..=SIDE {
                let at = y * RIMMED + x;
                let (east, west) = (free(at + 1), free(at - 1));
                let (north, south) = (free(at - RIMMED), free(at + RIMMED));
                self.open[at] = (east & north)
                    | (west & north) << 1
                    | (west & south) << 2
                    | (east & south) << 3;
            }
        }
    }
}

/// How far above a neighbour's value `v` a cell must be, at the least, for that neighbour to lower it:
/// an axis neighbour, a diagonal neighbour. Negative where a cell may depend on higher neighbours.
///
/// In the terms of [`super::stencil`]: a way that meets the edge between its ends costs
/// `uA + k pA + f √(1 - q²)`, that is at least `uA + f / √2 + k pA`; and as `uA = uD + f q + k pD` there,
/// at least `uD + f + k (pA + pD)`. Ways to the ends cost no less. Some `k` between the two factors
/// makes this true of level ways too.
#[inline(always)]
pub(super) fn reach(step: f32, gradient: Vec2, strongest: f32) -> (f32, f32) {
    let (x, y) = (gradient.x.abs(), gradient.y.abs());
    let wider = if x > y { x } else { y };
    let axis = step * (FRAC_1_SQRT_2 - strongest * wider);
    let diagonal = step * (1.0 - strongest * (x + y));
    if step < f32::INFINITY { (axis, diagonal) } else { (step, step) }
}
