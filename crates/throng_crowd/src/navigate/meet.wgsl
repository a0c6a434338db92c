// Parties: everybody in one writes down where it is, for the others of it.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{NOTHING, DOSE, SPEED, TRAITS}
#import throng_crowd::state::action_of
#import throng_crowd::mirror::{four_of, old_word, old_number}
#import throng_crowd::bins::agents
#import throng_crowd::party::{first_of, member, packed, stamp}

@group(0) @binding(9) var<storage, read_write> parties: array<vec4<u32>>;

@compute @workgroup_size(GROUP)
fn meet(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    // Dose and place in the party.
    let more = four_of(DOSE / 4u, i);
    if more.y == NOTHING || bitcast<f32>(more.x) >= 1.0 {
        return;
    }
    // Place and velocity.
    let body = four_of(0u, i);
    let velocity = bitcast<vec2<f32>>(body.zw);
    let going = sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
    let when = stamp(action_of(old_word(TRAITS, i)));
    let speeds = packed(old_number(SPEED, i)) | (packed(going) << 16u);
    let row = vec4<u32>(body.xy, speeds, when);
    parties[first_of(more.y) + member(more.y)] = row;
}
