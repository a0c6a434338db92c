//! Second order: refining a first-order solution along its own order of cells.
//!
//! The usual second-order fast marching (Sethian 1999, section 8.3) takes wider one-sided differences
//! from whatever cells were accepted before. Its values, and with them the order of acceptance, depend
//! on how ties fall, so no iterative solver can reproduce them. Here the causality is settled first: the
//! first-order solution says which neighbours are upwind of a cell and in which sequence cells follow
//! each other. In that sequence every cell is computed once more, with differences of second order where
//! the field is smooth. The result does not depend on which solver made the first-order solution.
//!
//! Two things need care:
//!
//! * *Ties.* Solvers agree to some roundings of `f32` only, which would be enough to choose another side
//!   where two sides are equal. So the first-order solution is computed anew in `f64`, in sequence;
//!   from then on all that is decided is decided on those values.
//! * *Sources.* At a point source the second derivatives are infinite and any scheme falls back to first
//!   order. The cure is factoring (Fomel, Luo and Zhao 2009, in the additive form of Luo and Qian
//!   2012): `phi = T + tau`, where `T` is the exact potential of the source in uniform cost. `T` is
//!   differentiated exactly, the smooth rest `tau` by differences. In uniform cost and in sight of the
//!   source the result is exact. Only a source that stands alone is a point; goals that touch form an
//!   area, whose front is smooth from the start.

use super::{Report, Source};
use crate::grid::{Cell, Grid};
use rayon::prelude::*;

/// Costs within this factor of each other count as smooth.
const SMOOTH_COST: f32 = 2.0;
/// Share of a step by which first differences may change from cell to cell and still count as smooth,
/// and by which second order may differ from first.
const SMOOTH_STEP: f64 = 0.5;
/// Values closer than this, relatively, are a tie; far above `f64` rounding, far below `f32`'s.
const TIE: f64 = 1e-9;
/// Where two fronts meet, the first-order solution is off by part of a cell, and so is what it takes for
/// upwind there. A second pass takes it from the first pass's values.
const PASSES: usize = 2;
const NO_LABEL: u32 = u32::MAX;

/// Refines first-order solutions. Owns scratch memory only, 32 bytes a cell, kept between calls.
#[derive(Debug, Default)]
pub(crate) struct Refiner {
    /// Reached cells, lowest first: bits of the potential above the index.
    sequence: Vec<u64>,
    cells: Vec<Refined>,
    /// Sources that stand alone.
    lone: Vec<bool>,
}

/// A cell. All of it together: the passes jump about, and each jump should cost one cache line.
#[derive(Clone, Copy, Debug)]
struct Refined {
    /// What upwind is decided on.
    first: f64,
    second: f64,
    /// Cost, infinite if blocked.
    cost: f32,
    /// The source its potential comes from.
    label: u32,
}

/// What stays the same for all cells.
struct Field<'a> {
    cost: &'a Grid<f32>,
    sources: &'a [Source],
    width: usize,
    size: f64,
}

/// An upwind neighbour along one axis, and the difference quotient it gives.
#[derive(Clone, Copy)]
struct Axis {
    /// Unit step from the neighbour to the cell: (1, 0) if the neighbour is on the left.
    towards: (f64, f64),
    near: usize,
    /// The next one beyond, if the field is smooth there.
    far: Option<usize>,
}

impl Refiner {
    /// Replaces the first-order solution in `out`.
    pub(crate) fn refine(
        &mut self,
        cost: &Grid<f32>,
        sources: &[Source],
        out: &mut Grid<f32>,
        report: Report,
    ) -> Report {
        let field = Field { cost, sources, width: cost.width(), size: f64::from(cost.cell_size()) };
        self.prepare(&field, out);
        self.sort(out);
        let sequence = std::mem::take(&mut self.sequence);
        for &entry in &sequence {
            let i = entry as u32 as usize;
            self.settle_first(&field, i, out.as_slice()[i]);
        }
        self.sequence = sequence;
        for pass in 0..PASSES {
            if pass > 0 {
                self.sort(out);
                self.cells.iter_mut().for_each(|cell| cell.first = cell.second);
            }
            self.pass(&field, out);
        }
        let max = out
            .as_slice()
            .iter()
            .fold(0.0f32, |max, &v| if v < f32::INFINITY { max.max(v) } else { max });
        Report { max, ..report }
    }

