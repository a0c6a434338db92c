// Memory of one step, in arrays of pairs: preferred and new velocities, predicted positions.

#import throng_crowd::constants::constants

@group(0) @binding(2) var<storage, read_write> scratch: array<vec2<f32>>;

fn scratched(array: u32, agent: u32) -> f32 {
    return scratch[(array / 2u) * constants.capacity + agent][array % 2u];
}

fn scratched_pair(array: u32, agent: u32) -> vec2<f32> {
    return scratch[(array / 2u) * constants.capacity + agent];
}

fn scratch_down(array: u32, agent: u32, value: f32) {
    scratch[(array / 2u) * constants.capacity + agent][array % 2u] = value;
}

fn scratch_pair(array: u32, agent: u32, value: vec2<f32>) {
    scratch[(array / 2u) * constants.capacity + agent] = value;
}
