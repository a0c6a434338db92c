//! The counting sort, on all cores.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::{BinFrame, Bins};
use crate::agents::{Agents, CHUNK, DEAD};

/// The bins, and the memory they are made in.
#[derive(Debug)]
pub(crate) struct Binning {
    frame: BinFrame,
    start: Vec<u32>,
    cursor: Vec<AtomicU32>,
    /// Bin of each agent, in the old order.
    bin: Vec<u32>,
    /// ID (high half) and old place (low half) of each agent, in the new order.
    order: Vec<AtomicU64>,
}

impl Binning {
    pub(crate) fn new(frame: BinFrame) -> Self {
        Self {
            frame,
            start: vec![0; frame.bins() + 1],
            cursor: (0..=frame.bins()).map(|_| AtomicU32::new(0)).collect(),
            bin: Vec::new(),
            order: Vec::new(),
        }
    }

    /// The bins as of the last sort.
    pub(crate) fn bins(&self) -> Bins<'_> {
        Bins { frame: self.frame, start: &self.start }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.start.capacity() + self.cursor.capacity() + self.bin.capacity())
            + 8 * self.order.capacity()
    }

    /// Sorts the agents by bin, leaving out the dead. Gives how many were left out.
    pub(crate) fn sort(&mut self, agents: &mut Agents) -> usize {
        let len = agents.len();
        self.bin.resize(len, 0);
        self.order.resize_with(len, AtomicU64::default);
        self.count(agents);
        let alive = self.scan();
        self.scatter(agents);
        self.order_bins();
        agents.permute(&self.order[..alive]);
        len - alive
    }

    fn count(&mut self, agents: &Agents) {
        self.cursor.par_iter_mut().with_min_len(1 << 14).for_each(|c| *c.get_mut() = 0);
        let (frame, cursor) = (self.frame, &self.cursor);
        let dead = frame.bins() as u32;
        let chunks = self.bin.par_chunks_mut(8 * CHUNK).enumerate();
        chunks.for_each(|(chunk, bins)| {
            for (bin, i) in bins.iter_mut().zip(chunk * 8 * CHUNK..) {
                *bin = if agents.traits[i].has(DEAD) {
                    dead
                } else {
                    let (column, row) = (frame.column(agents.x[i]), frame.row(agents.y[i]));
                    (row * frame.columns + column) as u32
                };
                // The sum does not depend on who comes first.
                cursor[*bin as usize].fetch_add(1, Ordering::Relaxed);
            }
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

    fn scatter(&mut self, agents: &Agents) {
        // Any order within a bin will do: it is sorted by ID next.
        let (order, cursor) = (&self.order, &self.cursor);
        self.bin.par_chunks(8 * CHUNK).enumerate().for_each(|(chunk, bins)| {
            for (&bin, i) in bins.iter().zip(chunk * 8 * CHUNK..) {
                let at = cursor[bin as usize].fetch_add(1, Ordering::Relaxed);
                let pair = u64::from(agents.id[i]) << 32 | i as u64;
                order[at as usize].store(pair, Ordering::Relaxed);
            }
        });
    }

    /// IDs ascending within each bin.
    fn order_bins(&mut self) {
        sort_rows(&self.start, self.frame.columns, 0, &mut self.order);
    }
}

fn sort_rows(start: &[u32], columns: usize, offset: usize, order: &mut [AtomicU64]) {
    let bins = start.len() - 1;
    if bins > 16 * columns.max(64) {
        let middle = bins / 2;
        let cut = start[middle] as usize - offset;
        let (low, high) = order.split_at_mut(cut);
        rayon::join(
            || sort_rows(&start[..=middle], columns, offset, low),
            || sort_rows(&start[middle..], columns, start[middle] as usize, high),
        );
        return;
    }
    for bin in start.windows(2) {
        let agents = &mut order[bin[0] as usize - offset..bin[1] as usize - offset];
        if agents.len() > 1 {
            agents.sort_unstable_by_key(|pair| pair.load(Ordering::Relaxed));
        }
    }
}