    /// Computes every cell once, in sequence, upwind being what `first` says.
    fn pass(&mut self, field: &Field<'_>, out: &mut Grid<f32>) {
        for cell in &mut self.cells {
            cell.second = f64::INFINITY;
            cell.label = NO_LABEL;
        }
        self.place_sources(field);
        let sequence = std::mem::take(&mut self.sequence);
        for &entry in &sequence {
            let i = entry as u32 as usize;
            self.settle_second(field, i);
            out.as_mut_slice()[i] = self.cells[i].second as f32;
        }
        self.sequence = sequence;
    }

    /// The reached cells, lowest first.
    fn sort(&mut self, out: &Grid<f32>) {
        self.sequence.clear();
        self.sequence.extend(
            out.as_slice()
                .iter()
                .enumerate()
                .filter(|(_, v)| v.is_finite())
                .map(|(i, v)| u64::from(v.to_bits()) << 32 | i as u64),
        );
        self.sequence.par_sort_unstable();
    }

    fn prepare(&mut self, field: &Field<'_>, out: &Grid<f32>) {
        self.cells.clear();
        self.cells.extend(field.cost.as_slice().iter().map(|&cost| Refined {
            first: f64::INFINITY,
            second: f64::INFINITY,
            cost,
            label: NO_LABEL,
        }));
        for source in field.sources {
            let i = out.index(source.cell);
            self.cells[i].first = self.cells[i].first.min(f64::from(source.start));
        }
        let is_goal = |n: usize| self.cells[n].first.is_finite();
        self.lone.clear();
        self.lone.extend(field.sources.iter().map(|source| {
            let around = (-1i64..=1).flat_map(|dy| (-1i64..=1).map(move |dx| (dx, dy)));
            let mut others = around.filter(|&d| d != (0, 0)).filter_map(|(dx, dy)| {
                let x = u32::try_from(i64::from(source.cell.x) + dx).ok()?;
                let y = u32::try_from(i64::from(source.cell.y) + dy).ok()?;
                let cell = Cell { x, y };
                out.contains(cell).then(|| out.index(cell))
            });
            others.all(|n| !is_goal(n))
        }));
    }

    /// Gives sources that no neighbour undercuts their value and their label.
    fn place_sources(&mut self, field: &Field<'_>) {
        for (number, source) in field.sources.iter().enumerate() {
            let i = field.cost.index(source.cell);
            let start = f64::from(source.start);
            if start < self.cells[i].second && start <= self.cells[i].first * (1.0 + TIE) {
                self.cells[i].second = start;
                self.cells[i].label = number as u32;
            }
        }
    }

    /// Cost of crossing a cell.
    fn step(&self, field: &Field<'_>, i: usize) -> f64 {
        f64::from(self.cells[i].cost) * field.size
    }

    /// First order in `f64`, from the cells that come before.
    fn settle_first(&mut self, field: &Field<'_>, i: usize, solved: f32) {
        let beside = field.beside(field.place(i));
        let [left, right, up, down] =
            beside.map(|n| n.map_or(f64::INFINITY, |n| self.cells[n].first));
        let offer = godunov(left.min(right), up.min(down), self.step(field, i));
        let first = self.cells[i].first.min(offer);
        // Where steps are lost in the rounding of `f32`, the sequence may put a cell before the one it
        // comes from.
        self.cells[i].first = if first < f64::INFINITY { first } else { f64::from(solved) };
    }

