// The middle of scan, compaction and sort: the sums of blocks become the sums of all blocks before.
// One workgroup for all: a sum stands for thousands of elements, so there are few.

#import throng_gpu::group::{GROUP, Place}
#import throng_gpu::extent::{Extent, elements, blocks}
#import throng_gpu::group_scan::group_sums

@group(0) @binding(0) var<uniform> extent: Extent; // first: size of a block, second: sums per block
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(GROUP)
fn spine(place: Place) {
    let n = elements(extent, count[extent.word]);
    let entries = blocks(n, extent.first) * extent.second;
    let share = blocks(entries, GROUP);
    let begin = min(place.local * share, entries);
    let end = min(begin + share, entries);
    var sum = 0u;
    for (var i = begin; i < end; i++) {
        sum += sums[i];
    }
    let group = group_sums(sum, place);
    var before = group.before;
    for (var i = begin; i < end; i++) {
        let own = sums[i];
        sums[i] = before;
        before += own;
    }
    if place.local == 0u {
        sums[entries] = group.all;
    }
}
