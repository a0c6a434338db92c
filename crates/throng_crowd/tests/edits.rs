//! Live edits: whatever a host does between two steps, nobody is lost, stuck in a wall or torn along;
//! and what makes no sense is refused and changes nothing.

mod common;

#[path = "../../throng_cli/src/soak/fire.rs"]
mod fire;

use common::{Watch, crowd, run, scene, shipped};
use fire::{Fire, NONSENSE, nonsense};
use glam::Vec2;
use throng_crowd::{AgentId, Crowd, CrowdOptions, Model};
use throng_world::world::{Place, Polygon, Rect, Shape};

/// Shoots at a crowd for some steps, and checks everything after each.
fn under_fire(name: &str, agents: u32, seed: u64, model: Model, steps: usize) {
    let options = CrowdOptions { model: Some(model), seed: Some(seed), ..Default::default() };
    let mut crowd = crowd(shipped(name, Some(agents)), options);
    let mut fire = Fire::new(seed, &crowd);
    let mut watch = Watch::default();
    let dt = crowd.world().dt;
    for step in 0..steps {
        for _ in 0..fire.below(3) {
            let done = fire.shoot(&mut crowd);
            assert!(done.is_ok(), "{name}, seed {seed}, step {step}: {done:?}");
        }
        watch.look(&crowd);
        crowd.step(dt).unwrap();
        watch.check(&crowd, dt);
    }
}

/// If this fails, an edit leaves somebody in a wall, loses or doubles people, or tears them along.
#[test]
fn limits_hold_under_random_edits() {
    for (name, agents) in [
        ("froblins", 800),
        ("two-way", 200),
        ("bottleneck", 200),
        ("crossing", 200),
        ("circle", 150),
        ("square", 200),
        ("stadium", 400),
        ("city", 400),
    ] {
        for seed in 0..3 {
            under_fire(name, agents, seed, Model::Throng, 120);
        }
        under_fire(name, agents, 77, Model::Froblins, 60);
    }
}

/// If this fails, a run with edits could not be repeated.
#[test]
fn the_same_edits_give_the_same_crowd() {
    let run = |threads: usize| {
        let options = CrowdOptions { threads: Some(threads), ..Default::default() };
        let mut crowd = crowd(shipped("froblins", Some(1500)), options);
        let mut fire = Fire::new(5, &crowd);
        for _ in 0..150 {
            fire.shoot(&mut crowd).unwrap();
            crowd.step(1.0 / 30.0).unwrap();
        }
        crowd.hash()
    };
    assert_eq!(run(1), run(2));
}

fn steps(crowd: &mut Crowd, count: usize) {
    let dt = crowd.world().dt;
    (0..count).for_each(|_| {
        crowd.step(dt).unwrap();
    });
}

/// A room with two exits and a wall between.
const ROOM: &str = r#"
    version = 1
    ground = { kind = "flat", size = [20, 10] }
    wall   = [{ rect = [9, 0, 13, 7] }]
    goal   = [{ name = "out", exit = true, rect = [19, 0, 20, 10] }, { name = "desk", point = [2, 8] }]
    group  = [{ name = "visitors", goal = "out" }, { name = "guests", goal = "target" }]
    spawn  = [{ group = "visitors", count = 40, rect = [1, 1, 8, 9] }]
"#;

fn rect(min: (f32, f32), max: (f32, f32)) -> Polygon {
    Polygon::rect(Rect { min: min.into(), max: max.into() })
}

