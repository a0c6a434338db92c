//! The ground of a scene as a grid of cost, and what is made with it.

use super::{Builder, MAX_NAV_CELLS};
use crate::FREE;
use crate::scene::data::GroundData;
use crate::world::{Polygon, Rect};
use glam::Vec2;
use throng_field::Grid;

/// A ground.
pub(super) struct Ground {
    pub(super) cost: Grid<f32>,
    pub(super) heights: Option<Grid<f32>>,
    /// Walls made with it: boulders, houses.
    pub(super) walls: Vec<Polygon>,
    /// Whether only its largest connected piece is meant to be walked.
    pub(super) one_piece: bool,
}

impl Builder<'_> {
    pub(super) fn ground(&mut self, walkable: &[Polygon], walls: &[Polygon]) -> Option<Ground> {
        match &self.data.ground {
            GroundData::Flat { size, bounds, cell } => {
                let bounds = self.flat_bounds(*size, *bounds, walkable, walls)?;
                let cell = self.grown_cell(*cell, bounds);
                let cost = self.flat(bounds, cell)?;
                Some(Ground { cost, heights: None, walls: Vec::new(), one_piece: false })
            }
            GroundData::Map { file, cell } => self.map(&file.clone(), *cell),
            _ => None,
        }
    }

    /// Left, lower, right and upper edge of a plane.
    fn flat_bounds(
        &mut self,
        size: Option<[f64; 2]>,
        bounds: Option<[f64; 4]>,
        walkable: &[Polygon],
        walls: &[Polygon],
    ) -> Option<[f64; 4]> {
        let length = self.scale.length;
        match (size, bounds) {
            (Some(_), Some(_)) => {
                self.findings.add("ground", "it has both `size` and `bounds`", "keep one of them");
                None
            }
            (Some([w, h]), None) => Some([0.0, 0.0, w * length, h * length]),
            (None, Some([l, b, r, t])) => {
                if r <= l || t <= b {
                    let what = "its right or upper edge is not beyond its left or lower one";
                    let cure = "give left, lower, right and upper edge";
                    self.findings.add("ground.bounds", what, cure);
                    return None;
                }
                Some([l, b, r, t].map(|v| v * length))
            }
            (None, None) => {
                let shapes = if walkable.is_empty() { walls } else { walkable };
                let around = shapes.iter().map(Polygon::bounds).reduce(|a, b| a.union(&b));
                let Some(Rect { min, max }) = around else {
                    let cure = "add `size = [width, height]` in metres, or an `[[area]]`";
                    self.findings.add("ground", "it has no size", cure);
                    return None;
                };
                let margin = 1.0;
                let (min, max) = (min - margin, max + margin);
                Some([min.x, min.y, max.x, max.y].map(f64::from))
            }
        }
    }

    /// A grown plane keeps its cells until they are very many.
    fn grown_cell(&self, cell: f64, bounds: [f64; 4]) -> f64 {
        if self.scale.length <= 1.0 {
            return cell;
        }
        let across = (bounds[2] - bounds[0]).max(bounds[3] - bounds[1]);
        cell.max(across / 2048.0)
    }

    fn flat(&mut self, bounds: [f64; 4], cell: f64) -> Option<Grid<f32>> {
        let [l, b, r, t] = bounds;
        let (w, h) = (((r - l) / cell - 1e-6).ceil(), ((t - b) / cell - 1e-6).ceil());
        self.fits(w, h, "ground.cell")?;
        let grid = Grid::filled(w.max(1.0) as usize, h.max(1.0) as usize, FREE).ok()?;
        grid.placed(cell as f32, Vec2::new(l as f32, b as f32)).ok()
    }

    /// Notes grids that are too large.
    pub(super) fn fits(&mut self, w: f64, h: f64, key: &str) -> Option<()> {
        if w * h <= MAX_NAV_CELLS {
            return Some(());
        }
        let what = format!("the ground would have {w} x {h} cells");
        let cure =
            format!("give larger cells or a smaller place; at most {MAX_NAV_CELLS} cells are made");
        self.findings.add(key, what, cure);
        None
    }

    fn map(&mut self, file: &str, cell: f64) -> Option<Ground> {
        let bytes = self.read_file(file, "ground.file")?;
        match crate::parse_map(&bytes, file) {
            Ok(grid) => {
                self.fits(grid.width() as f64, grid.height() as f64, "ground.file")?;
                // The first row of a map is its top: upwards is towards the last.
                let cost = flipped(&grid)?.placed(cell as f32, Vec2::ZERO).ok()?;
                Some(Ground { cost, heights: None, walls: Vec::new(), one_piece: false })
            }
            Err(error) => {
                let text = error.to_string();
                let (what, cure) = text.split_once("; ").unwrap_or((&text, "give a MovingAI map"));
                self.findings.add("ground.file", what, cure);
                None
            }
        }
    }
}

/// Rows in reverse order.
pub(super) fn flipped(grid: &Grid<f32>) -> Option<Grid<f32>> {
    let rows = (0..grid.height()).rev().flat_map(|y| grid.row(y).iter().copied());
    Grid::from_vec(grid.width(), grid.height(), rows.collect()).ok()
}
