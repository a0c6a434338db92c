//! Directions and sites once more, slowly: every cell and every place is looked at for every question.

use glam::{DVec2, Vec2};
use throng_field::solve::{FastMarching, SolveParams, Solver, Source};
use throng_field::{Cell, DirectionField, Grid, Heading};
use throng_world::World;
use throng_world::world::{Goal, Place, Polygon, Rect, Shape};

use super::flow::{APRON, Flow};
use super::place::{Sites, deepest, depth, sources};
use crate::dice::Dice;

/// Directions in a random place with walls, on the way to a random goal.
fn random_field(dice: &mut Dice) -> (Grid<f32>, DirectionField) {
    let (w, h) = (1 + dice.below(14), 1 + dice.below(14));
    let blocked = [0.0, 0.2, 0.6, 0.95][dice.below(4)];
    let (cell, origin) =
        ([0.25, 1.0, 2.5][dice.below(3)], dice.point(Vec2::splat(-20.0), Vec2::splat(20.0)));
    let mut costs: Vec<f32> = (0..w * h)
        .map(|_| if dice.chance(blocked) { f32::INFINITY } else { dice.between(0.5, 3.0) })
        .collect();
    let goal = dice.below(w * h);
    costs[goal] = 1.0;
    let terrain = Grid::from_vec(w, h, costs).unwrap().placed(cell, origin).unwrap();
    let goals = [Source::from(terrain.cell_at(goal))];
    let mut potential = terrain.clone();
    let params = SolveParams::default();
    FastMarching::new().solve(&terrain, &goals, &params, &mut potential).unwrap();
    let mut field = DirectionField::default();
    field.compute(&potential, &terrain, &goals).unwrap();
    (terrain, field)
}

/// The direction of every cell: that of the field; zero at the goal; on blocked ground near open
/// ground, ring by ring, the way to the neighbours of the rings before; `None` where there is no way.
fn directions(terrain: &Grid<f32>, field: &DirectionField) -> Vec<Option<DVec2>> {
    let (w, h) = (terrain.width() as i64, terrain.height() as i64);
    let mut all: Vec<Option<DVec2>> = (0..terrain.cells())
        .map(|i| match field.heading(terrain.cell_at(i)) {
            Heading::Towards(d) => Some(d.as_dvec2()),
            Heading::Arrived => Some(DVec2::ZERO),
            Heading::Unreachable => None,
        })
        .collect();
    for _ in 0..APRON {
        let before = all.clone();
        for (i, direction) in all.iter_mut().enumerate().filter(|(_, d)| d.is_none()) {
            let (x, y) = (i as i64 % w, i as i64 / w);
            let mut ways = Vec::new();
            for (nx, ny) in (y - 1..=y + 1).flat_map(|ny| (x - 1..=x + 1).map(move |nx| (nx, ny))) {
                let inside = nx >= 0 && ny >= 0 && nx < w && ny < h;
                if inside && before[(ny * w + nx) as usize].is_some() {
                    ways.push(DVec2::new((nx - x) as f64, (ny - y) as f64).normalize());
                }
            }
            if !ways.is_empty() {
                let sum: DVec2 = ways.iter().sum();
                // Where all ways cancel, any will do.
                *direction = Some(if sum.length() > 1e-5 { sum.normalize() } else { DVec2::X });
            }
        }
    }
    all
}

/// If this fails, people walk off in wrong directions, or stand where they were pushed into a wall's
/// edge. Directions are packed to 16 bits: compared to 1e-4, and between cells to as much over the
/// length of the blend, which is short where directions cancel.
#[test]
fn packed_directions_are_those_of_the_field() {
    let mut dice = Dice::new(31);
    let (mut compared, mut found) = (0, 0);
    for _ in 0..400 {
        let (terrain, field) = random_field(&mut dice);
        let mut flow = Flow::new(&terrain);
        flow.pack(&field);
        let want = directions(&terrain, &field);
        for (code, want) in flow.codes().iter().zip(&want) {
            assert_eq!(code[0] == i16::MIN, want.is_none());
            if let Some(want) = want {
                let got = DVec2::new(code[0].into(), code[1].into()) / 32767.0;
                assert!((got - *want).length() < 1e-4, "{got} {want}");
            }
        }
        let (low, high) = (terrain.origin(), terrain.origin() + terrain.extent());
        let cell = terrain.cell_size();
        for _ in 0..40 {
            let mut p = dice.point(low - 2.0 * cell, high + 2.0 * cell);
            if dice.chance(0.2) {
                p = terrain.centre(terrain.cell_at(dice.below(terrain.cells())));
            }
            let blend = blend(&terrain, &want, p);
            let got = flow.at(p).as_dvec2();
            compared += 1;
            if (blend.length() - 0.02).abs() < 1e-3 {
                continue;
            }
            if blend.length() < 0.02 {
                assert_eq!(got, DVec2::ZERO);
                continue;
            }
            found += 1;
            let off = (got - blend.normalize()).length();
            assert!(off < 1e-4 + 4e-4 / blend.length(), "{p} {got} {blend}");
        }
    }
    assert!(found * 2 > compared, "{found} of {compared}");
}

