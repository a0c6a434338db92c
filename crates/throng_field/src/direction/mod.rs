//! Directions: for every cell, and for every point between, which way leads down the potential.
//!
//! A [`DirectionField`] is what a crowd reads each step: it is computed once per potential, and
//! sampled for each agent. Inside open ground headings follow central differences, as in `froblins`
//! section 1; beside walls they are one-sided, and nowhere do they lead into a wall.

pub(crate) mod stencil;

use crate::grid::{Cell, Grid};
use crate::solve::{SolveError, Source, check_shape, check_sources};
use glam::{DVec2, Vec2};
use rayon::prelude::*;
use stencil::{ARRIVED, Around, UNREACHABLE, heading_between, masked};

/// Where to go from a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heading {
    /// Along this unit vector, down the potential.
    Towards(Vec2),
    /// Nowhere: this is a goal.
    Arrived,
    /// Nowhere: blocked, outside, or no way to a goal is known.
    Unreachable,
}

impl Heading {
    fn decode(code: Vec2) -> Self {
        if code.is_nan() {
            Self::Unreachable
        } else if code == ARRIVED {
            Self::Arrived
        } else {
            Self::Towards(code)
        }
    }

    /// The unit vector to walk along, or zero where there is nowhere to go.
    pub fn vector(self) -> Vec2 {
        match self {
            Self::Towards(d) => d,
            Self::Arrived | Self::Unreachable => Vec2::ZERO,
        }
    }
}

/// What the cells of a [`DirectionField`] hold. The four numbers sum to the cells of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionReport {
    /// Cells with a heading.
    pub towards: usize,
    /// Goal cells.
    pub arrived: usize,
    /// Blocked cells, and cells without a way to a goal.
    pub unreachable: usize,
    /// Cells with a finite potential, no goal, and no lower open neighbour: the potential does not
    /// belong to this cost and these sources (a wall was built across the only way), or is too great
    /// for `f32` to grow from cell to cell. They read as [`Heading::Unreachable`].
    pub stalled: usize,
}

impl DirectionReport {
    fn sum(self, other: Self) -> Self {
        Self {
            towards: self.towards + other.towards,
            arrived: self.arrived + other.arrived,
            unreachable: self.unreachable + other.unreachable,
            stalled: self.stalled + other.stalled,
        }
    }
}

/// Headings of all cells of a grid.
///
/// A cell's heading is minus the gradient of the potential, normalised, and keeps three promises:
///
/// - it points down: with `u` the cell's potential and `a`, `b` those of the two edge neighbours it
///   lies between, `|d.x| (a - u) + |d.y| (b - u) < 0`;
/// - the neighbour along its greater component is open and has a lower potential;
/// - walking one cell length along it from the cell's centre enters no blocked cell, and does not
///   pass through the corner where two blocked cells meet.
///
/// The last also holds for [`DirectionField::heading_at`] from the given position.
///
/// ```
/// use glam::Vec2;
/// use throng_field::direction::{DirectionField, Heading};
/// use throng_field::solve::{FastMarching, SolveParams, Solver, Source};
/// use throng_field::{Cell, Grid};
///
/// let cost = Grid::filled(8, 8, 1.0)?;
/// let goals = [Source::from(Cell::new(7, 3))];
/// let mut potential = cost.clone();
/// FastMarching::new().solve(&cost, &goals, &SolveParams::default(), &mut potential)?;
/// let mut directions = DirectionField::default();
/// directions.compute(&potential, &cost, &goals)?;
/// assert_eq!(directions.heading(Cell::new(0, 3)), Heading::Towards(Vec2::X));
/// assert_eq!(directions.heading(Cell::new(7, 3)), Heading::Arrived);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DirectionField {
    codes: Grid<Vec2>,
}

impl Default for DirectionField {
    /// A field of one unreachable cell, to be computed into.
    fn default() -> Self {
        let codes = Grid::from_vec(1, 1, vec![UNREACHABLE]).expect("one cell is a grid");
        Self { codes }
    }
}

