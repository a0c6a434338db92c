//! The closed form against a search, the bound on who must follow whom, the measurement, and that
//! neither threads nor repetition change anything.

mod input;

use super::stencil::{Around, Factors, Ground, offer};
use super::*;

/// Numbers from 0 to 1 out of a seed.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.unit() * (high - low)
    }
}

/// A random local problem: neighbours, step, gradient, factors.
#[derive(Clone, Copy, Debug)]
struct Local {
    around: Around,
    step: f32,
    gradient: Vec2,
    factors: Factors,
}

impl Local {
    fn random(dice: &mut Dice) -> Self {
        let step = dice.between(0.2, 3.0);
        let spread = dice.between(0.1, 3.0) * step;
        let missing = dice.between(0.0, 0.4);
        let mut neighbour = |_| {
            let value = 5.0 + dice.unit() * spread;
            if dice.unit() < missing { f32::INFINITY } else { value }
        };
        let (axis, diagonal) = ([0; 4].map(&mut neighbour), [0; 4].map(&mut neighbour));
        let mut gradient = Vec2::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0));
        match (dice.unit() * 10.0) as u32 {
            0 => gradient = Vec2::ZERO,
            1 => gradient.x = 0.0,
            2 => gradient.y = gradient.x,
            _ => {}
        }
        let uphill = dice.between(0.0, 4.0);
        let cheapest = (0.8 / gradient.length().max(0.01)).min(uphill);
        let downhill = dice.between(-cheapest, 2.0);
        Self {
            around: Around { axis, diagonal },
            step,
            gradient,
            factors: Factors { uphill, downhill },
        }
    }

    fn offer(&self) -> f32 {
        let ground = Ground::new(self.step, self.gradient);
        offer(&self.around, &ground, self.factors)
    }

    /// The same by trying many points of every edge, from the definition of the cost.
    fn searched(&self) -> f64 {
        let axes = [(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)];
        let mut best = f64::INFINITY;
        for (i, &a) in axes.iter().enumerate() {
            for (j, side) in [(i, (i + 1) % 4), ((i + 3) % 4, (i + 3) % 4)] {
                let (axis, diagonal) = (self.around.axis[i], self.around.diagonal[j]);
                let along = axes[side];
                let cost = |t: f64| {
                    let v = (a.0 + t * along.0, a.1 + t * along.1);
                    blend(axis, diagonal, t) + self.walk(v)
                };
                best = best.min(least(cost));
            }
        }
        best
    }

    fn walk(&self, (x, y): (f64, f64)) -> f64 {
        let rise = x * f64::from(self.gradient.x) + y * f64::from(self.gradient.y);
        let slope = if rise > 0.0 {
            f64::from(self.factors.uphill) * rise
        } else {
            f64::from(self.factors.downhill) * -rise
        };
        f64::from(self.step) * (x.hypot(y) + slope)
    }
}

/// Between two values, either of which may be missing.
fn blend(a: f32, b: f32, t: f64) -> f64 {
    let part = |weight: f64, value: f32| {
        if weight == 0.0 { 0.0 } else { weight * f64::from(value) }
    };
    part(1.0 - t, a) + part(t, b)
}

/// The least value of a function on 0..=1: 200 samples, then a golden section around the best.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    let best = (0..=200)
        .min_by(|&a, &b| f(f64::from(a) / 200.0).total_cmp(&f(f64::from(b) / 200.0)))
        .unwrap();
    let at = f64::from(best) / 200.0;
    let (mut low, mut high) = ((at - 0.005).max(0.0), (at + 0.005).min(1.0));
    let golden = 0.5 * (5f64.sqrt() - 1.0);
    for _ in 0..40 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if f(a) < f(b) {
            high = b;
        } else {
            low = a;
        }
    }
    f(at).min(f(0.5 * (low + high)))
}

/// A slip in the closed form (a sign, a half space, the level way) makes every field wrong.
#[test]
fn closed_form_is_the_least_of_all_ways() {
    for seed in 0..12_000 {
        let local = Local::random(&mut Dice(seed));
        let (closed, searched) = (f64::from(local.offer()), local.searched());
        if searched == f64::INFINITY {
            assert_eq!(closed, f64::INFINITY, "seed {seed}: {local:?}");
        } else {
            let off = (closed - searched).abs() / searched;
            assert!(off < 1e-5, "seed {seed}: {closed} for {searched}, {local:?}");
        }
    }
}