/// The directions of all cells, each by its share of a square of one cell around the position;
/// outside, the edge goes on.
fn blend(terrain: &Grid<f32>, all: &[Option<DVec2>], p: Vec2) -> DVec2 {
    let (w, h) = (terrain.width() as i64, terrain.height() as i64);
    let q = (p - terrain.origin()).as_dvec2() / f64::from(terrain.cell_size()) - 0.5;
    let mut sum = DVec2::ZERO;
    for y in -4..h + 4 {
        for x in -4..w + 4 {
            let share =
                (1.0 - (q.x - x as f64).abs()).max(0.0) * (1.0 - (q.y - y as f64).abs()).max(0.0);
            let cell = y.clamp(0, h - 1) * w + x.clamp(0, w - 1);
            sum += all[cell as usize].unwrap_or(DVec2::ZERO) * share;
        }
    }
    sum
}

fn random_shape(dice: &mut Dice, bounds: Rect) -> Shape {
    // Some lie partly or wholly outside the world.
    let point = |dice: &mut Dice| dice.point(bounds.min - 3.0, bounds.max + 3.0);
    match dice.below(5) {
        0 => Shape::Point(point(dice)),
        1 => Shape::Line(point(dice), point(dice)),
        2 => Shape::Disc { centre: point(dice), radius: dice.between(0.0, 4.0) },
        3 => {
            let min = point(dice);
            let max = min + dice.point(Vec2::splat(0.1), Vec2::splat(6.0));
            Shape::Polygon(Polygon::rect(Rect { min, max }))
        }
        _ => Shape::Polygon(Polygon {
            outer: vec![point(dice), point(dice), point(dice)],
            holes: Vec::new(),
        }),
    }
}

fn random_world(dice: &mut Dice) -> World {
    let cells = (1 + dice.below(16), 1 + dice.below(16));
    let origin = dice.point(Vec2::splat(-9.0), Vec2::splat(9.0));
    let cell = [0.5, 1.0, 2.5][dice.below(3)];
    let mut world = World::open(cells, cell, origin).unwrap();
    let bounds = world.bounds();
    let blocked = [0.0, 0.3, 0.9][dice.below(3)];
    for cost in world.terrain.as_mut_slice() {
        *cost = if dice.chance(blocked) { f32::INFINITY } else { dice.between(0.5, 2.0) };
    }
    for _ in 0..1 + dice.below(3) {
        let places = (0..dice.below(6)).map(|_| Place {
            shape: random_shape(dice, bounds),
            fuzz: dice.between(0.0, 6.0),
            capacity: None,
        });
        let places = places.collect();
        world.goals.push(Goal { name: "goal".into(), color: [0; 3], places, exit: false });
    }
    world
}

