// Clumps near the camera that bodies touch.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::instance::Instance
#import throng_render::grass_form::{GrassUniform, Hero, Clump, Tile, Billboard, billboard, point_of, slope_of, size_of, chance_of, unpacked_offset, packed_offset, NO_SLOT}
#import throng_render::grass_bend::{wind_angle, bent}
#import throng_render::grass_recover::recovered
#import throng_render::grass_lattice::{relax, way_out}

/// What is kept of a clump besides offsets.
struct Record {
    owner: u32,
    /// How much it is drawn by its lattice, 0 to 1.
    form: f32,
    /// Share of the time of recovery that has gone, of each billboard.
    gone_a: f32,
    gone_b: f32,
    gone_c: f32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
}

@group(0) @binding(0) var<uniform> grass: GrassUniform;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> count: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read> tiles: array<Tile>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> until: array<u32>;
@group(0) @binding(7) var<storage, read_write> colliding_flags: array<u32>;
@group(0) @binding(8) var<storage, read_write> recovering_flags: array<u32>;
@group(0) @binding(9) var<storage, read> listed: array<u32>;
@group(0) @binding(10) var<storage, read> kept: array<u32>;
@group(0) @binding(11) var<storage, read_write> groups: array<u32>;
@group(0) @binding(12) var<storage, read_write> wanted: array<u32>;
@group(0) @binding(13) var<storage, read> clumps: array<Clump>;
@group(0) @binding(14) var<storage, read_write> slots: array<u32>;
@group(0) @binding(15) var<storage, read_write> records: array<Record>;
@group(0) @binding(16) var<storage, read_write> offsets: array<vec2<u32>>;
@group(0) @binding(17) var<storage, read> sorted: array<u32>;
@group(0) @binding(18) var<storage, read_write> free_flags: array<u32>;
@group(0) @binding(19) var<storage, read> free: array<u32>;
@group(0) @binding(20) var<storage, read> kept_free: array<u32>;
@group(0) @binding(21) var<storage, read> colliding: array<u32>;
@group(0) @binding(22) var<storage, read_write> account: array<u32>;
@group(0) @binding(27) var<storage, read_write> granted: array<u32>;
@group(0) @binding(28) var<storage, read_write> gathered: array<Instance>;
/// Bodies near the camera, by cell.
@group(0) @binding(29) var<storage, read> bodies: array<Instance>;
@group(0) @binding(23) var trampled: texture_2d<f32>;
@group(0) @binding(24) var smooth_edge: sampler;
@group(0) @binding(25) var<uniform> heroes: array<Hero, 4>;
@group(0) @binding(26) var depth_cube: texture_2d_array<f32>;

fn agents() -> u32 {
    return min(count[grass.word], grass.at_most);
}

