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
    start: Vec<u32>,
    cursor: Vec<AtomicU32>,
    /// Old place of each agent, in the new order.
    order: Vec<AtomicU32>,
}

impl Binning {
    pub(crate) fn new(frame: BinFrame) -> Self {
        Self {
            frame,
            start: vec![0; frame.bins() + 1],
            cursor: (0..=frame.bins()).map(|_| AtomicU32::new(0)).collect(),
            order: Vec::new(),
        }
    }

    /// The bins as of the last sort.
    pub(crate) fn bins(&self) -> Bins<'_> {
        Bins { frame: self.frame, start: &self.start }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.cursor.capacity() + self.order.capacity())
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
        let alive = self.scan();
        self.scatter(scratch);
        sort_rows(&self.start, self.frame.columns, 0, &mut self.order[..alive], &agents.id);
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

    fn count(&mut self, bin: &[u32]) {
        self.cursor.par_iter_mut().with_min_len(1 << 14).for_each(|c| *c.get_mut() = 0);
        if rayon::current_num_threads() <= FEW_THREADS {
            for &bin in bin {
                *self.cursor[bin as usize].get_mut() += 1;
            }
            return;
        }
        // The sum does not depend on who comes first.
        let cursor = &self.cursor;
        bin.par_iter().with_min_len(8 * CHUNK).for_each(|&bin| {
            cursor[bin as usize].fetch_add(1, Ordering::Relaxed);
        });
    }

    /// Counts become starts; gives the number of the living.
    fn scan(&mut self) -> usize {
        let mut sum = 0;
        for (start, cursor) in self.start.iter_mut().zip(&mut self.cursor) {
            *start = sum;
            let count = std::mem::replace(cursor.get_mut(), sum);
            sum += count;
        }
        self.start[self.frame.bins()] as usize
    }

    fn scatter(&mut self, bin: &[u32]) {
        // Any order within a bin will do: it is sorted by ID next.
        if rayon::current_num_threads() <= FEW_THREADS {
            for (&bin, i) in bin.iter().zip(0..) {
                let at = self.cursor[bin as usize].get_mut();
                *self.order[*at as usize].get_mut() = i;
                *at += 1;
            }
            return;
        }
        let (order, cursor) = (&self.order, &self.cursor);
        bin.par_iter().enumerate().with_min_len(8 * CHUNK).for_each(|(i, &bin)| {
            let at = cursor[bin as usize].fetch_add(1, Ordering::Relaxed);
            order[at as usize].store(i as u32, Ordering::Relaxed);
        });
    }
}

/// IDs ascending within each bin.
fn sort_rows(start: &[u32], columns: usize, offset: usize, order: &mut [AtomicU32], id: &[u32]) {
    let bins = start.len() - 1;
    if bins > 16 * columns.max(64) {
        let middle = bins / 2;
        let cut = start[middle] as usize - offset;
        let (low, high) = order.split_at_mut(cut);
        rayon::join(
            || sort_rows(&start[..=middle], columns, offset, low, id),
            || sort_rows(&start[middle..], columns, start[middle] as usize, high, id),
        );
        return;
    }
    let id = |place: &AtomicU32| id[place.load(Ordering::Relaxed) as usize];
    for bin in start.windows(2) {
        let agents = &mut order[bin[0] as usize - offset..bin[1] as usize - offset];
        // Few have come or gone since the last time, so most bins are in order.
        if !agents.is_sorted_by(|a, b| id(a) < id(b)) {
            agents.sort_unstable_by_key(id);
        }
    }
}
