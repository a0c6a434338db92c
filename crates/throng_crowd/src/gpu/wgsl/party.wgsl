// Where people of a party write down where they are.

#import throng_crowd::constants::{constants, MOST_IN_PARTY, PER_SPEED, GOAL_BITS, AIM_BITS}
#import throng_crowd::tables::{table, action_row, ACTION_SEEK, ACTION_GOAL}

/// The first row of a party, of somebody's place in it.
fn first_of(place: u32) -> u32 {
    return place / MOST_IN_PARTY % max(constants.parties, 1u) * MOST_IN_PARTY;
}

fn member(place: u32) -> u32 {
    return place % MOST_IN_PARTY;
}

/// A speed as rows have it.
fn packed(speed: f32) -> u32 {
    return u32(clamp(speed * PER_SPEED + 0.5, 0.0, 65535.0));
}

fn unpacked(speed: u32) -> f32 {
    return f32(speed) * (1.0 / PER_SPEED);
}

/// When somebody was after what, in one word.
fn stamp(action: u32) -> u32 {
    let row = action_row(action);
    let goal = table(row + ACTION_GOAL) % (1u << GOAL_BITS);
    return (constants.step_low << AIM_BITS) | (table(row + ACTION_SEEK) << GOAL_BITS) | goal;
}
