//! Trials of the avoidance models.

use glam::Vec2;
use throng_crowd::{Crowd, CrowdOptions, Model};
use throng_world::World;
use throng_world::world::*;

fn group(starts: u16, radius: f32) -> Group {
    Group {
        name: "walkers".into(),
        color: [0; 3],
        radius: Distribution::Fixed(radius),
        speed: Distribution::Normal { mean: 1.34, deviation: 0.26, min: 0.5, max: 2.2 },
        premovement: Distribution::Fixed(0.0),
        aggression: 1.0,
        fear: 1.0,
        weights: FieldWeights::default(),
        starts,
    }
}

fn action(name: &str, seek: Seek, seconds: Option<f32>) -> Action {
    Action {
        name: name.into(),
        clip: "walk".into(),
        seek,
        speed: 1.0,
        seconds: seconds.map(Distribution::Fixed),
        carries: 0,
        tires: 0.0,
        aggression: 1.0,
    }
}

fn circle(n: u32, model: Model) {
    let radius = (n as f32 * 0.6 / std::f32::consts::TAU).max(10.0);
    let half = radius * 1.6;
    let cells = half as usize;
    let mut world = World::open((cells, cells), 2.0, Vec2::splat(-(cells as f32))).unwrap();
    world.groups.push(group(0, 0.2));
    world.actions.push(action("walk", Seek::Target, None));
    let ring = (0..n)
        .map(|i| Vec2::from_angle(i as f32 / n as f32 * std::f32::consts::TAU) * radius)
        .collect();
    world.spawns.push(Spawn {
        name: "ring".into(),
        group: 0,
        amount: Amount::Count(n),
        layout: Layout::Positions(ring),
        targets: Targets::Opposite(Vec2::ZERO),
    });
    let mut crowd =
        Crowd::new(world, CrowdOptions { model: Some(model), ..Default::default() }).unwrap();
    let mut worst = (0.0f32, 0.0f32);
    for s in 0..20 * 600 {
        crowd.step(0.05).unwrap();
        let m = crowd.measures();
        worst = (worst.0.max(m.overlap_mean), worst.1.max(m.overlap_max));
        if s % 400 == 399 || crowd.totals().arrived >= u64::from(n) {
            println!(
                "  {model:?} circle t {:.0} arrived {} mean speed {:.2} overlap worst mean {:.4} max {:.2} densest {}",
                crowd.time(),
                crowd.totals().arrived,
                m.mean_speed,
                worst.0,
                worst.1,
                m.densest
            );
        }
        if crowd.totals().arrived >= u64::from(n) {
            break;
        }
    }
}