    fn settle_second(&mut self, field: &Field<'_>, i: usize) {
        if self.cells[i].label != NO_LABEL {
            return;
        }
        let at = field.place(i);
        let [left, right, up, down] = field.beside(at);
        let x = self.axis(field, at, [left, right], (1.0, 0.0));
        let y = self.axis(field, at, [up, down], (0.0, 1.0));
        let (value, label) = match (x, y) {
            (Some(x), Some(y)) => {
                let nearer =
                    if self.cells[y.near].first < self.cells[x.near].first { y } else { x };
                let label = self.cells[nearer.near].label;
                (self.both(field, at, x, y, label), label)
            }
            (Some(axis), None) | (None, Some(axis)) => {
                (self.along(field, i, axis), self.cells[axis.near].label)
            }
            // A reached cell has an upwind neighbour or is a source; if rounding hid it, it stays first order.
            (None, None) => (self.cells[i].first, NO_LABEL),
        };
        self.cells[i].second = value;
        self.cells[i].label = label;
    }

    /// The upwind neighbour of an axis, if it has one.
    fn axis(
        &self,
        field: &Field<'_>,
        at: Place,
        [before, after]: [Option<usize>; 2],
        towards: (f64, f64),
    ) -> Option<Axis> {
        let i = at.index;
        let value = |n: Option<usize>| n.map_or(f64::INFINITY, |n| self.cells[n].first);
        let (a, b) = (value(before), value(after));
        let from_after = b < a * (1.0 - TIE);
        let (near, towards) =
            if from_after { (after?, (-towards.0, -towards.1)) } else { (before?, towards) };
        // Upwind, and computed already.
        if !(self.cells[near].first < self.cells[i].first * (1.0 - TIE)
            && self.cells[near].second < f64::INFINITY)
        {
            return None;
        }
        let beyond = field.beyond(at, near, towards);
        let far = beyond.filter(|&far| self.is_smooth(field, i, near, far));
        Some(Axis { towards, near, far })
    }

    fn is_smooth(&self, field: &Field<'_>, i: usize, near: usize, far: usize) -> bool {
        let costs = [i, near, far].map(|n| self.cells[n].cost);
        let least = costs.iter().fold(f32::INFINITY, |low, &c| low.min(c));
        let most = costs.iter().fold(0.0, |high: f32, &c| high.max(c));
        let behind = self.cells[near].first - self.cells[far].first;
        let ahead = self.cells[i].first - self.cells[near].first;
        most <= SMOOTH_COST * least
            && behind > 0.0
            && (ahead - behind).abs() <= SMOOTH_STEP * self.step(field, i)
            && self.cells[far].second < f64::INFINITY
            && self.cells[far].second < self.cells[near].second
    }

    /// A front that comes along one axis.
    fn along(&self, field: &Field<'_>, i: usize, axis: Axis) -> f64 {
        let near = self.cells[axis.near].second;
        let plain = near + self.step(field, i);
        match axis.far {
            None => plain,
            Some(far) => {
                let value = (2.0 * self.step(field, i) + 4.0 * near - self.cells[far].second) / 3.0;
                accept(value, plain, near, near, self.step(field, i))
            }
        }
    }

    /// A front that comes from two sides: the greater root of the sum of the squared differences.
    fn both(&self, field: &Field<'_>, at: Place, x: Axis, y: Axis, label: u32) -> f64 {
        let i = at.index;
        let (a, b) = (self.cells[x.near].second, self.cells[y.near].second);
        let step = self.step(field, i);
        let plain = godunov(a, b, step);
        let lone = self.lone.get(label as usize).is_some_and(|&lone| lone);
        let model = lone.then(|| field.model(&field.sources[label as usize]));
        // Where the cell lies as seen from the source, and what the model says there.
        let seen = model.as_ref().map_or((0.0, 0.0), |m| (at.x as f64 - m.x, at.y as f64 - m.y));
        let (cx, gx) = self.difference(x, model.as_ref(), seen);
        let (cy, gy) = self.difference(y, model.as_ref(), seen);
        // (cx q + gx)² + (cy q + gy)² = step², in units of one cell.
        let (qa, qb, qc) = (cx * cx + cy * cy, cx * gx + cy * gy, gx * gx + gy * gy - step * step);
        let root = qb * qb - qa * qc;
        if root >= 0.0 {
            let value = (root.sqrt() - qb) / qa;
            if cx * value + gx >= 0.0 && cy * value + gy >= 0.0 {
                return accept(value, plain, a.min(b), a.max(b), step);
            }
        }
        let nearer = if a <= b { x } else { y };
        accept(self.along(field, i, nearer), plain, a.min(b), a.min(b), step)
    }

