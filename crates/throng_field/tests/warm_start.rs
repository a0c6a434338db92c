//! A warm start ends where a cold start ends. If this fails, agents would follow ways that are gone.

mod problem;

use problem::{Dice, largest_difference, random_problem};
use proptest::prelude::*;
use throng_field::solve::{FastIterative, FastMarching, SolveError, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};

/// Relative difference allowed between warm and cold.
const SAME: f64 = 1e-5;

/// Changes some cells: raised, lowered, walls added and removed; a spot, scattered cells or a line.
/// Sources stay free. Returns the changed cells.
fn random_edit(dice: &mut Dice, cost: &mut Grid<f32>, sources: &[Source]) -> Vec<u32> {
    let (w, h) = (cost.width(), cost.height());
    let (x, y) = (dice.below(w), dice.below(h));
    let radius = dice.below(1 + w.max(h) / 4) + 1;
    let shape = dice.below(3);
    let kind = dice.below(5);
    let factor = dice.cost();
    let mut changed = Vec::new();
    for i in 0..cost.cells() {
        let c = cost.cell_at(i);
        let (dx, dy) = (c.x.abs_diff(x as u32) as usize, c.y.abs_diff(y as u32) as usize);
        let hit = match shape {
            0 => dx * dx + dy * dy <= radius * radius,
            1 => dice.below(40) == 0,
            _ => dx == 0 && dy <= radius,
        };
        if !hit || sources.iter().any(|s| s.cell == c) {
            continue;
        }
        let value = &mut cost.as_mut_slice()[i];
        *value = match kind {
            0 => f32::INFINITY,
            1 => 1.0,
            2 if value.is_finite() => (*value * (1.0 + factor)).min(1e5),
            3 if value.is_finite() => (*value / (1.0 + factor)).max(1e-4),
            _ => {
                if dice.below(6) == 0 {
                    f32::INFINITY
                } else {
                    dice.cost()
                }
            }
        };
        changed.push(i as u32);
    }
    changed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equals_cold_start(seed in any::<u64>()) {
        let mut problem = random_problem(seed, 150);
        prop_assume!(!problem.sources.is_empty());
        let mut dice = Dice(seed ^ 0x5EED);
        let params = SolveParams::default();
        let mut solver = FastIterative::new();
        let mut warm = problem.cost.clone();
        solver.solve(&problem.cost, &problem.sources, &params, &mut warm).unwrap();
        // Several edits on end: errors must not pile up.
        for edit in 0..3 {
            let changed = random_edit(&mut dice, &mut problem.cost, &problem.sources);
            let report = solver.update(&problem.cost, &problem.sources, &changed, &params, &mut warm);
            let mut cold = problem.cost.clone();
            FastIterative::new().solve(&problem.cost, &problem.sources, &params, &mut cold).unwrap();
            let off = largest_difference(&cold, &warm);
            prop_assert!(off <= SAME, "seed {seed}, edit {edit}: {off:e}, {report:?}");
            prop_assert!(report.is_ok(), "seed {seed}, edit {edit}: {report:?}");
        }
    }

    /// A moved goal is an edit too: old and new goal cells listed as changed.
    #[test]
    fn goals_may_move(seed in any::<u64>()) {
        let problem = random_problem(seed, 100);
        prop_assume!(problem.sources.len() > 1);
        let params = SolveParams::default();
        let mut solver = FastIterative::new();
        let mut warm = problem.cost.clone();
        solver.solve(&problem.cost, &problem.sources[1..], &params, &mut warm).unwrap();
        let now = &problem.sources[..1];
        let changed: Vec<u32> =
            problem.sources.iter().map(|s| problem.cost.index(s.cell) as u32).collect();
        solver.update(&problem.cost, now, &changed, &params, &mut warm).unwrap();
        let mut cold = problem.cost.clone();
        FastMarching::new().solve(&problem.cost, now, &params, &mut cold).unwrap();
        let off = largest_difference(&cold, &warm);
        prop_assert!(off <= SAME, "seed {seed}: {off:e}");
    }
}

/// Forgetting to list a changed cell, or handing over a field of something else, must not go wrong.
#[test]
fn whatever_is_handed_over_ends_at_the_solution() {
    let mut cost = Grid::filled(100, 100, 1.0f32).unwrap();
    let goal = [Source::from(Cell::new(3, 3))];
    let params = SolveParams::default();
    let mut solver = FastIterative::new();
    let mut phi = cost.clone();
    solver.solve(&cost, &goal, &params, &mut phi).unwrap();
    let mut check = |what: &str, cost: &Grid<f32>, changed: &[u32], mut phi: Grid<f32>| {
        solver.update(cost, &goal, changed, &params, &mut phi).unwrap();
        let mut cold = cost.clone();
        FastMarching::new().solve(cost, &goal, &params, &mut cold).unwrap();
        assert!(largest_difference(&cold, &phi) <= SAME, "{what}");
    };
    cost[Cell::new(50, 50)] = 9.0;
    check("a dearer cell left out", &cost, &[], phi.clone());
    cost[Cell::new(20, 50)] = f32::INFINITY;
    check("a wall left out", &cost, &[], phi.clone());
    check("no numbers", &cost, &[], phi.map(|_| f32::NAN));
    check("nothing reached", &cost, &[], phi.map(|_| f32::INFINITY));
    check("too low everywhere", &cost, &[0, 5], phi.map(|v| v * 0.5));
    let other = Grid::from_fn(100, 100, |c| 1.0 + c.x as f32).unwrap();
    check("another field of the same size", &other, &[7], phi.clone());
    let outside = solver.update(&cost, &goal, &[10_000], &params, &mut phi);
    assert!(matches!(outside, Err(SolveError::ChangedOutside { .. })), "{outside:?}");
}

/// A crowd that slowly thickens raises costs by next to nothing, time after time.
#[test]
fn small_rises_do_not_hide_in_the_rounding() {
    let mut cost = Grid::filled(600, 600, 1.0f32).unwrap();
    let goal = [Source::from(Cell::new(0, 300))];
    let params = SolveParams::default();
    let mut solver = FastIterative::new();
    let mut warm = cost.clone();
    solver.solve(&cost, &goal, &params, &mut warm).unwrap();
    let changed: Vec<u32> = (0..cost.cells() as u32).filter(|i| i % 600 > 20).collect();
    for step in 0..4 {
        changed.iter().for_each(|&i| cost.as_mut_slice()[i as usize] *= 1.0001);
        solver.update(&cost, &goal, &changed, &params, &mut warm).unwrap();
        let mut cold = cost.clone();
        FastMarching::new().solve(&cost, &goal, &params, &mut cold).unwrap();
        let off = largest_difference(&cold, &warm);
        assert!(off <= SAME, "step {step}: {off:e}");
    }
}
