//! How crowded it is: overlaps, collisions and speed over a stretch of time.

use super::measure::Collisions;
use super::{Bodies, Contestant, Who};
use serde::Serialize;

/// How one crowd got along in one scene.
#[derive(Clone, Debug, Serialize)]
pub struct Crowding {
    /// Which scene.
    pub scene: String,
    /// How many agents at the end.
    pub agents: usize,
    /// Which of our models, or which peer.
    #[serde(flatten)]
    pub who: Who,
    /// Simulated seconds before watching began.
    pub from_seconds: f64,
    /// Simulated seconds watched.
    pub seconds: f64,
    /// Overlap as a share of the radius, mean over agents and steps.
    pub overlap_mean: f64,
    /// The deepest at any step.
    pub overlap_max: f64,
    /// Collisions begun per agent and minute.
    pub collisions_per_agent_minute: f64,
    /// Mean speed, metres per second: who stands still collides with nobody.
    pub mean_speed: f64,
}

/// Lets a crowd settle for some seconds, then watches every step of some more, or until all have left.
pub fn crowding(
    scene: &str,
    contestant: &mut dyn Contestant,
    settle: f64,
    seconds: f64,
) -> Crowding {
    let dt = contestant.dt();
    let steps = |seconds: f64| (seconds / f64::from(dt)).round() as usize;
    (0..steps(settle)).for_each(|_| contestant.step());
    let from_seconds = contestant.seconds();
    let mut bodies = Bodies::default();
    let mut collisions = Collisions::new();
    contestant.bodies(&mut bodies);
    collisions.feed(&bodies.ids, &bodies.x, &bodies.y, &bodies.radius, dt);
    let (mut overlap_sum, mut overlap_max, mut speed_sum, mut watched) = (0.0, 0.0_f64, 0.0, 0);
    while watched < steps(seconds) && contestant.agents() > 0 {
        contestant.step();
        contestant.bodies(&mut bodies);
        collisions.feed(&bodies.ids, &bodies.x, &bodies.y, &bodies.radius, dt);
        let overlap = bodies.overlap();
        overlap_sum += overlap.mean;
        overlap_max = overlap_max.max(overlap.worst);
        speed_sum += bodies.mean_speed();
        watched += 1;
    }
    let steps = watched.max(1) as f64;
    Crowding {
        scene: scene.to_owned(),
        agents: contestant.agents(),
        who: contestant.who(),
        from_seconds,
        seconds: contestant.seconds() - from_seconds,
        overlap_mean: overlap_sum / steps,
        overlap_max,
        collisions_per_agent_minute: collisions.per_agent_minute(),
        mean_speed: speed_sum / steps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two discs of radius 1 that run through each other at 1 m/s each.
    struct Ghosts {
        steps: u32,
    }

    impl Contestant for Ghosts {
        fn who(&self) -> Who {
            Who::Peer("ghosts".into())
        }
        fn threads(&self) -> usize {
            1
        }
        fn agents(&self) -> usize {
            2
        }
        fn dt(&self) -> f32 {
            0.1
        }
        fn seconds(&self) -> f64 {
            f64::from(self.steps) * 0.1
        }
        fn step(&mut self) {
            self.steps += 1;
        }
        fn bodies(&self, bodies: &mut Bodies) {
            let way = self.steps as f32 * 0.1;
            bodies.clear();
            bodies.push(0, [way, 0.0], [1.0, 0.0], 1.0);
            bodies.push(1, [10.0 - way, 0.0], [-1.0, 0.0], 1.0);
        }
        fn bytes(&self) -> usize {
            0
        }
    }

    #[test]
    fn counts_only_what_happens_while_it_watches() {
        // They touch from second 4 to 6.
        let through = crowding("hall", &mut Ghosts { steps: 0 }, 3.0, 4.0);
        assert!((through.from_seconds - 3.0).abs() < 1e-9 && (through.seconds - 4.0).abs() < 1e-9);
        assert!((through.overlap_max - 2.0).abs() < 1e-3, "{through:?}");
        assert!((through.overlap_mean - 0.5).abs() < 1e-2, "{through:?}");
        // One collision in eight agent-seconds.
        assert!((through.collisions_per_agent_minute - 7.5).abs() < 1e-3, "{through:?}");
        assert!((through.mean_speed - 1.0).abs() < 1e-6);
        let before = crowding("hall", &mut Ghosts { steps: 0 }, 0.0, 3.0);
        assert_eq!((before.overlap_max, before.collisions_per_agent_minute), (0.0, 0.0));
    }
}
