//! The directional solver as its users see it: against a slow solver that tries every way, against
//! exact solutions, and on hills.

mod problem;

use glam::Vec2;
use problem::Dice;
use throng_field::cost::height_gradient;
use throng_field::solve::{
    Directional, FastMarching, Report, Slope, SolveError, SolveParams, Solver, Source,
};
use throng_field::{Cell, Grid};

/// A problem to solve.
#[derive(Clone, Debug)]
struct Problem {
    cost: Grid<f32>,
    gradient: Grid<Vec2>,
    uphill: f32,
    downhill: f32,
    sources: Vec<Source>,
}

impl Problem {
    fn new(cost: Grid<f32>, gradient: Grid<Vec2>, factors: (f32, f32), goal: Cell) -> Self {
        Self { cost, gradient, uphill: factors.0, downhill: factors.1, sources: vec![goal.into()] }
    }

    fn solve(&self) -> Result<(Grid<f32>, Report), SolveError> {
        let params = &SolveParams::default();
        let slope =
            Slope { gradient: &self.gradient, uphill: self.uphill, downhill: self.downhill };
        let mut out = self.cost.map(|_| -1.0);
        let report =
            Directional::new().solve(&self.cost, &slope, &self.sources, params, &mut out)?;
        Ok((out, report))
    }

    /// Cost of a straight way of `(x, y)` cells over ground like that at `cell`.
    fn walk(&self, cell: Cell, (x, y): (f64, f64)) -> f64 {
        let g = self.gradient[cell];
        let rise = x * f64::from(g.x) + y * f64::from(g.y);
        let factor = if rise > 0.0 { self.uphill } else { -self.downhill };
        let step = f64::from(self.cost[cell] * self.cost.cell_size());
        step * (x.hypot(y) + f64::from(factor) * rise)
    }

    fn free(&self, cell: Option<Cell>) -> bool {
        cell.is_some_and(|c| self.cost[c] < f32::INFINITY)
    }

    fn neighbour(&self, cell: Cell, (dx, dy): (i32, i32)) -> Option<Cell> {
        let cell = Cell::new(cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?);
        self.cost.contains(cell).then_some(cell)
    }

    /// What a cell's neighbours offer it, by trying many points of every edge of the square around.
    fn offer(&self, phi: &Grid<f64>, cell: Cell) -> f64 {
        let axes = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        let mut best = f64::INFINITY;
        for a in axes {
            let axis = self.neighbour(cell, a);
            if !self.free(axis) {
                continue;
            }
            let axis_value = phi[axis.unwrap()];
            for s in axes.into_iter().filter(|s| s.0 * a.0 + s.1 * a.1 == 0) {
                let corner = self.neighbour(cell, (a.0 + s.0, a.1 + s.1));
                let open = self.free(corner) && self.free(self.neighbour(cell, s));
                let corner_value = if open { phi[corner.unwrap()] } else { f64::INFINITY };
                best = best.min(least(|t| {
                    let v =
                        (f64::from(a.0) + t * f64::from(s.0), f64::from(a.1) + t * f64::from(s.1));
                    let value = match t {
                        0.0 => axis_value,
                        1.0 => corner_value,
                        _ => (1.0 - t) * axis_value + t * corner_value,
                    };
                    value + self.walk(cell, v)
                }));
            }
        }
        best
    }

    /// The slow and obvious solver: every cell in turn until nothing changes.
    fn reference(&self) -> Grid<f64> {
        let mut phi = self.cost.map(|_| f64::INFINITY);
        for source in &self.sources {
            phi[source.cell] = phi[source.cell].min(f64::from(source.start));
        }
        let mut change = 1.0;
        let mut forwards = true;
        while change > 1e-7 {
            change = 0.0;
            for i in 0..phi.cells() {
                let i = if forwards { i } else { phi.cells() - 1 - i };
                let cell = phi.cell_at(i);
                if self.free(Some(cell)) {
                    let offer = self.offer(&phi, cell);
                    if offer < phi[cell] {
                        change = f64::max(change, phi[cell] - offer);
                        phi[cell] = offer;
                    }
                }
            }
            forwards = !forwards;
        }
        phi
    }

    fn random(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let (width, height) = (1 + dice.below(10), 1 + dice.below(10));
        let walls = dice.between(0.0, 0.4);
        let dearest = dice.between(1.0, 8.0);
        let steepest = dice.between(0.0, 0.8);
        let mut cost = Grid::from_fn(width, height, |_| {
            let cost = dice.between(0.5, dearest);
            if dice.unit() < walls { f32::INFINITY } else { cost }
        })
        .unwrap()
        .placed(dice.between(0.3, 3.0), Vec2::new(-4.0, 7.0))
        .unwrap();
        let gradient = Grid::from_fn(width, height, |_| {
            steepest * Vec2::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0))
        })
        .unwrap();
        let uphill = dice.between(0.0, 3.0);
        let downhill = dice.between(-uphill.min(0.6 / (1.5 * steepest).max(0.01)), 2.0);
        let sources = (0..1 + dice.below(3))
            .map(|_| {
                let cell = Cell::new(dice.below(width) as u32, dice.below(height) as u32);
                cost[cell] = cost[cell].min(1.0);
                Source::new(cell, (dice.between(-2.0, 3.0)).max(0.0))
            })
            .collect();
        Self { cost, gradient, uphill, downhill, sources }
    }
}