fn patch(n: u32, model: Model) {
    let half = 40.0f32;
    let mut world = World::open((80, 80), 1.0, Vec2::splat(-half)).unwrap();
    world.groups.push(group(0, 0.2));
    world.goals.push(Goal {
        name: "patch".into(),
        color: [0; 3],
        places: vec![Place {
            shape: Shape::Disc { centre: Vec2::ZERO, radius: 2.0 },
            fuzz: 0.0,
            capacity: None,
        }],
        exit: false,
    });
    world.goals.push(Goal {
        name: "out".into(),
        color: [0; 3],
        places: vec![
            Place {
                shape: Shape::Line(Vec2::new(-half, -half), Vec2::new(-half, half)),
                fuzz: 0.5,
                capacity: None,
            },
            Place {
                shape: Shape::Line(Vec2::new(half, -half), Vec2::new(half, half)),
                fuzz: 0.5,
                capacity: None,
            },
            Place {
                shape: Shape::Line(Vec2::new(-half, -half), Vec2::new(half, -half)),
                fuzz: 0.5,
                capacity: None,
            },
            Place {
                shape: Shape::Line(Vec2::new(-half, half), Vec2::new(half, half)),
                fuzz: 0.5,
                capacity: None,
            },
        ],
        exit: true,
    });
    world.actions.push(action("go", Seek::Goal(0), None));
    world.actions.push(action("be", Seek::Nothing, Some(5.0)));
    world.actions.push(Action { aggression: 4.0, ..action("leave", Seek::Goal(1), None) });
    let rule = |from, when, to| Rule {
        from: vec![from],
        groups: vec![],
        when,
        chance: 1.0,
        to,
        resume: false,
    };
    world.rules.push(rule(0, Condition { arrived: Some(true), ..Default::default() }, 1));
    world.rules.push(rule(1, Condition { finished: Some(true), ..Default::default() }, 2));
    world.spawns.push(Spawn {
        name: "all".into(),
        group: 0,
        amount: Amount::Count(n),
        layout: Layout::Scatter(vec![Shape::Polygon(Polygon::rect(Rect {
            min: Vec2::splat(-38.0),
            max: Vec2::splat(38.0),
        }))]),
        targets: Targets::None,
    });
    let mut crowd =
        Crowd::new(world, CrowdOptions { model: Some(model), ..Default::default() }).unwrap();
    let mut worst = (0.0f32, 0.0f32);
    for s in 0..20 * 900 {
        crowd.step(0.05).unwrap();
        let m = crowd.measures();
        worst = (worst.0.max(m.overlap_mean), worst.1.max(m.overlap_max));
        if s % 800 == 799 || crowd.is_empty() {
            println!(
                "  {model:?} patch t {:.0} left {} stuck {} mean speed {:.2} overlap mean {:.4} max {:.2} densest {}",
                crowd.time(),
                crowd.totals().removed,
                crowd.totals().stuck,
                m.mean_speed,
                worst.0,
                worst.1,
                m.densest
            );
        }
        if s % 800 == 799 {
            for act in 0..3u8 {
                let who: Vec<usize> =
                    (0..crowd.len()).filter(|&i| crowd.traits()[i].action == act).collect();
                let d: f32 = who.iter().map(|&i| crowd.x()[i].hypot(crowd.y()[i])).sum::<f32>()
                    / who.len().max(1) as f32;
                let v: f32 = who.iter().map(|&i| crowd.vx()[i].hypot(crowd.vy()[i])).sum::<f32>()
                    / who.len().max(1) as f32;
                let min =
                    who.iter().map(|&i| crowd.x()[i].hypot(crowd.y()[i])).fold(f32::MAX, f32::min);
                print!("    action {act}: {} at {d:.1} (nearest {min:.2}) v {v:.2};", who.len());
            }
            println!();
        }
        if crowd.is_empty() {
            break;
        }
    }
}

fn set(world: &mut World) {
    if let Ok(over) = std::env::var("SET") {
        for pair in over.split(',') {
            let (key, value) = pair.split_once('=').unwrap();
            let v: f32 = value.parse().unwrap();
            let p = &mut world.params;
            match key {
                "lane" => p.avoid.lane = v,
                "gap" => p.avoid.time_gap = v,
                "stand" => p.avoid.standing_gap = v,
                "creep" => p.avoid.creep = v,
                "turn" => p.avoid.turn_time = v,
                "up" => p.avoid.speed_up_time = v,
                "patience" => p.avoid.patience = v,
                "comfort" => p.movement.comfort = v,
                "stiff" => p.movement.stiffness = v,
                "passes" => p.movement.contact_passes = v as u32,
                "horizon" => p.avoid.horizon = v,
                "n" => p.avoid.neighbours = v,
                "spread" => p.avoid.spread = v,
                "acc" => p.movement.acceleration = v,
                "hyst" => p.avoid.hysteresis = v,
                "keep" => p.avoid.keep_side = v,
                "react" => p.avoid.reaction = v,
                "band" => p.avoid.side_band = v,
                "follow" => p.avoid.follow = v,
                "give" => p.avoid.give_way = v,
                "reach" => p.avoid.reach = v,
                "wide" => p.avoid.wide_spread = v,
                "turn" => p.avoid.turn_time = v,
                "most" => p.avoid.most_creep = v,
                _ => panic!("{key}"),
            }
        }
    }
}

