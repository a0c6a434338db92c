// How many keys there are of each value. Additions are atomic, so their order does not matter.

#import throng_gpu::group::{GROUP, Place, flat_group, flat_invocation}
#import throng_gpu::extent::{Extent, elements}

const ITEMS: u32 = #{ITEMS}u;
const SMALL: u32 = #{SMALL}u;
const BLOCK: u32 = GROUP * ITEMS;

@group(0) @binding(0) var<uniform> extent: Extent; // first: bins
@group(0) @binding(1) var<storage, read> count: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> bins: array<atomic<u32>>;

var<workgroup> own: array<atomic<u32>, SMALL>;

@compute @workgroup_size(GROUP)
fn clear(place: Place) {
    let at = flat_invocation(place);
    if at <= extent.first {
        atomicStore(&bins[at], 0u);
    }
}

/// Counts in workgroup memory first: few bins are hit by many.
@compute @workgroup_size(GROUP)
fn count_few(place: Place) {
    let n = elements(extent, count[extent.word]);
    for (var bin = place.local; bin <= extent.first; bin += GROUP) {
        atomicStore(&own[bin], 0u);
    }
    workgroupBarrier();
    for (var i = 0u; i < ITEMS; i++) {
        let at = flat_group(place) * BLOCK + i * GROUP + place.local;
        if at < n {
            atomicAdd(&own[min(keys[at], extent.first)], 1u);
        }
    }
    workgroupBarrier();
    for (var bin = place.local; bin <= extent.first; bin += GROUP) {
        let sum = atomicLoad(&own[bin]);
        if sum != 0u {
            atomicAdd(&bins[bin], sum);
        }
    }
}

@compute @workgroup_size(GROUP)
fn count_many(place: Place) {
    let n = elements(extent, count[extent.word]);
    for (var i = 0u; i < ITEMS; i++) {
        let at = flat_group(place) * BLOCK + i * GROUP + place.local;
        if at < n {
            atomicAdd(&bins[min(keys[at], extent.first)], 1u);
        }
    }
}
