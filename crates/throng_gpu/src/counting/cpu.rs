//! The twin on the CPU.

/// Keys, payload (or the places they came from) and starts.
#[must_use]
pub fn counting_sort(
    keys: &[u32],
    payload: Option<&[u32]>,
    bins: u32,
) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; bins as usize + 1];
    for &key in keys.iter().filter(|&&key| key < bins) {
        starts[key as usize + 1] += 1;
    }
    for bin in 1..starts.len() {
        starts[bin] += starts[bin - 1];
    }
    let kept = starts[bins as usize] as usize;
    let (mut sorted, mut carried) = (vec![0; kept], vec![0; kept]);
    let mut next = starts.clone();
    for (i, &key) in keys.iter().enumerate().filter(|(_, key)| **key < bins) {
        let at = next[key as usize] as usize;
        next[key as usize] += 1;
        sorted[at] = key;
        carried[at] = payload.map_or(i as u32, |payload| payload[i]);
    }
    (sorted, carried, starts)
}
