//! The problems as plain data: who stands where, how wide, how fast, and where to.

use super::Bins;
use crate::problems::{hash, unit};
use std::f32::consts::TAU;

/// Agents without walls. Agent `i` is the `i`-th of every list.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What the table calls it.
    pub scene: String,
    /// The seed it was made with.
    pub seed: u64,
    /// Positions, metres.
    pub x: Vec<f32>,
    /// Positions, metres.
    pub y: Vec<f32>,
    /// Radii, metres.
    pub radius: Vec<f32>,
    /// Preferred speeds, which are also the largest, metres per second.
    pub speed: Vec<f32>,
    /// Goals, metres.
    pub goal_x: Vec<f32>,
    /// Goals, metres.
    pub goal_y: Vec<f32>,
    /// Time step, seconds.
    pub dt: f32,
}

/// Time step of the problems here, seconds.
const DT: f32 = 0.05;
/// Room between two discs at the start, as a share of their distance.
const ROOM: f32 = 1.05;
/// How much of the ground discs put down at random can cover before it takes for ever.
const DENSEST: f32 = 0.4;

impl Problem {
    /// How many agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.x.len()
    }

    /// The time step as it was meant: 0.05, not the nearest number of 32 bits.
    #[must_use]
    pub fn seconds_per_step(&self) -> f64 {
        (f64::from(self.dt) * 1e6).round() / 1e6
    }

    fn uniform(scene: &str, seed: u64, places: &[[f32; 2]], radius: f32, speed: f32) -> Self {
        let agents = places.len();
        Self {
            scene: scene.to_owned(),
            seed,
            x: places.iter().map(|p| p[0]).collect(),
            y: places.iter().map(|p| p[1]).collect(),
            radius: vec![radius; agents],
            speed: vec![speed; agents],
            goal_x: vec![0.0; agents],
            goal_y: vec![0.0; agents],
            dt: DT,
        }
    }
}

/// A square around the origin with that many agents per m², put down at random so that no discs
/// overlap; each walks straight in a direction of its own, its goal two sides of the square away.
///
/// # Panics
/// If the discs would cover more than two fifths of the ground.
#[must_use]
pub fn open_plane(agents: usize, density: f32, radius: f32, speed: f32, seed: u64) -> Problem {
    let covered = density * radius * radius * TAU / 2.0;
    assert!(covered <= DENSEST, "discs would cover {covered} of the ground, at most {DENSEST}");
    let side = (agents as f32 / density).sqrt();
    let places = scatter(agents, side, 2.0 * radius * ROOM, seed);
    let mut problem = Problem::uniform("open plane", seed, &places, radius, speed);
    for i in 0..agents {
        let (sin, cos) = (TAU * unit(hash(seed ^ 0x60A1) ^ i as u64)).sin_cos();
        problem.goal_x[i] = problem.x[i] + 2.0 * side * cos;
        problem.goal_y[i] = problem.y[i] + 2.0 * side * sin;
    }
    problem
}

/// Points in a square around the origin, no two closer than `apart`: one after the other at random,
/// thrown again where one is too close.
fn scatter(agents: usize, side: f32, apart: f32, seed: u64) -> Vec<[f32; 2]> {
    // At most one point fits a cell with a diagonal of `apart`.
    let cell = apart / std::f32::consts::SQRT_2;
    let across = (side / cell) as usize + 1;
    let mut taken = vec![u32::MAX; across * across];
    let mut places: Vec<[f32; 2]> = Vec::with_capacity(agents);
    let mut throw = hash(seed);
    while places.len() < agents {
        throw = throw.wrapping_add(2);
        let (u, v) = (unit(throw), unit(throw.wrapping_add(1)));
        let p = [(u - 0.5) * side, (v - 0.5) * side];
        let cell_of = |u: f32| ((u * side / cell) as usize).min(across - 1);
        let (cx, cy) = (cell_of(u), cell_of(v));
        let near = |i: usize| i.saturating_sub(2)..(i + 3).min(across);
        let clash = near(cy).flat_map(|cy| near(cx).map(move |cx| cy * across + cx)).any(|c| {
            let other = places.get(taken[c] as usize);
            other.is_some_and(|q| (p[0] - q[0]).hypot(p[1] - q[1]) < apart)
        });
        if !clash {
            taken[cy * across + cx] = places.len() as u32;
            places.push(p);
        }
    }
    places
}

