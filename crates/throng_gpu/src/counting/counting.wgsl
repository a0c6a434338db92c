// A counting sort for many bins with few elements each.
//
// Elements take their place within a bin by an atomic counter, in whatever order they come; then every
// bin is sorted by where its elements came from. So equal keys keep their order, and the same input
// gives the same bits.

#import throng_gpu::group::{GROUP, Place, flat_group, flat_invocation}
#import throng_gpu::extent::{Extent, elements, blocks}
#import throng_gpu::group_scan::group_sums

/// Up to so many are sorted by insertion, which is quick for few; more by a heap, which is never slow.
const FEW: u32 = 24u;
/// More than so many are a crowd, which is left to a workgroup.
const CROWD: u32 = #{CROWD}u;
/// Workgroups that take crowded bins in turn.
const CROWD_GROUPS: u32 = #{CROWD_GROUPS}u;

@group(0) @binding(0) var<uniform> extent: Extent; // first: bins; second: passes over a crowd
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
// By bin; then of keys that are no bin, of crowded bins, and these.
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> ranks: array<u32>;
@group(0) @binding(5) var<storage, read_write> places: array<u32>;
@group(0) @binding(6) var<storage, read> starts: array<u32>; // one more than bins

@compute @workgroup_size(GROUP)
fn clear(place: Place) {
    let bin = flat_invocation(place);
    if bin <= extent.first + 1u {
        atomicStore(&counts[bin], 0u);
    }
}

@compute @workgroup_size(GROUP)
fn rank(place: Place) {
    let at = flat_invocation(place);
    if at >= elements(extent, count[extent.word]) {
        return;
    }
    let key = keys[at];
    if key < extent.first {
        ranks[at] = atomicAdd(&counts[key], 1u);
    }
}

@compute @workgroup_size(GROUP)
fn spread(place: Place) {
    let at = flat_invocation(place);
    if at >= elements(extent, count[extent.word]) {
        return;
    }
    let key = keys[at];
    if key < extent.first {
        places[starts[key] + ranks[at]] = at;
    }
}

#ifdef PAYLOAD
@group(0) @binding(7) var<storage, read> payload: array<u32>;
#endif
@group(0) @binding(8) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(9) var<storage, read_write> sorted_payload: array<u32>;

/// One bin to an invocation.
@compute @workgroup_size(GROUP)
fn order(place: Place) {
    let bin = flat_invocation(place);
    if bin >= extent.first {
        return;
    }
    let begin = starts[bin];
    let end = starts[bin + 1u];
    if end - begin <= FEW {
        insert_all(begin, end);
    } else if end - begin <= CROWD {
        heap_all(begin, end - begin);
    } else {
        let crowd = atomicAdd(&counts[extent.first + 1u], 1u);
        atomicStore(&counts[extent.first + 2u + crowd], bin);
        return;
    }
    for (var at = begin; at < end; at++) {
        carry(bin, at);
    }
}

/// Writes what belongs at a place of a sorted bin.
fn carry(bin: u32, at: u32) {
    sorted_keys[at] = bin;
#ifdef PAYLOAD
    sorted_payload[at] = payload[places[at]];
#else
    sorted_payload[at] = places[at];
#endif
}

fn insert_all(begin: u32, end: u32) {
    for (var next = begin + 1u; next < end; next++) {
        let own = places[next];
        var at = next;
        while at > begin {
            let before = places[at - 1u];
            if before <= own {
                break;
            }
            places[at] = before;
            at -= 1u;
        }
        places[at] = own;
    }
}

/// Heap sort of `n` places from `begin` on.
fn heap_all(begin: u32, n: u32) {
    for (var root = n / 2u; root > 0u; root--) {
        sink(begin, root - 1u, n, places[begin + root - 1u]);
    }
    for (var last = n - 1u; last > 0u; last--) {
        let own = places[begin + last];
        places[begin + last] = places[begin];
        sink(begin, 0u, last, own);
    }
}

/// Puts `own` where it belongs below a root of a heap of `n`.
fn sink(begin: u32, root: u32, n: u32, own: u32) {
    var at = root;
    loop {
        var child = 2u * at + 1u;
        if child >= n {
            break;
        }
        var greatest = places[begin + child];
        if child + 1u < n {
            let other = places[begin + child + 1u];
            if other > greatest {
                greatest = other;
                child += 1u;
            }
        }
        if greatest <= own {
            break;
        }
        places[begin + at] = greatest;
        at = child;
    }
    places[begin + at] = own;
}

// Crowded bins, by a radix sort within a workgroup: an invocation owns a run of places and a counter
// for each digit. An even number of passes, from `places` to `ranks` and back.

const BITS: u32 = #{CROWD_BITS}u;
const DIGITS: u32 = 1u << BITS;

@group(0) @binding(10) var<storage, read> crowds: array<u32>; // `counts`, to be read only

var<workgroup> counters: array<u32, DIGITS * GROUP>;

@compute @workgroup_size(GROUP)
fn order_crowds(place: Place) {
    let all = crowds[extent.first + 1u];
    // All workgroups go round equally often, those without a bin with an empty one: barriers must not
    // depend on what only some invocations might know.
    for (var round = 0u; round < blocks(all, CROWD_GROUPS); round++) {
        let crowd = round * CROWD_GROUPS + flat_group(place);
        var bin = 0u;
        var begin = 0u;
        var end = 0u;
        if crowd < all {
            bin = crowds[extent.first + 2u + crowd];
            begin = starts[bin];
            end = starts[bin + 1u];
        }
        for (var turn = 0u; turn < extent.second; turn++) {
            order_digit(place, begin, end, turn);
        }
        for (var at = begin + place.local; at < end; at += GROUP) {
            carry(bin, at);
        }
    }
}

fn order_digit(place: Place, begin: u32, end: u32, turn: u32) {
    let share = blocks(end - begin, GROUP);
    let first = min(begin + place.local * share, end);
    let last = min(first + share, end);
    for (var digit = 0u; digit < DIGITS; digit++) {
        counters[digit * GROUP + place.local] = 0u;
    }
    for (var at = first; at < last; at++) {
        counters[counter_of(load(turn, at), turn, place.local)] += 1u;
    }
    workgroupBarrier();
    var sum = 0u;
    for (var i = 0u; i < DIGITS; i++) {
        sum += counters[place.local * DIGITS + i];
    }
    let group = group_sums(sum, place);
    var before = begin + group.before;
    for (var i = 0u; i < DIGITS; i++) {
        let own = counters[place.local * DIGITS + i];
        counters[place.local * DIGITS + i] = before;
        before += own;
    }
    workgroupBarrier();
    for (var at = first; at < last; at++) {
        let value = load(turn, at);
        let counter = counter_of(value, turn, place.local);
        let to = counters[counter];
        counters[counter] = to + 1u;
        if turn % 2u == 0u {
            ranks[to] = value;
        } else {
            places[to] = value;
        }
    }
    storageBarrier();
}

fn counter_of(value: u32, turn: u32, local: u32) -> u32 {
    return ((value >> (turn * BITS)) & (DIGITS - 1u)) * GROUP + local;
}

fn load(turn: u32, at: u32) -> u32 {
    if turn % 2u == 0u {
        return places[at];
    }
    return ranks[at];
}
