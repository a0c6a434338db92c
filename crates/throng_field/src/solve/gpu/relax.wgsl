// One round: the due tiles of one colour are relaxed in workgroup memory.
//
// Tiles are coloured as a chess board: a cell reads its four edge neighbours, and where those lie in other tiles,
// these are of the other colour. Within a tile each invocation has a square of two by two cells. It reads the four
// squares around its own before any of them is written, and lowers its cells one after the other. Nothing is
// read while it is written, and the result does not depend on the order in which workgroups run.
//
// Four lists take turns. This round reads one; tiles of the other colour that it wakes go to the next;
// its own tiles that are not done yet to the one after; and the one of the round before is emptied.

#import throng_field::frame::{
    Frame, TILE, INFINITY_BITS, NONE, WORDS, PENDING, VISITS, LIST_ROWS, LIST_COUNT, LIST_HEAD,
    due_word, touched_word, tile_corner, is_inside, cell_word,
}

/// Squares across a tile, and with those beside it.
const ACROSS: u32 = TILE / 2u;
const SIDE: u32 = ACROSS + 2u;
const THREADS: u32 = ACROSS * ACROSS;
/// Cells beside one side of a tile: each invocation reads one of all four.
const BESIDE: u32 = THREADS / 4u;
/// Iterations between two looks at whether anything still changes, and the most looks.
const ITERATIONS: u32 = #{ITERATIONS}u;
const LOOKS: u32 = #{LOOKS}u;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> now: array<u32>;
@group(0) @binding(2) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> again: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> spent: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read> cost: array<u32>;
@group(0) @binding(6) var<storage, read_write> potential: array<u32>;
@group(0) @binding(7) var<storage, read_write> state: array<atomic<u32>>;

/// Potentials of squares: top left, top right, bottom left, bottom right.
var<workgroup> phi: array<vec4<f32>, SIDE * SIDE>;
var<workgroup> tile_here: u32;
var<workgroup> changes: atomic<u32>;
var<workgroup> go_on: u32;
var<workgroup> edges: atomic<u32>;

/// The four squares around one, as far as they touch it.
struct Around {
    /// To the left and right, of the upper and of the lower row.
    left: vec2<f32>,
    right: vec2<f32>,
    /// Above and below, of the left and of the right column.
    top: vec2<f32>,
    bottom: vec2<f32>,
}

fn around(at: u32) -> Around {
    return Around(phi[at - 1u].yw, phi[at + 1u].xz, phi[at - SIDE].zw, phi[at + SIDE].xy);
}

/// Cost times cell size; zero if blocked or outside.
fn step_of(group: u32, place: vec2<i32>) -> f32 {
    if is_inside(frame, place) {
        let bits = cost[cell_word(frame, group, place)];
        if bits < INFINITY_BITS {
            return bitcast<f32>(bits) * frame.cell_size;
        }
    }
    return 0.0;
}

/// The potential of a cell; what no solution reaches where there is none.
fn potential_of(group: u32, place: vec2<i32>) -> f32 {
    if is_inside(frame, place) {
        let bits = potential[cell_word(frame, group, place)];
        if bits < INFINITY_BITS {
            return bitcast<f32>(bits);
        }
    }
    return frame.unreached;
}

/// Reads a cell beside the tile: left, right, above or below, from its upper or left end on.
fn read_beside(local: u32, group: u32, corner: vec2<i32>) {
    let k = local % BESIDE;
    let half = k / 2u + 1u;
    let far = SIDE - 1u;
    var place = vec2<i32>(-1, i32(k));
    var square = half * SIDE;
    var part = 1u + 2u * (k % 2u);
    switch local / BESIDE {
        case 0u: {}
        case 1u: { place.x = i32(TILE); square += far; part -= 1u; }
        case 2u: { place = vec2<i32>(i32(k), -1); square = half; part = 2u + k % 2u; }
        default: { place = vec2<i32>(i32(k), i32(TILE)); square = far * SIDE + half; part = k % 2u; }
    }
    phi[square][part] = potential_of(group, corner + place);
}

/// The first-order upwind update, as `godunov` in update.rs.
fn godunov(a: f32, b: f32, step: f32) -> f32 {
    let d = a - b;
    let d_square = d * d;
    let step_square = step * step;
    let both = ((a + b) + sqrt(max(step_square + step_square - d_square, 0.0))) * 0.5;
    return select(min(a, b) + step, both, d_square < step_square);
}

/// What a cell becomes of what its neighbours offer: lower or as it was.
fn lowered(value: f32, across: f32, down: f32, step: f32) -> f32 {
    return select(value, min(godunov(across, down, step), value), step > 0.0);
}

/// A square after one more look at those around it.
fn relaxed(own: vec4<f32>, near: Around, step: vec4<f32>) -> vec4<f32> {
    let a = lowered(own.x, min(near.left.x, own.y), min(near.top.x, own.z), step.x);
    let d = lowered(own.w, min(near.right.y, own.z), min(near.bottom.y, own.y), step.w);
    let b = lowered(own.y, min(near.right.x, a), min(near.top.y, d), step.y);
    let c = lowered(own.z, min(near.left.y, d), min(near.bottom.x, a), step.z);
    return vec4<f32>(a, b, c, d);
}

/// Set where a cell was lowered, besides the sides of its tile.
const LOWERED: u32 = 16u;

