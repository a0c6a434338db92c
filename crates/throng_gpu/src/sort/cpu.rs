//! The twin on the CPU.

/// Keys in order, and with them the payload, or the places they came from.
#[must_use]
pub fn sort(keys: &[u32], payload: Option<&[u32]>) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by_key(|&i| keys[i as usize]);
    let sorted = order.iter().map(|&i| keys[i as usize]).collect();
    if let Some(payload) = payload {
        order.iter_mut().for_each(|i| *i = payload[*i as usize]);
    }
    (sorted, order)
}

/// As [`sort`] by bin, with keys that are none as `bins`; and where each bin begins, and where the
/// last one ends.
#[must_use]
pub fn sort_bins(
    keys: &[u32],
    payload: Option<&[u32]>,
    bins: u32,
) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let keys: Vec<u32> = keys.iter().map(|&key| key.min(bins)).collect();
    let (sorted, order) = sort(&keys, payload);
    let mut starts = vec![0; bins as usize + 2];
    for &key in &keys {
        starts[key as usize + 1] += 1;
    }
    for bin in 1..starts.len() {
        starts[bin] += starts[bin - 1];
    }
    starts.pop();
    (sorted, order, starts)
}
