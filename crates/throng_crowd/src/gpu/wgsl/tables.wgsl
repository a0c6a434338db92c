// The world's tables: actions, rules, groups, sites.

#import throng_crowd::constants::{
    constants, ACTION_WORDS, GROUP_WORDS, IMPATIENT_PUSH, LEAST_PUSH
}
#import throng_crowd::sheet::texel

@group(0) @binding(5) var tables: texture_storage_2d<rgba32uint, read>;

fn table(at: u32) -> u32 {
    return textureLoad(tables, texel(at / 4u))[at % 4u];
}

/// Four words from one on whose number is a multiple of four.
fn table_four(at: u32) -> vec4<u32> {
    return textureLoad(tables, texel(at / 4u));
}

fn table_number(at: u32) -> f32 {
    return bitcast<f32>(table(at));
}

fn action_row(action: u32) -> u32 {
    return constants.table_actions + action * ACTION_WORDS;
}

// Words of an action.
const ACTION_SEEK: u32 = 0u;
const ACTION_GOAL: u32 = 1u;
const ACTION_SPEED: u32 = 2u;
const ACTION_FIRST_RULE: u32 = 3u;
const ACTION_LAST_RULE: u32 = 4u;
const ACTION_BITS: u32 = 5u;
const ACTION_TIRES: u32 = 6u;
const ACTION_AGGRESSION: u32 = 7u;
const ACTION_CARRIES: u32 = 8u;
const ACTION_DURATION: u32 = 9u;

// Words of a group.
const GROUP_AGGRESSION: u32 = 0u;
const GROUP_FEAR: u32 = 1u;
const GROUP_CLIMB: u32 = 2u;
const GROUP_DESCEND: u32 = 3u;
const GROUP_KEENNESS: u32 = 4u;
const GROUP_STANDING_GAP: u32 = 5u;

fn group_row(group: u32) -> u32 {
    return constants.table_groups + group * GROUP_WORDS;
}

/// How hard somebody pushes in contact; 1 is usual.
fn push_of(group: u32, action: u32, frustration: f32) -> f32 {
    let by_group = table_number(group_row(group) + GROUP_AGGRESSION);
    let by_action = table_number(action_row(action) + ACTION_AGGRESSION);
    let patience = 1.0 + (IMPATIENT_PUSH - 1.0) * frustration;
    return max(by_group * by_action * patience, LEAST_PUSH);
}

/// How much of a fear is flight: 0 none, 1 nothing else.
fn flight_of(fear: f32) -> f32 {
    if fear <= constants.flee_from {
        return 0.0;
    }
    let range = max(constants.flee_full - constants.flee_from, 1e-3);
    return min((fear - constants.flee_from) / range, 1.0);
}
