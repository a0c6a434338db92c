//! What a soak does in which order: slices, each a crowd of its own. A slice depends on the seed of
//! the soak, its scenes and its length, and on nothing that happened before, so that it can be
//! repeated alone.

use throng::Model;

/// Agent-steps of a slice, at least and at most.
const SLICE: (u64, u64) = (5_000, 10_000_000);
/// Rounds over all scenes that there should be.
const ROUNDS: u64 = 3;
/// Steps that a slice should have at least, and at most: crowds are made anew rather than watched for
/// long.
const STEPS: u64 = 120;
const MOST_STEPS: u64 = 3000;
/// Longest and shortest step tried beside the scene's own (seconds).
const STEP_LENGTHS: [f32; 4] = [0.01, 0.033, 0.1, 0.2];

/// Which slices there are.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) scenes: Vec<Stage>,
    pub(super) model: Option<Model>,
    /// Agent-steps in all.
    pub(super) total: u64,
}

/// A scene to go to.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) name: &'static str,
    /// People it usually holds.
    pub(super) people: u64,
    /// Its own step length, and how long it is meant to run (seconds).
    pub(super) dt: f32,
    pub(super) seconds: f32,
}

/// One crowd for a while.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub(super) struct Slice {
    pub(super) number: u64,
    pub(super) scene: &'static str,
    #[serde(serialize_with = "name_of")]
    pub(super) model: Model,
    pub(super) seed: u64,
    pub(super) agents: u32,
    pub(super) dt: f32,
    /// At most so many steps and agent-steps.
    pub(super) steps: u64,
    pub(super) agent_steps: u64,
    /// Edits come this often, in steps.
    pub(super) edit_every: u64,
}

fn name_of<S: serde::Serializer>(model: &Model, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&format!("{model:?}").to_lowercase())
}

impl Plan {
    /// The slice of this number: scenes take turns, most often with the default model.
    pub(super) fn slice(&self, number: u64) -> Slice {
        let (round, at) = (number / self.scenes.len() as u64, number % self.scenes.len() as u64);
        let stage = &self.scenes[at as usize];
        let mut dice = Dice(mix(self.seed ^ mix(number)));
        let share = self.total / (self.scenes.len() as u64 * ROUNDS);
        let agent_steps = share.clamp(SLICE.0, SLICE.1);
        // Of all sizes alike: a twentieth of the usual number up to twice as many.
        let most = (2 * stage.people).min(agent_steps / STEPS).max(40) as f64;
        let least = (stage.people as f64 / 20.0).clamp(20.0, most);
        let agents = (least * (most / least).powf(dice.unit())) as u32;
        // Every fourth time with another step length.
        let dt = match dice.below(4) {
            0 => STEP_LENGTHS[dice.below(STEP_LENGTHS.len() as u64) as usize],
            _ => stage.dt,
        };
        let meant = (1.5 * f64::from(stage.seconds) / f64::from(dt)) as u64;
        // Every fourth time nearly undisturbed.
        let edit_every = match dice.below(4) {
            0 => 150,
            _ => 1 + dice.below(20),
        };
        let model = match (round + at) % 4 {
            3 => Model::Froblins,
            _ => Model::Throng,
        };
        Slice {
            number,
            scene: stage.name,
            model: self.model.unwrap_or(model),
            seed: dice.bits(),
            agents,
            dt,
            steps: meant.clamp(STEPS, MOST_STEPS),
            agent_steps,
            edit_every,
        }
    }
}

/// Random numbers of a slice.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.bits() >> 16) % n.max(1)
    }

    /// From 0 up to 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Mixes bits (SplitMix64).
pub(super) fn mix(bits: u64) -> u64 {
    let z = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(total: u64) -> Plan {
        let stage = |name, people| Stage { name, people, dt: 0.05, seconds: 60.0 };
        let scenes = vec![stage("valley", 65_536), stage("hall", 400), stage("square", 120)];
        Plan { seed: 7, scenes, model: None, total }
    }

    /// A scene or a model would be left out.
    #[test]
    fn all_scenes_and_both_models_have_their_turn() {
        let plan = plan(1_000_000_000);
        let slices: Vec<Slice> = (0..96).map(|number| plan.slice(number)).collect();
        for stage in &plan.scenes {
            let of_it = || slices.iter().filter(|slice| slice.scene == stage.name);
            assert_eq!(of_it().count(), 32);
            assert_eq!(of_it().filter(|slice| slice.model == Model::Froblins).count(), 8);
            let people = |slice: &Slice| u64::from(slice.agents);
            assert!(of_it().map(people).max() > Some(stage.people));
            assert!(of_it().map(people).min() < Some(stage.people / 2));
        }
        assert!(slices.iter().all(|s| s.steps >= STEPS && s.edit_every > 0 && s.agents >= 20));
    }

    /// A finding could not be repeated.
    #[test]
    fn a_slice_is_what_its_number_says() {
        assert_eq!(plan(1000).slice(5), plan(1000).slice(5));
        assert_ne!(plan(1000).slice(5).seed, plan(1000).slice(8).seed);
    }
}
