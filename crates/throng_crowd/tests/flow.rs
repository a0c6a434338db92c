//! People get where they want to go: no deadlock, lanes in counterflow, steady directions.

mod common;

use common::{crowd, scene, shipped};
use throng_bench::crowd::measure::{Turns, lane_order};
use throng_crowd::{Crowd, CrowdOptions, Model};
use throng_world::World;

fn with(model: Model, seed: u64) -> CrowdOptions {
    CrowdOptions { model: Some(model), seed: Some(seed), ..Default::default() }
}

/// Steps until everybody has arrived or gone, or the limit; the time it took.
fn until_all(crowd: &mut Crowd, everybody: u64, limit: f64) -> Option<f64> {
    let dt = crowd.world().dt;
    while crowd.totals().arrived < everybody {
        if crowd.time() > limit {
            return None;
        }
        crowd.step(dt).unwrap();
    }
    Some(crowd.time())
}

/// If this fails, a thousand people who all cross one point stand there for ever.
#[test]
fn circle_of_a_thousand_arrives() {
    let mut ours = crowd(shipped("circle", Some(1000)), with(Model::Throng, 1));
    let took = until_all(&mut ours, 1000, 600.0);
    let mut theirs = crowd(shipped("circle", Some(1000)), with(Model::Froblins, 1));
    let limit = took.unwrap_or(600.0);
    until_all(&mut theirs, 1000, limit);
    println!(
        "circle, 1,000: all arrived after {took:?} s; froblins by then {} of 1000",
        theirs.totals().arrived
    );
    assert!(took.is_some(), "only {} arrived", ours.totals().arrived);
    assert_eq!(ours.totals().stuck, 0);
}

/// A corridor with the same number of people at both ends.
fn counterflow(width: f32, length: f32, each: u32) -> World {
    let half = length * 0.4;
    let far = length - half;
    let (left, right) = (length - 1.0, 1.0);
    scene(&format!(
        r#"
version = 1
title = "counterflow"
seconds = 300
dt = 0.05
[ground]
kind = "flat"
size = [{length}, {width}]
cell = 0.25
[[goal]]
name = "right"
exit = true
rect = [{left}, 0, {length}, {width}]
[[goal]]
name = "left"
exit = true
rect = [0, 0, {right}, {width}]
[[group]]
name = "rightbound"
goal = "right"
[[group]]
name = "leftbound"
goal = "left"
[[spawn]]
group = "rightbound"
count = {each}
rect = [1.2, 0.2, {half}, {}]
[[spawn]]
group = "leftbound"
count = {each}
rect = [{far}, 0.2, {}, {}]
"#,
        width - 0.2,
        length - 1.2,
        width - 0.2,
    ))
}

/// If this fails, a narrow corridor with people from both ends is blocked for ever.
#[test]
fn hundred_against_hundred_in_three_metres_arrive() {
    for seed in 1..=3 {
        let mut ours = crowd(counterflow(3.0, 60.0, 100), with(Model::Throng, seed));
        let took = until_all(&mut ours, 200, 400.0);
        let mut theirs = crowd(counterflow(3.0, 60.0, 100), with(Model::Froblins, seed));
        until_all(&mut theirs, 200, 400.0);
        println!(
            "3 m corridor, 100 against 100, seed {seed}: {took:?} s; froblins: {} of 200 in 400 s",
            theirs.totals().arrived
        );
        assert!(took.is_some(), "seed {seed}: only {} arrived", ours.totals().arrived);
    }
}

const PATCH: &str = r#"
version = 1
title = "one patch for all"
seconds = 900
dt = 0.05
[ground]
kind = "flat"
size = [80, 80]
cell = 1
[[goal]]
name = "patch"
disc = [40, 40, 2]
[[goal]]
name = "out"
exit = true
places = [{ rect = [0, 0, 80, 1] }, { rect = [0, 79, 80, 80] }]
[[group]]
name = "visitors"
visit = [{ goal = "patch", seconds = [5, 5] }, "out"]
[[spawn]]
group = "visitors"
count = 2000
rect = [3, 3, 77, 77]
"#;

