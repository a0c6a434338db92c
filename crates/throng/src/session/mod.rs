//! The session: a crowd, its clock and its log, for whoever lets people watch and steer one. The only one that
//! changes the crowd. `back` lets it go back in time.

mod back;
#[cfg(test)]
mod tests;

pub use back::Kept;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use throng_crowd::{Crowd, CrowdError};
use throng_world::World;

use crate::Simulation;
use crate::command::{Command, CommandLog, Effect, LogError, LogHead, Replay};
use back::{Back, Errand};

/// Longest time that steps of one frame may take: the picture goes on, if not the crowd.
const BUDGET: Duration = Duration::from_millis(60);
/// Lines of notice that are kept.
const NOTICES: usize = 6;
/// The clock may run at these speeds (simulated seconds per second).
pub const SPEEDS: std::ops::RangeInclusive<f32> = 0.05..=32.0;

/// Called after a step.
pub type Looker<'l> = &'l mut dyn FnMut(&mut Simulation) -> Result<(), SessionError>;

/// What a session begins with.
#[derive(Debug, Default)]
pub struct SessionOptions {
    /// Number of people that the world was built for, if not the scene's own.
    pub agents: Option<u32>,
    /// Seed that was asked for, if not the scene's own.
    pub seed: Option<u64>,
    /// Writes commands here as they are carried out.
    pub commands: Option<PathBuf>,
    /// Commands of another run, to be done again.
    pub replay: Option<Replay>,
    /// Stands still at first.
    pub paused: bool,
    /// Simulated seconds per second; 0 counts as 1.
    pub speed: f32,
    /// Keeps states of the past, to which one can go back. Costs memory, and some time now and then.
    pub can_go_back: bool,
}

/// Why a session cannot go on, or cannot do as it is told.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The crowd.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// The log of commands.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log cannot be saved.
    #[error("{name}: {reason}")]
    File {
        /// Its name.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// Nothing is kept to go back to.
    #[error("{0}")]
    NoWay(String),
}

/// A crowd that people watch and steer.
#[derive(Debug)]
pub struct Session {
    simulation: Simulation,
    dt: f32,
    log: CommandLog,
    replay: Option<Replay>,
    playing: bool,
    speed: f32,
    /// Simulated seconds that are due.
    owed: f64,
    /// Whether steps take longer than they should.
    behind: bool,
    notices: VecDeque<String>,
    ground_changed: bool,
    step_ms: f32,
    back: Option<Back>,
    /// A step that it is on its way to.
    errand: Option<Errand>,
}

impl Session {
    /// A session on a crowd before its first step.
    ///
    /// # Errors
    /// The log cannot be made.
    pub fn new(mut simulation: Simulation, options: SessionOptions) -> Result<Self, SessionError> {
        let head = LogHead::of(&mut simulation, options.agents, options.seed)?;
        let dt = head.dt;
        let log = match &options.commands {
            Some(path) => CommandLog::create(path, head)?,
            None => CommandLog::new(head),
        };
        let mut session = Self {
            simulation,
            dt,
            log,
            replay: options.replay,
            playing: !options.paused,
            speed: if options.speed > 0.0 { options.speed } else { 1.0 },
            owed: 0.0,
            behind: false,
            notices: VecDeque::new(),
            ground_changed: false,
            step_ms: 0.0,
            back: None,
            errand: None,
        };
        session.hear();
        if options.can_go_back {
            session.back = Some(Back::default());
            session.keep_if_due()?;
        }
        Ok(session)
    }

