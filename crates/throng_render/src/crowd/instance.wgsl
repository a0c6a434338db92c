// An agent as the crowd gives it. `throng_crowd::Instance` in Rust.

struct Instance {
    position: vec3<f32>,
    group: u32,
    direction: vec2<f32>,
    action: u32,
    clip_time: f32,
}

fn hashed(number: u32) -> u32 {
    var h = number * 0x9e3779b1u;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return h ^ (h >> 15u);
}

/// The `k`-th random number of an agent, 0..1.
fn chance(agent: u32, k: u32) -> f32 {
    return f32(hashed(agent * 8u + k) >> 8u) / 16777216.0;
}
