//! Who lives there: tens of thousands of agents that walk to goals, make way for each other, work,
//! rest and flee.
//!
//! A [`Crowd`] is made from a `World` and goes on by [`Crowd::step`]. One step is a row of stages,
//! each a module that says what it takes and gives:
//!
//! [`navigate`] finds where to go ▸ [`avoid`] finds a way between the others ▸ [`behave`] decides what
//! to do ▸ [`movement`] takes the step ▸ [`bin`] sorts everybody by place, for the next step and for
//! whoever looks in between.
//!
//! Time is a value, randomness is a hash of seed, agent and step: the same world, seed and steps give
//! the same bits on any number of threads. Work runs on the host's thread pool or on one made for the
//! crowd; nothing is printed, nothing is global, and a step in the steady state allocates nothing.

mod agents;
mod counters;
mod crowd;
#[cfg(test)]
mod dice;
mod edit;
mod error;
mod event;
#[cfg(feature = "gpu")]
mod gpu;
mod inspect;
mod instance;
mod lanes;
mod measure;
mod openings;
mod party;
mod random;
mod retune;
mod snapshot;
mod spawn;
mod step;
mod tables;
mod turns;
mod view;
mod walls;

pub mod avoid;
pub mod behave;
pub mod bin;
pub mod movement;
pub mod navigate;

pub use agents::Traits;
pub use counters::{StageTimes, StepReport, Totals};
pub use crowd::{Crowd, CrowdOptions, LONGEST_STEP};
pub use edit::HazardId;
pub use error::CrowdError;
pub use event::{AgentId, Event, EventFilter, EventKind, ObserverId};
#[cfg(feature = "gpu")]
pub use gpu::{FieldCounts, GpuCrowd, Keeper, Keepsake, StageTraffic};
pub use inspect::{AgentState, FieldView};
pub use instance::Instance;
pub use measure::Measures;
pub use throng_world::params::Model;
pub use walls::AT_WALL;
