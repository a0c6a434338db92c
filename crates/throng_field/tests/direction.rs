//! Directions over random ground, walls, mazes and degenerate grids: they lead down, never into a
//! wall, and are smooth where the ground is.

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use throng_field::direction::{DirectionField, Heading};
use throng_field::solve::{FastMarching, SolveError, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};

/// Solved ground with its directions.
#[derive(Debug)]
struct World {
    cost: Grid<f32>,
    potential: Grid<f32>,
    sources: Vec<Source>,
    directions: DirectionField,
}

impl World {
    fn new(cost: Grid<f32>, sources: &[Source]) -> Self {
        Self::solved(cost, sources, SolveParams::default())
    }

    fn solved(cost: Grid<f32>, sources: &[Source], params: SolveParams) -> Self {
        let mut potential = cost.clone();
        FastMarching::new().solve(&cost, sources, &params, &mut potential).unwrap();
        let mut directions = DirectionField::default();
        let report = directions.compute(&potential, &cost, sources).unwrap();
        assert_eq!(report.stalled, 0, "a solved field leads down everywhere");
        let finite = potential.as_slice().iter().filter(|p| p.is_finite()).count();
        assert_eq!(report.towards + report.arrived, finite);
        assert_eq!(finite + report.unreachable, cost.cells());
        Self { cost, potential, sources: sources.to_vec(), directions }
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.cost.cells()).map(|i| self.cost.cell_at(i))
    }

    /// Potential of a neighbour; infinite outside.
    fn beside(&self, cell: Cell, dx: i32, dy: i32) -> f32 {
        let (x, y) = (cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
        self.potential.get(Cell::new(x, y)).copied().unwrap_or(f32::INFINITY)
    }

    /// Checks what [`DirectionField`] promises of one cell.
    fn check_cell(&self, cell: Cell) -> Result<(), TestCaseError> {
        let here = self.potential[cell];
        let is_goal = self.sources.iter().any(|s| s.cell == cell && here >= s.start);
        match self.directions.heading(cell) {
            Heading::Unreachable => prop_assert!(here.is_infinite(), "{cell} is reachable"),
            Heading::Arrived => prop_assert!(is_goal, "{cell} is no goal"),
            Heading::Towards(d) => {
                prop_assert!(here.is_finite() && !is_goal);
                prop_assert!((d.length() - 1.0).abs() < 1e-5, "{d} is no unit vector");
                let slope_x = if d.x == 0.0 {
                    0.0
                } else {
                    d.x.abs() * (self.beside(cell, d.x.signum() as i32, 0) - here)
                };
                let slope_y = if d.y == 0.0 {
                    0.0
                } else {
                    d.y.abs() * (self.beside(cell, 0, d.y.signum() as i32) - here)
                };
                prop_assert!(slope_x + slope_y < 0.0, "{d} at {cell} leads up");
                let greater = if d.x.abs() >= d.y.abs() { slope_x } else { slope_y };
                prop_assert!(greater < 0.0, "greater part of {d} at {cell} leads up");
                self.check_walk(self.cost.centre(cell), d)?;
            }
        }
        Ok(())
    }

    /// Checks that walking one cell length from `from` along `d` neither enters a blocked cell, further
    /// than rounding, nor passes through the corner where two of them meet.
    fn check_walk(&self, from: Vec2, d: Vec2) -> Result<(), TestCaseError> {
        let origin = self.cost.origin().as_dvec2();
        let p = (from.as_dvec2() - origin) / f64::from(self.cost.cell_size());
        let d = d.as_dvec2();
        let (x, y) = (p.x.floor() as i64, p.y.floor() as i64);
        for (x, y) in (-2..=2).flat_map(|i| (-2..=2).map(move |j| (x + i, y + j))) {
            let corner = DVec2::new(x as f64, y as f64);
            let enters =
                self.blocked(x, y) && meets(p, d, corner + ROUNDING, corner + 1.0 - ROUNDING);
            prop_assert!(!enters, "{d} from {from} enters a wall");
            let falling = self.blocked(x - 1, y) && self.blocked(x, y - 1);
            let rising = self.blocked(x - 1, y - 1) && self.blocked(x, y);
            let across = (p - corner) * (p + d - corner);
            let passes = across.x < 0.0 && across.y < 0.0;
            let near = d.perp_dot(corner - p).abs() < 3.0 * ROUNDING;
            let slips = (falling && d.x * d.y > 0.0) || (rising && d.x * d.y < 0.0);
            prop_assert!(!(passes && near && slips), "{d} from {from} slips between walls");
        }
        Ok(())
    }

    fn blocked(&self, x: i64, y: i64) -> bool {
        let inside = x >= 0 && y >= 0;
        let cell = inside.then(|| self.cost.get(Cell::new(x as u32, y as u32))).flatten();
        cell.is_none_or(|&c| c == f32::INFINITY)
    }
}

