//! Random worlds in which there is something to do.

use glam::Vec2;
use throng_field::Grid;
use throng_world::World;
use throng_world::grass::{DrawnMaps, Grass, GrassParams};
use throng_world::world::{
    Action, Condition, Distribution, Goal, MovingHazard, Place, Polygon, Rect, Rule, Seek, Shape,
};

use super::crowd_in;
use crate::agents::{FREE_WAY, HIDDEN, STUCK, TARGETED, WAITING};
use crate::crowd::Crowd;
use crate::dice::{self, Dice, Layout, PARTIES};
use crate::party::Parties;

fn shape(dice: &mut Dice, world: &World) -> Shape {
    let bounds = world.bounds();
    let p = dice.point(bounds.min + 1.0, bounds.max - 1.0);
    match dice.below(4) {
        0 => Shape::Point(p),
        1 => Shape::Line(p, dice.point(bounds.min, bounds.max)),
        2 => Shape::Disc { centre: p, radius: dice.between(0.3, 3.0) },
        _ => {
            let max = p + dice.point(Vec2::splat(0.5), Vec2::splat(4.0));
            let mut polygon = Polygon::rect(Rect { min: p, max });
            if dice.chance(0.3) {
                let middle = (p + max) * 0.5;
                polygon.holes.push(vec![middle, middle + Vec2::X * 0.4, middle + Vec2::Y * 0.4]);
            }
            Shape::Polygon(polygon)
        }
    }
}

fn condition(dice: &mut Dice) -> Condition {
    let mut when = Condition::default();
    for _ in 0..1 + dice.below(2) {
        match dice.below(11) {
            0 => when.finished = Some(dice.chance(0.7)),
            1 => when.full = Some(dice.chance(0.5)),
            2 => when.distance_below = Some(dice.between(0.5, 5.0)),
            3 => when.neighbours_at_least = Some(dice.below(6) as u32),
            4 => when.neighbours_at_most = Some(dice.below(6) as u32),
            5 => when.fear_at_least = Some(dice.between(0.0, 0.6)),
            6 => when.fear_at_most = Some(dice.between(0.0, 0.6)),
            7 => when.tired_at_least = Some(dice.unit()),
            8 => when.tired_at_most = Some(dice.unit()),
            9 => when.after = Some(dice.between(0.0, 20.0)),
            _ => when.arrived = Some(dice.chance(0.8)),
        }
    }
    when
}

fn duration(dice: &mut Dice) -> Option<Distribution> {
    match dice.below(7) {
        0 => None,
        5 => Some(Distribution::Gamma { shape: 1.3, scale: 3.0, min: 0.0, max: 20.0 }),
        6 => Some(Distribution::Weibull { shape: 1.2, scale: 4.0, min: 0.5, max: 20.0 }),
        1 => Some(Distribution::Fixed(3.0)),
        2 => Some(Distribution::Uniform(1.0, 9.0)),
        3 => Some(Distribution::Normal { mean: 5.0, deviation: 2.0, min: 1.0, max: 12.0 }),
        _ => Some(Distribution::LogNormal { mu: 1.0, sigma: 0.7, min: 0.5, max: 20.0 }),
    }
}

/// The same ground on finer cells, so many of them to the side of one.
fn divided(grid: &Grid<f32>, parts: usize) -> Grid<f32> {
    let (width, height) = (grid.width() * parts, grid.height() * parts);
    let at = |i: usize| grid.row(i / width / parts)[i % width / parts];
    let cells = Grid::from_vec(width, height, (0..width * height).map(at).collect()).unwrap();
    cells.placed(grid.cell_size() / parts as f32, grid.origin()).unwrap()
}