/// Agents on a ring around the origin, as far apart as 1.5 of their diameters, each to the opposite
/// side; the ring of `seed` is turned by an angle of its own.
#[must_use]
pub fn circle(agents: usize, radius: f32, speed: f32, seed: u64) -> Problem {
    let apart = 3.0 * radius;
    let ring = apart * agents as f32 / TAU;
    let angle = |i: usize| TAU * ((i as f32 + unit(hash(seed))) / agents as f32);
    let at = |i: usize| [ring * angle(i).cos(), ring * angle(i).sin()];
    let places: Vec<[f32; 2]> = (0..agents).map(at).collect();
    let mut problem = Problem::uniform("circle", seed, &places, radius, speed);
    problem.goal_x = problem.x.iter().map(|x| -x).collect();
    problem.goal_y = problem.y.iter().map(|y| -y).collect();
    problem
}

impl Problem {
    /// The smallest distance between two discs, negative when they overlap; `None` below two agents.
    /// Looks only `reach` far.
    #[must_use]
    pub fn clearance(&self, reach: f32) -> Option<f32> {
        let mut bins = Bins::default();
        bins.build(&self.x, &self.y, reach);
        let mut least: Option<f32> = None;
        bins.pairs(&self.x, &self.y, reach, |i, j, distance| {
            let gap = distance - self.radius[i] - self.radius[j];
            least = Some(least.map_or(gap, |l| l.min(gap)));
        });
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_plane_is_as_dense_as_asked_and_touches_nowhere() {
        let problem = open_plane(4096, 0.3, 0.3, 1.3, 7);
        assert_eq!(problem.agents(), 4096);
        let gap = problem.clearance(2.0).expect("two agents are near");
        assert!((0.0..0.2).contains(&gap), "{gap}");
        let side = (4096.0_f32 / 0.3).sqrt();
        assert!(problem.x.iter().chain(&problem.y).all(|c| c.abs() <= side / 2.0));
        // Every quarter of the square has its share.
        let quarter = problem.x.iter().zip(&problem.y).filter(|(x, y)| **x > 0.0 && **y > 0.0);
        assert!((900..1150).contains(&quarter.count()));
    }

    #[test]
    fn goals_are_far_and_point_everywhere() {
        let problem = open_plane(4096, 0.3, 0.3, 1.3, 7);
        let side = (4096.0_f32 / 0.3).sqrt();
        let (mut east, mut north) = (0.0, 0.0);
        for i in 0..problem.agents() {
            let (dx, dy) = (problem.goal_x[i] - problem.x[i], problem.goal_y[i] - problem.y[i]);
            assert!((dx.hypot(dy) / (2.0 * side) - 1.0).abs() < 1e-3);
            (east, north) = (east + dx / side, north + dy / side);
        }
        assert!(east.abs() / 4096.0 < 0.1 && north.abs() / 4096.0 < 0.1, "{east} {north}");
    }

    #[test]
    fn same_seed_same_problem() {
        assert_eq!(open_plane(500, 0.3, 0.3, 1.3, 1), open_plane(500, 0.3, 0.3, 1.3, 1));
        assert_ne!(open_plane(500, 0.3, 0.3, 1.3, 1).x, open_plane(500, 0.3, 0.3, 1.3, 2).x);
        assert_ne!(circle(50, 0.3, 1.3, 1).x, circle(50, 0.3, 1.3, 2).x);
    }

    #[test]
    fn circle_stands_apart_and_crosses_over() {
        let problem = circle(1000, 0.3, 1.3, 1);
        let gap = problem.clearance(2.0).expect("neighbours on the ring");
        assert!((0.25..0.31).contains(&gap), "{gap}");
        assert!((problem.x[17] + problem.goal_x[17]).abs() < 1e-6);
    }

    #[test]
    #[should_panic(expected = "cover")]
    fn too_dense_is_said() {
        let _ = open_plane(100, 2.0, 0.3, 1.3, 1);
    }
}
