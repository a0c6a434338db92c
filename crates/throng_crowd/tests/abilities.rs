//! What places ask of people: stairs, smoke, exits to choose from.

mod common;

use common::{crowd, run, scene};
use throng_crowd::CrowdOptions;

/// Seconds one person needs from x = 2 m to x = 12 m (or back), through a zone that lies between.
fn through(zone: &str, group: &str, back: bool) -> f64 {
    let (start, goal) = if back { (13.0, "[0, 0, 1, 2]") } else { (1.0, "[13, 0, 14, 2]") };
    let mut c = crowd(
        scene(&format!(
            r#"
            version = 1
            dt = 0.05
            ground = {{ kind = "flat", size = [14, 2], cell = 0.25 }}
            zone   = [{{ rect = [2, 0, 12, 2], {zone} }}]
            goal   = [{{ name = "there", exit = true, rect = {goal} }}]
            group  = [{{ name = "walker", speed = 1.0, goal = "there"{group} }}]
            spawn  = [{{ group = "walker", positions = [[{start}, 1]] }}]
            "#
        )),
        CrowdOptions::default(),
    );
    let (mut entered, mut left) = (f64::NAN, f64::NAN);
    while left.is_nan() && c.time() < 120.0 {
        run(&mut c, 0.05);
        let Some(&x) = c.x().first() else { break };
        let inside = (2.0..12.0).contains(&x);
        if inside && entered.is_nan() {
            entered = c.time();
        } else if !inside && !entered.is_nan() {
            left = c.time();
        }
    }
    left - entered
}

/// If this fails, stairs are as fast as the level, or up is as fast as down.
#[test]
fn stairs_have_a_speed_up_and_one_down() {
    let stairs = "stairs = { up = [1, 0] }";
    let factors = ", climb = 0.5, descend = 0.8";
    for (back, seconds) in [(false, 10.0 / 0.5), (true, 10.0 / 0.8)] {
        let took = through(stairs, factors, back);
        assert!((took - seconds).abs() < 0.05 * seconds, "back {back}: {took} s, {seconds} wanted");
    }
}

/// If this fails, people walk through smoke as if they saw.
#[test]
fn smoke_slows_by_its_extinction_coefficient() {
    for (zone, seconds) in [("smoke = 0.0", 10.0), ("smoke = 1.0", 20.0), ("smoke = 9.0", 41.7)] {
        let took = through(zone, "", false);
        assert!((took - seconds).abs() < 0.05 * seconds, "{zone}: {took} s, {seconds} wanted");
    }
}

/// If this fails, people do not spread over exits as the scene says.
#[test]
fn exits_are_chosen_by_their_shares() {
    let mut c = crowd(
        scene(
            r#"
            version = 1
            dt = 0.1
            ground = { kind = "flat", size = [40, 40], cell = 0.5 }
            goal   = [
                { name = "left", exit = true, rect = [0, 0, 1, 40] },
                { name = "right", exit = true, rect = [39, 0, 40, 40] },
                { name = "above", exit = true, rect = [0, 39, 40, 40] },
            ]
            group  = [{ name = "people", choose = [
                { goal = "left", share = 1 }, { goal = "right", share = 3 }, { goal = "above", share = 0 },
            ] }]
            spawn  = [{ group = "people", count = 800, rect = [2, 2, 38, 38] }]
            "#,
        ),
        CrowdOptions::default(),
    );
    run(&mut c, 1.0);
    let doing = |name: &str| {
        let action = c.world().actions.iter().position(|a| a.name == name).unwrap();
        c.traits().iter().filter(|t| usize::from(t.action) == action).count()
    };
    let (left, right) = (doing("walk to left"), doing("walk to right"));
    assert_eq!(left + right, c.len(), "some have not chosen");
    // Four standard deviations of a binomial of 800 with a quarter are 49.
    assert!(left.abs_diff(200) < 49, "{left} left, {right} right");
}
