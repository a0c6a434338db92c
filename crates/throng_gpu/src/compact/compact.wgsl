// Keeps the elements whose flag is not zero, in their order: counts of blocks, the spine, blocks.

#import throng_gpu::group::{GROUP, Place, flat_group}
#import throng_gpu::extent::{Extent, elements, blocks}
#import throng_gpu::group_scan::group_sums

const ITEMS: u32 = #{ITEMS}u;
const BLOCK: u32 = GROUP * ITEMS;

@group(0) @binding(0) var<uniform> extent: Extent; // first: capacity of the output
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read> flags: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;
#ifdef VALUES
@group(0) @binding(4) var<storage, read> values: array<u32>;
#endif
@group(0) @binding(5) var<storage, read_write> output: array<u32>;
@group(0) @binding(6) var<storage, read_write> kept: array<u32>; // written, wished

@compute @workgroup_size(GROUP)
fn count_blocks(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    var sum = 0u;
    for (var i = 0u; i < ITEMS; i++) {
        let at = block * BLOCK + i * GROUP + place.local;
        if at < n {
            sum += select(0u, 1u, flags[at] != 0u);
        }
    }
    let group = group_sums(sum, place);
    if place.local == 0u && block < blocks(n, BLOCK) {
        sums[block] = group.all;
    }
}

@compute @workgroup_size(GROUP)
fn write_blocks(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    let begin = min(block * BLOCK + place.local * ITEMS, n);
    let end = min(begin + ITEMS, n);
    write_run(begin, end, place, sums[block]);
    if block == 0u && place.local == 0u {
        let all = sums[blocks(n, BLOCK)];
        kept[0] = min(all, extent.first);
        kept[1] = all;
    }
}

/// All by one workgroup: for few elements a dispatch costs more than it saves.
@compute @workgroup_size(GROUP)
fn write_whole(place: Place) {
    let n = elements(extent, count[extent.word]);
    let share = blocks(n, GROUP);
    let begin = min(place.local * share, n);
    let all = write_run(begin, min(begin + share, n), place, 0u);
    if place.local == 0u {
        kept[0] = min(all, extent.first);
        kept[1] = all;
    }
}

/// Writes what is kept of a run and gives how many the workgroup keeps.
fn write_run(begin: u32, end: u32, place: Place, before: u32) -> u32 {
    var sum = 0u;
    for (var i = begin; i < end; i++) {
        sum += select(0u, 1u, flags[i] != 0u);
    }
    let group = group_sums(sum, place);
    var at = before + group.before;
    for (var i = begin; i < end; i++) {
        if flags[i] != 0u {
            if at < extent.first {
#ifdef VALUES
                output[at] = values[i];
#else
                output[at] = i;
#endif
            }
            at += 1u;
        }
    }
    return group.all;
}
