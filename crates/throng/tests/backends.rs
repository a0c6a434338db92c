//! One simulation on two backends: they agree, take each other's snapshots, and a lost device loses nobody.
#![cfg(feature = "gpu")]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use throng::glam::Vec2;
use throng::gpu::testing;
use throng::world::world::{Amount, Polygon, Shape};
use throng::{
    Backend, BackendError, BuildOptions, CrowdError, Error, EventFilter, Instance, Scene,
    Simulation, SimulationOptions, World,
};

/// A hall with a wall, two groups that change sides, and nobody who leaves.
const HALL: &str = r#"
    version = 1
    ground  = { kind = "flat", size = [40, 20] }
    wall    = [{ rect = [19, 0, 20, 8] }, { rect = [19, 12, 20, 20] }]
    goal    = [{ name = "east", rect = [36, 2, 39, 18] }, { name = "west", rect = [1, 2, 4, 18] }]
    group   = [{ name = "easterners", goal = "east" }, { name = "westerners", goal = "west" }]
    spawn   = [
        { group = "easterners", count = 100, rect = [2, 1, 17, 19] },
        { group = "westerners", count = 100, rect = [22, 1, 38, 19] },
    ]
"#;

/// A hall that empties through a door.
const DOOR: &str = r#"
    version = 1
    ground  = { kind = "flat", size = [20, 10] }
    wall    = [{ rect = [14, 0, 14.4, 4.0] }, { rect = [14, 6.0, 14.4, 10] }]
    goal    = [{ name = "way out", exit = true, rect = [18, 0, 20, 10] }]
    group   = [{ name = "visitors", goal = "way out" }]
    spawn   = [{ group = "visitors", count = 60, rect = [1, 1, 12, 9] }]
"#;

const DT: f32 = 0.05;

fn world(scene: &str) -> World {
    Scene::parse(scene, "test.toml").unwrap().build(&BuildOptions::default()).unwrap()
}

fn on(backend: Backend, scene: &str) -> Simulation {
    let options = SimulationOptions { backend, ..SimulationOptions::default() };
    let simulation = Simulation::new(world(scene), options);
    let simulation =
        simulation.unwrap_or_else(|e| panic!("{e}: `cargo xtask test` installs a GPU"));
    assert_eq!(simulation.backend(), backend);
    simulation
}

/// On a device of its own, to be lost or counted on.
fn on_own_gpu(scene: &str, keep_seconds: f64) -> Simulation {
    let options = SimulationOptions { keep_seconds, ..SimulationOptions::default() };
    Simulation::on_gpu(&testing::open(), world(scene), options).unwrap()
}

fn steps(simulation: &mut Simulation, count: usize) {
    (0..count).for_each(|_| simulation.step(DT).unwrap());
}

fn ids(simulation: &mut Simulation) -> BTreeSet<u32> {
    simulation.crowd().unwrap().ids().iter().copied().collect()
}

fn places(simulation: &mut Simulation) -> Vec<(u32, Vec2)> {
    let crowd = simulation.crowd().unwrap();
    let places = crowd.x().iter().zip(crowd.y()).map(|(&x, &y)| Vec2::new(x, y));
    let mut all: Vec<_> = crowd.ids().iter().copied().zip(places).collect();
    all.sort_by_key(|(id, _)| *id);
    all
}

/// If this fails, a host gets another crowd when its user has another machine.
#[test]
fn backends_agree() {
    let (mut cpu, mut gpu) = (on(Backend::Cpu, DOOR), on(Backend::Gpu, DOOR));
    steps(&mut cpu, 40);
    steps(&mut gpu, 40);
    assert_eq!((cpu.steps(), cpu.time()), (gpu.steps(), gpu.time()));
    let apart: Vec<f32> = places(&mut cpu)
        .iter()
        .zip(&places(&mut gpu))
        .map(|((a, p), (b, q))| {
            assert_eq!(a, b);
            p.distance(*q)
        })
        .collect();
    let mean = apart.iter().sum::<f32>() / apart.len() as f32;
    assert!(apart.len() == 60 && mean < 0.1, "{mean} m apart after two seconds");
    let mut instances: Vec<Instance> = Vec::new();
    gpu.instances(&mut instances).unwrap();
    assert_eq!(instances.len(), 60);
    for simulation in [&mut cpu, &mut gpu] {
        while !simulation.is_over().unwrap() && simulation.time() < 90.0 {
            steps(simulation, 10);
        }
        let totals = simulation.totals().unwrap();
        assert_eq!((totals.spawned, totals.arrived, totals.removed), (60, 60, 60));
    }
    let (a, b) = (cpu.time(), gpu.time());
    assert!((a / b - 1.0).abs() < 0.1, "the hall is empty after {a} s here and {b} s there");
}

