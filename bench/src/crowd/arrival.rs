//! How long it takes until everybody is there.

use super::measure::{Collisions, Turns};
use super::{Bodies, Contestant, Problem, Who};
use serde::Serialize;

/// Who has come this near to its goal once has arrived, metres.
pub const ARRIVED_WITHIN: f32 = 0.5;

/// How a crowd got to its goals.
#[derive(Clone, Debug, Serialize)]
pub struct Arrival {
    /// Which scene.
    pub scene: String,
    /// Which of our models, or which peer.
    #[serde(flatten)]
    pub who: Who,
    /// Seed of the problem.
    pub seed: u64,
    /// How many agents.
    pub agents: usize,
    /// How many arrived.
    pub arrived: usize,
    /// Simulated seconds until the last arrived; none when the limit came first.
    pub seconds: Option<f64>,
    /// Simulated seconds until the median agent arrived; none when the limit came first.
    pub median_seconds: Option<f64>,
    /// Overlap as a share of the radius, mean over agents and steps.
    pub overlap_mean: f64,
    /// The deepest at any step.
    pub overlap_max: f64,
    /// Collisions begun per agent and minute.
    pub collisions_per_agent_minute: f64,
    /// Changes between turning left and right per agent and second.
    pub turn_changes_per_agent_second: f64,
}

/// Steps until all have arrived, or for `limit` simulated seconds.
pub fn arrive(problem: &Problem, contestant: &mut dyn Contestant, limit: f64) -> Arrival {
    let agents = problem.agents();
    let dt = problem.seconds_per_step();
    let (mut collisions, mut turns) = (Collisions::new(), Turns::default());
    let (mut there, mut arrived, mut median, mut steps) = (vec![false; agents], 0, None, 0);
    let (mut overlap_sum, mut overlap_max) = (0.0, 0.0_f64);
    let mut bodies = Bodies::default();
    contestant.bodies(&mut bodies);
    collisions.feed(&bodies.ids, &bodies.x, &bodies.y, &bodies.radius, problem.dt);
    while arrived < agents && steps as f64 * dt < limit {
        contestant.step();
        steps += 1;
        contestant.bodies(&mut bodies);
        let Bodies { ids, x, y, vx, vy, radius } = &bodies;
        collisions.feed(ids, x, y, radius, problem.dt);
        turns.feed(ids, vx, vy, problem.dt);
        let overlap = bodies.overlap();
        overlap_sum += overlap.mean;
        overlap_max = overlap_max.max(overlap.worst);
        for ((&id, x), y) in ids.iter().zip(x).zip(y) {
            let i = id as usize;
            let off = (x - problem.goal_x[i]).hypot(y - problem.goal_y[i]);
            if off <= ARRIVED_WITHIN && !there[i] {
                there[i] = true;
                arrived += 1;
            }
        }
        if 2 * arrived >= agents {
            median = median.or(Some(steps as f64 * dt));
        }
    }
    Arrival {
        scene: problem.scene.clone(),
        who: contestant.who(),
        seed: problem.seed,
        agents,
        arrived,
        seconds: (arrived == agents).then_some(steps as f64 * dt),
        median_seconds: median,
        overlap_mean: overlap_sum / f64::from(steps.max(1)),
        overlap_max,
        collisions_per_agent_minute: collisions.per_agent_minute(),
        turn_changes_per_agent_second: turns.per_agent_second(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{Dodgy, DodgyParams, circle};

    #[test]
    fn a_small_circle_arrives_and_a_short_limit_is_said() {
        let problem = circle(100, 0.3, 1.3, 1);
        let across = 2.0 * f64::from(problem.x[0].hypot(problem.y[0])) / 1.3;
        let mut crowd = Dodgy::new(&problem, DodgyParams::default(), 1);
        let found = arrive(&problem, &mut crowd, 10.0 * across);
        assert_eq!(found.arrived, 100);
        let seconds = found.seconds.expect("all arrived");
        assert!(seconds > across - 0.5 && seconds < 5.0 * across, "{found:?} {across}");
        let mut crowd = Dodgy::new(&problem, DodgyParams::default(), 1);
        let found = arrive(&problem, &mut crowd, across / 4.0);
        assert_eq!((found.arrived, found.seconds, found.median_seconds), (0, None, None));
    }
}
