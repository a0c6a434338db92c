//! The crowd on the GPU as a whole: that it repeats itself, reads nothing back, and is the CPU's crowd.

#![cfg(feature = "gpu")]

mod common;

use std::sync::{Arc, Mutex};

use common::{crowd, shipped};
use glam::Vec2;
use throng_crowd::{AgentId, Crowd, CrowdOptions, Event, EventFilter, GpuCrowd, Instance, Totals};
use throng_gpu::testing;

fn options() -> CrowdOptions {
    CrowdOptions { threads: Some(2), ..CrowdOptions::default() }
}

/// A scene whose fields stay as they are at the start: on the GPU others come some steps later.
fn settled(name: &str, agents: u32) -> Crowd {
    let mut world = shipped(name, Some(agents));
    world.params.navigate.refresh_seconds = 1e9;
    world.params.navigate.target_fields = 0;
    crowd(world, options())
}

/// If this fails, a run cannot be repeated, a step waits for the GPU, or its cost grows with the crowd.
#[test]
fn a_thousand_steps_repeat_themselves_and_read_nothing_back() {
    // Small fields for many steps; all that froblins do for fewer.
    for (name, agents, steps) in [("circle", 200, 1000), ("froblins", 600, 150)] {
        let hash = |_| stepped_without_reading(name, agents, steps);
        let hashes = [0, 1].map(hash);
        assert_eq!(hashes[0], hashes[1], "{name}");
    }
}

/// Makes steps, sees that nothing was read back, and gives the crowd's hash.
fn stepped_without_reading(name: &str, agents: u32, steps: u32) -> u64 {
    let gpu = testing::open();
    let mut crowd = GpuCrowd::new(&gpu, crowd(shipped(name, Some(agents)), options())).unwrap();
    let dt = 0.05;
    crowd.step(dt).unwrap();
    let before = gpu.counts();
    for _ in 0..steps {
        crowd.step(dt).unwrap();
    }
    let after = gpu.counts();
    assert_eq!(after.maps - before.maps, 0);
    assert_eq!(after.bind_groups - before.bind_groups, 0);
    let dispatches = (after.dispatches - before.dispatches) as f64 / f64::from(steps);
    let back = crowd.into_crowd().unwrap();
    let refreshed = back.totals().refreshed.0;
    assert!(dispatches <= 60.0, "{name}: {dispatches} dispatches a step");
    assert!(back.len() > 50 && back.steps() == u64::from(steps) + 1, "{} agents", back.len());
    assert!(refreshed > 10 || name != "froblins", "{refreshed} fields");
    assert_eq!(gpu.take_errors(), []);
    back.hash()
}

/// If this fails, the two backends are two different programs. Twenty steps: small differences grow, as
/// they do in every crowd.
#[test]
fn both_backends_go_the_same_way() {
    for (name, agents) in [("froblins", 500), ("circle", 300), ("bottleneck", 100)] {
        let mut cpu = settled(name, agents);
        let mut gpu = GpuCrowd::new(testing::gpu(), settled(name, agents)).unwrap();
        for _ in 0..20 {
            cpu.step(0.05).unwrap();
            gpu.step(0.05).unwrap();
        }
        let gpu = gpu.into_crowd().unwrap();
        assert_eq!(gpu.len(), cpu.len(), "{name}");
        let near = (0..cpu.len()).filter(|&i| {
            let at = gpu.index_of(AgentId(cpu.ids()[i])).unwrap();
            let d = Vec2::new(gpu.x()[at] - cpu.x()[i], gpu.y()[at] - cpu.y()[i]);
            d.length() < 1e-2 && gpu.traits()[at].action == cpu.traits()[i].action
        });
        let share = near.count() as f64 / cpu.len() as f64;
        eprintln!("{name}: {:.2} % of {} within 1 cm after 20 steps", 100.0 * share, cpu.len());
        assert!(share > 0.99, "{name}");
    }
}

/// If this fails, somebody walks through a wall on the GPU.
#[test]
fn nobody_is_in_a_wall() {
    for name in ["bottleneck", "city", "froblins"] {
        let mut gpu = GpuCrowd::new(testing::gpu(), settled(name, 500)).unwrap();
        for _ in 0..10 {
            for _ in 0..30 {
                gpu.step(0.05).unwrap();
            }
            let crowd = gpu.crowd().unwrap();
            let inside = (0..crowd.len()).filter(|&i| {
                crowd.world().clearance_at(Vec2::new(crowd.x()[i], crowd.y()[i])) < 0.0
            });
            assert_eq!(inside.count(), 0, "{name} at {}", crowd.time());
        }
    }
}

