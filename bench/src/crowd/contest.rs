//! Timing by turns: on a shared machine that is now fast, now slow, all contestants meet the same.

use super::Problem;
use super::measure::overlaps;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// Somebody who steps a crowd.
pub trait Contestant {
    /// What the table calls it.
    fn name(&self) -> String;

    /// Whether it is ours; else it is a peer.
    fn ours(&self) -> bool {
        false
    }

    /// Threads it steps on.
    fn threads(&self) -> usize;

    /// One time step. This is timed.
    fn step(&mut self);

    /// Positions in the order of the problem's agents, metres.
    fn positions(&self, x: &mut Vec<f32>, y: &mut Vec<f32>);

    /// Velocities in the order of the problem's agents, metres per second.
    fn velocities(&self, vx: &mut Vec<f32>, vy: &mut Vec<f32>);

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
    /// Which of our models,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// or which peer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<String>,
    /// Threads used.
    pub threads: usize,
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
}

impl Default for Turns {
    fn default() -> Self {
        Self { warm_up: 40, turns: 15, steps: 4 }
    }
}

/// What one contestant did so far.
#[derive(Default)]
struct Score {
    /// Milliseconds per step of each turn, and of its stages.
    turns: Vec<(f64, BTreeMap<String, f64>)>,
    overlap_sum: f64,
    overlap_max: f64,
}

/// Lets all step the same problem by turns, and gives a row of each. Overlaps are measured between the
/// turns, out of the time.
pub fn side_by_side(
    problem: &Problem,
    contestants: &mut [&mut dyn Contestant],
    turns: &Turns,
) -> Vec<Row> {
    for contestant in &mut *contestants {
        (0..turns.warm_up).for_each(|_| contestant.step());
    }
    let mut scores: Vec<Score> = contestants.iter().map(|_| Score::default()).collect();
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for _ in 0..turns.turns.max(1) {
        for (contestant, score) in contestants.iter_mut().zip(&mut scores) {
            score.turns.push(turn(&mut **contestant, turns.steps.max(1)));
            contestant.positions(&mut x, &mut y);
            let overlap = overlaps(&x, &y, &problem.radius);
            score.overlap_sum += overlap.mean;
            score.overlap_max = score.overlap_max.max(overlap.worst);
        }
    }
    contestants.iter().zip(scores).map(|(c, score)| row(problem, &**c, score)).collect()
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

fn row(problem: &Problem, contestant: &dyn Contestant, mut score: Score) -> Row {
    score.turns.sort_by(|a, b| a.0.total_cmp(&b.0));
    let turns = score.turns.len();
    let ms_median = score.turns[turns / 2].0;
    let (ms, stages) = score.turns.swap_remove(0);
    let agents = problem.agents();
    Row {
        bytes_per_agent: Some(contestant.bytes() as f64 / agents as f64),
        stages,
        ..Row::new(problem, contestant.name(), contestant.ours(), contestant.threads())
            .timed(ms, ms_median)
            .overlapping(score.overlap_sum / turns as f64, score.overlap_max)
    }
}

impl Row {
    /// A row with nothing measured yet.
    pub(crate) fn new(problem: &Problem, name: String, ours: bool, threads: usize) -> Self {
        let (model, peer) = if ours { (Some(name), None) } else { (None, Some(name)) };
        Self {
            scene: problem.scene.clone(),
            agents: problem.agents(),
            model,
            peer,
            threads,
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
    use crate::crowd::circle;
    use std::time::Duration;

    /// Stands still, and takes its time over it.
    struct Sleeper {
        name: &'static str,
        steps: u64,
        stages: [(&'static str, f64); 1],
        x: f32,
    }

    impl Contestant for Sleeper {
        fn name(&self) -> String {
            self.name.into()
        }
        fn ours(&self) -> bool {
            self.name == "ours"
        }
        fn threads(&self) -> usize {
            1
        }
        fn step(&mut self) {
            self.steps += 1;
            // Only one turn is fast.
            let ms = if (11..=12).contains(&self.steps) { 2 } else { 12 };
            std::thread::sleep(Duration::from_millis(ms));
            self.stages = [("sleep", ms as f64)];
        }
        fn positions(&self, x: &mut Vec<f32>, y: &mut Vec<f32>) {
            *x = vec![0.0, self.x];
            *y = vec![0.0; 2];
        }
        fn velocities(&self, _: &mut Vec<f32>, _: &mut Vec<f32>) {}
        fn stages(&self) -> &[(&'static str, f64)] {
            &self.stages
        }
        fn bytes(&self) -> usize {
            64
        }
    }

    #[test]
    fn best_turn_counts_and_rows_hold_what_was_measured() {
        let problem = circle(2, 0.3, 1.3, 1);
        let sleeper = |name, x| Sleeper { name, steps: 0, stages: [("", 0.0)], x };
        let (mut ours, mut peer) = (sleeper("ours", 0.57), sleeper("peer", 1.0));
        let turns = Turns { warm_up: 4, turns: 5, steps: 2 };
        let rows = side_by_side(&problem, &mut [&mut ours, &mut peer], &turns);
        assert_eq!((ours.steps, peer.steps), (14, 14));
        assert_eq!(
            (rows[0].model.as_deref(), rows[1].peer.as_deref()),
            (Some("ours"), Some("peer"))
        );
        assert!(rows[0].peer.is_none() && rows[1].model.is_none());
        assert!((2.0..12.0).contains(&rows[0].ms_per_step), "{rows:?}");
        assert!(rows[0].ms_median >= 12.0, "{rows:?}");
        assert_eq!(rows[0].stages["sleep"], 2.0, "stages are those of the best turn");
        assert_eq!(rows[0].bytes_per_agent, Some(32.0));
        assert!((rows[0].overlap_max - 0.1).abs() < 1e-5 && rows[1].overlap_max == 0.0);
    }
}
