//! The distance to walls: exact against brute force, the same for a turned building, and after live
//! edits the same as built anew.

use glam::Vec2;
use proptest::prelude::*;
use throng_field::{Cell, Grid};
use throng_world::World;
use throng_world::world::{CLEARANCE_CAP, Polygon, Rect};

/// A star-shaped polygon; some stick out of the world.
fn polygon() -> impl Strategy<Value = Polygon> {
    let radii = prop::collection::vec(0.3_f32..4.0, 3..9);
    (-1.0_f32..31.0, -1.0_f32..21.0, radii, 0.0_f32..6.3).prop_map(|(x, y, radii, turn)| {
        let step = std::f32::consts::TAU / radii.len() as f32;
        let corner =
            |(i, r): (usize, &f32)| Vec2::new(x, y) + Vec2::from_angle(turn + i as f32 * step) * *r;
        Polygon { outer: radii.iter().enumerate().map(corner).collect(), holes: Vec::new() }
    })
}

/// 30 x 20 m with navigation cells of 0.5 m and wall cells of 0.25 m.
fn world(walls: Vec<Polygon>, open_edge: bool) -> World {
    let mut world = World::open((60, 40), 0.5, Vec2::ZERO).unwrap();
    world.clearance = Grid::filled(120, 80, 0.0).unwrap().placed(0.25, Vec2::ZERO).unwrap();
    world.walls = walls;
    world.open_edge = open_edge;
    world.rebuild();
    world
}

fn edge_distance(p: Vec2) -> f32 {
    p.x.min(30.0 - p.x).min(p.y.min(20.0 - p.y))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// A distance that is too large lets people into walls; one that is too small closes doors.
    #[test]
    fn distances_are_exact(walls in prop::collection::vec(polygon(), 0..6), open in any::<bool>()) {
        let world = world(walls, open);
        for i in (0..world.clearance.cells()).step_by(7) {
            let p = world.clearance.centre(world.clearance.cell_at(i));
            let found = world.clearance.as_slice()[i];
            let inside = world.walls.iter().any(|w| w.contains(p));
            prop_assert_eq!(found < 0.0, inside, "sign at {}", p);
            if !inside {
                let walls = world.walls.iter().map(|w| w.signed_distance(p));
                let mut brute = walls.fold(CLEARANCE_CAP, f32::min);
                if !open {
                    brute = brute.min(edge_distance(p));
                }
                prop_assert!((found - brute).abs() < 1e-4, "{} at {}, brute force {}", found, p, brute);
            } else if let [wall] = &world.walls[..] {
                let brute = wall.signed_distance(p).max(-CLEARANCE_CAP);
                // Outside the world all is solid, so the edge may be hidden.
                let hidden = !Rect { min: Vec2::ZERO, max: Vec2::new(30.0, 20.0) }.contains(
                    wall.bounds().min) || wall.bounds().max.x > 30.0 || wall.bounds().max.y > 20.0;
                prop_assert!(hidden || (found - brute).abs() < 1e-4, "{} inside at {}, {}", found, p, brute);
            }
        }
    }

    /// People walk around a wall that was taken down, or into one that was put up, where the edit
    /// differs from a rebuild.
    #[test]
    fn edits_equal_a_rebuild(
        start in prop::collection::vec(polygon(), 0..4),
        edits in prop::collection::vec((polygon(), any::<prop::sample::Index>(), any::<bool>()), 1..6),
    ) {
        let mut world = world(start, false);
        for (wall, index, add) in edits {
            let before = world.terrain.clone();
            let edited = if add || world.walls.is_empty() {
                world.add_wall(wall).unwrap()
            } else {
                let index = index.index(world.walls.len());
                world.remove_wall(index).unwrap()
            };
            let mut anew = world.clone();
            anew.rebuild();
            for (i, (a, b)) in world.clearance.as_slice().iter().zip(anew.clearance.as_slice()).enumerate() {
                let at = world.clearance.cell_at(i);
                prop_assert_eq!(a.to_bits(), b.to_bits(), "{} and {} at {}", a, b, at);
            }
            prop_assert_eq!(&world.terrain, &anew.terrain);
            let changed: Vec<u32> = (0..before.cells() as u32)
                .filter(|i| before.as_slice()[*i as usize] != world.terrain.as_slice()[*i as usize])
                .collect();
            prop_assert_eq!(changed, edited.cells);
        }
    }
}

/// Rooms that touch or overlap are one room: nothing stands between them.
#[test]
fn areas_that_meet_have_no_wall_between_them() {
    let rect = |x0: f32, y0: f32, x1: f32, y1: f32| {
        Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) })
    };
    let mut world = world(Vec::new(), false);
    world.walkable = vec![
        rect(2.0, 2.0, 12.0, 18.0),
        rect(12.0, 2.0, 20.0, 18.0), // touches the first along x = 12
        rect(18.0, 8.0, 28.0, 12.0), // overlaps the second
    ];
    world.rebuild();
    let clear = |x: f32, y: f32| world.clearance_at(Vec2::new(x, y));
    assert!((clear(12.0, 10.0) - 8.0).abs() < 0.15, "{}", clear(12.0, 10.0));
    assert!((clear(19.0, 10.0) - 2.0_f32.hypot(1.0)).abs() < 0.15, "{}", clear(19.0, 10.0));
    assert!((clear(24.0, 10.0) - 2.0).abs() < 0.15);
    assert!(clear(24.0, 14.0) < -1.5 && clear(1.0, 1.0) < 0.0);
    assert!(world.is_free(Vec2::new(12.0, 10.0), 1.0) && !world.is_free(Vec2::new(1.0, 1.0), 0.0));
}

