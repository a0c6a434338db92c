//! Tests of the composed cost, with a slow and obvious reference.

use super::*;
use crate::grid::Cell;
use glam::Vec2;
use proptest::prelude::*;

fn weight_at(weight: Weight<'_>, index: usize) -> f32 {
    match weight {
        Weight::Number(number) => number,
        Weight::Grid(grid) => grid.as_slice()[index],
    }
}

/// F of one cell as one would write it on paper, and whether it was clamped.
fn reference(input: &ComposeInput<'_>, i: usize) -> (f32, bool) {
    let terrain = input.terrain.as_slice()[i];
    if terrain == f32::INFINITY {
        return (f32::INFINITY, false);
    }
    let mut sum = weight_at(input.terrain_weight, i) * terrain;
    if let Some(density) = input.density {
        sum += weight_at(input.density_weight, i) * density.as_slice()[i];
    }
    if let Some(hazards) = input.hazards {
        sum += weight_at(input.hazard_weight, i) * hazards.as_slice()[i];
    }
    let clamped = !(MIN_COST..=MAX_COST).contains(&sum);
    (sum.clamp(MIN_COST, MAX_COST), clamped)
}

fn flat(width: usize, height: usize, value: f32) -> Grid<f32> {
    Grid::filled(width, height, value).unwrap()
}

/// 0 · inf is NaN: a wall under a zero weight would poison the field or open up.
#[test]
fn walls_stay_walls_whatever_the_weights() {
    let mut terrain = flat(3, 1, 2.0);
    terrain[Cell::new(1, 0)] = f32::INFINITY;
    let zeros = flat(3, 1, 0.0);
    for weight in [Weight::Number(0.0), Weight::Grid(&zeros), Weight::Number(f32::MAX)] {
        let input = ComposeInput {
            density: Some(&zeros),
            terrain_weight: weight,
            density_weight: Weight::Number(0.0),
            ..ComposeInput::new(&terrain)
        };
        let mut out = flat(3, 1, f32::NAN);
        let report = compose(&input, &mut out, None).unwrap();
        let free = if weight_at(weight, 0) > 0.0 { MAX_COST } else { MIN_COST };
        assert_eq!(out.as_slice(), [free, f32::INFINITY, free]);
        assert_eq!((report.blocked, report.clamped(), report.changed), (1, 2, 3));
        super::super::check_cost(&out).unwrap();
    }
}

/// A bad input taken for good would end as NaN in every potential; a half-written output would be
/// worse.
#[test]
fn bad_inputs_are_refused_by_name_and_nothing_is_written() {
    let good = flat(80, 60, 1.0);
    let with = |value: f32| {
        let mut grid = good.clone();
        grid[Cell::new(7, 50)] = value;
        grid
    };
    let (nan, negative, infinite) = (with(f32::NAN), with(-1.0), with(f32::INFINITY));
    let base =
        ComposeInput { density: Some(&good), hazards: Some(&good), ..ComposeInput::new(&good) };
    let refused = |input: ComposeInput<'_>, words: &str| {
        let mut out = flat(80, 60, 3.0);
        let mut changed = vec![1, 2, 3];
        let error = compose(&input, &mut out, Some(&mut changed)).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error} / {words}");
        assert_eq!(compose(&input, &mut out, None).unwrap_err().to_string(), error);
        assert_eq!((out, changed), (flat(80, 60, 3.0), vec![]));
    };
    for (bad, value) in [(&nan, "NaN"), (&negative, "-1"), (&infinite, "inf")] {
        let at = |what: &str| format!("{what} {value} at cell (7, 50) (bad cells: 1);");
        let density = Some(bad);
        refused(ComposeInput { density, ..base }, &at("density"));
        let hazards = Some(bad);
        refused(ComposeInput { hazards, ..base }, &at("hazard"));
        let hazard_weight = Weight::Grid(bad);
        refused(ComposeInput { hazard_weight, ..base }, &at("hazard weight"));
        let terrain_weight = Weight::Grid(bad);
        refused(ComposeInput { terrain_weight, ..base }, &at("terrain weight"));
        if value != "inf" {
            refused(ComposeInput { terrain: bad, ..base }, &at("cost"));
        }
    }
    for number in [-1.0, f32::INFINITY, f32::NAN] {
        let density_weight = Weight::Number(number);
        refused(ComposeInput { density_weight, ..base }, "density weight is ");
    }
    let other = flat(60, 80, 1.0);
    let density = Some(&other);
    refused(ComposeInput { density, ..base }, "density has 60 x 80 cells");
    let moved = good.clone().placed(2.0, Vec2::ZERO).unwrap();
    let density_weight = Weight::Grid(&moved);
    refused(ComposeInput { density_weight, ..base }, "density weight has cells of 2 m");
}

