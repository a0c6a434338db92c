//! Following a potential down to a goal.
//!
//! The path takes steps of a fraction of a cell along the heading between cells (midpoint rule). Let
//! `low` be the least potential of any cell it has been in. A step that reaches a lower cell is
//! progress; steps without progress are allowed for a few cells only, and none may come near a wall.
//! When steps fail, the path goes back to where it made progress last, to that cell's centre, and over
//! neighbouring centres to a cell that is lower than `low`.
//!
//! So `low` falls strictly between two failures. It only takes values of the field, hence there are
//! at most as many as cells, each after a bounded number of steps: the trace ends. It cannot end
//! anywhere but at a goal: in a solved field every reachable cell that is no goal has a neighbour of
//! lower potential. (Where rounding made neighbours equal, or a field is not a solution, the search
//! for a lower cell goes further, over as many cells as it takes; if there is none, nor a goal, no way
//! is known.)

use super::Tracer;
use crate::direction::stencil::{ARRIVED, Around, UNREACHABLE, blend, heading_between};
use crate::grid::Cell;
use glam::{DVec2, Vec2};
use std::cell::Cell as Slot;
use std::collections::{HashMap, VecDeque};

/// Distance from walls of points made by steps, in margins of the ground. Twice that of corner
/// points, so that the line can later be pulled onto them.
const CLEARANCE: f64 = 4.0;

/// Length of way, in cells, without a lower cell, after which stepping has failed.
const PATIENCE: f64 = 3.0;

/// A cell on the way, with its potential.
#[derive(Clone, Copy)]
struct Low {
    cell: Cell,
    potential: f32,
    /// Number of path points when it was reached.
    points: usize,
}

impl Tracer<'_> {
    /// The points (cell units) from `start` in `cell`, which is free, to a goal; `None` if there is no
    /// way.
    pub(super) fn descend(&self, start: DVec2, cell: Cell) -> Option<Vec<DVec2>> {
        if !self.potential[cell].is_finite() {
            return None;
        }
        let mut points = vec![start];
        push(&mut points, self.inside(start, cell));
        let headings = Headings::new(self);
        let mut low = self.low(cell, points.len());
        let mut here = cell;
        let mut idle = 0.0;
        while !self.is_goal(here) {
            let p = points[points.len() - 1];
            let next = if idle < PATIENCE { headings.step(p, here) } else { None };
            let Some((next, cell)) = next else {
                points.truncate(low.points);
                for cell in self.way_down(low.cell)? {
                    push(&mut points, self.ground.centre(cell));
                    here = cell;
                }
                low = self.low(here, points.len());
                idle = 0.0;
                continue;
            };
            points.push(next);
            here = cell;
            if self.potential[here] < low.potential {
                low = self.low(here, points.len());
                idle = 0.0;
            } else {
                idle += self.step;
            }
        }
        push(&mut points, self.ground.centre(here));
        Some(points)
    }

    fn low(&self, cell: Cell, points: usize) -> Low {
        Low { cell, potential: self.potential[cell], points }
    }

    fn is_goal(&self, cell: Cell) -> bool {
        let index = self.potential.index(cell);
        self.goals.binary_search(&index).is_ok()
    }

    /// The point of the cell nearest to `p` that keeps clear of whatever is beside the cell.
    fn inside(&self, p: DVec2, cell: Cell) -> DVec2 {
        let corner = DVec2::new(f64::from(cell.x), f64::from(cell.y));
        let gap = (CLEARANCE + 1.0) * self.ground.margin();
        let inner = p.clamp(corner + gap, corner + (1.0 - gap));
        if inner == p { p } else { self.ground.snap(inner) }
    }

    /// The cells from `from` (first) over open neighbours to the nearest that is a goal or lower
    /// (last), among equally near ones the lowest.
    fn way_down(&self, from: Cell) -> Option<Vec<Cell>> {
        let is_end = |c: Cell| self.potential[c] < self.potential[from] || self.is_goal(c);
        let nearest = self.open_neighbours(from).filter(|&c| is_end(c));
        let by_potential = |a: &Cell, b: &Cell| self.potential[*a].total_cmp(&self.potential[*b]);
        if let Some(lowest) = nearest.min_by(by_potential) {
            return Some(vec![from, lowest]);
        }
        let mut came_from = HashMap::from([(from, from)]);
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            if cell != from && is_end(cell) {
                let mut way = vec![cell];
                while way[way.len() - 1] != from {
                    way.push(came_from[&way[way.len() - 1]]);
                }
                way.reverse();
                return Some(way);
            }
            for next in self.open_neighbours(cell) {
                came_from.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    cell
                });
            }
        }
        None
    }

    /// The edge neighbours of a cell that are free and have a potential.
    fn open_neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let cost = self.ground.grid();
        let at = |dx, dy| {
            let (x, y) = (cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
            Cell::new(x, y)
        };
        let open = |&c: &Cell| {
            cost.contains(c) && cost[c] != f32::INFINITY && self.potential[c].is_finite()
        };
        [at(-1, 0), at(1, 0), at(0, -1), at(0, 1)].into_iter().filter(open)
    }
}

