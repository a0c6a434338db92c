//! Which way is down: the heading of a cell from the potentials around it, and of a point between
//! cells from the headings around it.
//!
//! A heading travels as one `Vec2`: a unit vector, [`ARRIVED`] or [`UNREACHABLE`].

use crate::grid::Grid;
use crate::trace::segment::crosses;
use glam::{DVec2, Vec2};

/// Code of a goal cell.
pub(crate) const ARRIVED: Vec2 = Vec2::ZERO;

/// Code of a cell from which no goal is known to be reachable.
pub(crate) const UNREACHABLE: Vec2 = Vec2::NAN;

/// Greatest smaller component of a heading that passes a blocked corner: at one half the walker
/// would, after one cell length, stand on the border of the blocked cell.
pub(crate) const PASSING: f32 = 0.49;

/// Distance, in cells, at which [`heading_between`] lets a walker pass a blocked corner.
const CORNER_GAP: f64 = 0.01;

/// Potentials of a cell and its eight neighbours; infinite if closed (blocked, unreachable, or
/// outside the grid).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// Rows above, at and below the cell; columns left, at and right of it.
    pub(crate) at: [[f32; 3]; 3],
}

impl Around {
    /// Reads the surroundings of cell (x, y). A blocked cell counts as infinite whatever its
    /// potential says: a field may be older than the walls.
    pub(crate) fn read(potential: &Grid<f32>, cost: &Grid<f32>, x: i64, y: i64) -> Self {
        let (w, h) = (cost.width() as i64, cost.height() as i64);
        let value = |x: i64, y: i64| {
            if x < 0 || y < 0 || x >= w || y >= h {
                return f32::INFINITY;
            }
            let i = (y * w + x) as usize;
            masked(potential.as_slice()[i], cost.as_slice()[i])
        };
        let row = |y| [value(x - 1, y), value(x, y), value(x + 1, y)];
        Self { at: [row(y - 1), row(y), row(y + 1)] }
    }

    /// Unit vector down the potential, or `None` if no neighbour is lower.
    ///
    /// Central differences where both neighbours of an axis are open; towards the lower one, or not
    /// at all, where only one is. Three things are then made sure of, if need be by taking upwind
    /// differences instead: the axis of the greater component leads to a lower neighbour; the slope
    /// along the heading, between the two neighbours it lies between, is downwards; and a closed
    /// diagonal neighbour is passed by, not entered.
    #[inline(always)]
    pub(crate) fn descent(&self) -> Option<Vec2> {
        let [[_, top, _], [left, here, right], [_, bottom, _]] = self.at;
        let central = Vec2::new(central(here, left, right), central(here, top, bottom));
        let fall = if self.leads_down(central) {
            central
        } else {
            Vec2::new(upwind(here, left, right), upwind(here, top, bottom))
        };
        Some(self.past_corner(unit(fall)?))
    }

    /// Whether the neighbour along the greater component of `d` is lower, and the slope along `d` is
    /// downwards. Not for a `d` of zero.
    #[inline(always)]
    fn leads_down(&self, d: Vec2) -> bool {
        let [[_, top, _], [left, here, right], [_, bottom, _]] = self.at;
        let (x, y) = (d.x.abs(), d.y.abs());
        let rise_x = if d.x > 0.0 { right } else { left } - here;
        let rise_y = if d.y > 0.0 { bottom } else { top } - here;
        // A closed neighbour is not pointed at, and infinity times zero is no number.
        let slope_x = if x > 0.0 { x * rise_x } else { 0.0 };
        let slope_y = if y > 0.0 { y * rise_y } else { 0.0 };
        let greater = if x >= y { slope_x } else { slope_y };
        greater < 0.0 && slope_x + slope_y < 0.0
    }

    /// Turns a heading that would enter a closed diagonal neighbour towards its greater component.
    #[inline(always)]
    fn past_corner(&self, d: Vec2) -> Vec2 {
        let (x, y) = (d.x.abs(), d.y.abs());
        if x.min(y) <= PASSING {
            return d;
        }
        let column = if d.x > 0.0 { 2 } else { 0 };
        let row = if d.y > 0.0 { 2 } else { 0 };
        if self.at[row][column].is_finite() {
            return d;
        }
        let greater = (1.0 - PASSING * PASSING).sqrt();
        let turned = if x >= y { Vec2::new(greater, PASSING) } else { Vec2::new(PASSING, greater) };
        turned * d.signum()
    }
}

/// The potential of an open cell; infinite for a closed one.
#[inline(always)]
pub(crate) fn masked(potential: f32, cost: f32) -> f32 {
    if cost == f32::INFINITY { f32::INFINITY } else { potential }
}

