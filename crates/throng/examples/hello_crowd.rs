//! The two-minute example: sixty visitors leave a hall by a door of 1.6 m.
//!
//! `cargo run -p throng --example hello_crowd`

#![allow(clippy::print_stdout, reason = "an example speaks")]

use throng::{BuildOptions, Crowd, CrowdOptions, Recorder, RecorderOptions, Scene};

const HALL: &str = r#"
version = 1
title = "Hello: a hall with one door"
ground = { kind = "flat", size = [20, 10] }
wall   = [{ rect = [14, 0, 14.4, 4.2] }, { rect = [14, 5.8, 14.4, 10] }]
goal   = [{ name = "way out", exit = true, rect = [19, 0, 20, 10] }]
group  = [{ name = "visitors", goal = "way out" }]
spawn  = [{ group = "visitors", count = 60, rect = [1, 1, 12, 9] }]
"#;

fn main() -> Result<(), throng::Error> {
    let world = Scene::parse(HALL, "hall.toml")?.build(&BuildOptions::default())?;
    let dt = world.dt;
    let mut crowd = Crowd::new(world, CrowdOptions::default())?;
    let file = std::env::temp_dir().join("hello_crowd.sqlite");
    let mut recorder = Recorder::create(&file, &crowd, RecorderOptions::default())?;
    recorder.record(&crowd)?;
    while !crowd.is_over() && crowd.time() < 120.0 {
        crowd.step(dt)?;
        recorder.record(&crowd)?;
        if crowd.steps().is_multiple_of(100) {
            println!("{:5.1} s: {:2} still there", crowd.time(), crowd.len());
        }
    }
    recorder.finish()?;
    println!("all out after {:.1} s; their ways are in {}", crowd.time(), file.display());
    Ok(())
}
