//! One slice of a soak: a crowd, edits, and a look at everybody after every step.

use super::fire::Fire;
use super::ledger::{Bodies, Ledger, Limits, Violation, Worst};
use super::plan::Slice;
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use throng::{BuildOptions, Crowd, CrowdOptions, Scene};

/// What was found: where, and what.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The step that was being made, from 1; 0 before the first.
    pub(super) step: u64,
    pub(super) agent: Option<u32>,
    pub(super) what: String,
}

/// What came of a slice.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) agent_steps: u64,
    pub(super) steps: u64,
    pub(super) edits: BTreeMap<&'static str, u64>,
    pub(super) most_people: usize,
    pub(super) spawned: u64,
    pub(super) removed: u64,
    pub(super) displaced: u64,
    pub(super) worst: Worst,
    pub(super) stepping: Duration,
    pub(super) checking: Duration,
    pub(super) editing: Duration,
}

impl Outcome {
    fn new() -> Self {
        Self {
            agent_steps: 0,
            steps: 0,
            edits: BTreeMap::new(),
            most_people: 0,
            spawned: 0,
            removed: 0,
            displaced: 0,
            worst: Worst::NONE,
            stepping: Duration::ZERO,
            checking: Duration::ZERO,
            editing: Duration::ZERO,
        }
    }
}

/// A crowd under fire.
struct Trial<'s> {
    slice: &'s Slice,
    crowd: Crowd,
    fire: Fire,
    ledger: Ledger,
    outcome: Outcome,
}

impl<'s> Trial<'s> {
    fn new(slice: &'s Slice, pool: &Arc<ThreadPool>) -> Result<Self, String> {
        let scene = Scene::builtin(slice.scene).ok_or("no such scene")?;
        let options = BuildOptions { agents: Some(slice.agents), ..BuildOptions::default() };
        let world = scene.build(&options).map_err(|e| format!("cannot be built: {e}"))?;
        let options = CrowdOptions {
            seed: Some(slice.seed),
            model: Some(slice.model),
            pool: Some(pool.clone()),
            ..CrowdOptions::default()
        };
        let crowd = Crowd::new(world, options).map_err(|e| format!("no crowd: {e}"))?;
        let fire = Fire::new(slice.seed, &crowd);
        Ok(Self { slice, crowd, fire, ledger: Ledger::default(), outcome: Outcome::new() })
    }

    /// Whether the crowd is shot at before this step.
    fn edits_before(&self, step: u64) -> bool {
        step == 1 || step.is_multiple_of(self.slice.edit_every)
    }

    fn edit(&mut self) -> Result<(), Violation> {
        let began = Instant::now();
        for _ in 0..=self.fire.below(3) {
            let done = self.fire.shoot(&mut self.crowd);
            let name = done.map_err(|what| Violation { agent: None, what })?;
            *self.outcome.edits.entry(name).or_default() += 1;
        }
        self.outcome.editing += began.elapsed();
        Ok(())
    }

    /// Edits, where they are due, one step, and a look at everybody.
    fn advance(&mut self, step: u64) -> Result<(), Violation> {
        if self.edits_before(step) {
            self.edit()?;
            self.ledger.take(&Bodies::of(&self.crowd))?;
        }
        let began = Instant::now();
        let dt = self.slice.dt;
        self.crowd.step(dt).map_err(|error| Violation { agent: None, what: error.to_string() })?;
        let stepped = Instant::now();
        let worst = self.ledger.check(&Bodies::of(&self.crowd), &Limits::of(&self.crowd, dt))?;
        let outcome = &mut self.outcome;
        outcome.stepping += stepped - began;
        outcome.checking += stepped.elapsed();
        outcome.worst = outcome.worst.and(worst);
        outcome.agent_steps += self.crowd.len() as u64;
        outcome.steps += 1;
        outcome.most_people = outcome.most_people.max(self.crowd.len());
        Ok(())
    }

    fn end(mut self) -> Outcome {
        let totals = self.crowd.totals();
        self.outcome.spawned = totals.spawned;
        self.outcome.removed = totals.removed;
        self.outcome.displaced = totals.displaced;
        self.outcome
    }
}

/// Runs a slice until it is over or `go_on` (told the agent-steps so far, and people) says no.
pub(super) fn run(
    slice: &Slice,
    pool: &Arc<ThreadPool>,
    mut go_on: impl FnMut(u64, usize) -> bool + Send,
) -> (Outcome, Option<Finding>) {
    let at = AtomicU64::new(0);
    let trial = || -> (Outcome, Option<Violation>) {
        let mut trial = match Trial::new(slice, pool) {
            Ok(trial) => trial,
            Err(what) => return (Outcome::new(), Some(Violation { agent: None, what })),
        };
        for step in 1..=slice.steps {
            at.store(step, Ordering::Relaxed);
            if let Err(violation) = trial.advance(step) {
                return (trial.end(), Some(violation));
            }
            let done = trial.outcome.agent_steps;
            if done >= slice.agent_steps || !go_on(done, trial.crowd.len()) {
                break;
            }
        }
        (trial.end(), None)
    };
    let done = catch_unwind(AssertUnwindSafe(|| pool.install(trial)));
    let (outcome, violation) = done.unwrap_or_else(|panic| {
        let what = format!("panicked: {}", words(&*panic));
        (Outcome::new(), Some(Violation { agent: None, what }))
    });
    let finding = violation.map(|violation| Finding {
        step: at.load(Ordering::Relaxed),
        agent: violation.agent,
        what: violation.to_string(),
    });
    (outcome, finding)
}

/// The crowd as it was right before a step of a slice, found by going there once more.
pub(super) fn snapshot_before(
    slice: &Slice,
    step: u64,
    pool: &Arc<ThreadPool>,
) -> Result<Vec<u8>, String> {
    let again = || -> Result<Vec<u8>, String> {
        let mut trial = Trial::new(slice, pool)?;
        for earlier in 1..step {
            trial.advance(earlier).map_err(|v| format!("already at step {earlier}: {v}"))?;
        }
        // An edit that fails leaves the crowd as it was before it.
        if trial.edits_before(step) {
            let _ = trial.edit();
        }
        Ok(trial.crowd.snapshot())
    };
    catch_unwind(AssertUnwindSafe(|| pool.install(again)))
        .unwrap_or_else(|panic| Err(format!("panicked: {}", words(&*panic))))
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
