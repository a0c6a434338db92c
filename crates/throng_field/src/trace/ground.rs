//! A cost grid seen from above in cell units, in double precision, with its walls.
//!
//! Paths are worked out in cell units ((0, 0) is the corner of cell (0, 0), a cell is 1 wide) and
//! handed out as `f32` metres. Every point is rounded to what will be handed out *before* it is
//! tested, and walls are kept at a margin of many roundings, so that what holds here holds outside.

use super::segment;
use crate::grid::{Cell, Grid};
use glam::{DVec2, Vec2};

/// Least distance to walls in cells, as long as `f32` positions are fine enough.
const LEAST_MARGIN: f64 = 1.0 / 1024.0;

/// Margin above which there would be no room left for a path in a corridor of one cell.
const MOST_MARGIN: f64 = 1.0 / 32.0;

/// Roundings of a world position within one margin.
const ROUNDINGS: f64 = 8.0;

/// A cost grid in cell units; see the module.
#[derive(Debug)]
pub(crate) struct Ground<'a> {
    cost: &'a Grid<f32>,
    width: i64,
    height: i64,
    origin: DVec2,
    size: f64,
    margin: f64,
}

impl<'a> Ground<'a> {
    /// `None` if the grid lies so far out, for the size of its cells, that `f32` positions cannot
    /// tell places within a cell apart.
    pub(crate) fn new(cost: &'a Grid<f32>) -> Option<Self> {
        let ground = Self::anywhere(cost);
        (ground.margin <= MOST_MARGIN).then_some(ground)
    }

    /// The ground wherever it lies; its margin may be too large to be kept.
    pub(crate) fn anywhere(cost: &'a Grid<f32>) -> Self {
        let far = cost.origin().abs().max((cost.origin() + cost.extent()).abs());
        let size = f64::from(cost.cell_size());
        let rounding = f64::from(far.max_element()) * f64::from(f32::EPSILON) / size;
        let margin = LEAST_MARGIN.max(ROUNDINGS * rounding);
        Self {
            cost,
            width: cost.width() as i64,
            height: cost.height() as i64,
            origin: cost.origin().as_dvec2(),
            size,
            margin,
        }
    }

    pub(crate) fn grid(&self) -> &'a Grid<f32> {
        self.cost
    }

    /// Side of a cell in metres.
    pub(crate) fn cell_size(&self) -> f64 {
        self.size
    }

    /// Distance from walls that every segment of a path keeps, in cells. New points are put at twice
    /// this distance or more.
    pub(crate) fn margin(&self) -> f64 {
        self.margin
    }

    pub(crate) fn to_cells(&self, world: Vec2) -> DVec2 {
        (world.as_dvec2() - self.origin) / self.size
    }

    pub(crate) fn to_world(&self, p: DVec2) -> Vec2 {
        (p * self.size + self.origin).as_vec2()
    }

    /// The point as it will be after it has been rounded to `f32` metres.
    pub(crate) fn snap(&self, p: DVec2) -> DVec2 {
        self.to_cells(self.to_world(p))
    }

    /// The centre of a cell, as [`Ground::snap`] rounds it.
    pub(crate) fn centre(&self, cell: Cell) -> DVec2 {
        self.snap(DVec2::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5))
    }

    /// The cell a point lies in, if it is inside the grid.
    pub(crate) fn cell_of(&self, p: DVec2) -> Option<Cell> {
        let inside =
            p.x >= 0.0 && p.y >= 0.0 && p.x < self.width as f64 && p.y < self.height as f64;
        inside.then(|| Cell::new(p.x as u32, p.y as u32))
    }

    /// Whether a cell is blocked; everything outside the grid is.
    #[inline(always)]
    pub(crate) fn closed(&self, x: i64, y: i64) -> bool {
        self.cost_at(x, y) == f32::INFINITY
    }

    /// A cell's cost; infinite outside.
    #[inline(always)]
    pub(crate) fn cost_at(&self, x: i64, y: i64) -> f32 {
        let inside = (x as u64) < self.width as u64 && (y as u64) < self.height as u64;
        if inside { self.cost.as_slice()[(y * self.width + x) as usize] } else { f32::INFINITY }
    }

    /// Whether the segment lies in the grid. Only such are walked along: others may be without end.
    fn holds(&self, a: DVec2, b: DVec2) -> bool {
        let end = DVec2::new(self.width as f64, self.height as f64);
        a.min(b).min_element() >= 0.0 && a.max(b).cmple(end).all() && !(a + b).is_nan()
    }

    /// Whether the segment keeps `margins` times [`Ground::margin`] from all walls.
    pub(crate) fn is_clear(&self, a: DVec2, b: DVec2, margins: f64) -> bool {
        let closed = |x, y| self.closed(x, y);
        self.holds(a, b) && segment::is_clear(a, b, margins * self.margin, closed)
    }

    /// Whether the segment keeps out of walls: see [`super::segment_is_free`].
    pub(crate) fn is_free(&self, a: DVec2, b: DVec2) -> bool {
        let closed = |x, y| self.closed(x, y);
        let inside = |p| segment::is_inside(p, closed);
        self.holds(a, b) && !inside(a) && !inside(b) && !segment::crosses(a, b, closed)
    }

    /// Integral of the cost along the segment, in cost times cells; infinite outside the grid.
    pub(crate) fn integral(&self, a: DVec2, b: DVec2) -> f64 {
        if !self.holds(a, b) {
            return f64::INFINITY;
        }
        segment::integral(a, b, |x, y| f64::from(self.cost_at(x, y)))
    }
}
