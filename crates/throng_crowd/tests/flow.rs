//! People get where they want to go: no deadlock, lanes in counterflow, steady directions; on the CPU and,
//! the same trials, on the GPU:
//! `cargo test -p throng_crowd --features gpu --test flow --test fear on_gpu -- --include-ignored --nocapture`

#![allow(clippy::print_stdout, reason = "trials tell their figures")]

mod common;

use common::{On, Trial, scene, shipped};
use throng_bench::crowd::measure::{Turns, lane_order};
use throng_crowd::{Crowd, CrowdOptions, Model};
use throng_world::World;

fn with(model: Model, seed: u64) -> CrowdOptions {
    CrowdOptions { model: Some(model), seed: Some(seed), ..Default::default() }
}

/// Steps until everybody has arrived or gone, or the limit; the time it took.
fn until_all(trial: &mut Trial, on: On, everybody: u64, limit: f64) -> Option<f64> {
    while trial.look().totals().arrived < everybody {
        if trial.time() > limit {
            return None;
        }
        (0..on.looks_every()).for_each(|_| trial.step());
    }
    Some(trial.time())
}

/// If this fails, a thousand people who all cross one point stand there for ever.
#[test]
fn circle_of_a_thousand_arrives() {
    let took = circle(On::Cpu);
    let mut theirs = On::Cpu.crowd(shipped("circle", Some(1000)), with(Model::Froblins, 1));
    until_all(&mut theirs, On::Cpu, 1000, took);
    println!("circle, 1,000: froblins by then {} of 1000", theirs.look().totals().arrived);
}

fn circle(on: On) -> f64 {
    let mut ours = on.crowd(shipped("circle", Some(1000)), with(Model::Throng, 1));
    let took = until_all(&mut ours, on, 1000, 600.0);
    println!("circle, 1,000, {on:?}: all arrived after {took:?} s");
    let totals = ours.look().totals();
    assert_eq!(totals.stuck, 0);
    took.unwrap_or_else(|| panic!("only {} arrived", totals.arrived))
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
        narrow_corridor(On::Cpu, seed);
        let mut theirs = On::Cpu.crowd(counterflow(3.0, 60.0, 100), with(Model::Froblins, seed));
        until_all(&mut theirs, On::Cpu, 200, 400.0);
        let arrived = theirs.look().totals().arrived;
        println!("3 m corridor, seed {seed}: froblins: {arrived} of 200 in 400 s");
    }
}

fn narrow_corridor(on: On, seed: u64) {
    let mut ours = on.crowd(counterflow(3.0, 60.0, 100), with(Model::Throng, seed));
    let took = until_all(&mut ours, on, 200, 400.0);
    println!("3 m corridor, 100 against 100, seed {seed}, {on:?}: {took:?} s");
    assert!(took.is_some(), "seed {seed}: only {} arrived", ours.look().totals().arrived);
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
    let took = patch(On::Cpu);
    let mut theirs = On::Cpu.crowd(scene(PATCH), with(Model::Froblins, 1));
    theirs.run(took.min(400.0));
    let gone = theirs.look().totals().removed;
    println!("patch: froblins after {:.0} s: {gone} gone", theirs.time());
}

fn patch(on: On) -> f64 {
    let mut ours = on.crowd(scene(PATCH), with(Model::Throng, 1));
    let mut gone = vec![0];
    while !ours.look().is_over() && ours.time() < 1500.0 {
        (0..400).for_each(|_| ours.step());
        gone.push(ours.look().totals().removed);
    }
    let totals = *ours.look().totals();
    println!("patch, {on:?}: all gone after {:.0} s, {} stuck", ours.time(), totals.stuck);
    assert_eq!(totals.removed, 2000, "the others are still there");
    assert_eq!(totals.stuck, 0);
    // Steady in the second half: from half of them gone to 95 %, no slower than half the rate of the
    // first half.
    let when = |count: u64| gone.iter().position(|&g| g >= count).unwrap_or(gone.len()) as f64;
    let first = 800.0 / (when(1000) - when(200)).max(1.0);
    let second = 900.0 / (when(1900) - when(1000)).max(1.0);
    println!("patch: {first:.0} per 20 s in the first half, {second:.0} in the second");
    assert!(second > 0.7 * first, "{first} then {second}");
    ours.time()
}

/// If this fails, streams in opposite directions stay mixed.
#[test]
fn counterflow_forms_lanes() {
    let formed = (1..=10).filter(|&seed| lanes(On::Cpu, seed) > 0.8).count();
    assert!(formed >= 9, "lanes in {formed} of 10");
}

/// The best lane order of a run, from 20 s to 60 s.
fn lanes(on: On, seed: u64) -> f64 {
    let mut ours = on.crowd(shipped("two-way", None), with(Model::Throng, seed));
    let mut best = 0.0f64;
    while ours.time() < 60.0 {
        ours.step();
        if ours.time() > 20.0 && ours.steps().is_multiple_of(20) {
            best = best.max(order(ours.look()));
        }
    }
    let last = order(ours.look());
    println!("two-way, seed {seed}, {on:?}: lane order at best {best:.2}, at the end {last:.2}");
    best
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
        let mut c = common::crowd(shipped("two-way", None), with(model, 1));
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

/// A room of 2.9 by 4.9 m with a door of 0.9 m beside its middle, and somebody fast alone in it.
const ROOM: &str = r#"
version = 1
title = "room"
dt = 0.05
[ground]
kind = "flat"
bounds = [-0.5, -0.5, 3.5, 7]
cell = 0.1
[[area]]
rect = [0, 0, 2.9, 4.9]
[[area]]
rect = [1, 4.8, 1.9, 7]
[[goal]]
name = "out"
exit = true
rect = [1, 6, 1.9, 7]
[[group]]
name = "fast"
speed = 1.8
goal = "out"
[[spawn]]
group = "fast"
count = 1
rect = [0.3, 0.3, 2.6, 4.5]
"#;

/// If this fails, somebody who walks fast overshoots a door, turns round, overshoots it again, and goes round and round.
#[test]
fn who_is_fast_and_alone_goes_through_a_door_at_once() {
    for seed in 1..=600 {
        let mut trial = On::Cpu.crowd(scene(ROOM), with(Model::Throng, seed));
        let out = until_all(&mut trial, On::Cpu, 1, 12.0);
        assert!(out.is_some(), "seed {seed}: not out after 12 s");
    }
}

/// The same on the GPU. If one of these fails, the two backends are two different crowds.
#[cfg(feature = "gpu")]
mod on_gpu {
    use super::{On, circle, lanes, narrow_corridor, patch};

    #[test]
    #[ignore = "takes long on a software device"]
    fn circle_of_a_thousand_arrives() {
        circle(On::Gpu);
    }

    #[test]
    #[ignore = "takes long on a software device"]
    fn hundred_against_hundred_in_three_metres_arrive() {
        (1..=3).for_each(|seed| narrow_corridor(On::Gpu, seed));
    }

    #[test]
    #[ignore = "takes long on a software device"]
    fn two_thousand_visit_one_patch_and_leave() {
        patch(On::Gpu);
    }

    #[test]
    #[ignore = "takes long on a software device"]
    fn counterflow_forms_lanes() {
        let formed = (1..=10).filter(|&seed| lanes(On::Gpu, seed) > 0.8).count();
        assert!(formed >= 9, "lanes in {formed} of 10");
    }
}
