//! Fields for private targets that are out of sight, shared by all who want to the same cell.

use glam::Vec2;
use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
use throng_field::{Cell, DirectionField, Grid};

use super::flow::Flow;
use crate::error::CrowdError;

/// A field to one cell.
#[derive(Debug)]
struct TargetField {
    cell: u32,
    used: u64,
    flow: Flow,
}

/// Memory that may be used for fields beyond the number asked for (bytes): small grounds have room for
/// many.
const ROOM: usize = 8 << 20;
/// Where more cells are wanted than there is room for, one is solved in the place of another every so many
/// steps.
pub(super) const ROTATION: u64 = 8;

/// The fields kept, the least recently used making room.
#[derive(Debug)]
pub(crate) struct TargetFields {
    most: usize,
    /// In the order in which they were solved.
    fields: Vec<TargetField>,
    /// Their cells in ascending order, and where each is.
    index: Vec<(u32, u32)>,
    /// Cells asked for this step.
    pub(crate) wanted: Vec<u32>,
    solver: FastIterative,
    potential: Grid<f32>,
    directions: DirectionField,
}

impl TargetFields {
    pub(crate) fn new(terrain: &Grid<f32>, most: usize) -> Self {
        let room = ROOM / (4 * terrain.cells().max(1));
        Self {
            most: if most == 0 { 0 } else { most.max(room) },
            fields: Vec::new(),
            index: Vec::new(),
            wanted: Vec::new(),
            solver: FastIterative::new(),
            potential: terrain.map(|_| f32::INFINITY),
            directions: DirectionField::default(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.fields.iter().map(|f| f.flow.bytes()).sum::<usize>() + 4 * self.potential.cells()
    }

    /// The cell of a target.
    pub(crate) fn cell_of(terrain: &Grid<f32>, target: Vec2) -> u32 {
        let low = terrain.origin();
        let high = low + terrain.extent() - 0.5 * terrain.cell_size();
        let inside = target.clamp(low, high);
        terrain.cell_of(inside).map_or(0, |cell| terrain.index(cell) as u32)
    }

    /// The field to a cell, where there is one.
    #[inline]
    pub(crate) fn find(&self, cell: u32) -> Option<&Flow> {
        self.place(cell).map(|at| &self.fields[at].flow)
    }

    fn place(&self, cell: u32) -> Option<usize> {
        let found = self.index.binary_search_by_key(&cell, |&(cell, _)| cell).ok()?;
        Some(self.index[found].1 as usize)
    }

    /// The fields kept, in the same order as [`Self::kept`].
    #[cfg(feature = "gpu")]
    pub(crate) fn flows(&self) -> impl Iterator<Item = &Flow> {
        self.fields.iter().map(|f| &f.flow)
    }

    /// Room for no more than this, for tests.
    #[cfg(all(test, feature = "gpu"))]
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = most;
    }

    /// Room for so many.
    #[cfg(feature = "gpu")]
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Keeps these fields and no others: cells, their last use and a number by which `codes` has the
    /// directions of those that are new. In the order in which they were solved.
    #[cfg(feature = "gpu")]
    pub(crate) fn keep<'a>(
        &mut self,
        terrain: &Grid<f32>,
        kept: &[(u32, u64, usize)],
        codes: impl Fn(usize) -> Option<&'a [[i16; 2]]>,
    ) {
        let mut old = std::mem::take(&mut self.fields);
        for &(cell, used, number) in kept {
            if let Some(at) = old.iter().position(|field| field.cell == cell) {
                self.fields.push(TargetField { used, ..old.swap_remove(at) });
            } else if let Some(codes) = codes(number) {
                let mut flow = Flow::new(terrain);
                flow.codes_mut().copy_from_slice(codes);
                self.fields.push(TargetField { cell, used, flow });
            }
        }
        self.list();
    }

    fn list(&mut self) {
        self.index.clear();
        self.index.extend(self.fields.iter().zip(0..).map(|(f, at)| (f.cell, at)));
        self.index.sort_unstable();
    }

    /// The cells of the fields kept, in the order of their last use.
    pub(crate) fn kept(&self) -> Vec<(u32, u64)> {
        self.fields.iter().map(|f| (f.cell, f.used)).collect()
    }

    /// Forgets all: the ground changed, or a snapshot was restored.
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
        self.index.clear();
    }

    /// Solves at most one of the fields asked for, the most wanted cell first; the others ask again.
    pub(crate) fn serve(&mut self, terrain: &Grid<f32>, step: u64) -> Result<(), CrowdError> {
        if self.wanted.is_empty() || self.most == 0 {
            return Ok(());
        }
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort_unstable();
        let mut missing = (0, u32::MAX);
        for run in wanted.chunk_by(|a, b| a == b) {
            if let Some(at) = self.place(run[0]) {
                self.fields[at].used = step;
            } else if run.len() > missing.0 {
                missing = (run.len(), run[0]);
            }
        }
        wanted.clear();
        self.wanted = wanted;
        let idle = self.fields.len() < self.most || self.fields.iter().any(|f| f.used < step);
        if missing.0 == 0 || !(idle || step.is_multiple_of(ROTATION)) {
            return Ok(());
        }
        self.solve(terrain, missing.1, step)
    }

    /// Solves the field to a cell; where there is no more room, in place of the one that was not used for
    /// longest.
    pub(crate) fn solve(
        &mut self,
        terrain: &Grid<f32>,
        cell: u32,
        step: u64,
    ) -> Result<(), CrowdError> {
        let Some(open) = nearest_open(terrain, terrain.cell_at(cell as usize)) else {
            return Ok(());
        };
        let sources = [Source::from(open)];
        self.solver.solve(terrain, &sources, &SolveParams::default(), &mut self.potential)?;
        self.directions.compute(&self.potential, terrain, &sources)?;
        let oldest = (0..self.fields.len()).min_by_key(|&i| self.fields[i].used);
        let mut field = match oldest {
            Some(oldest) if self.fields.len() >= self.most => self.fields.remove(oldest),
            _ => TargetField { cell, used: step, flow: Flow::new(terrain) },
        };
        field.flow.pack(&self.directions);
        (field.cell, field.used) = (cell, step);
        self.fields.push(field);
        self.list();
        Ok(())
    }
}

/// The open cell nearest to a cell, looked for in growing squares.
fn nearest_open(terrain: &Grid<f32>, near: Cell) -> Option<Cell> {
    let (w, h) = (terrain.width() as i64, terrain.height() as i64);
    for ring in 0..w.max(h) {
        let mut best: Option<(i64, Cell)> = None;
        for dy in -ring..=ring {
            let across = if dy.abs() == ring { 1 } else { 2 * ring.max(1) };
            for dx in (-ring..=ring).step_by(across as usize) {
                let (x, y) = (i64::from(near.x) + dx, i64::from(near.y) + dy);
                if x < 0 || y < 0 || x >= w || y >= h {
                    continue;
                }
                let cell = Cell::new(x as u32, y as u32);
                let d = dx * dx + dy * dy;
                if terrain[cell].is_finite() && best.is_none_or(|(b, _)| d < b) {
                    best = Some((d, cell));
                }
            }
        }
        if let Some((_, cell)) = best {
            return Some(cell);
        }
    }
    None
}
