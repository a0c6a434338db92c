//! The list of active tiles, and the rounds that empty it.
//!
//! A tile is due when a value beside it changed so that it may change too. A round visits the due tiles
//! whose lowest changed value is within a slack of the lowest of all: those behind would be visited
//! again anyway (the idea of delta-stepping, Meyer and Sanders 2003, on tiles). Even rows of tiles go
//! first, odd rows second; rows of one parity do not touch each other, so they run in parallel and
//! the result does not depend on the number of threads. The locks are never contended: they show the
//! compiler what the parities guarantee.

use super::kernel::Mode;
use super::shear::{ShearedCost, TILE_H, TILE_W};
use super::visit::{ANY_SIDE, EAST, NORTH, SOUTH, Slab, TileScratch, Visit, WEST};
use crate::crew::with_crew;
use crate::grid::{Cell, Grid};
use crate::solve::Source;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

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
    due: Vec<Due>,
    /// What this row's visits want of the rows above and below, by column.
    north: Vec<f32>,
    south: Vec<f32>,
    /// A bound below the values that changed, by column: where refilling has to begin after raising.
    lost: Vec<f32>,
    /// Sources by column of tiles, with column and row inside the tile.
    sources: Vec<(u32, (u8, u8))>,
    visits: u64,
}

/// Active tiles of one field, and memory to visit them.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    rows: Vec<TileRow>,
    across: usize,
    /// One for each worker: few, so that they stay in the nearest cache.
    scratch: Vec<TileScratch>,
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
        self.rows.resize_with(cost.height().div_ceil(TILE_H), || TileRow {
            due: Vec::new(),
            north: Vec::new(),
            south: Vec::new(),
            lost: Vec::new(),
            sources: Vec::new(),
            visits: 0,
        });
        for row in &mut self.rows {
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

    /// Makes a tile due.
    pub(crate) fn wake_tile(&mut self, tile: usize, key: f32) {
        let (tx, ty) = (tile % self.across, tile / self.across);
        self.rows[ty].due[tx].wake(key, ANY_SIDE);
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
            self.rows[y / TILE_H].sources.push(((x / TILE_W) as u32, inside));
        }
        for row in &mut self.rows {
            row.sources.sort_unstable();
            row.sources.dedup();
        }
    }

    /// Takes from every row of tiles what raising took away: tile and a bound below the values.
    pub(crate) fn take_lost(&mut self, mut f: impl FnMut(&mut Self, usize, f32)) {
        for ty in 0..self.rows.len() {
            for tx in 0..self.across {
                let lost = std::mem::replace(&mut self.rows[ty].lost[tx], f32::INFINITY);
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
        // No more helpers than rows of one parity that they could take from the driver.
        let threads = if params.parallel { rayon::current_num_threads() } else { 1 };
        let helpers = threads.min(self.rows.len().div_ceil(2)).saturating_sub(1);
        if self.scratch.len() <= helpers {
            self.scratch.resize_with(helpers + 1, TileScratch::new);
        }
        let before: u64 = self.rows.iter().map(|row| row.visits).sum();
        let slabs = out.as_mut_slice().chunks_mut(TILE_H * cost.width());
        let slots = self.rows.iter_mut().zip(slabs);
        let job = Job {
            cost,
            sheared,
            arch: pulp::Arch::new(),
            mode: params.mode,
            slots: slots.map(|(row, phi)| RwLock::new(Slot { row, phi })).collect(),
            scratch: self.scratch.iter_mut().map(Mutex::new).collect(),
            turn: RwLock::new(Turn { rows: Vec::new(), limit: 0.0 }),
        };
        let visit = |worker: usize, item: usize| job.visit_row(worker, item);
        let (rounds, finished) = with_crew(helpers, &visit, |crew| {
            let mut rounds = 0;
            while let Some(lowest) = job.lowest() {
                if params.max_rounds.is_some_and(|max| rounds >= max) {
                    return (rounds, false);
                }
                rounds += 1;
                // At large values a slack below the rounding would visit one tile at a time.
                let limit = (lowest + params.slack).max(lowest * (1.0 + 1e-6)).min(f32::MAX);
                for parity in 0..2 {
                    let items = job.begin_turn(parity, limit);
                    crew.phase(items);
                    job.pass_on();
                }
            }
            (rounds, true)
        });
        drop(job);
        let after: u64 = self.rows.iter().map(|row| row.visits).sum();
        Tally { rounds, visits: after - before, finished }
    }
}

/// A row of tiles with its part of the field.
struct Slot<'a> {
    row: &'a mut TileRow,
    phi: &'a mut [f32],
}

/// The rows of one parity that have tiles due now.
struct Turn {
    rows: Vec<usize>,
    limit: f32,
}

