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

/// The fields kept, the least recently used making room.
#[derive(Debug)]
pub(crate) struct TargetFields {
    most: usize,
    fields: Vec<TargetField>,
    /// Cells asked for this step.
    pub(crate) wanted: Vec<u32>,
    solver: FastIterative,
    potential: Grid<f32>,
    directions: DirectionField,
}

impl TargetFields {
    pub(crate) fn new(terrain: &Grid<f32>, most: usize) -> Self {
        Self {
            most,
            fields: Vec::new(),
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
        self.fields.iter().find(|f| f.cell == cell).map(|f| &f.flow)
    }

    /// The fields kept, in the same order as [`Self::kept`].
    #[cfg(feature = "gpu")]
    pub(crate) fn flows(&self) -> impl Iterator<Item = &Flow> {
        self.fields.iter().map(|f| &f.flow)
    }

    /// The cells of the fields kept, in the order of their last use.
    pub(crate) fn kept(&self) -> Vec<(u32, u64)> {
        self.fields.iter().map(|f| (f.cell, f.used)).collect()
    }

    /// Forgets all: the ground changed, or a snapshot was restored.
    pub(crate) fn clear(&mut self) {
        self.fields.clear();
    }

    /// Solves at most one of the fields asked for, the most wanted cell first; the others ask again.
    pub(crate) fn serve(&mut self, terrain: &Grid<f32>, step: u64) -> Result<(), CrowdError> {
        if self.wanted.is_empty() || self.most == 0 {
            return Ok(());
        }
        self.wanted.sort_unstable();
        let (mut best, mut missing) = ((0, u32::MAX), (0, u32::MAX));
        for run in self.wanted.chunk_by(|a, b| a == b) {
            let count = run.len();
            if let Some(field) = self.fields.iter_mut().find(|f| f.cell == run[0]) {
                field.used = step;
            } else if count > missing.0 {
                missing = (count, run[0]);
            }
            if count > best.0 {
                best = (count, run[0]);
            }
        }
        self.wanted.clear();
        if missing.0 == 0 {
            return Ok(());
        }
        self.solve(terrain, missing.1, step)
    }

    /// Solves the field to a cell, in place of the one that was not used for longest.
    pub(crate) fn solve(
        &mut self,
        terrain: &Grid<f32>,
        cell: u32,
        step: u64,
    ) -> Result<(), CrowdError> {
        let slot = if self.fields.len() < self.most {
            self.fields.push(TargetField { cell, used: step, flow: Flow::new(terrain) });
            self.fields.len() - 1
        } else {
            let oldest = (0..self.fields.len()).min_by_key(|&i| self.fields[i].used);
            let Some(oldest) = oldest else { return Ok(()) };
            oldest
        };
        let Some(open) = nearest_open(terrain, terrain.cell_at(cell as usize)) else {
            return Ok(());
        };
        let sources = [Source::from(open)];
        self.solver.solve(terrain, &sources, &SolveParams::default(), &mut self.potential)?;
        self.directions.compute(&self.potential, terrain, &sources)?;
        let field = &mut self.fields[slot];
        field.flow.pack(&self.directions);
        field.cell = cell;
        field.used = step;
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
