//! The distance to walls: exact at the cell centres of its own frame, found from the outline of
//! everything solid and not from cells.

use super::boundary::{Part, Solids};
use super::door_side::beside_doors;
use super::{CLEARANCE_CAP, Polygon, Rect};
use crate::params::NavigateParams;
use glam::{DVec2, Vec2};
use rayon::prelude::*;
use throng_field::{Cell, Grid};

/// Rows worked on together.
const BAND: usize = 16;

/// Columns and rows of a grid, ends excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) x: (usize, usize),
    pub(crate) y: (usize, usize),
}

impl Span {
    /// All cells of a grid.
    pub(crate) fn all<T>(grid: &Grid<T>) -> Self {
        Self { x: (0, grid.width()), y: (0, grid.height()) }
    }

    /// The cells whose centres lie in a rectangle, and a cell around them.
    pub(crate) fn around<T>(grid: &Grid<T>, rect: &Rect) -> Self {
        let low = (grid.to_centre_units(rect.min).floor() - 1.0).max(Vec2::ZERO);
        let high = (grid.to_centre_units(rect.max).ceil() + 2.0).max(Vec2::ZERO);
        let cut = |v: f32, most: usize| (v as usize).min(most);
        let x = (cut(low.x, grid.width()), cut(high.x, grid.width()));
        let y = (cut(low.y, grid.height()), cut(high.y, grid.height()));
        Self { x, y }
    }
}

/// Writes the signed distance into the cells of `span`.
pub(crate) fn fill(clearance: &mut Grid<f32>, span: Span, solids: &Solids<'_>, outline: &[Part]) {
    let (width, cell) = (clearance.width(), f64::from(clearance.cell_size()));
    let origin = clearance.origin().as_dvec2();
    let cap = f64::from(CLEARANCE_CAP);
    let bands = (span.y.1 - span.y.0).div_ceil(BAND);
    let mut by_band: Vec<Vec<u32>> = vec![Vec::new(); bands];
    for (i, part) in outline.iter().enumerate() {
        let (low, high) = part.bounds();
        let band = |y: f64| {
            let row = (y - origin.y) / cell - 0.5 - span.y.0 as f64;
            (row / BAND as f64).floor()
        };
        let first = band(low.y - cap).max(0.0) as usize;
        let last = band(high.y + cap + cell);
        if last < 0.0 {
            continue;
        }
        for list in by_band.iter_mut().take(last as usize + 1).skip(first) {
            list.push(i as u32);
        }
    }
    let bands_of = |polygons: &[&Polygon]| {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); bands];
        for (i, polygon) in polygons.iter().enumerate() {
            let bounds = polygon.bounds();
            let band = |y: f32| {
                ((f64::from(y) - origin.y) / cell - span.y.0 as f64).div_euclid(BAND as f64)
            };
            let first = (band(bounds.min.y) - 1.0).max(0.0) as usize;
            let past = (band(bounds.max.y) + 2.0).max(0.0) as usize;
            for list in lists.iter_mut().take(past).skip(first) {
                list.push(i as u32);
            }
        }
        lists
    };
    let (walls, walkable) = (bands_of(&solids.walls), bands_of(&solids.walkable));
    let rows = &mut clearance.as_mut_slice()[span.y.0 * width..span.y.1 * width];
    rows.par_chunks_mut(width * BAND).zip(by_band.par_iter()).enumerate().for_each(
        |(band, (rows, parts))| {
            let mut row_solid = RowSolid::default();
            for (i, row) in rows.chunks_mut(width).enumerate() {
                let y = span.y.0 + band * BAND + i;
                let cy = origin.y + (y as f64 + 0.5) * cell;
                let out = &mut row[span.x.0..span.x.1];
                let left = origin.x + (span.x.0 as f64 + 0.5) * cell;
                distances(out, left, cell, cy, parts.iter().map(|i| &outline[*i as usize]));
                row_solid.mark(
                    solids,
                    [&walls[band], &walkable[band]],
                    (left, cell, cy),
                    out.len(),
                );
                for (value, solid) in out.iter_mut().zip(&row_solid.solid) {
                    if *solid {
                        *value = -*value;
                    }
                }
            }
        },
    );
}

/// Unsigned distances of a row of points to the nearest of the parts, at most the cap.
fn distances<'a>(
    out: &mut [f32],
    left: f64,
    cell: f64,
    y: f64,
    parts: impl Iterator<Item = &'a Part>,
) {
    let cap = f64::from(CLEARANCE_CAP);
    let mut squares = vec![cap * cap; out.len()];
    for part in parts {
        let (low, high) = part.bounds();
        let away = (low.y - y).max(y - high.y).max(0.0);
        if away >= cap {
            continue;
        }
        let reach = (cap * cap - away * away).sqrt();
        let first = ((low.x - reach - left) / cell).ceil().max(0.0) as usize;
        let last = ((high.x + reach - left) / cell).floor();
        if last < 0.0 {
            continue;
        }
        let last = (last as usize + 1).min(squares.len());
        for (x, square) in squares.iter_mut().enumerate().take(last).skip(first) {
            let d = part.distance_squared(DVec2::new(left + x as f64 * cell, y));
            *square = square.min(d);
        }
    }
    for (out, square) in out.iter_mut().zip(squares) {
        *out = square.sqrt() as f32;
    }
}

