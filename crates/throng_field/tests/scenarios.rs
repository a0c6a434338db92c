//! Paths for the scenarios of the MovingAI benchmark, against the optimal octile lengths given there.
//!
//! A spread sample of every file; `THRONG_ALL_SCENARIOS=1` takes all, `THRONG_MAPS=maze` only the maps
//! whose path contains that, `THRONG_ORDER=2` fields of second order. `THRONG_DATA` names another data
//! folder; without data the test says so.
#![allow(clippy::print_stdout)]

use glam::Vec2;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use throng_field::solve::Order;
use throng_field::trace::{Path as Route, paths_to_goals, segment_is_free, tighten};
use throng_field::{Cell, Grid};
use throng_world::{Scenario, load_cost, read_scenarios};

/// Scenarios taken from each file unless all are wanted.
const SAMPLE: usize = 40;

/// Distance between the places at which a path is looked at, in cells.
const SPACING: f32 = 0.05;

fn maps() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("THRONG_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("movingai");
    let only = std::env::var("THRONG_MAPS").unwrap_or_default();
    let mut maps = vec![];
    let sets = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    for set in sets.filter(|entry| entry.path().is_dir()) {
        for entry in std::fs::read_dir(set.path()).unwrap().flatten() {
            let path = entry.path();
            let wanted = path.to_string_lossy().contains(&only);
            if wanted && path.extension().is_some_and(|e| e == "map") {
                maps.push(path);
            }
        }
    }
    maps.sort();
    if maps.is_empty() {
        // Not captured, unlike `println`: what was not tested must be seen.
        let _ = writeln!(std::io::stderr(), "skipped: data not present ({})", folder.display());
    }
    maps
}

/// All scenarios of a map, or every k-th.
fn scenarios(map: &Path) -> Vec<Scenario> {
    let mut file = map.as_os_str().to_owned();
    file.push(".scen");
    let mut scenarios = read_scenarios(&file).unwrap();
    // Where all lengths are given with two decimals, they are rounded by up to half of the last one.
    if scenarios
        .iter()
        .all(|s| (s.optimal * 100.0).fract().min(1.0 - (s.optimal * 100.0).fract()) < 1e-6)
    {
        for s in &mut scenarios {
            s.optimal += 0.005;
        }
    }
    let all = std::env::var_os("THRONG_ALL_SCENARIOS").is_some();
    let stride = if all { 1 } else { scenarios.len().div_ceil(SAMPLE) };
    scenarios.into_iter().step_by(stride).collect()
}

/// What came of one scenario.
#[derive(Clone, Copy, Default)]
struct Outcome {
    arrived: bool,
    /// Length over optimal length, as traced and pulled taut.
    traced: f64,
    taut: f64,
    /// Points of both paths in blocked cells, looked at closely; segments through blocked cells.
    blocked: usize,
    crossing: usize,
    /// Seconds of one thread to pull the path taut, and to look for walls on it.
    tighten_s: f64,
    check_s: f64,
}

fn judge(cost: &Grid<f32>, scenario: &Scenario, traced: &Route) -> Outcome {
    let clock = Instant::now();
    let taut = tighten(traced, cost);
    let tighten_s = clock.elapsed().as_secs_f64();
    let (start, goal) = (cost.centre(scenario.start), cost.centre(scenario.goal));
    let joins = |p: &Route| p.points.first() == Some(&start) && p.points.last() == Some(&goal);
    let ratio = |p: &Route| {
        if scenario.optimal < 1.0 {
            assert_eq!((scenario.start, p.length_m), (scenario.goal, 0.0));
            1.0
        } else {
            p.length_m / scenario.optimal
        }
    };
    let clock = Instant::now();
    let mut outcome = Outcome {
        arrived: joins(traced) && joins(&taut),
        traced: ratio(traced),
        taut: ratio(&taut),
        blocked: blocked_points(cost, traced) + blocked_points(cost, &taut),
        crossing: crossings(cost, traced) + crossings(cost, &taut),
        tighten_s,
        check_s: 0.0,
    };
    outcome.check_s = clock.elapsed().as_secs_f64();
    outcome
}

/// The slow and obvious way to look for walls on a path.
fn blocked_points(cost: &Grid<f32>, path: &Route) -> usize {
    let blocked = |p: Vec2| cost.cell_of(p).is_none_or(|cell| cost[cell] == f32::INFINITY);
    let on_segment = |s: &[Vec2]| {
        let steps = (s[0].distance(s[1]) / SPACING).ceil() as usize + 1;
        (0..=steps).filter(|&i| blocked(s[0].lerp(s[1], i as f32 / steps as f32))).count()
    };
    path.points.windows(2).map(on_segment).sum()
}