/// If this fails, people queue at the wrong place, or do not notice that they have arrived. Exact:
/// both take the distance from the centre of the cell.
#[test]
fn the_nearest_site_is_the_nearest_of_all() {
    let mut dice = Dice::new(32);
    let (mut asked, mut found) = (0, 0);
    for _ in 0..400 {
        let world = random_world(&mut dice);
        let sites = Sites::new(&world).unwrap();
        let (terrain, bounds) = (&world.terrain, world.bounds());
        for _ in 0..30 {
            let p = dice.point(bounds.min - 1.0, bounds.max + 1.0);
            let goal = dice.below(world.goals.len());
            // Off the world, the nearest cell at its edge counts.
            let q = ((p - bounds.min) / terrain.cell_size()).floor();
            let last = Vec2::new((terrain.width() - 1) as f32, (terrain.height() - 1) as f32);
            let q = q.clamp(Vec2::ZERO, last);
            let centre = terrain.centre(Cell::new(q.x as u32, q.y as u32));
            let mut best = None;
            let goals = world.goals.iter().enumerate();
            let places = goals.flat_map(|(g, goal)| goal.places.iter().map(move |p| (g, p)));
            for (index, (g, place)) in (0..).zip(places) {
                let d = place.shape.distance(centre);
                let cell = terrain.cell_size();
                let reach = place.fuzz.max(4.0 * cell).max(4.0) + cell;
                if g == goal && d <= reach && best.is_none_or(|(least, _)| d < least) {
                    best = Some((d, index));
                }
            }
            let got = sites.near(goal as u16, p).map(|(site, _)| site);
            assert_eq!(got, best.map(|(_, index)| index), "{p}");
            asked += 1;
            found += usize::from(got.is_some());
        }
    }
    assert!(found * 4 > asked && found < asked, "{found} of {asked}");
}

/// If this fails, fields grow from the wrong cells and lead past the goal. Exact.
#[test]
fn sources_are_the_open_cells_a_place_passes_through() {
    let mut dice = Dice::new(33);
    let (mut without, mut with) = (0, 0);
    for _ in 0..600 {
        let world = random_world(&mut dice);
        let terrain = &world.terrain;
        for (index, goal) in world.goals.iter().enumerate() {
            let mut want = Vec::new();
            for place in &goal.places {
                let within = |reach: f32| {
                    let cells = (0..terrain.cells()).map(|i| terrain.cell_at(i));
                    let far = |c: &Cell| place.shape.distance(terrain.centre(*c));
                    let cells = cells.filter(|c| {
                        terrain[*c].is_finite() && far(c) <= reach * terrain.cell_size()
                    });
                    cells.map(|c| Source::new(c, far(&c) * terrain[c])).collect::<Vec<_>>()
                };
                let rings = [0.75, 1.5, 3.0].map(within);
                want.extend(rings.into_iter().find(|r| !r.is_empty()).unwrap_or_default());
            }
            match sources(&world, index) {
                Ok(got) => assert_eq!(got, want),
                Err(_) => assert!(want.is_empty()),
            }
            without += usize::from(want.is_empty());
            with += usize::from(!want.is_empty());
        }
    }
    assert!(with > 100 && without > 100, "{with} {without}");
}

/// If this fails, people stop at the edge of an area or insist on its middle. The depth is the
/// distance to the nearest of many points on the outline: compared to their spacing.
#[test]
fn depth_is_the_distance_to_the_outline() {
    let mut dice = Dice::new(34);
    let bounds = Rect { min: Vec2::ZERO, max: Vec2::splat(8.0) };
    let mut inside = 0;
    for _ in 0..600 {
        let shape = random_shape(&mut dice, bounds);
        let outline: Vec<Vec2> = match &shape {
            Shape::Disc { centre, radius } => (0..400)
                .map(|k| {
                    *centre + Vec2::from_angle(k as f32 * 0.005 * std::f32::consts::PI) * *radius
                })
                .collect(),
            Shape::Polygon(polygon) => polygon
                .edges()
                .flat_map(|(a, b)| (0..400).map(move |k| a.lerp(b, k as f32 / 400.0)))
                .collect(),
            _ => Vec::new(),
        };
        for _ in 0..5 {
            let p = dice.point(bounds.min - 2.0, bounds.max + 2.0);
            let got = depth(&shape, p);
            let in_shape = match &shape {
                Shape::Disc { .. } | Shape::Polygon(_) => shape.distance(p) == 0.0,
                _ => false,
            };
            let edge = outline.iter().map(|q| q.distance(p)).fold(f32::INFINITY, f32::min);
            let want = if in_shape { edge } else { 0.0 };
            assert!((got - want).abs() < 0.05, "{shape:?} {p}: {got} not {want}");
            // The largest circle in a convex shape is at most twice its area over its outline.
            assert!(got <= 3.0 * deepest(&shape) + 1e-5, "{shape:?} {p}: {got}");
            inside += usize::from(in_shape);
        }
    }
    assert!(inside > 100, "{inside}");
}
