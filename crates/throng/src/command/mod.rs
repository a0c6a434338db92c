//! Commands: every change that a person makes to a running crowd, as a value that can be sent, written down
//! and done again.
//!
//! A window, a page or a script makes [`Command`]s; [`Command::apply`] carries one out between two steps; a
//! [`CommandLog`] has them with the step at which they took effect; a [`Replay`] does them again at the same
//! steps, and the crowd comes to the same bits. Pause, speed and cameras are no commands: they change
//! nothing of what happens.
//!
//! ```
//! use throng::command::{Command, CommandLog, LogHead, Replay};
//! use throng::{BuildOptions, Scene, Simulation, SimulationOptions};
//!
//! let make = || -> Result<Simulation, Box<dyn std::error::Error>> {
//!     let world = Scene::open("bottleneck")?.build(&BuildOptions::default())?;
//!     Ok(Simulation::new(world, SimulationOptions::default())?)
//! };
//! let mut live = make()?;
//! let mut log = CommandLog::new(LogHead::of(&mut live, None, None)?);
//! for step in 0..40 {
//!     if step == 20 {
//!         log.carry_out(&mut live, &Command::Remove { agent: 3 })?;
//!     }
//!     live.step(0.05)?;
//! }
//! log.checkpoint(&mut live)?;
//!
//! let mut again = make()?;
//! let mut replay = Replay::new(CommandLog::parse(&log.text(), "a log")?);
//! while !replay.catch_up(&mut again)?.is_over() {
//!     again.step(0.05)?;
//! }
//! assert_eq!(again.crowd()?.hash(), live.crowd()?.hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod log;
mod replay;
#[cfg(test)]
mod tests;
mod wire;

pub use log::{CommandLog, Entry, LogError, LogHead};
pub use replay::{Progress, Replay, ReplayError};
pub use wire::{HazardSpec, PlaceSpec, Point, ShapeSpec};

use serde::{Deserialize, Serialize};
use throng_crowd::{AgentId, CrowdError, HazardId};
use throng_world::world::Polygon;

use crate::Simulation;

/// A change to a running crowd. Groups, actions, goals and walls go by their place in the world's lists,
/// agents and hazards by their numbers, lengths are metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum Command {
    /// Adds a person.
    Spawn {
        /// Its group.
        group: usize,
        /// Where.
        at: Point,
        /// Its own target.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Point>,
    },
    /// Removes a person.
    Remove {
        /// Whom.
        agent: u32,
    },
    /// Gives a person a target of its own.
    Retarget {
        /// Whom.
        agent: u32,
        /// Where to.
        to: Point,
    },
    /// Lets a person do something else.
    SetAction {
        /// Whom.
        agent: u32,
        /// What.
        action: usize,
    },
    /// Places a hazard.
    PlaceHazard {
        /// What it is.
        hazard: HazardSpec,
    },
    /// Moves a hazard, which stands there from then on.
    MoveHazard {
        /// Which one.
        hazard: u64,
        /// Where to.
        to: Point,
    },
    /// Removes a hazard.
    RemoveHazard {
        /// Which one.
        hazard: u64,
    },
    /// Gives a goal other places.
    SetGoal {
        /// Which one.
        goal: usize,
        /// All its places from now on.
        places: Vec<PlaceSpec>,
    },
    /// Puts up a wall.
    AddWall {
        /// Corners of its outline.
        outer: Vec<Point>,
        /// Outlines cut out of it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        holes: Vec<Vec<Point>>,
    },
    /// Takes down a wall; those behind it in the list move up.
    RemoveWall {
        /// Which one.
        wall: usize,
    },
    /// Sets a parameter of a stage.
    SetParameter {
        /// Its name: section, full stop, field, as in a scene (`avoid.time_gap`).
        name: String,
        /// Its value.
        value: f64,
    },
}

/// What came of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is done.
    Done,
    /// Somebody new.
    Agent(AgentId),
    /// A new hazard.
    Hazard(HazardId),
}

impl Command {
    /// A wall.
    #[must_use]
    pub fn add_wall(wall: &Polygon) -> Self {
        let ring = |ring: &Vec<_>| ring.iter().map(|&p| Point::from(p)).collect();
        Self::AddWall { outer: ring(&wall.outer), holes: wall.holes.iter().map(ring).collect() }
    }

    /// Carries it out before the next step.
    ///
    /// # Errors
    /// As the edits of [`Simulation`]; nothing is changed then.
    pub fn apply(&self, simulation: &mut Simulation) -> Result<Effect, CrowdError> {
        let done = |()| Effect::Done;
        match self.clone() {
            Self::Spawn { group, at, target } => {
                simulation.spawn(group, at.into(), target.map(Into::into)).map(Effect::Agent)
            }
            Self::Remove { agent } => simulation.remove(AgentId(agent)).map(done),
            Self::Retarget { agent, to } => {
                simulation.retarget(AgentId(agent), to.into()).map(done)
            }
            Self::SetAction { agent, action } => {
                simulation.set_action(AgentId(agent), action).map(done)
            }
            Self::PlaceHazard { hazard } => {
                simulation.place_hazard(hazard.into()).map(Effect::Hazard)
            }
            Self::MoveHazard { hazard, to } => {
                simulation.move_hazard(HazardId::numbered(hazard), to.into()).map(done)
            }
            Self::RemoveHazard { hazard } => {
                simulation.remove_hazard(HazardId::numbered(hazard)).map(done)
            }
            Self::SetGoal { goal, places } => {
                simulation.set_goal(goal, places.into_iter().map(Into::into).collect()).map(done)
            }
            Self::AddWall { outer, holes } => {
                let ring = |ring: Vec<Point>| ring.into_iter().map(Into::into).collect();
                let holes = holes.into_iter().map(ring).collect();
                simulation.add_wall(Polygon { outer: ring(outer), holes }).map(done)
            }
            Self::RemoveWall { wall } => simulation.remove_wall(wall).map(done),
            Self::SetParameter { name, value } => {
                let params = simulation.crowd()?.params().with(&name, value)?;
                simulation.set_params(params).map(done)
            }
        }
    }

    /// Whether it changes walls or the places of goals.
    #[must_use]
    pub fn changes_ground(&self) -> bool {
        matches!(self, Self::SetGoal { .. } | Self::AddWall { .. } | Self::RemoveWall { .. })
    }
}
