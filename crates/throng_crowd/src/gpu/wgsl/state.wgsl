// The agents: arrays of four qualities each, one after the other in one buffer. In the course of a step they become
// what they are when it ends.

#import throng_crowd::constants::{constants, TRAITS}

#ifdef STATE_READ
@group(0) @binding(1) var<storage, read> state: array<vec4<u32>>;
#else
@group(0) @binding(1) var<storage, read_write> state: array<vec4<u32>>;
#endif

fn row_of_four(field: u32, agent: u32) -> u32 {
    return (field / 4u) * constants.capacity + agent;
}

fn word(field: u32, agent: u32) -> u32 {
    return state[row_of_four(field, agent)][field % 4u];
}

fn number(field: u32, agent: u32) -> f32 {
    return bitcast<f32>(word(field, agent));
}

/// Two qualities side by side in the same four.
fn pair(field: u32, agent: u32) -> vec2<f32> {
    // Word by word: some drivers load all four of a vector, however few are needed.
    return vec2<f32>(number(field, agent), number(field + 1u, agent));
}

#ifndef STATE_READ
fn set_word(field: u32, agent: u32, value: u32) {
    state[row_of_four(field, agent)][field % 4u] = value;
}

fn set_number(field: u32, agent: u32, value: f32) {
    state[row_of_four(field, agent)][field % 4u] = bitcast<u32>(value);
}

fn set_pair(field: u32, agent: u32, value: vec2<f32>) {
    set_number(field, agent, value.x);
    set_number(field + 1u, agent, value.y);
}
#endif

fn group_of(traits: u32) -> u32 {
    return traits & 0xffu;
}

fn action_of(traits: u32) -> u32 {
    return (traits >> 8u) & 0xffu;
}

fn has(traits: u32, flag: u32) -> bool {
    return (traits & flag) != 0u;
}

fn with_flag(traits: u32, flag: u32, on: bool) -> u32 {
    return select(traits & ~flag, traits | flag, on);
}

fn with_action(traits: u32, action: u32) -> u32 {
    return (traits & ~0xff00u) | (action << 8u);
}
