// One pass of a stable radix sort, and where each key begins once all are sorted.
//
// A pass is three dispatches: digits counted by block, the spine over digits and blocks, and keys
// written to their places. An invocation owns a run of consecutive keys and counts their digits in
// registers, 16 counters of a byte; these go to workgroup memory digit by digit, and the scan of all is
// the rank of every run. No atomics, so equal keys stay in their order and the same input gives the
// same bits.

#import throng_gpu::group::{GROUP, Place, flat_group, flat_invocation}
#import throng_gpu::extent::{Extent, elements, blocks}
#import throng_gpu::group_scan::group_sums

const ITEMS: u32 = #{ITEMS}u;
const BITS: u32 = #{BITS}u;
const BLOCK: u32 = GROUP * ITEMS;
const DIGITS: u32 = 1u << BITS;
/// Counters of two digits share a word: of d in the low half and of d + PAIRS in the high one.
const PAIRS: u32 = DIGITS / 2u;

@group(0) @binding(0) var<uniform> extent: Extent; // first: lowest bit of the digit; second: greatest key
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
#ifdef PAYLOAD
@group(0) @binding(3) var<storage, read> payload: array<u32>;
#endif
@group(0) @binding(4) var<storage, read_write> sums: array<u32>; // digit by digit, block by block
@group(0) @binding(5) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> sorted_payload: array<u32>;

var<workgroup> counters: array<u32, PAIRS * GROUP>;
var<workgroup> parts: array<u32, GROUP>;

fn load(at: u32) -> u32 {
    return min(keys[at], extent.second);
}

fn digit_of(key: u32) -> u32 {
    return (key >> extent.first) & (DIGITS - 1u);
}

fn counter_of(digit: u32, local: u32) -> u32 {
    return (digit % PAIRS) * GROUP + local;
}

/// One in the byte of a digit.
fn one_of(digit: u32) -> vec4<u32> {
    let word = vec4<u32>(digit / 4u) == vec4<u32>(0u, 1u, 2u, 3u);
    return select(vec4<u32>(0u), vec4<u32>(1u << (digit % 4u * 8u)), word);
}

/// The byte of a digit, given its `one_of`.
fn byte_of(bytes: vec4<u32>, one: vec4<u32>, digit: u32) -> u32 {
    let found = bytes & (one * 255u);
    return (found.x | found.y | found.z | found.w) >> (digit % 4u * 8u);
}

fn store_counters(bytes: vec4<u32>, local: u32) {
    for (var i = 0u; i < 4u; i++) {
        let byte = (bytes >> vec4<u32>(i * 8u)) & vec4<u32>(255u);
        counters[i * GROUP + local] = byte.x | (byte.z << 16u);
        counters[(i + 4u) * GROUP + local] = byte.y | (byte.w << 16u);
    }
}

@compute @workgroup_size(GROUP)
fn count_digits(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    var bytes = vec4<u32>(0u);
    for (var i = 0u; i < ITEMS; i++) {
        let at = block * BLOCK + i * GROUP + place.local;
        if at < n {
            bytes += one_of(digit_of(load(at)));
        }
    }
    store_counters(bytes, place.local);
    workgroupBarrier();
    // Each pair is added up by GROUP / PAIRS invocations, then by one.
    var part = 0u;
    for (var i = 0u; i < PAIRS; i++) {
        part += counters[place.local * PAIRS + i];
    }
    parts[place.local] = part;
    workgroupBarrier();
    let all = blocks(n, BLOCK);
    if place.local < PAIRS && block < all {
        var sum = 0u;
        for (var i = 0u; i < GROUP / PAIRS; i++) {
            sum += parts[place.local * (GROUP / PAIRS) + i];
        }
        sums[place.local * all + block] = sum & 0xffffu;
        sums[(place.local + PAIRS) * all + block] = sum >> 16u;
    }
}

@compute @workgroup_size(GROUP)
fn write_digits(place: Place) {
    let n = elements(extent, count[extent.word]);
    let block = flat_group(place);
    let begin = min(block * BLOCK + place.local * ITEMS, n);
    let end = min(begin + ITEMS, n);
    var bytes = vec4<u32>(0u);
    for (var at = begin; at < end; at++) {
        bytes += one_of(digit_of(load(at)));
    }
    store_counters(bytes, place.local);
    workgroupBarrier();
    let ranks = rank_counters(place);
    workgroupBarrier();
    // `parts`: from the rank within the block to the place among all.
    if place.local < DIGITS {
        let first = rank_of(place.local, counters[counter_of(place.local, 0u)], ranks);
        parts[place.local] = sums[place.local * blocks(n, BLOCK) + block] - first;
    }
    workgroupBarrier();
    bytes = vec4<u32>(0u);
    for (var at = begin; at < end; at++) {
        let key = load(at);
        let digit = digit_of(key);
        let one = one_of(digit);
        let ranked = counters[counter_of(digit, place.local)];
        let to = parts[digit] + rank_of(digit, ranked, ranks) + byte_of(bytes, one, digit);
        bytes += one;
        sorted_keys[to] = key;
#ifdef PAYLOAD
        sorted_payload[to] = payload[at];
#else
        sorted_payload[to] = at;
#endif
    }
}

/// Counters become the number of keys before; gives how many keys have a digit of the lower half.
fn rank_counters(place: Place) -> u32 {
    var sum = 0u;
    for (var i = 0u; i < PAIRS; i++) {
        sum += counters[place.local * PAIRS + i];
    }
    let group = group_sums(sum, place);
    var before = group.before;
    for (var i = 0u; i < PAIRS; i++) {
        let own = counters[place.local * PAIRS + i];
        counters[place.local * PAIRS + i] = before;
        before += own;
    }
    return group.all & 0xffffu;
}

/// The rank in the block: keys of the upper half come after all of the lower one.
fn rank_of(digit: u32, counter: u32, lower: u32) -> u32 {
    return select(counter & 0xffffu, lower + (counter >> 16u), digit >= PAIRS);
}

/// Where each key begins among sorted ones: a search per key. second: number of bins.
@group(0) @binding(7) var<storage, read_write> starts: array<u32>;

@compute @workgroup_size(GROUP)
fn find_starts(place: Place) {
    let bin = flat_invocation(place);
    var low = 0u;
    var high = elements(extent, count[extent.word]);
    while low < high {
        let middle = low + (high - low) / 2u;
        if keys[middle] < bin {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    if bin <= extent.second {
        starts[bin] = low;
    }
}
