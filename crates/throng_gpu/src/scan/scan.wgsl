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

/// Four consecutive elements, zeros beyond the end. Reading there is harmless, and cheaper than a branch.
fn load(at: u32, n: u32) -> vec4<u32> {
    let four = vec4<u32>(input[at], input[at + 1u], input[at + 2u], input[at + 3u]);
    return select(vec4<u32>(0u), four, vec4<u32>(at) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(n));
}

fn sum_of(four: vec4<u32>) -> u32 {
    return four.x + four.y + four.z + four.w;
}

@compute @workgroup_size(GROUP)
fn sum_blocks(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    var four = vec4<u32>(0u);
    for (var i = 0u; i < ITEMS; i += 4u) {
        four += load(block * BLOCK + i * GROUP + place.local * 4u, n);
    }
    let group = group_sums(sum_of(four), place);
    if place.local == 0u && block < blocks(n, BLOCK) {
        sums[block] = group.all;
    }
}

/// Elements of an invocation stay in registers: read once, written once.
@compute @workgroup_size(GROUP)
fn scan_blocks(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    let begin = block * BLOCK + place.local * ITEMS;
    let a = load(begin, n);
    let b = load(begin + 4u, n);
    let c = load(begin + 8u, n);
    let d = load(begin + 12u, n);
    let group = group_sums(sum_of(a + b + c + d), place);
    var before = group.before + sums[block];
    before = store(begin, n, a, before);
    before = store(begin + 4u, n, b, before);
    before = store(begin + 8u, n, c, before);
    before = store(begin + 12u, n, d, before);
    if block == 0u && place.local == 0u && extent.second == 1u {
        output[n] = sums[blocks(n, BLOCK)];
    }
}

/// Writes the sums of four elements and gives what is before the next.
fn store(at: u32, n: u32, own: vec4<u32>, before: u32) -> u32 {
    let y = own.x;
    let z = y + own.y;
    let w = z + own.z;
    let sums = vec4<u32>(before) + vec4<u32>(0u, y, z, w) + own * extent.first;
    if at + 3u < n {
        output[at] = sums.x;
        output[at + 1u] = sums.y;
        output[at + 2u] = sums.z;
        output[at + 3u] = sums.w;
    } else {
        if at < n {
            output[at] = sums.x;
        }
        if at + 1u < n {
            output[at + 1u] = sums.y;
        }
        if at + 2u < n {
            output[at + 2u] = sums.z;
        }
    }
    return before + w + own.w;
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
