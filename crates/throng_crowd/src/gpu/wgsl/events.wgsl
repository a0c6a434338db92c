// Sums over all steps, and what happened in this one.

#import throng_crowd::constants::{
    constants, HAPPENED, MOST_EVENTS, EVENT_WORDS, TRAVELS, TRAVEL_LOW, TRAVEL_HIGH, TICKS
}

// The sums; how much has happened; and that.
@group(0) @binding(8) var<storage, read_write> tally: array<atomic<u32>>;

fn count_up(what: u32) {
    atomicAdd(&tally[what], 1u);
}

/// Counts a first arrival, and how long it took since somebody was born. A sum of whole numbers, in two
/// words: the same in any order.
fn count_travel(born: f32) {
    count_up(TRAVELS);
    let took = constants.ticks - u32(born * TICKS + 0.5);
    let before = atomicAdd(&tally[TRAVEL_LOW], took);
    if before + took < before {
        atomicAdd(&tally[TRAVEL_HIGH], 1u);
    }
}

/// Notes that something happened to an agent, if anybody wants to know. In no order: whoever reads it
/// sorts it by agent and kind.
///
/// There is no plain `if` about the uniform: Mesa's software devices compile a shader anew at every bind for
/// the value of such a condition, which took as long as all of this stage.
fn note(id: u32, kind: u32, detail: u32) {
    let at = atomicAdd(&tally[HAPPENED], constants.watched);
    if at < MOST_EVENTS * constants.watched {
        let record = HAPPENED + 1u + at * EVENT_WORDS;
        atomicStore(&tally[record], id);
        atomicStore(&tally[record + 1u], kind);
        atomicStore(&tally[record + 2u], detail);
    }
}
