//! Fast marching: the reference solver.
//!
//! Cells are accepted in order of potential, as Dijkstra's algorithm accepts nodes: the smallest
//! tentative cell is final, because a cell's potential only depends on smaller ones (Sethian 1996;
//! Tsitsiklis 1995). O(n log n) with a heap, one cell at a time. The heap is 4-ary and holds potential
//! and cell packed in one word; a cell that goes down is pushed again, and its stale entry passed over.

use super::residual::measure;
use super::second_order::Refiner;
use super::update::{UNREACHED, godunov};
use super::{Order, Report, SolveError, SolveParams, Solver, Source, check_problem};
use crate::grid::Grid;

/// The fast marching method. Owns scratch memory only.
#[derive(Debug, Default)]
pub struct FastMarching {
    cells: Vec<MarchCell>,
    heap: Heap,
    refiner: Refiner,
}

/// A cell of the field with a border of blocked cells around it.
#[derive(Clone, Copy, Debug)]
struct MarchCell {
    /// Accepted potential; [`UNREACHED`] until then. What neighbours may build on.
    accepted: f32,
    /// Smallest potential found so far.
    tentative: f32,
    /// Cost times cell size; infinite if blocked.
    step: f32,
}

const BORDER: MarchCell =
    MarchCell { accepted: UNREACHED, tentative: UNREACHED, step: f32::INFINITY };

impl FastMarching {
    /// A solver with no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Marches; how many cells were accepted.
    fn march(&mut self, cost: &Grid<f32>, sources: &[Source]) -> u64 {
        let stride = cost.width() + 2;
        self.load(cost, stride);
        self.heap.clear();
        for source in sources {
            let i = (source.cell.y as usize + 1) * stride + source.cell.x as usize + 1;
            if source.start < self.cells[i].tentative {
                self.cells[i].tentative = source.start;
                self.heap.push(source.start, i as u32);
            }
        }
        let mut accepted = 0;
        while let Some((value, i)) = self.heap.pop() {
            let i = i as usize;
            let cell = &mut self.cells[i];
            if cell.accepted < UNREACHED || value > cell.tentative {
                continue;
            }
            cell.accepted = value;
            accepted += 1;
            for n in [i - 1, i + 1, i - stride, i + stride] {
                self.relax(n, stride);
            }
        }
        accepted
    }

    /// Computes the tentative potential of a cell that has a newly accepted neighbour.
    #[inline(always)]
    fn relax(&mut self, n: usize, stride: usize) {
        let cell = self.cells[n];
        if cell.accepted < UNREACHED || cell.step == f32::INFINITY {
            return;
        }
        let a = self.cells[n - 1].accepted.min(self.cells[n + 1].accepted);
        let b = self.cells[n - stride].accepted.min(self.cells[n + stride].accepted);
        let value = godunov(a, b, cell.step);
        if value < cell.tentative {
            self.cells[n].tentative = value;
            self.heap.push(value, n as u32);
        }
    }

    fn load(&mut self, cost: &Grid<f32>, stride: usize) {
        self.cells.clear();
        self.cells.resize(stride * (cost.height() + 2), BORDER);
        for (y, row) in self.cells.chunks_exact_mut(stride).skip(1).take(cost.height()).enumerate()
        {
            for (cell, &c) in row[1..].iter_mut().zip(cost.row(y)) {
                cell.step = c * cost.cell_size();
            }
        }
    }

    fn store(&self, out: &mut Grid<f32>) {
        let (width, stride) = (out.width(), out.width() + 2);
        let rows = self.cells.chunks_exact(stride).skip(1);
        for (to, from) in out.as_mut_slice().chunks_exact_mut(width).zip(rows) {
            for (value, cell) in to.iter_mut().zip(&from[1..]) {
                *value = if cell.accepted < UNREACHED { cell.accepted } else { f32::INFINITY };
            }
        }
    }
}

impl Solver for FastMarching {
    fn solve(
        &mut self,
        cost: &Grid<f32>,
        sources: &[Source],
        params: &SolveParams,
        out: &mut Grid<f32>,
    ) -> Result<Report, SolveError> {
        check_problem(cost, sources, out)?;
        let accepted = self.march(cost, sources);
        self.store(out);
        let report = measure(cost, sources, out).report(accepted, 1)?;
        match params.order {
            Order::First => Ok(report),
            Order::Second => Ok(self.refiner.refine(cost, sources, out, report)),
        }
    }
}

/// A 4-ary min-heap of (potential, cell). Potentials are not negative, so their bits sort as they do.
#[derive(Debug, Default)]
struct Heap {
    entries: Vec<u64>,
}

impl Heap {
    fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline(always)]
    fn push(&mut self, value: f32, cell: u32) {
        let entry = u64::from(value.to_bits()) << 32 | u64::from(cell);
        let mut hole = self.entries.len();
        self.entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / 4;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(f32, u32)> {
        let top = *self.entries.first()?;
        let last = self.entries.pop()?;
        if !self.entries.is_empty() {
            self.sift_down(last);
        }
        Some((f32::from_bits((top >> 32) as u32), top as u32))
    }

    /// Fills the hole at the top with `entry`, which belongs further down.
    #[inline(always)]
    fn sift_down(&mut self, entry: u64) {
        let heap = &mut self.entries[..];
        let mut hole = 0;
        loop {
            let first = 4 * hole + 1;
            let smallest = if let Some(four) = heap.get(first..first + 4) {
                // Without branches: which child is smallest cannot be foretold.
                let left = usize::from(four[1] < four[0]);
                let right = 2 + usize::from(four[3] < four[2]);
                first + if four[right] < four[left] { right } else { left }
            } else {
                match (first..heap.len()).min_by_key(|&i| heap[i]) {
                    Some(i) => i,
                    None => break,
                }
            };
            if heap[smallest] >= entry {
                break;
            }
            heap[hole] = heap[smallest];
            hole = smallest;
        }
        heap[hole] = entry;
    }
}
