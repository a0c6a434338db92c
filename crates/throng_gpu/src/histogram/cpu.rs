//! The twin on the CPU.

/// Counts of the keys 0 to `bins` - 1, and of those beyond.
#[must_use]
pub fn histogram(keys: &[u32], bins: u32) -> Vec<u32> {
    let mut counts = vec![0; bins as usize + 1];
    for &key in keys {
        counts[key.min(bins) as usize] += 1;
    }
    counts
}
