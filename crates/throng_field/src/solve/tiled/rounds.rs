//! The list of active tiles, and the rounds that empty it.
//!
//! A tile is due when a value beside it changed so that it may change too. A round visits the due tiles
//! whose lowest changed value is within a slack of the lowest of all: those behind would be visited
//! again anyway (the idea of delta-stepping, Meyer and Sanders 2003, on tiles). Even rows of tiles go
//! first, odd rows second; rows of one parity do not touch each other, so they run in parallel and
//! the result does not depend on the number of threads.

use super::kernel::Mode;
use super::shear::{ShearedCost, TILE_H, TILE_W};
use super::visit::{ANY_SIDE, EAST, NORTH, SOUTH, Slab, TileScratch, Visit, WEST, Wake};
use crate::grid::{Cell, Grid};
use crate::solve::Source;
use rayon::prelude::*;

/// A tile that waits to be visited.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// Lowest value that changed beside or in it; infinity if it is not due.
    key: f32,
    /// Sides the changes came in by.
    inflow: u8,
}

const NOT_DUE: Due = Due { key: f32::INFINITY, inflow: 0 };

impl Due {
    fn wake(&mut self, key: f32, inflow: u8) {
        if key < f32::INFINITY {
            self.key = self.key.min(key);
            self.inflow |= inflow;
        }
    }
}

/// A row of tiles.
#[derive(Debug)]
struct TileRow {
    scratch: TileScratch,
    due: Vec<Due>,
    /// What this row's visits want of the rows above and below, by column.
    north: Vec<f32>,
    south: Vec<f32>,
    /// Lowest value taken away, by column.
    lost: Vec<f32>,
    /// Sources by column of tiles, with column and row inside the tile.
    sources: Vec<(u32, (u8, u8))>,
    visits: u64,
}

/// Active tiles of one field, and memory to visit them.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    /// Even rows of tiles, odd rows.
    rows: [Vec<TileRow>; 2],
    across: usize,
}

/// What a run took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    pub(crate) rounds: u64,
    pub(crate) visits: u64,
    /// Whether the list ran empty.
    pub(crate) finished: bool,
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunParams {
    pub(crate) mode: Mode,
    /// Values within this much of the lowest are visited in the same round.
    pub(crate) slack: f32,
    pub(crate) max_rounds: Option<u64>,
    /// Whether to use more than one thread.
    pub(crate) parallel: bool,
}

impl Rounds {
    /// Makes room for a field of that shape, with nothing due.
    pub(crate) fn prepare(&mut self, cost: &Grid<f32>) {
        self.across = cost.width().div_ceil(TILE_W);
        let down = cost.height().div_ceil(TILE_H);
        for (parity, rows) in self.rows.iter_mut().enumerate() {
            rows.resize_with((down + 1 - parity) / 2, || TileRow {
                scratch: TileScratch::new(),
                due: Vec::new(),
                north: Vec::new(),
                south: Vec::new(),
                lost: Vec::new(),
                sources: Vec::new(),
                visits: 0,
            });
            for row in rows {
                row.due.clear();
                row.due.resize(self.across, NOT_DUE);
                for wishes in [&mut row.north, &mut row.south, &mut row.lost] {
                    wishes.clear();
                    wishes.resize(self.across, f32::INFINITY);
                }
                row.sources.clear();
                row.visits = 0;
            }
        }
    }

    fn row(&mut self, ty: usize) -> &mut TileRow {
        &mut self.rows[ty % 2][ty / 2]
    }

    /// Makes a tile due.
    pub(crate) fn wake_tile(&mut self, tile: usize, key: f32) {
        let (tx, ty) = (tile % self.across, tile / self.across);
        self.row(ty).due[tx].wake(key, ANY_SIDE);
    }

