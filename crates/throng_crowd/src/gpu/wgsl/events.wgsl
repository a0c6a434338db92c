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
fn note(id: u32, kind: u32, detail: u32) {
    if constants.watched == 0u {
        return;
    }
    let at = atomicAdd(&tally[HAPPENED], 1u);
    if at < MOST_EVENTS {
        let record = HAPPENED + 1u + at * EVENT_WORDS;
        atomicStore(&tally[record], id);
        atomicStore(&tally[record + 1u], kind);
        atomicStore(&tally[record + 2u], detail);
    }
}
