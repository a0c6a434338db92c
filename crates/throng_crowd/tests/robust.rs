//! What hosts and scenes can throw at a crowd: nobody at all, impossible steps, a million in one spot,
//! goals that cannot be reached. Nothing panics, nothing hangs, everything wrong is named.

#![allow(clippy::print_stdout)]

mod common;

use std::time::Instant;

use common::{Watch, crowd, run, scene};
use glam::Vec2;
use throng_crowd::{Crowd, CrowdOptions};
use throng_world::World;
use throng_world::world::{Place, Polygon, Rect, Shape};

/// A hall with a way out on the right, for walkers and for guests with targets of their own.
const HALL: &str = r#"
    version = 1
    ground = { kind = "flat", size = [40, 40] }
    goal   = [{ name = "out", exit = true, rect = [38, 0, 40, 40] }]
    group  = [{ name = "walkers", goal = "out" }, { name = "guests", goal = "target" }]
    spawn  = [{ group = "walkers", count = 60, rect = [2, 2, 20, 38] }]
"#;

/// The same without its people.
fn empty_hall() -> World {
    World { spawns: Vec::new(), ..scene(HALL) }
}

/// If this fails, an empty scene crashes, or is not recognised as over.
#[test]
fn nobody_at_all_is_a_crowd() {
    let mut c = crowd(empty_hall(), CrowdOptions::default());
    run(&mut c, 2.0);
    assert!(c.is_empty() && c.is_over());
    let m = c.measures();
    assert_eq!((m.mean_speed, m.overlapping, m.in_wall), (0.0, 0, 0));
    let saved = c.snapshot();
    c.restore(&saved).unwrap();
    c.spawn(0, Vec2::new(5.0, 5.0), None).unwrap();
    run(&mut c, 1.0);
    assert_eq!(c.len(), 1);
}

/// If this fails, one person alone does not walk its way, or not at its own speed.
#[test]
fn one_alone_walks_straight_out() {
    let mut c = crowd(empty_hall(), CrowdOptions::default());
    c.spawn(0, Vec2::new(8.0, 20.0), None).unwrap();
    let speed = c.free_speed()[0];
    let mut watch = Watch::default();
    let dt = c.world().dt;
    while !c.is_empty() && c.time() < 60.0 {
        c.step(dt).unwrap();
        watch.check(&c, dt);
        assert!(c.y().iter().all(|y| (y - 20.0).abs() < 0.5), "wandered to {:?}", c.y());
    }
    let usual = 30.0 / f64::from(speed);
    assert!((usual * 0.95..usual + 1.5).contains(&c.time()), "{} s, not {usual}", c.time());
}

/// If this fails, a host's wrong clock corrupts its simulation.
#[test]
fn impossible_steps_are_refused() {
    let mut c = crowd(empty_hall(), CrowdOptions::default());
    c.spawn(0, Vec2::new(8.0, 20.0), None).unwrap();
    c.step(0.05).unwrap();
    let before = c.hash();
    for dt in [0.0, -0.1, f32::NAN, f32::INFINITY, 10.0] {
        let error = c.step(dt).unwrap_err().to_string();
        assert!(error.contains("length of a step") && error.contains("0.5"), "{error}");
        assert_eq!((c.hash(), c.steps()), (before, 1), "dt {dt}");
    }
    // The longest and a very short one go.
    c.step(0.5).unwrap();
    c.step(1e-6).unwrap();
    assert_eq!(c.measures().not_finite, 0);
}

/// Mean distance from the middle of all.
fn spread(c: &Crowd) -> f64 {
    let n = c.len() as f64;
    let mean = |v: &[f32]| v.iter().map(|v| f64::from(*v)).sum::<f64>() / n;
    let (mx, my) = (mean(c.x()), mean(c.y()));
    c.x()
        .iter()
        .zip(c.y())
        .map(|(x, y)| (f64::from(*x) - mx).hypot(f64::from(*y) - my))
        .sum::<f64>()
        / n
}

/// Drops a crowd on one spot of a wide place; gives its spread over the steps, and the seconds they took.
fn dropped(count: u32, steps: usize) -> (Vec<f64>, f64) {
    let world = scene(
        "version = 1\n\
         ground = { kind = \"flat\", size = [1200, 1200], cell = 10 }\n\
         group  = [{ name = \"guests\", goal = \"target\" }]\n\
         spawn  = [{ group = \"guests\", count = 1, rect = [1, 1, 9, 9], target = { opposite = [5, 5] } }]",
    );
    let world = World { spawns: Vec::new(), ..world };
    let mut c = crowd(world, CrowdOptions::default());
    for k in 0..count {
        let turn = k as f32 * 2.399_963;
        let target = Vec2::splat(600.0) + Vec2::from_angle(turn) * 500.0;
        c.spawn(0, Vec2::splat(600.0), Some(target)).unwrap();
    }
    let started = Instant::now();
    let mut spreads = vec![spread(&c)];
    for _ in 0..steps {
        c.step(0.05).unwrap();
        spreads.push(spread(&c));
    }
    let seconds = started.elapsed().as_secs_f64();
    let m = c.measures();
    let stages: Vec<String> = c
        .times()
        .named()
        .iter()
        .map(|(name, t)| format!("{name} {:.2}", t.as_secs_f64()))
        .collect();
    println!("{count} in one spot, {steps} steps: {} s; {m:?}", stages.join(", "));
    assert_eq!((c.len(), m.not_finite), (count as usize, 0));
    (spreads, seconds)
}

