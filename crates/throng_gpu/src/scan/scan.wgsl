// Sums of all elements before each one, in three dispatches: sums of blocks, the spine, blocks.
// Sums are modulo 2^32.

#import throng_gpu::group::{GROUP, Place, flat_group}
#import throng_gpu::extent::{Extent, elements, blocks}
#import throng_gpu::group_scan::group_sums

const ITEMS: u32 = #{ITEMS}u;
const BLOCK: u32 = GROUP * ITEMS;

@group(0) @binding(0) var<uniform> extent: Extent; // first: 1 inclusive; second: 1 with the total behind
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read> input: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(GROUP)
fn sum_blocks(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    var sum = 0u;
    for (var i = 0u; i < ITEMS; i++) {
        let at = block * BLOCK + i * GROUP + place.local;
        if at < n {
            sum += input[at];
        }
    }
    let group = group_sums(sum, place);
    if place.local == 0u && block < blocks(n, BLOCK) {
        sums[block] = group.all;
    }
}

@compute @workgroup_size(GROUP)
fn scan_blocks(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    let begin = min(block * BLOCK + place.local * ITEMS, n);
    let end = min(begin + ITEMS, n);
    let group = sum_run(begin, end, place);
    // Beyond the last block there is nothing to write, whatever is read here.
    scan_run(begin, end, group.x + sums[block]);
    if block == 0u && place.local == 0u && extent.second == 1u {
        output[n] = sums[blocks(n, BLOCK)];
    }
}

/// All by one workgroup: for few elements a dispatch costs more than it saves.
@compute @workgroup_size(GROUP)
fn scan_whole(place: Place) {
    let n = elements(extent, count[extent.word]);
    let share = blocks(n, GROUP);
    let begin = min(place.local * share, n);
    let end = min(begin + share, n);
    let group = sum_run(begin, end, place);
    scan_run(begin, end, group.x);
    if place.local == 0u && extent.second == 1u {
        output[n] = group.y;
    }
}

fn sum_run(begin: u32, end: u32, place: Place) -> vec2<u32> {
    var sum = 0u;
    for (var i = begin; i < end; i++) {
        sum += input[i];
    }
    let group = group_sums(sum, place);
    return vec2<u32>(group.before, group.all);
}

fn scan_run(begin: u32, end: u32, before: u32) {
    var sum = before;
    for (var i = begin; i < end; i++) {
        let own = input[i];
        output[i] = sum + own * extent.first;
        sum += own;
    }
}
