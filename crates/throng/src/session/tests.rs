//! What a session owes to whoever watches: its clock, and a log that repeats.

use super::{Session, SessionOptions};
use crate::command::{Command, CommandLog, Point, Replay};
use crate::{BuildOptions, Scene, Simulation, SimulationOptions};
use std::time::Duration;

fn simulation() -> Simulation {
    let world = Scene::open("bottleneck").unwrap().build(&BuildOptions::default()).unwrap();
    Simulation::new(world, SimulationOptions::default()).unwrap()
}

/// If this fails, pause does not stop the crowd, a step is no step, or the speed is another.
#[test]
fn the_clock_is_obeyed() {
    let mut session = Session::new(simulation(), SessionOptions::default()).unwrap();
    let dt = session.dt();
    assert_eq!(session.advance(Duration::from_secs_f32(dt * 2.5)).unwrap(), 2);
    session.play(false);
    assert_eq!(session.advance(Duration::from_secs(9)).unwrap(), 0);
    session.step().unwrap();
    assert_eq!(session.steps(), 3);
    session.set_speed(4.0);
    session.play(true);
    assert_eq!(session.advance(Duration::from_secs_f32(dt * 1.01)).unwrap(), 4);
    session.set_speed(f32::NAN);
    assert_eq!(session.speed(), 4.0);
}

/// If this fails, a session cannot be repeated, or speed and pause change what happens.
#[test]
fn a_session_repeats_whatever_its_clock_did() {
    let mut session = Session::new(simulation(), SessionOptions::default()).unwrap();
    for i in 0..60_u32 {
        if i % 7 == 3 {
            session.set_speed(0.5 + i as f32 / 20.0);
            session.play(i % 2 == 0);
            let agent = session.crowd().unwrap().ids()[i as usize];
            session.command(&Command::Retarget { agent, to: Point(1.0, 2.0) }).unwrap();
            session.command(&Command::Remove { agent: 4_000_000 }).unwrap();
        }
        session.advance(Duration::from_millis(30)).unwrap();
        session.step().unwrap();
    }
    assert!(session.notices().any(|line| line.contains("4000000")), "refusals are told");
    let hash = session.checkpoint().unwrap();
    let text = session.log().text();
    let replay = Some(Replay::new(CommandLog::parse(&text, "log").unwrap()));
    let options = SessionOptions { replay, paused: true, ..SessionOptions::default() };
    let mut again = Session::new(simulation(), options).unwrap();
    while again.steps() < session.steps() {
        again.step().unwrap();
    }
    assert_eq!(again.checkpoint().unwrap(), hash);
    assert_eq!(again.log().commands(), session.log().commands());
}
