// The agents as they were when the step began: the same fours as the state, to be read by anybody while
// those whose turn it is change the state.

#import throng_crowd::sheet::texel

@group(0) @binding(16) var mirror: texture_storage_2d_array<rgba32uint, read>;

/// Four qualities of an agent.
fn four_of(k: u32, agent: u32) -> vec4<u32> {
    return textureLoad(mirror, texel(agent), k);
}

fn old_word(field: u32, agent: u32) -> u32 {
    return four_of(field / 4u, agent)[field % 4u];
}

fn old_number(field: u32, agent: u32) -> f32 {
    return bitcast<f32>(old_word(field, agent));
}

/// Two qualities side by side in the same four.
fn old_pair(field: u32, agent: u32) -> vec2<f32> {
    let four = four_of(field / 4u, agent);
    return bitcast<vec2<f32>>(vec2<u32>(four[field % 4u], four[field % 4u + 1u]));
}

/// Place and velocity of an agent.
fn body_of(agent: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(four_of(0u, agent));
}

/// Radius, heading and frustration of an agent.
fn build_of(agent: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(four_of(1u, agent));
}
