//! Bin: who is near whom.
//!
//! Takes positions; gives a uniform grid of bins over the world, each with the agents in it. Agents
//! are reordered so that those of a bin, and the bins of a row, lie side by side: a neighbourhood is a
//! few contiguous ranges. Within a bin IDs ascend, so the order is the same on any number of threads.
//! A counting sort: no bin has a capacity, none can overflow.
//!
//! Agents off the world count as in the nearest bin at its edge. Dead agents are left out.

mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
#[cfg(test)]
mod reference;
mod room;

pub(crate) use cpu::Binning;

use glam::Vec2;
use throng_world::world::Rect;

/// More bins than this and they get larger.
const MAX_BINS: usize = 1 << 22;

/// Where the bins are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinFrame {
    /// Lower left corner of the first bin (metres).
    pub origin: Vec2,
    /// Side of a bin (metres).
    pub size: f32,
    /// Bins across.
    pub columns: usize,
    /// Bins along y.
    pub rows: usize,
    per_size: f32,
}

impl BinFrame {
    /// Bins of about `size` over a rectangle; larger ones where there would be too many.
    pub fn over(bounds: Rect, size: f32) -> Self {
        let extent = bounds.size().max(Vec2::splat(1e-3));
        let mut size = size;
        while (extent.x / size + 1.0) as f64 * (extent.y / size + 1.0) as f64 > MAX_BINS as f64 {
            size *= 1.5;
        }
        let count = |length: f32| ((length / size).ceil() as usize).max(1);
        Self {
            origin: bounds.min,
            size,
            columns: count(extent.x),
            rows: count(extent.y),
            per_size: 1.0 / size,
        }
    }

    /// Bins in a metre.
    #[cfg(feature = "gpu")]
    pub(crate) fn per_size(&self) -> f32 {
        self.per_size
    }

    /// Number of bins.
    pub fn bins(&self) -> usize {
        self.columns * self.rows
    }

    /// Column of a position, clamped to the grid.
    #[inline(always)]
    pub(crate) fn column(&self, x: f32) -> usize {
        clamp_index((x - self.origin.x) * self.per_size, self.columns)
    }

    /// Row of a position, clamped to the grid.
    #[inline(always)]
    pub(crate) fn row(&self, y: f32) -> usize {
        clamp_index((y - self.origin.y) * self.per_size, self.rows)
    }
}

#[inline(always)]
fn clamp_index(v: f32, count: usize) -> usize {
    // A cast from NaN gives 0. By way of `i32`, which processors convert to at once.
    (v as i32).clamp(0, count as i32 - 1) as usize
}

/// The bins of a step, for whoever looks for neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bins<'a> {
    pub(crate) frame: BinFrame,
    /// First agent of each bin, and the number of agents at the end.
    start: &'a [u32],
    /// Open ground within one bin of each bin, in bins.
    room: &'a [f32],
}

impl Bins<'_> {
    /// First agent of a bin; behind the last bin the number of agents.
    #[inline(always)]
    pub(crate) fn start(&self, bin: usize) -> usize {
        self.start[bin] as usize
    }

    /// Agents in the bins of row `row` from column `first` to `last`.
    #[inline(always)]
    pub(crate) fn range(&self, row: usize, first: usize, last: usize) -> (usize, usize) {
        let base = row * self.frame.columns;
        (self.start(base + first), self.start(base + last + 1))
    }

    /// Agents within one bin of a bin, and the open ground there, in bins.
    pub(crate) fn count_around(&self, column: usize, row: usize) -> (u32, f32) {
        let mut people = [0];
        self.people_around(row, column, &mut people);
        (people[0], self.room[row * self.frame.columns + column])
    }

    /// Open ground within one bin of each bin, in bins; row by row.
    pub(crate) fn room(&self) -> &[f32] {
        self.room
    }

    /// Agents within one bin of each of some bins of a row, from column `left` on.
    pub(crate) fn people_around(&self, row: usize, left: usize, people: &mut [u32]) {
        people.fill(0);
        let columns = self.frame.columns;
        for row in row.saturating_sub(1)..=(row + 1).min(self.frame.rows - 1) {
            let base = row * columns;
            let starts = &self.start[base..=base + columns];
            let edge = |column: usize| {
                starts[(column + 2).min(columns)] - starts[column.saturating_sub(1)]
            };
            let Some((first, inner)) = people.split_first_mut() else { return };
            *first += edge(left);
            let Some((last, inner)) = inner.split_last_mut() else { continue };
            *last += edge(left + inner.len() + 1);
            // All between have bins on both sides.
            let bounds = starts[left..].iter().zip(&starts[left + 3..]);
            for (people, (begin, end)) in inner.iter_mut().zip(bounds) {
                *people += end - begin;
            }
        }
    }
}