/// The least value of a function on 0..=1: samples, then a golden section around the best.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    const SAMPLES: u32 = 100;
    let at = |i: u32| f64::from(i) / f64::from(SAMPLES);
    let (mut best, mut value) = (0, f64::INFINITY);
    for i in 0..=SAMPLES {
        let found = f(at(i));
        if found < value {
            (best, value) = (i, found);
        }
    }
    let (mut low, mut high) = (at(best.saturating_sub(1)), at((best + 1).min(SAMPLES)));
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    for _ in 0..25 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if f(a) < f(b) {
            high = b;
        } else {
            low = a;
        }
    }
    value.min(f(0.5 * (low + high)))
}

/// If this fails, the solver gives other numbers than its own scheme: a wrong update, a corner cut, a
/// cell that was not visited again.
#[test]
fn agrees_with_the_slow_solver_on_random_maps() {
    for seed in 0..150 {
        let problem = Problem::random(seed);
        let (phi, report) = problem.solve().unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let reference = problem.reference();
        let mut reachable = 0;
        for (i, (&found, &right)) in phi.as_slice().iter().zip(reference.as_slice()).enumerate() {
            let same = f64::from(found) == right
                || (f64::from(found) - right).abs() <= 1e-5 * right.min(f64::MAX);
            let cell = phi.cell_at(i);
            assert!(same, "seed {seed}, cell {cell}: {found} for {right}");
            reachable += usize::from(right < f64::INFINITY);
        }
        assert_eq!(report.reachable, reachable, "seed {seed}");
    }
}

/// Uniform plane of slope (0.4, 0.2) on the unit square, goal in the middle. Mean error against the exact
/// solution, the cost of the straight way.
fn plane_error(side: usize, radius: f64) -> f64 {
    let size = 1.0 / (side - 1) as f32;
    let cost = Grid::filled(side, side, 1.0f32).unwrap();
    let cost = cost.placed(size, Vec2::ZERO).unwrap();
    let gradient = cost.map(|_| Vec2::new(0.4, 0.2));
    let middle = Cell::new(side as u32 / 2, side as u32 / 2);
    let mut problem = Problem::new(cost, gradient, (2.0, 0.3), middle);
    let exact = |cell: Cell| {
        let way = |from: u32, to: u32| f64::from(to) - f64::from(from);
        problem.walk(cell, (way(cell.x, middle.x), way(cell.y, middle.y)))
    };
    let cells = (0..side * side).map(|i| problem.cost.cell_at(i));
    let start: Vec<Source> = cells
        .clone()
        .filter(|c| exact(*c) <= radius)
        .map(|c| Source::new(c, exact(c) as f32))
        .collect();
    let exact: Vec<f64> = cells.map(exact).collect();
    problem.sources = start;
    let (phi, _) = problem.solve().unwrap();
    let off = phi.as_slice().iter().zip(&exact);
    off.map(|(u, e)| (f64::from(*u) - e).abs()).sum::<f64>() / exact.len() as f64
}

/// A scheme that does not converge to the exact solution at first order is not the scheme it says.
/// Around a single goal cell the exact solution has a kink at every scale, which costs every
/// first-order scheme a factor of log(1/h); with exact values within 0.1 m of the goal it is gone.
#[test]
fn converges_to_the_exact_solution_on_a_plane() {
    for (radius, least_order) in [(0.0, 0.7), (0.1, 0.85)] {
        let errors = [65, 129, 257].map(|side| plane_error(side, radius));
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!(
                order >= least_order,
                "order {order} with exact values within {radius} m: errors {errors:?}"
            );
        }
    }
}

/// Without slope the potential is the distance, and eight neighbours see it better than four.
#[test]
fn without_slope_it_is_the_distance() {
    let side = 101;
    let cost = Grid::filled(side, side, 1.0f32).unwrap();
    let goal = Cell::new(50, 50);
    let (sources, params) = ([Source::from(goal)], SolveParams::default());
    let mut marched = cost.clone();
    let mut solver = FastMarching::new();
    solver.solve(&cost, &sources, &params, &mut marched).unwrap();
    // A slope that costs nothing must change nothing.
    for (gradient, factors) in [(Vec2::ZERO, (2.0, 0.3)), (Vec2::new(0.4, 0.2), (0.0, 0.0))] {
        let problem = Problem::new(cost.clone(), cost.map(|_| gradient), factors, goal);
        let (phi, _) = problem.solve().unwrap();
        let (mut ours, mut theirs) = (0.0f32, 0.0f32);
        for i in 0..phi.cells() {
            let cell = phi.cell_at(i);
            let exact = (phi.centre(cell) - phi.centre(goal)).length();
            assert!(phi[cell] >= exact * (1.0 - 1e-5), "{cell}: below the distance");
            let as_near = phi[cell] <= marched[cell] * (1.0 + 1e-5);
            assert!(as_near, "{cell}: further off than fast marching");
            ours = ours.max(phi[cell] - exact);
            theirs = theirs.max(marched[cell] - exact);
        }
        assert!(ours < 0.5 * theirs, "error {ours} for {theirs} of fast marching");
    }
}

