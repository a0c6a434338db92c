//! The counting sort, on all cores.
//!
//! From one step to the next few people get far. So the rows of bins are cut into parts, one a thread, and
//! each thread counts and places those who were in its part before; the few who left it, strays, and those
//! who are new are added by one thread. Nobody shares a counter.

use std::ops::Range;

use throng_field::Grid;

use super::{BinFrame, Bins, room};
use crate::agents::{Agents, DEAD, Spare};

/// The bins, and the memory they are made in.
#[derive(Debug)]
pub(crate) struct Binning {
    frame: BinFrame,
    /// First agent of each bin; one more bin is for the dead, and two more places are for counting.
    start: Vec<u32>,
    /// Old place of each agent, in the new order.
    order: Vec<u32>,
    parts: Vec<Part>,
    /// Open ground within one bin of each bin, in bins.
    room: Vec<f32>,
}

/// Some rows of bins, and the agents who were there after the last sort.
#[derive(Debug, Default)]
struct Part {
    bins: Range<usize>,
    agents: Range<usize>,
    /// Those of them who are elsewhere now.
    strays: Vec<u32>,
}

impl Binning {
    /// `clearance`: the distance to walls.
    pub(crate) fn new(frame: BinFrame, clearance: &Grid<f32>) -> Self {
        Self {
            frame,
            start: vec![0; frame.bins() + 3],
            order: Vec::new(),
            parts: Vec::new(),
            room: room::around(frame, clearance),
        }
    }

    /// Takes note that walls have changed.
    pub(crate) fn survey(&mut self, clearance: &Grid<f32>) {
        self.room = room::around(self.frame, clearance);
    }

    /// The bins as of the last sort.
    pub(crate) fn bins(&self) -> Bins<'_> {
        Bins { frame: self.frame, start: &self.start[..=self.frame.bins()], room: &self.room }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let strays: usize = self.parts.iter().map(|part| part.strays.capacity()).sum();
        4 * (self.start.capacity() + self.order.capacity() + self.room.capacity() + strays)
    }

    /// Sorts the agents by bin, leaving out the dead. Gives how many were left out. `scratch` is memory
    /// of a word for each agent, `spare` memory that agents may be moved into.
    pub(crate) fn sort(
        &mut self,
        agents: &mut Agents,
        scratch: &mut [u32],
        spare: Spare<'_>,
    ) -> usize {
        let len = agents.len();
        let bin = &mut scratch[..len];
        if self.order.len() < len {
            self.order.reserve_exact(len - self.order.len());
            self.order.resize(len, 0);
        }
        let known = self.cut(len);
        self.count(agents, bin, known);
        self.scan();
        self.place(bin, known);
        let alive = self.start[self.frame.bins()] as usize;
        let start = &self.start[..=self.frame.bins()];
        sort_rows(start, self.frame.columns, 0, &mut self.order[..alive], &agents.id);
        agents.permute(&self.order[..alive], scratch, spare);
        len - alive
    }

    /// Cuts the rows into parts with about as many agents each, by the bins of the last sort. Gives how many
    /// agents they hold: any after those are new.
    fn cut(&mut self, len: usize) -> usize {
        let count = rayon::current_num_threads().max(1);
        self.parts.resize_with(count, Part::default);
        let BinFrame { columns, rows, .. } = self.frame;
        let start = |row: usize| (self.start[row * columns] as usize).min(len);
        let known = start(rows);
        let (mut row, mut part) = (0, 0);
        for out in &mut self.parts {
            part += 1;
            let wanted = known * part / count;
            let mut end = row;
            while end < rows && (part == count || start(end) < wanted) {
                end += 1;
            }
            out.bins = row * columns..end * columns;
            out.agents = start(row)..start(end);
            out.strays.clear();
            // Few stray in a step, and room for them is made before they do.
            let room = out.agents.len() / 16 + 256;
            if out.strays.capacity() < room {
                out.strays.reserve_exact(room + room / 4);
            }
            row = end;
        }
        // The bin of the dead is the last one.
        if let Some(last) = self.parts.last_mut() {
            last.bins.end += 1;
        }
        known
    }

    /// Writes the bin of each agent in the old order, and counts the agents of each bin, two places on.
    fn count(&mut self, agents: &Agents, bin: &mut [u32], known: usize) {
        let (old, new) = bin.split_at_mut(known);
        self.start[..2].fill(0);
        count_parts(self.frame, &mut self.parts, agents, old, &mut self.start[2..]);
        for (bin, i) in new.iter_mut().zip(known..) {
            *bin = bin_of(self.frame, agents, i);
            self.start[*bin as usize + 2] += 1;
        }
        for &i in self.parts.iter().flat_map(|part| &part.strays) {
            self.start[old[i as usize] as usize + 2] += 1;
        }
    }

    /// Counts become starts, one place on.
    fn scan(&mut self) {
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
    }

    /// Writes the order. Each start moves on with the agents of its bin, and so becomes that of the next.
    /// Any order within a bin will do: it is sorted by ID next.
    fn place(&mut self, bin: &[u32], known: usize) {
        place_parts(&self.parts, bin, &mut self.start[1..], 0, &mut self.order);
        let strays = self.parts.iter().flat_map(|part| &part.strays).copied();
        for i in strays.chain(known as u32..bin.len() as u32) {
            let at = &mut self.start[bin[i as usize] as usize + 1];
            self.order[*at as usize] = i;
            *at += 1;
        }
    }
}

