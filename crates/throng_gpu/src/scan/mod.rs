//! Scan: each element becomes the sum of those before it.
//!
//! Takes u32, gives u32 modulo 2³². Three dispatches, or one for up to [`WHOLE`] elements.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::Scan;

use crate::shader::{Def, Defs, Shader};

/// What of the sums is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// Of the elements before this one and of itself.
    Inclusive,
    /// Of the elements before this one.
    Exclusive,
    /// As exclusive, with the sum of all behind the last: where each of so many lists begins and
    /// ends, given their lengths. The output is one longer than the input.
    Starts,
}

/// Up to so many elements one workgroup does it all.
pub const WHOLE: u32 = 8192;

/// Elements to an invocation.
const ITEMS: u32 = 16;

pub(crate) const SHADER: Shader =
    Shader { name: "scan", source: include_str!("scan.wgsl"), variants: &[PORTABLE, SUBGROUPS] };

const PORTABLE: Defs = &[("ITEMS", Def::Number(ITEMS))];
const SUBGROUPS: Defs = &[("ITEMS", Def::Number(ITEMS)), ("SUBGROUPS", Def::Yes)];
