//! The sheared layout of a tile, and copies into and out of it.
//!
//! In a sweep that runs right and down, a cell needs the new values of its left and upper neighbour,
//! so the cells of a row cannot be computed together, but the cells of an anti-diagonal can. A tile is
//! therefore held *sheared*: its rows are grouped in bands of [`BAND`], and column `c` of row `k` of a
//! band lies in step `c + k + 1`, lane `k`. Step `s` then only needs step `s - 1` (left: same lane, up:
//! one lane over) and step `s + 1` (right, down). Columns -1 and `TILE_W` are the halo.
//!
//! This layout serves the sweeps right-down and left-up. The other two directions are the same two on
//! a tile held upside down ([`Side::Flipped`]).

use crate::grid::{Cell, Grid};
use crate::solve::update::UNREACHED;
use rayon::prelude::*;

/// Columns of a tile.
pub(crate) const TILE_W: usize = 64;
/// Rows of a band = lanes of a step.
pub(crate) const BAND: usize = 16;
/// Bands of a tile.
pub(crate) const BANDS: usize = 2;
/// Rows of a tile.
pub(crate) const TILE_H: usize = BAND * BANDS;
/// Steps of a band: the columns, the halo column on either side, the shear, and one for roundness.
pub(crate) const STEPS: usize = TILE_W + 2 + BAND;
/// Numbers in a sheared band.
pub(crate) const BAND_LEN: usize = STEPS * BAND;
/// Numbers in a sheared tile.
pub(crate) const TILE_LEN: usize = BAND_LEN * BANDS;

/// Fewer tiles than this are sheared before another thread is awake.
const LEAST_TILES: usize = 32;

/// Which way up a tile is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Upright,
    Flipped,
}

impl Side {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Upright => Self::Flipped,
            Self::Flipped => Self::Upright,
        }
    }

    /// Local row (0 on top as held) of tile row `row`, and back: it is its own inverse.
    #[inline(always)]
    pub(crate) fn row(self, row: usize) -> usize {
        match self {
            Self::Upright => row,
            Self::Flipped => TILE_H - 1 - row,
        }
    }
}

/// One step of a band: the lanes that are computed together.
pub(crate) type Step = [f32; BAND];

/// The steps that hold columns -1, 0, 1, … of local row `row`, and the lane they hold it in.
#[inline(always)]
pub(crate) fn row_steps(tile: &[f32], row: usize) -> (&[Step], usize) {
    let lane = row % BAND;
    let band = &tile[row / BAND * BAND_LEN..][..BAND_LEN];
    (&band.as_chunks::<BAND>().0[lane..], lane)
}

/// As [`row_steps`], to change.
#[inline(always)]
pub(crate) fn row_steps_mut(tile: &mut [f32], row: usize) -> (&mut [Step], usize) {
    let lane = row % BAND;
    let band = &mut tile[row / BAND * BAND_LEN..][..BAND_LEN];
    (&mut band.as_chunks_mut::<BAND>().0[lane..], lane)
}

/// Copies columns 0.. of a row into the sheared tile, each value through `f`.
#[inline(always)]
pub(crate) fn write_row(tile: &mut [f32], row: usize, values: &[f32], f: impl Fn(f32) -> f32) {
    let (steps, lane) = row_steps_mut(tile, row);
    for (step, &value) in steps[1..].iter_mut().zip(values) {
        step[lane & (BAND - 1)] = f(value);
    }
}

/// Copies columns 0.. of a row out of the sheared tile.
#[inline(always)]
pub(crate) fn read_row(tile: &[f32], row: usize, values: &mut [f32]) {
    let (steps, lane) = row_steps(tile, row);
    for (value, step) in values.iter_mut().zip(&steps[1..]) {
        *value = step[lane & (BAND - 1)];
    }
}

/// Turns a tile's potentials upside down, halo columns included.
pub(crate) fn flip(from: &[f32], to: &mut [f32]) {
    for row in 0..TILE_H {
        let (source, lane) = row_steps(from, row);
        let (target, other) = row_steps_mut(to, TILE_H - 1 - row);
        for (t, s) in target[..TILE_W + 2].iter_mut().zip(&source[..TILE_W + 2]) {
            t[other & (BAND - 1)] = s[lane & (BAND - 1)];
        }
    }
}