/// Headings of the cells around a path, computed when needed and kept while the path is near.
struct Headings<'a> {
    tracer: &'a Tracer<'a>,
    /// The last heading code of each place in blocks of [`BLOCK`] cells, with its cell.
    kept: [Slot<((i64, i64), Vec2)>; BLOCK * BLOCK],
}

/// Cells of a side of the blocks in which headings are kept.
const BLOCK: usize = 8;

impl<'a> Headings<'a> {
    fn new(tracer: &'a Tracer<'a>) -> Self {
        Self {
            tracer,
            kept: [const { Slot::new(((i64::MIN, i64::MIN), UNREACHABLE)) }; BLOCK * BLOCK],
        }
    }

    /// One step from `p` in cell `here`; `None` if it would come near a wall.
    fn step(&self, p: DVec2, here: Cell) -> Option<(DVec2, Cell)> {
        let ground = &self.tracer.ground;
        let step = self.tracer.step;
        let first = self.blended(p, here)?;
        let middle = p + first.as_dvec2() * (0.5 * step);
        let second = ground.cell_of(middle);
        let second = second.and_then(|cell| self.blended(middle, cell));
        let own = (i64::from(here.x), i64::from(here.y));
        let land = |d: Vec2| {
            let next = ground.snap(p + d.as_dvec2() * step);
            let clear = next != p && ground.is_clear(p, next, CLEARANCE);
            let cell = ground.cell_of(next).filter(|_| clear)?;
            Some((next, cell))
        };
        second
            .and_then(land)
            .or_else(|| land(first))
            .or_else(|| land(heading_between(p, own, |x, y| self.code(x, y))))
    }

    /// Mean heading of the cells around; `None` where there is none.
    fn blended(&self, p: DVec2, cell: Cell) -> Option<Vec2> {
        let own = (i64::from(cell.x), i64::from(cell.y));
        let mine = self.code(own.0, own.1);
        if mine.is_nan() {
            return None;
        }
        if mine == ARRIVED {
            let to = self.tracer.ground.centre(cell) - p;
            return to.try_normalize().map(|d| d.as_vec2());
        }
        Some(blend(p, own, mine, &|x, y| self.code(x, y)))
    }

    /// Heading code of a cell.
    fn code(&self, x: i64, y: i64) -> Vec2 {
        let place = |i: i64| i.rem_euclid(BLOCK as i64) as usize;
        let slot = &self.kept[place(y) * BLOCK + place(x)];
        let (cell, kept) = slot.get();
        if cell == (x, y) {
            return kept;
        }
        let code = self.tracer.compute_code(x, y);
        slot.set(((x, y), code));
        code
    }
}

impl Tracer<'_> {
    fn compute_code(&self, x: i64, y: i64) -> Vec2 {
        let around = Around::read(self.potential, self.ground.grid(), x, y);
        if !around.at[1][1].is_finite() {
            return UNREACHABLE;
        }
        if self.is_goal(Cell::new(x as u32, y as u32)) {
            return ARRIVED;
        }
        around.descent().unwrap_or(UNREACHABLE)
    }
}

/// Adds a point unless it repeats the last one.
fn push(points: &mut Vec<DVec2>, p: DVec2) {
    if points.last() != Some(&p) {
        points.push(p);
    }
}
