// Who decides in the step, listed for the stages that are about decisions. The others go on as they go, or
// stand.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{ID, TRAITS, MOVING, WANT_X}
#import throng_crowd::state::has
#import throng_crowd::mirror::{old_word, body_of}
#import throng_crowd::scratch::scratch_pair
#import throng_crowd::bins::agents
#import throng_crowd::turns::decides
#import throng_crowd::list::append

@compute @workgroup_size(GROUP)
fn find_turns(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let body = body_of(i);
    if decides(old_word(ID, i), body.xy) {
        append(i);
    } else {
        let moving = has(old_word(TRAITS, i), MOVING);
        scratch_pair(WANT_X, i, select(vec2<f32>(0.0), body.zw, moving));
    }
}
