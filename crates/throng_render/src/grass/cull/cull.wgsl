// Which clumps a picture draws.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::view::{view, may_see}
#import throng_render::hiding::hidden
#import throng_render::grass_form::{GrassUniform, Tile, kept_at, last_rank, widened}

@group(0) @binding(1) var<uniform> grass: GrassUniform;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read_write> flat_counts: array<u32>;
@group(0) @binding(6) var<storage, read_write> far_counts: array<u32>;
@group(0) @binding(7) var<storage, read_write> seen_flags: array<u32>;
@group(0) @binding(8) var<storage, read> flat_starts: array<u32>;
@group(0) @binding(9) var<storage, read> far_starts: array<u32>;
@group(0) @binding(10) var<storage, read> seen: array<u32>;
@group(0) @binding(11) var<storage, read_write> flat_list: array<u32>;
@group(0) @binding(12) var<storage, read_write> far_list: array<u32>;
@group(0) @binding(13) var<storage, read> kept: array<u32>;
@group(0) @binding(14) var<storage, read_write> groups: array<u32>;
@group(0) @binding(15) var<storage, read_write> draws: array<u32>;
@group(0) @binding(16) var<storage, read> live: array<u32>;

/// How many clumps of a tile are drawn, in which list.
@compute @workgroup_size(GROUP)
fn look(place: Place) {
    let i = flat_invocation(place);
    if i >= grass.tiles {
        return;
    }
    let tile = tiles[i];
    let away = max(distance(tile.centre, view.focus) - tile.radius, 0.0);
    // Clumps that stand for others are wider.
    let radius = tile.radius + 0.5 * grass.broad * (widened(grass, away + 2.0 * tile.radius) - 1.0);
    var seen = tile.count > 0u;
    if grass.detail != 0u {
        seen &= away < grass.gone;
    }
    if grass.frustum != 0u {
        seen &= may_see(tile.centre, radius);
    }
    if seen && grass.occlusion != 0u {
        seen = !hidden(tile.centre, radius, grass.frustum != 0u);
    }
    let drawn = min(u32(ceil(f32(tile.count) * last_rank(kept_at(grass, away)))) + 1u, tile.count);
    let far = grass.detail != 0u && away >= grass.far_from;
    let n = select(0u, drawn, seen);
    flat_counts[i] = select(n, 0u, far);
    far_counts[i] = select(0u, n, far);
    seen_flags[i] = u32(seen);
}

/// A workgroup for each tile that is seen.
@compute @workgroup_size(1)
fn write_groups() {
    groups[0] = kept[0];
    groups[1] = 1u;
    groups[2] = 1u;
}

/// The clumps of a tile, in their order.
@compute @workgroup_size(#{WRITERS})
fn list(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let i = seen[group.x];
    let first = tiles[i].first;
    let flat_first = flat_starts[i];
    let flat_count = flat_starts[i + 1u] - flat_first;
    let far_first = far_starts[i];
    let far_count = far_starts[i + 1u] - far_first;
    for (var k = local; k < flat_count; k += #{WRITERS}u) {
        flat_list[flat_first + k] = first + k;
    }
    for (var k = local; k < far_count; k += #{WRITERS}u) {
        far_list[far_first + k] = first + k;
    }
}

fn write_draw(number: u32, indices: u32, count: u32) {
    draws[number * #{DRAW}u] = indices;
    draws[number * #{DRAW}u + 1u] = count;
    draws[number * #{DRAW}u + 2u] = 0u;
    draws[number * #{DRAW}u + 3u] = 0u;
    draws[number * #{DRAW}u + 4u] = 0u;
}

/// Arguments of the draws: flat, far, and with a lattice.
@compute @workgroup_size(1)
fn write_draws() {
    write_draw(0u, #{FLAT_INDICES}u, flat_starts[grass.tiles]);
    write_draw(1u, #{FAR_INDICES}u, far_starts[grass.tiles]);
    write_draw(2u, #{LATTICE_INDICES}u, live[0]);
}
