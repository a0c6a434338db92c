//! Trample: where feet have pressed grass down, on a map over the place.
//!
//! Takes agents, step by step; gives a texture with the direction in which grass lies, how strongly, and how worn
//! the ground is. A print is a capsule from where an agent was to where it is, with a soft edge: however fast
//! somebody walks there is no gap. Of all prints on a texel in a step the strongest wins, of those the latest, by an
//! atomic maximum: in whatever order. A print recovers by its age, told from a tick: not by steps, so that any frame rate comes to
//! the same. Only blocks of texels that something happens in are looked at.

#[cfg(test)]
pub(crate) mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub(crate) use gpu::{Crowded, TrampleKernels, TrampleMap};

use throng_gpu::{Def, Defs, Module, Shader};

/// Side of a texel where the place is not too large for it (metres).
const TEXEL: f32 = 0.125;
/// Texels along a side, at most.
const MOST: u32 = 2048;
/// Texels along a side of a block.
pub(crate) const BLOCK: u32 = 16;
/// Pace at which a passing wears as much as the scene says (millimetres per second).
const PACE: u32 = 1340;
/// Blocks with worn ground are looked at again in so many milliseconds.
const REGROWN: u32 = 4000;
/// Nobody walks that far between two steps: who does was put elsewhere (metres).
pub(crate) const LEAP: f32 = 12.0;

/// Imported as `throng_render::grass_recover`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::grass_recover", source: include_str!("recover.wgsl") };

pub(crate) const DEFS: Defs = &[
    ("CROSSED", Def::Number(crate::grass::sow::CROSSED)),
    ("SIZE_UNIT", Def::Number(crate::grass::sow::SIZE_UNIT)),
    ("OFFSET_UNIT", Def::Number(crate::grass::sow::OFFSET_UNIT)),
    ("BLOCK", Def::Number(BLOCK)),
    ("PACE", Def::Number(PACE)),
    ("REGROWN", Def::Number(REGROWN)),
];

pub(crate) const SHADER: Shader =
    Shader { name: "trample", source: include_str!("trample.wgsl"), variants: &[DEFS] };
