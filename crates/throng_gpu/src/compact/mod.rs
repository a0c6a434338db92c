//! Compact: keeps some elements, in their order.
//!
//! Takes flags (kept if not zero) and values, or no values to get the places of the kept ones. Gives
//! the kept ones and two words: how many were written, and how many should have been; they differ if
//! the output is too short. Three dispatches, or one for up to [`WHOLE`] elements.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::Compact;

use crate::Variant;
use crate::shader::{Def, Defs, Shader};

/// Up to so many elements one workgroup does it all.
pub const WHOLE: u32 = 8192;

/// Elements to an invocation.
const ITEMS: u32 = 16;

pub(crate) const SHADER: Shader = Shader {
    name: "compact",
    source: include_str!("compact.wgsl"),
    variants: &[PLACES, VALUES, SUB_PLACES, SUB_VALUES],
};

const N: (&str, Def) = ("ITEMS", Def::Number(ITEMS));
const SUB: (&str, Def) = ("SUBGROUPS", Def::Yes);
const PLACES: Defs = &[N];
const VALUES: Defs = &[N, ("VALUES", Def::Yes)];
const SUB_PLACES: Defs = &[N, SUB];
const SUB_VALUES: Defs = &[N, ("VALUES", Def::Yes), SUB];

fn defs(variant: Variant, values: bool) -> Defs {
    match values {
        false => variant.of(PLACES, SUB_PLACES),
        true => variant.of(VALUES, SUB_VALUES),
    }
}
