//! The twin on the CPU.

use super::Extreme;
use crate::reduce::{Fold, cpu::reduce};

/// The extreme of each segment; floats by their bits.
#[must_use]
pub fn segmented(input: &[u32], starts: &[u32], extreme: Extreme) -> Vec<u32> {
    let fold = match extreme {
        Extreme::MinU32 => Fold::MinU32,
        Extreme::MaxU32 => Fold::MaxU32,
        Extreme::MinF32 => Fold::MinF32,
        Extreme::MaxF32 => Fold::MaxF32,
    };
    let ends = starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize);
    ends.map(|segment| reduce(&input[segment], fold)).collect()
}
