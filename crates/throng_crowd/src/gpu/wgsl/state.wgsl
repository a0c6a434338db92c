// The agents: one array per quality, one after the other in one buffer.

#import throng_crowd::constants::{constants, TRAITS}

#ifdef STATE_READ
@group(0) @binding(1) var<storage, read> state: array<u32>;
#else
@group(0) @binding(1) var<storage, read_write> state: array<u32>;
#endif

fn word(field: u32, agent: u32) -> u32 {
    return state[field * constants.capacity + agent];
}

fn number(field: u32, agent: u32) -> f32 {
    return bitcast<f32>(state[field * constants.capacity + agent]);
}

fn pair(field: u32, agent: u32) -> vec2<f32> {
    return vec2<f32>(number(field, agent), number(field + 1u, agent));
}

#ifndef STATE_READ
fn set_word(field: u32, agent: u32, value: u32) {
    state[field * constants.capacity + agent] = value;
}

fn set_number(field: u32, agent: u32, value: f32) {
    state[field * constants.capacity + agent] = bitcast<u32>(value);
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