/// The cell of a place, or beyond all cells.
fn cell_of(p: vec2<f32>) -> u32 {
    let at = floor((p - grass.tile_origin) / #{CELL}.0);
    let inside = all(at >= vec2<f32>(0.0)) && at.x < f32(grass.cell_columns) && at.y < f32(grass.cell_rows);
    return select(NO_SLOT, u32(max(at.y, 0.0)) * grass.cell_columns + u32(max(at.x, 0.0)), inside);
}

/// Bodies near the camera, by cell.
@compute @workgroup_size(GROUP)
fn find_cells(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let p = instances[i].position;
    let close = distance(p, grass.eye) < grass.near + 2.0 * grass.tile_side;
    keys[i] = select(NO_SLOT, cell_of(p.xy), close);
}

/// Bodies one after the other in the order of cells.
@compute @workgroup_size(GROUP)
fn gather(place: Place) {
    let i = flat_invocation(place);
    if i < starts[grass.cells] {
        gathered[i] = instances[sorted[i]];
    }
}

/// Bodies in the cells around a rectangle.
fn crowded(low: vec2<f32>, high: vec2<f32>) -> bool {
    let last = vec2<f32>(f32(grass.cell_columns), f32(grass.cell_rows)) - 1.0;
    let a = vec2<u32>(clamp(floor((low - grass.tile_origin) / #{CELL}.0) - 1.0, vec2<f32>(0.0), last));
    let b = vec2<u32>(clamp(floor((high - grass.tile_origin) / #{CELL}.0) + 1.0, vec2<f32>(0.0), last));
    for (var y = a.y; y <= b.y; y++) {
        if starts[y * grass.cell_columns + b.x + 1u] > starts[y * grass.cell_columns + a.x] {
            return true;
        }
    }
    return false;
}

/// Which tiles bodies may touch, and which recover from it.
@compute @workgroup_size(GROUP)
fn classify(place: Place) {
    let i = flat_invocation(place);
    if i >= grass.tiles {
        return;
    }
    let tile = tiles[i];
    let at = vec2<f32>(f32(i % grass.tile_columns), f32(i / grass.tile_columns));
    let low = grass.tile_origin + at * grass.tile_side;
    var touched = tile.count > 0u && distance(tile.centre, grass.eye) - tile.radius < grass.near;
    if touched {
        var any_body = crowded(low, low + grass.tile_side - 0.001);
        for (var k = 0u; k < grass.heroes; k++) {
            let away = distance(tile.centre.xy, heroes[k].centre.xy);
            any_body |= away < tile.radius + length(heroes[k].half_size.xy) + 0.5;
        }
        touched = any_body;
    }
    // One more than the tick: 0 is never.
    let time_left = u32(grass.recovery * 1000.0) + #{AFTER}u;
    if touched {
        until[i] = grass.now + time_left + 1u;
    }
    colliding_flags[i] = u32(touched);
    recovering_flags[i] = u32(!touched && until[i] > grass.before);
    if !touched && until[i] > 0u && until[i] <= grass.before {
        until[i] = 0u;
    }
}

/// A workgroup for each tile of a list.
@compute @workgroup_size(1)
fn write_groups() {
    groups[0] = kept[0];
    groups[1] = 1u;
    groups[2] = 1u;
}

/// Nobody wants a slot yet.
@compute @workgroup_size(GROUP)
fn clear_wanted(place: Place) {
    let i = flat_invocation(place);
    if i < grass.near_tiles * grass.fullest {
        wanted[i] = 0u;
    }
}

/// Whether a body or a hero may touch a clump.
fn touches(clump: Clump) -> bool {
    let size = size_of(clump);
    // A billboard reaches its height from its foot, and half its width.
    let reach = size.y + 0.5 * size.x + grass.body_radius;
    let last = vec2<f32>(f32(grass.cell_columns), f32(grass.cell_rows)) - 1.0;
    let at = floor((clump.foot.xy - grass.tile_origin) / #{CELL}.0);
    let a = vec2<u32>(clamp(at - 1.0, vec2<f32>(0.0), last));
    let b = vec2<u32>(clamp(at + 1.0, vec2<f32>(0.0), last));
    for (var y = a.y; y <= b.y; y++) {
        let from_here = starts[y * grass.cell_columns + a.x];
        let to_here = starts[y * grass.cell_columns + b.x + 1u];
        for (var n = from_here; n < to_here; n++) {
            let p = bodies[n].position;
            if distance(p.xy, clump.foot.xy) < reach && abs(p.z - clump.foot.z) < 2.0 {
                return true;
            }
        }
    }
    for (var k = 0u; k < grass.heroes; k++) {
        if distance(clump.foot.xy, heroes[k].centre.xy) < reach + length(heroes[k].half_size.xy) {
            return true;
        }
    }
    return false;
}

/// Clumps without a slot that want one.
@compute @workgroup_size(#{WORKERS})
fn want(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let tile = tiles[listed[group.x]];
    for (var k = local; k < tile.count; k += #{WORKERS}u) {
        let number = tile.first + k;
        if slots[number] == NO_SLOT && touches(clumps[number]) {
            wanted[group.x * grass.fullest + k] = 1u;
        }
    }
}

@compute @workgroup_size(GROUP)
fn find_free(place: Place) {
    let i = flat_invocation(place);
    if i < grass.pool {
        free_flags[i] = u32(records[i].owner == NO_SLOT);
    }
}

/// The clumps that want a slot.
@compute @workgroup_size(GROUP)
fn find_wanting(place: Place) {
    let i = flat_invocation(place);
    if i < kept[0] {
        let position = listed[i];
        granted[i] = tiles[colliding[position / grass.fullest]].first + position % grass.fullest;
    }
}

/// Since the field was sown: most lattices at once, and how many wanted one and got none.
@compute @workgroup_size(1)
fn keep_account() {
    let given = min(kept[0], kept_free[0]);
    account[0] = max(account[0], grass.pool - kept_free[0] + given);
    account[1] += kept[1] - given;
}

/// The first who want a slot get the first that are free.
@compute @workgroup_size(GROUP)
fn assign(place: Place) {
    let i = flat_invocation(place);
    if i >= min(kept[0], kept_free[0]) {
        return;
    }
    let number = listed[i];
    let slot = free[i];
    slots[number] = slot;
    records[slot] = Record(number, 0.0, 1.0, 1.0, 1.0, 0u, 0u, 0u);
    for (var k = 0u; k < #{CROSSED}u * #{FREE}u; k++) {
        offsets[slot * #{CROSSED}u * #{FREE}u + k] = vec2<u32>(0u);
    }
}

/// Which slots are taken.
@compute @workgroup_size(GROUP)
fn find_live(place: Place) {
    let i = flat_invocation(place);
    if i < grass.pool {
        free_flags[i] = u32(records[i].owner != NO_SLOT);
    }
}

/// Where wind and map have the points of a billboard.
fn at_rest(it: Billboard, clump: Clump) -> array<vec3<f32>, 12> {
    let size = vec2<f32>(f32(grass.map_columns), f32(grass.map_rows)) * grass.map_cell;
    let trodden = textureSampleLevel(trampled, smooth_edge, (clump.foot.xy - grass.map_origin) / size, 0.0);
    var lattice: array<vec3<f32>, 12>;
    for (var j = 0u; j < 3u; j++) {
        let side = f32(j) - 1.0;
        let base = it.foot + it.axis * (it.width * 0.5 * side);
        let wind = wind_angle(grass.wind, base.xy, grass.time, chance_of(clump));
        let angle = bent(wind, trodden.xy * grass.bend, grass.farthest);
        for (var i = 0u; i < 4u; i++) {
            lattice[i * 3u + j] = point_of(it, side, f32(i) / 3.0, angle);
        }
    }
    return lattice;
}

/// Moves a point out of a body; whether it was in it.
fn out_of_body(p: ptr<function, vec3<f32>>, body: Instance) -> bool {
    let r = grass.body_radius;
    let low = body.position.z + r;
    let high = body.position.z + max(grass.body_height - r, r);
    let q = vec3<f32>(body.position.xy, clamp((*p).z, low, high));
    let out = *p - q;
    let d = length(out);
    if d >= r {
        return false;
    }
    // Out, and a little along with it; never into the ground.
    let radial = out / max(d, 1e-6);
    var n = vec3<f32>(radial.xy + 0.3 * body.direction, max(radial.z, 0.0));
    n = n / max(length(n), 1e-6);
    // As far along it as leads out of the sphere.
    let along = dot(out, n);
    *p += n * (sqrt(max(along * along + r * r - d * d, 0.0)) - along);
    return true;
}

/// The side of a hero's box that a point in it sees, and the surface behind: normal and distance in the box.
fn seen_from(shape: u32, side: u32, at: vec3<f32>) -> vec4<f32> {
    let flat_place = select(select(at.xy, at.xz, side / 2u == 1u), at.yz, side / 2u == 0u);
    let texels = f32(textureDimensions(depth_cube).x);
    let texel = vec2<i32>(clamp(flat_place * texels, vec2<f32>(0.0), vec2<f32>(texels - 1.0)));
    return textureLoad(depth_cube, texel, i32(shape * 6u + side), 0);
}

/// Moves a point out of a hero, by its depth cube; whether it was in it.
fn out_of_hero(p: ptr<function, vec3<f32>>, hero: Hero) -> bool {
    let c = cos(hero.turn);
    let s = sin(hero.turn);
    let world = *p - hero.centre;
    let own = vec3<f32>(c * world.x + s * world.y, c * world.y - s * world.x, world.z);
    let at = own / (2.0 * hero.half_size) + 0.5;
    if any(at <= vec3<f32>(0.0)) || any(at >= vec3<f32>(1.0)) {
        return false;
    }
    let size = 2.0 * hero.half_size;
    var along: vec3<f32>;
    var against: vec3<f32>;
    var nearest = 1e9;
    var normal = vec3<f32>(0.0, 0.0, 1.0);
    for (var side = 0u; side < 6u; side++) {
        let axis = side / 2u;
        // The even sides look against their axis: they see the surface that lies along it.
        let depth = select(at[axis], 1.0 - at[axis], (side & 1u) == 0u);
        let seen = seen_from(hero.shape, side, at);
        let inside = (depth - seen.w) * size[axis];
        if inside <= 0.0 {
            return false;
        }
        if (side & 1u) == 0u {
            along[axis] = inside;
        } else {
            against[axis] = inside;
        }
        if inside < nearest {
            nearest = inside;
            normal = seen.xyz;
        }
    }
    let n = normalize(normal);
    let moved = n * way_out(along, against, n);
    *p += vec3<f32>(c * moved.x - s * moved.y, s * moved.x + c * moved.y, moved.z);
    return true;
}

/// All bodies near a clump move the points of one of its billboards; whether any did.
fn pushed(lattice: ptr<function, array<vec3<f32>, 12>>, foot: vec3<f32>, reach: f32) -> bool {
    var any_hit = false;
    let last = vec2<f32>(f32(grass.cell_columns), f32(grass.cell_rows)) - 1.0;
    let at = floor((foot.xy - grass.tile_origin) / #{CELL}.0);
    let a = vec2<u32>(clamp(at - 1.0, vec2<f32>(0.0), last));
    let b = vec2<u32>(clamp(at + 1.0, vec2<f32>(0.0), last));
    for (var y = a.y; y <= b.y; y++) {
        let from_here = starts[y * grass.cell_columns + a.x];
        let to_here = starts[y * grass.cell_columns + b.x + 1u];
        for (var n = from_here; n < to_here; n++) {
            let body = bodies[n];
            if distance(body.position.xy, foot.xy) > reach || abs(body.position.z - foot.z) > 2.0 {
                continue;
            }
            for (var k = 3u; k < 12u; k++) {
                var p = (*lattice)[k];
                any_hit = out_of_body(&p, body) || any_hit;
                (*lattice)[k] = p;
            }
        }
    }
    for (var h = 0u; h < grass.heroes; h++) {
        for (var k = 3u; k < 12u; k++) {
            var p = (*lattice)[k];
            any_hit = out_of_hero(&p, heroes[h]) || any_hit;
            (*lattice)[k] = p;
        }
    }
    return any_hit;
}

fn offset_at(at: u32) -> vec3<f32> {
    return unpacked_offset(offsets[at]);
}

fn write_offset(at: u32, offset: vec3<f32>) {
    offsets[at] = packed_offset(offset);
}

/// The share of recovery after a step.
fn gone_next(gone: f32) -> f32 {
    return min(gone + grass.dt / grass.recovery, 1.0);
}

/// A billboard that nothing touches; gives the share of its recovery now.
fn ease(slot: u32, k: u32, gone: f32) -> f32 {
    let first = (slot * #{CROSSED}u + k) * #{FREE}u;
    let left = recovered(gone, gone_next(gone));
    for (var n = 0u; n < #{FREE}u; n++) {
        write_offset(first + n, offset_at(first + n) * left);
    }
    return gone_next(gone);
}

/// A billboard that bodies may touch; gives the share of its recovery now.
fn part_around(clump: Clump, slot: u32, k: u32, gone: f32) -> f32 {
    let first = (slot * #{CROSSED}u + k) * #{FREE}u;
    let left = recovered(gone, gone_next(gone));
    let it = billboard(clump, k);
    let rest = at_rest(it, clump);
    var lattice = rest;
    for (var n = 0u; n < #{FREE}u; n++) {
        lattice[n + 3u] += offset_at(first + n) * left;
    }
    let hit = pushed(&lattice, clump.foot, it.height + 0.5 * it.width + grass.body_radius);
    if hit {
        let cell = vec2<f32>(it.width * 0.5, it.height / 3.0);
        let lengths = vec3<f32>(cell, length(cell));
        for (var n = 0u; n < grass.sweeps; n++) {
            relax(&lattice, lengths, grass.stiffness);
        }
    }
    let slope = slope_of(clump);
    for (var n = 0u; n < #{FREE}u; n++) {
        var p = lattice[n + 3u];
        if hit {
            // Never below the ground.
            p.z = max(p.z, clump.foot.z + dot(slope, p.xy - clump.foot.xy) + 0.01);
        }
        write_offset(first + n, p - rest[n + 3u]);
    }
    return select(gone_next(gone), 0.0, hit);
}

/// After a step of its billboards: which form a clump has, and whether it stands again and gives its slot back.
/// `over`: its tile is not looked at any more.
fn settle(number: u32, slot: u32, gone: vec3<f32>, over: bool) {
    let stands = min(gone.x, min(gone.y, gone.z)) >= 1.0;
    let change = grass.dt / grass.fade;
    let form = clamp(records[slot].form + select(change, -change, stands), 0.0, 1.0);
    let back = (stands && form <= 0.0) || over;
    if back {
        slots[number] = NO_SLOT;
    }
    records[slot] = Record(select(number, NO_SLOT, back), form, gone.x, gone.y, gone.z, 0u, 0u, 0u);
}

@compute @workgroup_size(#{WORKERS})
fn collide(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let tile = tiles[listed[group.x]];
    for (var k = local; k < tile.count; k += #{WORKERS}u) {
        let slot = slots[tile.first + k];
        if slot != NO_SLOT {
            let clump = clumps[tile.first + k];
            let it = records[slot];
            let a = part_around(clump, slot, 0u, it.gone_a);
            let b = part_around(clump, slot, 1u, it.gone_b);
            let c = part_around(clump, slot, 2u, it.gone_c);
            settle(tile.first + k, slot, vec3<f32>(a, b, c), false);
        }
    }
}

@compute @workgroup_size(#{WORKERS})
fn recover(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let tile = tiles[listed[group.x]];
    let over = until[listed[group.x]] <= grass.now + 1u;
    for (var k = local; k < tile.count; k += #{WORKERS}u) {
        let slot = slots[tile.first + k];
        if slot != NO_SLOT {
            let it = records[slot];
            let a = ease(slot, 0u, it.gone_a);
            let b = ease(slot, 1u, it.gone_b);
            let c = ease(slot, 2u, it.gone_c);
            settle(tile.first + k, slot, vec3<f32>(a, b, c), over);
        }
    }
}