    /// The crowd as it is now. On the GPU this waits.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn crowd(&mut self) -> Result<&Crowd, CrowdError> {
        self.simulation.crowd()
    }

    /// Where the crowd lives.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Number of steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.simulation.steps()
    }

    /// Simulated time (seconds).
    #[must_use]
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Length of a step (seconds).
    #[must_use]
    pub fn dt(&self) -> f32 {
        self.dt
    }

    /// What was done to the crowd so far.
    #[must_use]
    pub fn log(&self) -> &CommandLog {
        &self.log
    }

    /// Whether the clock runs.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.playing
    }

    /// Lets the clock run, or stops it.
    pub fn play(&mut self, playing: bool) {
        self.playing = playing;
        self.owed = 0.0;
        self.behind = false;
    }

    /// Simulated seconds per second.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Lets the clock run faster or slower. The length of a step stays the same, and with it the result.
    pub fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
        }
    }

    /// How long until the next step is due, if the clock runs.
    #[must_use]
    pub fn due_in(&self) -> Option<Duration> {
        if self.errand.is_some() {
            return Some(Duration::ZERO);
        }
        let seconds = (f64::from(self.dt) - self.owed).max(0.0) / f64::from(self.speed);
        self.playing.then(|| Duration::from_secs_f64(seconds))
    }

    /// Whether steps take longer than the speed would have it.
    #[must_use]
    pub fn behind(&self) -> bool {
        self.behind
    }

    /// What a step takes at present (milliseconds).
    #[must_use]
    pub fn step_ms(&self) -> f32 {
        self.step_ms
    }

    /// Lines for people, oldest first.
    pub fn notices(&self) -> impl Iterator<Item = &str> {
        self.notices.iter().map(String::as_str)
    }

    /// Tells people something.
    pub fn tell(&mut self, line: String) {
        if self.notices.back() == Some(&line) {
            return;
        }
        if self.notices.len() == NOTICES {
            self.notices.pop_front();
        }
        self.notices.push_back(line);
    }

    /// Whether walls or goals were changed since this was asked last.
    pub fn take_ground_changed(&mut self) -> bool {
        std::mem::take(&mut self.ground_changed)
    }

    /// Carries a command out before the next step and writes it down. One that the crowd refuses is told as
    /// a notice.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn command(&mut self, command: &Command) -> Result<Option<Effect>, SessionError> {
        match self.carry_out(command) {
            Ok(effect) => Ok(Some(effect)),
            Err(SessionError::Log(LogError::Crowd(error))) => {
                self.tell(error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Carries a command out before the next step and writes it down.
    ///
    /// # Errors
    /// The crowd refuses it: then nothing is changed. The log cannot be written.
    pub fn carry_out(&mut self, command: &Command) -> Result<Effect, SessionError> {
        let effect = self.log.carry_out(&mut self.simulation, command)?;
        self.ground_changed |= command.changes_ground();
        self.hear();
        Ok(effect)
    }

    /// Lets time pass: so many seconds of a clock on the wall. Gives the number of steps that were made.
    ///
    /// # Errors
    /// The crowd cannot go on.
    pub fn advance(&mut self, elapsed: Duration) -> Result<u32, SessionError> {
        self.advance_with(elapsed, &mut |_| Ok(()))
    }

    /// The same, for a host that wants to look at the crowd after every step.
    ///
    /// # Errors
    /// The crowd cannot go on, or the host will not.
    pub fn advance_with(
        &mut self,
        elapsed: Duration,
        look: Looker<'_>,
    ) -> Result<u32, SessionError> {
        if self.errand.is_some() {
            return self.run_errand(look);
        }
        if !self.playing {
            return Ok(0);
        }
        self.owed += elapsed.as_secs_f64() * f64::from(self.speed);
        let (began, mut made) = (Instant::now(), 0);
        while self.owed >= f64::from(self.dt) {
            if made > 0 && began.elapsed() > BUDGET {
                self.owed = 0.0;
                self.behind = true;
                return Ok(made);
            }
            self.owed -= f64::from(self.dt);
            self.step()?;
            look(&mut self.simulation)?;
            made += 1;
        }
        if made > 0 {
            self.behind = false;
        }
        Ok(made)
    }

    /// One step, also when the clock stands still.
    ///
    /// # Errors
    /// The crowd cannot go on.
    pub fn step(&mut self) -> Result<(), SessionError> {
        self.repeat();
        let began = Instant::now();
        self.simulation.step(self.dt)?;
        let took = began.elapsed().as_secs_f32() * 1e3;
        self.step_ms += (took - self.step_ms) * if self.step_ms == 0.0 { 1.0 } else { 0.1 };
        self.hear();
        self.keep_if_due()
    }

    /// Does what a log has before the next step. It is written down again: the new log is whole as well.
    fn repeat(&mut self) {
        let Some(mut replay) = self.replay.take() else { return };
        let due = replay.take_due(self.simulation.steps());
        for command in due {
            if let Err(error) = self.command(&command) {
                self.tell(error.to_string());
            }
        }
        if replay.progress().is_over() {
            self.tell("all commands of the log are done".into());
        } else {
            self.replay = Some(replay);
        }
    }

    fn hear(&mut self) {
        for notice in self.simulation.take_notices() {
            self.tell(notice);
        }
    }

    /// Writes down the crowd's hash, by which a replay of the log is checked.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn checkpoint(&mut self) -> Result<u64, SessionError> {
        Ok(self.log.checkpoint(&mut self.simulation)?)
    }

    /// Writes the whole log to a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save_log(&mut self, path: &Path) -> Result<(), SessionError> {
        self.checkpoint()?;
        std::fs::write(path, self.log.text()).map_err(|e| SessionError::File {
            name: path.display().to_string(),
            reason: e.to_string(),
        })
    }

    /// The world as it is now. On the GPU this waits.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn world(&mut self) -> Result<&World, CrowdError> {
        Ok(self.simulation.crowd()?.world())
    }
}
