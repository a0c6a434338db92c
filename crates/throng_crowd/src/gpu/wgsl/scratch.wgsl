// Memory of one step: preferred and new velocities, predicted positions.

#import throng_crowd::constants::constants

@group(0) @binding(2) var<storage, read_write> scratch: array<f32>;

fn scratched(array: u32, agent: u32) -> f32 {
    return scratch[array * constants.capacity + agent];
}

fn scratched_pair(array: u32, agent: u32) -> vec2<f32> {
    return vec2<f32>(scratched(array, agent), scratched(array + 1u, agent));
}

fn scratch_down(array: u32, agent: u32, value: f32) {
    scratch[array * constants.capacity + agent] = value;
}

fn scratch_pair(array: u32, agent: u32, value: vec2<f32>) {
    scratch_down(array, agent, value.x);
    scratch_down(array + 1u, agent, value.y);
}
