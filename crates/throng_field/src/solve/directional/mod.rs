//! Potentials for costs that depend on the direction of travel: uphill is dearer than downhill.
//!
//! # The problem
//! Walking from `x` in unit direction `d` costs `c(x, d) = F(x) (1 + uphill (g·d)⁺ + downhill (-g·d)⁺)`
//! per metre, `g` being the gradient of the ground in rise per run. The least cost to a goal solves the
//! static Hamilton-Jacobi-Bellman equation `min over d of (grad phi · d + c(x, d)) = 0`. With
//! `N(v) = F |v| + F max(uphill g·v, -downhill g·v)`, the cost of walking straight along `v` over ground
//! like that at `x`, Bellman's principle on a small polygon around `x` reads
//! `phi(x) = min over y on the polygon of (phi(y) + N(y - x))`. `N` is convex if
//! `uphill + downhill >= 0`, and positive if no direction costs nothing; both are checked.
//!
//! # The scheme
//! The polygon is the square through the eight neighbours, `phi` linear between them: eight triangles,
//! each of an axis and a diagonal neighbour, solved in closed form in `stencil`. This is the
//! semi-Lagrangian scheme of Tsitsiklis (1995, "Efficient algorithms for globally optimal trajectories",
//! IEEE Trans. Automatic Control 40, section III) with the norm of Sethian and Vladimirsky (2003,
//! "Ordered upwind methods for static Hamilton-Jacobi equations", SIAM J. Numer. Anal. 41, section 2).
//! It is monotone and first order.
//!
//! A diagonal neighbour takes part only if both axis cells beside it are free: no way cuts the corner
//! of a wall. Without it, its two triangles shrink to their axis neighbours.
//!
//! # The solver
//! For such costs the best direction is not the steepest descent of `phi`, so a cell may depend on
//! neighbours higher than itself and marching in order of potential goes wrong (Kimmel and Sethian's
//! acute triangles do not help: the angle would have to be acute in the norm `N`). Iteration does not
//! mind: all values start infinite and only go down, to the greatest solution of the scheme. Cells are
//! visited by Gauss-Seidel sweeps in four directions, and only those with a neighbour that changed
//! (Bak, McLaughlin and Renzi 2010, "Some improvements for the fast sweeping method", SIAM J. Sci.
//! Comput. 32). Sweeps stay within tiles, tiles with the lowest values first (Chacon and Vladimirsky
//! 2012, "Fast two-scale methods for Eikonal equations", SIAM J. Sci. Comput. 34). Tiles of one round do
//! not see each other's work before its end, so the result has the same bits on any number of threads.

mod measure;
mod stencil;
mod sweep;
mod tiles;

use super::{Order, Report, SolveError, SolveParams, Source, check_problem, check_shape};
use crate::cost::{MAX_COST, MIN_COST};
use crate::grid::{Cell, Grid};
use glam::Vec2;
use tiles::Tiles;

/// The ground's slope, and how much it matters to those who walk.
///
/// Cost relative to the flat of walking in unit direction `d`: `1 + uphill · s` where `s = gradient · d`
/// rises, `1 + downhill · |s|` where it falls.
#[derive(Clone, Copy, Debug)]
pub struct Slope<'a> {
    /// Gradient of the ground in rise per run, pointing uphill; as
    /// [`height_gradient`](crate::cost::height_gradient) makes it. Not looked at in blocked cells.
    pub gradient: &'a Grid<Vec2>,
    /// Extra cost per unit of rise / run on the way up. 2 makes a climb of 50 % cost twice the flat.
    pub uphill: f32,
    /// Extra cost per unit of rise / run on the way down. Negative where descending is easier than
    /// the flat, but no less than `-uphill`, and not so low that a descent costs nothing.
    pub downhill: f32,
}

