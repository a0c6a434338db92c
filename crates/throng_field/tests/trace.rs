//! Paths over random ground and walls: they arrive, keep out of walls, cost about what the potential
//! says, and, pulled taut, are about as short as a path can be.

use glam::Vec2;
use proptest::prelude::*;
use std::sync::Mutex;
use throng_field::solve::{FastMarching, Order, SolveError, SolveParams, Solver, Source};
use throng_field::trace::{
    Path, TraceError, TraceParams, Tracer, paths_to_goals, segment_cost, segment_is_free, tighten,
    trace,
};
use throng_field::{Cell, Grid};

const WALL: f32 = f32::INFINITY;

fn solve(cost: &Grid<f32>, sources: &[Source]) -> Grid<f32> {
    solve_with(cost, sources, &SolveParams::default())
}

fn solve_with(cost: &Grid<f32>, sources: &[Source], params: &SolveParams) -> Grid<f32> {
    let mut potential = cost.clone();
    FastMarching::new().solve(cost, sources, params, &mut potential).unwrap();
    potential
}

/// Random ground with walls, placed somewhere, and a goal on a free cell.
fn ground(uniform: bool) -> impl Strategy<Value = (Grid<f32>, Cell)> {
    let size = prop_oneof![Just((1, 1)), (1usize..=1, 2usize..=12), (2usize..=16, 2usize..=16)];
    (size, 0.0f64..0.6).prop_flat_map(move |((w, h), share)| {
        let cost = if uniform { Just(1.0f32).boxed() } else { (0.1f32..10.0).boxed() };
        let cell = prop_oneof![((share * 1000.0) as u32 + 1) => Just(WALL), 1000 => cost];
        let goal = (0..w as u32, 0..h as u32);
        (prop::collection::vec(cell, w * h), goal).prop_map(move |(cost, (x, y))| {
            let mut cost = Grid::from_vec(w, h, cost).unwrap();
            let goal = Cell::new(x, y);
            if cost[goal] == WALL {
                cost[goal] = 1.0;
            }
            (cost.placed(0.4, Vec2::new(-31.0, 17.5)).unwrap(), goal)
        })
    })
}

