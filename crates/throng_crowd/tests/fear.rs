//! Fear: a ghost empties a ring about itself, and people go round a cloud of gas. If these fail, hazards
//! are decoration.

#![allow(clippy::print_stdout, reason = "trials say what they measured")]

mod common;

use common::{On, Trial, scene, shipped};
use glam::Vec2;
use throng_crowd::{Crowd, CrowdOptions};
use throng_world::World;
use throng_world::world::MovingHazard;

const FEAR_RADIUS: f32 = 12.0;

fn hazard(at: Vec2, radius: f32, strength: f32, fear_radius: f32) -> MovingHazard {
    MovingHazard {
        name: "fright".into(),
        color: [255; 3],
        path: vec![at],
        speed: 0.0,
        closed: false,
        radius,
        strength,
        fear_radius,
        active: (0.0, f32::INFINITY),
    }
}

fn within(c: &Crowd, centre: Vec2, radius: f32) -> usize {
    let near = |(x, y): (&f32, &f32)| Vec2::new(*x, *y).distance(centre) < radius;
    c.x().iter().zip(c.y()).filter(|&p| near(p)).count()
}

/// People inside 80 % of the fear radius of a ghost that walked into the crowd and has stood for 5 s,
/// and as many as would be there without it.
fn haunted(on: On, world: &World, from: Vec2, to: Vec2) -> (usize, usize) {
    let mut with = on.crowd(world.clone(), CrowdOptions::default());
    let mut without = on.crowd(world.clone(), CrowdOptions::default());
    with.run(10.0);
    without.run(10.0);
    let ghost = with.place_hazard(hazard(from, 15.0, 8.0, FEAR_RADIUS));
    let (dt, speed) = (world.dt, 1.8);
    let seconds = from.distance(to) / speed;
    let steps = (seconds / dt) as usize;
    for step in 1..=steps {
        with.move_hazard(ghost, from.lerp(to, step as f32 / steps as f32));
        with.step();
        without.step();
    }
    with.run(5.0);
    without.run(5.0);
    assert!((with.time() - without.time()).abs() < 1e-6);
    (within(with.look(), to, 0.8 * FEAR_RADIUS), within(without.look(), to, 0.8 * FEAR_RADIUS))
}

/// The ring must be empty: at most 5 % of those who would be there.
#[test]
fn a_ghost_empties_a_ring() {
    ring(On::Cpu);
}

fn ring(on: On) {
    let mut valley = shipped("froblins", Some(3000));
    valley.hazards.clear();
    let plane = scene(
        "version = 1\n\
         ground = { kind = \"flat\", size = [100, 100], cell = 2 }\n\
         group  = [{ name = \"guests\", goal = \"target\" }]\n\
         spawn  = [{ group = \"guests\", count = 3000, rect = [2, 2, 98, 98], target = { random = { rect = [2, 2, 98, 98] } } }]",
    );
    for (name, world) in [("valley", valley), ("plane", plane)] {
        let bounds = world.bounds();
        let at = |u: f32, v: f32| bounds.min + bounds.size() * Vec2::new(u, v);
        let (mut stayed, mut usual) = (0, 0);
        for (from, to) in [
            (at(0.2, 0.2), at(0.45, 0.5)),
            (at(0.8, 0.3), at(0.55, 0.45)),
            (at(0.5, 0.8), at(0.4, 0.55)),
        ] {
            let (a, b) = haunted(on, &world, from, to);
            println!("{name}, {on:?}: {a} near the ghost at {to}, {b} without it");
            stayed += a;
            usual += b;
        }
        assert!(usual > 100, "{name}: nobody would be there, {usual}");
        assert!(stayed as f32 <= 0.05 * usual as f32, "{name}: {stayed} of {usual} stayed");
    }
}

/// Who has been where, over a run.
struct Ways {
    /// Everybody who was on the field, and who came into a disc.
    all: std::collections::HashSet<u32>,
    through: std::collections::HashSet<u32>,
}

