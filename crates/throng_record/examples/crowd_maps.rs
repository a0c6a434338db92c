//! Draws sample maps and clips of made-up crowds into a folder: `crowd_maps [FOLDER]`.
//! The people only drift along; this shows how pictures look, not how crowds behave.

#![allow(clippy::print_stdout)]

use glam::Vec2;
use std::path::Path;
use std::time::Instant;
use throng_field::Grid;
use throng_record::{AgentFrame, Clip, ClipOptions, ColorBy, CrowdMap, FrameRows, Heat, MapExtras};
use throng_world::World;
use throng_world::world::{
    Action, Distribution, FieldWeights, Goal, Group, MovingHazard, Place, Polygon, Rect, Seek,
    Shape,
};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "out".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    valley(folder)?;
    corridor(folder)?;
    bottleneck(folder)?;
    Ok(())
}

fn add(people: &mut FrameRows, at: Vec2, velocity: Vec2, group: u8, action: u8, radius: f32) {
    people.ids.push(people.ids.len() as u32);
    people.x.push(at.x);
    people.y.push(at.y);
    people.vx.push(velocity.x);
    people.vy.push(velocity.y);
    people.group.push(group);
    people.action.push(action);
    people.radius.push(radius);
}

fn at_time(people: &FrameRows, step: u64, time: f64) -> AgentFrame<'_> {
    AgentFrame { step, time, ..people.frame() }
}

fn drift(people: &mut FrameRows, dt: f32) {
    for i in 0..people.ids.len() {
        people.x[i] += people.vx[i] * dt;
        people.y[i] += people.vy[i] * dt;
    }
}

