//! Tests of the density splat, with a slow and obvious reference in `f64`.

use super::*;
use crate::grid::Cell;
use proptest::prelude::*;

/// Bilinear splat as one would write it on paper: one agent after the other, in `f64`.
fn reference(input: &SplatInput<'_>, out: &mut Grid<f32>) -> (usize, usize) {
    let mut people = vec![0.0f64; out.cells()];
    let mut inside = 0;
    for (agent, &position) in input.positions.iter().enumerate() {
        let Some(home) = out.cell_of(position) else {
            continue;
        };
        inside += 1;
        let p = (position - out.origin()).as_dvec2() / f64::from(out.cell_size()) - 0.5;
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let centre = p.floor() + glam::DVec2::new(dx, dy);
            let share = (1.0 - (p.x - centre.x).abs()) * (1.0 - (p.y - centre.y).abs());
            let x = centre.x.clamp(0.0, out.width() as f64 - 1.0) as u32;
            let y = centre.y.clamp(0.0, out.height() as f64 - 1.0) as u32;
            let blocked = input.terrain.is_some_and(|t| t[Cell::new(x, y)].is_infinite());
            let cell = if blocked { home } else { Cell::new(x, y) };
            people[out.index(cell)] += share * input.weights.map_or(1.0, |w| f64::from(w[agent]));
        }
    }
    let area = f64::from(out.cell_size()).powi(2);
    for (out, people) in out.as_mut_slice().iter_mut().zip(people) {
        *out = (people / area) as f32;
    }
    (inside, input.positions.len() - inside)
}

fn grid(width: usize, height: usize) -> Grid<f32> {
    let grid = Grid::filled(width, height, -1.0).unwrap();
    grid.placed(0.5, Vec2::new(-2.0, 3.0)).unwrap()
}

fn people(grid: &Grid<f32>) -> f64 {
    let area = f64::from(grid.cell_size()).powi(2);
    grid.as_slice().iter().map(|&d| f64::from(d) * area).sum()
}

/// Scattered positions from a hash, some of them outside the grid.
fn scattered(count: u32, spread: f32) -> Vec<Vec2> {
    let hash = |i: u32| {
        let mut h = i.wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
        h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
        (h ^ (h >> 13)) as f32 / u32::MAX as f32
    };
    let at = |i| Vec2::new(hash(2 * i), hash(2 * i + 1)) * spread + Vec2::new(-2.0, 3.0);
    (0..count).map(at).collect()
}

/// People lost or made up in the density would bend the cost for everybody.
#[test]
fn a_million_agents_are_conserved_exactly() {
    let agents = scattered(1_000_000, 128.5);
    let mut out = grid(256, 256);
    let report = DensitySplat::new().splat(&SplatInput::new(&agents), &mut out).unwrap();
    assert!(report.outside > 0 && report.inside > 900_000);
    assert_eq!(report.inside + report.outside, agents.len());
    assert_eq!(report.units, report.inside as u64 * UNITS_PER_PERSON);
    assert_eq!(report.people(), report.inside as f64);
    assert_eq!(people(&out), report.inside as f64, "exact in f32 too: few per cell");
}

/// The worst crowd must not overflow a cell.
#[test]
fn a_million_agents_in_one_cell_are_conserved_exactly() {
    let out = grid(16, 16);
    let centre = vec![out.centre(Cell::new(5, 7)); 1_000_000];
    let mut out = out;
    let mut splat = DensitySplat::new();
    let report = splat.splat(&SplatInput::new(&centre), &mut out).unwrap();
    assert_eq!((report.inside, report.people()), (1_000_000, 1e6));
    assert_eq!(out[Cell::new(5, 7)], 4e6, "a million on a quarter of a square metre");
    assert_eq!(people(&out), 1e6);
    let corner = scattered(1_000_000, 0.5);
    let report = splat.splat(&SplatInput::new(&corner), &mut out).unwrap();
    assert_eq!(report.people(), report.inside as f64);
    assert!(report.inside > 999_000);
}

/// Runs that differ with the number of threads or the order of agents cannot be repeated.
#[test]
fn the_bits_do_not_depend_on_threads_or_order() {
    let mut agents = scattered(20_000, 10.0);
    let weights: Vec<f32> = (0..20_000).map(|i| (i % 97) as f32 * 0.31).collect();
    let run = |threads: usize, agents: &[Vec2], weights: &[f32]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut out = grid(20, 20);
        let input = SplatInput { weights: Some(weights), ..SplatInput::new(agents) };
        let report = pool.install(|| DensitySplat::new().splat(&input, &mut out).unwrap());
        (report, out)
    };
    let one = run(1, &agents, &weights);
    assert_eq!(run(2, &agents, &weights), one);
    assert_eq!(run(7, &agents, &weights), one);
    agents.reverse();
    let reversed: Vec<f32> = weights.iter().rev().copied().collect();
    assert_eq!(run(3, &agents, &reversed), one);
}

/// Agents that vanish without being counted would be lost quietly.
#[test]
fn agents_outside_are_counted() {
    let nan = Vec2::new(f32::NAN, 3.5);
    let agents = [Vec2::new(-1.9, 3.1), nan, Vec2::new(-2.1, 3.5), Vec2::INFINITY, Vec2::MAX];
    let mut out = grid(4, 4);
    let report = DensitySplat::new().splat(&SplatInput::new(&agents), &mut out).unwrap();
    assert_eq!((report.inside, report.outside), (1, 4));
    assert_eq!(out[Cell::new(0, 0)], 4.0, "all of the corner's agent is in the corner cell");
    let report = DensitySplat::new().splat(&SplatInput::new(&[]), &mut out).unwrap();
    assert_eq!(report, SplatReport::default());
    assert!(out.as_slice().iter().all(|d| *d == 0.0), "the old density is gone");
}