/// If this fails, a wrong call of a host spoils its simulation, now or later.
#[test]
fn nonsense_is_refused_in_one_line_and_changes_nothing() {
    let mut asked = crowd(scene(ROOM), CrowdOptions::default());
    let mut other = crowd(scene(ROOM), CrowdOptions::default());
    steps(&mut asked, 20);
    steps(&mut other, 20);
    let before = asked.hash();
    for what in 0..NONSENSE {
        let error = nonsense(&mut asked, what, 1).expect_err(&format!("number {what}")).to_string();
        assert!(error.len() > 15 && !error.contains('\n'), "number {what}: {error}");
        assert_eq!(asked.hash(), before, "number {what}");
    }
    let goal_in_wall = Place { shape: Shape::Point((11.0, 2.0).into()), fuzz: 0.0, capacity: None };
    let nan_fuzz = Place { shape: Shape::Point((5.0, 2.0).into()), fuzz: f32::NAN, capacity: None };
    for (what, places, says) in
        [("a goal in a wall", goal_in_wall, "desk"), ("a fuzz that is none", nan_fuzz, "fuzz")]
    {
        let error = asked.set_goal(1, vec![places]).expect_err(what).to_string();
        assert!(error.contains(says), "{what}: {error}");
    }
    let error = asked.spawn(0, Vec2::new(11.0, 2.0), None).unwrap_err().to_string();
    assert!(error.contains("open ground"), "{error}");
    // The whole desk, with those who stand there.
    let error = asked.add_wall(rect((0.0, 4.0), (6.0, 10.0))).unwrap_err().to_string();
    assert!(error.contains("desk"), "{error}");
    assert_eq!(asked.world().walls.len(), 1);
    assert_eq!(asked.hash(), before);
    // And it goes on as the one that was never asked.
    steps(&mut asked, 60);
    steps(&mut other, 60);
    assert_eq!(asked.hash(), other.hash(), "something was changed behind the scenes");
}

/// If this fails, a new person does not take part.
#[test]
fn who_is_spawned_walks_and_who_is_removed_is_gone() {
    let mut c = crowd(scene(ROOM), CrowdOptions::default());
    let id = c.spawn(1, Vec2::new(2.0, 2.0), Some(Vec2::new(8.0, 2.0))).unwrap();
    assert_eq!(c.len(), 41);
    run(&mut c, 3.0);
    let i = c.index_of(id).unwrap();
    assert!(c.x()[i] > 3.0, "stayed at {}", c.x()[i]);
    c.remove(id).unwrap();
    assert_eq!(c.index_of(id), None);
    assert!(c.ids().iter().all(|&other| other != id.0));
    run(&mut c, 1.0);
    assert!(c.ids().iter().all(|&other| other != id.0), "came back");
}

/// If this fails, somebody told to do something right after it appeared waits for ever.
#[test]
fn an_action_given_to_a_new_person_begins_at_once() {
    let mut c = crowd(scene(ROOM), CrowdOptions::default());
    let id = c.spawn(1, Vec2::new(2.0, 2.0), Some(Vec2::new(8.0, 2.0))).unwrap();
    let walk = usize::from(c.world().groups[1].starts);
    c.set_action(id, walk).unwrap();
    run(&mut c, 3.0);
    let i = c.index_of(id).unwrap();
    assert!(c.x()[i] > 3.0, "stands at {}", c.x()[i]);
}

/// If this fails, people go on to where the goal was.
#[test]
fn a_moved_goal_draws_people_to_its_new_place() {
    let mut c = crowd(scene(ROOM), CrowdOptions::default());
    steps(&mut c, 20);
    let left = Shape::Polygon(rect((0.0, 0.0), (1.0, 10.0)));
    c.set_goal(0, vec![Place { shape: left, fuzz: 0.0, capacity: None }]).unwrap();
    run(&mut c, 25.0);
    assert_eq!(c.len(), 0, "{} did not find the way out on the left", c.len());
}

/// If this fails, a wall that is taken down goes on to stop people.
#[test]
fn a_door_that_is_shut_holds_and_opened_lets_through() {
    let mut c = crowd(scene(ROOM), CrowdOptions::default());
    c.add_wall(rect((9.0, 6.5), (13.0, 10.0))).unwrap();
    run(&mut c, 20.0);
    assert_eq!(c.len(), 40, "somebody went through a shut door");
    assert!(c.x().iter().all(|&x| x < 9.0));
    c.remove_wall(1).unwrap();
    run(&mut c, 60.0);
    assert_eq!(c.len(), 0, "{} stayed in an open room", c.len());
}

/// If this fails, numbers of the dead are given to the living.
#[test]
fn numbers_are_never_given_twice() {
    let mut c = crowd(scene(ROOM), CrowdOptions::default());
    let mut seen: Vec<u32> = c.ids().to_vec();
    for _ in 0..50 {
        let id = c.spawn(0, Vec2::new(4.0, 5.0), None).unwrap();
        assert!(!seen.contains(&id.0));
        seen.push(id.0);
        c.remove(AgentId(id.0)).unwrap();
    }
    assert_eq!(c.len(), 40);
}