    /// The difference of the potential along an axis, times the cell size, as `c q + g` of the unknown
    /// potential q: the model's exact slope plus a one-sided difference of the rest.
    fn difference(&self, axis: Axis, model: Option<&Model>, seen: (f64, f64)) -> (f64, f64) {
        let back = |steps: f64| (seen.0 - steps * axis.towards.0, seen.1 - steps * axis.towards.1);
        let at = |steps: f64| model.map_or(0.0, |m| m.value(back(steps)));
        let slope = model.map_or(0.0, |m| m.slope(seen, axis.towards));
        let near = self.cells[axis.near].second - at(1.0);
        let (c, known) = match axis.far {
            None => (1.0, near),
            Some(far) => (1.5, 2.0 * near - 0.5 * (self.cells[far].second - at(2.0))),
        };
        (c, slope - c * at(0.0) - known)
    }
}

/// Takes the second-order value if it is believable, the first-order value otherwise. It must lie above
/// the neighbours it was made from, so that every cell has a way down.
fn accept(value: f64, plain: f64, low: f64, high: f64, step: f64) -> f64 {
    let believable =
        value >= high && value > low + 0.1 * step && (value - plain).abs() <= SMOOTH_STEP * step;
    if believable { value } else { plain }
}

fn godunov(a: f64, b: f64, f: f64) -> f64 {
    let d = a - b;
    if d.abs() < f { (a + b + (2.0 * f * f - d * d).sqrt()) * 0.5 } else { a.min(b) + f }
}

/// The potential of one source in uniform cost: a cone.
struct Model {
    x: f64,
    y: f64,
    start: f64,
    /// Cost of a step at the source.
    step: f64,
}

impl Model {
    /// The cone's value at an offset from the source.
    fn value(&self, (dx, dy): (f64, f64)) -> f64 {
        self.start + self.step * (dx * dx + dy * dy).sqrt()
    }

    /// The cone's slope there along a unit step.
    fn slope(&self, (dx, dy): (f64, f64), towards: (f64, f64)) -> f64 {
        let r = (dx * dx + dy * dy).sqrt();
        if r > 0.0 { self.step * (dx * towards.0 + dy * towards.1) / r } else { 0.0 }
    }
}

/// A cell by index, column and row.
#[derive(Clone, Copy)]
struct Place {
    index: usize,
    x: usize,
    y: usize,
}

impl Field<'_> {
    /// Cost of crossing a cell.
    fn step(&self, i: usize) -> f64 {
        f64::from(self.cost.as_slice()[i]) * self.size
    }

    fn model(&self, source: &Source) -> Model {
        Model {
            x: f64::from(source.cell.x),
            y: f64::from(source.cell.y),
            start: f64::from(source.start),
            step: self.step(self.cost.index(source.cell)),
        }
    }

    fn place(&self, index: usize) -> Place {
        // In 32 bits: a division of 64 takes twice as long, and grids are smaller.
        let (i, width) = (index as u32, self.width as u32);
        Place { index, x: (i % width) as usize, y: (i / width) as usize }
    }

    /// Neighbours left, right, above, below.
    fn beside(&self, at: Place) -> [Option<usize>; 4] {
        let i = at.index;
        [
            (at.x > 0).then(|| i - 1),
            (at.x + 1 < self.width).then_some(i + 1),
            (at.y > 0).then(|| i - self.width),
            (at.y + 1 < self.cost.height()).then_some(i + self.width),
        ]
    }

    /// The cell beyond the neighbour `near`, which lies against `towards`.
    fn beyond(&self, at: Place, near: usize, towards: (f64, f64)) -> Option<usize> {
        let inside = match towards {
            (1.0, _) => at.x >= 2,
            (-1.0, _) => at.x + 2 < self.width,
            (_, 1.0) => at.y >= 2,
            _ => at.y + 2 < self.cost.height(),
        };
        inside.then(|| 2 * near - at.index)
    }
}