/// If this fails, a run cannot be moved from one backend to the other.
#[test]
fn snapshots_restore_on_both() {
    let mut gpu = GpuCrowd::new(testing::gpu(), settled("square", 300)).unwrap();
    for _ in 0..50 {
        gpu.step(0.05).unwrap();
    }
    let snapshot = gpu.snapshot().unwrap();
    let hash = gpu.crowd().unwrap().hash();
    let mut cpu = settled("square", 300);
    cpu.restore(&snapshot).unwrap();
    assert_eq!(cpu.hash(), hash);
    let bytes = |world: &mut Crowd| {
        world.step(0.05).unwrap();
        world.snapshot()
    };
    let later = bytes(&mut cpu);
    // On from the CPU's state, and the same way twice.
    let mut ends = Vec::new();
    for _ in 0..2 {
        gpu.restore(&later).unwrap();
        assert_eq!(gpu.crowd().unwrap().hash(), cpu.hash());
        for _ in 0..10 {
            gpu.step(0.05).unwrap();
        }
        ends.push(gpu.crowd().unwrap().hash());
    }
    assert_eq!(ends[0], ends[1]);
}

/// If this fails, live edits do something else on the GPU.
#[test]
fn edits_go_up_as_commands() {
    let mut gpu = GpuCrowd::new(testing::gpu(), settled("square", 200)).unwrap();
    gpu.step(0.05).unwrap();
    let maps = gpu.gpu().counts().maps;
    gpu.remove(AgentId(7));
    gpu.retarget(AgentId(9), Vec2::new(1.0, 2.0));
    gpu.set_action(AgentId(11), 0).unwrap();
    assert!(gpu.set_action(AgentId(11), 999).is_err());
    gpu.remove(AgentId(7));
    gpu.remove(AgentId(70_000));
    let one = settled("square", 1);
    let open = Vec2::new(one.x()[0], one.y()[0]);
    let new = gpu.spawn(0, open, None).unwrap();
    gpu.step(0.05).unwrap();
    assert_eq!(gpu.gpu().counts().maps, maps);
    let crowd = gpu.crowd().unwrap();
    assert_eq!(crowd.len(), 200);
    assert_eq!(crowd.index_of(AgentId(7)), None);
    assert!(crowd.index_of(AgentId(9)).is_some());
    let at = crowd.index_of(new).unwrap();
    assert!(Vec2::new(crowd.x()[at], crowd.y()[at]).distance(open) < 1.0);
    assert!(crowd.totals().removed == 1 && crowd.totals().spawned == 201);
    // Put down and asked for at once.
    let other = gpu.spawn(0, open, None).unwrap();
    assert!(gpu.crowd().unwrap().index_of(other).is_some());
    assert_eq!(gpu.crowd().unwrap().len(), 201);
}

/// If this fails, observers hear something else from the GPU than from the CPU, or nothing.
#[test]
fn events_come_some_steps_later() {
    let listen = || Arc::new(Mutex::new(Vec::<(u64, u32, String)>::new()));
    let (heard, expected) = (listen(), listen());
    let note = |list: &Arc<Mutex<Vec<_>>>| {
        let list = list.clone();
        move |e: &Event| {
            list.lock().unwrap().push((e.step, e.agent.0, format!("{:?}", e.kind)));
        }
    };
    let mut cpu = settled("froblins", 500);
    cpu.observe(EventFilter::ALL, note(&expected));
    let mut gpu = GpuCrowd::new(testing::gpu(), settled("froblins", 500)).unwrap();
    gpu.observe(EventFilter::ALL, note(&heard));
    for _ in 0..20 {
        cpu.step(0.05).unwrap();
        gpu.step(0.05).unwrap();
    }
    gpu.flush_events().unwrap();
    assert_eq!(gpu.lost_events(), 0);
    let (mut heard, mut expected) =
        (heard.lock().unwrap().clone(), expected.lock().unwrap().clone());
    expected.sort();
    heard.sort();
    assert!(expected.len() > 50, "{}", expected.len());
    assert_eq!(heard, expected);
}

/// A stream that brings more than there is room for, and one that does not.
const STREAMS: &str = r#"
version = 1
title = "streams"
dt = 0.05
ground = { kind = "flat", size = [30, 12], cell = 0.5 }
goal = [{ name = "out", exit = true, rect = [28, 0, 30, 12] }]
group = [{ name = "walkers", goal = "out" }]
spawn = [
    { group = "walkers", rate = 15, rect = [0.5, 0.5, 2.0, 2.0] },
    { group = "walkers", rate = 1, rect = [0.5, 8, 2.0, 11] },
]
"#;

