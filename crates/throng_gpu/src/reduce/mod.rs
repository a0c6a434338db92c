//! Reduce: one number from many.
//!
//! Takes u32 or f32, gives one word in a buffer. Two dispatches, or one for up to [`WHOLE`] elements.
//! Sums are of u32, modulo 2³²; sums of floats would depend on their order. Among floats -0 is less
//! than +0, NaN is passed over, and of nothing the least is +∞ and the greatest -∞.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::Reduce;

use crate::Variant;
use crate::shader::{Def, Defs, Shader};

/// What is wanted of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The sum of u32.
    Sum,
    /// The least u32.
    MinU32,
    /// The greatest u32.
    MaxU32,
    /// The least f32.
    MinF32,
    /// The greatest f32.
    MaxF32,
}

/// Up to so many elements one workgroup does it all.
pub const WHOLE: u32 = 16_384;

/// Elements to an invocation.
const ITEMS: u32 = 32;

pub(crate) const SHADER: Shader = Shader {
    name: "reduce",
    source: include_str!("reduce.wgsl"),
    variants: &[
        SUM,
        MIN_U32,
        MAX_U32,
        MIN_F32,
        MAX_F32,
        SUB_SUM,
        SUB_MIN_U32,
        SUB_MAX_U32,
        SUB_MIN_F32,
        SUB_MAX_F32,
    ],
};

const N: (&str, Def) = ("ITEMS", Def::Number(ITEMS));
const SUB: (&str, Def) = ("SUBGROUPS", Def::Yes);
const FLOAT: (&str, Def) = ("FLOAT", Def::Yes);
const SUM: Defs = &[N, ("SUM", Def::Yes)];
const MIN_U32: Defs = &[N, ("MIN", Def::Yes)];
const MAX_U32: Defs = &[N, ("MAX", Def::Yes)];
const MIN_F32: Defs = &[N, ("MIN", Def::Yes), FLOAT];
const MAX_F32: Defs = &[N, ("MAX", Def::Yes), FLOAT];
const SUB_SUM: Defs = &[N, ("SUM", Def::Yes), SUB];
const SUB_MIN_U32: Defs = &[N, ("MIN", Def::Yes), SUB];
const SUB_MAX_U32: Defs = &[N, ("MAX", Def::Yes), SUB];
const SUB_MIN_F32: Defs = &[N, ("MIN", Def::Yes), FLOAT, SUB];
const SUB_MAX_F32: Defs = &[N, ("MAX", Def::Yes), FLOAT, SUB];

impl Fold {
    /// All there are.
    pub const ALL: [Self; 5] = [Self::Sum, Self::MinU32, Self::MaxU32, Self::MinF32, Self::MaxF32];

    fn defs(self, variant: Variant) -> Defs {
        match self {
            Self::Sum => variant.of(SUM, SUB_SUM),
            Self::MinU32 => variant.of(MIN_U32, SUB_MIN_U32),
            Self::MaxU32 => variant.of(MAX_U32, SUB_MAX_U32),
            Self::MinF32 => variant.of(MIN_F32, SUB_MIN_F32),
            Self::MaxF32 => variant.of(MAX_F32, SUB_MAX_F32),
        }
    }
}
