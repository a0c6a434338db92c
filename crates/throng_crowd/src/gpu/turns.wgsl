// Who decides in the step, listed for the stages that are about decisions. The others go on as they go, or
// stand. And who wants a field to a private target.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, ID, CLIP, TARGET_X, TRAITS, MOVING, TARGETED, HIDDEN, WANT_X
}
#import throng_crowd::state::has
#import throng_crowd::mirror::{old_word, old_number, old_pair, body_of}
#import throng_crowd::scratch::scratch_pair
#import throng_crowd::bins::agents
#import throng_crowd::turns::decides
#import throng_crowd::list::append
#import throng_crowd::ground::target_cell
#import throng_crowd::slots::{slots, wanted}

@compute @workgroup_size(GROUP)
fn find_turns(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let body = body_of(i);
    let traits = old_word(TRAITS, i);
    if decides(old_word(ID, i), body.xy, old_number(CLIP, i)) {
        append(i);
    } else {
        scratch_pair(WANT_X, i, select(vec2<f32>(0.0), body.zw, has(traits, MOVING)));
    }
    // Who did not see its target when it last looked wants a field to it.
    if constants.targets != 0u && has(traits, HIDDEN) && has(traits, TARGETED) {
        atomicAdd(&slots[wanted(target_cell(old_pair(TARGET_X, i)))], 1u);
    }
}
