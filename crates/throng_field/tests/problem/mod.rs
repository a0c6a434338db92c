//! Random problems for the solvers: costs over four decades, random walls, mazes, one-cell corridors,
//! pockets; everything from a seed, so that a failure can be repeated.
#![allow(dead_code, reason = "each test file uses its own part")]

use throng_field::solve::Source;
use throng_field::{Cell, Grid};

/// SplitMix64.
#[derive(Clone)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.unit() * (high - low)
    }

    /// A cost over four decades.
    pub(crate) fn cost(&mut self) -> f32 {
        10f32.powf(self.unit() * 4.0 - 2.0)
    }
}

pub(crate) struct Problem {
    pub(crate) cost: Grid<f32>,
    pub(crate) sources: Vec<Source>,
}

/// A random problem; every kind of trouble turns up within a few seeds.
pub(crate) fn random_problem(seed: u64, largest: usize) -> Problem {
    let mut dice = Dice(seed);
    let side = |dice: &mut Dice| match dice.below(8) {
        0 => 1,
        1 => 1 + dice.below(4),
        _ => 1 + dice.below(largest),
    };
    let (w, h) = (side(&mut dice), side(&mut dice));
    let mut cost = random_cost(&mut dice, w, h);
    match dice.below(5) {
        0 => {}
        1 => scatter_walls(&mut dice, &mut cost, 0.1),
        2 => scatter_walls(&mut dice, &mut cost, 0.4),
        3 => maze(&mut dice, &mut cost),
        _ => pockets(&mut dice, &mut cost),
    }
    let cell_size = [1.0, 0.25, 3.0][dice.below(3)];
    let cost = cost.placed(cell_size, glam::Vec2::ZERO).unwrap();
    let sources = random_sources(&mut dice, &cost);
    Problem { cost, sources }
}

fn random_cost(dice: &mut Dice, w: usize, h: usize) -> Grid<f32> {
    match dice.below(4) {
        0 => Grid::filled(w, h, 1.0).unwrap(),
        // Rough: every cell its own.
        1 => Grid::from_fn(w, h, |_| dice.cost()).unwrap(),
        // Patches with jumps between them.
        2 => {
            let patch = 1 + dice.below(16) as u32;
            let seed = dice.next();
            Grid::from_fn(w, h, |c| {
                let place = u64::from(c.x / patch) << 32 | u64::from(c.y / patch);
                Dice(seed ^ place.wrapping_mul(0x2545_F491_4F6C_DD1D)).cost()
            })
            .unwrap()
        }
        // Smooth.
        _ => {
            let k = (dice.unit() * 0.2, dice.unit() * 0.2);
            Grid::from_fn(w, h, |c| {
                10f32.powf(2.0 * (c.x as f32 * k.0).sin() * (c.y as f32 * k.1).cos())
            })
            .unwrap()
        }
    }
}

fn scatter_walls(dice: &mut Dice, cost: &mut Grid<f32>, share: f32) {
    for c in cost.as_mut_slice() {
        if dice.unit() < share {
            *c = f32::INFINITY;
        }
    }
}

/// A maze of one-cell corridors by depth-first search: walls on odd columns and rows.
fn maze(dice: &mut Dice, cost: &mut Grid<f32>) {
    let (w, h) = (cost.width() as u32, cost.height() as u32);
    let ground = cost.clone();
    cost.as_mut_slice().fill(f32::INFINITY);
    let mut stack = vec![Cell::new(0, 0)];
    cost[Cell::new(0, 0)] = ground[Cell::new(0, 0)];
    while let Some(&at) = stack.last() {
        let options: Vec<(Cell, Cell)> = [(2, 0), (0, 2), (-2, 0), (0, -2)]
            .into_iter()
            .filter_map(|(dx, dy): (i64, i64)| {
                let (x, y) = (i64::from(at.x) + dx, i64::from(at.y) + dy);
                let inside = x >= 0 && y >= 0 && x < i64::from(w) && y < i64::from(h);
                let to = inside.then(|| Cell::new(x as u32, y as u32))?;
                let between = Cell::new((at.x + to.x) / 2, (at.y + to.y) / 2);
                cost[to].is_infinite().then_some((between, to))
            })
            .collect();
        if options.is_empty() {
            stack.pop();
            continue;
        }
        let (between, to) = options[dice.below(options.len())];
        cost[between] = ground[between];
        cost[to] = ground[to];
        stack.push(to);
    }
}

/// Closed boxes, so that some cells cannot be reached and some sources reach little.
fn pockets(dice: &mut Dice, cost: &mut Grid<f32>) {
    for _ in 0..1 + dice.below(6) {
        let (w, h) = (cost.width(), cost.height());
        let (x0, y0) = (dice.below(w), dice.below(h));
        let (x1, y1) = ((x0 + 2 + dice.below(9)).min(w - 1), (y0 + 2 + dice.below(9)).min(h - 1));
        for i in 0..cost.cells() {
            let c = cost.cell_at(i);
            let (x, y) = (c.x as usize, c.y as usize);
            let inside = (x0..=x1).contains(&x) && (y0..=y1).contains(&y);
            if inside && (x == x0 || x == x1 || y == y0 || y == y1) {
                cost.as_mut_slice()[i] = f32::INFINITY;
            }
        }
    }
}

/// Some free cells; start values now and then. If all is wall, one cell is freed.
fn random_sources(dice: &mut Dice, cost: &Grid<f32>) -> Vec<Source> {
    let free: Vec<usize> = (0..cost.cells()).filter(|&i| cost.as_slice()[i].is_finite()).collect();
    if free.is_empty() {
        return Vec::new();
    }
    (0..1 + dice.below(3))
        .map(|_| {
            let start = if dice.below(3) == 0 { dice.unit() * 20.0 } else { 0.0 };
            Source::new(cost.cell_at(free[dice.below(free.len())]), start)
        })
        .collect()
}

/// Largest relative difference; infinite if one reaches what the other does not.
pub(crate) fn largest_difference(a: &Grid<f32>, b: &Grid<f32>) -> f64 {
    let mut worst = 0.0f64;
    for (&a, &b) in a.as_slice().iter().zip(b.as_slice()) {
        if a.is_finite() != b.is_finite() || a.is_nan() || b.is_nan() {
            return f64::INFINITY;
        }
        if a.is_finite() && a != b {
            let scale = f64::from(a.abs().max(b.abs()));
            worst = worst.max((f64::from(a) - f64::from(b)).abs() / scale);
        }
    }
    worst
}
