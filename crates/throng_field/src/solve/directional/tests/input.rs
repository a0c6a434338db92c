//! Odd maps, round limits, and input that is no problem to solve.

use super::*;

fn flat(width: usize, height: usize) -> (Grid<f32>, Grid<Vec2>) {
    let cost = Grid::filled(width, height, 1.0f32).unwrap();
    let gradient = cost.map(|_| Vec2::new(0.3, -0.4));
    (cost, gradient)
}

/// Solves with factors; potential or error.
fn attempt(
    (cost, gradient): &(Grid<f32>, Grid<Vec2>),
    (uphill, downhill): (f32, f32),
    sources: &[Source],
    params: &SolveParams,
) -> Result<(Grid<f32>, Report), SolveError> {
    let slope = Slope { gradient, uphill, downhill };
    let mut out = cost.map(|_| f32::NAN);
    let report = Directional::new().solve(cost, &slope, sources, params, &mut out)?;
    Ok((out, report))
}

fn plain(map: &(Grid<f32>, Grid<Vec2>), goal: Cell) -> Result<(Grid<f32>, Report), SolveError> {
    attempt(map, (2.0, 0.3), &[goal.into()], &SolveParams::default())
}

/// The smallest and the thinnest maps are where indices run over the edge.
#[test]
fn one_cell_and_one_row() {
    let (phi, report) = plain(&flat(1, 1), Cell::new(0, 0)).unwrap();
    assert_eq!(phi.as_slice(), [0.0]);
    assert_eq!((report.reachable, report.max, report.residual), (1, 0.0, 0.0));
    for length in [2, 15, 16, 17, 33] {
        let last = length as u32 - 1;
        let (row, _) = plain(&flat(length, 1), Cell::new(0, 0)).unwrap();
        // West is downhill, north is uphill.
        let right = last as f32 * (1.0 + 0.3 * 0.3);
        assert!((row[Cell::new(last, 0)] - right).abs() < 1e-4 * right);
        let (column, _) = plain(&flat(1, length), Cell::new(0, 0)).unwrap();
        let right = last as f32 * (1.0 + 2.0 * 0.4);
        assert!((column[Cell::new(0, last)] - right).abs() < 1e-4 * right);
    }
}

/// A pocket that is walled in has no way out; a finite value there would send people into walls.
#[test]
fn pockets_and_walls_are_infinite() {
    let mut map = flat(40, 37);
    for i in 0..40u32 {
        for cell in [Cell::new(i, 20), Cell::new(25, i)] {
            if let Some(cost) = map.0.get_mut(cell) {
                *cost = f32::INFINITY;
            }
        }
    }
    let (phi, report) = plain(&map, Cell::new(3, 3)).unwrap();
    for i in 0..phi.cells() {
        let cell = phi.cell_at(i);
        let inside = cell.x < 25 && cell.y < 20;
        assert_eq!(phi[cell] < f32::INFINITY, inside, "{cell}");
    }
    assert_eq!(report.reachable, 25 * 20);
}

/// Walls that touch at a corner are closed, and a single wall's corner is walked around.
#[test]
fn corners_are_not_cut() {
    let mut map = (Grid::filled(2, 2, 1.0f32).unwrap(), flat(2, 2).1);
    let factors = (0.0, 0.0);
    let goal = [Source::from(Cell::new(1, 1))];
    let solve = |map: &_| attempt(map, factors, &goal, &SolveParams::default()).unwrap().0;
    assert!((solve(&map)[Cell::new(0, 0)] - 2f32.sqrt()).abs() < 1e-6);
    map.0[Cell::new(0, 1)] = f32::INFINITY;
    assert_eq!(solve(&map)[Cell::new(0, 0)], 2.0);
    map.0[Cell::new(1, 0)] = f32::INFINITY;
    assert_eq!(solve(&map)[Cell::new(0, 0)], f32::INFINITY);
}

/// A goal that is dear to start from may be undercut by another; both must count.
#[test]
fn sources_with_start_values() {
    let map = flat(50, 3);
    let solve = |start| {
        let sources = [
            Source::from(Cell::new(0, 1)),
            Source::new(Cell::new(49, 1), start),
            Source::new(Cell::new(49, 1), start + 1.0),
        ];
        attempt(&map, (2.0, 0.3), &sources, &SolveParams::default()).unwrap().0[Cell::new(49, 1)]
    };
    assert_eq!(solve(7.0), 7.0);
    let undercut = solve(1000.0);
    assert!((undercut - 49.0 * 1.09).abs() < 0.01, "{undercut}");
}

/// A round limit that is not kept, or kept in silence, gives a field that is not a solution.
#[test]
fn the_round_limit_is_an_error() {
    let map = hilly(100, 2);
    let goal = [Source::from(Cell::new(1, 2))];
    let limited = |max_rounds| {
        let params = SolveParams { max_rounds, ..SolveParams::default() };
        attempt(&map, (2.0, 0.3), &goal, &params).map(|(_, report)| report)
    };
    let needed = limited(None).unwrap().rounds;
    assert!(limited(Some(needed)).is_ok());
    for limit in [0, 1, needed - 1] {
        let Err(SolveError::NotConverged { rounds, residual }) = limited(Some(limit)) else {
            panic!("a limit of {limit} rounds was not kept");
        };
        assert_eq!(rounds, limit);
        // The last round may only find that nothing is left to do; early ones leave cells unreached.
        assert!(limit > 1 || residual == f32::INFINITY);
    }
}

