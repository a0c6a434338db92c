//! The twin on the CPU.

use super::Fold;

/// The fold of words; floats by their bits.
#[must_use]
pub fn reduce(input: &[u32], fold: Fold) -> u32 {
    let floats = || input.iter().map(|&bits| f32::from_bits(bits)).filter(|x| !x.is_nan());
    match fold {
        Fold::Sum => input.iter().fold(0, |sum, &x| sum.wrapping_add(x)),
        Fold::MinU32 => input.iter().copied().min().unwrap_or(u32::MAX),
        Fold::MaxU32 => input.iter().copied().max().unwrap_or(0),
        Fold::MinF32 => floats().min_by(f32::total_cmp).unwrap_or(f32::INFINITY).to_bits(),
        Fold::MaxF32 => floats().max_by(f32::total_cmp).unwrap_or(f32::NEG_INFINITY).to_bits(),
    }
}