/// The bin of an agent.
#[inline(always)]
fn bin_of(frame: BinFrame, agents: &Agents, i: usize) -> u32 {
    let (column, row) = (frame.column(agents.x[i]), frame.row(agents.y[i]));
    let alive = (row * frame.columns + column) as u32;
    if agents.traits[i].has(DEAD) { frame.bins() as u32 } else { alive }
}

/// Counts those who have stayed in their part. `bin` and `count` are of the agents and bins of these parts.
fn count_parts(
    frame: BinFrame,
    parts: &mut [Part],
    agents: &Agents,
    bin: &mut [u32],
    count: &mut [u32],
) {
    if let [Part { bins, agents: range, strays }] = parts {
        count.fill(0);
        for (bin, i) in bin.iter_mut().zip(range.clone()) {
            *bin = bin_of(frame, agents, i);
            match count.get_mut((*bin as usize).wrapping_sub(bins.start)) {
                Some(count) => *count += 1,
                None => strays.push(i as u32),
            }
        }
        return;
    }
    let (low, high) = parts.split_at_mut(parts.len() / 2);
    let (low_bin, high_bin) = bin.split_at_mut(high[0].agents.start - low[0].agents.start);
    let (low_count, high_count) = count.split_at_mut(high[0].bins.start - low[0].bins.start);
    rayon::join(
        || count_parts(frame, low, agents, low_bin, low_count),
        || count_parts(frame, high, agents, high_bin, high_count),
    );
}

/// Places those who have stayed in their part. `next` is of the bins of these parts, `order` of the places
/// from `offset` on.
fn place_parts(parts: &[Part], bin: &[u32], next: &mut [u32], offset: usize, order: &mut [u32]) {
    if let [Part { bins, agents, .. }] = parts {
        for (&bin, i) in bin[agents.clone()].iter().zip(agents.clone()) {
            if let Some(next) = next.get_mut((bin as usize).wrapping_sub(bins.start)) {
                order[*next as usize - offset] = i as u32;
                *next += 1;
            }
        }
        return;
    }
    let (low, high) = parts.split_at(parts.len() / 2);
    let (low_next, high_next) = next.split_at_mut(high[0].bins.start - low[0].bins.start);
    let middle = high_next.first().map_or(offset + order.len(), |&first| first as usize);
    let (low_order, high_order) = order.split_at_mut(middle - offset);
    rayon::join(
        || place_parts(low, bin, low_next, offset, low_order),
        || place_parts(high, bin, high_next, middle, high_order),
    );
}

/// IDs ascending within each bin.
fn sort_rows(start: &[u32], columns: usize, offset: usize, order: &mut [u32], id: &[u32]) {
    let bins = start.len() - 1;
    if bins > 16 * columns.max(64) {
        let middle = bins / 2;
        let cut = start[middle] as usize;
        let (low, high) = order.split_at_mut(cut - offset);
        rayon::join(
            || sort_rows(&start[..=middle], columns, offset, low, id),
            || sort_rows(&start[middle..], columns, cut, high, id),
        );
        return;
    }
    let id = |place: &u32| id[*place as usize];
    for ends in start.windows(2) {
        let agents = &mut order[ends[0] as usize - offset..ends[1] as usize - offset];
        // Few have come or gone since the last time, so most bins are in order.
        if !agents.is_sorted_by(|a, b| id(a) < id(b)) {
            agents.sort_unstable_by_key(id);
        }
    }
}
