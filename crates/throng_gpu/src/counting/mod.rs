//! Counting sort: elements by bin, stable, for many bins with few elements each.
//!
//! Takes u32 keys and a payload, or none to get the places the keys came from. Gives keys and payload
//! by bin, and where each bin begins; keys that are no bin are left out. Eight dispatches, six for fewer
//! than [`scan::WHOLE`](crate::scan::WHOLE) bins, however long keys are: for a crowd in its grid this
//! is several times quicker than a radix sort. A bin is put in order by one invocation, or by a
//! workgroup if it holds more than [`CROWD`]; if all elements may be in a few bins,
//! [`Sort::bind_bins`](crate::sort::Sort::bind_bins) has them sorted by the whole device.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::CountingSort;

use crate::Variant;
use crate::shader::{Def, Defs, Shader};

pub(crate) const SHADER: Shader = Shader {
    name: "counting sort",
    source: include_str!("counting.wgsl"),
    variants: &[PLACES, PAYLOAD, SUB_PLACES, SUB_PAYLOAD],
};

/// More elements than this in a bin are put in order by a workgroup. A heap of so many takes about
/// 20,000 turns of a loop; llvmpipe breaks off all loops of an invocation after 65,535.
pub const CROWD: u32 = 1024;

/// Workgroups that take crowded bins in turn.
const CROWD_GROUPS: u32 = 16;

/// Bits of a digit in the sort of a crowded bin.
const CROWD_BITS: u32 = 3;

const C: (&str, Def) = ("CROWD", Def::Number(CROWD));
const G: (&str, Def) = ("CROWD_GROUPS", Def::Number(CROWD_GROUPS));
const B: (&str, Def) = ("CROWD_BITS", Def::Number(CROWD_BITS));
const SUB: (&str, Def) = ("SUBGROUPS", Def::Yes);
const PLACES: Defs = &[C, G, B];
const PAYLOAD: Defs = &[C, G, B, ("PAYLOAD", Def::Yes)];
const SUB_PLACES: Defs = &[C, G, B, SUB];
const SUB_PAYLOAD: Defs = &[C, G, B, ("PAYLOAD", Def::Yes), SUB];

fn defs(variant: Variant, payload: bool) -> Defs {
    match payload {
        false => variant.of(PLACES, SUB_PLACES),
        true => variant.of(PAYLOAD, SUB_PAYLOAD),
    }
}
