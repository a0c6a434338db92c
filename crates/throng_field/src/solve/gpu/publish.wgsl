// Groups that have just been solved are handed out: their potential, the cost it was solved for, and the
// directions down it.
//
// Directions are those of `Around::descent` in direction/stencil.rs, packed and extended into closed
// ground as by the twin in cpu.rs. A workgroup computes its cells and, where one of them has no way, as many
// around them as the rings of the extension read. Where nothing has changed, in its tile and those around it, it
// has nothing to do.

#import throng_field::frame::{
    Frame, TILE, INFINITY_BITS, LIST_HEAD, is_inside, cell_word, touched_word
}
#import throng_gpu::group::GROUP

/// A workgroup has the cells of a tile, each invocation one.
const BLOCK: u32 = TILE;
/// Rings of closed cells that know the way out.
const APRON: u32 = #{APRON}u;
/// Cells across with codes, and with potentials.
const CODED: u32 = BLOCK + 2u * APRON;
const READ: u32 = CODED + 2u;
/// Cells across of the block and beside it.
const BESIDE: u32 = BLOCK + 2u;
/// No way from here.
const UNREACHABLE: u32 = #{NO_WAY}u;
/// Longest packed component.
const UNIT: f32 = f32(#{UNIT}u);

/// Numbers that Rust has too.
struct Turns {
    /// Greatest smaller component of a heading that passes a closed corner.
    passing: f32,
    /// The greater component then.
    beside: f32,
    unused_a: f32,
    unused_b: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> turns: Turns;
@group(0) @binding(2) var<storage, read> potential: array<u32>;
@group(0) @binding(3) var<storage, read> start: array<u32>;
// Groups that are done.
@group(0) @binding(4) var<storage, read> done: array<u32>;
@group(0) @binding(5) var<storage, read_write> published: array<u32>;
@group(0) @binding(6) var<storage, read_write> directions: array<u32>;
@group(0) @binding(7) var<storage, read> cost: array<u32>;
@group(0) @binding(8) var<storage, read_write> solved_cost: array<u32>;
@group(0) @binding(9) var<storage, read> state: array<u32>;

var<workgroup> phi: array<u32, READ * READ>;
/// Cells that have a code, as bits of rows: before any ring, and after each.
var<workgroup> found: array<atomic<u32>, CODED>;
var<workgroup> known: array<u32, (APRON + 1u) * CODED>;
/// Whether there is a cell without a way here at all.
var<workgroup> closed: atomic<u32>;
var<workgroup> has_closed: u32;
var<workgroup> has_changed: u32;

/// Whether a tile or one of those around it has changed: zero if not.
fn has_changed_around(group: u32, block: u32) -> u32 {
    let at = vec2<u32>(block % frame.tiles_across, block / frame.tiles_across);
    let last = vec2<u32>(frame.tiles_across, frame.tiles / frame.tiles_across) - 1u;
    let low = max(at, vec2<u32>(1u)) - 1u;
    let high = min(at + 1u, last);
    var any = 0u;
    for (var y = low.y; y <= high.y; y++) {
        for (var x = low.x; x <= high.x; x++) {
            let tile = group * frame.tiles + y * frame.tiles_across + x;
            any |= state[touched_word(frame, tile)];
        }
    }
    return any;
}

@compute @workgroup_size(GROUP)
fn publish(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let across = frame.tiles_across;
    let block = workgroup.x + workgroup.y * workgroups.x;
    if block >= frame.tiles {
        return;
    }
    let group = done[LIST_HEAD + workgroup.z];
    let corner = vec2<i32>(vec2<u32>(block % across, block / across) * BLOCK);
    if local == 0u {
        atomicStore(&closed, 0u);
        has_changed = has_changed_around(group, block);
    }
    if workgroupUniformLoad(&has_changed) == 0u {
        return;
    }
    // What the cells themselves need.
    for (var i = local; i < BESIDE * BESIDE; i += GROUP) {
        read_potential(group, corner, vec2<u32>(i % BESIDE, i / BESIDE) + APRON);
    }
    workgroupBarrier();
    let own = vec2<u32>(local % BLOCK, local / BLOCK);
    let cell = corner + vec2<i32>(own);
    let inside = is_inside(frame, cell);
    var code = code_at(group, corner, own + APRON);
    if inside && code == UNREACHABLE {
        atomicStore(&closed, 1u);
    }
    workgroupBarrier();
    if local == 0u {
        has_closed = atomicLoad(&closed);
    }
    if workgroupUniformLoad(&has_closed) != 0u {
        find_rings(local, group, corner, own, code);
        if inside && code == UNREACHABLE {
            code = way_out(own + APRON);
        }
    }
    if inside {
        let at = cell_word(frame, group, cell);
        published[at] = phi[(own.y + APRON + 1u) * READ + own.x + APRON + 1u];
        directions[at] = code;
        solved_cost[at] = cost[at];
    }
}

/// Brings the potential of a cell into workgroup memory.
fn read_potential(group: u32, corner: vec2<i32>, place: vec2<u32>) {
    let cell = corner + vec2<i32>(place) - i32(APRON + 1u);
    var bits = INFINITY_BITS;
    if is_inside(frame, cell) {
        bits = potential[cell_word(frame, group, cell)];
    }
    phi[place.y * READ + place.x] = bits;
}

/// The code of a cell, by its place among those that are coded; none outside.
fn code_at(group: u32, corner: vec2<i32>, place: vec2<u32>) -> u32 {
    let cell = corner + vec2<i32>(place) - i32(APRON);
    let at = (place.y + 1u) * READ + place.x + 1u;
    let value = phi[at];
    if !is_inside(frame, cell) || value >= INFINITY_BITS {
        return UNREACHABLE;
    }
    let goal = start[cell_word(frame, group, cell)];
    return select(descent(at), 0u, goal < INFINITY_BITS && value >= goal);
}

/// Which cells have a code after each ring: closed cells beside others get one.
fn find_rings(local: u32, group: u32, corner: vec2<i32>, own: vec2<u32>, code: u32) {
    for (var i = local; i < READ * READ; i += GROUP) {
        let place = vec2<u32>(i % READ, i / READ);
        if any(place < vec2<u32>(APRON)) || any(place >= vec2<u32>(APRON + BESIDE)) {
            read_potential(group, corner, place);
        }
    }
    if local < CODED {
        atomicStore(&found[local], 0u);
    }
    workgroupBarrier();
    if code != UNREACHABLE {
        atomicOr(&found[own.y + APRON], 1u << (own.x + APRON));
    }
    for (var i = local; i < CODED * CODED; i += GROUP) {
        let place = vec2<u32>(i % CODED, i / CODED);
        if any(place < vec2<u32>(APRON)) || any(place >= vec2<u32>(APRON + BLOCK)) {
            if code_at(group, corner, place) != UNREACHABLE {
                atomicOr(&found[place.y], 1u << place.x);
            }
        }
    }
    workgroupBarrier();
    if local < CODED {
        known[local] = atomicLoad(&found[local]);
    }
    // Columns that are inside the grid, as bits; those at the edge of what is known here do not count.
    let from_ = u32(max(1, i32(APRON) - corner.x));
    let to = u32(min(i32(CODED) - 1, i32(frame.width) - corner.x + i32(APRON)));
    let columns = ((1u << to) - 1u) & ~((1u << from_) - 1u);
    let row = corner.y + i32(local) - i32(APRON);
    let inner = local > 0u && local < CODED - 1u && row >= 0 && row < i32(frame.height);
    for (var k = 0u; k < APRON; k++) {
        workgroupBarrier();
        if local < CODED {
            let at = k * CODED + local;
            var bits = known[at];
            if inner {
                let three = known[at - 1u] | bits | known[at + 1u];
                bits |= (three | (three << 1u) | (three >> 1u)) & columns;
            }
            known[at + CODED] = bits;
        }
    }
    workgroupBarrier();
}

/// The code of a closed cell, by its place among those that are coded: to the first that have one around it.
fn way_out(place: vec2<u32>) -> u32 {
    for (var k = 0u; k < APRON; k++) {
        let at = k * CODED + place.y;
        let top = known[at - 1u] >> (place.x - 1u);
        let middle = known[at] >> (place.x - 1u);
        let bottom = known[at + 1u] >> (place.x - 1u);
        if ((top | middle | bottom) & 7u) != 0u {
            return way_to(top, middle, bottom);
        }
    }
    return UNREACHABLE;
}

fn packed(d: vec2<f32>) -> u32 {
    let whole = vec2<i32>(d * UNIT);
    return (bitcast<u32>(whole.x) & 0xffffu) | (bitcast<u32>(whole.y) << 16u);
}

/// Code of the way down from the open cell at a place of `phi`.
fn descent(at: u32) -> u32 {
    let left = phi[at - 1u];
    let right = phi[at + 1u];
    let top = phi[at - READ];
    let bottom = phi[at + READ];
    let here = phi[at];
    var fall = vec2<f32>(central(here, left, right), central(here, top, bottom));
    if !leads_down(fall, here, left, right, top, bottom) {
        fall = vec2<f32>(upwind(here, left, right), upwind(here, top, bottom));
    }
    let most = max(abs(fall.x), abs(fall.y));
    if most <= 0.0 {
        return UNREACHABLE;
    }
    let square = fall.x * fall.x + fall.y * fall.y;
    var d = fall;
    if square > 1e-30 && square < 1e30 {
        d = fall / sqrt(square);
    } else {
        let scaled = fall / most;
        d = scaled / sqrt(scaled.x * scaled.x + scaled.y * scaled.y);
    }
    return packed(past_corner(d, at));
}

/// Fall towards the lower neighbour; positive towards `high`.
fn upwind(here: u32, low: u32, high: u32) -> f32 {
    if low < high {
        return min(rise(here, low), 0.0);
    }
    return max(-rise(here, high), 0.0);
}

/// Fall by central difference where both neighbours are open.
fn central(here: u32, low: u32, high: u32) -> f32 {
    if low < INFINITY_BITS && high < INFINITY_BITS {
        return 0.5 * (bitcast<f32>(low) - bitcast<f32>(high));
    }
    return upwind(here, low, high);
}

/// How much higher a neighbour is; none for a closed one, which is looked at by its bits.
fn rise(here: u32, there: u32) -> f32 {
    let value = select(here, there, there < INFINITY_BITS);
    return bitcast<f32>(value) - bitcast<f32>(here);
}

fn leads_down(d: vec2<f32>, here: u32, left: u32, right: u32, top: u32, bottom: u32) -> bool {
    let x = abs(d.x);
    let y = abs(d.y);
    let to_x = select(left, right, d.x > 0.0);
    let to_y = select(top, bottom, d.y > 0.0);
    // Towards a closed neighbour nothing leads down.
    if (x > 0.0 && to_x >= INFINITY_BITS) || (y > 0.0 && to_y >= INFINITY_BITS) {
        return false;
    }
    let slope_x = select(0.0, x * rise(here, to_x), x > 0.0);
    let slope_y = select(0.0, y * rise(here, to_y), y > 0.0);
    let greater = select(slope_y, slope_x, x >= y);
    return greater < 0.0 && slope_x + slope_y < 0.0;
}

/// Turns a heading that would enter a closed diagonal neighbour towards its greater component.
fn past_corner(d: vec2<f32>, at: u32) -> vec2<f32> {
    let x = abs(d.x);
    let y = abs(d.y);
    if min(x, y) <= turns.passing {
        return d;
    }
    let row = select(at - READ, at + READ, d.y > 0.0);
    let diagonal = select(row - 1u, row + 1u, d.x > 0.0);
    if phi[diagonal] < INFINITY_BITS {
        return d;
    }
    let turned = select(
        vec2<f32>(turns.passing, turns.beside), vec2<f32>(turns.beside, turns.passing), x >= y);
    return turned * sign(d);
}

/// The code of a cell that leads to those around it that are set in the lowest three bits of three rows.
fn way_to(top: u32, middle: u32, bottom: u32) -> u32 {
    let slant = 0.70710677;
    let across = bit(middle, 2u) - bit(middle, 0u);
    let down = bit(bottom, 1u) - bit(top, 1u);
    let x = across + slant * (bit(top, 2u) - bit(top, 0u) + bit(bottom, 2u) - bit(bottom, 0u));
    let y = down + slant * (bit(bottom, 0u) + bit(bottom, 2u) - bit(top, 0u) - bit(top, 2u));
    let sum = vec2<f32>(x, y);
    let square = x * x + y * y;
    if square <= 0.0 {
        return packed(vec2<f32>(1.0, 0.0));
    }
    return packed(sum / sqrt(square));
}

/// A bit as a number.
fn bit(row: u32, k: u32) -> f32 {
    return f32((row >> k) & 1u);
}
