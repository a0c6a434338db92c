// One number from many: the sum, the least or the greatest.
//
// Floats are compared by their ordered bits, so the result does not depend on the device.

#import throng_gpu::group::{GROUP, Place, flat_group}
#import throng_gpu::extent::{Extent, elements, blocks}
#import throng_gpu::order::{ordered_bits, float_bits, is_nan_bits, ORDERED_INFINITY, ORDERED_MINUS_INFINITY}

const ITEMS: u32 = #{ITEMS}u;
const BLOCK: u32 = GROUP * ITEMS;

@group(0) @binding(0) var<uniform> extent: Extent;
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read> input: array<u32>;
@group(0) @binding(3) var<storage, read_write> partial: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<u32>;

#ifdef SUBGROUPS
var<workgroup> rows: array<u32, GROUP / 4u>;
#else
const ROW: u32 = 16u;
var<workgroup> given: array<u32, GROUP>;
var<workgroup> rows: array<u32, GROUP / ROW>;
#endif

#ifdef SUM
const NOTHING: u32 = 0u;
#endif
#ifdef MIN
#ifdef FLOAT
const NOTHING: u32 = ORDERED_INFINITY;
#else
const NOTHING: u32 = 0xffffffffu;
#endif
#endif
#ifdef MAX
#ifdef FLOAT
const NOTHING: u32 = ORDERED_MINUS_INFINITY;
#else
const NOTHING: u32 = 0u;
#endif
#endif

fn join(a: u32, b: u32) -> u32 {
#ifdef SUM
    return a + b;
#endif
#ifdef MIN
    return min(a, b);
#endif
#ifdef MAX
    return max(a, b);
#endif
}

fn load(at: u32) -> u32 {
    let bits = input[at];
#ifdef FLOAT
    return select(ordered_bits(bits), NOTHING, is_nan_bits(bits));
#else
    return bits;
#endif
}

fn store(at: u32, value: u32) {
#ifdef FLOAT
    output[at] = float_bits(value);
#else
    output[at] = value;
#endif
}

/// What all invocations have, joined; known to the first one.
#ifdef SUBGROUPS
fn join_group(value: u32, place: Place) -> u32 {
#ifdef SUM
    let row = subgroupAdd(value);
#endif
#ifdef MIN
    let row = subgroupMin(value);
#endif
#ifdef MAX
    let row = subgroupMax(value);
#endif
    // Counted, since some drivers name a size and run another.
    let lanes = subgroupAdd(1u);
    if subgroupExclusiveAdd(1u) == 0u {
        rows[place.local / lanes] = row;
    }
    workgroupBarrier();
    var joined = NOTHING;
    if place.local == 0u {
        for (var i = 0u; i < GROUP / lanes; i++) {
            joined = join(joined, rows[i]);
        }
    }
    return joined;
}
#else
fn join_group(value: u32, place: Place) -> u32 {
    given[place.local] = value;
    workgroupBarrier();
    if place.local < GROUP / ROW {
        var joined = NOTHING;
        for (var i = 0u; i < ROW; i++) {
            joined = join(joined, given[place.local * ROW + i]);
        }
        rows[place.local] = joined;
    }
    workgroupBarrier();
    var joined = NOTHING;
    if place.local == 0u {
        for (var i = 0u; i < GROUP / ROW; i++) {
            joined = join(joined, rows[i]);
        }
    }
    return joined;
}
#endif

@compute @workgroup_size(GROUP)
fn reduce_blocks(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    var joined = NOTHING;
    for (var i = 0u; i < ITEMS; i++) {
        let at = block * BLOCK + i * GROUP + place.local;
        if at < n {
            joined = join(joined, load(at));
        }
    }
    joined = join_group(joined, place);
    if place.local == 0u && block < blocks(n, BLOCK) {
        partial[block] = joined;
    }
}

@compute @workgroup_size(GROUP)
fn reduce_rest(place: Place) {
    let n = blocks(elements(extent, count[extent.word]), BLOCK);
    var joined = NOTHING;
    for (var at = place.local; at < n; at += GROUP) {
        joined = join(joined, partial[at]);
    }
    joined = join_group(joined, place);
    if place.local == 0u {
        store(extent.first, joined);
    }
}

/// All by one workgroup: for few elements a dispatch costs more than it saves.
@compute @workgroup_size(GROUP)
fn reduce_whole(place: Place) {
    let n = elements(extent, count[extent.word]);
    var joined = NOTHING;
    for (var at = place.local; at < n; at += GROUP) {
        joined = join(joined, load(at));
    }
    joined = join_group(joined, place);
    if place.local == 0u {
        store(extent.first, joined);
    }
}