/// Which points of a row are solid.
#[derive(Default)]
struct RowSolid {
    solid: Vec<bool>,
    walkable: Vec<bool>,
    crossings: Vec<f64>,
}

impl RowSolid {
    /// `near` has the walls and the areas that may touch the row, by index; the row starts at `left`
    /// and has `n` points `cell` apart.
    fn mark(
        &mut self,
        solids: &Solids<'_>,
        near: [&[u32]; 2],
        (left, cell, y): (f64, f64, f64),
        n: usize,
    ) {
        self.solid.clear();
        self.solid.resize(n, false);
        if solids.bound {
            self.walkable.clear();
            self.walkable.resize(n, false);
            for i in near[1] {
                paint(
                    solids.walkable[*i as usize],
                    left,
                    cell,
                    y,
                    &mut self.crossings,
                    &mut self.walkable,
                );
            }
            for (solid, walkable) in self.solid.iter_mut().zip(&self.walkable) {
                *solid = !walkable;
            }
        }
        for i in near[0] {
            paint(solids.walls[*i as usize], left, cell, y, &mut self.crossings, &mut self.solid);
        }
        for (x, solid) in self.solid.iter_mut().enumerate() {
            let p = Vec2::new((left + x as f64 * cell) as f32, y as f32);
            *solid |= match solids.ground.cell_of(p) {
                Some(cell) => solids.ground[cell].is_infinite(),
                None => !solids.open_edge,
            };
        }
    }
}

/// Sets the points of a row that lie in a polygon (even-odd).
fn paint(
    polygon: &Polygon,
    left: f64,
    cell: f64,
    y: f64,
    crossings: &mut Vec<f64>,
    row: &mut [bool],
) {
    crossings.clear();
    for (a, b) in polygon.edges() {
        let (a, b) = (a.as_dvec2(), b.as_dvec2());
        if (a.y > y) != (b.y > y) {
            crossings.push((b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x);
        }
    }
    crossings.sort_by(f64::total_cmp);
    for pair in crossings.chunks_exact(2) {
        // Inside from the first point at or right of the left crossing to the last left of the
        // right one.
        let first = ((pair[0] - left) / cell).ceil().max(0.0) as usize;
        let last = ((pair[1] - left) / cell).ceil().max(0.0) as usize;
        let last = last.min(row.len());
        if first < last {
            row[first..last].fill(true);
        }
    }
}

/// Sets the static cost in the cells of `span` from the bare ground, the distance to walls and doors;
/// gives the cells that changed.
pub(crate) fn close_cells(
    terrain: &mut Grid<f32>,
    ground: &Grid<f32>,
    clearance: &Grid<f32>,
    navigate: &NavigateParams,
    span: Span,
) -> Vec<u32> {
    let mut changed = Vec::new();
    for y in span.y.0..span.y.1 {
        for x in span.x.0..span.x.1 {
            let cell = Cell::new(x as u32, y as u32);
            let place = (terrain.centre(cell), terrain.cell_size());
            let open = is_open(place.0, place.1, clearance, navigate.wall_margin);
            let cost = if open {
                ground[cell] * (1.0 + beside_doors(clearance, place, navigate))
            } else {
                crate::BLOCKED
            };
            if terrain[cell].to_bits() != cost.to_bits() {
                terrain[cell] = cost;
                changed.push(terrain.index(cell) as u32);
            }
        }
    }
    changed
}

/// Whether a cell may be walked: a disc of radius `margin` in which its middle lies fits between the walls,
/// and no wall runs between it and a cell beside it. What is narrower than such a disc is closed, and what
/// is wider is open up to its walls, wherever the cells lie.
fn is_open(centre: Vec2, side: f32, clearance: &Grid<f32>, margin: f32) -> bool {
    let at = |p: Vec2| clearance.sample(p, throng_field::Edge::Clamp);
    let clear = at(centre);
    if clear >= margin {
        return true;
    }
    // Nearer than this, a thin wall cannot be told from its absence.
    let blur = 0.6 * clearance.cell_size();
    if clear < blur {
        return false;
    }
    let [x, y] = [Vec2::X, Vec2::Y].map(|axis| axis * blur);
    let slope = Vec2::new(at(centre + x) - at(centre - x), at(centre + y) - at(centre - y));
    let away = slope.normalize_or_zero();
    let fits = at(centre + away * (margin - clear)) >= 0.95 * margin;
    let beside = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|axis| axis * side);
    let walled_off = |next: Vec2| at(centre + next) >= blur && at(centre + next * 0.5) < blur;
    fits && !beside.into_iter().any(walled_off)
}