/// A world with goals, actions that seek everything there is to seek, rules and hazards.
pub(super) fn town(dice: &mut Dice, walls: bool) -> World {
    let mut world = dice::world(dice, walls);
    world.groups[1].weights.density = 3.0;
    world.groups[1].fear = 0.6;
    // Navigation cells of a metre to a quarter of it, and cells of zones down to a third of those.
    let parts = 1 << dice.below(3);
    world.terrain = divided(&world.terrain, parts);
    world.ground = divided(&world.ground, parts);
    let parts = 1 + dice.below(3);
    let zones = divided(&world.terrain, parts);
    // Stairs here and there, that lead anywhere.
    let up = zones.map(|_| {
        let up = dice.point(Vec2::NEG_ONE, Vec2::ONE).normalize_or_zero();
        if dice.chance(0.2) { up } else { Vec2::ZERO }
    });
    world.stairs = Some(up);
    for goal in 0..3 {
        let places = (0..1 + dice.below(4)).map(|_| Place {
            shape: shape(dice, &world),
            fuzz: dice.between(0.0, 3.0),
            capacity: dice.chance(0.6).then(|| dice.below(5) as u32),
        });
        let places = places.collect();
        let exit = goal == 2;
        world.goals.push(Goal { name: format!("goal {goal}"), color: [0; 3], places, exit });
    }
    let seeks = [Seek::Goal(0), Seek::Goal(1), Seek::Goal(2), Seek::Target, Seek::Away];
    for seek in seeks.into_iter().chain([Seek::Nothing]) {
        world.actions.push(Action {
            name: format!("{seek:?}"),
            clip: String::new(),
            seek,
            speed: dice.between(0.5, 1.5),
            seconds: duration(dice),
            carries: 1,
            tires: dice.between(-0.5, 0.5),
            aggression: dice.between(0.5, 2.0),
        });
    }
    let actions = world.actions.len();
    for _ in 0..dice.below(14) {
        let from = (0..dice.below(3)).map(|_| dice.below(actions) as u16).collect();
        let groups = if dice.chance(0.3) { vec![dice.below(2) as u16] } else { Vec::new() };
        world.rules.push(Rule {
            influence: if dice.chance(0.3) { dice.between(0.5, 3.0) } else { 0.0 },
            share: dice.between(0.2, 2.0),
            from,
            groups,
            when: condition(dice),
            chance: if dice.chance(0.5) { 1.0 } else { dice.unit() },
            to: dice.below(actions) as u16,
            resume: dice.chance(0.2),
        });
    }
    // People who have arrived work where there is room.
    for from in [1, 2] {
        world.rules.push(Rule {
            influence: 0.0,
            share: 1.0,
            from: vec![from],
            groups: Vec::new(),
            when: Condition { arrived: Some(true), ..Condition::default() },
            chance: 1.0,
            to: 0,
            resume: false,
        });
    }
    if dice.chance(0.5) {
        world.dose = Some(zones.map(|_| (dice.unit() - 0.3).max(0.0)));
    }
    let bounds = world.bounds();
    for _ in 0..dice.below(4) {
        world.hazards.push(MovingHazard {
            name: "fire".into(),
            color: [0; 3],
            path: vec![dice.point(bounds.min, bounds.max)],
            speed: 0.0,
            closed: false,
            radius: 1.0,
            strength: 5.0,
            fear_radius: dice.between(1.0, 6.0),
            active: (0.0, f32::INFINITY),
        });
    }
    world
}

/// People who do anything at all in such a world, halfway through it.
pub(super) fn townspeople(dice: &mut Dice, k: usize) -> Crowd {
    let mut world = town(dice, k.is_multiple_of(2));
    if k % 3 == 1 {
        let params = GrassParams { paths: 0.01 * (k % 90) as f32, ..GrassParams::default() };
        world.grass = Some(Grass { params, drawn: DrawnMaps::default() });
    }
    let bounds = world.bounds();
    let actions = world.actions.len();
    let layout = [Layout::Scattered, Layout::Dense, Layout::Edges, Layout::Heaps][k % 4];
    let mut people = dice::people(dice, &world, layout, 400);
    for i in 0..people.len() {
        let traits = &mut people.traits[i];
        traits.action = dice.below(actions) as u8;
        traits.interrupted = dice.below(actions) as u8;
        traits.set(WAITING, dice.chance(0.1));
        traits.set(TARGETED, dice.chance(0.8));
        traits.set(HIDDEN, dice.chance(0.3));
        traits.set(FREE_WAY, dice.chance(0.5));
        traits.set(STUCK, dice.chance(0.1));
        people.left[i] = dice.between(-1.0, 3.0);
        people.clip[i] = dice.between(0.0, 20.0);
        people.tired[i] = dice.unit();
        people.fear[i] = dice.unit() * dice.unit();
        people.slow[i] = dice.between(0.0, 31.0);
        let target = dice.point(bounds.min, bounds.max);
        (people.target_x[i], people.target_y[i]) = (target.x, target.y);
        if dice.chance(0.2) {
            (people.target_x[i], people.target_y[i]) = (people.x[i] + 0.3, people.y[i]);
        }
    }
    let mut crowd = crowd_in(world, people);
    if crowd.agents.extended {
        crowd.parties = Parties::with_room(PARTIES);
    }
    crowd.step = 1000 + k as u64;
    crowd.time = 50.0 + k as f64;
    crowd.place_hazards();
    // Some of those who seek nothing are busy somewhere.
    for i in 0..crowd.len() {
        let site = dice.below(crowd.sites.sites.len());
        let standing = [0, actions as u8 - 1].contains(&crowd.agents.traits[i].action);
        // Nobody is counted where there is always room.
        let limited = crowd.sites.sites[site].place.capacity.is_some();
        if standing && dice.chance(0.3) && limited {
            crowd.agents.site[i] = site as u32;
            crowd.busy[site] += 1;
        }
    }
    for _ in 0..2 {
        let cell = dice.below(crowd.world.terrain.cells()) as u32;
        crowd.targets.solve(&crowd.world.terrain, cell, 0).unwrap();
        // Somebody wants there.
        if !crowd.is_empty() {
            let i = dice.below(crowd.len());
            let at = crowd.world.terrain.centre(crowd.world.terrain.cell_at(cell as usize));
            (crowd.agents.target_x[i], crowd.agents.target_y[i]) = (at.x, at.y);
        }
    }
    crowd
}
