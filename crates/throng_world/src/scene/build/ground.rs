//! The ground of a scene as a grid of cost, and what is made with it.

use super::{Builder, MAX_NAV_CELLS};
use crate::FREE;
use crate::land::{CityPlan, HeightFault, city, parse_esri, parse_hgt, parse_png, valley};
use crate::scene::data::GroundData;
use crate::world::{Polygon, Rect};
use glam::Vec2;
use throng_field::Grid;
use throng_field::cost::{SlopeParams, slope_cost};

/// Most blocks of a city.
const MAX_BLOCKS: f64 = 200_000.0;

/// A ground.
pub(super) struct Ground {
    pub(super) cost: Grid<f32>,
    pub(super) heights: Option<Grid<f32>>,
    /// Walls made with it: boulders, houses.
    pub(super) walls: Vec<Polygon>,
    /// Whether only its largest connected piece is meant to be walked.
    pub(super) one_piece: bool,
}

/// Largest navigation cell of a valley that grew with its people (metres).
const COARSEST_VALLEY_CELL: f64 = 4.5;

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
            GroundData::Valley { size, cells, seed, relief, boulders, max_slope } => {
                let side = (size * self.scale.length).max(64.0);
                let seed = seed.unwrap_or(self.seed);
                // Boulders do not grow with the valley: cells must stay small enough to see them.
                let mut cells = *cells as usize;
                while self.scale.length > 1.0 && side / cells as f64 > COARSEST_VALLEY_CELL {
                    cells *= 2;
                }
                let made = valley(side, cells, seed, *relief, *boulders)?;
                let ground = self.slopes(made.heights, *max_slope, "ground.max_slope")?;
                Some(Ground { walls: made.boulders, ..ground })
            }
            GroundData::Heightmap { file, cell, height_scale, crop, max_slope } => {
                let (file, cell, scale, crop) = (file.clone(), *cell, *height_scale, *crop);
                let heights = self.heightmap(&file, cell, scale, crop)?;
                self.slopes(heights, *max_slope, "ground.file")
            }
            GroundData::City { size, cell, seed, block, street, squares } => {
                let size = (size * self.scale.length).max(100.0);
                self.ordered_blocks(*block, *street, size)?;
                let bounds = [0.0, 0.0, size, size];
                let cost = self.flat(bounds, self.grown_cell(*cell, bounds))?;
                let seed = seed.unwrap_or(self.seed);
                let plan =
                    CityPlan { size, block: *block, street: *street, squares: *squares, seed };
                Some(Ground { cost, heights: None, walls: city(&plan), one_piece: true })
            }
        }
    }

    fn ordered_blocks(&mut self, block: [f64; 2], street: f64, size: f64) -> Option<()> {
        if block[0] > block[1] {
            let what = "the smallest block is above the largest";
            self.findings.add("ground.block", what, "give the smaller one first");
            return None;
        }
        let across = size / (block[0] + street);
        if across * across > MAX_BLOCKS {
            let what = format!("the city could have {:.0} blocks", across * across);
            self.findings.add(
                "ground.block",
                what,
                format!("give larger ones; at most {MAX_BLOCKS}"),
            );
            return None;
        }
        Some(())
    }

    /// Ground of slopes; what has no height is no ground.
    fn slopes(&mut self, mut heights: Grid<f32>, max_slope: f32, key: &str) -> Option<Ground> {
        let params = SlopeParams { max_slope, ..SlopeParams::default() };
        match slope_cost(&heights, &params) {
            Ok((cost, _)) => {
                let lowest = heights.as_slice().iter().copied().fold(f32::INFINITY, f32::min);
                let lowest = if lowest.is_finite() { lowest } else { 0.0 };
                for height in heights.as_mut_slice().iter_mut().filter(|h| h.is_nan()) {
                    *height = lowest;
                }
                Some(Ground { cost, heights: Some(heights), walls: Vec::new(), one_piece: true })
            }
            Err(error) => {
                self.findings.add(key, error.to_string(), "give heights within 1e6 m");
                None
            }
        }
    }

    fn heightmap(
        &mut self,
        file: &str,
        cell: Option<f64>,
        scale: Option<f64>,
        crop: Option<[u32; 4]>,
    ) -> Option<Grid<f32>> {
        let ending = file.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        if !["png", "hgt", "asc", "txt"].contains(&ending.as_str()) {
            let what = "its kind is not known";
            self.findings.add("ground.file", what, "give a .png, .hgt or .asc file");
            return None;
        }
        let bytes = self.read_file(file, "ground.file")?;
        let heights = match ending.as_str() {
            "png" => parse_png(&bytes, file),
            "hgt" => parse_hgt(&bytes, file),
            _ => parse_esri(&String::from_utf8_lossy(&bytes)),
        };
        let heights = match heights {
            Ok(heights) => heights,
            Err(HeightFault { what, cure }) => {
                self.findings.add("ground.file", format!("{file}: {what}"), cure);
                return None;
            }
        };
        let (w, h) = (heights.grid.width(), heights.grid.height());
        let [x, y, cw, ch] = crop.unwrap_or([0, 0, w as u32, h as u32]).map(|v| v as usize);
        if cw < 2 || ch < 2 || x + cw > w || y + ch > h {
            let what = format!("it is no part of {w} x {h} samples");
            self.findings.add("ground.crop", what, "give column, row, width and height inside");
            return None;
        }
        self.fits(cw as f64, ch as f64, "ground.crop")?;
        let scale = scale.unwrap_or(heights.scale) as f32;
        let size = cell.or(heights.cell).unwrap_or(1.0);
        // Rows of files come from the north; y grows northwards.
        let rows = (y..y + ch).rev().flat_map(|y| heights.grid.row(y)[x..x + cw].iter());
        let part = Grid::from_vec(cw, ch, rows.map(|v| v * scale).collect()).ok()?;
        part.placed(size as f32, Vec2::ZERO).ok()
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
                    // Shapes that were given but could not be read have been noted.
                    if self.data.area.is_empty() && self.data.wall.is_empty() {
                        let cure = "add `size = [width, height]` in metres, or an `[[area]]`";
                        self.findings.add("ground", "it has no size", cure);
                    }
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
