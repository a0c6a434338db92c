//! `--commands`: a run that repeats what a person did to another one.

use super::job::Job;
use crate::failure::Failure;
use std::path::Path;
use throng::command::{CommandLog, Replay, ReplayError};
use throng::{CrowdError, World};

/// What stops a run before its end.
pub(super) enum Stop {
    Crowd(CrowdError),
    Replay(ReplayError),
}

impl From<CrowdError> for Stop {
    fn from(error: CrowdError) -> Self {
        Self::Crowd(error)
    }
}

impl From<ReplayError> for Stop {
    fn from(error: ReplayError) -> Self {
        Self::Replay(error)
    }
}

impl Stop {
    pub(super) fn failure(self, step: u64) -> Failure {
        match self {
            Self::Crowd(error) => Failure::Step { step, error },
            Self::Replay(error) => Failure::Output(error.to_string()),
        }
    }
}

/// Reads a log, and makes the run the one that the log is of. What the command line says besides must agree
/// with it.
pub(super) fn open(job: &Job, path: &Path) -> Result<(Job, Replay), Failure> {
    let log = CommandLog::read(path).map_err(|error| Failure::Usage(error.to_string()))?;
    let head = log.head().clone();
    let same = |option: &str, given: Option<String>, logged: Option<String>| match given {
        Some(given) if Some(&given) != logged.as_ref() => Err(Failure::Usage(format!(
            "--{option} {given}: the run of {} had {}",
            path.display(),
            logged.unwrap_or_else(|| "the scene's own".into())
        ))),
        _ => Ok(()),
    };
    let text = |number: Option<u64>| number.map(|number| number.to_string());
    same("agents", text(job.agents.map(u64::from)), text(head.agents.map(u64::from)))?;
    same("seed", text(job.seed), text(head.seed))?;
    same("dt", job.dt.map(|dt| dt.to_string()), Some(head.dt.to_string()))?;
    let mut job = job.clone();
    (job.agents, job.seed, job.dt) = (head.agents, head.seed, Some(head.dt));
    let replay = Replay::new(log);
    if job.steps.is_none() && job.seconds.is_none() {
        job.steps = Some(replay.last_step().max(1));
    }
    Ok((job, replay))
}

/// That the log belongs to the scene.
pub(crate) fn check_scene(replay: &Replay, world: &World) -> Result<(), Failure> {
    let logged = &replay.head().scene;
    if *logged == world.name {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "the log is of the scene {logged:?}, and this one is called {:?}",
        world.name
    )))
}