/// If this fails, a game saved on one machine does not open on another.
#[test]
fn snapshots_cross_over() {
    let (mut cpu, mut gpu) = (on(Backend::Cpu, HALL), on(Backend::Gpu, HALL));
    for turn in 0..2 {
        let (from, to) = if turn == 0 { (&mut cpu, &mut gpu) } else { (&mut gpu, &mut cpu) };
        steps(from, 30);
        let hash = from.crowd().unwrap().hash();
        to.restore(&from.snapshot().unwrap()).unwrap();
        assert_eq!((to.steps(), to.crowd().unwrap().hash()), (from.steps(), hash), "turn {turn}");
        steps(to, 5);
        assert_ne!(to.crowd().unwrap().hash(), hash);
    }
    assert!(matches!(gpu.restore(b"no snapshot"), Err(CrowdError::Snapshot(_))));
    assert_eq!(gpu.crowd().unwrap().len(), 200, "the crowd is as it was");
}

/// If this fails, a driver that resets takes people, edits or the clock with it.
#[test]
fn a_lost_device_loses_nobody() {
    let mut lost = on_own_gpu(HALL, 1.0);
    let mut never = on(Backend::Cpu, HALL);
    let aside = Vec2::new(10.0, 10.0);
    let corners = [[8.0, 4.0], [9.0, 4.0], [9.0, 6.0], [8.0, 6.0]];
    let wall = Polygon { outer: corners.map(Vec2::from).to_vec(), holes: vec![] };
    let mut newcomers = Vec::new();
    for simulation in [&mut lost, &mut never] {
        steps(simulation, 30);
        simulation.crowd().unwrap();
        steps(simulation, 3);
        // After the keepsake of the first second has come back.
        let agent = simulation.spawn(0, aside, None).unwrap();
        simulation.remove(throng::AgentId(7)).unwrap();
        steps(simulation, 2);
        simulation.add_wall(wall.clone()).unwrap();
        simulation.retarget(agent, Vec2::new(30.0, 10.0)).unwrap();
        steps(simulation, 2);
        newcomers.push(agent);
    }
    assert_eq!(newcomers[0], newcomers[1]);
    let (kept, logged) = lost.kept().unwrap();
    assert!(kept >= 20 && logged >= 4, "a keepsake of step {kept}, {logged} deeds since");
    lost.gpu_crowd().unwrap().gpu().destroy();
    steps(&mut lost, 5);
    steps(&mut never, 5);
    assert_eq!(lost.backend(), Backend::Cpu);
    assert_eq!((lost.steps(), lost.time()), (never.steps(), never.time()));
    let (all, others) = (ids(&mut lost), ids(&mut never));
    assert_eq!(all, others);
    assert!(all.len() == 200 && all.contains(&newcomers[0].0) && !all.contains(&7));
    let crowd = lost.crowd().unwrap();
    assert_eq!(crowd.world().walls.len(), 3);
    assert_eq!(crowd.measures().in_wall, 0);
    assert_eq!((crowd.totals().spawned, crowd.totals().removed), (201, 1));
    let notices = lost.take_notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(
        notices[0].contains("lost") && notices[0].contains("went on on the CPU"),
        "{notices:?}"
    );
    assert!(lost.take_notices().is_empty() && lost.kept().is_none());
    // It goes on as any crowd.
    steps(&mut lost, 20);
    assert_eq!(ids(&mut lost).len(), 200);
}

