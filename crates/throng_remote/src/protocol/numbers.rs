//! Numbers of agents in a frame: ascending, as gaps or as bits.

use super::bytes::{Reader, read_varint, write_varint};

/// Numbers after the first, in the form that is shorter: gaps less one, or bits.
pub(super) fn numbers(ids: &[u32]) -> (bool, Vec<u8>) {
    let (Some(&first), Some(&last)) = (ids.first(), ids.last()) else { return (false, Vec::new()) };
    let mut gaps = Vec::new();
    let room = (last - first) as usize / 8 + 1;
    for pair in ids.windows(2) {
        write_varint(pair[1] - pair[0] - 1, &mut gaps);
        if gaps.len() >= room {
            let mut bits = vec![0_u8; room];
            ids.iter().for_each(|id| bits[(id - first) as usize / 8] |= 1 << ((id - first) % 8));
            return (false, bits);
        }
    }
    (true, gaps)
}

pub(super) fn read_numbers(gaps: bool, base: u32, bytes: &[u8], count: u32) -> Option<Vec<u32>> {
    let mut ids: Vec<u32> = Vec::new();
    if gaps {
        let mut r = Reader(bytes);
        for i in 0..count {
            let last = ids.last().copied();
            ids.push(match last {
                None if i == 0 => base,
                last => last?.checked_add(read_varint(&mut r)?)?.checked_add(1)?,
            });
        }
        return r.0.is_empty().then_some(ids);
    }
    for (i, byte) in (0_u32..).zip(bytes) {
        for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
            ids.push(base.checked_add(8 * i + bit)?);
        }
    }
    (ids.len() == count as usize).then_some(ids)
}
