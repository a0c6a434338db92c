//! The counting sort, on all cores.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::{BinFrame, Bins};
use crate::agents::{Agents, CHUNK, DEAD};

/// Up to so many threads one alone counts faster than all of them by atomic additions.
const FEW_THREADS: usize = 4;

/// The bins, and the memory they are made in.
#[derive(Debug)]
pub(crate) struct Binning {
    frame: BinFrame,
    /// First agent of each bin; one more bin is for the dead, and two more places are for counting.
    start: Vec<AtomicU32>,
    /// Old place of each agent, in the new order.
    order: Vec<AtomicU32>,
}

impl Binning {
    pub(crate) fn new(frame: BinFrame) -> Self {
        Self {
            frame,
            start: (0..frame.bins() + 3).map(|_| AtomicU32::new(0)).collect(),
            order: Vec::new(),
        }
    }

    /// The bins as of the last sort.
    pub(crate) fn bins(&self) -> Bins<'_> {
        Bins { frame: self.frame, start: &self.start[..=self.frame.bins()] }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.order.capacity())
    }

    /// Sorts the agents by bin, leaving out the dead. Gives how many were left out. `scratch` is memory
    /// of a word for each agent.
    pub(crate) fn sort(&mut self, agents: &mut Agents, scratch: &mut [u32]) -> usize {
        let len = agents.len();
        let scratch = &mut scratch[..len];
        if self.order.len() < len {
            self.order.reserve_exact(len - self.order.len());
            self.order.resize_with(len, AtomicU32::default);
        }
        self.find_bins(agents, scratch);
        self.count(scratch);
        self.scan();
        self.scatter(scratch);
        let alive = *self.start[self.frame.bins()].get_mut() as usize;
        let start = &self.start[..=self.frame.bins()];
        sort_rows(start, self.frame.columns, 0, &mut self.order[..alive], &agents.id);
        agents.permute(&self.order[..alive], scratch);
        len - alive
    }

    /// Writes the bin of each agent, in the old order.
    fn find_bins(&self, agents: &Agents, bin: &mut [u32]) {
        let frame = self.frame;
        let dead = frame.bins() as u32;
        bin.par_chunks_mut(8 * CHUNK).enumerate().for_each(|(chunk, bins)| {
            for (bin, i) in bins.iter_mut().zip(chunk * 8 * CHUNK..) {
                let (column, row) = (frame.column(agents.x[i]), frame.row(agents.y[i]));
                let alive = (row * frame.columns + column) as u32;
                *bin = if agents.traits[i].has(DEAD) { dead } else { alive };
            }
        });
    }

    /// Counts the agents of each bin, two places on.
    fn count(&mut self, bin: &[u32]) {
        self.start.par_iter_mut().with_min_len(1 << 14).for_each(|s| *s.get_mut() = 0);
        if rayon::current_num_threads() <= FEW_THREADS {
            for &bin in bin {
                *self.start[bin as usize + 2].get_mut() += 1;
            }
            return;
        }
        // The sum does not depend on who comes first.
        let start = &self.start;
        bin.par_iter().with_min_len(8 * CHUNK).for_each(|&bin| {
            start[bin as usize + 2].fetch_add(1, Ordering::Relaxed);
        });
    }

    /// Counts become starts, one place on.
    fn scan(&mut self) {
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start.get_mut();
            *start.get_mut() = sum;
        }
    }

    /// Writes the order. Each start moves on with the agents of its bin, and so becomes that of the next.
    fn scatter(&mut self, bin: &[u32]) {
        // Any order within a bin will do: it is sorted by ID next.
        if rayon::current_num_threads() <= FEW_THREADS {
            for (&bin, i) in bin.iter().zip(0..) {
                let at = self.start[bin as usize + 1].get_mut();
                *self.order[*at as usize].get_mut() = i;
                *at += 1;
            }
            return;
        }
        let (order, start) = (&self.order, &self.start);
        bin.par_iter().enumerate().with_min_len(8 * CHUNK).for_each(|(i, &bin)| {
            let at = start[bin as usize + 1].fetch_add(1, Ordering::Relaxed);
            order[at as usize].store(i as u32, Ordering::Relaxed);
        });
    }
}

/// IDs ascending within each bin.
fn sort_rows(
    start: &[AtomicU32],
    columns: usize,
    offset: usize,
    order: &mut [AtomicU32],
    id: &[u32],
) {
    let bins = start.len() - 1;
    let at = |bin: usize| start[bin].load(Ordering::Relaxed) as usize;
    if bins > 16 * columns.max(64) {
        let middle = bins / 2;
        let (low, high) = order.split_at_mut(at(middle) - offset);
        rayon::join(
            || sort_rows(&start[..=middle], columns, offset, low, id),
            || sort_rows(&start[middle..], columns, at(middle), high, id),
        );
        return;
    }
    let id = |place: &AtomicU32| id[place.load(Ordering::Relaxed) as usize];
    for bin in 0..bins {
        let agents = &mut order[at(bin) - offset..at(bin + 1) - offset];
        // Few have come or gone since the last time, so most bins are in order.
        if !agents.is_sorted_by(|a, b| id(a) < id(b)) {
            agents.sort_unstable_by_key(id);
        }
    }
}
