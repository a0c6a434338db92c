//! Events: everything that happens is told once, in the same order on any number of threads, to those
//! who asked for it.

mod common;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use common::{crowd, run, scene, shipped};
use glam::Vec2;
use throng_crowd::{Crowd, CrowdOptions, Event, EventFilter, EventKind};
use throng_world::world::{Polygon, Rect};

type Log = Arc<Mutex<Vec<Event>>>;

fn record(crowd: &mut Crowd, filter: EventFilter) -> Log {
    let log = Log::default();
    let to = log.clone();
    crowd.observe(filter, move |event| to.lock().unwrap().push(*event));
    log
}

fn count(log: &Log, wanted: impl Fn(&EventKind) -> bool) -> u64 {
    log.lock().unwrap().iter().filter(|e| wanted(&e.kind)).count() as u64
}

/// Twenty people on their way to the right, and out.
const CORRIDOR: &str = r#"
    version = 1
    ground = { kind = "flat", size = [14, 4] }
    goal   = [{ name = "out", exit = true, rect = [13, 0, 14, 4] }]
    group  = [{ name = "walkers", goal = "out", speed = 1.2 }]
    spawn  = [{ group = "walkers", count = 20, rect = [1, 0.5, 6, 3.5] },
              { group = "walkers", rate = 2, until = 5, rect = [1, 0.5, 2, 3.5] }]
"#;

/// If this fails, a host counts people twice, or misses some.
#[test]
fn everybody_appears_arrives_and_is_removed_once() {
    let mut c = crowd(scene(CORRIDOR), CrowdOptions::default());
    let log = record(&mut c, EventFilter::ALL);
    let at_start: HashSet<u32> = c.ids().iter().copied().collect();
    run(&mut c, 40.0);
    assert!(c.is_over(), "{} are left", c.len());
    let mut seen: HashMap<u32, Vec<EventKind>> = HashMap::new();
    for event in log.lock().unwrap().iter() {
        seen.entry(event.agent.0).or_default().push(event.kind);
    }
    let totals = c.totals();
    assert_eq!(seen.len() as u64, totals.spawned);
    for (id, kinds) in &seen {
        let mut expected = vec![EventKind::Arrived, EventKind::Removed];
        // Those who were there from the start had appeared before anybody could watch.
        if !at_start.contains(id) {
            expected.insert(0, EventKind::Spawned);
        }
        assert_eq!(kinds, &expected, "agent {id}");
    }
    assert_eq!(count(&log, |k| *k == EventKind::Spawned) + 20, totals.spawned);
    assert_eq!(count(&log, |k| *k == EventKind::Removed), totals.removed);
}

/// If this fails, a busy scene tells other things on other machines, or what it tells does not add up.
#[test]
fn the_order_is_the_same_on_any_number_of_threads() {
    let run = |threads: usize| {
        let options = CrowdOptions { threads: Some(threads), ..Default::default() };
        let mut c = crowd(shipped("froblins", Some(3000)), options);
        let log = record(&mut c, EventFilter::ALL);
        run(&mut c, 20.0);
        let events = log.lock().unwrap().clone();
        (events, *c.totals())
    };
    let ((one, totals), (two, _)) = (run(1), run(2));
    assert_eq!(one.len(), two.len());
    assert!(one.iter().zip(&two).all(|(a, b)| a == b), "another order");
    let arrived = one.iter().filter(|e| e.kind == EventKind::Arrived).count() as u64;
    assert_eq!(arrived, totals.arrived);
    assert!(arrived > 100, "only {arrived} arrived");
    // Somebody's changes of action form a chain, each from where the last one led.
    let mut doing: HashMap<u32, u8> = HashMap::new();
    let mut changes = 0;
    for event in &one {
        if let EventKind::ActionChanged { from, to } = event.kind {
            assert_eq!(*doing.get(&event.agent.0).unwrap_or(&from), from, "{event:?}");
            doing.insert(event.agent.0, to);
            changes += 1;
        }
    }
    assert!(changes > 1000, "only {changes} changes");
    assert!(one.is_sorted_by_key(|e| e.step));
}

/// If this fails, observers get what they did not ask for, or after they were sent away.
#[test]
fn filters_and_farewells_hold() {
    let mut c = crowd(scene(CORRIDOR), CrowdOptions::default());
    let all = record(&mut c, EventFilter::ALL);
    let arrived = record(&mut c, EventFilter::ARRIVED);
    let both = record(&mut c, EventFilter::SPAWNED.and(EventFilter::REMOVED));
    let nothing = record(&mut c, EventFilter::STUCK);
    let gone = Log::default();
    let to = gone.clone();
    let id = c.observe(EventFilter::ALL, move |event| to.lock().unwrap().push(*event));
    run(&mut c, 7.0);
    let until_then = gone.lock().unwrap().len();
    assert_eq!(until_then, all.lock().unwrap().len());
    assert!(until_then > 0);
    assert!(c.unobserve(id));
    assert!(!c.unobserve(id), "sent away twice");
    run(&mut c, 33.0);
    assert_eq!(gone.lock().unwrap().len(), until_then);
    let of = |filter: EventFilter| {
        let all = all.lock().unwrap();
        all.iter().filter(|e| filter.wants(e)).copied().collect::<Vec<_>>()
    };
    assert_eq!(*arrived.lock().unwrap(), of(EventFilter::ARRIVED));
    assert_eq!(*both.lock().unwrap(), of(EventFilter::SPAWNED.and(EventFilter::REMOVED)));
    assert!(nothing.lock().unwrap().is_empty());
}

/// If this fails, edits are not told, or twice.
#[test]
fn edits_are_told_once() {
    let mut c = crowd(scene(CORRIDOR), CrowdOptions::default());
    let log = record(&mut c, EventFilter::ALL);
    let here = Vec2::new(9.0, 2.0);
    let id = c.spawn(0, here, None).unwrap();
    c.set_action(id, 0).unwrap();
    c.add_wall(Polygon::rect(Rect { min: here - 0.5, max: here + 0.5 })).unwrap();
    c.remove(id).unwrap();
    let told: Vec<EventKind> = {
        let log = log.lock().unwrap();
        log.iter().filter(|e| e.agent == id).map(|e| e.kind).collect()
    };
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!(told[0], EventKind::Spawned);
    assert_eq!(told[1], EventKind::ActionChanged { from: 0, to: 0 });
    assert_eq!(told[2], EventKind::Displaced { from: here });
    assert_eq!(told[3], EventKind::Removed);
    assert_eq!(c.totals().displaced, count(&log, |k| matches!(k, EventKind::Displaced { .. })));
}

/// If this fails, a crowd that has come to a halt looks like one that is busy; or somebody in the same
/// plight is told every step.
#[test]
fn stuck_is_told_once_for_each_plight() {
    let text = r#"
        version = 1
        ground = { kind = "flat", size = [10, 4] }
        goal   = [{ name = "out", exit = true, rect = [9, 0, 10, 4] }]
        group  = [{ name = "walkers", goal = "out", speed = 0.01 }]
        spawn  = [{ group = "walkers", positions = [[2, 2]] }]
        behave = { stuck_seconds = 2 }
    "#;
    // Slower than anybody who gets on, with a free way: stuck, by the rule of the behave stage.
    let mut c = crowd(scene(text), CrowdOptions::default());
    let log = record(&mut c, EventFilter::STUCK);
    run(&mut c, 1.5);
    assert_eq!(count(&log, |_| true), 0, "too early");
    run(&mut c, 6.0);
    assert_eq!(count(&log, |_| true), 1);
    assert_eq!(c.totals().stuck, 1);
}
