//! Characters: bodies with joints, that play clips.
//!
//! Takes what [`throng_character`] makes or reads, and the instances of a crowd. Once a frame `motion.wgsl` says what
//! everybody plays: clips by action and speed, in step with the way walked, faded from what was played before. Then
//! every view draws the classes of detail by the lists of [`crate::cull`]. A [`Cast`] says which group has which
//! character; groups without one are drawn as stand-ins.

mod actor;
mod cast;
mod maps;
mod model;
mod motion;
mod pass;
mod play;

pub(crate) use actor::Actor;
pub use cast::{Cast, character_folder};
pub use model::Model;
pub(crate) use motion::{MotionBuffers, MotionClock, Source as MotionSource};
pub(crate) use pass::CharacterPass;

use throng_gpu::{Module, Shader};

/// Imported as `throng_render::played`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::played", source: include_str!("played.wgsl") };

/// Draws.
pub(crate) const SHADER: Shader = Shader {
    name: "character",
    source: include_str!("character.wgsl"),
    variants: &[crate::cull::DEFS],
};

/// Says what is played.
pub(crate) const MOTION: Shader =
    Shader { name: "motion", source: include_str!("motion.wgsl"), variants: &[&[]] };
