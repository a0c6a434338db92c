//! The twin on the CPU.

/// The places, or the values at the places, where the flag is not zero.
#[must_use]
pub fn compact(flags: &[u32], values: Option<&[u32]>) -> Vec<u32> {
    let kept = (0..flags.len()).filter(|&i| flags[i] != 0);
    kept.map(|i| values.map_or(i as u32, |values| values[i])).collect()
}
