// Bins: everybody is carried to where it belongs.
//
// A counting sort. Within a bin agents take places as they come (in `move.wgsl`, or `rank`) and write down their
// numbers there (`spread`); where each belongs is then found by counting the lower numbers (`carry`). Bins with
// very many are put in order before, by workgroups (`order_crowds`), and searched by bisection.

#import throng_gpu::group::{GROUP, Place, flat_group, flat_invocation}
#import throng_gpu::extent::blocks
#import throng_gpu::group_scan::group_sums
#import throng_crowd::constants::{
    constants, X, TRAITS, ID, FOURS, NOTHING, CROWD, CROWD_GROUPS, CROWD_BITS, CROWD_TURNS
}
#import throng_crowd::state::{state, word, pair}
#import throng_crowd::bins::agents
#import throng_crowd::places::{counts, places, take_place}

// How many the gate let in in this step; they stand behind the newcomers.
@group(0) @binding(24) var<storage, read> let_in: array<u32>;

/// Whether somebody is there, of those who were and those who came since.
fn is_there(i: u32) -> bool {
    let before = agents();
    // Few ask for what is not the same for all.
    if i < before {
        return true;
    }
    return i < before + constants.newcomers + let_in[0];
}

/// Where nobody has taken places yet.
@compute @workgroup_size(GROUP)
fn rank(place: Place) {
    let i = flat_invocation(place);
    if is_there(i) {
        take_place(i, pair(X, i), word(TRAITS, i));
    }
}

/// Where those have who were there before.
@compute @workgroup_size(GROUP)
fn rank_newcomers(place: Place) {
    let i = agents() + flat_invocation(place);
    if is_there(i) {
        take_place(i, pair(X, i), word(TRAITS, i));
    }
}

// Where bins begin, as the scan has found it.
@group(0) @binding(12) var<storage, read> sums: array<u32>;
// The numbers of those in each bin.
@group(0) @binding(22) var<storage, read_write> members: array<u32>;

// What `counts` says of crowded bins: workgroups that put them in order, as a dispatch; how many there are; and
// these.
const CROWD_DISPATCH: u32 = 1u;
const CROWD_COUNT: u32 = 4u;
const CROWD_LIST: u32 = 5u;

@compute @workgroup_size(GROUP)
fn spread(place: Place) {
    let i = flat_invocation(place);
    // The counts are read no more: empty for the next sort.
    let all = place.groups.x * place.groups.y * GROUP;
    for (var bin = i; bin <= constants.bins; bin += all) {
        atomicStore(&counts[bin], 0u);
    }
    if !is_there(i) {
        return;
    }
    let key = places[i];
    if key.x == NOTHING {
        return;
    }
    members[sums[key.x] + key.y] = word(ID, i);
    // One too many.
    if key.y == CROWD {
        let crowd = atomicAdd(&counts[constants.bins + CROWD_COUNT], 1u);
        atomicStore(&counts[constants.bins + CROWD_LIST + crowd], key.x);
        if crowd < CROWD_GROUPS {
            atomicAdd(&counts[constants.bins + CROWD_DISPATCH], 1u);
        }
    }
}

@group(0) @binding(21) var<storage, read_write> sorted: array<vec4<u32>>;

@compute @workgroup_size(GROUP)
fn carry(place: Place) {
    let i = flat_invocation(place);
    if i == 0u {
        atomicStore(&counts[constants.bins + CROWD_DISPATCH], 0u);
        atomicStore(&counts[constants.bins + CROWD_COUNT], 0u);
    }
    if !is_there(i) {
        return;
    }
    let key = places[i];
    if key.x == NOTHING {
        return;
    }
    let self_ = state[(ID / 4u) * constants.capacity + i];
    let to = place_of(self_[ID % 4u], sums[key.x], sums[key.x + 1u]);
    for (var k = 0u; k < FOURS; k++) {
        if k == ID / 4u {
            sorted[k * constants.capacity + to] = self_;
        } else {
            sorted[k * constants.capacity + to] = state[k * constants.capacity + i];
        }
    }
}

/// Where somebody of a number belongs in a bin from one place to another.
fn place_of(number: u32, begin: u32, end: u32) -> u32 {
    var to = begin;
    if end - begin <= CROWD {
        for (var k = begin; k < end; k++) {
            to += select(0u, 1u, members[k] < number);
        }
        return to;
    }
    var high = end;
    while to < high {
        let middle = (to + high) / 2u;
        if members[middle] < number {
            to = middle + 1u;
        } else {
            high = middle;
        }
    }
    return to;
}

// Crowded bins, by a radix sort within a workgroup: an invocation owns a run of places and a counter
// for each digit. An even number of turns, from `members` to `spare` and back.

const DIGITS: u32 = 1u << CROWD_BITS;

@group(0) @binding(23) var<storage, read_write> spare: array<u32>;
@group(0) @binding(18) var<storage, read> crowds: array<u32>; // `counts`, only read

var<workgroup> counters: array<u32, DIGITS * GROUP>;

@compute @workgroup_size(GROUP)
fn order_crowds(place: Place) {
    let all = crowds[constants.bins + CROWD_COUNT];
    // All workgroups go round equally often, those without a bin with an empty one: barriers must not
    // depend on what only some invocations might know.
    for (var round = 0u; round < blocks(all, CROWD_GROUPS); round++) {
        let crowd = round * CROWD_GROUPS + flat_group(place);
        var begin = 0u;
        var end = 0u;
        if crowd < all {
            let bin = crowds[constants.bins + CROWD_LIST + crowd];
            begin = sums[bin];
            end = sums[bin + 1u];
        }
        for (var turn = 0u; turn < CROWD_TURNS; turn++) {
            order_digit(place, begin, end, turn);
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
            spare[to] = value;
        } else {
            members[to] = value;
        }
    }
    storageBarrier();
}

fn counter_of(number: u32, turn: u32, local: u32) -> u32 {
    // A last turn beyond all bits sorts by the highest once more, which changes nothing.
    let shift = min(turn * CROWD_BITS, 31u);
    return ((number >> shift) & (DIGITS - 1u)) * GROUP + local;
}

fn load(turn: u32, at: u32) -> u32 {
    if turn % 2u == 0u {
        return members[at];
    }
    return spare[at];
}