/// If this fails, everybody in one spot hangs the program or never comes apart.
#[test]
fn a_million_in_one_spot_come_apart() {
    let (spreads, seconds) = dropped(1_000_000, 5);
    println!("a million in one spot: {seconds:.1} s for 5 steps, spread {spreads:.3?} m");
    assert!(spreads.windows(2).skip(1).all(|w| w[1] > w[0]), "{spreads:.3?}");
    assert!(seconds < 300.0, "{seconds} s");
}

/// If this fails, a crush does not dissolve, only tremble.
#[test]
fn thousands_in_one_spot_have_room_in_the_end() {
    let (spreads, seconds) = dropped(5000, 400);
    println!("5,000 in one spot: {seconds:.1} s for 400 steps, spread {:.2} m", spreads[400]);
    // As discs of 0.2 m side by side they would fill a circle of 16 m, mean distance 10 m.
    assert!(spreads[400] > 8.0, "{}", spreads[400]);
}

/// If this fails, a scene without goals cannot be a place to stand about or to walk to targets.
#[test]
fn a_world_without_goals_works() {
    let world = scene(
        "version = 1\n\
         ground = { kind = \"flat\", size = [20, 20] }\n\
         group  = [{ name = \"guests\", goal = \"target\" }]\n\
         spawn  = [{ group = \"guests\", count = 30, rect = [2, 2, 18, 18], target = { opposite = [10, 10] } }]",
    );
    let mut c = crowd(world, CrowdOptions::default());
    run(&mut c, 3.0);
    assert_eq!(c.len(), 30);
    let error = c.set_goal(0, Vec::new()).unwrap_err().to_string();
    assert!(error.contains("no goal 0"), "{error}");
    // Worlds made by hand may lack even more.
    let bare = World::open((8, 8), 1.0, Vec2::ZERO).unwrap();
    let error = Crowd::new(bare, CrowdOptions::default()).unwrap_err().to_string();
    assert!(error.contains("groups"), "{error}");
}

/// If this fails, a goal in a wall is found out by people walking into it.
#[test]
fn a_goal_in_a_wall_is_named() {
    let mut world = empty_hall();
    world
        .add_wall(Polygon::rect(Rect { min: (30.0, -1.0).into(), max: (41.0, 41.0).into() }))
        .unwrap();
    let error = Crowd::new(world, CrowdOptions::default()).unwrap_err().to_string();
    assert!(error.contains("`out`") && error.contains("open ground"), "{error}");
}

/// If this fails, people without a way run into walls, or the program does.
#[test]
fn a_goal_out_of_reach_is_survived() {
    let mut world = scene(HALL);
    world
        .add_wall(Polygon::rect(Rect { min: (30.0, -1.0).into(), max: (32.0, 41.0).into() }))
        .unwrap();
    let mut c = crowd(world, CrowdOptions::default());
    let mut watch = Watch::default();
    for _ in 0..200 {
        c.step(0.05).unwrap();
        watch.check(&c, 0.05);
    }
    assert_eq!(c.len(), 60);
    assert!(c.x().iter().all(|&x| x < 30.0), "somebody went through the wall");
    assert!(c.measures().mean_speed < 0.2, "who has no way stands");
    // The wall opens, and all get out.
    let last = c.world().walls.len() - 1;
    c.remove_wall(last).unwrap();
    run(&mut c, 60.0);
    assert_eq!(c.len(), 0);
}

/// If this fails, a target beyond the edge or inside a wall crashes or tears people off the world.
#[test]
fn targets_that_cannot_be_reached_are_survived() {
    let mut c = crowd(empty_hall(), CrowdOptions::default());
    c.add_wall(Polygon::rect(Rect { min: (18.0, 10.0).into(), max: (22.0, 30.0).into() })).unwrap();
    for (k, target) in [(500.0, 20.0), (-9e5, -9e5), (20.0, 20.0), (5.0, 5.0)].iter().enumerate() {
        let p = Vec2::new(5.0, 5.0 + k as f32);
        c.spawn(1, p, Some((*target).into())).unwrap();
    }
    let mut watch = Watch::default();
    for _ in 0..800 {
        c.step(0.05).unwrap();
        watch.check(&c, 0.05);
    }
    assert_eq!(c.len(), 4);
    let place = Place { shape: Shape::Point((1e7, 0.0).into()), fuzz: 0.0, capacity: None };
    let error = c.set_goal(0, vec![place]).unwrap_err().to_string();
    assert!(error.contains("million"), "{error}");
}