/// A building turned by 30 degrees must behave like the building.
#[test]
fn a_turned_building_has_the_same_distances() {
    let centre = Vec2::new(15.0, 10.0);
    let walls = [(-5.0, -4.0, -4.6, 3.0), (2.0, -3.0, 6.0, -2.5), (0.0, 2.0, 0.3, 5.0)];
    let turned = |angle: f32| {
        let turn = Vec2::from_angle(angle);
        let walls = walls.map(|(x0, y0, x1, y1): (f32, f32, f32, f32)| {
            let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
            let outer = corners.map(|(x, y)| centre + turn.rotate(Vec2::new(x, y))).to_vec();
            Polygon { outer, holes: Vec::new() }
        });
        world(walls.to_vec(), true)
    };
    let (straight, slanting) = (turned(0.0), turned(30.0_f32.to_radians()));
    let turn = Vec2::from_angle(30.0_f32.to_radians());
    for i in 0..400 {
        let p = Vec2::new((i % 20) as f32 * 0.7 - 6.65, (i / 20) as f32 * 0.7 - 6.65);
        let (a, b) =
            (straight.clearance_at(centre + p), slanting.clearance_at(centre + turn.rotate(p)));
        // Bilinear sampling of a ridge or a corner errs by a fraction of a wall cell.
        assert!((a - b).abs() < 0.13, "{a} and {b} at {p}");
    }
}

/// Impossible walls are refused and change nothing.
#[test]
fn impossible_edits_are_refused() {
    let mut world = world(Vec::new(), true);
    let before = world.clearance.clone();
    let nan = Polygon { outer: vec![Vec2::ZERO, Vec2::X, Vec2::NAN], holes: Vec::new() };
    assert!(world.add_wall(nan).is_err());
    assert!(
        world.add_wall(Polygon { outer: vec![Vec2::ZERO, Vec2::X], holes: Vec::new() }).is_err()
    );
    assert!(world.remove_wall(0).is_err());
    assert_eq!((world.walls.len(), &world.clearance), (0, &before));
    // A wall outside the world touches nothing.
    let far = Polygon::rect(Rect { min: Vec2::splat(500.0), max: Vec2::splat(510.0) });
    assert!(world.add_wall(far).unwrap().cells.is_empty());
    assert_eq!(world.clearance, before);
}

/// Blocked cells of the ground are walls too.
#[test]
fn blocked_ground_has_a_distance() {
    let mut world = world(Vec::new(), true);
    for y in 10..20 {
        world.ground[Cell::new(30, y)] = f32::INFINITY; // x from 15 to 15.5, y from 5 to 10
    }
    world.rebuild();
    let clear = |x: f32, y: f32| world.clearance_at(Vec2::new(x, y));
    assert!((clear(12.125, 7.125) - 2.875).abs() < 1e-3);
    assert!((clear(18.125, 13.125) - 2.625_f32.hypot(3.125)).abs() < 1e-3);
    assert!(clear(15.25, 7.0) < 0.0);
}

/// People would walk into a wall where a shorter one stands half a millimetre beside it.
#[test]
fn a_wall_keeps_the_edge_that_another_almost_touches_in_part() {
    let rect =
        |x0, y0, x1, y1| Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) });
    for gap in [-0.0005, 0.0, 0.0005, 0.0015, 0.01] {
        let world = world(vec![rect(3.4, 2.0, 7.5, 3.0 - gap), rect(3.6, 3.0, 8.3, 5.0)], true);
        for x in [7.7f32, 7.9, 8.1] {
            let below = world.clearance_at(Vec2::new(x, 2.9));
            assert!((below - 0.1).abs() < 0.02, "{gap}: {below} m below ({x}, 3)");
        }
    }
}

/// Walls that meet in the world and go on beyond its edge; the first found by `throng soak`. If this
/// fails, an edge is forgotten where its longer part is hidden, and people walk into the wall.
#[test]
fn a_wall_that_sticks_out_of_the_world_keeps_its_edges() {
    let wall =
        |x0, y0, x1, y1| Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) });
    let crossed = world(vec![wall(24.0, 14.0, 25.0, 22.0), wall(23.5, 18.0, 40.0, 19.0)], false);
    assert!((crossed.clearance_at(Vec2::new(28.0, 17.5)) - 0.5).abs() < 1e-3);
    // The same with ground that ends there, and with the edge of the world beside it.
    let mut ground = world(Vec::new(), false);
    for y in 0..40 {
        for x in 44..60 {
            ground.ground[Cell::new(x, y)] = f32::INFINITY;
        }
    }
    ground.walls = vec![wall(18.0, 14.0, 19.0, 22.0), wall(17.5, 17.0, 29.0, 18.0)];
    ground.rebuild();
    assert!((ground.clearance_at(Vec2::new(20.5, 16.5)) - 0.5).abs() < 1e-3);
    assert!((ground.clearance_at(Vec2::new(10.0, 0.5)) - 0.5).abs() < 1e-3);
    assert!((ground.clearance_at(Vec2::new(21.5, 10.0)) - 0.5).abs() < 1e-3);
}
