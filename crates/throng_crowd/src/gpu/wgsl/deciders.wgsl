// Those of a block who decide in a step, listed so that all invocations of a workgroup have something to
// do: each brings the deciders of its own few agents, and takes some of all.

#import throng_gpu::group::{GROUP, Place}
#import throng_gpu::group_scan::group_sums
#import throng_crowd::constants::DECIDERS

/// Agents of a workgroup.
const BLOCK: u32 = GROUP * DECIDERS;

var<workgroup> deciding: array<u32, BLOCK>;

/// Lists the agents from `begin` on whose bits are set. Gives how many the workgroup has. To be called by
/// all invocations.
fn list_deciders(place: Place, begin: u32, bits: u32) -> u32 {
    let sums = group_sums(countOneBits(bits), place);
    var at = sums.before;
    var left = bits;
    while left != 0u {
        deciding[at] = begin + firstTrailingBit(left);
        at += 1u;
        left &= left - 1u;
    }
    workgroupBarrier();
    return sums.all;
}

/// One of those listed.
fn decider(at: u32) -> u32 {
    return deciding[at];
}