fn crossings(cost: &Grid<f32>, path: &Route) -> usize {
    path.points.windows(2).filter(|s| !segment_is_free(cost, s[0], s[1])).count()
}

struct Row {
    name: String,
    outcomes: Vec<Outcome>,
    took: Duration,
}

fn run(map: &Path) -> Row {
    let cost = load_cost(map).unwrap();
    let scenarios = scenarios(map);
    let queries: Vec<(Cell, Cell)> = scenarios.iter().map(|s| (s.start, s.goal)).collect();
    let outcomes = Mutex::new(vec![Outcome::default(); queries.len()]);
    let start = Instant::now();
    let each = |i: usize, path: Result<Route, _>| {
        let Ok(path) = path else { return };
        let outcome = judge(&cost, &scenarios[i], &path);
        outcomes.lock().unwrap()[i] = outcome;
    };
    let second = std::env::var("THRONG_ORDER").is_ok_and(|order| order == "2");
    let order = if second { Order::Second } else { Order::First };
    let report = paths_to_goals(&cost, &queries, order, each, |_| ()).unwrap();
    let took = start.elapsed();
    assert_eq!(report.queries, queries.len());
    let folder = map.parent().unwrap().file_name().unwrap().to_string_lossy();
    let stem = map.file_stem().unwrap().to_string_lossy();
    Row { name: format!("{folder}/{stem}"), outcomes: outcomes.into_inner().unwrap(), took }
}

struct Spread {
    mean: f64,
    median: f64,
    p99: f64,
    max: f64,
}

fn spread(outcomes: &[Outcome], of: impl Fn(&Outcome) -> f64) -> Spread {
    let mut sorted: Vec<f64> = outcomes.iter().map(of).collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len() - 1;
    let at = |share: f64| sorted[((last as f64 * share).ceil() as usize).min(last)];
    Spread {
        mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
        median: at(0.5),
        p99: at(0.99),
        max: sorted[last],
    }
}

fn print(row: &Row) {
    let outcomes = &row.outcomes;
    let arrived = outcomes.iter().filter(|o| o.arrived).count();
    let traced = spread(outcomes, |o| o.traced);
    let taut = spread(outcomes, |o| o.taut);
    let blocked: usize = outcomes.iter().map(|o| o.blocked + o.crossing).sum();
    let per_query = 1e3 / outcomes.len() as f64;
    let tightening: f64 = outcomes.iter().map(|o| o.tighten_s).sum();
    // The checks take their share of the threads that trace.
    let checks = outcomes.iter().map(|o| o.check_s).sum::<f64>();
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    println!(
        "| {} | {} | {arrived} | {:.4} / {:.4} / {:.4} / {:.4} | {:.4} / {:.4} / {:.4} / {:.4} | {blocked} | {:.2} | {:.3} |",
        row.name,
        outcomes.len(),
        traced.mean,
        traced.median,
        traced.p99,
        traced.max,
        taut.mean,
        taut.median,
        taut.p99,
        taut.max,
        (row.took.as_secs_f64() - checks / threads) * per_query,
        tightening * per_query,
    );
}

/// Paths that do not arrive, go through walls, or are longer than what a grid search finds.
#[test]
fn scenarios_arrive_free_of_walls_and_no_longer_than_the_octile_optimum() {
    let maps = maps();
    if maps.is_empty() {
        return;
    }
    println!(
        "| map | scenarios | arrived | traced: mean / median / p99 / max | taut | blocked | ms a query | of it tighten, thread ms |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut all = Row { name: "all".into(), outcomes: vec![], took: Duration::ZERO };
    for map in &maps {
        let row = run(map);
        print(&row);
        all.outcomes.extend(&row.outcomes);
        all.took += row.took;
    }
    print(&all);
    assert!(all.outcomes.iter().all(|o| o.arrived), "a path does not arrive");
    assert!(all.outcomes.iter().all(|o| o.blocked + o.crossing == 0), "a path meets a wall");
    let taut = spread(&all.outcomes, |o| o.taut);
    assert!(taut.mean <= 1.0, "mean ratio {}", taut.mean);
    assert!(taut.p99 <= 1.02, "99 % ratio {}", taut.p99);
    assert!(taut.max <= 1.10, "worst ratio {}", taut.max);
}
