// Brings the sheets in line with the state, after it was changed from outside.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{constants, FOURS}
#import throng_crowd::state::state
#import throng_crowd::sheet::texel
#import throng_crowd::bins::agents

@group(0) @binding(17) var mirror: texture_storage_2d_array<rgba32uint, write>;
@group(0) @binding(19) var next: texture_storage_2d_array<rgba32uint, write>;

@compute @workgroup_size(GROUP)
fn reflect_all(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    for (var k = 0u; k < FOURS; k++) {
        let four = state[k * constants.capacity + i];
        textureStore(mirror, texel(i), k, four);
        textureStore(next, texel(i), k, four);
    }
}
