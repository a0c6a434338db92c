// Where people of a party write down where they are.

#import throng_crowd::constants::{constants, MOST_IN_PARTY}

/// The first row of a party, of somebody's place in it.
fn first_of(place: u32) -> u32 {
    return place / MOST_IN_PARTY % max(constants.parties, 1u) * MOST_IN_PARTY;
}

fn member(place: u32) -> u32 {
    return place % MOST_IN_PARTY;
}

/// When and at what somebody was, in one word.
fn stamp(action: u32) -> u32 {
    return (constants.step_low << 8u) | action;
}
