// Costs of cells at walls that run across the grid, by the ways of the last solution.
//
// The twin is `Brink::share`, which says why.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_crowd::constants::{
    constants, ALONG_FROM, ALONG_TO, HEAD_ON_TO, BRINK_SHARES, BRINK_LEFT, BRINK_RIGHT, BRINK_BELOW, BRINK_ABOVE,
    LEAST_COST
}
#import throng_crowd::cells::cells
#import throng_crowd::flows::flow_at

// The costs of the fields one after the other.
@group(0) @binding(8) var<storage, read_write> costs: array<f32>;
// How many cells there are; then of each: the cell, its blocked neighbours and where its way is read; away from the wall.
@group(0) @binding(9) var<storage, read> brinks: array<vec4<u32>>;

/// The share of its cost that a cell is to have where its way is this.
fn share_of_cost(found: vec2<f32>, away: vec2<f32>, blocked: u32) -> f32 {
    let off = dot(found, away);
    if off < -HEAD_ON_TO {
        return 1.0;
    }
    let leaving = max(off, 0.0) * clamp((off - ALONG_FROM) / (ALONG_TO - ALONG_FROM), 0.0, 1.0);
    var way = found + away * (leaving - off);
    let long = sqrt(way.x * way.x + way.y * way.y);
    if !(long > 1e-37) {
        return 1.0;
    }
    way /= long;
    let across = (blocked & select(BRINK_LEFT, BRINK_RIGHT, way.x > 0.0)) != 0u;
    let along = (blocked & select(BRINK_BELOW, BRINK_ABOVE, way.y > 0.0)) != 0u;
    var share = 1.0;
    if across && !along {
        share = abs(way.y);
    } else if along && !across {
        share = abs(way.x);
    }
    return max(floor(share * BRINK_SHARES + 0.5), 1.0) / BRINK_SHARES;
}

@compute @workgroup_size(GROUP)
fn ease(place: Place) {
    let k = flat_invocation(place);
    if k >= brinks[0].x {
        return;
    }
    let brink = brinks[1u + 2u * k];
    let away = bitcast<vec2<f32>>(brinks[2u + 2u * k].xy);
    for (var due = 0u; due < constants.fields_due; due++) {
        let field = (constants.field_first + due) % constants.fields;
        let way = flow_at(field, bitcast<vec2<f32>>(brink.zw));
        let at = field * cells() + brink.x;
        costs[at] = max(costs[at] * share_of_cost(way, away, brink.y), LEAST_COST);
    }
}