/// Asked for what it cannot do, the solver must say so and not do something else.
#[test]
fn second_order_is_refused_with_a_cure() {
    let goal = [Source::from(Cell::new(0, 0))];
    let error = attempt(&flat(3, 3), (1.0, 0.0), &goal, &SolveParams::SECOND_ORDER).unwrap_err();
    assert!(matches!(error, SolveError::Unsupported { .. }));
    assert!(error.to_string().contains("first order"), "{error}");
}

/// Slopes that are no slopes would end in NaN, in negative costs, or never.
#[test]
fn bad_slopes_are_refused() {
    let goal = [Source::from(Cell::new(0, 0))];
    let refused = |map: &_, factors| {
        let result = attempt(map, factors, &goal, &SolveParams::default());
        matches!(result, Err(SolveError::BadSlope { .. }))
    };
    let map = flat(20, 20);
    assert!(!refused(&map, (2.0, -1.9)), "1 - 1.9 * 0.5 is positive");
    assert!(refused(&map, (3.0, -2.1)), "1 - 2.1 * 0.5 is negative");
    assert!(refused(&map, (3.0, -2.0)), "1 - 2 * 0.5 is nothing");
    assert!(refused(&map, (1.0, -1.1)), "not convex");
    assert!(refused(&map, (-2.1, 3.0)), "the same uphill");
    assert!(!refused(&map, (-0.5, 0.5)));
    assert!(refused(&map, (1e7, 0.0)), "dearer than any cost");
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(refused(&map, (bad, 0.0)));
        assert!(refused(&map, (1.0, bad)));
        let mut spoilt = map.clone();
        spoilt.1[Cell::new(7, 13)].y = bad;
        assert!(refused(&spoilt, (1.0, 0.0)), "gradient {bad}");
        assert!(refused(&spoilt, (0.0, 0.0)), "gradient {bad}, no factors");
        spoilt.0[Cell::new(7, 13)] = f32::INFINITY;
        assert!(!refused(&spoilt, (1.0, 0.0)), "in a wall it does not matter");
    }
}

/// What is wrong with costs, goals and shapes must be told as by every other solver.
#[test]
fn bad_costs_goals_and_shapes_are_refused() {
    let mut map = flat(6, 5);
    map.0[Cell::new(2, 2)] = f32::INFINITY;
    let with = |sources: &[Source]| {
        attempt(&map, (2.0, 0.3), sources, &SolveParams::default()).unwrap_err()
    };
    assert_eq!(with(&[]), SolveError::NoSources);
    let outside = Source::from(Cell::new(6, 0));
    assert!(matches!(with(&[outside]), SolveError::SourceOutside { .. }));
    let blocked = Source::from(Cell::new(2, 2));
    assert!(matches!(with(&[blocked]), SolveError::SourceBlocked { .. }));
    for start in [-1.0, f32::NAN, f32::INFINITY] {
        let source = Source::new(Cell::new(0, 0), start);
        assert!(matches!(with(&[source]), SolveError::BadStart { .. }));
    }
    let goal = Cell::new(0, 0);
    let turned = (map.0.clone(), flat(5, 6).1);
    let found = plain(&turned, goal).unwrap_err();
    assert!(matches!(found, SolveError::ShapeMismatch { .. }));
    let slope = Slope { gradient: &map.1, uphill: 1.0, downhill: 0.0 };
    let mut small = flat(3, 3).0;
    let params = SolveParams::default();
    let found = Directional::new().solve(&map.0, &slope, &[goal.into()], &params, &mut small);
    assert!(matches!(found, Err(SolveError::ShapeMismatch { .. })));
    map.0[Cell::new(1, 1)] = f32::NAN;
    assert!(matches!(plain(&map, goal), Err(SolveError::BadCost(_))));
}

/// Whatever the contrast of costs and directions, a legal problem must end in a solution: the bound on
/// who follows whom, tile edges and rounding all have their say here.
#[test]
fn wild_maps_are_solved() {
    for seed in 0..400 {
        let mut dice = Dice(seed << 20);
        let (width, height) =
            (1 + (dice.unit() * 50.0) as usize, 1 + (dice.unit() * 50.0) as usize);
        let (decades, walls) = (dice.between(0.0, 6.0), dice.between(0.0, 0.45));
        let steepest = 10f32.powf(dice.between(-2.0, 1.0));
        let mut cost = Grid::from_fn(width, height, |_| {
            let cost = 10f32.powf(decades * dice.between(-0.5, 0.5));
            let wall = dice.unit() < walls;
            if wall { f32::INFINITY } else { cost }
        })
        .unwrap();
        let gradient =
            cost.map(|_| steepest * Vec2::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)));
        let uphill = 10f32.powf(dice.between(-1.0, 1.3));
        let downhill = dice.between(-uphill.min(0.7 / steepest), uphill);
        let goal = Cell::new(width as u32 / 2, height as u32 / 2);
        cost[goal] = 1.0;
        let sources = [Source::from(goal)];
        let map = (cost, gradient);
        let result = attempt(&map, (uphill, downhill), &sources, &SolveParams::default());
        let (_, report) = result.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(report.residual <= 1e-6, "seed {seed}: {report:?}");
    }
}