/// If this fails, a device that is lost while somebody looks takes the crowd with it; or before any keepsake.
#[test]
fn a_device_lost_at_any_moment_is_survived() {
    let mut looking = on_own_gpu(HALL, 1e9);
    steps(&mut looking, 12);
    looking.gpu_crowd().unwrap().gpu().destroy();
    assert_eq!(looking.crowd().unwrap().len(), 200);
    assert_eq!((looking.steps(), looking.backend()), (12, Backend::Cpu));
    let mut editing = on_own_gpu(HALL, 1e9);
    steps(&mut editing, 2);
    editing.gpu_crowd().unwrap().gpu().destroy();
    editing.remove_wall(0).unwrap();
    assert_eq!(editing.crowd().unwrap().world().walls.len(), 1);
    let mut saving = on_own_gpu(HALL, 1e9);
    steps(&mut saving, 3);
    saving.gpu_crowd().unwrap().gpu().destroy();
    let snapshot = saving.snapshot().unwrap();
    let mut other = on(Backend::Cpu, HALL);
    other.restore(&snapshot).unwrap();
    assert_eq!((other.steps(), other.crowd().unwrap().len()), (3, 200));
}

/// If this fails, who counts arrivals counts some twice after a device was lost.
#[test]
fn nobody_arrives_twice() {
    let mut simulation = on_own_gpu(DOOR, 2.0);
    let arrived: Arc<Mutex<Vec<u32>>> = Arc::default();
    let told = arrived.clone();
    let observer = simulation
        .observe(EventFilter::ARRIVED, move |event| told.lock().unwrap().push(event.agent.0))
        .unwrap();
    while arrived.lock().unwrap().len() < 20 {
        steps(&mut simulation, 1);
        assert!(simulation.time() < 60.0, "nobody arrives");
    }
    simulation.gpu_crowd().unwrap().gpu().destroy();
    while !simulation.is_over().unwrap() && simulation.time() < 90.0 {
        steps(&mut simulation, 1);
    }
    assert!(simulation.unobserve(observer));
    let arrived = arrived.lock().unwrap();
    let different: BTreeSet<u32> = arrived.iter().copied().collect();
    // All of them, and hardly anybody twice: who is a step earlier or later the second time.
    let (once, all) = (different.len(), arrived.len());
    assert!(once >= 58 && all - once <= 2, "{all} arrivals of {once} people");
}

/// If this fails, a step waits for the GPU; or keepsakes are made more often than asked for, or never.
#[test]
fn only_keepsakes_are_read_back() {
    let world = world(HALL);
    let gpu = testing::open();
    let options = SimulationOptions { keep_seconds: 1e9, ..SimulationOptions::default() };
    let mut simulation = Simulation::on_gpu(&gpu, world.clone(), options.clone()).unwrap();
    let before = gpu.counts();
    steps(&mut simulation, 100);
    assert_eq!(gpu.counts().since(&before).maps, 0);
    let options = SimulationOptions { keep_seconds: 1.0, ..options };
    let mut simulation = Simulation::on_gpu(&gpu, world, options).unwrap();
    let before = gpu.counts();
    let mut kept = BTreeSet::new();
    for _ in 0..100 {
        steps(&mut simulation, 1);
        // Somebody else lets the device get on; the loop itself does not.
        gpu.wait().unwrap();
        kept.insert(simulation.kept().unwrap().0);
    }
    let maps = gpu.counts().since(&before).maps;
    assert!(kept.len() >= 4 && maps == 2 * 5, "{kept:?}, {maps} maps in five seconds");
    assert!(simulation.kept().unwrap().1 <= 45, "the log is as long as since the keepsake");
}

/// If this fails, a crowd too large for the card is an allocation that kills the program.
#[test]
fn too_many_are_refused_before_they_are_made() {
    let mut world = world(HALL);
    world.spawns[0].amount = Amount::Count(100_000_000);
    let gpu = SimulationOptions { backend: Backend::Gpu, ..SimulationOptions::default() };
    let error = Simulation::new(world, gpu).unwrap_err();
    let Error::Backend(BackendError::TooMany { agents, most, .. }) = &error else {
        panic!("{error:?}")
    };
    assert_eq!(*agents, 100_000_100);
    assert!((1_000_000..100_000_000).contains(most), "{most}");
    let text = error.to_string();
    assert!(text.starts_with("out of GPU memory") && text.contains(&most.to_string()), "{text}");
}

