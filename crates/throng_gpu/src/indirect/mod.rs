//! Indirect: a count on the GPU becomes the workgroups of a dispatch.
//!
//! Takes a count and the elements to a workgroup, gives three words for
//! [`Groups::Indirect`](crate::Groups). One dispatch of one invocation. No elements, no workgroups.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::Indirect;

use crate::record::MOST_IN_ROW;
use crate::shader::{Def, Defs, Shader};

pub(crate) const SHADER: Shader =
    Shader { name: "indirect", source: include_str!("indirect.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[("MOST_IN_ROW", Def::Number(MOST_IN_ROW))];