/// On a ramp walked along the grid the cost is known to the last digit; up and down must not be swapped.
#[test]
fn a_ramp_costs_more_up_than_down() {
    let ramp = Grid::from_fn(9, 1, |c| 0.5 * 2.0 * c.x as f32).unwrap();
    let ramp = ramp.placed(2.0, Vec2::ZERO).unwrap();
    let gradient = height_gradient(&ramp).unwrap();
    let cost = ramp.map(|_| 3.0);
    let to = |x| {
        let problem = Problem::new(cost.clone(), gradient.clone(), (2.0, 0.5), Cell::new(x, 0));
        problem.solve().unwrap().0
    };
    let (to_top, to_bottom) = (to(8), to(0));
    for cell in (0..9).map(|x| Cell::new(x, 0)) {
        let metres = 2.0 * cell.x as f32;
        let up = 3.0 * (16.0 - metres) * (1.0 + 2.0 * 0.5);
        assert!((to_top[cell] - up).abs() <= 1e-5 * up, "{cell}");
        let down = 3.0 * metres * (1.0 + 0.5 * 0.5);
        assert!((to_bottom[cell] - down).abs() <= 1e-5 * down, "{cell}");
    }
    let slope = Slope { gradient: &gradient, uphill: 2.0, downhill: 0.5 };
    assert_eq!(slope.factor(Cell::new(3, 0), Vec2::X), 2.0);
    assert_eq!(slope.factor(Cell::new(3, 0), Vec2::NEG_X), 1.25);
}

fn hill(height: f32) -> Grid<f32> {
    Grid::from_fn(81, 61, |c| {
        let from_top = Vec2::new(c.x as f32 - 40.0, c.y as f32 - 30.0).length();
        height * (-(from_top / 10.0).powi(2)).exp()
    })
    .unwrap()
}

/// Up a hill must cost more than down it; and a way walked backwards, with up and down swapped, must cost
/// the same.
#[test]
fn up_and_down_a_hill() {
    let gradient = height_gradient(&hill(8.0)).unwrap();
    let cost = gradient.map(|_| 1.0);
    let (top, foot) = (Cell::new(40, 30), Cell::new(12, 14));
    let between = |factors, goal, from| {
        let problem = Problem::new(cost.clone(), gradient.clone(), factors, goal);
        problem.solve().unwrap().0[from]
    };
    let up = between((2.0, -0.2), top, foot);
    let down = between((2.0, -0.2), foot, top);
    assert!(up > 1.3 * down, "up {up}, down {down}");
    let reversed = between((-0.2, 2.0), foot, top);
    assert!((up - reversed).abs() < 0.03 * up, "up {up}, reversed {reversed}");
}

/// The highest ground on the way from `cell` to the goal, taking the best neighbour each time.
fn highest_on_the_way(problem: &Problem, heights: &Grid<f32>, mut cell: Cell) -> f32 {
    let (phi, _) = problem.solve().unwrap();
    let mut highest = heights[cell];
    while cell != problem.sources[0].cell {
        let total = |n: Cell| {
            let way = |from: u32, to: u32| f64::from(to) - f64::from(from);
            f64::from(phi[n]) + problem.walk(cell, (way(cell.x, n.x), way(cell.y, n.y)))
        };
        let steps = (0..9).map(|i| (i % 3 - 1, i / 3 - 1)).filter(|s| *s != (0, 0));
        let next = steps
            .filter_map(|step| problem.neighbour(cell, step))
            .min_by(|&a, &b| total(a).total_cmp(&total(b)))
            .unwrap();
        assert!(phi[next] < phi[cell], "{cell}: the way does not come nearer");
        cell = next;
        highest = highest.max(heights[cell]);
    }
    highest
}

/// Where climbing is dear the way must go around the hill; where it costs nothing, over its top.
#[test]
fn dear_climbs_are_walked_around() {
    let heights = hill(8.0);
    let gradient = height_gradient(&heights).unwrap();
    let way = |factors| {
        let cost = heights.map(|_| 1.0);
        let problem = Problem::new(cost, gradient.clone(), factors, Cell::new(75, 30));
        highest_on_the_way(&problem, &heights, Cell::new(5, 30))
    };
    let (straight, around) = (way((0.0, 0.0)), way((6.0, 0.0)));
    assert_eq!(straight, 8.0);
    assert!(around < 3.0, "climbs to {around} m of 8 m");
}