/// A solver that starts warm from a wrong list keeps stale potentials.
#[test]
fn only_real_changes_are_listed_in_order() {
    let terrain = flat(100, 90, 1.0);
    let mut hazards = flat(100, 90, 0.0);
    let mut out = flat(100, 90, 0.0);
    let mut changed = Vec::new();
    let compose_now = |hazards: &Grid<f32>, out: &mut Grid<f32>, changed: &mut Vec<u32>| {
        let input = ComposeInput { hazards: Some(hazards), ..ComposeInput::new(&terrain) };
        compose(&input, out, Some(changed)).unwrap().changed
    };
    assert_eq!(compose_now(&hazards, &mut out, &mut changed), 9000);
    assert!(changed.iter().copied().eq(0..9000));
    assert_eq!(compose_now(&hazards, &mut out, &mut changed), 0);
    assert!(changed.is_empty());
    for cell in [2047, 2048, 8999, 5] {
        hazards.as_mut_slice()[cell] = 4.0;
    }
    assert_eq!(compose_now(&hazards, &mut out, &mut changed), 4);
    assert_eq!(changed, [5, 2047, 2048, 8999]);
    assert_eq!(out.as_slice()[2048], 5.0);
}

/// No term, however large, may leave the supported range or become NaN.
#[test]
fn overflow_is_clamped_and_counted() {
    let terrain = flat(2, 2, MAX_COST);
    let huge = flat(2, 2, f32::MAX);
    let input = ComposeInput {
        density: Some(&huge),
        hazards: Some(&huge),
        density_weight: Weight::Grid(&huge),
        hazard_weight: Weight::Number(0.0),
        ..ComposeInput::new(&terrain)
    };
    let mut out = flat(2, 2, 0.0);
    let report = compose(&input, &mut out, None).unwrap();
    assert_eq!((report.lowered, report.raised), (4, 0));
    assert!(out.as_slice().iter().all(|f| *f == MAX_COST));
}

fn field(cells: usize, scale: f32) -> impl Strategy<Value = Vec<f32>> {
    let value = prop_oneof![3 => 0.0..scale, 1 => Just(0.0), 1 => Just(1e6f32)];
    prop::collection::vec(value, cells)
}

fn terrain(cells: usize) -> impl Strategy<Value = Vec<f32>> {
    let value = prop_oneof![4 => 0.01f32..100.0, 1 => Just(f32::INFINITY), 1 => Just(MIN_COST)];
    prop::collection::vec(value, cells)
}

const WIDTH: usize = 61;
const HEIGHT: usize = 70;
const CELLS: usize = WIDTH * HEIGHT;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// The parallel, blocked evaluation must give the formula's bits on any number of threads.
    #[test]
    fn every_cell_is_the_formula(
        terrain in terrain(CELLS), density in field(CELLS, 6.0), hazards in field(CELLS, 50.0),
        weights in field(CELLS, 2.0), before in field(CELLS, 2.0),
        numbers in (0.0f32..3.0, prop_oneof![Just(0.0f32), Just(2.5f32), Just(1e38f32)]),
        with in prop::array::uniform5(any::<bool>()), threads in 1usize..5,
    ) {
        let grid = |data| Grid::from_vec(WIDTH, HEIGHT, data).unwrap();
        let (terrain, density, hazards) = (grid(terrain), grid(density), grid(hazards));
        let weights = grid(weights);
        let weight = |grid: bool, number| if grid { Weight::Grid(&weights) } else { Weight::Number(number) };
        let input = ComposeInput {
            terrain: &terrain,
            density: with[0].then_some(&density),
            hazards: with[1].then_some(&hazards),
            terrain_weight: weight(with[2], numbers.0),
            density_weight: weight(with[3], numbers.1),
            hazard_weight: weight(with[4], numbers.0),
        };
        let before = grid(before);
        let (mut out, mut unlisted, mut changed) = (before.clone(), before.clone(), vec![]);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let report = pool.install(|| compose(&input, &mut out, Some(&mut changed))).unwrap();
        prop_assert_eq!(compose(&input, &mut unlisted, None), Ok(report));
        prop_assert_eq!(&unlisted, &out);
        let expected: Vec<(f32, bool)> = (0..CELLS).map(|i| reference(&input, i)).collect();
        for (i, f) in out.as_slice().iter().enumerate() {
            prop_assert_eq!(f.to_bits(), expected[i].0.to_bits(), "cell {}", out.cell_at(i));
        }
        let differ = |&i: &u32| expected[i as usize].0 != before.as_slice()[i as usize];
        let listed: Vec<u32> = (0..CELLS as u32).filter(differ).collect();
        prop_assert_eq!(report.changed, listed.len());
        prop_assert_eq!(changed, listed);
        prop_assert_eq!(report.clamped(), expected.iter().filter(|e| e.1).count());
        prop_assert_eq!(report.blocked, expected.iter().filter(|e| e.0 == f32::INFINITY).count());
    }
}
