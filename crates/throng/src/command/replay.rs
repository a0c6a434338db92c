//! A log done again, step by step.

use throng_crowd::CrowdError;

use super::{Command, CommandLog, Entry, LogHead};
use crate::Simulation;

/// Why a replay is not the run that was written down.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A command cannot be carried out.
    #[error("the command of the log at step {step} is refused: {error}")]
    Refused {
        /// Its step.
        step: u64,
        /// Why.
        error: CrowdError,
    },
    /// The crowd has another hash than it had.
    #[error(
        "the run differs from the log at step {step}: its hash is {found:016x}, the log has {logged:016x}"
    )]
    Differs {
        /// The step.
        step: u64,
        /// The hash now.
        found: u64,
        /// The hash then.
        logged: u64,
    },
    /// The crowd was stepped past something that was to be done.
    #[error("the run is at step {at} and the log has something to do at step {step}")]
    Missed {
        /// Where the run is.
        at: u64,
        /// What was passed by.
        step: u64,
    },
    /// The crowd cannot be looked at.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

/// How far a replay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Commands carried out so far.
    pub commands: usize,
    /// Hashes compared so far.
    pub checkpoints: usize,
    /// Entries left.
    pub left: usize,
}

impl Progress {
    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.left == 0
    }
}

/// Carries the commands of a log out at their steps.
#[derive(Debug)]
pub struct Replay {
    log: CommandLog,
    next: usize,
    commands: usize,
    checkpoints: usize,
}

impl Replay {
    /// A replay of a log, from its beginning.
    #[must_use]
    pub fn new(log: CommandLog) -> Self {
        Self { log, next: 0, commands: 0, checkpoints: 0 }
    }

    /// Which run it is of.
    #[must_use]
    pub fn head(&self) -> &LogHead {
        self.log.head()
    }

    /// The last step with an entry.
    #[must_use]
    pub fn last_step(&self) -> u64 {
        self.log.entries().last().map_or(0, |(step, _)| *step)
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let left = self.log.entries().len() - self.next;
        Progress { commands: self.commands, checkpoints: self.checkpoints, left }
    }

    /// Takes the commands that are due before the next step, at step `at`, for a host that carries them out
    /// itself; hashes are passed by.
    pub fn take_due(&mut self, at: u64) -> Vec<Command> {
        let mut due = Vec::new();
        while let Some((_, entry)) = self.log.entries().get(self.next).filter(|(s, _)| *s <= at) {
            if let Entry::Command(command) = entry {
                due.push(command.clone());
                self.commands += 1;
            }
            self.next += 1;
        }
        due
    }

    /// Does what is due before the next step of a crowd: to be called before every step, and after the last.
    /// Hashes are compared where the crowd lives on the backend that the log was made on: on another it is
    /// the same but for rounding.
    ///
    /// # Errors
    /// A command is refused, a hash differs, or a step was left out.
    pub fn catch_up(&mut self, simulation: &mut Simulation) -> Result<Progress, ReplayError> {
        let at = simulation.steps();
        while let Some((step, entry)) = self.log.entries().get(self.next) {
            if *step > at {
                break;
            }
            let step = *step;
            if step < at {
                return Err(ReplayError::Missed { at, step });
            }
            match entry {
                Entry::Command(command) => {
                    let refused = |error| ReplayError::Refused { step, error };
                    command.apply(simulation).map_err(refused)?;
                    self.commands += 1;
                }
                Entry::Checkpoint(logged) => {
                    if simulation.backend().name() == self.log.head().backend {
                        let (found, logged) = (simulation.crowd()?.hash(), *logged);
                        if found != logged {
                            return Err(ReplayError::Differs { step, found, logged });
                        }
                        self.checkpoints += 1;
                    }
                }
            }
            self.next += 1;
        }
        Ok(self.progress())
    }
}
