// Doors that let only so many through, and lifts; the twin is `passage.rs`. One workgroup, whose invocations
// look at the people near a door or in a cabin together; doors and lifts one after the other.

#import throng_gpu::group::{GROUP, Place}
#import throng_crowd::constants::{
    constants, X, LEFT, TRAITS, ID, DOSE, DEAD, WAITING, NOTHING, EXTENDED, TICKS, NEAR_PASSAGE, JUST_BEFORE,
    AT_DOOR, DOOR_WORDS, LIFT_WORDS, LIFT_CLOCKS
}
#import throng_crowd::state::{state, word, row_of_four, has, with_flag}
#import throng_crowd::mirror::{old_number, old_pair, old_word}
#import throng_crowd::bins::{column_of, row_of, range_of}
#import throng_crowd::tables::{table, table_number}
#import throng_crowd::shape::{site_row, table_pair, nearest_point, SITE_CENTRE}

// People busy at each site; then the clocks of doors and lifts.
@group(0) @binding(7) var<storage, read_write> busy: array<u32>;

// Words of a leaf of a door, and of a lift.
const LEAF_FROM: u32 = 0u;
const LEAF_TO: u32 = 2u;
const LEAF_INTERVAL: u32 = 4u;
const LIFT_CAPACITY: u32 = 0u;
const LIFT_TURN: u32 = 1u;
const LIFT_DWELL: u32 = 2u;
const LIFT_SECONDS: u32 = 3u;
const LIFT_WAY: u32 = 4u;

var<workgroup> lowest: atomic<u32>;
var<workgroup> shared_word: u32;

@compute @workgroup_size(GROUP)
fn pass_all(place: Place) {
    for (var leaf = 0u; leaf < constants.leaves; leaf++) {
        hold(place.local, leaf);
    }
    for (var lift = 0u; lift < constants.lifts; lift++) {
        carry(place.local, lift);
    }
}

/// Where somebody is now.
fn place_of(i: u32) -> vec2<f32> {
    return bitcast<vec2<f32>>(state[row_of_four(X, i)].xy);
}

/// Whether a tick is not after the present one, on a clock that goes round.
fn is_due(tick: u32) -> bool {
    return constants.ticks - tick < 0x80000000u;
}

fn put(field: u32, i: u32, four: vec4<u32>) {
    state[row_of_four(field, i)] = four;
}

/// A door holds all who would pass but one, if one may.
fn hold(local: u32, leaf: u32) {
    let row = constants.table_doors + leaf * DOOR_WORDS;
    let a = table_pair(row + LEAF_FROM);
    let b = table_pair(row + LEAF_TO);
    let low = min(a, b) - NEAR_PASSAGE;
    let high = max(a, b) + NEAR_PASSAGE;
    if local == 0u {
        atomicStore(&lowest, NOTHING);
    }
    workgroupBarrier();
    for (var r = row_of(low.y); r <= row_of(high.y); r++) {
        let range = range_of(r, column_of(low.x), column_of(high.x));
        for (var i = range.x + local; i < range.y; i += GROUP) {
            if crosses(i, a, b) {
                atomicMin(&lowest, old_word(ID, i));
            }
        }
    }
    workgroupBarrier();
    if local == 0u {
        let at = constants.clocks + leaf;
        let clock = busy[at];
        shared_word = NOTHING;
        if atomicLoad(&lowest) != NOTHING && is_due(clock) {
            // What was lost between two steps is made good; more is not.
            let step = u32(ceil(constants.dt * TICKS));
            let from_ = select(constants.ticks, clock, constants.ticks - clock < step);
            busy[at] = from_ + table(row + LEAF_INTERVAL);
            shared_word = atomicLoad(&lowest);
        }
    }
    let passes = workgroupUniformLoad(&shared_word);
    for (var r = row_of(low.y); r <= row_of(high.y); r++) {
        let range = range_of(r, column_of(low.x), column_of(high.x));
        for (var i = range.x + local; i < range.y; i += GROUP) {
            if old_word(ID, i) != passes && crosses(i, a, b) {
                put(X, i, vec4<u32>(bitcast<vec2<u32>>(held(i, a, b)), 0u, 0u));
            }
        }
    }
    storageBarrier();
    workgroupBarrier();
}

/// Which side of a line a point is on, by sign.
fn side(r: vec2<f32>, a: vec2<f32>, b: vec2<f32>) -> f32 {
    return (b.x - a.x) * (r.y - a.y) - (b.y - a.y) * (r.x - a.x);
}