/// Writes the cells that were lowered. Gives the sides of the tile, as bits, behind which this is of use: a
/// neighbour that is no higher has nothing to gain.
fn write_back(
    own: vec4<f32>,
    before: vec4<f32>,
    near: Around,
    square: vec2<u32>,
    group: u32,
    corner: vec2<i32>,
) -> u32 {
    let lower = own < before;
    for (var k = 0u; k < 4u; k++) {
        if lower[k] {
            let cell = 2u * square + vec2<u32>(k % 2u, k / 2u);
            potential[cell_word(frame, group, corner + vec2<i32>(cell))] = bitcast<u32>(own[k]);
        }
    }
    let left = any(lower.xz & (own.xz < near.left));
    let right = any(lower.yw & (own.yw < near.right));
    let top = any(lower.xy & (own.xy < near.top));
    let bottom = any(lower.zw & (own.zw < near.bottom));
    return select(0u, LOWERED, any(lower))
        | select(0u, 1u, square.x == 0u && left)
        | select(0u, 2u, square.x == ACROSS - 1u && right)
        | select(0u, 4u, square.y == 0u && top)
        | select(0u, 8u, square.y == ACROSS - 1u && bottom);
}

@compute @workgroup_size(THREADS)
fn relax(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let number = workgroup.x + workgroup.y * workgroups.x;
    if local == 0u {
        if number == 0u {
            atomicStore(&spent[LIST_ROWS], 1u);
            atomicStore(&spent[LIST_COUNT], 0u);
        }
        tile_here = NONE;
        if number < now[LIST_COUNT] {
            tile_here = now[LIST_HEAD + number];
        }
        atomicStore(&changes, 0u);
        atomicStore(&edges, 0u);
    }
    let tile = workgroupUniformLoad(&tile_here);
    if tile == NONE {
        return;
    }
    let group = tile / frame.tiles;
    let corner = tile_corner(frame, tile);
    if local == 0u {
        atomicStore(&state[due_word(frame, tile)], 0u);
        atomicSub(&state[group * WORDS + PENDING], 1u);
        atomicAdd(&state[group * WORDS + VISITS], 1u);
    }
    let square = vec2<u32>(local % ACROSS, local / ACROSS);
    let at = (square.y + 1u) * SIDE + square.x + 1u;
    let first = corner + vec2<i32>(2u * square);
    let right = vec2<i32>(1, 0);
    let down = vec2<i32>(0, 1);
    let step = vec4<f32>(
        step_of(group, first), step_of(group, first + right),
        step_of(group, first + down), step_of(group, first + 1),
    );
    let before = vec4<f32>(
        potential_of(group, first), potential_of(group, first + right),
        potential_of(group, first + down), potential_of(group, first + 1),
    );
    phi[at] = before;
    read_beside(local, group, corner);
    workgroupBarrier();

    var own = before;
    var near = around(at);
    var more = 1u;
    for (var look = 0u; look < LOOKS && more != 0u; look++) {
        var changed = false;
        for (var k = 0u; k < ITERATIONS; k++) {
            // Only the last of these iterations counts: what came before may have settled since.
            let now_ = relaxed(own, near, step);
            changed = any(now_ < own);
            own = now_;
            // All have read.
            workgroupBarrier();
            if changed {
                phi[at] = own;
            }
            workgroupBarrier();
            near = around(at);
        }
        if changed {
            atomicOr(&changes, 1u);
        }
        workgroupBarrier();
        if local == 0u {
            go_on = atomicExchange(&changes, 0u);
        }
        more = workgroupUniformLoad(&go_on);
    }

    let open = write_back(own, before, near, square, group, corner);
    if open != 0u {
        atomicOr(&edges, open);
    }
    workgroupBarrier();
    if local < 4u && (atomicLoad(&edges) & (1u << local)) != 0u {
        wake_neighbour(tile, group, corner, local);
    }
    if local == 0u && (atomicLoad(&edges) & LOWERED) != 0u {
        atomicStore(&state[touched_word(frame, tile)], 1u);
    }
    if local == 4u && more != 0u && mark_due(tile, group) {
        let at = atomicAdd(&again[LIST_COUNT], 1u);
        atomicStore(&again[LIST_HEAD + at], tile);
        atomicMax(&again[LIST_ROWS], at / frame.row + 1u);
    }
}

/// Says whether the tile was not yet on a list.
fn mark_due(tile: u32, group: u32) -> bool {
    let fresh = atomicExchange(&state[due_word(frame, tile)], 1u) == 0u;
    if fresh {
        atomicAdd(&state[group * WORDS + PENDING], 1u);
    }
    return fresh;
}

/// Left, right, above, below.
fn wake_neighbour(tile: u32, group: u32, corner: vec2<i32>, side: u32) {
    let reach = i32(TILE);
    var cell = corner;
    var neighbour = tile;
    switch side {
        case 0u: { cell.x -= reach; neighbour -= 1u; }
        case 1u: { cell.x += reach; neighbour += 1u; }
        case 2u: { cell.y -= reach; neighbour -= frame.tiles_across; }
        default: { cell.y += reach; neighbour += frame.tiles_across; }
    }
    if is_inside(frame, cell) && mark_due(neighbour, group) {
        let at = atomicAdd(&next[LIST_COUNT], 1u);
        atomicStore(&next[LIST_HEAD + at], neighbour);
        atomicMax(&next[LIST_ROWS], at / frame.row + 1u);
    }
}