fn ways(on: On, c: &mut Trial, seconds: f64, centre: Vec2, radius: f32) -> Ways {
    let mut ways = Ways { all: Default::default(), through: Default::default() };
    // Those on the way already are not asked.
    let first = c.look().ids().iter().max().map_or(0, |id| id + 1);
    let end = c.time() + seconds;
    while c.time() < end {
        // Nobody crosses a disc of some metres between two looks.
        (0..on.looks_every().min(10)).for_each(|_| c.step());
        let c = c.look();
        for i in 0..c.len() {
            let p = Vec2::new(c.x()[i], c.y()[i]);
            if c.ids()[i] >= first && p.x > centre.x - radius {
                ways.all.insert(c.ids()[i]);
                if p.distance(centre) < radius {
                    ways.through.insert(c.ids()[i]);
                }
            }
        }
    }
    ways
}

fn share(w: &Ways) -> f32 {
    w.through.len() as f32 / w.all.len() as f32
}

/// A cloud on the open field: people make a detour.
#[test]
fn a_gas_cloud_on_a_path_is_gone_round() {
    cloud(On::Cpu);
}

fn cloud(on: On) {
    let field = scene(
        "version = 1\n\
         ground = { kind = \"flat\", size = [80, 50], cell = 1 }\n\
         goal   = [{ name = \"out\", exit = true, rect = [78, 22, 80, 28] }]\n\
         group  = [{ name = \"walkers\", goal = \"out\" }]\n\
         spawn  = [{ group = \"walkers\", rate = 4, rect = [1, 22, 4, 28] }]",
    );
    let middle = Vec2::new(40.0, 25.0);
    let mut c = on.crowd(field, CrowdOptions::default());
    c.run(40.0);
    let before = ways(on, &mut c, 60.0, middle, 5.0);
    c.place_hazard(hazard(middle, 9.0, 12.0, 6.0));
    c.run(10.0);
    let after = ways(on, &mut c, 60.0, middle, 5.0);
    println!(
        "open field, {on:?}: {:.0} % of {} through the middle, {:.1} % of {} with gas there",
        100.0 * share(&before),
        before.all.len(),
        100.0 * share(&after),
        after.all.len()
    );
    assert!(before.all.len() > 80 && after.all.len() > 80);
    assert!(share(&before) > 0.55, "{}", share(&before));
    assert!(share(&after) < 0.02, "{}", share(&after));
}

/// Two doors, gas in the nearer one: people take the other, and still get out.
#[test]
fn gas_in_a_door_sends_people_to_the_other() {
    doors(On::Cpu);
}

fn doors(on: On) {
    let house = scene(
        "version = 1\n\
         ground = { kind = \"flat\", size = [60, 40] }\n\
         wall   = [{ rect = [30, 0, 31, 10] }, { rect = [30, 14, 31, 28] }, { rect = [30, 32, 31, 40] }]\n\
         goal   = [{ name = \"out\", exit = true, rect = [58, 5, 60, 19] }]\n\
         group  = [{ name = \"walkers\", goal = \"out\" }]\n\
         spawn  = [{ group = \"walkers\", rate = 1.5, rect = [1, 5, 4, 19] }]",
    );
    let door = Vec2::new(30.5, 12.0);
    let mut c = on.crowd(house, CrowdOptions::default());
    c.run(40.0);
    let before = ways(on, &mut c, 60.0, door, 2.0);
    c.place_hazard(hazard(door, 8.0, 12.0, 6.0));
    c.run(20.0);
    let arrived = c.look().totals().arrived;
    let after = ways(on, &mut c, 90.0, door, 2.0);
    let got_out = c.look().totals().arrived - arrived;
    println!(
        "two doors, {on:?}: {:.0} % of {} through the near one, {:.1} % of {} with gas in it, {got_out} got out",
        100.0 * share(&before),
        before.all.len(),
        100.0 * share(&after),
        after.all.len()
    );
    assert!(share(&before) > 0.6, "{}", share(&before));
    assert!(share(&after) < 0.02, "{}", share(&after));
    assert!(got_out > 60, "only {got_out} found the other door");
}

/// The same on the GPU. If one of these fails, hazards are decoration there.
#[cfg(feature = "gpu")]
mod on_gpu {
    use super::{On, cloud, doors, ring};

    #[test]
    #[ignore = "takes long on a software device"]
    fn a_ghost_empties_a_ring() {
        ring(On::Gpu);
    }

    #[test]
    #[ignore = "takes long on a software device"]
    fn a_gas_cloud_on_a_path_is_gone_round() {
        cloud(On::Gpu);
    }

    #[test]
    #[ignore = "takes long on a software device"]
    fn gas_in_a_door_sends_people_to_the_other() {
        doors(On::Gpu);
    }
}
