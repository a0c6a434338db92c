//! The log: what was done to a crowd, and when, as lines of JSON.
//!
//! The first line says which run it belongs to ([`LogHead`]); each line after it has a step and either a
//! command that was carried out before the next one, or the hash of the crowd at that moment, by which a
//! replay is checked, or says that the crowd was put back: so many entries before it still hold, and the others
//! never happened. A line is written as soon as its command is carried out: what a killed program leaves
//! can be replayed.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_crowd::CrowdError;

use super::{Command, Effect};
use crate::Simulation;

/// The form of the lines.
const VERSION: u32 = 1;
/// More than any log of a person's doing; a larger file is none.
const LARGEST: u64 = 1 << 30;

/// Which run a log belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogHead {
    /// Version of the form.
    pub throng_commands: u32,
    /// Name of the scene.
    pub scene: String,
    /// Number of people that was asked for, if not the scene's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<u32>,
    /// Seed that was asked for, if not the scene's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Length of the steps (seconds).
    pub dt: f32,
    /// Where the crowd lived at the start: `cpu` or `gpu`.
    pub backend: String,
}

impl LogHead {
    /// The head for a run, before its first step, in steps of the world's own length. `agents` and `seed` are
    /// what was asked for when its world was built.
    ///
    /// # Errors
    /// As [`Simulation::crowd`].
    pub fn of(
        simulation: &mut Simulation,
        agents: Option<u32>,
        seed: Option<u64>,
    ) -> Result<Self, CrowdError> {
        let backend = simulation.backend().name().to_owned();
        let world = simulation.crowd()?.world();
        let (scene, dt) = (world.name.clone(), world.dt);
        Ok(Self { throng_commands: VERSION, scene, agents, seed, dt, backend })
    }
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A command that was carried out.
    Command(Command),
    /// The hash of the crowd.
    Checkpoint(u64),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    step: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<Command>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    /// So many entries before this line hold; the crowd was put back to the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<usize>,
}

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("{name}: {reason}")]
    File {
        /// Its name.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// A line is none.
    #[error("{name}:{line}: {what}")]
    Line {
        /// Name of the log.
        name: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The crowd refused a command.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

/// What was done to a crowd, and when.
#[derive(Debug)]
pub struct CommandLog {
    head: LogHead,
    entries: Vec<(u64, Entry)>,
    file: Option<(String, File)>,
}

impl CommandLog {
    /// An empty log in memory.
    #[must_use]
    pub fn new(head: LogHead) -> Self {
        Self { head, entries: Vec::new(), file: None }
    }

    /// An empty log that is written to a file as it grows.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path, head: LogHead) -> Result<Self, LogError> {
        let name = path.display().to_string();
        let file = File::create(path).map_err(|e| failed(&name, &e))?;
        let mut log = Self { file: Some((name, file)), ..Self::new(head) };
        let line = json(&log.head);
        log.write(&line)?;
        Ok(log)
    }

    /// Which run it belongs to.
    #[must_use]
    pub fn head(&self) -> &LogHead {
        &self.head
    }

    /// Everything in it, with its step.
    #[must_use]
    pub fn entries(&self) -> &[(u64, Entry)] {
        &self.entries
    }

    /// How many commands there are.
    #[must_use]
    pub fn commands(&self) -> usize {
        self.entries.iter().filter(|(_, entry)| matches!(entry, Entry::Command(_))).count()
    }

    /// Carries a command out, and writes it down with the step at which it took effect.
    ///
    /// # Errors
    /// The crowd refuses it: then nothing is changed nor written. The file cannot be written: it took effect.
    pub fn carry_out(
        &mut self,
        simulation: &mut Simulation,
        command: &Command,
    ) -> Result<Effect, LogError> {
        let effect = command.apply(simulation)?;
        self.push(simulation.steps(), Entry::Command(command.clone()))?;
        Ok(effect)
    }

    /// Writes down what the crowd's hash is now. On the GPU this waits.
    ///
    /// # Errors
    /// As [`Simulation::crowd`]; the file cannot be written.
    pub fn checkpoint(&mut self, simulation: &mut Simulation) -> Result<u64, LogError> {
        let hash = simulation.crowd()?.hash();
        self.push(simulation.steps(), Entry::Checkpoint(hash))?;
        Ok(hash)
    }

    /// The crowd was put back to what it was at `step`, after the entries `held`: those are the log from now
    /// on. A file keeps the lines of what was undone, and says that it was.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn put_back(&mut self, step: u64, held: &[(u64, Entry)]) -> Result<(), LogError> {
        let same = self.entries.iter().zip(held).take_while(|(a, b)| a == b).count();
        self.entries.truncate(same);
        let first = held.get(same).map_or(step, |(step, _)| *step);
        let line = Line { step: first.min(step), command: None, hash: None, kept: Some(same) };
        self.write(&json(&line))?;
        held[same..].iter().try_for_each(|(step, entry)| self.push(*step, entry.clone()))
    }

    fn push(&mut self, step: u64, entry: Entry) -> Result<(), LogError> {
        let line = line(step, &entry);
        self.entries.push((step, entry));
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), LogError> {
        let Some((name, file)) = &mut self.file else { return Ok(()) };
        file.write_all(format!("{line}\n").as_bytes()).map_err(|e| failed(name, &e))
    }

    /// All of it, as it is written to a file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = json(&self.head) + "\n";
        for (step, entry) in &self.entries {
            let _ = writeln!(text, "{}", line(*step, entry));
        }
        text
    }

    /// Reads a log from a file.
    ///
    /// # Errors
    /// The file cannot be read, or as [`CommandLog::parse`].
    pub fn read(path: &Path) -> Result<Self, LogError> {
        let name = path.display().to_string();
        let size = std::fs::metadata(path).map_err(|e| failed(&name, &e))?.len();
        if size > LARGEST {
            let reason = format!("{size} bytes are too many for a log of commands");
            return Err(LogError::File { name, reason });
        }
        let text = std::fs::read_to_string(path).map_err(|e| failed(&name, &e))?;
        Self::parse(&text, &name)
    }

    /// Reads a log; `name` is for messages. A last line that was cut short is left out.
    ///
    /// # Errors
    /// A line that is none, steps that go back, another version.
    pub fn parse(text: &str, name: &str) -> Result<Self, LogError> {
        let bad = |line: usize, what: String| LogError::Line { name: name.to_owned(), line, what };
        let mut lines = text.split_inclusive('\n').enumerate();
        let (_, first) = lines.next().ok_or_else(|| bad(1, "an empty file is no log".into()))?;
        let head: LogHead = serde_json::from_str(first)
            .map_err(|e| bad(1, format!("this is no head of a log of commands: {e}")))?;
        if head.throng_commands != VERSION {
            let found = head.throng_commands;
            return Err(bad(1, format!("version {found} is not known; {VERSION} is")));
        }
        let mut log = Self::new(head);
        for (i, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let cut_short = !text.ends_with('\n');
            let parsed: Line = match serde_json::from_str(text) {
                Ok(line) => line,
                Err(_) if cut_short => break,
                Err(e) => return Err(bad(i + 1, e.to_string())),
            };
            if let Some(kept) = parsed.kept {
                if kept > log.entries.len() || parsed.command.is_some() || parsed.hash.is_some() {
                    return Err(bad(i + 1, format!("{kept} entries cannot hold here")));
                }
                log.entries.truncate(kept);
                continue;
            }
            let entry = match (parsed.command, parsed.hash) {
                (Some(command), None) => Entry::Command(command),
                (None, Some(hash)) => Entry::Checkpoint(
                    u64::from_str_radix(&hash, 16)
                        .map_err(|_| bad(i + 1, format!("{hash:?} is no hash")))?,
                ),
                _ => return Err(bad(i + 1, "give either a command or a hash".into())),
            };
            let last = log.entries.last().map_or(0, |(step, _)| *step);
            if parsed.step < last {
                let step = parsed.step;
                return Err(bad(i + 1, format!("step {step} comes after step {last}")));
            }
            log.entries.push((parsed.step, entry));
        }
        Ok(log)
    }
}

fn line(step: u64, entry: &Entry) -> String {
    json(&match entry {
        Entry::Command(command) => {
            Line { step, command: Some(command.clone()), hash: None, kept: None }
        }
        Entry::Checkpoint(hash) => {
            Line { step, command: None, hash: Some(format!("{hash:016x}")), kept: None }
        }
    })
}

/// Structs of strings and numbers always have a text; numbers that are none become `null`, and no crowd takes
/// a command with such a number.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn failed(name: &str, error: &std::io::Error) -> LogError {
    LogError::File { name: name.to_owned(), reason: error.to_string() }
}