/// Fall towards the lower neighbour, by the difference to it; positive towards `high`.
#[inline(always)]
fn upwind(here: f32, low: f32, high: f32) -> f32 {
    if low < high { (low - here).min(0.0) } else { (here - high).max(0.0) }
}

/// Fall by central difference where both neighbours are open, else as [`upwind`].
#[inline(always)]
fn central(here: f32, low: f32, high: f32) -> f32 {
    if low.is_finite() && high.is_finite() { 0.5 * (low - high) } else { upwind(here, low, high) }
}

/// The unit vector along `v`; `None` for zero. Falls of any size have one, also those whose squares
/// are no numbers of `f32`.
#[inline(always)]
fn unit(v: Vec2) -> Option<Vec2> {
    let square = v.length_squared();
    if square > 1e-30 && square < 1e30 {
        return Some(v / square.sqrt());
    }
    let most = v.abs().max_element();
    (most > 0.0).then(|| (v / most).normalize())
}

/// The unit vector along the greater component.
fn axis(d: Vec2) -> Vec2 {
    if d.x.abs() >= d.y.abs() { Vec2::new(d.x.signum(), 0.0) } else { Vec2::new(0.0, d.y.signum()) }
}

/// Heading code at point `p` (cell units) of cell `own`, from the heading codes of cells.
///
/// Bilinear between the four nearest centres; closed cells are left out, and so is a cell that can
/// only be reached through the corner between two closed ones; goals count as the way to their
/// centre. A walker that goes one cell length from `p` along the result does not cross a closed cell.
pub(crate) fn heading_between(p: DVec2, own: (i64, i64), code: impl Fn(i64, i64) -> Vec2) -> Vec2 {
    let mine = code(own.0, own.1);
    if mine == ARRIVED || mine.is_nan() {
        return mine;
    }
    let d = blend(p, own, mine, &code);
    let closed = |x, y| code(x, y).is_nan();
    if crosses(p, p + d.as_dvec2(), closed) { turn_aside(p, own, mine, d, closed) } else { d }
}

/// The mean of the headings around `p`, or the own cell's where they contradict it.
pub(crate) fn blend(
    p: DVec2,
    own: (i64, i64),
    mine: Vec2,
    code: &impl Fn(i64, i64) -> Vec2,
) -> Vec2 {
    let off = p - DVec2::new(own.0 as f64 + 0.5, own.1 as f64 + 0.5);
    let beside = off.abs().min(DVec2::splat(0.5));
    let x = own.0 + if off.x > 0.0 { 1 } else { -1 };
    let y = own.1 + if off.y > 0.0 { 1 } else { -1 };
    let (across, down) = (code(x, own.1), code(own.0, y));
    let mut sum = mine.as_dvec2() * ((1.0 - beside.x) * (1.0 - beside.y));
    let mut add = |weight: f64, (x, y): (i64, i64), heading: Vec2| {
        if heading == ARRIVED {
            let centre = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            sum += (centre - p).normalize_or_zero() * weight;
        } else if !heading.is_nan() {
            sum += heading.as_dvec2() * weight;
        }
    };
    add(beside.x * (1.0 - beside.y), (x, own.1), across);
    add((1.0 - beside.x) * beside.y, (own.0, y), down);
    if !(across.is_nan() && down.is_nan()) {
        add(beside.x * beside.y, (x, y), code(x, y));
    }
    let d = sum.normalize_or_zero().as_vec2();
    if d.dot(mine) > 0.0 { d } else { mine }
}

/// The safe heading that turns least from `d`: the own cell's, along an axis, or close past one of
/// the corners around. There always is one, because the greater component of the own cell's heading
/// leads to an open neighbour, and going along an axis crosses nothing but the own cell and that one.
fn turn_aside(
    p: DVec2,
    own: (i64, i64),
    mine: Vec2,
    d: Vec2,
    closed: impl Fn(i64, i64) -> bool,
) -> Vec2 {
    let mut best = axis(mine);
    let mut least = f32::NEG_INFINITY;
    let mut consider = |candidate: Vec2| {
        let turn = candidate.dot(d);
        let agrees = candidate.dot(mine) > 0.0;
        if turn > least && agrees && !crosses(p, p + candidate.as_dvec2(), &closed) {
            best = candidate;
            least = turn;
        }
    };
    consider(mine);
    consider(Vec2::new(d.x.signum(), 0.0));
    consider(Vec2::new(0.0, d.y.signum()));
    consider(axis(mine));
    for y in -1..=2 {
        for x in -1..=2 {
            let to = DVec2::new((own.0 + x) as f64, (own.1 + y) as f64) - p;
            let distance = to.length();
            if distance > CORNER_GAP && distance < 1.0 {
                let aside = to.perp() * (CORNER_GAP / distance);
                consider((to + aside).normalize().as_vec2());
                consider((to - aside).normalize().as_vec2());
            }
        }
    }
    best
}