/// Density inside a wall is paid by nobody: the crowd in front of it would look thinner.
#[test]
fn a_blocked_cell_gives_its_share_to_the_agents_cell() {
    let mut terrain = grid(3, 1).map(|_| 1.0);
    terrain[Cell::new(1, 0)] = f32::INFINITY;
    let mut out = grid(3, 1);
    let beside = out.centre(Cell::new(0, 0)) + Vec2::new(0.2, 0.0);
    let inside = out.centre(Cell::new(1, 0));
    let agents = [beside, inside];
    let input = SplatInput { terrain: Some(&terrain), ..SplatInput::new(&agents) };
    let report = DensitySplat::new().splat(&input, &mut out).unwrap();
    assert_eq!((report.inside, report.in_blocked), (2, 1));
    assert_eq!(out.as_slice(), [4.0, 4.0, 0.0]);
}

/// A NaN weight or a terrain of another map would be used without a word.
#[test]
fn bad_weights_and_shapes_are_refused() {
    let agents = [Vec2::new(-1.0, 4.0); 3];
    let mut out = grid(4, 4);
    let mut with = |weights: &[f32], terrain: Option<&Grid<f32>>| {
        let input = SplatInput { weights: Some(weights), terrain, ..SplatInput::new(&agents) };
        DensitySplat::new().splat(&input, &mut out)
    };
    assert!(matches!(with(&[1.0], None), Err(CostError::WeightCount { .. })));
    for bad in [f32::NAN, -0.5, f32::INFINITY, 65537.0] {
        let Err(CostError::BadAgentWeight { agent, .. }) = with(&[1.0, bad, bad], None) else {
            panic!("weight {bad} was taken");
        };
        assert_eq!(agent, 1);
    }
    assert!(with(&[1.0; 3], Some(&grid(4, 5))).is_err());
    assert!(with(&[1.0; 3], Some(&Grid::filled(4, 4, 1.0).unwrap())).is_err());
    let heavy = with(&[MAX_AGENT_WEIGHT; 3], None).unwrap();
    assert_eq!(heavy.people(), 3.0 * 65536.0);
}

proptest! {
    /// On positions that are whole steps the splat has no rounding: it must be the formula.
    #[test]
    fn whole_steps_match_the_reference_exactly(
        steps in prop::collection::vec((-300i32..2400, -300i32..1600), 0..60),
        walls in prop::collection::vec(prop::bool::weighted(0.2), 40),
        width in 1usize..=8, height in 1usize..=5,
    ) {
        let to_world = |&(x, y): &(i32, i32)| Vec2::new(x as f32, y as f32) / 512.0 + Vec2::new(-2.0, 3.0);
        let agents: Vec<Vec2> = steps.iter().map(to_world).collect();
        let (mut fast, mut slow) = (grid(width, height), grid(width, height));
        let mut wall = walls.iter();
        let terrain = fast.map(|_| if *wall.next().unwrap() { f32::INFINITY } else { 1.0 });
        let input = SplatInput { terrain: Some(&terrain), ..SplatInput::new(&agents) };
        let report = DensitySplat::new().splat(&input, &mut fast).unwrap();
        prop_assert_eq!((report.inside, report.outside), reference(&input, &mut slow));
        prop_assert_eq!(fast, slow);
    }

    /// On any positions, weights and cell sizes a cell may be off by the rounding of positions only.
    #[test]
    fn any_positions_match_the_reference_within_a_step(
        agents in prop::collection::vec((-3.0f32..8.0, 2.0f32..9.0, 0.0f32..4.0), 0..60),
        cell_size in 0.05f32..3.0,
    ) {
        let positions: Vec<Vec2> = agents.iter().map(|&(x, y, _)| Vec2::new(x, y)).collect();
        let weights: Vec<f32> = agents.iter().map(|a| a.2).collect();
        let place = |g: Grid<f32>| g.placed(cell_size, Vec2::new(-2.1, 2.7)).unwrap();
        let (mut fast, mut slow) = (place(grid(9, 6)), place(grid(9, 6)));
        let input = SplatInput { weights: Some(&weights), ..SplatInput::new(&positions) };
        let mut splat = DensitySplat::new();
        let report = splat.splat(&input, &mut fast).unwrap();
        prop_assert_eq!((report.inside, report.outside), reference(&input, &mut slow));
        let inside = (0..agents.len()).filter(|&i| fast.cell_of(positions[i]).is_some());
        let units: u64 = inside.map(|i| (f64::from(weights[i]) * 65536.0).round() as u64).sum();
        prop_assert_eq!(report.units, units, "fractions of people are conserved too");
        let everybody: f32 = weights.iter().sum();
        let step = 2.1 / STEPS as f32 * everybody / (cell_size * cell_size);
        for (a, b) in fast.as_slice().iter().zip(slow.as_slice()) {
            prop_assert!((a - b).abs() <= step + 1e-3 * b, "{} {}", a, b);
        }
        let again = splat.splat(&input, &mut slow).unwrap();
        prop_assert_eq!((again, slow), (report, fast), "scratch was not clean");
    }
}
