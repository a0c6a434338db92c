// Randomness as a hash: the same number for the same (seed, agent, step, purpose) as on the CPU.

#import throng_gpu::wide::{add_wide, mul_wide, mix_wide, unit_of}
#import throng_crowd::constants::{STREAM_LOW, STREAM_HIGH, AGENT_LOW, AGENT_HIGH}

fn random_bits(seed: vec2<u32>, agent: u32, step: vec2<u32>, purpose: u32) -> vec2<u32> {
    let stream = mul_wide(vec2<u32>(purpose, 0u), vec2<u32>(STREAM_LOW, STREAM_HIGH));
    let own = mul_wide(vec2<u32>(agent, 0u), vec2<u32>(AGENT_LOW, AGENT_HIGH));
    return mix_wide(mix_wide(add_wide(seed ^ stream, own)) ^ step);
}

/// Evenly in 0..1.
fn random_unit(seed: vec2<u32>, agent: u32, step: vec2<u32>, purpose: u32) -> f32 {
    return unit_of(random_bits(seed, agent, step, purpose));
}
