// One round: the due tiles of one colour are relaxed in workgroup memory.
//
// Tiles are coloured as a chess board, and so are the cells in a tile. A cell reads its four edge
// neighbours, which are of the other colour, and so are the tiles they may lie in: nothing is read while
// it is written, and the result does not depend on the order in which workgroups run.
//
// Four lists take turns. This round reads one; tiles of the other colour that it wakes go to the next;
// its own tiles that are not done yet to the one after; and the one of the round before is emptied.

#import throng_field::frame::{
    Frame, TILE, INFINITY_BITS, NONE, WORDS, PENDING, VISITS, LIST_ROWS, LIST_COUNT, LIST_HEAD,
    due_word, touched_word, tile_corner, is_inside, cell_word,
}

/// Each invocation has a square of two by two cells, so that a cell finds two of its neighbours at home
/// and only the other two in workgroup memory.
const THREADS: u32 = TILE * TILE / 4u;
/// Iterations between two looks at whether anything still changes, and the most looks.
const ITERATIONS: u32 = #{ITERATIONS}u;
const LOOKS: u32 = #{LOOKS}u;
const SIDE: u32 = TILE + 2u;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> now: array<u32>;
@group(0) @binding(2) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> again: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> spent: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read> cost: array<u32>;
@group(0) @binding(6) var<storage, read_write> potential: array<u32>;
@group(0) @binding(7) var<storage, read_write> state: array<atomic<u32>>;

var<workgroup> phi: array<f32, SIDE * SIDE>;
var<workgroup> tile_here: u32;
var<workgroup> changes: atomic<u32>;
var<workgroup> go_on: u32;
var<workgroup> edges: atomic<u32>;

/// A cell of an invocation's own.
struct Own {
    /// Where it is, in the tile and in `phi`.
    cell: vec2<u32>,
    at: u32,
    /// Cost times cell size; zero if blocked.
    step: f32,
    /// Potential when the visit began, and now.
    before: f32,
    value: f32,
}

/// A cell of an invocation's square, without its potential.
fn own_cell(local: u32, offset: vec2<u32>, group: u32, corner: vec2<i32>) -> Own {
    let cell = 2u * vec2<u32>(local % (TILE / 2u), local / (TILE / 2u)) + offset;
    var own = Own(cell, (cell.y + 1u) * SIDE + cell.x + 1u, 0.0, 0.0, 0.0);
    let place = corner + vec2<i32>(cell);
    if is_inside(frame, place) {
        let bits = cost[cell_word(frame, group, place)];
        if bits < INFINITY_BITS {
            own.step = bitcast<f32>(bits) * frame.cell_size;
        }
    }
    return own;
}

/// The first-order upwind update, as `godunov` in update.rs.
fn godunov(a: f32, b: f32, step: f32) -> f32 {
    let d = a - b;
    let d_square = d * d;
    let step_square = step * step;
    let both = ((a + b) + sqrt(max(step_square + step_square - d_square, 0.0))) * 0.5;
    return select(min(a, b) + step, both, d_square < step_square);
}

/// Lowers a cell to what its neighbours offer, two at home and two at places of `phi`. Says whether it
/// did.
fn lower(own: ptr<function, Own>, across: f32, down: f32, across_at: u32, down_at: u32) -> bool {
    if (*own).step <= 0.0 {
        return false;
    }
    let offer = godunov(min(across, phi[across_at]), min(down, phi[down_at]), (*own).step);
    if offer >= (*own).value {
        return false;
    }
    (*own).value = offer;
    phi[(*own).at] = offer;
    return true;
}

/// Set where a cell was lowered, besides the sides of its tile.
const LOWERED: u32 = 16u;

/// Writes a cell that was lowered. Gives the sides of the tile, as bits, behind which this is of use: a
/// neighbour that is no higher has nothing to gain.
fn write_back(own: Own, group: u32, corner: vec2<i32>) -> u32 {
    if own.value >= own.before {
        return 0u;
    }
    potential[cell_word(frame, group, corner + vec2<i32>(own.cell))] = bitcast<u32>(own.value);
    var open = LOWERED;
    open |= select(0u, 1u, own.cell.x == 0u && own.value < phi[own.at - 1u]);
    open |= select(0u, 2u, own.cell.x == TILE - 1u && own.value < phi[own.at + 1u]);
    open |= select(0u, 4u, own.cell.y == 0u && own.value < phi[own.at - SIDE]);
    open |= select(0u, 8u, own.cell.y == TILE - 1u && own.value < phi[own.at + SIDE]);
    return open;
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
    for (var i = local; i < SIDE * SIDE; i += THREADS) {
        let place = vec2<u32>(i % SIDE, i / SIDE);
        let cell = corner + vec2<i32>(place) - 1;
        var value = frame.unreached;
        // Corners are nobody's neighbours, and lie in tiles of this colour.
        let beside = (place % (SIDE - 1u)) == vec2<u32>(0u, 0u);
        if is_inside(frame, cell) && !all(beside) {
            let bits = potential[cell_word(frame, group, cell)];
            value = select(value, bitcast<f32>(bits), bits < INFINITY_BITS);
        }
        phi[i] = value;
    }
    // Red at top left and bottom right, black at top right and bottom left.
    var a = own_cell(local, vec2<u32>(0u, 0u), group, corner);
    var b = own_cell(local, vec2<u32>(1u, 0u), group, corner);
    var c = own_cell(local, vec2<u32>(0u, 1u), group, corner);
    var d = own_cell(local, vec2<u32>(1u, 1u), group, corner);
    workgroupBarrier();
    a.before = phi[a.at];
    b.before = phi[b.at];
    c.before = phi[c.at];
    d.before = phi[d.at];
    a.value = a.before;
    b.value = b.before;
    c.value = c.before;
    d.value = d.before;

    var more = 1u;
    for (var look = 0u; look < LOOKS && more != 0u; look++) {
        var changed = false;
        for (var k = 0u; k < ITERATIONS; k++) {
            // Only the last of these iterations counts: what came before may have settled since.
            changed = lower(&a, b.value, c.value, a.at - 1u, a.at - SIDE);
            changed = lower(&d, c.value, b.value, d.at + 1u, d.at + SIDE) || changed;
            workgroupBarrier();
            changed = lower(&b, a.value, d.value, b.at + 1u, b.at - SIDE) || changed;
            changed = lower(&c, d.value, a.value, c.at - 1u, c.at + SIDE) || changed;
            workgroupBarrier();
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

    let open = write_back(a, group, corner) | write_back(b, group, corner)
        | write_back(c, group, corner) | write_back(d, group, corner);
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