/// If this fails, `auto` is an error where there is no card, or silently slow.
#[test]
fn auto_takes_the_cpu_where_there_is_no_card() {
    let adapter = Some("no such card".to_owned());
    let options =
        SimulationOptions { adapter, backend: Backend::Gpu, ..SimulationOptions::default() };
    let error = Simulation::new(world(HALL), options.clone()).unwrap_err();
    assert!(matches!(error, Error::Backend(BackendError::NoDevice { .. })), "{error}");
    let options = SimulationOptions { backend: Backend::Auto, ..options };
    let mut auto = Simulation::new(world(HALL), options).unwrap();
    let notices = auto.take_notices();
    assert_eq!((auto.backend(), notices.len()), (Backend::Cpu, 1), "{notices:?}");
    assert!(notices[0].starts_with("on the CPU: ") && notices[0].contains("no such card"));
    // Without a name: a card, but not a program that plays one.
    let options = SimulationOptions { backend: Backend::Auto, ..SimulationOptions::default() };
    let mut auto = Simulation::new(world(HALL), options).unwrap();
    let software = throng::gpu::is_software(testing::gpu().info());
    let notices = auto.take_notices();
    assert_eq!((auto.backend() == Backend::Cpu, notices.len()), (software, usize::from(software)));
    if software {
        assert!(notices[0].contains("software adapter"), "{notices:?}");
        let adapter = Some(testing::gpu().info().name.clone());
        let options =
            SimulationOptions { adapter, backend: Backend::Auto, ..SimulationOptions::default() };
        let asked = Simulation::new(world(HALL), options).unwrap();
        assert_eq!(asked.backend(), Backend::Gpu, "asked for by name");
    }
}

/// If this fails, nonsense goes to the GPU, where nobody finds it out.
#[test]
fn nonsense_is_refused_on_both() {
    for backend in [Backend::Cpu, Backend::Gpu] {
        let mut simulation = on(backend, HALL);
        let nowhere = Vec2::new(f32::NAN, 1.0);
        assert!(simulation.step(0.0).is_err() && simulation.step(f32::NAN).is_err());
        assert!(simulation.retarget(throng::AgentId(0), nowhere).is_err());
        assert!(simulation.spawn(0, nowhere, None).is_err());
        assert!(simulation.spawn(99, Vec2::new(10.0, 10.0), None).is_err());
        assert!(simulation.set_action(throng::AgentId(0), 999).is_err());
        assert!(simulation.set_goal(99, vec![]).is_err());
        assert!(simulation.remove_wall(99).is_err());
        steps(&mut simulation, 2);
        assert_eq!(simulation.crowd().unwrap().len(), 200);
    }
    let options = SimulationOptions { keep_seconds: 0.0, ..SimulationOptions::default() };
    assert!(Simulation::on_gpu(testing::gpu(), world(HALL), options).is_err());
}

/// If this fails, edits do something else on one backend than on the other.
#[test]
fn edits_work_on_both() {
    for backend in [Backend::Cpu, Backend::Gpu] {
        let mut simulation = on(backend, HALL);
        let seen = Arc::new(AtomicUsize::new(0));
        let count = seen.clone();
        let all = EventFilter::REMOVED.and(EventFilter::SPAWNED);
        simulation
            .observe(all, move |_| {
                count.fetch_add(1, Ordering::Relaxed);
            })
            .unwrap();
        let agent = simulation.spawn(1, Vec2::new(30.0, 10.0), None).unwrap();
        steps(&mut simulation, 3);
        simulation.remove(agent).unwrap();
        steps(&mut simulation, 3);
        let hazards: Vec<_> = simulation.crowd().unwrap().hazard_ids().collect();
        assert!(hazards.is_empty());
        let goal = simulation.crowd().unwrap().world().goals[0].places.clone();
        let mut moved = goal.clone();
        moved[0].shape = Shape::Disc { centre: Vec2::new(30.0, 10.0), radius: 2.0 };
        simulation.set_goal(0, moved).unwrap();
        steps(&mut simulation, 12);
        simulation.flush().unwrap();
        assert_eq!(ids(&mut simulation).len(), 200);
        let now = simulation.crowd().unwrap().world().goals[0].places[0].shape.clone();
        assert!(matches!(now, Shape::Disc { .. }));
        assert_eq!(seen.load(Ordering::Relaxed), 2, "{}", backend.name());
    }
}