/// Where a door stops somebody who would step over it: just before.
fn held(i: u32, a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let p = old_pair(X, i);
    let q = place_of(i);
    let before = side(p, a, b);
    let after = side(q, a, b);
    // Rounding must not carry anybody over it.
    if abs(before) < AT_DOOR * length(b - a) {
        return p;
    }
    return p + (q - p) * (JUST_BEFORE * (before / (before - after)));
}

/// Whether somebody's step leads over a line.
fn crosses(i: u32, a: vec2<f32>, b: vec2<f32>) -> bool {
    if has(word(TRAITS, i), DEAD) {
        return false;
    }
    let p = old_pair(X, i);
    let q = place_of(i);
    let before = side(p, a, b);
    let after = side(q, a, b);
    if (before < 0.0) == (after < 0.0) {
        return false;
    }
    let along = (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
    let on = (q.x - a.x) * (b.x - a.x) + (q.y - a.y) * (b.y - a.y);
    let at = along + (on - along) * (before / (before - after));
    return at >= 0.0 && at < (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
}

/// A lift that is there goes when it is full, or has waited long enough.
fn carry(local: u32, lift: u32) {
    let row = constants.table_lifts + lift * LIFT_WORDS;
    let at = constants.clocks + constants.leaves + lift * LIFT_CLOCKS;
    let cabin = site_row(constants.sites + lift);
    let middle = table_pair(cabin + SITE_CENTRE);
    let reach = table_number(cabin + SITE_CENTRE + 2u) + NEAR_PASSAGE;
    let capacity = table(row + LIFT_CAPACITY);
    if local == 0u {
        shared_word = select(0u, 1u, is_due(busy[at]));
    }
    if workgroupUniformLoad(&shared_word) == 0u {
        return;
    }
    // Of those who stand in it, as many go as fit in, the lowest numbers first.
    var aboard = 0u;
    var last = 0u;
    while aboard < capacity {
        if local == 0u {
            atomicStore(&lowest, NOTHING);
        }
        workgroupBarrier();
        for (var r = row_of(middle.y - reach); r <= row_of(middle.y + reach); r++) {
            let range = range_of(r, column_of(middle.x - reach), column_of(middle.x + reach));
            for (var i = range.x + local; i < range.y; i += GROUP) {
                if (aboard == 0u || old_word(ID, i) > last) && is_inside(i, cabin) {
                    atomicMin(&lowest, old_word(ID, i));
                }
            }
        }
        workgroupBarrier();
        if local == 0u {
            shared_word = atomicLoad(&lowest);
        }
        let found = workgroupUniformLoad(&shared_word);
        if found == NOTHING {
            break;
        }
        last = found;
        aboard += 1u;
    }
    if local == 0u {
        shared_word = 0u;
        if aboard == 0u {
            busy[at + 1u] = NOTHING;
        } else {
            if busy[at + 1u] == NOTHING {
                busy[at + 1u] = constants.ticks;
            }
            let waited = constants.ticks - busy[at + 1u] >= table(row + LIFT_DWELL);
            if aboard == capacity || waited {
                busy[at] = constants.ticks + table(row + LIFT_TURN);
                busy[at + 1u] = NOTHING;
                shared_word = 1u;
            }
        }
    }
    if workgroupUniformLoad(&shared_word) == 0u {
        return;
    }
    for (var r = row_of(middle.y - reach); r <= row_of(middle.y + reach); r++) {
        let range = range_of(r, column_of(middle.x - reach), column_of(middle.x + reach));
        for (var i = range.x + local; i < range.y; i += GROUP) {
            if old_word(ID, i) <= last && is_inside(i, cabin) {
                let to = place_of(i) + table_pair(row + LIFT_WAY);
                put(X, i, vec4<u32>(bitcast<vec2<u32>>(to), 0u, 0u));
                var four = state[row_of_four(TRAITS, i)];
                four[TRAITS % 4u] = with_flag(four[TRAITS % 4u], WAITING, true);
                put(TRAITS, i, four);
                four = state[row_of_four(LEFT, i)];
                four[LEFT % 4u] = table(row + LIFT_SECONDS);
                put(LEFT, i, four);
            }
        }
    }
    storageBarrier();
    workgroupBarrier();
}

fn is_inside(i: u32, cabin: u32) -> bool {
    let traits = word(TRAITS, i);
    var down = false;
    if EXTENDED {
        down = old_number(DOSE, i) >= 1.0;
    }
    return !has(traits, DEAD | WAITING) && !down && nearest_point(cabin, place_of(i)).depth > 0.0;
}
