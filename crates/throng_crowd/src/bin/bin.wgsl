// Bins: the key of everybody, and everybody to its new place.
//
// Between the two lies a stable counting sort. Its input is in the order of IDs (the roster), so that IDs
// ascend within a bin however many there are in it.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{constants, X, Y, TRAITS, DEAD, FIELDS}
#import throng_crowd::bins::{agents, column_of, row_of}
#import throng_crowd::state::{word, number, has, state}

// Places of the agents by ascending ID, and how many there are.
@group(0) @binding(9) var<storage, read> roster: array<u32>;
@group(0) @binding(10) var<storage, read> enrolled: array<u32>;
@group(0) @binding(11) var<storage, read_write> keys: array<u32>;
@group(0) @binding(12) var<storage, read_write> alive: array<u32>;

@compute @workgroup_size(GROUP)
fn find_bins(place: Place) {
    let k = flat_invocation(place);
    if k >= enrolled[0] {
        return;
    }
    let agent = roster[k];
    let lives = !has(word(TRAITS, agent), DEAD);
    let bin = row_of(number(Y, agent)) * constants.columns + column_of(number(X, agent));
    // The dead have a key that is no bin.
    keys[k] = select(constants.bins, bin, lives);
    alive[k] = select(0u, 1u, lives);
}

// Which of the roster is at a place, in the new order.
@group(0) @binding(13) var<storage, read> order: array<u32>;
@group(0) @binding(14) var<storage, read_write> sorted: array<vec4<u32>>;
@group(0) @binding(15) var<storage, read_write> places: array<u32>;

@compute @workgroup_size(GROUP)
fn carry(place: Place) {
    let at = flat_invocation(place);
    if at >= agents() {
        return;
    }
    let k = order[at];
    let agent = roster[k];
    places[k] = at;
    for (var four = 0u; four < FIELDS / 4u; four++) {
        sorted[four * constants.capacity + at] = state[four * constants.capacity + agent];
    }
}
