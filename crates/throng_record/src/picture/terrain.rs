//! The map at the resolution of the picture: each patch stands for one cell of a small map, drawn
//! as a square of pixels, or for a block of cells of a large map, drawn as one pixel.

use crate::draw::{Rgb, theme};
use glam::Vec2;
use throng_field::Grid;

/// Enlarged maps have about this many pixels along their longer side.
const AIM_PIXELS: usize = 1200;
/// No map has more pixels than this along its longer side.
const MOST_PIXELS: usize = 1600;
/// No cell is drawn larger than this.
const MOST_CELL_PIXELS: usize = 160;
/// Costs that differ by less than this part are taken as equal.
const COST_SLACK: f32 = 1e-3;

/// A map ready to be drawn.
pub(super) struct Terrain {
    /// Mean potential of the reachable cells of each patch; infinite where there is none.
    pub(super) potential: Grid<f32>,
    /// Part of each patch that is wall, 0 to 1.
    pub(super) wall: Vec<f32>,
    /// Part of each patch that is free but unreachable, 0 to 1.
    pub(super) unreachable: Vec<f32>,
    /// How slow the free ground is: 0 for the least cost of the map, 1 for the greatest.
    pub(super) slowness: Vec<f32>,
    /// Pixels per side of a patch.
    pub(super) scale: usize,
    /// Cells per side of a patch.
    pub(super) cells: usize,
    /// Least and greatest reachable potential, if anything is reachable.
    pub(super) potential_range: Option<(f64, f64)>,
    /// Least and greatest cost of free cells, if they differ.
    pub(super) cost_range: Option<(f32, f32)>,
    /// Whether there is any wall.
    pub(super) has_walls: bool,
    /// Whether there is free ground that cannot be reached.
    pub(super) has_unreachable: bool,
}

/// Sums over the cells of one patch.
#[derive(Default)]
struct Sums {
    cells: u32,
    walls: u32,
    unreachable: u32,
    reachable: u32,
    potential: f64,
    slowness: f32,
}

impl Terrain {
    /// Both grids must have the same shape.
    pub(super) fn new(cost: &Grid<f32>, potential: Option<&Grid<f32>>) -> Self {
        let longer = cost.width().max(cost.height());
        let cells = longer.div_ceil(MOST_PIXELS);
        let scale = match cells {
            1 => (AIM_PIXELS as f32 / longer as f32).round() as usize,
            _ => 1,
        };
        let (width, height) = (cost.width().div_ceil(cells), cost.height().div_ceil(cells));
        let cost_range =
            finite_range(cost.as_slice()).filter(|(low, high)| high - low > low.abs() * COST_SLACK);
        let mut terrain = Self {
            potential: Grid::filled(width, height, f32::INFINITY)
                .expect("a part of a valid grid is a valid size"),
            wall: vec![0.0; width * height],
            unreachable: vec![0.0; width * height],
            slowness: vec![0.0; width * height],
            scale: scale.clamp(1, MOST_CELL_PIXELS),
            cells,
            potential_range: None,
            cost_range,
            has_walls: false,
            has_unreachable: false,
        };
        terrain.fill(cost, potential);
        terrain
    }

    fn fill(&mut self, cost: &Grid<f32>, potential: Option<&Grid<f32>>) {
        let width = self.potential.width();
        let mut range = (f32::INFINITY, f32::NEG_INFINITY);
        for row in 0..self.potential.height() {
            let mut sums: Vec<Sums> = (0..width).map(|_| Sums::default()).collect();
            let rows = row * self.cells..((row + 1) * self.cells).min(cost.height());
            for y in rows {
                let potentials = potential.map(|potential| potential.row(y));
                for (x, &cost) in cost.row(y).iter().enumerate() {
                    let value = potentials.map_or(0.0, |row| row[x]);
                    sums[x / self.cells].add(cost, value, self.cost_range);
                    if cost.is_finite() && value.is_finite() {
                        range = (range.0.min(value), range.1.max(value));
                    }
                }
            }
            for (column, sums) in sums.iter().enumerate() {
                self.store(row * width + column, sums);
            }
        }
        if potential.is_some() && range.0 <= range.1 {
            self.potential_range = Some((f64::from(range.0), f64::from(range.1)));
        }
    }

    fn store(&mut self, index: usize, sums: &Sums) {
        let all = sums.cells.max(1) as f32;
        self.wall[index] = sums.walls as f32 / all;
        self.unreachable[index] = sums.unreachable as f32 / all;
        self.has_walls |= sums.walls > 0;
        self.has_unreachable |= sums.unreachable > 0;
        let free = sums.cells - sums.walls;
        if free > 0 {
            self.slowness[index] = sums.slowness / free as f32;
        }
        if sums.reachable > 0 {
            let mean = sums.potential / f64::from(sums.reachable);
            self.potential.as_mut_slice()[index] = mean as f32;
        }
    }

    /// Width and height of the map in pixels.
    pub(super) fn size(&self) -> (usize, usize) {
        let (width, height) = (self.potential.width(), self.potential.height());
        (width * self.scale, height * self.scale)
    }

    /// Pixels per side of one cell of the original map.
    pub(super) fn pixels_per_cell(&self) -> f32 {
        self.scale as f32 / self.cells as f32
    }

    /// The colour of a potential, the goal's if all are the same.
    pub(super) fn color_of(&self, potential: f64) -> Rgb {
        let t = match self.potential_range {
            Some((low, high)) if high > low => (potential - low) / (high - low),
            _ => 0.0,
        };
        theme::POTENTIAL_MAP.at(t as f32)
    }

    /// Index of the patch that a pixel of the map lies in.
    pub(super) fn patch_of(&self, x: usize, y: usize) -> usize {
        y / self.scale * self.potential.width() + x / self.scale
    }

    /// The middle of a pixel of the map in patches.
    pub(super) fn patch_units(&self, x: usize, y: usize) -> Vec2 {
        (Vec2::new(x as f32, y as f32) + 0.5) / self.scale as f32
    }
}

impl Sums {
    fn add(&mut self, cost: f32, potential: f32, cost_range: Option<(f32, f32)>) {
        self.cells += 1;
        if !cost.is_finite() {
            self.walls += 1;
            return;
        }
        self.slowness += cost_range.map_or(0.0, |range| slowness(cost, range));
        if potential.is_finite() {
            self.reachable += 1;
            self.potential += f64::from(potential);
        } else {
            self.unreachable += 1;
        }
    }
}

/// Where a cost lies between the least and the greatest, by ratio if all are above zero.
fn slowness(cost: f32, (low, high): (f32, f32)) -> f32 {
    if low > 0.0 { (cost / low).ln() / (high / low).ln() } else { (cost - low) / (high - low) }
}

fn finite_range(values: &[f32]) -> Option<(f32, f32)> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    finite.fold(None, |range, value| match range {
        Some((low, high)) => Some((value.min(low), value.max(high))),
        None => Some((value, value)),
    })
}