    /// Makes the tiles due that hold or touch a cell of potential `key`.
    pub(crate) fn wake_around<T>(&mut self, grid: &Grid<T>, cell: Cell, key: f32) {
        let across = self.across;
        let tile = |x: u32, y: u32| (y as usize / TILE_H) * across + x as usize / TILE_W;
        let Cell { x, y } = cell;
        let beside = [
            Some((x, y)),
            x.checked_sub(1).map(|x| (x, y)),
            y.checked_sub(1).map(|y| (x, y)),
            Some((x + 1, y)),
            Some((x, y + 1)),
        ];
        for (x, y) in beside.into_iter().flatten() {
            if grid.contains(Cell { x, y }) {
                self.wake_tile(tile(x, y), key);
            }
        }
    }

    /// Tells which cells need no support because they are sources, for raising. A source that its
    /// neighbours undercut is a cell like any other.
    pub(crate) fn place_sources(&mut self, sources: &[Source], phi: &Grid<f32>) {
        for source in sources.iter().filter(|s| s.start <= phi[s.cell]) {
            let (x, y) = (source.cell.x as usize, source.cell.y as usize);
            let inside = ((x % TILE_W) as u8, (y % TILE_H) as u8);
            self.row(y / TILE_H).sources.push(((x / TILE_W) as u32, inside));
        }
        for row in self.rows.iter_mut().flatten() {
            row.sources.sort_unstable();
            row.sources.dedup();
        }
    }

    /// Takes from every row of tiles what raising took away: tile and lowest value.
    pub(crate) fn take_lost(&mut self, mut f: impl FnMut(&mut Self, usize, f32)) {
        for ty in 0..self.rows[0].len() + self.rows[1].len() {
            for tx in 0..self.across {
                let lost = std::mem::replace(&mut self.row(ty).lost[tx], f32::INFINITY);
                if lost < f32::INFINITY {
                    f(self, ty * self.across + tx, lost);
                }
            }
        }
    }

    /// Visits due tiles until none is left.
    pub(crate) fn run(
        &mut self,
        cost: &Grid<f32>,
        sheared: &ShearedCost,
        out: &mut Grid<f32>,
        params: RunParams,
    ) -> Tally {
        let arch = pulp::Arch::new();
        let width = cost.width();
        let mut slabs: [Vec<&mut [f32]>; 2] = [Vec::new(), Vec::new()];
        for (ty, slab) in out.as_mut_slice().chunks_mut(TILE_H * width).enumerate() {
            slabs[ty % 2].push(slab);
        }
        let before: u64 = self.rows.iter().flatten().map(|row| row.visits).sum();
        let mut rounds = 0;
        let mut finished = true;
        loop {
            let due = self.rows.iter().flatten().flat_map(|row| &row.due);
            let lowest = due.fold(f32::INFINITY, |low, due| low.min(due.key));
            if lowest == f32::INFINITY {
                break;
            }
            if params.max_rounds.is_some_and(|max| rounds >= max) {
                finished = false;
                break;
            }
            rounds += 1;
            // At large values a slack below the rounding would visit one tile at a time.
            let limit = (lowest + params.slack).max(lowest * (1.0 + 1e-6)).min(f32::MAX);
            for parity in 0..2 {
                let phase = Phase { cost, sheared, limit, arch, params, parity };
                self.half_round(&mut slabs, phase);
                self.pass_on(parity);
            }
        }
        let after: u64 = self.rows.iter().flatten().map(|row| row.visits).sum();
        Tally { rounds, visits: after - before, finished }
    }

    fn half_round(&mut self, slabs: &mut [Vec<&mut [f32]>; 2], phase: Phase<'_>) {
        let [even, odd] = slabs;
        let (mine, beside) = if phase.parity == 0 { (even, &*odd) } else { (odd, &*even) };
        let rows = &mut self.rows[phase.parity];
        let busy = rows.iter().filter(|row| row.is_due(phase.limit)).count();
        let visit = |(i, (row, slab)): (usize, (&mut TileRow, &mut &mut [f32]))| {
            if row.is_due(phase.limit) {
                row.visit_due(i, slab, beside, phase);
            }
        };
        if phase.params.parallel && busy > 1 {
            rows.par_iter_mut().zip(mine.par_iter_mut()).enumerate().for_each(visit);
        } else {
            rows.iter_mut().zip(mine.iter_mut()).enumerate().for_each(visit);
        }
    }

