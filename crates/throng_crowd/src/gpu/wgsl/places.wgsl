// Places in bins, which agents take as they come; `bin.wgsl` puts them in order.

#import throng_crowd::constants::{constants, DEAD, NOTHING}
#import throng_crowd::bins::{column_of, row_of}

// How many are in each bin, and one more that stays empty; then what `bin.wgsl` says of crowded ones.
@group(0) @binding(10) var<storage, read_write> counts: array<atomic<u32>>;
// The bin of everybody, `NOTHING` of the dead, and the place it took there.
@group(0) @binding(11) var<storage, read_write> places: array<vec2<u32>>;

/// Somebody at a position takes the next place in its bin, unless it is dead.
fn take_place(i: u32, p: vec2<f32>, traits: u32) {
    var key = vec2<u32>(NOTHING, 0u);
    if (traits & DEAD) == 0u {
        let bin = row_of(p.y) * constants.columns + column_of(p.x);
        key = vec2<u32>(bin, atomicAdd(&counts[bin], 1u));
    }
    places[i] = key;
}
