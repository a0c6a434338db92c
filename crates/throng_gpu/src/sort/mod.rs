//! Sort: u32 keys with a u32 payload, stable.
//!
//! Takes keys and a payload, or none to get the places the keys came from; the input is left as it
//! is. A radix sort from the lowest digit up, [`BITS`] bits at a time and three dispatches each, for
//! as many bits as keys have. [`Sort::bind_bins`] also gives where each bin begins, in one dispatch more;
//! keys that are no bin come last. See also [`counting`](crate::counting) for many small bins.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::{Sort, Sorted};

use crate::Variant;
use crate::shader::{Def, Defs, Shader};

/// Bits of a digit. Counters of 2^4 digits for 256 invocations are 8 KiB of the 16 KiB there are.
pub const BITS: u32 = 4;

/// Keys to an invocation.
const ITEMS: u32 = 16;

pub(crate) const SHADER: Shader = Shader {
    name: "sort",
    source: include_str!("sort.wgsl"),
    variants: &[PLACES, PAYLOAD, SUB_PLACES, SUB_PAYLOAD],
};

const N: (&str, Def) = ("ITEMS", Def::Number(ITEMS));
const B: (&str, Def) = ("BITS", Def::Number(BITS));
const SUB: (&str, Def) = ("SUBGROUPS", Def::Yes);
const PLACES: Defs = &[N, B];
const PAYLOAD: Defs = &[N, B, ("PAYLOAD", Def::Yes)];
const SUB_PLACES: Defs = &[N, B, SUB];
const SUB_PAYLOAD: Defs = &[N, B, ("PAYLOAD", Def::Yes), SUB];

fn defs(variant: Variant, payload: bool) -> Defs {
    match payload {
        false => variant.of(PLACES, SUB_PLACES),
        true => variant.of(PAYLOAD, SUB_PAYLOAD),
    }
}
