//! A window on a crowd: watch it, ask it, steer it, and write down all that was done.
//!
//! Model, view and commands are kept apart. The [`Session`] has the crowd and is the only one to change it,
//! by [`Command`](throng::Command)s that it writes to a log; a [`Model`] is what it publishes of itself for
//! each frame; the panel shows a model and answers with wishes ([`Ask`]); cameras, tools and overlays
//! ([`ViewState`]) are the window's own and change nothing of what happens.
//!
//! | module | what it holds |
//! |---|---|
//! | `session` | the crowd, its clock, its log |
//! | `model` | what is told of it, per frame |
//! | `panel` | how that is shown, and what may be wished |
//! | `rig` | cameras: orbit, fly, follow |
//! | `pick` | whom or what a point of the picture shows |
//! | `tool` | what a click on the ground means |
//! | `layers` | overlays made from the crowd |
//! | `picture` | the device, the renderer and the panel's painter |
//! | `viewer` | all of that together: input in, picture out; knows no window |
//! | `window` | winit's window and surface around it |
//! | `script` | input from a file instead of hands, for tests |

mod error;
mod input;
mod layers;
mod model;
mod panel;
mod pick;
mod picture;
mod reel;
mod rig;
mod script;
mod session;
mod show;
mod state;
mod tool;
mod viewer;
mod window;

pub use error::ViewError;
pub use input::{Button, Input, Key};
pub use layers::Layer;
pub use model::{Figures, Model, Told};
pub use panel::Ask;
pub use pick::{Ray, pick_agent, pick_ground};
pub use picture::{Furnish, Painting, Picture};
pub use rig::{Rig, RigMode};
pub use script::Script;
pub use session::Session;
pub use state::{GrassTuning, ViewState};
pub use throng::SessionOptions;
pub use tool::Tool;
pub use viewer::{Files, Viewer};
pub use window::{Made, Make, WindowOptions, open};