fn lanes() {
    use throng_bench::crowd::measure::{Turns, lane_order};
    let order = |crowd: &Crowd| {
        let inside: Vec<usize> =
            (0..crowd.len()).filter(|&i| (10.0..30.0).contains(&crowd.x()[i])).collect();
        let lateral: Vec<f32> = inside.iter().map(|&i| crowd.y()[i]).collect();
        let forward: Vec<bool> = inside.iter().map(|&i| crowd.traits()[i].group == 0).collect();
        lane_order(&lateral, &forward, 0.4, 1).map_or(0.0, |o| f64::from(o.order))
    };
    print!("  lanes");
    for seed in 1..=4 {
        let mut world = throng_world::scene::Scene::builtin("two-way")
            .unwrap()
            .build(&Default::default())
            .unwrap();
        set(&mut world);
        let mut crowd =
            Crowd::new(world, CrowdOptions { seed: Some(seed), ..Default::default() }).unwrap();
        let mut best = 0.0f64;
        let mut turns = Turns::default();
        while crowd.time() < 60.0 {
            crowd.step(0.05).unwrap();
            if crowd.time() < 40.0 {
                turns.feed(crowd.ids(), crowd.vx(), crowd.vy(), 0.05);
            }
            if crowd.time() > 20.0 && crowd.steps() % 20 == 0 {
                best = best.max(order(&crowd));
            }
        }
        print!(
            " {best:.2}/{:.2} n{} v{:.2} w{:.2};",
            order(&crowd),
            crowd.len(),
            crowd.measures().mean_speed,
            turns.per_agent_second()
        );
    }
    println!();
    let text = r#"
version = 1
title = "counterflow"
seconds = 300
dt = 0.05
[ground]
kind = "flat"
size = [60, 3]
cell = 0.25
[[goal]]
name = "right"
exit = true
rect = [59, 0, 60, 3]
[[goal]]
name = "left"
exit = true
rect = [0, 0, 1, 3]
[[group]]
name = "rightbound"
goal = "right"
[[group]]
name = "leftbound"
goal = "left"
[[spawn]]
group = "rightbound"
count = 100
rect = [1.2, 0.2, 24, 2.8]
[[spawn]]
group = "leftbound"
count = 100
rect = [36, 0.2, 58.8, 2.8]
"#;
    print!("  narrow");
    for seed in 1..=4 {
        let mut world = throng_world::scene::Scene::parse(text, "lab")
            .unwrap()
            .build(&Default::default())
            .unwrap();
        set(&mut world);
        let mut crowd =
            Crowd::new(world, CrowdOptions { seed: Some(seed), ..Default::default() }).unwrap();
        while crowd.time() < 400.0 && !crowd.is_empty() {
            crowd.step(0.05).unwrap();
        }
        print!(" {} in {:.0};", crowd.totals().removed, crowd.time());
        if std::env::args().nth(2).is_some() {
            println!();
            for i in 0..crowd.len() {
                println!(
                    "    {} group {} at {:.2} {:.2} v {:.2} {:.2} heading {:.2} {:.2} flags {:?}",
                    crowd.ids()[i],
                    crowd.traits()[i].group,
                    crowd.x()[i],
                    crowd.y()[i],
                    crowd.vx()[i],
                    crowd.vy()[i],
                    crowd.heading_x()[i],
                    crowd.heading_y()[i],
                    crowd.traits()[i]
                );
            }
        }
    }
    println!();
}

fn diagram() {
    for density in [0.5f32, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0] {
        let text = format!(
            r#"
version = 1
title = "Corridor"
seconds = 60
dt = 0.05
[ground]
kind = "flat"
size = [110, 4]
cell = 0.25
[[goal]]
name = "exit"
exit = true
rect = [109, 0, 110, 4]
[[group]]
name = "walkers"
goal = "exit"
[[spawn]]
group = "walkers"
density = {density}
rect = [0.2, 0.2, 105, 3.8]
"#
        );
        let scene = throng_world::scene::Scene::parse(&text, "lab").unwrap();
        let mut world = scene.build(&Default::default()).unwrap();
        set(&mut world);
        let mut crowd = Crowd::new(world, CrowdOptions::default()).unwrap();
        let (mut speed, mut count, mut people, mut n) = (0.0, 0, 0, 0);
        for step in 0..400 {
            crowd.step(0.05).unwrap();
            if step < 160 {
                continue;
            }
            n += 1;
            for i in 0..crowd.len() {
                if (45.0..60.0).contains(&crowd.x()[i]) {
                    speed += f64::from(crowd.vx()[i]);
                    count += 1;
                    people += 1;
                }
            }
        }
        let rho = f64::from(people) / f64::from(n) / 60.0;
        let weidmann = 1.34 * (1.0 - (-1.913 * (1.0 / rho - 1.0 / 5.4)).exp());
        println!(
            "  rho {rho:.2} v {:.3} Weidmann {weidmann:.3} overlap {:?}",
            speed / f64::from(count),
            crowd.measures().overlap_mean
        );
    }
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("lanes") {
        return lanes();
    }
    if std::env::args().nth(1).as_deref() == Some("diagram") {
        return diagram();
    }
    let what = std::env::args().nth(1).unwrap_or_default();
    for model in [Model::Throng, Model::Froblins] {
        if model == Model::Froblins && std::env::args().nth(2).is_none() {
            continue;
        }
        match what.as_str() {
            "circle" => circle(1000, model),
            "patch" => patch(2000, model),
            _ => {}
        }
    }
}