/// One run, as all threads see it.
struct Job<'a> {
    cost: &'a Grid<f32>,
    sheared: &'a ShearedCost,
    arch: pulp::Arch,
    mode: Mode,
    slots: Vec<RwLock<Slot<'a>>>,
    scratch: Vec<Mutex<&'a mut TileScratch>>,
    turn: RwLock<Turn>,
}

/// A poisoned lock means that another thread panicked, and that panic is on its way to the caller.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

impl Job<'_> {
    /// Lowest key of all tiles that are due.
    fn lowest(&self) -> Option<f32> {
        let rows = self.slots.iter().map(|slot| read(slot).row.lowest());
        Some(rows.fold(f32::INFINITY, f32::min)).filter(|&low| low < f32::INFINITY)
    }

    /// Lists the rows to visit; how many there are.
    fn begin_turn(&self, parity: usize, limit: f32) -> usize {
        let mut turn = write(&self.turn);
        turn.limit = limit;
        turn.rows.clear();
        let rows = (parity..self.slots.len()).step_by(2);
        turn.rows.extend(rows.filter(|&ty| read(&self.slots[ty]).row.lowest() <= limit));
        turn.rows.len()
    }

    /// Visits the due tiles of one row of this turn.
    fn visit_row(&self, worker: usize, item: usize) {
        let turn = read(&self.turn);
        let ty = turn.rows[item];
        let width = self.cost.width();
        let costs = self.cost.as_slice();
        let y0 = ty * TILE_H;
        let above = ty.checked_sub(1).map(|ty| read(&self.slots[ty]));
        let below = self.slots.get(ty + 1).map(read);
        let mut slot = write(&self.slots[ty]);
        let Slot { row, phi } = &mut *slot;
        let slab = Slab {
            cost: &costs[y0 * width..][..phi.len()],
            above: above.as_ref().map(|slot| {
                (&slot.phi[slot.phi.len() - width..], &costs[(y0 - 1) * width..][..width])
            }),
            below: below
                .as_ref()
                .map(|slot| (&slot.phi[..width], &costs[(y0 + TILE_H) * width..][..width])),
            phi,
            width,
        };
        let mut scratch = self.scratch[worker].lock().unwrap_or_else(PoisonError::into_inner);
        row.visit_due(slab, ty, turn.limit, self, &mut scratch);
    }

    /// Hands the wishes of the rows just visited to their neighbours.
    fn pass_on(&self) {
        for &ty in &read(&self.turn).rows {
            let mut slot = write(&self.slots[ty]);
            if let Some(above) = ty.checked_sub(1) {
                give(&mut slot.row.north, &mut write(&self.slots[above]).row.due, SOUTH);
            }
            if let Some(below) = self.slots.get(ty + 1) {
                give(&mut slot.row.south, &mut write(below).row.due, NORTH);
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

impl TileRow {
    /// Lowest key of the tiles that are due.
    fn lowest(&self) -> f32 {
        self.due.iter().fold(f32::INFINITY, |low, due| low.min(due.key))
    }

    /// Visits the tiles of this row that are due now (not those that these visits wake).
    fn visit_due(
        &mut self,
        mut slab: Slab<'_>,
        ty: usize,
        limit: f32,
        job: &Job<'_>,
        scratch: &mut TileScratch,
    ) {
        // A visit wakes the tile to its right, which must wait for the next round: hold it back.
        let mut from_west = f32::INFINITY;
        for tx in 0..self.due.len() {
            let due = self.due[tx];
            let mut east = f32::INFINITY;
            if due.key <= limit {
                self.due[tx] = NOT_DUE;
                self.visits += 1;
                let wake = scratch.visit(&mut slab, self.visit(tx, ty, due.inflow, job));
                self.north[tx] = self.north[tx].min(wake.north);
                self.south[tx] = self.south[tx].min(wake.south);
                if wake.changed {
                    // What was lost here lay above what was lost beside it.
                    self.lost[tx] = self.lost[tx].min(due.key);
                }
                if tx > 0 {
                    self.due[tx - 1].wake(wake.west, EAST);
                }
                east = wake.east;
            }
            self.due[tx].wake(from_west, WEST);
            from_west = east;
        }
    }

    fn visit<'a>(&'a self, tx: usize, ty: usize, inflow: u8, job: &'a Job<'_>) -> Visit<'a> {
        let from = self.sources.partition_point(|s| (s.0 as usize) < tx);
        let to = self.sources.partition_point(|s| s.0 as usize <= tx);
        Visit {
            arch: job.arch,
            mode: job.mode,
            tx,
            costs: job.sheared.tile(tx, ty),
            inflow,
            sources: &self.sources[from..to],
        }
    }
}
