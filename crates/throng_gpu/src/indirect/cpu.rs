//! The twin on the CPU.

use crate::workgroups;

/// Workgroups for so many elements; none for none.
#[must_use]
pub fn arguments(elements: u32, per_group: u32) -> [u32; 3] {
    match elements {
        0 => [0, 1, 1],
        _ => workgroups(elements.div_ceil(per_group)),
    }
}
