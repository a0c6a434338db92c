//! Histogram: how many keys there are of each value.
//!
//! Takes u32 keys, gives a count per bin and, behind the last, of the keys beyond it. Two dispatches.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::Histogram;

use crate::shader::{Def, Defs, Shader};

/// Words of bins that are counted in workgroup memory first.
const SMALL: u32 = 2048;

/// Keys to an invocation.
const ITEMS: u32 = 32;

pub(crate) const SHADER: Shader =
    Shader { name: "histogram", source: include_str!("histogram.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[("ITEMS", Def::Number(ITEMS)), ("SMALL", Def::Number(SMALL))];
