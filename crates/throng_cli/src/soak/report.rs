//! What came of a soak, for people and for programs.

use super::ledger::Worst;
use super::plan::Slice;
use super::slice::{Finding, Outcome};
use crate::run::count;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// Sums over slices.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Row {
    pub(super) scene: String,
    slices: u64,
    pub(super) agent_steps: u64,
    steps: u64,
    most_people: usize,
    pub(super) edits: u64,
    spawned: u64,
    removed: u64,
    displaced: u64,
    /// How near anybody came to a limit: 1 is the limit itself.
    speed_of_limit: f32,
    acceleration_of_limit: f32,
    turn_of_limit: f32,
    /// Metres from the middle of anybody to a wall; none where there is no wall.
    least_clearance: Option<f32>,
}

impl Row {
    fn new(scene: &str) -> Self {
        Self {
            scene: scene.to_owned(),
            slices: 0,
            agent_steps: 0,
            steps: 0,
            most_people: 0,
            edits: 0,
            spawned: 0,
            removed: 0,
            displaced: 0,
            speed_of_limit: 0.0,
            acceleration_of_limit: 0.0,
            turn_of_limit: 0.0,
            least_clearance: None,
        }
    }

    fn add(&mut self, outcome: &Outcome) {
        let Worst { speed, acceleration, turn, clearance } = outcome.worst;
        self.slices += 1;
        self.agent_steps += outcome.agent_steps;
        self.steps += outcome.steps;
        self.most_people = self.most_people.max(outcome.most_people);
        self.edits += outcome.edits.values().sum::<u64>();
        self.spawned += outcome.spawned;
        self.removed += outcome.removed;
        self.displaced += outcome.displaced;
        self.speed_of_limit = self.speed_of_limit.max(speed);
        self.acceleration_of_limit = self.acceleration_of_limit.max(acceleration);
        self.turn_of_limit = self.turn_of_limit.max(turn);
        if clearance.is_finite() {
            let least = self.least_clearance.unwrap_or(f32::INFINITY);
            self.least_clearance = Some(least.min(clearance));
        }
    }

    fn line(&self) -> String {
        let clearance = self.least_clearance.map_or_else(String::new, |c| format!("{c:.3}"));
        format!(
            "{:<12}{:>7}{:>15}{:>10}{:>9}{:>9}{:>9}{:>8.3}{:>8.3}{:>8.3}{clearance:>8}",
            self.scene,
            self.slices,
            count(self.agent_steps),
            count(self.steps),
            count(self.most_people as u64),
            count(self.edits),
            count(self.displaced),
            self.speed_of_limit,
            self.acceleration_of_limit,
            self.turn_of_limit,
        )
    }
}

/// What was found wrong, with all it takes to find it again.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Wrong {
    #[serde(flatten)]
    slice: Slice,
    step: u64,
    agent: Option<u32>,
    what: String,
    /// The crowd right before the step.
    snapshot: Option<String>,
    /// The command that finds it again.
    repeat: String,
}

/// The whole soak.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Report {
    pub(super) seed: u64,
    pub(super) agent_steps: u64,
    pub(super) wanted: u64,
    steps: u64,
    slices: u64,
    edits: BTreeMap<&'static str, u64>,
    seconds: f64,
    step_seconds: f64,
    check_seconds: f64,
    edit_seconds: f64,
    pub(super) interrupted: bool,
    scenes: Vec<Row>,
    pub(super) wrong: Option<Wrong>,
}

impl Report {
    pub(super) fn new(seed: u64, wanted: u64, scenes: impl Iterator<Item = &'static str>) -> Self {
        Self {
            seed,
            agent_steps: 0,
            wanted,
            steps: 0,
            slices: 0,
            edits: BTreeMap::new(),
            seconds: 0.0,
            step_seconds: 0.0,
            check_seconds: 0.0,
            edit_seconds: 0.0,
            interrupted: false,
            scenes: scenes.map(Row::new).collect(),
            wrong: None,
        }
    }

    pub(super) fn add(&mut self, scene: &str, outcome: &Outcome) {
        self.slices += 1;
        self.agent_steps += outcome.agent_steps;
        self.steps += outcome.steps;
        self.step_seconds += outcome.stepping.as_secs_f64();
        self.check_seconds += outcome.checking.as_secs_f64();
        self.edit_seconds += outcome.editing.as_secs_f64();
        for (name, number) in &outcome.edits {
            *self.edits.entry(name).or_default() += number;
        }
        if let Some(row) = self.scenes.iter_mut().find(|row| row.scene == scene) {
            row.add(outcome);
        }
    }

    pub(super) fn found(
        &mut self,
        slice: &Slice,
        finding: Finding,
        snapshot: Option<String>,
        repeat: String,
    ) {
        let Finding { step, agent, what } = finding;
        self.wrong = Some(Wrong { slice: slice.clone(), step, agent, what, snapshot, repeat });
    }

    pub(super) fn took(&mut self, time: Duration) {
        self.seconds = time.as_secs_f64();
    }

    /// As a person reads it.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{:<12}{:>7}{:>15}{:>10}{:>9}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}\n",
            "scene",
            "slices",
            "agent-steps",
            "steps",
            "people",
            "edits",
            "aside",
            "speed",
            "accel.",
            "turn",
            "wall"
        );
        for row in self.scenes.iter().filter(|row| row.slices > 0) {
            text.push_str(&row.line());
            text.push('\n');
        }
        text.push_str(
            "(people: at most; aside: put out of the way of new walls; speed, acceleration and turn:\n \
             the worst as a share of the limit; wall: the least distance of a middle, in metres)\n",
        );
        let kinds: Vec<String> =
            self.edits.iter().map(|(name, number)| format!("{name} {}", count(*number))).collect();
        let _ = writeln!(text, "edits: {}", kinds.join(", "));
        let per = |seconds: f64| 1e9 * seconds / self.agent_steps.max(1) as f64;
        let _ = write!(
            text,
            "{} agent-steps in {:.0} s; per agent-step {:.0} ns to step, {:.1} ns to check, {:.0} ns \
             for edits",
            count(self.agent_steps),
            self.seconds,
            per(self.step_seconds),
            per(self.check_seconds),
            per(self.edit_seconds)
        );
        let verdict = match &self.wrong {
            None => {
                "\nnothing was wrong: no NaN, nobody in a wall, lost or doubled, no limit broken"
                    .into()
            }
            Some(wrong) => wrong.text(),
        };
        text.push_str(&verdict);
        text
    }
}

impl Wrong {
    fn text(&self) -> String {
        let slice = &self.slice;
        let mut text = format!(
            "\nWRONG: {}, seed {}, {} agents, step {} of {} s: {}",
            slice.scene, slice.seed, slice.agents, self.step, slice.dt, self.what
        );
        if let Some(snapshot) = &self.snapshot {
            let _ = write!(text, "\n  the crowd before that step: {snapshot}");
        }
        let _ = write!(text, "\n  again: {}", self.repeat);
        text
    }
}