/// A number from 0 to 1, always the same for the same two.
fn chance(of: u32, which: u32) -> f32 {
    let mut x = (u64::from(of) << 32 | u64::from(which)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 32;
    (x >> 40) as f32 / (1u64 << 24) as f32
}

fn group(name: &str, color: [u8; 3]) -> Group {
    Group {
        name: name.into(),
        color,
        radius: Distribution::Fixed(0.3),
        speed: Distribution::Uniform(0.9, 1.6),
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

fn action(name: &str, seek: Seek) -> Action {
    Action {
        name: name.into(),
        clip: "walk".into(),
        seek,
        speed: 1.0,
        seconds: None,
        carries: 0,
        tires: 0.0,
        aggression: 1.0,
    }
}

fn goal(name: &str, color: [u8; 3], places: &[(f32, f32, f32)]) -> Goal {
    let place = |&(x, y, radius): &(f32, f32, f32)| Place {
        shape: Shape::Disc { centre: Vec2::new(x, y), radius },
        fuzz: radius * 0.4,
        capacity: None,
    };
    Goal { name: name.into(), color, places: places.iter().map(place).collect(), exit: false }
}

fn hazard(name: &str, color: [u8; 3], at: (f32, f32), radius: f32) -> MovingHazard {
    MovingHazard {
        name: name.into(),
        color,
        path: vec![Vec2::from(at), Vec2::from(at) + Vec2::new(60.0, 20.0)],
        speed: 2.0,
        closed: false,
        radius,
        strength: 10.0,
        fear_radius: radius,
        active: (0.0, 1e9),
    }
}

fn valley_world() -> Result<World, Failure> {
    let mut world = World::open((256, 256), 2.0, Vec2::ZERO)?;
    world.title = "The froblin valley".into();
    let wave = |p: Vec2, f: f32, a: f32| ((p.x * f + a).sin() * (p.y * f * 1.1 - a).cos()) / f;
    let height = |p: Vec2| {
        let rim = ((p - 256.0).length() / 256.0).powi(4) * 46.0;
        let stream =
            9.0 * (-((p.x - p.y * 0.6 - 90.0 - 30.0 * (p.y * 0.02).sin()) / 26.0).powi(2)).exp();
        rim + 0.32 * wave(p, 0.017, 1.0) + 0.25 * wave(p, 0.041, 2.0) + 0.2 * wave(p, 0.09, 4.0)
            - stream
    };
    let grid =
        Grid::from_fn(256, 256, |c| height(Vec2::new(c.x as f32 + 0.5, c.y as f32 + 0.5) * 2.0))?;
    world.heights = Some(grid.placed(2.0, Vec2::ZERO)?);
    world.goals = vec![
        goal(
            "mushrooms",
            [196, 64, 52],
            &[(110.0, 380.0, 16.0), (420.0, 120.0, 14.0), (90.0, 130.0, 12.0)],
        ),
        goal("gold", [222, 160, 20], &[(400.0, 400.0, 13.0), (250.0, 60.0, 11.0)]),
        goal("drop-off", [64, 104, 190], &[(256.0, 270.0, 18.0)]),
        goal("camp", [120, 70, 160], &[(170.0, 240.0, 15.0), (350.0, 260.0, 15.0)]),
    ];
    world.groups = vec![
        group("foragers", [200, 60, 50]),
        group("miners", [230, 160, 20]),
        group("carriers", [60, 100, 190]),
        group("elders", [120, 70, 160]),
    ];
    world.actions = vec![
        action("pick mushrooms", Seek::Goal(0)),
        action("dig", Seek::Goal(1)),
        action("carry home", Seek::Goal(2)),
        action("rest", Seek::Goal(3)),
        action("flee", Seek::Away),
        action("stand", Seek::Nothing),
    ];
    world.hazards = vec![
        hazard("ghost", [120, 40, 160], (300.0, 330.0), 24.0),
        hazard("gas", [110, 140, 20], (180.0, 150.0), 18.0),
    ];
    Ok(world)
}

/// People in streams between the goals, some scattered.
fn valley_people(world: &World, count: u32) -> FrameRows {
    let spots: Vec<(usize, Vec2)> = world
        .goals
        .iter()
        .enumerate()
        .flat_map(|(g, goal)| {
            goal.places.iter().map(move |place| (g, place.shape.bounds().centre()))
        })
        .collect();
    let mut people = FrameRows::default();
    for i in 0..count {
        let random = |which| chance(i, which);
        let from = spots[(random(0) * spots.len() as f32) as usize % spots.len()].1;
        let (kind, to) = spots[(random(1) * spots.len() as f32) as usize % spots.len()];
        let t = random(2);
        let bend = (to - from).perp() * 0.22 * (t * std::f32::consts::PI).sin();
        let spread = (random(3) + random(4) + random(5) - 1.5) * 34.0;
        let aside = Vec2::from_angle(random(6) * 6.3) * spread;
        let at = (from.lerp(to, t) + bend + aside).clamp(Vec2::splat(6.0), Vec2::splat(506.0));
        let mut velocity = (to - at).normalize_or_zero() * (0.9 + 0.7 * random(7));
        let mut doing = kind as u8;
        for hazard in &world.hazards {
            let away = at - hazard.path[0];
            if away.length() < hazard.radius * 1.3 {
                velocity = away.normalize_or_zero() * 2.4;
                doing = 4;
            }
        }
        let inside = |hazard: &MovingHazard| (at - hazard.path[0]).length() < hazard.radius * 0.8;
        if world.hazards.iter().any(inside) && random(8) < 0.93 {
            continue;
        }
        add(&mut people, at, velocity, (random(9) * 4.0) as u8, doing, 0.3);
    }
    people
}

fn valley(folder: &Path) -> Result<(), Failure> {
    let world = valley_world()?;
    let mut people = valley_people(&world, 65_536);
    let extras = MapExtras::default();
    let mut big = CrowdMap::new(&world)
        .color_by(ColorBy::Action)
        .subtitle("65 536 froblins gather, dig, carry and rest; nobody likes the ghost")
        .width(1600);
    let frame = at_time(&people, 0, 12.3);
    big.render(&frame, &extras)?.write_png(&folder.join("valley-action.png"))?;
    let mut map = CrowdMap::new(&world).heat(Heat::Density).width(1200);
    map.render(&frame, &extras)?.write_png(&folder.join("valley-density.png"))?;
    let mut map = CrowdMap::new(&world).color_by(ColorBy::Speed).width(1000);
    map.render(&frame, &extras)?.write_png(&folder.join("valley-speed.png"))?;

    let mut map = CrowdMap::new(&world).color_by(ColorBy::Action).width(800);
    let options = ClipOptions { fps: 15.0, colors: map.key_colors(), ..ClipOptions::default() };
    let path = folder.join("valley.gif");
    let mut clip = Clip::create(&path, options)?;
    map.render(&at_time(&people, 0, 0.0), &extras)?;
    let (mut drawing, mut encoding) = (0.0, 0.0);
    for step in 0..150 {
        drift(&mut people, 1.0 / 15.0);
        let start = Instant::now();
        let image = map.render(&at_time(&people, step, step as f64 / 15.0), &extras)?;
        drawing += start.elapsed().as_secs_f64();
        let start = Instant::now();
        clip.frame(&image)?;
        encoding += start.elapsed().as_secs_f64();
        if step == 149 {
            image.write_png(&folder.join("valley-clip-last.png"))?;
        }
    }
    clip.finish()?;
    let bytes = std::fs::metadata(&path)?.len();
    println!(
        "valley.gif: {:.1} ms to draw a frame, {:.1} ms to encode it, {:.1} MB",
        drawing / 150.0 * 1e3,
        encoding / 150.0 * 1e3,
        bytes as f64 / 1e6
    );
    Ok(())
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Polygon {
    Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) })
}

fn corridor(folder: &Path) -> Result<(), Failure> {
    let mut world = World::open((42, 12), 1.0, Vec2::new(-1.0, -1.0))?;
    world.title = "Two streams in a corridor".into();
    world.walls =
        vec![rect(-1.0, -1.0, 41.0, 0.0), rect(-1.0, 10.0, 41.0, 11.0), rect(19.0, 4.2, 21.0, 5.8)];
    let side = |name: &str, color, x0, x1| Goal {
        name: name.into(),
        color,
        places: vec![Place {
            shape: Shape::Polygon(rect(x0, 0.0, x1, 10.0)),
            fuzz: 0.0,
            capacity: None,
        }],
        exit: true,
    };
    world.goals =
        vec![side("east", [30, 110, 170], 38.5, 40.0), side("west", [214, 96, 30], 0.0, 1.5)];
    world.groups = vec![group("eastbound", [30, 110, 170]), group("westbound", [214, 96, 30])];
    let mut people = FrameRows::default();
    for i in 0..420 {
        let lane = (chance(i, 1) * 10.0).floor();
        let east = (lane as u32).is_multiple_of(2);
        let at =
            Vec2::new(1.0 + 38.0 * chance(i, 2), (lane + 0.3 + 0.4 * chance(i, 3)).clamp(0.3, 9.7));
        let block = at.x > 18.6 && at.x < 21.4 && at.y > 3.8 && at.y < 6.2;
        let near =
            (0..people.ids.len()).any(|j| at.distance(Vec2::new(people.x[j], people.y[j])) < 0.5);
        if near || block {
            continue;
        }
        let speed = (0.5 + 0.9 * chance(i, 4)) * if east { 1.0 } else { -1.0 };
        add(
            &mut people,
            at,
            Vec2::new(speed, 0.3 * (chance(i, 5) - 0.5)),
            u8::from(!east),
            0,
            0.22 + 0.05 * chance(i, 6),
        );
    }
    let mut map = CrowdMap::new(&world)
        .subtitle("each keeps to those who go the same way")
        .trails(3.0)
        .width(1200);
    let extras = MapExtras::default();
    let options = ClipOptions { fps: 15.0, colors: map.key_colors(), ..ClipOptions::default() };
    let path = folder.join("corridor.gif");
    let mut clip = Clip::create(&path, options)?;
    for step in 0..60 {
        let image = map.render(&at_time(&people, step, step as f64 / 15.0), &extras)?;
        clip.frame(&image)?;
        image.write_png(&folder.join("corridor.png"))?;
        drift(&mut people, 1.0 / 15.0);
    }
    clip.finish()?;
    println!("corridor.gif: {:.1} MB", std::fs::metadata(&path)?.len() as f64 / 1e6);
    Ok(())
}

fn bottleneck(folder: &Path) -> Result<(), Failure> {
    let mut world = World::open((24, 16), 1.0, Vec2::ZERO)?;
    world.title = "A bottleneck of 1.2 m".into();
    world.walkable = vec![Polygon {
        outer: [
            (0.5, 0.5),
            (14.0, 0.5),
            (14.0, 7.4),
            (16.0, 7.4),
            (16.0, 4.0),
            (23.5, 4.0),
            (23.5, 12.0),
            (16.0, 12.0),
            (16.0, 8.6),
            (14.0, 8.6),
            (14.0, 15.5),
            (0.5, 15.5),
        ]
        .map(Vec2::from)
        .to_vec(),
        holes: Vec::new(),
    }];
    world.walls = vec![rect(6.0, 3.0, 6.8, 3.8), rect(6.0, 12.2, 6.8, 13.0)];
    world.goals = vec![Goal {
        name: "exit".into(),
        color: [40, 140, 90],
        places: vec![Place {
            shape: Shape::Line(Vec2::new(23.3, 4.2), Vec2::new(23.3, 11.8)),
            fuzz: 0.0,
            capacity: None,
        }],
        exit: true,
    }];
    world.groups = vec![group("visitors", [40, 100, 180]), group("staff", [200, 60, 90])];
    let mut people = FrameRows::default();
    let door = Vec2::new(14.5, 8.0);
    for i in 0..2600 {
        let angle = (chance(i, 1) - 0.5) * 3.0 + std::f32::consts::PI;
        let away = 0.4 + 7.0 * chance(i, 2).sqrt();
        let mut at = door + Vec2::from_angle(angle) * away;
        if i % 60 == 0 {
            at = Vec2::new(14.4 + 8.0 * chance(i, 3), 7.7 + 0.6 * chance(i, 4));
        }
        let pillar = world.walls.iter().any(|wall| wall.signed_distance(at) < 0.3);
        let outside = world.walkable[0].signed_distance(at) > -0.25;
        let near =
            (0..people.ids.len()).any(|j| at.distance(Vec2::new(people.x[j], people.y[j])) < 0.42);
        if pillar || outside || near {
            continue;
        }
        let speed = if at.x > 14.0 { 1.3 } else { 0.08 + 0.1 * away };
        let to = if at.x > 14.0 { Vec2::new(24.0, at.y) } else { door };
        add(
            &mut people,
            at,
            (to - at).normalize_or_zero() * speed,
            u8::from(i % 9 == 0),
            0,
            0.2 + 0.04 * chance(i, 5),
        );
    }
    let extras = MapExtras::default();
    let frame = at_time(&people, 0, 21.0);
    CrowdMap::new(&world)
        .width(1100)
        .render(&frame, &extras)?
        .write_png(&folder.join("bottleneck.png"))?;
    CrowdMap::new(&world)
        .color_by(ColorBy::Speed)
        .width(1100)
        .render(&frame, &extras)?
        .write_png(&folder.join("bottleneck-speed.png"))?;
    CrowdMap::new(&world)
        .heat(Heat::Density)
        .width(1100)
        .render(&frame, &extras)?
        .write_png(&folder.join("bottleneck-density.png"))?;
    let waiting: Vec<f32> = (0..people.ids.len())
        .map(|i| 26.0 - 2.6 * Vec2::new(people.x[i], people.y[i]).distance(door))
        .map(|w| w.max(0.0))
        .collect();
    let extras = MapExtras { waiting: Some(&waiting), ..extras };
    CrowdMap::new(&world)
        .heat(Heat::Waiting)
        .width(1100)
        .render(&frame, &extras)?
        .write_png(&folder.join("bottleneck-waiting.png"))?;
    let potential = Grid::from_fn(48, 32, |c| {
        let at = Vec2::new(c.x as f32 + 0.5, c.y as f32 + 0.5) * 0.5;
        if world.walkable[0].contains(at) {
            if at.x > 14.5 { 23.3 - at.x } else { at.distance(door) + 8.8 }
        } else {
            f32::INFINITY
        }
    })?
    .placed(0.5, Vec2::ZERO)?;
    let extras = MapExtras { potential: Some(&potential), ..extras };
    CrowdMap::new(&world)
        .heat(Heat::Potential)
        .width(1100)
        .render(&frame, &extras)?
        .write_png(&folder.join("bottleneck-potential.png"))?;
    Ok(())
}
