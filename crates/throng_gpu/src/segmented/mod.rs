//! Segmented: the least or greatest of each segment of an array.
//!
//! Takes u32 or f32 and where each segment begins (ascending, with the end of the last behind), gives
//! a word per segment. Two dispatches, three for floats. Rules for floats and for empty segments are
//! those of [`reduce`](crate::reduce).

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::Segmented;

use crate::shader::{Def, Defs, Shader};

/// What is wanted of each segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extreme {
    /// The least u32.
    MinU32,
    /// The greatest u32.
    MaxU32,
    /// The least f32.
    MinF32,
    /// The greatest f32.
    MaxF32,
}

/// Elements to an invocation.
const ITEMS: u32 = 16;

pub(crate) const SHADER: Shader = Shader {
    name: "segmented",
    source: include_str!("segmented.wgsl"),
    variants: &[MIN_U32, MAX_U32, MIN_F32, MAX_F32],
};

const N: (&str, Def) = ("ITEMS", Def::Number(ITEMS));
const MIN: (&str, Def) = ("MIN", Def::Yes);
const FLOAT: (&str, Def) = ("FLOAT", Def::Yes);
const MIN_U32: Defs = &[N, MIN];
const MAX_U32: Defs = &[N];
const MIN_F32: Defs = &[N, MIN, FLOAT];
const MAX_F32: Defs = &[N, FLOAT];

impl Extreme {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::MinU32, Self::MaxU32, Self::MinF32, Self::MaxF32];

    fn defs(self) -> Defs {
        match self {
            Self::MinU32 => MIN_U32,
            Self::MaxU32 => MAX_U32,
            Self::MinF32 => MIN_F32,
            Self::MaxF32 => MAX_F32,
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Self::MinF32 | Self::MaxF32)
    }
}