/// If this fails, people of streams appear in the middle of others, are lost while they wait, or cannot be
/// found by their numbers once they have come.
#[test]
fn people_of_streams_wait_for_room() {
    // Where places are drawn, one run differs from another by more than a hundredth: the sums of some.
    let [mut ours, mut theirs] = [Totals::default(); 2];
    let mut last = None;
    for seed in 0..12 {
        let make = || crowd(common::scene(STREAMS), CrowdOptions { seed: Some(seed), ..options() });
        let mut cpu = make();
        let mut gpu = GpuCrowd::new(testing::gpu(), make()).unwrap();
        for step in 0..600 {
            cpu.step(0.05).unwrap();
            gpu.step(0.05).unwrap();
            if step % 50 == 0 {
                let crowd = gpu.crowd().unwrap();
                assert_eq!(crowd.totals().spawned - crowd.totals().removed, crowd.len() as u64);
            }
        }
        assert!(cpu.totals().spawned < 400, "there is room for all: {}", cpu.totals().spawned);
        for (sum, part) in [(&mut ours, gpu.crowd().unwrap().totals()), (&mut theirs, cpu.totals())]
        {
            sum.spawned += part.spawned;
            sum.squeezed += part.squeezed;
            sum.travels += part.travels;
            sum.travel_seconds += part.travel_seconds;
        }
        last = Some(gpu);
    }
    eprintln!("streams: {} came on the GPU, {} on the CPU", ours.spawned, theirs.spawned);
    assert!((ours.spawned as f64 / theirs.spawned as f64 - 1.0).abs() < 0.02);
    assert_eq!(ours.squeezed, 0);
    let seconds = |t: &Totals| t.travel_seconds / t.travels as f64;
    eprintln!(
        "streams: {} s on the way on the GPU, {} s on the CPU",
        seconds(&ours),
        seconds(&theirs)
    );
    assert!(ours.travels > 100 && (seconds(&ours) / seconds(&theirs) - 1.0).abs() < 0.02);
    let mut gpu = last.unwrap();
    let crowd = gpu.crowd().unwrap();
    // By their numbers, which do not ascend in the order in which they came.
    let ids = crowd.ids().to_vec();
    for &id in ids.iter().step_by(2) {
        gpu.remove(AgentId(id));
    }
    gpu.step(0.05).unwrap();
    let crowd = gpu.crowd().unwrap();
    for (k, &id) in ids.iter().enumerate() {
        let gone = crowd.index_of(AgentId(id)).is_none();
        assert!(gone || k % 2 == 1, "{id} was not found");
    }
    // Those who wait come later, wherever the crowd is.
    let mut back = gpu.into_crowd().unwrap();
    let before = back.totals().spawned;
    for _ in 0..100 {
        back.step(0.05).unwrap();
    }
    assert!(back.totals().spawned > before + 10);
}

/// If this fails, a picture shows people where they are not.
#[test]
fn instances_are_those_of_the_cpu() {
    let mut gpu = GpuCrowd::new(testing::gpu(), settled("froblins", 400)).unwrap();
    for _ in 0..5 {
        gpu.step(0.05).unwrap();
    }
    let got = gpu.read_instances().unwrap();
    let mut want: Vec<Instance> = Vec::new();
    gpu.crowd().unwrap().instances(&mut want);
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(&want) {
        assert_eq!(
            (got.group, got.action, got.clip_time),
            (want.group, want.action, want.clip_time)
        );
        assert_eq!((got.direction, got.position[0]), (want.direction, want.position[0]));
        assert!((got.position[2] - want.position[2]).abs() < 1e-3);
    }
}

/// Times per stage beside the CPU's, for 65,536 agents. `--ignored --nocapture` shows them.
#[test]
#[ignore = "takes long, and says nothing about right or wrong"]
fn timings() {
    let agents = std::env::var("AGENTS").ok().and_then(|v| v.parse().ok()).unwrap_or(65_536);
    let name = std::env::var("SCENE").unwrap_or_else(|_| "square".into());
    let mut cpu = settled(&name, agents);
    let mut gpu = GpuCrowd::new(testing::gpu(), settled(&name, agents)).unwrap();
    let steps = std::env::var("STEPS").ok().and_then(|v| v.parse().ok()).unwrap_or(20);
    for _ in 0..8 {
        cpu.step(0.05).unwrap();
        gpu.step(0.05).unwrap();
    }
    gpu.gpu().wait().unwrap();
    gpu.time_stages().unwrap();
    let before = gpu.gpu().counts().dispatches;
    let (mut ours, mut theirs) = (0.0, 0.0);
    let mut stages = std::collections::BTreeMap::new();
    for _ in 0..steps {
        let clock = std::time::Instant::now();
        let report = cpu.step(0.05).unwrap();
        ours += clock.elapsed().as_secs_f64();
        for (stage, time) in report.times.named() {
            stages.entry(stage).or_insert((0.0, 0.0)).0 += time.as_secs_f64();
        }
        let clock = std::time::Instant::now();
        gpu.step(0.05).unwrap();
        gpu.gpu().wait().unwrap();
        theirs += clock.elapsed().as_secs_f64();
        for timing in gpu.times().to_vec() {
            stages.entry(timing.label).or_insert((0.0, 0.0)).1 += timing.duration.as_secs_f64();
        }
    }
    let per_step = |seconds: f64| 1e3 * seconds / f64::from(steps);
    eprintln!("{name}, {} agents, ms a step: CPU, {}", cpu.len(), gpu.gpu().info().name);
    for (stage, (cpu, gpu)) in stages {
        eprintln!("{stage:>10} {:8.2} {:8.2}", per_step(cpu), per_step(gpu));
    }
    let (ours, theirs) = (per_step(ours), per_step(theirs));
    eprintln!("{:>10} {ours:8.2} {theirs:8.2}, {:.1} times", "all", theirs / ours);
    let dispatches = (gpu.gpu().counts().dispatches - before) / steps as u64;
    eprintln!("{dispatches} dispatches a step");
}
