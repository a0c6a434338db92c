// What a renderer needs of everybody: 32 bytes that never leave the GPU.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{constants, X, HEADING_X, CLIP, TRAITS, ID, NOTHING}
#import throng_crowd::state::{group_of, action_of}
#import throng_crowd::mirror::{old_word, old_pair}
#import throng_crowd::bins::agents
#import throng_crowd::tables::{table, action_row, ACTION_CARRIES}
#import throng_crowd::sheet::texel

@group(0) @binding(6) var heights: texture_storage_2d<r32uint, read>;
// Two fours each: place, height and group; direction, action and time of the clip.
@group(0) @binding(9) var<storage, read_write> instances: array<vec4<u32>>;

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
    let place_ = bitcast<vec3<u32>>(vec3<f32>(p, height_at(p)));
    instances[2u * i] = vec4<u32>(place_, group_of(traits) | (old_word(ID, i) << 8u));
    let carries = table(action_row(action) + ACTION_CARRIES);
    let does = vec2<u32>(action | (carries << 8u), old_word(CLIP, i));
    instances[2u * i + 1u] = vec4<u32>(bitcast<vec2<u32>>(h), does);
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
    let place = cell.y * constants.height_columns + cell.x;
    return bitcast<f32>(textureLoad(heights, texel(place)).x);
}