/// If a neighbour could lower a cell that the bound lets sleep, fields would be left unfinished.
#[test]
fn no_neighbour_lowers_a_cell_below_its_reach() {
    for seed in 0..20_000 {
        let mut dice = Dice(seed + 1_000_000);
        let mut local = Local::random(&mut dice);
        let before = local.offer();
        let Factors { uphill, downhill } = local.factors;
        let strongest = uphill.abs().max(downhill.abs());
        let (axis, diagonal) = sweep::reach(local.step, local.gradient, strongest);
        let which = (dice.unit() * 4.0) as usize;
        let value = dice.between(4.0, 6.0);
        let reach = if dice.unit() < 0.5 {
            local.around.axis[which] = local.around.axis[which].min(value);
            local.around.axis[which] + axis
        } else {
            local.around.diagonal[which] = local.around.diagonal[which].min(value);
            local.around.diagonal[which] + diagonal
        };
        let after = local.offer();
        assert!(
            after >= before || after >= reach - 1e-5,
            "seed {seed}: lowered to {after}, below {reach}: {local:?}"
        );
    }
}

fn hilly(side: usize, seed: u64) -> (Grid<f32>, Grid<Vec2>) {
    let mut dice = Dice(seed);
    let cost = Grid::from_fn(side, side, |c| {
        let cost = dice.between(0.5, 3.0);
        let wall = dice.unit() < 0.2 && c != Cell::new(1, 2);
        if wall { f32::INFINITY } else { cost }
    });
    let gradient = Grid::from_fn(side, side, |c| {
        let (x, y) = (c.x as f32 * 0.2, c.y as f32 * 0.15);
        0.5 * Vec2::new((x + y).sin(), (x - y).cos())
    });
    (cost.unwrap(), gradient.unwrap())
}

fn solve(solver: &mut Directional, side: usize, seed: u64) -> (Grid<f32>, Report) {
    let (cost, gradient) = hilly(side, seed);
    let slope = Slope { gradient: &gradient, uphill: 2.5, downhill: 0.4 };
    let mut out = cost.clone();
    let sources = [Source::from(Cell::new(1, 2))];
    let report = solver.solve(&cost, &slope, &sources, &SolveParams::default(), &mut out);
    (out, report.unwrap())
}

/// The report's residual is worth nothing if a wrong value does not show in it.
#[test]
fn a_spoilt_field_is_noticed() {
    let (phi, report) = solve(&mut Directional::new(), 50, 5);
    assert!(report.residual <= crate::solve::RESIDUAL_LIMIT);
    let (cost, gradient) = hilly(50, 5);
    let slope = Slope { gradient: &gradient, uphill: 2.5, downhill: 0.4 };
    let problem = Problem { cost: &cost, slope: &slope };
    let fixed = [2 * 50 + 1];
    let intact = measure::measure(problem, &fixed, &phi);
    assert_eq!(intact.report(report.iterations, report.rounds), Ok(report));
    let spoil = |cell: Cell, value: f32| {
        let mut spoilt = phi.clone();
        spoilt[cell] = value;
        measure::measure(problem, &fixed, &spoilt).residual
    };
    let reached = Cell::new(30, 31);
    assert!(phi[reached] < f32::INFINITY, "the map has a wall there");
    assert!(spoil(reached, phi[reached] * 1.001) > 5e-4);
    assert!(spoil(reached, phi[reached] * 0.999) > 5e-4);
    assert_eq!(spoil(reached, f32::INFINITY), f32::INFINITY);
    assert!(spoil(Cell::new(1, 2), 100.0) > 0.5, "source too high");
    let wall = cost.as_slice().iter().position(|c| *c == f32::INFINITY);
    assert_eq!(spoil(cost.cell_at(wall.unwrap()), 1.0), f32::INFINITY);
}

/// Results that depend on the number of threads cannot be replayed.
#[test]
fn the_same_bits_on_any_number_of_threads() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| solve(&mut Directional::new(), 150, 9))
    };
    let (one, report) = run(1);
    for threads in [2, 5] {
        let (many, other) = run(threads);
        assert_eq!(report, other);
        let same = one.as_slice().iter().zip(many.as_slice());
        assert!(same.into_iter().all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}

/// A solver that keeps something of the last problem, or grows at every call, fails in long runs.
#[test]
fn solving_again_neither_changes_nor_grows_anything() {
    let mut solver = Directional::new();
    let (first, report) = solve(&mut solver, 90, 3);
    let held = solver.tiles.capacity() + solver.fixed.capacity();
    let (_, _) = solve(&mut solver, 40, 4);
    let (again, report_again) = solve(&mut solver, 90, 3);
    assert_eq!(report, report_again);
    assert_eq!(first.as_slice(), again.as_slice());
    assert_eq!(solver.tiles.capacity() + solver.fixed.capacity(), held);
}