impl Slope<'_> {
    /// Cost, relative to the flat, of walking from `cell` in unit direction `direction`.
    ///
    /// # Panics
    /// If `cell` is outside the gradient's grid.
    pub fn factor(&self, cell: Cell, direction: Vec2) -> f32 {
        let slope = self.gradient[cell].dot(direction);
        1.0 + (self.uphill * slope).max(-self.downhill * slope)
    }

    /// The least and the greatest of the extra costs per unit of slope, flat included.
    fn extremes(&self) -> (f32, f32) {
        let (up, down) = (self.uphill, self.downhill);
        (up.min(down).min(0.0), up.max(down).max(0.0))
    }

    /// Checks that the cost is one that can be solved for, in every free cell and direction.
    fn check(&self, cost: &Grid<f32>) -> Result<(), SolveError> {
        check_shape(cost, self.gradient)?;
        let bad =
            |cause| SolveError::BadSlope { uphill: self.uphill, downhill: self.downhill, cause };
        if !(self.uphill.is_finite() && self.downhill.is_finite()) {
            return Err(bad("both must be finite"));
        }
        if self.uphill + self.downhill < 0.0 {
            return Err(bad("their sum must not be negative"));
        }
        let (least, greatest) = self.extremes();
        let (mut finite, mut positive, mut bounded) = (true, true, true);
        for (&c, g) in cost.as_slice().iter().zip(self.gradient.as_slice()) {
            let free = c < f32::INFINITY;
            let steep = (g.x * g.x + g.y * g.y).sqrt();
            finite &= !free | (steep < f32::INFINITY);
            positive &= !free | (c * (1.0 + least * steep) >= MIN_COST);
            bounded &= !free | (c * (1.0 + greatest * steep) <= MAX_COST);
        }
        if !finite {
            return Err(bad("the gradient must be finite in every free cell"));
        }
        if !positive {
            let cause = "some cell is so steep that walking there costs less than 1e-6; the \
                         negative factor must be nearer to 0";
            return Err(bad(cause));
        }
        if !bounded {
            let cause = "some cell is so steep that walking there costs more than 1e6; lower the \
                         factors, or block the cell";
            return Err(bad(cause));
        }
        Ok(())
    }
}

/// What is to be solved.
#[derive(Clone, Copy, Debug)]
struct Problem<'a> {
    cost: &'a Grid<f32>,
    slope: &'a Slope<'a>,
}

/// The solver for costs that depend on the direction of travel. Owns scratch memory only.
#[derive(Debug, Default)]
pub struct Directional {
    tiles: Tiles,
    /// Sources in row order, for the measurement.
    fixed: Vec<u32>,
}

impl Directional {
    /// A solver with no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves for `cost` on sloping ground from `sources` into `out`: potential in cost times metres,
    /// infinite where blocked or out of reach.
    ///
    /// The report counts cell updates as iterations, and rounds over the active tiles. Usual slopes
    /// take 2 to 4 updates per cell; where one direction costs hundreds of times another, cells
    /// lower each other in turn and it may take hundreds.
    ///
    /// # Errors
    /// [`SolveError`] if the input is no problem to solve ([`SolveError::BadSlope`] if a gradient is
    /// not finite, or the cost in some direction is not positive or not convex),
    /// [`SolveError::Unsupported`] for [`Order::Second`], or [`SolveError::NotConverged`] at the round
    /// limit. `out` then holds no solution.
    pub fn solve(
        &mut self,
        cost: &Grid<f32>,
        slope: &Slope<'_>,
        sources: &[Source],
        params: &SolveParams,
        out: &mut Grid<f32>,
    ) -> Result<Report, SolveError> {
        check_problem(cost, sources, out)?;
        if params.order == Order::Second {
            return Err(SolveError::Unsupported {
                what: "second order",
                solver: "the directional solver",
                cure: "solve with first order, on smaller cells if need be",
            });
        }
        slope.check(cost)?;
        let problem = Problem { cost, slope };
        out.as_mut_slice().fill(f32::INFINITY);
        self.fixed.clear();
        for source in sources {
            let value = &mut out[source.cell];
            *value = value.min(source.start);
            self.fixed.push(cost.index(source.cell) as u32);
        }
        self.fixed.sort_unstable();
        let tally = self.tiles.solve(problem, sources, params.max_rounds, out);
        let finding = measure::measure(problem, &self.fixed, out);
        if !tally.finished {
            return Err(SolveError::NotConverged {
                rounds: tally.rounds,
                residual: finding.residual,
            });
        }
        finding.report(tally.updates, tally.rounds)
    }
}

#[cfg(test)]
mod tests;
