// Least and greatest of ever larger squares of an image. Where a side is odd the last texel of the
// next level covers three, so every level bounds the whole image.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_gpu::order::{ordered_bits, float_bits, is_nan_bits, ORDERED_INFINITY, ORDERED_MINUS_INFINITY}

/// From one level to the next; places count texels.
struct Stage {
    from_width: u32,
    from_height: u32,
    from_at: u32,
    to_width: u32,
    to_height: u32,
    to_at: u32,
    unused_a: u32,
    unused_b: u32,
}

@group(0) @binding(0) var<uniform> stage: Stage;
@group(0) @binding(1) var<storage, read> image: array<u32>;
@group(0) @binding(2) var<storage, read_write> pyramid: array<vec2<u32>>; // bits of least and greatest

fn from_image(at: u32) -> vec2<u32> {
    let bits = image[at];
    let number = vec2<u32>(ordered_bits(bits));
    let nothing = vec2<u32>(ORDERED_INFINITY, ORDERED_MINUS_INFINITY);
    return select(number, nothing, is_nan_bits(bits));
}

fn from_pyramid(at: u32) -> vec2<u32> {
    let bits = pyramid[at];
    return vec2<u32>(ordered_bits(bits.x), ordered_bits(bits.y));
}

/// Texels of the level before that texel `i` of `to` covers: the first and the last one.
fn covered(i: u32, to: u32, before: u32) -> vec2<u32> {
    return vec2<u32>(2u * i, select(2u * i + 1u, before - 1u, i + 1u == to));
}

fn join(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(min(a.x, b.x), max(a.y, b.y));
}

fn write(at: u32, value: vec2<u32>) {
    pyramid[at] = vec2<u32>(float_bits(value.x), float_bits(value.y));
}

@compute @workgroup_size(GROUP)
fn first_level(place: Place) {
    let i = flat_invocation(place);
    if i >= stage.to_width * stage.to_height {
        return;
    }
    let columns = covered(i % stage.to_width, stage.to_width, stage.from_width);
    let rows = covered(i / stage.to_width, stage.to_height, stage.from_height);
    var joined = vec2<u32>(0xffffffffu, 0u);
    for (var y = rows.x; y <= rows.y; y++) {
        for (var x = columns.x; x <= columns.y; x++) {
            joined = join(joined, from_image(y * stage.from_width + x));
        }
    }
    write(stage.to_at + i, joined);
}

fn texel(now: Stage, i: u32) {
    let columns = covered(i % now.to_width, now.to_width, now.from_width);
    let rows = covered(i / now.to_width, now.to_height, now.from_height);
    var joined = vec2<u32>(0xffffffffu, 0u);
    for (var y = rows.x; y <= rows.y; y++) {
        for (var x = columns.x; x <= columns.y; x++) {
            joined = join(joined, from_pyramid(now.from_at + y * now.from_width + x));
        }
    }
    write(now.to_at + i, joined);
}

@compute @workgroup_size(GROUP)
fn next_level(place: Place) {
    let i = flat_invocation(place);
    if i < stage.to_width * stage.to_height {
        texel(stage, i);
    }
}

/// All levels that are left, by one workgroup.
@compute @workgroup_size(GROUP)
fn last_levels(place: Place) {
    var now = stage;
    loop {
        let texels = now.to_width * now.to_height;
        for (var i = place.local; i < texels; i += GROUP) {
            texel(now, i);
        }
        if texels == 1u {
            break;
        }
        storageBarrier();
        let width = max(now.to_width / 2u, 1u);
        let height = max(now.to_height / 2u, 1u);
        now = Stage(now.to_width, now.to_height, now.to_at, width, height, now.to_at + texels, 0u, 0u);
    }
}
