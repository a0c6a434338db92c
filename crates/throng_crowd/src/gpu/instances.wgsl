// What a renderer needs of everybody: 32 bytes that never leave the GPU.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{constants, X, HEADING_X, CLIP, TRAITS, ID, NOTHING}
#import throng_crowd::state::{group_of, action_of}
#import throng_crowd::mirror::{old_word, old_number, old_pair}
#import throng_crowd::bins::agents
#import throng_crowd::tables::{table, action_row, ACTION_CARRIES}
#import throng_crowd::ground::ground

struct Instance {
    x: f32,
    y: f32,
    height: f32,
    group: u32,
    direction_x: f32,
    direction_y: f32,
    action: u32,
    clip_time: f32,
}

@group(0) @binding(9) var<storage, read_write> instances: array<Instance>;

@compute @workgroup_size(GROUP)
fn write_instances(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let traits = old_word(TRAITS, i);
    let p = old_pair(X, i);
    let action = action_of(traits);
    let h = old_pair(HEADING_X, i);
    instances[i] = Instance(
        p.x,
        p.y,
        height_at(p),
        group_of(traits) | (old_word(ID, i) << 8u),
        h.x,
        h.y,
        action | (table(action_row(action) + ACTION_CARRIES) << 8u),
        old_number(CLIP, i),
    );
}

/// The height of the ground, between cell centres; 0 where it is flat.
fn height_at(p: vec2<f32>) -> f32 {
    if constants.ground_heights == NOTHING {
        return 0.0;
    }
    let origin = vec2<f32>(constants.height_x, constants.height_y);
    let q = (p - origin) / constants.height_cell - 0.5;
    let low = floor(q);
    let t = q - low;
    let at = vec2<i32>(low);
    let top = mix(height(at), height(at + vec2<i32>(1, 0)), t.x);
    let bottom = mix(height(at + vec2<i32>(0, 1)), height(at + 1), t.x);
    return mix(top, bottom, t.y);
}

fn height(at: vec2<i32>) -> f32 {
    let last = vec2<i32>(i32(constants.height_columns), i32(constants.height_rows)) - 1;
    let cell = vec2<u32>(clamp(at, vec2<i32>(0), last));
    return bitcast<f32>(ground[constants.ground_heights + cell.y * constants.height_columns + cell.x]);
}