/// If this fails, those who are done at a crowded goal cannot get out, or throughput dies away.
#[test]
fn two_thousand_visit_one_patch_and_leave() {
    let mut ours = crowd(scene(PATCH), with(Model::Throng, 1));
    let dt = ours.world().dt;
    let mut gone = vec![0];
    while !ours.is_over() && ours.time() < 1500.0 {
        for _ in 0..400 {
            ours.step(dt).unwrap();
        }
        gone.push(ours.totals().removed);
    }
    let mut theirs = crowd(scene(PATCH), with(Model::Froblins, 1));
    while theirs.time() < ours.time().min(400.0) {
        theirs.step(dt).unwrap();
    }
    println!(
        "patch: all gone after {:.0} s, {} stuck; froblins after {:.0} s: {} gone",
        ours.time(),
        ours.totals().stuck,
        theirs.time(),
        theirs.totals().removed
    );
    assert_eq!(ours.totals().removed, 2000, "the others are still there");
    assert_eq!(ours.totals().stuck, 0);
    // Steady in the second half: from half of them gone to 95 %, no slower than half the rate of the
    // first half.
    let when = |count: u64| gone.iter().position(|&g| g >= count).unwrap_or(gone.len()) as f64;
    let first = 800.0 / (when(1000) - when(200)).max(1.0);
    let second = 900.0 / (when(1900) - when(1000)).max(1.0);
    println!("patch: {first:.0} per 20 s in the first half, {second:.0} in the second");
    assert!(second > 0.7 * first, "{first} then {second}");
}

/// If this fails, streams in opposite directions stay mixed.
#[test]
fn counterflow_forms_lanes() {
    let mut formed = 0;
    for seed in 1..=10 {
        let mut ours = crowd(shipped("two-way", None), with(Model::Throng, seed));
        let dt = ours.world().dt;
        let mut best = 0.0f64;
        while ours.time() < 60.0 {
            ours.step(dt).unwrap();
            if ours.time() > 20.0 && ours.steps().is_multiple_of(20) {
                best = best.max(order(&ours));
            }
        }
        println!(
            "two-way, seed {seed}: lane order at best {best:.2}, at the end {:.2}",
            order(&ours)
        );
        formed += usize::from(best > 0.8);
    }
    assert!(formed >= 9, "lanes in {formed} of 10");
}

/// Lane order (D8) in the middle of the corridor.
fn order(crowd: &Crowd) -> f64 {
    let middle =
        (crowd.world().bounds().centre().x - 10.0)..(crowd.world().bounds().centre().x + 10.0);
    let inside: Vec<usize> = (0..crowd.len()).filter(|&i| middle.contains(&crowd.x()[i])).collect();
    let lateral: Vec<f32> = inside.iter().map(|&i| crowd.y()[i]).collect();
    let forward: Vec<bool> = inside.iter().map(|&i| crowd.traits()[i].group == 0).collect();
    lane_order(&lateral, &forward, 0.4, 1).map_or(0.0, |o| o.order)
}

/// If this fails, people waver from left to right.
#[test]
fn directions_are_steady() {
    let changes = |model| {
        let mut c = crowd(shipped("two-way", None), with(model, 1));
        let dt = c.world().dt;
        let mut turns = Turns::default();
        while c.time() < 40.0 {
            c.step(dt).unwrap();
            turns.feed(c.ids(), c.vx(), c.vy(), dt);
        }
        turns.per_agent_second()
    };
    let (ours, theirs) = (changes(Model::Throng), changes(Model::Froblins));
    println!("turn sign changes per agent-second: throng {ours:.3}, froblins {theirs:.3}");
    assert!(ours <= 0.25 * theirs, "{ours} against {theirs}");
}
