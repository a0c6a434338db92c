//! Massive crowds for games and for engineers: the front door of the library.
//!
//! A [`Scene`] is a text that says what a place is and who comes there. It builds a [`World`], a
//! [`Crowd`] lives in it and goes on by [`Crowd::step`], and a [`Recorder`] writes down where
//! everybody was.
//!
//! ```
//! use throng::{BuildOptions, Crowd, CrowdOptions, Recorder, RecorderOptions, Scene};
//!
//! let hall = r#"
//!     version = 1
//!     ground = { kind = "flat", size = [20, 10] }
//!     wall   = [{ rect = [14, 0, 14.4, 4.2] }, { rect = [14, 5.8, 14.4, 10] }]
//!     goal   = [{ name = "way out", exit = true, rect = [19, 0, 20, 10] }]
//!     group  = [{ name = "visitors", goal = "way out" }]
//!     spawn  = [{ group = "visitors", count = 60, rect = [1, 1, 12, 9] }]
//! "#;
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("hall.sqlite");
//! let world = Scene::parse(hall, "hall.toml")?.build(&BuildOptions::default())?;
//! let dt = world.dt;
//! let mut crowd = Crowd::new(world, CrowdOptions::default())?;
//! let mut recorder = Recorder::create(&file, &crowd, RecorderOptions::default())?;
//! recorder.record(&crowd)?;
//! while !crowd.is_over() && crowd.time() < 120.0 {
//!     crowd.step(dt)?;
//!     recorder.record(&crowd)?;
//!     let rightmost = crowd.x().iter().copied().fold(0.0, f32::max);
//!     assert!(rightmost <= 20.0);
//! }
//! recorder.finish()?;
//! assert_eq!(crowd.totals().arrived, 60);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Scenes that ship are opened by name (`Scene::open("froblins")`; [`scene_names`] lists them). What
//! happens to whom is told to observers ([`Crowd::observe`]); people, goals, hazards and walls can be
//! changed while it runs. [`CrowdMap`] and [`Clip`] draw maps and animations without a GPU.
//!
//! Changes that a person makes while it runs are [`Command`]s: stamped with their step and written to a
//! [`CommandLog`], from which a [`Replay`] makes the same run again.
//!
//! Time is a value and randomness a hash: the same scene, seed and steps give the same bits on any
//! number of threads. Nothing here prints, reads a clock to decide anything, or keeps global state.
//!
//! # On the GPU
//!
//! With feature `gpu` (off by default here, on in the program) the same crowd runs on any GPU that wgpu
//! knows. A [`Simulation`] is a crowd on either backend, with one set of words for both: steps, edits,
//! events, snapshots. It survives the loss of its device.
//!
//! All the rest is reachable through [`world`], [`field`], [`crowd`] and [`record`].

pub mod command;
mod error;
mod frame;
mod gauge;
mod recorder;
mod session;
mod simulation;
mod waiting;

pub use command::{Command, CommandLog, Replay};
pub use error::Error;
pub use frame::FrameColumns;
pub use gauge::{AreaGauge, Gauges, LineGauge};
pub use recorder::{Recorder, RecorderOptions};
pub use session::{Kept, Looker, SPEEDS, Session, SessionError, SessionOptions};
pub use simulation::{Backend, BackendError, Simulation, SimulationOptions};
pub use waiting::Waiting;

pub use throng_crowd::{
    AgentId, AgentState, Crowd, CrowdError, CrowdOptions, Event, EventFilter, EventKind, FieldView,
    HazardId, Instance, Measures, Model, ObserverId, StageTimes, StepReport, Totals, Traits,
};
pub use throng_record::{
    AgentFrame, Clip, ClipOptions, ColorBy, CrowdMap, Heat, MapExtras, RecordError,
};
pub use throng_world::{BuildOptions, Scene, SceneErrors, World, scene_names};

pub use glam;
pub use throng_crowd as crowd;
pub use throng_field as field;
#[cfg(feature = "gpu")]
pub use throng_gpu as gpu;
pub use throng_record as record;
pub use throng_world as world;
