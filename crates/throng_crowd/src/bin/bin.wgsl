// Bins: everybody takes a place in its bin, and is carried to where it belongs.
//
// A counting sort. Within a bin agents take places as they come (`rank`, `spread`); where each belongs is
// then found by counting those of lower number (`carry`). Bins with very many are put in order before, by
// workgroups (`order_crowds`).

#import throng_gpu::group::{GROUP, Place, flat_group, flat_invocation}
#import throng_gpu::extent::blocks
#import throng_gpu::group_scan::group_sums
#import throng_crowd::constants::{
    constants, TRAITS, ID, DEAD, FOURS, NOTHING, CROWD, CROWD_GROUPS, CROWD_BITS, CROWD_TURNS
}
#import throng_crowd::bins::{agents, start_of, column_of, row_of}
#import throng_crowd::sheet::texel

// The agents as they are when the step ends.
@group(0) @binding(20) var next: texture_2d_array<u32>;

fn next_four(k: u32, agent: u32) -> vec4<u32> {
    return textureLoad(next, texel(agent), k, 0);
}

// By bin, and one more that stays empty; then crowded bins: how many, and which.
@group(0) @binding(9) var<storage, read_write> counts: array<atomic<u32>>;
// The bin of everybody, the place it took there, and its number.
@group(0) @binding(10) var ranks: texture_storage_2d<rgba32uint, write>;
@group(0) @binding(11) var ranked: texture_2d<u32>;

// How many the gate let in in this step; they stand behind the newcomers.
@group(0) @binding(24) var<storage, read> let_in: array<u32>;

@compute @workgroup_size(GROUP)
fn rank(place: Place) {
    let i = flat_invocation(place);
    if i == 0u {
        atomicStore(&counts[constants.bins + 1u], 0u);
    }
    if i >= constants.capacity {
        return;
    }
    var key = vec4<u32>(NOTHING, 0u, 0u, 0u);
    if i < agents() + constants.newcomers + let_in[0] {
        let p = bitcast<vec2<f32>>(next_four(0u, i).xy);
        if (next_four(TRAITS / 4u, i)[TRAITS % 4u] & DEAD) == 0u {
            let bin = row_of(p.y) * constants.columns + column_of(p.x);
            let number = next_four(ID / 4u, i)[ID % 4u];
            key = vec4<u32>(bin, atomicAdd(&counts[bin], 1u), number, 0u);
        }
    }
    textureStore(ranks, texel(i), key);
}

// Where bins begin, as the scan has found it.
@group(0) @binding(12) var<storage, read> sums: array<u32>;
@group(0) @binding(13) var firsts: texture_storage_2d<r32uint, write>;
// Number and agent, and where its bin begins and ends, by bin.
@group(0) @binding(14) var slots: texture_storage_2d<rgba32uint, write>;
@group(0) @binding(15) var slotted: texture_2d<u32>;
// Number and agent again, of those in crowded bins.
@group(0) @binding(22) var<storage, read_write> crowded: array<vec2<u32>>;

@compute @workgroup_size(GROUP)
fn spread(place: Place) {
    let i = flat_invocation(place);
    // The counts are read no more: empty for the next sort.
    let all = place.groups.x * place.groups.y * GROUP;
    for (var bin = i; bin <= constants.bins; bin += all) {
        atomicStore(&counts[bin], 0u);
        textureStore(firsts, texel(bin), vec4<u32>(sums[bin], 0u, 0u, 0u));
    }
    if i >= constants.capacity {
        return;
    }
    let key = textureLoad(ranked, texel(i), 0);
    if key.x == NOTHING {
        return;
    }
    let begin = sums[key.x];
    let end = sums[key.x + 1u];
    textureStore(slots, texel(begin + key.y), vec4<u32>(key.z, i, begin, end));
    if end - begin > CROWD {
        crowded[begin + key.y] = vec2<u32>(key.z, i);
        if key.y == 0u {
            let crowd = atomicAdd(&counts[constants.bins + 1u], 1u);
            atomicStore(&counts[constants.bins + 2u + crowd], key.x);
        }
    }
}

@group(0) @binding(21) var<storage, read_write> sorted: array<vec4<u32>>;
@group(0) @binding(17) var mirror: texture_storage_2d_array<rgba32uint, write>;

@compute @workgroup_size(GROUP)
fn carry(place: Place) {
    let at = flat_invocation(place);
    if at >= agents() {
        return;
    }
    let own = textureLoad(slotted, texel(at), 0);
    var to = at;
    if own.w - own.z <= CROWD {
        to = own.z;
        for (var k = own.z; k < own.w; k++) {
            to += select(0u, 1u, textureLoad(slotted, texel(k), 0).x < own.x);
        }
    }
    for (var k = 0u; k < FOURS; k++) {
        let four = next_four(k, own.y);
        sorted[k * constants.capacity + to] = four;
        textureStore(mirror, texel(to), k, four);
    }
}

// Crowded bins, by a radix sort within a workgroup: an invocation owns a run of places and a counter
// for each digit. An even number of turns, from `crowded` to `spare` and back.

const DIGITS: u32 = 1u << CROWD_BITS;

@group(0) @binding(23) var<storage, read_write> spare: array<vec2<u32>>;
@group(0) @binding(18) var<storage, read> crowds: array<u32>; // `counts`, only read

var<workgroup> counters: array<u32, DIGITS * GROUP>;

@compute @workgroup_size(GROUP)
fn order_crowds(place: Place) {
    let all = crowds[constants.bins + 1u];
    // All workgroups go round equally often, those without a bin with an empty one: barriers must not
    // depend on what only some invocations might know.
    for (var round = 0u; round < blocks(all, CROWD_GROUPS); round++) {
        let crowd = round * CROWD_GROUPS + flat_group(place);
        var begin = 0u;
        var end = 0u;
        if crowd < all {
            let bin = crowds[constants.bins + 2u + crowd];
            begin = start_of(bin);
            end = start_of(bin + 1u);
        }
        for (var turn = 0u; turn < CROWD_TURNS; turn++) {
            order_digit(place, begin, end, turn);
        }
        for (var at = begin + place.local; at < end; at += GROUP) {
            textureStore(slots, texel(at), vec4<u32>(crowded[at], begin, end));
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
        counters[counter_of(load(turn, at).x, turn, place.local)] += 1u;
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
        let counter = counter_of(value.x, turn, place.local);
        let to = counters[counter];
        counters[counter] = to + 1u;
        if turn % 2u == 0u {
            spare[to] = value;
        } else {
            crowded[to] = value;
        }
    }
    storageBarrier();
}

fn counter_of(number: u32, turn: u32, local: u32) -> u32 {
    // A last turn beyond all bits sorts by the highest once more, which changes nothing.
    let shift = min(turn * CROWD_BITS, 31u);
    return ((number >> shift) & (DIGITS - 1u)) * GROUP + local;
}

fn load(turn: u32, at: u32) -> vec2<u32> {
    if turn % 2u == 0u {
        return crowded[at];
    }
    return spare[at];
}
