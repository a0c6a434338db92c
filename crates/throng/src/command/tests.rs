//! If one of these fails, a log of commands is not the run it was written in.

use super::{Command, CommandLog, HazardSpec, LogHead, Point, Replay, ReplayError};
use crate::{BuildOptions, Scene, Simulation, SimulationOptions};
use throng_world::world::{Place, Shape};

const DT: f32 = 0.05;

fn simulation(scene: &str, agents: Option<u32>) -> Simulation {
    let options = BuildOptions { agents, ..BuildOptions::default() };
    let world = Scene::open(scene).unwrap().build(&options).unwrap();
    Simulation::new(world, SimulationOptions::default()).unwrap()
}

fn gas(at: [f32; 2]) -> Command {
    let hazard = HazardSpec {
        name: "gas".into(),
        color: [90, 200, 40],
        path: vec![Point(at[0], at[1])],
        speed: 0.0,
        closed: false,
        radius: 4.3,
        strength: 30.0,
        fear_radius: 5.1,
        from: Some(0.0),
        until: None,
    };
    Command::PlaceHazard { hazard }
}

/// A number from 0 to 1 that looks random.
fn chance(n: u64) -> f32 {
    let mut h = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635;
    h = (h ^ (h >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((h ^ (h >> 32)) & 0xff_ffff) as f32 / 16_777_216.0
}

/// The `n`-th command of a random row; many of them make no sense and are refused.
fn random_command(simulation: &mut Simulation, n: u64) -> Command {
    let crowd = simulation.crowd().unwrap();
    let bounds = crowd.world().bounds();
    let r = |k: u64| chance(n * 16 + k);
    let somewhere = |k| bounds.min + bounds.size() * glam::Vec2::new(r(k), r(k + 1));
    let whom = || crowd.ids()[(r(2) * crowd.len() as f32) as usize % crowd.len()];
    let hazards: Vec<_> = crowd.hazard_ids().map(|id| id.number()).collect();
    let hazard = hazards.get((r(3) * hazards.len() as f32) as usize).copied().unwrap_or(99);
    let p = somewhere(4);
    match (r(0) * 10.0) as u32 {
        0 => Command::Spawn { group: 0, at: p.into(), target: None },
        1 => Command::Remove { agent: whom() },
        2 => Command::Retarget { agent: whom(), to: p.into() },
        3 => Command::SetAction { agent: whom(), action: (r(6) * 4.0) as usize },
        4 | 5 => gas(p.to_array()),
        6 => Command::MoveHazard { hazard, to: p.into() },
        7 => Command::RemoveHazard { hazard },
        8 => {
            let disc = Shape::Disc { centre: p, radius: 1.0 + r(7) };
            let place = Place { shape: disc, fuzz: 0.5, capacity: Some(5) };
            Command::SetGoal { goal: 0, places: vec![(&place).into()] }
        }
        _ => {
            let corners = [p, p + glam::Vec2::new(1.3, 0.0), p + glam::Vec2::new(0.7, 1.1)];
            Command::AddWall { outer: corners.map(Into::into).to_vec(), holes: Vec::new() }
        }
    }
}

#[test]
fn random_commands_repeat_to_the_same_hash() {
    for (scene, agents) in [("bottleneck", None), ("froblins", Some(700))] {
        let mut live = simulation(scene, agents);
        let mut log = CommandLog::new(LogHead::of(&mut live, agents, None).unwrap());
        let mut refused = 0;
        for step in 0..120_u64 {
            if step % 3 == 0 {
                let command = random_command(&mut live, step);
                refused += u32::from(log.carry_out(&mut live, &command).is_err());
            }
            live.step(DT).unwrap();
        }
        let hash = log.checkpoint(&mut live).unwrap();
        assert!(log.commands() > 20, "{scene}: {} commands, {refused} refused", log.commands());
        let mut again = simulation(scene, agents);
        let mut replay = Replay::new(CommandLog::parse(&log.text(), "log").unwrap());
        assert_eq!(replay.last_step(), 120);
        while !replay.catch_up(&mut again).unwrap().is_over() {
            again.step(DT).unwrap();
        }
        assert_eq!(replay.progress().checkpoints, 1);
        assert_eq!(replay.progress().commands, log.commands());
        assert_eq!(again.crowd().unwrap().hash(), hash, "{scene}");
    }
}

#[test]
fn another_run_is_found_out() {
    let mut live = simulation("bottleneck", None);
    let mut log = CommandLog::new(LogHead::of(&mut live, None, None).unwrap());
    log.carry_out(&mut live, &gas([8.0, 5.0])).unwrap();
    (0..30).for_each(|_| live.step(DT).unwrap());
    log.checkpoint(&mut live).unwrap();
    let text = log.text().replace("4.3", "4.4");
    let mut replay = Replay::new(CommandLog::parse(&text, "log").unwrap());
    let mut again = simulation("bottleneck", None);
    let error = loop {
        match replay.catch_up(&mut again) {
            Ok(progress) if progress.is_over() => panic!("not found out"),
            Ok(_) => again.step(DT).unwrap(),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ReplayError::Differs { step: 30, .. }), "{error}");
    // Too late for the first command.
    let mut replay = Replay::new(CommandLog::parse(&log.text(), "log").unwrap());
    let error = replay.catch_up(&mut again).unwrap_err();
    assert!(matches!(error, ReplayError::Missed { at: 30, step: 0 }), "{error}");
}

#[test]
fn numbers_keep_their_bits() {
    for n in 0..20_000_u32 {
        let p = Point(
            f32::from_bits((chance(u64::from(n)) * 4e9) as u32),
            chance(u64::from(n) + 7) * 1000.0,
        );
        if !p.0.is_finite() {
            continue;
        }
        let text = serde_json::to_string(&Command::Retarget { agent: n, to: p }).unwrap();
        let Command::Retarget { to, .. } = serde_json::from_str(&text).unwrap() else { panic!() };
        assert_eq!((to.0.to_bits(), to.1.to_bits()), (p.0.to_bits(), p.1.to_bits()), "{text}");
    }
}

#[test]
fn bad_logs_are_refused_with_their_line() {
    let mut live = simulation("bottleneck", None);
    let mut log = CommandLog::new(LogHead::of(&mut live, None, Some(4)).unwrap());
    log.carry_out(&mut live, &gas([8.0, 5.0])).unwrap();
    live.step(DT).unwrap();
    log.carry_out(&mut live, &Command::Remove { agent: 0 }).unwrap();
    let good = log.text();
    assert_eq!(CommandLog::parse(&good, "x").unwrap().entries(), log.entries());
    // What a killed program leaves.
    let cut = CommandLog::parse(&good[..good.len() - 5], "x").unwrap();
    assert_eq!(cut.commands(), 1);
    let refused = |text: &str| CommandLog::parse(text, "x").unwrap_err().to_string();
    assert!(refused("").starts_with("x:1: "));
    assert!(refused("{}\n").starts_with("x:1: "));
    assert!(refused(&good.replace("commands\":1", "commands\":7")).contains("version 7"));
    assert!(refused(&good.replace("place-hazard", "explode")).starts_with("x:2: "));
    assert!(refused(&good.replace("\"agent\"", "\"agents\"")).starts_with("x:3: "));
    assert!(
        refused(&good.replace("\"step\":0", "\"step\":2")).contains("step 1 comes after step 2")
    );
    assert!(refused(&format!("{good}{{\"step\":9}}\n")).contains("either a command or a hash"));
    assert!(refused(&format!("{good}{{\"step\":9,\"hash\":\"xyz\"}}\n")).contains("no hash"));
    // Numbers that are none come to the crowd, which says no.
    let wild = Command::MoveHazard { hazard: 0, to: Point(f32::NAN, 0.0) };
    assert!(wild.apply(&mut live).is_err());
}

#[test]
fn a_file_grows_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let mut live = simulation("bottleneck", None);
    let head = LogHead::of(&mut live, None, None).unwrap();
    let mut log = CommandLog::create(&path, head).unwrap();
    assert_eq!(CommandLog::read(&path).unwrap().commands(), 0);
    log.carry_out(&mut live, &gas([8.0, 5.0])).unwrap();
    assert_eq!(CommandLog::read(&path).unwrap().entries(), log.entries());
    assert!(CommandLog::create(&folder.path().join("no/such/dir"), log.head().clone()).is_err());
    assert!(CommandLog::read(&folder.path().join("nothing")).is_err());
}
