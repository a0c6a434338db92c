// An agent as the crowd gives it. `throng_crowd::Instance` in Rust.

struct Instance {
    position: vec3<f32>,
    group: u32,
    direction: vec2<f32>,
    action: u32,
    clip_time: f32,
}
