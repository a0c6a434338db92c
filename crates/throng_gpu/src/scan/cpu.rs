//! The twin on the CPU.

use super::Sums;

/// The sums of `input`.
#[must_use]
pub fn scan(input: &[u32], sums: Sums) -> Vec<u32> {
    let mut sum = 0_u32;
    let mut output = Vec::with_capacity(input.len() + 1);
    for &own in input {
        let before = sum;
        sum = sum.wrapping_add(own);
        output.push(if sums == Sums::Inclusive { sum } else { before });
    }
    if sums == Sums::Starts {
        output.push(sum);
    }
    output
}
