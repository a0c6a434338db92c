//! Tests of whole maps: what is where, and that no crowd is too odd to draw.

use super::*;
use throng_world::world::{Distribution, FieldWeights, Goal, Group, Place, Polygon, Shape};

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Polygon {
    Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) })
}

fn group(name: &str, color: [u8; 3]) -> Group {
    Group {
        name: name.into(),
        color,
        radius: Distribution::Fixed(0.3),
        speed: Distribution::Fixed(1.5),
        climb: 0.4,
        descend: 0.6,
        premovement: Distribution::Fixed(0.0),
        aggression: 1.0,
        time_gap: 1.0,
        standing_gap: 1.0,
        fear: 1.0,
        weights: FieldWeights::default(),
        starts: 0,
        character: None,
    }
}

fn world() -> World {
    let mut world = World::open((20, 20), 1.0, Vec2::new(-10.0, 0.0)).unwrap();
    world.walls = vec![rect(-9.0, 15.0, -5.0, 19.0)];
    let shape = Shape::Disc { centre: Vec2::new(6.0, 4.0), radius: 2.0 };
    world.goals = vec![Goal {
        name: "exit".into(),
        color: [20, 120, 60],
        places: vec![Place { shape, fuzz: 0.0, capacity: None }],
        exit: true,
    }];
    world.groups = vec![group("red", [200, 20, 20]), group("blue", [20, 20, 200])];
    world
}

fn frame<'a>(x: &'a [f32], y: &'a [f32], group: &'a [u8], radius: &'a [f32]) -> AgentFrame<'a> {
    const IDS: [u32; 4] = [1, 2, 3, 4];
    const STILL: [f32; 4] = [0.0; 4];
    let n = x.len();
    let (vx, vy) = (&STILL[..n], &STILL[..n]);
    AgentFrame { step: 0, time: 0.0, ids: &IDS[..n], x, y, vx, vy, group, action: group, radius }
}

fn at(image: &Image, layout: &Layout, x: f32, y: f32) -> Rgb {
    let pixel = layout.on_page(Vec2::new(x, y));
    image.get(pixel.x as usize, pixel.y as usize).unwrap()
}

/// A map that shows people where they are not, or up as down, lies.
#[test]
fn people_walls_and_goals_are_where_they_should_be() {
    let world = world();
    let mut map = CrowdMap::new(&world).width(900);
    let people = frame(&[-5.0, 5.0], &[3.0, 17.0], &[0, 1], &[0.5, 0.5]);
    let image = map.render(&people, &MapExtras::default()).unwrap();
    let layout = &map.drawn.as_ref().unwrap().layout;
    assert_eq!(at(&image, layout, -5.0, 3.0), Rgb([200, 20, 20]));
    assert_eq!(at(&image, layout, 5.0, 17.0), Rgb([20, 20, 200]));
    let floor = at(&image, layout, 0.0, 10.0);
    assert!(floor.lightness() > 0.9);
    assert!(at(&image, layout, -7.0, 17.0).lightness() < 0.5, "the wall");
    let goal = at(&image, layout, 6.0, 2.6);
    assert!(goal.0[1] > goal.0[0] && goal != floor, "the goal's ground is green: {goal:?}");
}

/// Small people are dots that add up; none may vanish.
#[test]
fn dots_of_small_people_are_seen() {
    let world = world();
    let mut map = CrowdMap::new(&world).width(320);
    let people = frame(&[0.0, 1.0, 1.0], &[10.0, 12.0, 12.0], &[0, 1, 1], &[0.01; 3]);
    let image = map.render(&people, &MapExtras::default()).unwrap();
    let layout = &map.drawn.as_ref().unwrap().layout;
    let (one, two) = (at(&image, layout, 0.0, 10.0), at(&image, layout, 1.0, 12.0));
    assert!(one.0[0] > one.0[2] + 60, "{one:?}");
    assert!(two.0[2] > two.0[0] + 60, "{two:?}");
}

/// Heat on a wall would say that people stand in it.
#[test]
fn heat_stays_off_walls() {
    let world = world();
    let people = frame(&[-4.7, -4.7, -4.7], &[17.0, 17.3, 16.7], &[0; 3], &[0.2; 3]);
    let mut map = CrowdMap::new(&world).heat(Heat::Density).width(900);
    let hot = map.render(&people, &MapExtras::default()).unwrap();
    let cold = map.render(&frame(&[], &[], &[], &[]), &MapExtras::default()).unwrap();
    let layout = &map.drawn.as_ref().unwrap().layout;
    assert_eq!(at(&hot, layout, -6.0, 17.5), at(&cold, layout, -6.0, 17.5));
    assert_ne!(at(&hot, layout, -4.0, 17.5), at(&cold, layout, -4.0, 17.5));
    let said = CrowdMap::new(&world).heat(Heat::Potential).render(&people, &MapExtras::default());
    assert!(said.unwrap_err().to_string().contains("needs the potential"));
}

/// Heat behind a wall would say that people stand where nobody is, and a door looks crowded from the
/// wrong side.
#[test]
fn heat_does_not_go_through_walls() {
    // A thin wall, straight and slanting, in pictures large and small.
    let slanting = Polygon {
        outer: [(-8.0, 4.0), (8.0, 8.0), (8.0, 8.3), (-8.0, 4.3)].map(Vec2::from).to_vec(),
        holes: Vec::new(),
    };
    for (wall, near, far) in [
        (rect(-9.0, 10.0, 9.0, 10.2), (0.0, 9.7), (0.0, 10.7)),
        (rect(0.0, 1.0, 0.2, 19.0), (-0.3, 9.0), (0.7, 9.0)),
        (slanting, (0.0, 5.6), (0.0, 6.9)),
    ] {
        let mut world = world();
        world.walls = vec![wall];
        let (x, y) = ([near.0; 4], [near.1; 4]);
        let people = frame(&x, &y, &[0; 4], &[0.05; 4]);
        for heat in [Heat::Density, Heat::Speed] {
            for width in [320, 900] {
                let mut map = CrowdMap::new(&world).heat(heat).width(width);
                let hot = map.render(&people, &MapExtras::default()).unwrap();
                let cold = map.render(&frame(&[], &[], &[], &[]), &MapExtras::default()).unwrap();
                let layout = &map.drawn.as_ref().unwrap().layout;
                let differ = |(x, y): (f32, f32)| at(&hot, layout, x, y) != at(&cold, layout, x, y);
                let beside = (near.0 - 0.4, near.1 - 0.4);
                assert!(differ(beside), "no heat at {beside:?}, {width} pixels");
                assert!(!differ(far), "{heat:?} at {far:?}, {width} pixels");
            }
        }
    }
}

/// Any crowd on any world gives a picture of the width asked for.
#[test]
fn odd_worlds_and_crowds_can_be_drawn() {
    let odd = [f32::NAN, f32::INFINITY, -1e9, 3.0];
    for cells in [(1, 1), (200, 3), (3, 200)] {
        let mut world = World::open(cells, 0.5, Vec2::ZERO).unwrap();
        world.groups = (0..20).map(|i| group(&"long name ".repeat(i), [250; 3])).collect();
        for width in [0, 500, 1000] {
            for heat in [None, Some(Heat::Density), Some(Heat::Speed)] {
                let mut map = CrowdMap::new(&world).width(width).trails(2.0);
                map = if let Some(heat) = heat { map.heat(heat) } else { map };
                let people = frame(&odd, &odd, &[0, 9, 200, 255], &odd);
                let image = map.render(&people, &MapExtras::default()).unwrap();
                assert_eq!(image.width(), width.max(LEAST_WIDTH));
            }
        }
    }
}
