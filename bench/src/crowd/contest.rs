//! Timing by turns: on a shared machine that is now fast, now slow, all contestants meet the same.

use super::Bodies;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// Who it is: in tables a name, in JSON the key `model` or `peer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// One of our models.
    Model(String),
    /// Somebody else.
    Peer(String),
}

impl Who {
    /// What the table calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        let (Self::Model(name) | Self::Peer(name)) = self;
        name
    }
}

/// Somebody who steps a crowd.
pub trait Contestant {
    /// Who it is.
    fn who(&self) -> Who;

    /// Threads it steps on.
    fn threads(&self) -> usize;

    /// How many agents there are now.
    fn agents(&self) -> usize;

    /// Length of a step, seconds.
    fn dt(&self) -> f32;

    /// Simulated time so far, seconds.
    fn seconds(&self) -> f64;

    /// One time step. This is timed.
    fn step(&mut self);

    /// Everybody as they stand and move now, in any order.
    fn bodies(&self, bodies: &mut Bodies);

    /// Milliseconds of each stage of the last step.
    fn stages(&self) -> &[(&'static str, f64)] {
        &[]
    }

    /// Bytes held for the agents, scratch memory with them.
    fn bytes(&self) -> usize;
}

/// One contestant in one scene.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which scene.
    pub scene: String,
    /// How many agents.
    pub agents: usize,
    /// Which of our models, or which peer.
    #[serde(flatten)]
    pub who: Who,
    /// Threads used.
    pub threads: usize,
    /// Simulated seconds before the first turn.
    pub from_seconds: f64,
    /// Milliseconds per step, of the best turn.
    pub ms_per_step: f64,
    /// The same of the median turn.
    pub ms_median: f64,
    /// Steps per second, of the best turn.
    pub steps_per_s: f64,
    /// Nanoseconds per agent and step, of the best turn.
    pub ns_per_agent: f64,
    /// Milliseconds per step by stage, of the best turn.
    pub stages: BTreeMap<String, f64>,
    /// Bytes held per agent, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_agent: Option<f64>,
    /// Overlap as a share of the radius, mean over agents and over the ends of the turns.
    pub overlap_mean: f64,
    /// The deepest at the end of any turn.
    pub overlap_max: f64,
}

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Steps of each contestant before anything is timed, so that the crowd has met.
    pub warm_up: usize,
    /// Turns of each.
    pub turns: usize,
    /// Steps in a turn.
    pub steps: usize,
    /// Steps before them that are not timed: a crowd of its own is not driven out of the caches by others
    /// all the time.
    pub settle: usize,
}

impl Default for Turns {
    fn default() -> Self {
        Self { warm_up: 40, turns: 20, steps: 12, settle: 1 }
    }
}

/// What one contestant did so far.
#[derive(Default)]
struct Score {
    /// Simulated seconds at the first turn.
    from: f64,
    /// Milliseconds per step of each turn, and of its stages.
    turns: Vec<(f64, BTreeMap<String, f64>)>,
    overlap_sum: f64,
    overlap_max: f64,
}

/// Lets all step the same scene by turns, and gives a row of each. Overlaps are measured between the
/// turns, out of the time.
pub fn side_by_side(
    scene: &str,
    contestants: &mut [&mut dyn Contestant],
    turns: &Turns,
) -> Vec<Row> {
    for contestant in &mut *contestants {
        (0..turns.warm_up).for_each(|_| contestant.step());
    }
    let begin = |c: &&mut dyn Contestant| Score { from: c.seconds(), ..Score::default() };
    let mut scores: Vec<Score> = contestants.iter().map(begin).collect();
    let mut bodies = Bodies::default();
    for _ in 0..turns.turns.max(1) {
        for (contestant, score) in contestants.iter_mut().zip(&mut scores) {
            (0..turns.settle).for_each(|_| contestant.step());
            score.turns.push(turn(&mut **contestant, turns.steps.max(1)));
            contestant.bodies(&mut bodies);
            let overlap = bodies.overlap();
            score.overlap_sum += overlap.mean;
            score.overlap_max = score.overlap_max.max(overlap.worst);
        }
    }
    contestants.iter().zip(scores).map(|(c, score)| row(scene, &**c, score)).collect()
}

/// Milliseconds per step of some steps, and of their stages.
fn turn(contestant: &mut dyn Contestant, steps: usize) -> (f64, BTreeMap<String, f64>) {
    let mut stages = BTreeMap::new();
    let mut seconds = 0.0;
    for _ in 0..steps {
        let started = Instant::now();
        contestant.step();
        seconds += started.elapsed().as_secs_f64();
        for &(name, ms) in contestant.stages() {
            *stages.entry(name.to_owned()).or_insert(0.0) += ms / steps as f64;
        }
    }
    (seconds * 1e3 / steps as f64, stages)
}

