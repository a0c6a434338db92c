//! Who has waited how long: the time people wanted to get on and hardly moved.

use throng_crowd::Crowd;
use throng_world::world::Seek;

/// Slower than this counts as waiting (metres per second).
const SLOW: f32 = 0.1;

/// Waiting times of everybody who was ever there.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// Seconds, by the agent's number.
    by_id: Vec<f32>,
    /// Seconds, in the order of the crowd's slices.
    ordered: Vec<f32>,
}

impl Waiting {
    /// Counts the step just made.
    pub fn count(&mut self, crowd: &Crowd, dt: f32) {
        let actions = &crowd.world().actions;
        let speeds = crowd.vx().iter().zip(crowd.vy());
        for ((&id, traits), (vx, vy)) in crowd.ids().iter().zip(crowd.traits()).zip(speeds) {
            let wants = actions[usize::from(traits.action)].seek != Seek::Nothing;
            if wants && vx * vx + vy * vy < SLOW * SLOW {
                let id = id as usize;
                if id >= self.by_id.len() {
                    self.by_id.resize(id + 1, 0.0);
                }
                self.by_id[id] += dt;
            }
        }
    }

    /// Waiting times in the order of the crowd's slices (seconds).
    pub fn of(&mut self, crowd: &Crowd) -> &[f32] {
        self.ordered.clear();
        let by_id = &self.by_id;
        let waited = |id: &u32| by_id.get(*id as usize).copied().unwrap_or(0.0);
        self.ordered.extend(crowd.ids().iter().map(waited));
        &self.ordered
    }
}