/// What a walker may be in a wall by, in cells.
const ROUNDING: f64 = 1e-6;

/// Whether the segment from `p` to `p + d` meets the rectangle.
fn meets(p: DVec2, d: DVec2, low: DVec2, high: DVec2) -> bool {
    let (mut first, mut last) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        if d[axis] == 0.0 {
            if p[axis] < low[axis] || p[axis] > high[axis] {
                return false;
            }
            continue;
        }
        let (a, b) = ((low[axis] - p[axis]) / d[axis], (high[axis] - p[axis]) / d[axis]);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    first <= last
}

/// Random ground, with walls of random density, and up to three goals on free cells.
fn world() -> impl Strategy<Value = World> {
    let size = prop_oneof![
        (1usize..=1, 1usize..=1),
        (1usize..=1, 2usize..=12),
        (2usize..=14, 2usize..=14)
    ];
    let kind = (prop::bool::ANY, prop::bool::ANY);
    (size, 0.0f64..0.55, kind).prop_flat_map(|((w, h), share, (uniform, second))| {
        let cost = if uniform { 1.0f32..1.0001 } else { 0.1f32..10.0 };
        let cell = prop_oneof![
            ((share * 1000.0) as u32 + 1) => Just(f32::INFINITY),
            1000 => cost,
        ];
        let goals = prop::collection::vec((0..w as u32, 0..h as u32, 0.0f32..3.0), 1..=3);
        (prop::collection::vec(cell, w * h), goals).prop_map(move |(mut cost, goals)| {
            for &(x, y, _) in &goals {
                cost[y as usize * w + x as usize] = 1.0;
            }
            let cost = Grid::from_vec(w, h, cost).unwrap();
            let cost = cost.placed(0.5, Vec2::new(-3.0, 7.0)).unwrap();
            let source = |(x, y, start)| Source::new(Cell::new(x, y), start);
            let goals: Vec<Source> = goals.into_iter().map(source).collect();
            let params = if second { SolveParams::SECOND_ORDER } else { SolveParams::default() };
            World::solved(cost, &goals, params)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A heading that leads up or into a wall traps the agents of that cell.
    #[test]
    fn cells_lead_down_and_not_into_walls(world in world()) {
        for cell in world.cells() {
            world.check_cell(cell)?;
        }
    }

    /// The same for agents anywhere between the centres: they would push against walls, or, with NaN,
    /// vanish.
    #[test]
    fn places_between_centres_lead_not_into_walls(
        world in world(), places in prop::collection::vec((0.0f32..1.0, 0.0f32..1.0), 60),
    ) {
        for (x, y) in places {
            let at = world.cost.origin() + Vec2::new(x, y) * world.cost.extent();
            let Some(cell) = world.cost.cell_of(at) else { continue };
            match world.directions.heading_at(at) {
                Heading::Towards(d) => {
                    prop_assert!((d.length() - 1.0).abs() < 1e-5);
                    world.check_walk(at, d)?;
                }
                other => prop_assert_eq!(other, world.directions.heading(cell)),
            }
        }
    }

    /// Places exactly on borders and corners of cells, where it is a matter of one bit what is wall.
    #[test]
    fn places_on_borders_lead_not_into_walls(world in world(), parts in 1u32..=2) {
        let (w, h) = (world.cost.width() as u32, world.cost.height() as u32);
        for y in 0..h * parts {
            for x in 0..w * parts {
                let place = Vec2::new(x as f32, y as f32) / parts as f32;
                let at = world.cost.origin() + place * world.cost.cell_size();
                if let Heading::Towards(d) = world.directions.heading_at(at) {
                    world.check_walk(at, d)?;
                }
            }
        }
    }
}

/// A maze with corridors one cell wide, carved by a walk in a fixed pseudo-random order.
fn maze(rooms: usize, mut seed: u64) -> Grid<f32> {
    let side = 2 * rooms + 1;
    let mut cost = Grid::filled(side, side, f32::INFINITY).unwrap();
    let mut stack = vec![(1usize, 1usize)];
    cost[Cell::new(1, 1)] = 1.0;
    while let Some(&(x, y)) = stack.last() {
        let ways = [(2i64, 0i64), (-2, 0), (0, 2), (0, -2)];
        let open: Vec<_> = ways
            .iter()
            .map(|&(dx, dy)| ((x as i64 + dx) as usize, (y as i64 + dy) as usize))
            .filter(|&(x, y)| x < side && y < side)
            .filter(|&(x, y)| cost[Cell::new(x as u32, y as u32)] == f32::INFINITY)
            .collect();
        if open.is_empty() {
            stack.pop();
            continue;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let next = open[(seed >> 33) as usize % open.len()];
        cost[Cell::new(((x + next.0) / 2) as u32, ((y + next.1) / 2) as u32)] = 1.0;
        cost[Cell::new(next.0 as u32, next.1 as u32)] = 1.0;
        stack.push(next);
    }
    cost
}

/// Agents that follow the field must arrive, whatever lies between: a cycle or a dead stop anywhere
/// would show here.
#[test]
fn walkers_arrive_from_everywhere() {
    let mut maps = vec![maze(10, 7), Grid::filled(20, 9, 1.0).unwrap()];
    for share in [7, 5, 4, 3] {
        let wall = |c: Cell| {
            (c.x * 31 + c.y * 17 + c.x * c.y * 7).is_multiple_of(share) && c != Cell::new(1, 1)
        };
        maps.push(Grid::from_fn(24, 24, |c| if wall(c) { f32::INFINITY } else { 1.0 }).unwrap());
    }
    for cost in maps {
        let world = World::new(cost, &[Cell::new(1, 1).into()]);
        let limit = 200.0
            + 40.0
                * world
                    .potential
                    .as_slice()
                    .iter()
                    .filter(|p| p.is_finite())
                    .fold(0.0f32, |a, &b| a.max(b));
        for cell in world.cells().filter(|&c| world.potential[c].is_finite()) {
            let mut at = world.cost.centre(cell) + Vec2::new(0.31, -0.27);
            let mut steps = 0.0;
            while let Heading::Towards(d) = world.directions.heading_at(at) {
                at += d * 0.1;
                steps += 1.0;
                assert!(steps < limit, "still under way from {cell}, at {at}");
            }
            let end = world.directions.heading_at(at);
            assert_eq!(end, Heading::Arrived, "lost from {cell} at {at}");
        }
    }
}

/// A pocket without a door is unreachable, and says so; so is everything outside.
#[test]
fn pockets_walls_and_outside_are_unreachable() {
    let wall = |c: Cell| (c.x == 4 || c.y == 4) && c.x.max(c.y) == 4;
    let cost = Grid::from_fn(8, 8, |c| if wall(c) { f32::INFINITY } else { 1.0 }).unwrap();
    let world = World::new(cost, &[Cell::new(7, 7).into()]);
    for cell in [Cell::new(0, 0), Cell::new(3, 3), Cell::new(4, 2), Cell::new(8, 0)] {
        assert_eq!(world.directions.heading(cell), Heading::Unreachable);
    }
    assert!(matches!(world.directions.heading(Cell::new(5, 5)), Heading::Towards(_)));
    for at in [Vec2::new(-0.1, 3.0), Vec2::new(8.0, 3.0), Vec2::NAN, Vec2::splat(f32::INFINITY)] {
        assert_eq!(world.directions.heading_at(at), Heading::Unreachable);
    }
    assert_eq!(Heading::Unreachable.vector(), Vec2::ZERO);
}

/// Worst and mean angle, in degrees, between headings and the straight way to the goal, at centres and
/// beside them, of cells that are at least `radius` cells away from the goal.
fn degrees_off(potential: &Grid<f32>, goal: Cell, radius: f32) -> (f32, f32) {
    let cost = potential.map(|_| 1.0);
    let mut directions = DirectionField::default();
    directions.compute(potential, &cost, &[goal.into()]).unwrap();
    let (mut worst, mut sum, mut count) = (0.0f32, 0.0, 0.0);
    for cell in (0..cost.cells()).map(|i| cost.cell_at(i)) {
        let way = cost.centre(goal) - cost.centre(cell);
        if way.length() < radius {
            continue;
        }
        let off = Vec2::new(0.21, 0.37);
        let between = directions.heading_at(cost.centre(cell) + off).vector();
        for (heading, way) in [(directions.heading(cell).vector(), way), (between, way - off)] {
            let error = heading.angle_to(way).abs().to_degrees();
            worst = worst.max(error);
            sum += error;
            count += 1.0;
        }
    }
    (worst, sum / count)
}

/// On open ground headings are those of the straight way to the goal; a kink in the gradient would make
/// every agent of a row turn at the same place. With exact potentials the headings are nearly exact;
/// those of the first-order field carry its error, which shrinks with the distance.
#[test]
fn open_ground_is_smooth() {
    let goal = Cell::new(64, 60);
    let exact = |c: Cell| Vec2::new(c.x as f32, c.y as f32).distance(Vec2::new(64.0, 60.0));
    let exact = Grid::from_fn(129, 129, exact).unwrap();
    // On the rim of the grid the difference is one-sided.
    let (worst, mean) = degrees_off(&exact, goal, 4.0);
    assert!(worst < 1.5 && mean < 0.1, "exact: worst {worst}, mean {mean}");
    let second = World::solved(exact.map(|_| 1.0), &[goal.into()], SolveParams::SECOND_ORDER);
    let (worst, mean) = degrees_off(&second.potential, goal, 6.0);
    assert!(worst < 1.5 && mean < 0.2, "second order: worst {worst}, mean {mean}");
    let solved = World::new(exact.map(|_| 1.0), &[goal.into()]).potential;
    for (radius, limit) in [(10.0, 9.0), (20.0, 6.0), (40.0, 4.0)] {
        let (worst, mean) = degrees_off(&solved, goal, radius);
        assert!(worst < limit && mean < 2.5, "from {radius}: worst {worst}, mean {mean}");
    }
}

/// An overtaken source is a cell on the way, not a goal; stopping there would leave agents stranded.
#[test]
fn only_sources_that_hold_their_start_value_are_goals() {
    let cost = Grid::filled(9, 1, 1.0).unwrap();
    let sources = [Source::new(Cell::new(0, 0), 0.0), Source::new(Cell::new(4, 0), 100.0)];
    let world = World::new(cost, &sources);
    assert_eq!(world.directions.heading(Cell::new(4, 0)), Heading::Towards(Vec2::NEG_X));
    assert_eq!(world.directions.heading(Cell::new(0, 0)), Heading::Arrived);
}

/// A wall built after the field was solved must not be walked into; a cell it cuts off is counted.
#[test]
fn walls_newer_than_the_field_are_respected() {
    let mut world = World::new(Grid::filled(5, 1, 1.0).unwrap(), &[Cell::new(0, 0).into()]);
    world.cost[Cell::new(1, 0)] = f32::INFINITY;
    let sources = world.sources.clone();
    let report = world.directions.compute(&world.potential, &world.cost, &sources).unwrap();
    assert_eq!((report.towards, report.arrived, report.unreachable, report.stalled), (2, 1, 1, 1));
    assert_eq!(world.directions.heading(Cell::new(2, 0)), Heading::Unreachable);
}

/// Wrong input is an error and leaves the field as it was.
#[test]
fn wrong_input_is_refused() {
    let world = World::new(Grid::filled(3, 2, 1.0).unwrap(), &[Cell::new(0, 0).into()]);
    let mut directions = world.directions.clone();
    let other = Grid::filled(2, 3, 1.0).unwrap();
    let result = directions.compute(&other, &world.cost, &world.sources);
    assert!(matches!(result, Err(SolveError::ShapeMismatch { .. })));
    let outside = [Cell::new(9, 9).into()];
    let result = directions.compute(&world.potential, &world.cost, &outside);
    assert!(matches!(result, Err(SolveError::SourceOutside { .. })));
    assert_eq!(directions.heading(Cell::new(0, 0)), Heading::Arrived);
}

/// A field is computed again and again into the same memory; what the last goal left there must go.
#[test]
fn a_field_computed_again_forgets_the_last_goal() {
    let mut world = World::new(Grid::filled(30, 20, 1.0).unwrap(), &[Cell::new(0, 0).into()]);
    let goal = [Source::from(Cell::new(29, 19))];
    let params = SolveParams::default();
    FastMarching::new().solve(&world.cost, &goal, &params, &mut world.potential).unwrap();
    world.directions.compute(&world.potential, &world.cost, &goal).unwrap();
    let again = World::new(world.cost.clone(), &goal);
    for cell in world.cells() {
        assert_eq!(world.directions.heading(cell), again.directions.heading(cell));
    }
    assert_eq!(world.directions.heading(Cell::new(29, 19)), Heading::Arrived);
    assert!(matches!(world.directions.heading(Cell::new(0, 0)), Heading::Towards(d) if d.x > 0.0));
}