impl DirectionField {
    /// Computes all headings, in parallel. The memory is kept from call to call as long as the grid
    /// stays the same. Placement is taken from `cost`.
    ///
    /// `sources` are the goals the potential was solved for. A source that another one overtakes (its
    /// start value is above its potential) is no goal but a cell on the way. A cell that is blocked in
    /// `cost` is never entered, even if the potential is older and does not know of it.
    ///
    /// # Errors
    /// [`SolveError`] if the grids are not of one shape, or a source is outside, blocked or no number.
    /// The field is then unchanged.
    pub fn compute(
        &mut self,
        potential: &Grid<f32>,
        cost: &Grid<f32>,
        sources: &[Source],
    ) -> Result<DirectionReport, SolveError> {
        check_shape(cost, potential)?;
        check_sources(cost, sources)?;
        self.fit(cost);
        let width = cost.width();
        let rows = self.codes.as_mut_slice().par_chunks_exact_mut(width);
        let fill = |(y, row): (usize, &mut [Vec2])| fill_row(potential, cost, y, row);
        let report = rows.enumerate().map(fill);
        let mut report = report.reduce(DirectionReport::default, DirectionReport::sum);
        for goal in goals(potential, sources) {
            let code = &mut self.codes[goal];
            if *code == ARRIVED {
                continue;
            }
            if code.is_nan() {
                report.stalled -= 1;
            } else {
                report.towards -= 1;
            }
            report.arrived += 1;
            *code = ARRIVED;
        }
        Ok(report)
    }

    fn fit(&mut self, cost: &Grid<f32>) {
        let codes = &self.codes;
        let same_place = codes.cell_size() == cost.cell_size() && codes.origin() == cost.origin();
        if !(codes.same_shape(cost) && same_place) {
            self.codes = cost.map(|_| UNREACHABLE);
        }
    }

    /// Cells across.
    pub fn width(&self) -> usize {
        self.codes.width()
    }

    /// Cells down.
    pub fn height(&self) -> usize {
        self.codes.height()
    }

    /// The heading of a cell; unreachable outside the grid.
    pub fn heading(&self, cell: Cell) -> Heading {
        Heading::decode(self.codes.get(cell).copied().unwrap_or(UNREACHABLE))
    }

    /// The heading at a world position in metres, smooth between cell centres; unreachable outside.
    ///
    /// Bilinear between the four nearest cells. Walls are left out of the mean, and the result is
    /// turned aside as little as needed for a walker not to enter a wall within one cell length.
    pub fn heading_at(&self, world: Vec2) -> Heading {
        let Some(cell) = self.codes.cell_of(world) else {
            return Heading::Unreachable;
        };
        let corner = DVec2::new(f64::from(cell.x), f64::from(cell.y));
        let p =
            (world.as_dvec2() - self.codes.origin().as_dvec2()) / f64::from(self.codes.cell_size());
        let p = p.clamp(corner, corner + 1.0);
        let own = (i64::from(cell.x), i64::from(cell.y));
        let (w, h) = (self.width() as i64, self.height() as i64);
        let code = |x: i64, y: i64| {
            let inside = x >= 0 && y >= 0 && x < w && y < h;
            if inside { self.codes.as_slice()[(y * w + x) as usize] } else { UNREACHABLE }
        };
        Heading::decode(heading_between(p, own, code))
    }
}

/// The sources that are goals: those whose potential is their own start value.
pub(crate) fn goals<'a>(
    potential: &'a Grid<f32>,
    sources: &'a [Source],
) -> impl Iterator<Item = Cell> + 'a {
    let is_goal = |s: &&Source| potential[s.cell].is_finite() && potential[s.cell] >= s.start;
    sources.iter().filter(is_goal).map(|s| s.cell)
}

/// Fills one row of codes, without goals.
fn fill_row(
    potential: &Grid<f32>,
    cost: &Grid<f32>,
    y: usize,
    row: &mut [Vec2],
) -> DirectionReport {
    let line = |y: usize| (potential.row(y), cost.row(y));
    let above = y.checked_sub(1).map_or((&[][..], &[][..]), line);
    let below = y + 1;
    let below = if below < cost.height() { line(below) } else { (&[][..], &[][..]) };
    let lines = [above, line(y), below];
    // One column of the three rows; what is not there is closed.
    let column = |x: usize| {
        lines.map(|(potential, cost)| match (potential.get(x), cost.get(x)) {
            (Some(&potential), Some(&cost)) => masked(potential, cost),
            _ => f32::INFINITY,
        })
    };
    let mut report = DirectionReport::default();
    let (mut left, mut middle) = ([f32::INFINITY; 3], column(0));
    for (x, code) in row.iter_mut().enumerate() {
        let right = column(x + 1);
        let at = [0, 1, 2].map(|row| [left[row], middle[row], right[row]]);
        *code = UNREACHABLE;
        if !middle[1].is_finite() {
            report.unreachable += 1;
        } else if let Some(d) = (Around { at }).descent() {
            report.towards += 1;
            *code = d;
        } else {
            report.stalled += 1;
        }
        (left, middle) = (middle, right);
    }
    report
}
