// The gate: lets people of streams in where there is room, the others wait.
//
// The twin is `Crowd::spawn_due`. People come in the order of their numbers, each to the first of some
// places at which nobody stands; if there is none, it and all behind it wait for the next step. When half
// of the places to wait are taken, people are let in all the same, and contacts make room.

#import throng_gpu::group::{GROUP, Place}
#import throng_crowd::constants::{
    constants, X, HEADING_X, RADIUS, BORN, TARGET_X, TRAITS, FIELDS, FOURS, TARGETED, STREAM_WORDS,
    VISITOR_WORDS, WAITING_ROOM, SQUEEZED_ONES
}
#import throng_crowd::state::{state, word, number, pair, set_number, set_pair, has}
#import throng_crowd::bins::{agents, column_of, row_of, range_of}
#import throng_crowd::events::count_up

// How many were let in in this step: they stand behind the newcomers until the sort.
@group(0) @binding(10) var<storage, read_write> let_in: array<u32>;
// How many of each stream were let in.
@group(0) @binding(11) var<storage, read_write> entered: array<u32>;
// The streams, then the waiting room of each.
@group(0) @binding(12) var<storage, read> visitors: array<u32>;

// Words of a stream; places to try follow.
const STREAM_SENT: u32 = 0u;
const STREAM_BEFORE: u32 = 1u;
const STREAM_RADIUS: u32 = 2u;
const STREAM_MIRRORED: u32 = 3u;
const STREAM_CENTRE: u32 = 4u;
const STREAM_PLACES: u32 = 6u;

var<workgroup> shared_word: u32;
var<workgroup> touched: atomic<u32>;

fn visitor_number(at: u32) -> f32 {
    return bitcast<f32>(visitors[at]);
}

fn visitor_pair(at: u32) -> vec2<f32> {
    return vec2<f32>(visitor_number(at), visitor_number(at + 1u));
}

/// One workgroup, whose invocations look for neighbours together.
@compute @workgroup_size(GROUP)
fn gate(place: Place) {
    let local = place.local;
    var at = agents() + constants.newcomers;
    for (var stream = 0u; stream < constants.streams; stream++) {
        let row = stream * STREAM_WORDS;
        let sent = visitors[row + STREAM_SENT];
        if local == 0u {
            shared_word = entered[stream];
        }
        let first = workgroupUniformLoad(&shared_word);
        var due = first;
        while due != sent {
            let visitor = constants.streams * STREAM_WORDS
                + (stream * WAITING_ROOM + due % WAITING_ROOM) * VISITOR_WORDS;
            // Only the first of those who wait has tried its own places before.
            let waited = due - visitors[row + STREAM_BEFORE] >= 0x80000000u;
            var to = find_place(local, row, visitor, waited && due == first, at);
            if to == 0u {
                if sent - due <= WAITING_ROOM / 2u {
                    break;
                }
                to = visitor + FIELDS + 1u;
                if local == 0u {
                    count_up(SQUEEZED_ONES);
                }
            }
            if local == 0u {
                put_down(row, visitor, visitor_pair(to), at);
            }
            storageBarrier();
            at += 1u;
            due += 1u;
        }
        if local == 0u {
            entered[stream] = due;
        }
    }
    if local == 0u {
        let_in[0] = at - agents() - constants.newcomers;
    }
}

/// Where the first free place of a visitor is written; zero if there is none. Whoever comes back to the
/// gate tries the places of this step, where there are any, all others their own: as many as on the CPU.
fn find_place(local: u32, row: u32, visitor: u32, again: bool, end: u32) -> u32 {
    let radius = visitor_number(row + STREAM_RADIUS);
    var places = visitor + FIELDS;
    if again && visitors[row + STREAM_PLACES] != 0u {
        places = row + STREAM_PLACES;
    }
    for (var k = 0u; k < visitors[places]; k++) {
        let at = places + 1u + 2u * k;
        if has_room(local, visitor_pair(at), radius, end) {
            return at;
        }
    }
    return 0u;
}

/// Whether nobody stands where a body would be put, also of those before `end` who have come since the
/// last sort.
fn has_room(local: u32, p: vec2<f32>, radius: f32, end: u32) -> bool {
    if local == 0u {
        atomicStore(&touched, 0u);
    }
    workgroupBarrier();
    let reach = radius + constants.widest + 0.5;
    let first = column_of(p.x - reach);
    let last = column_of(p.x + reach);
    let top = row_of(p.y + reach);
    for (var row = row_of(p.y - reach); row <= top; row++) {
        let range = range_of(row, first, last);
        for (var j = range.x + local; j < range.y; j += GROUP) {
            touch(j, p, radius);
        }
    }
    for (var j = agents() + local; j < end; j += GROUP) {
        touch(j, p, radius);
    }
    workgroupBarrier();
    if local == 0u {
        shared_word = atomicLoad(&touched);
    }
    return workgroupUniformLoad(&shared_word) == 0u;
}

fn touch(j: u32, p: vec2<f32>, radius: f32) {
    let d = pair(X, j) - p;
    let both = radius + number(RADIUS, j);
    if d.x * d.x + d.y * d.y < both * both {
        atomicStore(&touched, 1u);
    }
}

fn put_down(row: u32, visitor: u32, p: vec2<f32>, at: u32) {
    for (var four = 0u; four < FOURS; four++) {
        let base = visitor + 4u * four;
        state[four * constants.capacity + at] =
            vec4<u32>(visitors[base], visitors[base + 1u], visitors[base + 2u], visitors[base + 3u]);
    }
    set_pair(X, at, p);
    set_number(BORN, at, constants.born);
    var goal = p;
    if has(word(TRAITS, at), TARGETED) {
        goal = pair(TARGET_X, at);
        if visitors[row + STREAM_MIRRORED] != 0u {
            goal = visitor_pair(row + STREAM_CENTRE) * 2.0 - p;
        }
        let d = goal - p;
        let long = sqrt(d.x * d.x + d.y * d.y);
        if long > 1e-37 {
            set_pair(HEADING_X, at, d / long);
        }
    }
    set_pair(TARGET_X, at, goal);
}