fn row(scene: &str, contestant: &dyn Contestant, mut score: Score) -> Row {
    score.turns.sort_by(|a, b| a.0.total_cmp(&b.0));
    let turns = score.turns.len();
    let ms_median = score.turns[turns / 2].0;
    let (ms, stages) = score.turns.swap_remove(0);
    let agents = contestant.agents();
    Row {
        bytes_per_agent: Some(contestant.bytes() as f64 / agents.max(1) as f64),
        stages,
        from_seconds: score.from,
        ..Row::new(scene, agents, contestant.who(), contestant.threads())
            .timed(ms, ms_median)
            .overlapping(score.overlap_sum / turns as f64, score.overlap_max)
    }
}

impl Row {
    /// A row with nothing measured yet.
    pub(crate) fn new(scene: &str, agents: usize, who: Who, threads: usize) -> Self {
        Self {
            scene: scene.to_owned(),
            agents,
            who,
            threads,
            from_seconds: 0.0,
            ms_per_step: f64::NAN,
            ms_median: f64::NAN,
            steps_per_s: f64::NAN,
            ns_per_agent: f64::NAN,
            stages: BTreeMap::new(),
            bytes_per_agent: None,
            overlap_mean: f64::NAN,
            overlap_max: f64::NAN,
        }
    }

    pub(crate) fn timed(self, ms: f64, ms_median: f64) -> Self {
        let ns_per_agent = ms * 1e6 / self.agents as f64;
        Self { ms_per_step: ms, ms_median, steps_per_s: 1e3 / ms, ns_per_agent, ..self }
    }

    pub(crate) fn overlapping(self, mean: f64, max: f64) -> Self {
        Self { overlap_mean: mean, overlap_max: max, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Stands still, and takes its time over it.
    struct Sleeper {
        name: &'static str,
        steps: u64,
        stages: [(&'static str, f64); 1],
        x: f32,
    }

    impl Contestant for Sleeper {
        fn who(&self) -> Who {
            let name = self.name.into();
            if self.name == "ours" { Who::Model(name) } else { Who::Peer(name) }
        }
        fn threads(&self) -> usize {
            1
        }
        fn agents(&self) -> usize {
            2
        }
        fn dt(&self) -> f32 {
            0.5
        }
        fn seconds(&self) -> f64 {
            self.steps as f64 * 0.5
        }
        fn step(&mut self) {
            self.steps += 1;
            // Only one turn is fast.
            let ms = if (12..=13).contains(&self.steps) { 2 } else { 12 };
            std::thread::sleep(Duration::from_millis(ms));
            self.stages = [("sleep", ms as f64)];
        }
        fn bodies(&self, bodies: &mut Bodies) {
            bodies.clear();
            bodies.push(0, [0.0, 0.0], [0.0, 0.0], 0.3);
            bodies.push(1, [self.x, 0.0], [0.0, 0.0], 0.3);
        }
        fn stages(&self) -> &[(&'static str, f64)] {
            &self.stages
        }
        fn bytes(&self) -> usize {
            64
        }
    }

    #[test]
    fn best_turn_counts_and_rows_hold_what_was_measured() {
        let sleeper = |name, x| Sleeper { name, steps: 0, stages: [("", 0.0)], x };
        let (mut ours, mut peer) = (sleeper("ours", 0.57), sleeper("peer", 1.0));
        let turns = Turns { warm_up: 4, turns: 5, steps: 2, settle: 1 };
        let rows = side_by_side("bed", &mut [&mut ours, &mut peer], &turns);
        assert_eq!((ours.steps, peer.steps), (19, 19));
        let json = serde_json::to_value(&rows).expect("rows are plain");
        assert_eq!((&json[0]["model"], &json[1]["peer"]), (&"ours".into(), &"peer".into()));
        assert!(json[0].get("peer").is_none() && json[1].get("model").is_none());
        assert_eq!((rows[0].scene.as_str(), rows[0].from_seconds), ("bed", 2.0));
        assert!((2.0..12.0).contains(&rows[0].ms_per_step), "{rows:?}");
        assert!(rows[0].ms_median >= 12.0, "{rows:?}");
        assert_eq!(rows[0].stages["sleep"], 2.0, "stages are those of the best turn");
        assert_eq!(rows[0].bytes_per_agent, Some(32.0));
        assert!((rows[0].overlap_max - 0.1).abs() < 1e-5 && rows[1].overlap_max == 0.0);
    }
}
