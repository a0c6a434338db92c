//! People of a party stay together, and get on as people do who walk together.

#![allow(clippy::print_stdout, reason = "trials tell their figures")]

mod common;

use common::{crowd, run, scene};
use glam::Vec2;
use throng_crowd::CrowdOptions;

/// What a party did between its first and its last second.
#[derive(Debug, Default)]
struct Walk {
    /// Mean speed of its middle (metres per second).
    speed: f32,
    /// Mean extent along the way and across it (metres).
    long: f32,
    wide: f32,
    /// The farthest that anybody ever was from its middle (metres).
    most: f32,
}

/// A party of so many, one of whom has a speed of its own, walks in a direction (radians) over open ground, or along a
/// corridor of a width.
fn walk((count, slowest): (u32, f32), angle: f32, corridor: Option<f32>, seed: u64) -> Walk {
    let way = Vec2::from_angle(angle);
    let at = |along: f32, aside: f32| way * along + way.perp() * aside;
    let corner = |along: f32, aside: f32| {
        let p = at(along, aside);
        format!("[{:.3}, {:.3}]", p.x, p.y)
    };
    let strip = |from: f32, to: f32, half: f32| {
        [(from, -half), (to, -half), (to, half), (from, half)].map(|(x, y)| corner(x, y)).join(", ")
    };
    let half = 0.5 * corridor.unwrap_or(0.0);
    let area = corridor.map_or(String::new(), |_| {
        format!("area = [{{ polygon = [{}] }}]", strip(-2.0, 42.0, half))
    });
    let across = 0.5 * corridor.unwrap_or(3.0) - 0.3;
    let far = 0.5 * corridor.unwrap_or(12.0);
    let corners = [(-3.0, -far), (43.0, -far), (43.0, far), (-3.0, far)].map(|(x, y)| at(x, y));
    let low = corners.into_iter().reduce(Vec2::min).unwrap() - 1.0;
    let high = corners.into_iter().reduce(Vec2::max).unwrap() + 1.0;
    let cell = if corridor.is_some() { 0.1 } else { 0.25 };
    let text = format!(
        r#"
        version = 1
        dt = 0.05
        ground = {{ kind = "flat", bounds = [{}, {}, {}, {}], cell = {cell} }}
        {area}
        goal   = [{{ name = "there", exit = true, polygon = [{}] }}]
        group  = [
            {{ name = "people", speed = 1.25, goal = "there" }},
            {{ name = "slowest", speed = {slowest}, goal = "there" }},
        ]
        spawn  = [
            {{ group = "people", count = {}, party = "family", polygon = [{from}] }},
            {{ group = "slowest", count = 1, party = "family", polygon = [{from}] }},
        ]
        "#,
        low.x,
        low.y,
        high.x,
        high.y,
        strip(40.0, 42.0, far),
        count - 1,
        from = strip(0.0, 3.0, across),
    );
    let mut c = crowd(scene(&text), CrowdOptions { seed: Some(seed), ..Default::default() });
    let look = |c: &throng_crowd::Crowd| -> Vec<Vec2> {
        c.x().iter().zip(c.y()).map(|(x, y)| Vec2::new(*x, *y)).collect()
    };
    let middle = |all: &[Vec2]| all.iter().copied().sum::<Vec2>() / all.len() as f32;
    run(&mut c, 5.0);
    let start = middle(&look(&c));
    let (mut walk, seconds) = (Walk::default(), 15);
    for _ in 0..seconds {
        run(&mut c, 1.0);
        let all = look(&c);
        assert_eq!(all.len(), count as usize);
        let m = middle(&all);
        let extent = |of: Vec2| {
            let at = all.iter().map(|p| p.dot(of));
            at.clone().fold(f32::MIN, f32::max) - at.fold(f32::MAX, f32::min)
        };
        walk.long += extent(way) / seconds as f32;
        walk.wide += extent(way.perp()) / seconds as f32;
        walk.most = all.iter().map(|p| p.distance(m)).fold(walk.most, f32::max);
    }
    walk.speed = (middle(&look(&c)) - start).dot(way) / seconds as f32;
    walk
}

/// If this fails, people who walk together are in each other's way, and crawl; or they come apart.
#[test]
fn parties_walk_nearly_as_fast_as_their_people() {
    // Width of the corridor, how many, the slowest of them, least mean speed, farthest from the middle.
    let trials = [
        (None, (2, 1.25), 1.2, 1.2),
        (None, (5, 1.25), 0.9, 2.5),
        (None, (5, 0.5), 0.25, 2.0),
        (None, (8, 1.25), 1.1, 3.5),
        (None, (8, 0.5), 0.4, 3.0),
        (Some(3.0), (3, 1.25), 1.0, 1.5),
        (Some(3.0), (5, 0.5), 0.4, 2.5),
        (Some(3.0), (8, 1.25), 1.0, 3.5),
        (Some(1.2), (4, 1.25), 0.9, 2.5),
        (Some(1.2), (5, 1.25), 0.7, 2.5),
        (Some(1.2), (5, 0.5), 0.3, 2.5),
    ];
    for (corridor, people, speed, apart) in trials {
        for degrees in [0.0f32, 45.0] {
            let walks: Vec<Walk> =
                (1..=3).map(|seed| walk(people, degrees.to_radians(), corridor, seed)).collect();
            let mean = |of: fn(&Walk) -> f32| walks.iter().map(of).sum::<f32>() / 3.0;
            let most = walks.iter().map(|w| w.most).fold(0.0, f32::max);
            let (got, long, wide) = (mean(|w| w.speed), mean(|w| w.long), mean(|w| w.wide));
            let what = format!("{people:?} in {corridor:?} m at {degrees} degrees");
            println!(
                "{what}: {got:.2} m/s, {long:.2} m long, {wide:.2} wide, {most:.2} from the middle"
            );
            assert!(got > speed, "{what}: {got} m/s");
            assert!(most < apart, "{what}: {most} m from the middle");
        }
    }
}
