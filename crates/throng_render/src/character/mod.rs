//! Characters: bodies with joints, that play clips.
//!
//! Takes what [`throng_character`] makes or reads, and the instances of a crowd. Once a frame `motion.wgsl` says what
//! everybody plays: clips by action and speed, in step with the way walked, faded from what was played before. Then
//! every view draws the classes of detail by the lists of [`crate::cull`]. A [`Cast`] says which group has which
//! character; groups without one are drawn as stand-ins.

mod actor;
mod cast;
mod close;
mod maps;
mod model;
mod motion;
mod pass;
mod play;
mod skin;
#[cfg(test)]
mod tests;

pub(crate) use actor::Actor;
pub use cast::{Cast, character_folder};
pub(crate) use close::{ClosePass, CloseUps, FINEST};
pub use model::Model;
pub(crate) use motion::{MotionBuffers, MotionClock, Source as MotionSource};
pub(crate) use pass::CharacterPass;
pub(crate) use skin::{Skins, places, slots};

use throng_gpu::{Module, Shader};

/// What a frame plays, what a character shares, skinned vertices in 128 bits, figures in their light, close-ups.
pub(crate) const MODULES: [Module; 5] = [
    Module { name: "throng_render::played", source: include_str!("played.wgsl") },
    Module { name: "throng_render::kind", source: include_str!("kind.wgsl") },
    Module { name: "throng_render::packed", source: include_str!("packed.wgsl") },
    Module { name: "throng_render::figure", source: include_str!("figure.wgsl") },
    Module { name: "throng_render::close", source: include_str!("close.wgsl") },
];

/// Draws.
pub(crate) const SHADER: Shader = Shader {
    name: "character",
    source: include_str!("character.wgsl"),
    variants: &[crate::cull::DEFS],
};

/// Says what is played.
pub(crate) const MOTION: Shader =
    Shader { name: "motion", source: include_str!("motion.wgsl"), variants: &[&[]] };

/// Skins once for all views.
pub(crate) const SKIN: Shader =
    Shader { name: "skin", source: include_str!("skin.wgsl"), variants: &[&[]] };

/// Draws close-ups.
pub(crate) const CLOSE_UP: Shader = Shader {
    name: "close_up",
    source: include_str!("close_up.wgsl"),
    variants: &[crate::cull::DEFS],
};

/// Says how fine they are.
pub(crate) const LEVELS: Shader =
    Shader { name: "levels", source: include_str!("levels.wgsl"), variants: &[&[]] };