/// The costs of all tiles of a field in sheared layout, both ways up, times the cell size. Shared by
/// all goal groups that walk the same ground. Cells outside the field cost infinity.
#[derive(Debug, Default)]
pub(crate) struct ShearedCost {
    tiles: Vec<f32>,
    across: usize,
    typical: f32,
    /// Width and height of the field in cells, and the size of a cell.
    shape: (usize, usize, f32),
}

impl ShearedCost {
    /// Fills from a cost field.
    pub(crate) fn fill(&mut self, cost: &Grid<f32>) {
        self.shape = (cost.width(), cost.height(), cost.cell_size());
        self.across = cost.width().div_ceil(TILE_W);
        let (across, down) = (self.across, cost.height().div_ceil(TILE_H));
        self.tiles.resize(across * down * 2 * TILE_LEN, f32::INFINITY);
        // Summed tile by tile, then in order: the same bits on any number of threads.
        let ease: Vec<(f64, u32)> = self
            .tiles
            .par_chunks_mut(2 * TILE_LEN)
            .with_min_len(LEAST_TILES)
            .enumerate()
            .map(|(i, pair)| shear_tile(pair, cost, i % across, i / across))
            .collect();
        let (sum, free) = ease.iter().fold((0.0, 0u64), |(s, n), t| (s + t.0, n + u64::from(t.1)));
        self.typical = if free > 0 { (free as f64 / sum) as f32 } else { 1.0 };
    }

    /// Shears these tiles anew.
    pub(crate) fn refresh(&mut self, cost: &Grid<f32>, tiles: &[usize]) {
        for &i in tiles {
            let pair = &mut self.tiles[i * 2 * TILE_LEN..][..2 * TILE_LEN];
            shear_tile(pair, cost, i % self.across, i / self.across);
        }
    }

    /// Whether this was filled from a field of that shape.
    pub(crate) fn fits(&self, cost: &Grid<f32>) -> bool {
        self.shape == (cost.width(), cost.height(), cost.cell_size())
    }

    /// The cost of crossing a cell, as it was when its tile was last sheared.
    pub(crate) fn step(&self, cell: Cell) -> f32 {
        let (x, y) = (cell.x as usize, cell.y as usize);
        let [upright, _] = self.tile(x / TILE_W, y / TILE_H);
        let (steps, lane) = row_steps(upright, y % TILE_H);
        steps[x % TILE_W + 1][lane]
    }

    /// The costs of tile (`tx`, `ty`), upright and flipped.
    pub(crate) fn tile(&self, tx: usize, ty: usize) -> [&[f32]; 2] {
        let pair = &self.tiles[(ty * self.across + tx) * 2 * TILE_LEN..][..2 * TILE_LEN];
        let (upright, flipped) = pair.split_at(TILE_LEN);
        [upright, flipped]
    }

    /// Harmonic mean of the costs of a step over a free cell: what a front that seeks its way pays.
    pub(crate) fn typical_step(&self) -> f32 {
        self.typical
    }

    /// Schedules by another step than that of the cost at hand.
    pub(crate) fn set_typical_step(&mut self, step: f32) {
        self.typical = step;
    }
}

/// Shears one tile; sum of the inverse step costs, and number, of its free cells.
fn shear_tile(pair: &mut [f32], cost: &Grid<f32>, tx: usize, ty: usize) -> (f64, u32) {
    let (width, height, size) = (cost.width(), cost.height(), cost.cell_size());
    let (x0, y0) = (tx * TILE_W, ty * TILE_H);
    let w = TILE_W.min(width - x0);
    pair.fill(f32::INFINITY);
    let (upright, flipped) = pair.split_at_mut(TILE_LEN);
    let mut ease = 0.0f32;
    let mut free = 0;
    for row in 0..TILE_H.min(height - y0) {
        let values = &cost.row(y0 + row)[x0..x0 + w];
        write_row(upright, row, values, |c| c * size);
        write_row(flipped, Side::Flipped.row(row), values, |c| c * size);
        ease += values.iter().map(|c| 1.0 / c).sum::<f32>();
        free += values.iter().filter(|c| c.is_finite()).count() as u32;
    }
    (f64::from(ease) / f64::from(size), free)
}

/// Empty tile: nothing reached.
pub(crate) fn empty_tile() -> Vec<f32> {
    vec![UNREACHED; TILE_LEN]
}