/// Checks that a path keeps out of walls, by the exact test and by looking closely, and that its sums
/// are right.
fn check_path(cost: &Grid<f32>, path: &Path, from: Vec2, goal: Cell) -> Result<(), TestCaseError> {
    prop_assert_eq!(path.points[0], from);
    let last = path.points[path.points.len() - 1];
    prop_assert!(last.distance(cost.centre(goal)) < 1e-4 * cost.cell_size());
    for &p in &path.points {
        let cell = cost.cell_of(p);
        prop_assert!(cell.is_some_and(|c| cost[c] != WALL), "{p} is in a wall");
    }
    let (mut length, mut sum) = (0.0, 0.0);
    for s in path.points.windows(2) {
        prop_assert!(segment_is_free(cost, s[0], s[1]), "{} to {} meets a wall", s[0], s[1]);
        prop_assert!(s[0] != s[1], "a point twice");
        for i in 0..=100 {
            let p = s[0].lerp(s[1], i as f32 / 100.0);
            let cell = cost.cell_of(p);
            prop_assert!(cell.is_some_and(|c| cost[c] != WALL), "{p} is in a wall");
        }
        length += s[0].as_dvec2().distance(s[1].as_dvec2());
        sum += segment_cost(cost, s[0], s[1]);
    }
    prop_assert!((length - path.length_m).abs() <= 1e-9 * length);
    prop_assert!((sum - path.cost).abs() <= 1e-9 * sum);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// From every cell that has a way, over any ground, a path arrives without meeting a wall, and
    /// pulling it taut keeps that and never makes it dearer.
    #[test]
    fn every_reachable_cell_has_a_path((cost, goal) in ground(false), off in (-0.4f32..0.4, -0.4f32..0.4), second in prop::bool::ANY) {
        let order = if second { Order::Second } else { Order::First };
        let params = SolveParams { order, ..SolveParams::default() };
        let potential = solve_with(&cost, &[goal.into()], &params);
        let tracer = Tracer::new(&cost, &potential, &[goal.into()], &TraceParams::default()).unwrap();
        for i in 0..cost.cells() {
            let cell = cost.cell_at(i);
            let start = cost.centre(cell) + Vec2::new(off.0, off.1) * cost.cell_size();
            match tracer.trace(start) {
                Ok(path) => {
                    check_path(&cost, &path, start, goal)?;
                    let taut = tighten(&path, &cost);
                    check_path(&cost, &taut, start, goal)?;
                    prop_assert!(taut.cost <= path.cost * (1.0 + 1e-8));
                }
                Err(TraceError::StartBlocked { .. }) => prop_assert_eq!(cost[cell], WALL),
                Err(TraceError::Unreachable { .. }) => {
                    prop_assert!(potential[cell].is_infinite() && cost[cell] != WALL);
                }
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }

    /// The potential is the least cost of any way. A path that costs much more than that wandered. On
    /// ground that changes over some cells, as the field can resolve it.
    #[test]
    fn a_path_costs_about_its_potential((walls, goal) in ground(true), waves in (0.1f32..0.7, 0.1f32..0.7)) {
        let mut cost = walls;
        for i in 0..cost.cells() {
            let cell = cost.cell_at(i);
            let (x, y) = (cell.x as f32 * waves.0, cell.y as f32 * waves.1);
            cost[cell] *= 2.0 + x.sin() + y.cos() * 0.9;
        }
        let potential = solve(&cost, &[goal.into()]);
        for i in 0..cost.cells() {
            let cell = cost.cell_at(i);
            if !potential[cell].is_finite() {
                continue;
            }
            let path = trace(&cost, &potential, &[goal.into()], cost.centre(cell)).unwrap();
            let taut = tighten(&path, &cost);
            // A path pays half of its last step in the goal cell, the potential all of it before.
            let last = f64::from(cost.cell_size() * cost[goal]);
            let bound = f64::from(potential[cell]) + 0.5 * last;
            prop_assert!(path.cost <= 1.6 * bound, "{} for {bound}", path.cost);
            prop_assert!(taut.cost <= 1.1 * bound, "{} for {bound}, pulled taut", taut.cost);
        }
    }

    /// Starts on borders and corners of cells, beside walls: no room for rounding.
    #[test]
    fn starts_on_borders_have_paths((cost, goal) in ground(true)) {
        let cost = cost.placed(0.5, Vec2::new(-2.0, 3.0)).unwrap();
        let potential = solve(&cost, &[goal.into()]);
        for i in 0..cost.cells() {
            let cell = cost.cell_at(i);
            for (dx, dy) in [(-0.5, 0.0), (0.0, -0.5), (-0.5, -0.5)] {
                let start = cost.centre(cell) + Vec2::new(dx, dy) * cost.cell_size();
                prop_assert_eq!(cost.cell_of(start), Some(cell));
                if !potential[cell].is_finite() {
                    continue;
                }
                let path = trace(&cost, &potential, &[goal.into()], start).unwrap();
                for path in [tighten(&path, &cost), path] {
                    prop_assert_eq!(path.points[0], start);
                    for s in path.points.windows(2).skip(1) {
                        prop_assert!(segment_is_free(&cost, s[0], s[1]));
                    }
                    let inside = |p: &Vec2| cost.cell_of(*p).is_some_and(|c| cost[c] != WALL);
                    prop_assert!(path.points.iter().all(inside));
                }
            }
        }
    }

    /// Taut paths against the shortest of all, found by trying every pair of corners that see each
    /// other: a weak string would leave detours.
    #[test]
    fn taut_paths_are_nearly_shortest((cost, goal) in ground(true)) {
        let cost = cost.placed(1.0, Vec2::ZERO).unwrap();
        let potential = solve(&cost, &[goal.into()]);
        let shortest = shortest_from(&cost, goal);
        let (mut sum, mut count) = (0.0, 0);
        for (i, shortest) in shortest.into_iter().enumerate() {
            let cell = cost.cell_at(i);
            if !potential[cell].is_finite() || cell == goal {
                continue;
            }
            let path = trace(&cost, &potential, &[goal.into()], cost.centre(cell)).unwrap();
            let taut = tighten(&path, &cost);
            let ratio = taut.length_m / shortest;
            prop_assert!(ratio > 0.98, "shorter than the shortest: the reference is wrong");
            prop_assert!(ratio < 1.4, "{} for {} from {cell}", taut.length_m, shortest);
            sum += ratio;
            count += 1;
        }
        if count > 20 {
            prop_assert!(sum / f64::from(count) < 1.08, "mean ratio {}", sum / f64::from(count));
        }
    }
}

/// Length of the shortest path from the goal to every cell's centre, over corners of walls: Dijkstra's
/// algorithm on the graph of all places that see each other.
fn shortest_from(cost: &Grid<f32>, goal: Cell) -> Vec<f64> {
    let blocked = |x: i64, y: i64| {
        let cell = Cell::new(x as u32, y as u32);
        x < 0 || y < 0 || cost.get(cell).is_none_or(|&c| c == WALL)
    };
    let mut places = vec![cost.centre(goal)];
    for y in 0..=cost.height() as i64 {
        for x in 0..=cost.width() as i64 {
            let around = [(-1, -1), (0, -1), (-1, 0), (0, 0)];
            let walls: Vec<_> = around.iter().filter(|(dx, dy)| blocked(x + dx, y + dy)).collect();
            if let [(dx, dy)] = walls[..] {
                // Just off the corner, so that rounding cannot put the line into the wall.
                let off = Vec2::new(-0.5 - *dx as f32, -0.5 - *dy as f32) * -1e-3;
                places.push(Vec2::new(x as f32, y as f32) - off);
            }
        }
    }
    let corners = places.len();
    let centres = (0..cost.cells()).map(|i| cost.centre(cost.cell_at(i)));
    places.extend(centres);
    let mut best = vec![f64::INFINITY; places.len()];
    best[0] = 0.0;
    let mut open: Vec<usize> = (0..corners).collect();
    while let Some(at) = open.iter().copied().min_by(|&a, &b| best[a].total_cmp(&best[b])) {
        open.retain(|&i| i != at);
        if best[at].is_infinite() {
            break;
        }
        for to in 0..places.len() {
            let length = best[at] + f64::from(places[at].distance(places[to]));
            if length < best[to] && segment_is_free(cost, places[at], places[to]) {
                best[to] = length;
            }
        }
    }
    best.split_off(corners)
}

/// Starts without a path say why, in one line.
#[test]
fn errors_name_the_start_and_the_cause() {
    let cost = Grid::from_vec(4, 1, vec![1.0, 1.0, WALL, 1.0]).unwrap();
    let goal = [Source::from(Cell::new(0, 0))];
    let potential = solve(&cost, &goal);
    let text = |x: f32| trace(&cost, &potential, &goal, Vec2::new(x, 0.5)).unwrap_err().to_string();
    assert_eq!(text(-1.0), "start (-1, 0.5) m is outside the map of 4 x 1 cells");
    assert_eq!(text(2.5), "start (2.5, 0.5) m is in the blocked cell (2, 0); choose a free one");
    assert_eq!(text(3.5), "no way leads from (3.5, 0.5) m in cell (3, 0) to a goal");
    assert!(matches!(
        trace(&cost, &potential, &goal, Vec2::NAN),
        Err(TraceError::StartOutside { .. })
    ));
    let far = cost.placed(1e-3, Vec2::new(1e5, 0.0)).unwrap();
    let lost = trace(&far, &potential, &goal, far.centre(Cell::new(1, 0)));
    assert!(matches!(lost, Err(TraceError::TooFar { .. })));
    let other = Grid::filled(1, 4, 0.0).unwrap();
    let misfit = trace(&far, &other, &goal, Vec2::ZERO);
    assert!(matches!(misfit, Err(TraceError::Field(SolveError::ShapeMismatch { .. }))));
}

/// At the goal there is nothing to walk; beside its centre, only that.
#[test]
fn the_goal_itself_is_a_path() {
    let cost = Grid::filled(5, 5, 2.0).unwrap();
    let goal = Cell::new(2, 2);
    let potential = solve(&cost, &[goal.into()]);
    let at = |p: Vec2| tighten(&trace(&cost, &potential, &[goal.into()], p).unwrap(), &cost);
    let none = at(cost.centre(goal));
    assert_eq!((none.points.len(), none.length_m, none.cost), (1, 0.0, 0.0));
    let short = at(cost.centre(goal) + Vec2::new(0.25, 0.0));
    assert_eq!((short.points.len(), short.length_m, short.cost), (2, 0.25, 0.5));
}

/// Where `f32` potentials do not grow from cell to cell, there is no lower neighbour; the path must
/// still arrive.
#[test]
fn plateaus_of_rounding_are_crossed() {
    let dear = |c: Cell| if c.x < 3 { 1e6 } else { 1e-3 };
    let cost = Grid::from_fn(40, 3, dear).unwrap();
    let goal = [Source::from(Cell::new(0, 1))];
    let potential = solve(&cost, &goal);
    let flat = potential.row(1).windows(2).any(|p| p[0] == p[1]);
    assert!(flat, "the field of this test should have a plateau");
    let path = trace(&cost, &potential, &goal, cost.centre(Cell::new(39, 2))).unwrap();
    assert_eq!(path.points.last(), Some(&cost.centre(Cell::new(0, 1))));
}

/// A potential that is no solution must neither hang the trace nor lead through walls.
#[test]
fn fields_that_are_no_solution_end_all_the_same() {
    let mut seed = 12345u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    for _ in 0..200 {
        let cost = Grid::from_fn(12, 12, |_| if random() < 0.3 { WALL } else { 1.0 });
        let mut cost = cost.unwrap();
        let goal = Cell::new(6, 6);
        cost[goal] = 1.0;
        let potential = cost.map(|_| 1.0 + random());
        for i in 0..cost.cells() {
            let start = cost.centre(cost.cell_at(i));
            if let Ok(path) = trace(&cost, &potential, &[goal.into()], start) {
                assert_eq!(path.points.last(), Some(&cost.centre(goal)));
                let free = |s: &[Vec2]| segment_is_free(&cost, s[0], s[1]);
                assert!(path.points.windows(2).all(free));
            }
        }
    }
}

/// A path given with a segment through a wall is not ours to mend: it comes back as it was there, and
/// taut elsewhere.
#[test]
fn tighten_leaves_foreign_segments_alone() {
    let cost = Grid::from_fn(9, 9, |c| if c.x == 4 { WALL } else { 1.0 }).unwrap();
    let at = |x: f32, y: f32| Vec2::new(x, y);
    let points =
        vec![at(0.5, 0.5), at(0.5, 3.5), at(2.5, 3.5), at(6.5, 3.5), at(6.5, 5.5), at(8.5, 5.5)];
    let path = Path { points, length_m: 0.0, cost: 0.0 };
    let taut = tighten(&path, &cost);
    assert_eq!(taut.points, [at(0.5, 0.5), at(2.5, 3.5), at(6.5, 3.5), at(8.5, 5.5)]);
    assert_eq!(taut.cost, f64::INFINITY);
    assert_eq!(tighten(&Path::default(), &cost), Path::default());
}

/// Positions that are no places on the map must be answered, not walked to without end.
#[test]
fn wild_positions_are_not_free() {
    let cost = Grid::filled(3, 3, 1.0).unwrap();
    let inside = Vec2::splat(1.2);
    for wild in
        [Vec2::NAN, Vec2::INFINITY, Vec2::NEG_INFINITY, Vec2::splat(1e30), Vec2::splat(-0.1)]
    {
        for (a, b) in [(inside, wild), (wild, inside), (wild, wild)] {
            assert!(!segment_is_free(&cost, a, b));
            assert_eq!(segment_cost(&cost, a, b), f64::INFINITY);
        }
        let points = vec![inside, Vec2::ONE, wild, Vec2::ONE, inside];
        let path = Path { points, length_m: 0.0, cost: 0.0 };
        assert_eq!(tighten(&path, &cost).points.len(), 5);
    }
    assert!(segment_is_free(&cost, Vec2::ZERO, Vec2::splat(3.0)), "the rim is inside");
    assert_eq!(segment_cost(&cost, Vec2::ZERO, Vec2::new(0.0, 3.0)), 3.0);
}

/// Cheap ground is worth a detour: pulling taut must not cut across the mud.
#[test]
fn a_taut_path_stays_on_cheap_ground() {
    let road = |c: Cell| c.y == 0 || c.x == 0 || c.x == 19;
    let cost = Grid::from_fn(20, 10, |c| if road(c) { 1.0 } else { 20.0 }).unwrap();
    let goal = [Source::from(Cell::new(19, 9))];
    let potential = solve(&cost, &goal);
    let path = trace(&cost, &potential, &goal, cost.centre(Cell::new(0, 9))).unwrap();
    let taut = tighten(&path, &cost);
    assert!(taut.cost <= path.cost && taut.cost < 40.0, "{} after {}", taut.cost, path.cost);
    assert!(taut.length_m > 30.0);
}

/// Queries: every one answered once, in shared fields, the same as one by one; bad ones by their own
/// error.
#[test]
fn queries_share_fields_and_are_answered_one_by_one() {
    let wall = |c: Cell| (c.x * 7 + c.y * 13 + c.x * c.y).is_multiple_of(5);
    let cost = Grid::from_fn(30, 20, |c| if wall(c) { WALL } else { 1.0 }).unwrap();
    let free: Vec<Cell> =
        (0..cost.cells()).map(|i| cost.cell_at(i)).filter(|&c| !wall(c)).collect();
    let goals: Vec<Cell> = free.iter().copied().step_by(17).collect();
    let mut queries: Vec<(Cell, Cell)> =
        (free.iter().enumerate()).map(|(i, &start)| (start, goals[i % goals.len()])).collect();
    queries.push((free[0], Cell::new(0, 0)));
    queries.push((free[0], Cell::new(30, 0)));
    queries.push((Cell::new(0, 0), free[0]));
    let answers = Mutex::new(vec![vec![]; queries.len()]);
    let steps = Mutex::new(vec![]);
    let each = |i: usize, path| answers.lock().unwrap()[i].push(path);
    let progress = |done| steps.lock().unwrap().push(done);
    let report = paths_to_goals(&cost, &queries, Order::First, each, progress).unwrap();
    let answers = answers.into_inner().unwrap();
    assert!(answers.iter().all(|a| a.len() == 1));
    assert_eq!(report.queries, queries.len());
    assert_eq!(report.fields, goals.len() + usize::from(!goals.contains(&free[0])));
    assert_eq!(report.paths, answers.iter().filter(|a| a[0].is_ok()).count());
    let steps = steps.into_inner().unwrap();
    assert!(steps.is_sorted() && steps.last() == Some(&queries.len()));
    for (&(start, goal), answer) in queries.iter().zip(&answers).take(free.len()).step_by(7) {
        let potential = solve(&cost, &[goal.into()]);
        let alone = trace(&cost, &potential, &[goal.into()], cost.centre(start));
        assert_eq!(answer[0], alone);
    }
    let bad = &answers[free.len()..];
    assert!(matches!(bad[0][0], Err(TraceError::Field(SolveError::SourceBlocked { .. }))));
    assert!(matches!(bad[1][0], Err(TraceError::Field(SolveError::SourceOutside { .. }))));
    assert!(matches!(bad[2][0], Err(TraceError::StartBlocked { .. })));
    let none = paths_to_goals(&cost, &[], Order::First, |_, _| (), |_| ()).unwrap();
    assert_eq!(none.fields, 0);
}
