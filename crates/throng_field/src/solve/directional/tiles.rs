//! Rounds over the tiles that are due, those with the lowest values first.
//!
//! A round takes the tiles that wait for a value near the lowest, visits them side by side, and writes
//! back; then it makes due what the visits left on their rims.

use super::Problem;
use super::sweep::{INSIDE, RIMMED, SIDE, Sweep, Visit};
use crate::grid::Grid;
use crate::solve::Source;
use rayon::prelude::*;

/// How far above the lowest waiting value a tile may be to be visited in the same round, in mean steps
/// times the side of a tile. More keeps more cores busy, less visits fewer tiles twice. Measured.
const SLACK: f32 = 0.5;

/// Visits in a round below which one thread makes them all.
const PARALLEL_FROM: usize = 4;

/// What the rounds came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    pub(super) rounds: u64,
    pub(super) updates: u64,
    /// Whether nothing is due any more.
    pub(super) finished: bool,
}

/// A tile between visits.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Which cells are due, a row of bits each, bit 0 the first cell.
    due: [u32; SIDE],
    /// Lowest value that made one of them due; infinite if none is.
    lowest: f32,
}

const IDLE: Waiting = Waiting { due: [0; SIDE], lowest: f32::INFINITY };

/// The tiles of a grid. Scratch memory only.
#[derive(Debug, Default)]
pub(super) struct Tiles {
    across: usize,
    size: (usize, usize),
    waiting: Vec<Waiting>,
    /// Tiles that are due.
    queue: Vec<u32>,
    /// Visits of the round.
    visits: Vec<Visit>,
}

impl Tiles {
    /// How much scratch memory is held, in entries.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.waiting.capacity() + self.queue.capacity() + self.visits.capacity()
    }

    /// Lowers `phi`, which holds the sources and is infinite elsewhere, to the solution.
    pub(super) fn solve(
        &mut self,
        problem: Problem<'_>,
        sources: &[Source],
        max_rounds: Option<u64>,
        phi: &mut Grid<f32>,
    ) -> Tally {
        self.prepare(phi);
        for source in sources {
            self.wake_around(source);
        }
        let slack = SLACK * SIDE as f32 * mean_step(problem.cost);
        let mut tally = Tally { rounds: 0, updates: 0, finished: true };
        while !self.queue.is_empty() {
            if max_rounds.is_some_and(|limit| tally.rounds >= limit) {
                tally.finished = false;
                break;
            }
            tally.rounds += 1;
            let visits = self.choose(slack);
            self.visit(problem, phi, visits);
            for i in 0..visits {
                tally.updates += self.visits[i].updates;
                self.write_back(i, phi);
            }
        }
        tally
    }

    fn prepare(&mut self, phi: &Grid<f32>) {
        self.size = (phi.width(), phi.height());
        self.across = phi.width().div_ceil(SIDE);
        self.queue.clear();
        self.waiting.clear();
        self.waiting.resize(self.across * phi.height().div_ceil(SIDE), IDLE);
    }

    /// Makes the neighbours of a source due.
    fn wake_around(&mut self, source: &Source) {
        let (x, y) = (source.cell.x as usize, source.cell.y as usize);
        for y in y.saturating_sub(1)..=(y + 1).min(self.size.1 - 1) {
            for x in x.saturating_sub(1)..=(x + 1).min(self.size.0 - 1) {
                self.wake((x / SIDE, y / SIDE), y % SIDE, 1 << (x % SIDE), source.start);
            }
        }
    }

    /// Makes cells of one row of a tile due, because of a value.
    fn wake(&mut self, tile: (usize, usize), row: usize, bits: u32, value: f32) {
        let index = tile.1 * self.across + tile.0;
        let waiting = &mut self.waiting[index];
        if waiting.lowest == f32::INFINITY {
            self.queue.push(index as u32);
        }
        waiting.due[row] |= bits;
        waiting.lowest = waiting.lowest.min(value);
    }

    /// Moves the tiles to visit from the queue to the visits; how many.
    fn choose(&mut self, slack: f32) -> usize {
        let lowest = |i: &u32| self.waiting[*i as usize].lowest;
        let limit = self.queue.iter().map(lowest).fold(f32::INFINITY, f32::min) + slack;
        let mut chosen = 0;
        let (waiting, visits, across) = (&mut self.waiting, &mut self.visits, self.across);
        self.queue.retain(|&tile| {
            let tile = tile as usize;
            if waiting[tile].lowest > limit {
                return true;
            }
            if chosen == visits.len() {
                visits.push(Visit::EMPTY);
            }
            let visit = &mut visits[chosen];
            chosen += 1;
            let taken = std::mem::replace(&mut waiting[tile], IDLE);
            visit.tile = (tile % across, tile / across);
            visit.due = [0; RIMMED];
            for (to, from) in visit.due[1..].iter_mut().zip(taken.due) {
                *to = from << 1;
            }
            false
        });
        chosen
    }

    fn visit(&mut self, problem: Problem<'_>, phi: &Grid<f32>, visits: usize) {
        let arch = pulp::Arch::new();
        let sweep = |visit| {
            arch.dispatch(Sweep { problem, phi, visit });
        };
        let visits = &mut self.visits[..visits];
        if visits.len() < PARALLEL_FROM {
            visits.iter_mut().for_each(sweep);
        } else {
            visits.par_iter_mut().for_each(sweep);
        }
    }

    /// Writes the values of a visit to the field, and makes due what it left on its rim.
    fn write_back(&mut self, index: usize, phi: &mut Grid<f32>) {
        let visit = &self.visits[index];
        let width = phi.width();
        for (local, y, columns) in visit.rows(self.size) {
            let from = &visit.values[local..local + columns.len()];
            phi.as_mut_slice()[y * width..][columns].copy_from_slice(from);
        }
        for row in 0..RIMMED {
            if self.visits[index].due[row] != 0 {
                self.wake_rim(index, row);
            }
        }
    }

    /// Makes due what a visit left on one row of its rim.
    fn wake_rim(&mut self, index: usize, row: usize) {
        let visit = &self.visits[index];
        let ((x, y), due) = (visit.tile, visit.due[row]);
        let nearest = row.clamp(1, SIDE) * RIMMED;
        let values = &visit.values[nearest..nearest + RIMMED];
        let (west, east) = (values[1], values[SIDE]);
        let middle = (1..=SIDE)
            .filter(|bit| due >> bit & 1 != 0)
            .map(|bit| values[bit])
            .fold(f32::INFINITY, f32::min);
        let (y, row) = match row {
            0 => (y - 1, SIDE - 1),
            r if r > SIDE => (y + 1, 0),
            r => (y, r - 1),
        };
        if due & 1 != 0 {
            self.wake((x - 1, y), row, 1 << (SIDE - 1), west);
        }
        if due & INSIDE != 0 {
            self.wake((x, y), row, (due & INSIDE) >> 1, middle);
        }
        if due >> SIDE >> 1 != 0 {
            self.wake((x + 1, y), row, 1, east);
        }
    }
}

/// Mean of cost times cell size over the free cells.
fn mean_step(cost: &Grid<f32>) -> f32 {
    let free = |c: &&f32| **c < f32::INFINITY;
    let (sum, count) = cost
        .as_slice()
        .iter()
        .filter(free)
        .fold((0.0f64, 0u32), |(sum, count), &c| (sum + f64::from(c), count + 1));
    (sum / f64::from(count.max(1))) as f32 * cost.cell_size()
}
