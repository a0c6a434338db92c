//! Turning to and fro: how often agents change between turning left and turning right.

/// Turns slower than this are none, radians per second (about 6° a second).
pub const TURN_THRESHOLD: f32 = 0.1;
/// Who is slower than this has no direction, metres per second.
pub const SLOWEST: f32 = 0.1;

/// Counts sign changes of the turn rate, fed step by step. A turn below the threshold neither counts
/// nor makes the last one forgotten; a stop does.
#[derive(Clone, Debug)]
pub struct Turns {
    threshold: f32,
    agents: Vec<Agent>,
    changes: u64,
    agent_seconds: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Agent {
    velocity: [f32; 2],
    /// The side it last turned to; 0 is none.
    side: i8,
    moving: bool,
}

impl Default for Turns {
    fn default() -> Self {
        Self::new(TURN_THRESHOLD)
    }
}

impl Turns {
    /// Nothing counted yet; turns slower than `threshold`, radians per second, are none.
    #[must_use]
    pub fn new(threshold: f32) -> Self {
        Self { threshold, agents: Vec::new(), changes: 0, agent_seconds: 0.0 }
    }

    /// Takes the velocities of the next step, `dt` seconds after the last one. The lists may be in any
    /// order, as long as `ids` tells who is who; ids should be small numbers. An id that comes again
    /// for somebody new should be [forgotten](Self::forget) in between.
    ///
    /// # Panics
    /// If the lists differ in length.
    pub fn feed(&mut self, ids: &[u32], vx: &[f32], vy: &[f32], dt: f32) {
        assert!(ids.len() == vx.len() && ids.len() == vy.len());
        let most = ids.iter().max().map_or(0, |&id| id as usize + 1);
        if most > self.agents.len() {
            self.agents.resize(most, Agent::default());
        }
        for (i, &id) in ids.iter().enumerate() {
            let (now, agent) = ([vx[i], vy[i]], &mut self.agents[id as usize]);
            if now[0].hypot(now[1]) < SLOWEST {
                *agent = Agent::default();
                continue;
            }
            let last = std::mem::replace(&mut agent.velocity, now);
            if !std::mem::replace(&mut agent.moving, true) {
                continue;
            }
            self.agent_seconds += f64::from(dt);
            let (cross, dot) =
                (last[0] * now[1] - last[1] * now[0], last[0] * now[0] + last[1] * now[1]);
            let angle = cross.atan2(dot);
            if angle.abs() < self.threshold * dt {
                continue;
            }
            let side = if angle > 0.0 { 1 } else { -1 };
            let last = std::mem::replace(&mut agent.side, side);
            self.changes += u64::from(last == -side);
        }
    }

    /// Forgets an agent that left.
    pub fn forget(&mut self, id: u32) {
        if let Some(agent) = self.agents.get_mut(id as usize) {
            *agent = Agent::default();
        }
    }

    /// Sign changes counted.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Sign changes per agent and second of walking.
    #[must_use]
    pub fn per_agent_second(&self) -> f64 {
        if self.agent_seconds > 0.0 { self.changes as f64 / self.agent_seconds } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One agent that walks at these angles, one a tenth of a second.
    fn counted(angles: &[f32]) -> Turns {
        let mut turns = Turns::default();
        for a in angles {
            turns.feed(&[4], &[a.cos()], &[a.sin()], 0.1);
        }
        turns
    }

    #[test]
    fn to_and_fro_counts_and_round_does_not() {
        let zigzag: Vec<f32> = (0..101).map(|i| if i % 2 == 0 { 0.0 } else { 0.2 }).collect();
        let turns = counted(&zigzag);
        assert_eq!(turns.changes(), 99);
        assert!((turns.per_agent_second() - 9.9).abs() < 1e-6);
        // Through west, where an angle jumps from pi to -pi.
        let round: Vec<f32> = (0..200).map(|i| 0.05 * i as f32).collect();
        assert_eq!(counted(&round).changes(), 0);
    }

    #[test]
    fn small_turns_are_none_but_do_not_hide_a_change() {
        let tremble: Vec<f32> = (0..100).map(|i| if i % 2 == 0 { 0.0 } else { 0.009 }).collect();
        assert_eq!(counted(&tremble).changes(), 0);
        assert_eq!(counted(&[0.0, 0.2, 0.201, 0.2, 0.0]).changes(), 1);
    }

    #[test]
    fn standing_is_no_turning() {
        let mut turns = Turns::default();
        for (vx, vy) in [(1.0, 0.0), (1.0, 0.2), (0.05, 0.0), (1.0, 0.2), (1.0, 0.0)] {
            turns.feed(&[0], &[vx], &[vy], 0.1);
        }
        assert_eq!(turns.changes(), 0);
        assert!((turns.agent_seconds - 0.2).abs() < 1e-6);
    }

    #[test]
    fn order_of_the_lists_does_not_matter() {
        let mut turns = Turns::default();
        turns.feed(&[0, 1], &[1.0, 0.0], &[0.0, 1.0], 0.1);
        turns.feed(&[1, 0], &[0.0, 1.0], &[1.0, 0.0], 0.1);
        turns.feed(&[0, 1], &[1.0, 0.0], &[0.0, 1.0], 0.1);
        assert_eq!(turns.changes(), 0);
    }
}