    /// Hands the wishes of the rows just visited to their neighbours.
    fn pass_on(&mut self, parity: usize) {
        let [even, odd] = &mut self.rows;
        let (mine, beside) = if parity == 0 { (even, odd) } else { (odd, even) };
        for (i, row) in mine.iter_mut().enumerate() {
            // Row i of the odd lies between rows i and i + 1 of the even.
            let above = if parity == 0 { i.checked_sub(1) } else { Some(i) };
            let below = if parity == 0 { i } else { i + 1 };
            if let Some(above) = above {
                give(&mut row.north, &mut beside[above].due, SOUTH);
            }
            if let Some(below) = beside.get_mut(below) {
                give(&mut row.south, &mut below.due, NORTH);
            }
        }
    }
}

fn give(wishes: &mut [f32], due: &mut [Due], side: u8) {
    for (wish, due) in wishes.iter_mut().zip(due) {
        due.wake(*wish, side);
        *wish = f32::INFINITY;
    }
}

/// What the rows of one half round share.
#[derive(Clone, Copy)]
struct Phase<'a> {
    cost: &'a Grid<f32>,
    sheared: &'a ShearedCost,
    limit: f32,
    arch: pulp::Arch,
    params: RunParams,
    parity: usize,
}

impl TileRow {
    fn is_due(&self, limit: f32) -> bool {
        self.due.iter().any(|due| due.key <= limit)
    }

    /// Visits the tiles of this row that are due now (not those that these visits wake).
    fn visit_due(&mut self, i: usize, slab: &mut [f32], beside: &[&mut [f32]], phase: Phase<'_>) {
        let width = phase.cost.width();
        let ty = 2 * i + phase.parity;
        let costs = phase.cost.as_slice();
        let y0 = ty * TILE_H;
        let above = if phase.parity == 0 { i.checked_sub(1) } else { Some(i) };
        let below = if phase.parity == 0 { i } else { i + 1 };
        let above = above.map(|i| &*beside[i]);
        let below = beside.get(below).map(|rows| &**rows);
        let mut slab = Slab {
            cost: &costs[y0 * width..][..slab.len()],
            above: above.map(|r| (&r[r.len() - width..], &costs[(y0 - 1) * width..][..width])),
            below: below.map(|r| (&r[..width], &costs[(y0 + TILE_H) * width..][..width])),
            phi: slab,
            width,
        };
        // A visit wakes the tile to its right, which must wait for the next round: hold it back.
        let mut from_west = f32::INFINITY;
        for tx in 0..self.due.len() {
            let due = self.due[tx];
            let mut east = f32::INFINITY;
            if due.key <= phase.limit {
                self.due[tx] = NOT_DUE;
                let wake = self.visit_tile(&mut slab, tx, ty, due.inflow, phase);
                self.north[tx] = self.north[tx].min(wake.north);
                self.south[tx] = self.south[tx].min(wake.south);
                self.lost[tx] = self.lost[tx].min(wake.lost);
                if tx > 0 {
                    self.due[tx - 1].wake(wake.west, EAST);
                }
                east = wake.east;
            }
            self.due[tx].wake(from_west, WEST);
            from_west = east;
        }
    }

    fn visit_tile(
        &mut self,
        slab: &mut Slab<'_>,
        tx: usize,
        ty: usize,
        inflow: u8,
        phase: Phase<'_>,
    ) -> Wake {
        self.visits += 1;
        let from = self.sources.partition_point(|s| (s.0 as usize) < tx);
        let to = self.sources.partition_point(|s| s.0 as usize <= tx);
        let visit = Visit {
            arch: phase.arch,
            mode: phase.params.mode,
            tx,
            costs: phase.sheared.tile(tx, ty),
            inflow,
            sources: &self.sources[from..to],
        };
        self.scratch.visit(slab, visit)
    }
}
