// The least or greatest of each segment of an array.
//
// Work is shared by elements, not by segments, so that a long segment holds nobody up. The atomics
// are of least and greatest: their order does not matter.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_gpu::extent::{Extent, elements}
#import throng_gpu::order::{ordered_bits, float_bits, is_nan_bits, ORDERED_INFINITY, ORDERED_MINUS_INFINITY}

const ITEMS: u32 = #{ITEMS}u;

@group(0) @binding(0) var<uniform> extent: Extent; // first: segments
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read> input: array<u32>;
@group(0) @binding(3) var<storage, read> starts: array<u32>; // one more than segments
@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

#ifdef MIN
#ifdef FLOAT
const NOTHING: u32 = ORDERED_INFINITY;
#else
const NOTHING: u32 = 0xffffffffu;
#endif
#else
#ifdef FLOAT
const NOTHING: u32 = ORDERED_MINUS_INFINITY;
#else
const NOTHING: u32 = 0u;
#endif
#endif

fn join(a: u32, b: u32) -> u32 {
#ifdef MIN
    return min(a, b);
#else
    return max(a, b);
#endif
}

fn load(at: u32) -> u32 {
    let bits = input[at];
#ifdef FLOAT
    return select(ordered_bits(bits), NOTHING, is_nan_bits(bits));
#else
    return bits;
#endif
}

fn give(segment: u32, value: u32) {
#ifdef MIN
    atomicMin(&output[segment], value);
#else
    atomicMax(&output[segment], value);
#endif
}

@compute @workgroup_size(GROUP)
fn clear(place: Place) {
    let segment = flat_invocation(place);
    if segment < extent.first {
        atomicStore(&output[segment], NOTHING);
    }
}

/// The last segment that begins here or before.
fn segment_at(at: u32) -> u32 {
    var low = 0u;
    var high = extent.first;
    while low + 1u < high {
        let middle = low + (high - low) / 2u;
        if starts[middle] <= at {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

@compute @workgroup_size(GROUP)
fn gather(place: Place) {
    let segments = extent.first;
    let run = flat_invocation(place) * ITEMS;
    let end = min(run + ITEMS, min(elements(extent, count[extent.word]), starts[segments]));
    var at = max(run, starts[0]);
    if at >= end {
        return;
    }
    var segment = segment_at(at);
    var next = starts[segment + 1u];
    var joined = NOTHING;
    while at < end {
        if at >= next {
            give(segment, joined);
            joined = NOTHING;
            segment += 1u;
            next = starts[segment + 1u];
            // There may be any number of empty ones in between.
            if at >= next {
                segment = segment_at(at);
                next = starts[segment + 1u];
            }
        }
        joined = join(joined, load(at));
        at += 1u;
    }
    give(segment, joined);
}

/// From ordered bits to floats.
@compute @workgroup_size(GROUP)
fn finish(place: Place) {
    let segment = flat_invocation(place);
    if segment < extent.first {
        atomicStore(&output[segment], float_bits(atomicLoad(&output[segment])));
    }
}
