// What a change of cost or goals does to a field that is solved.
//
// `call` lists the groups that take over cost and goals now, so that the others cost nothing.
// `compare` takes over the new costs and start values of groups that wait, and finds the lowest
// potential of a cell that became dearer. `reset` takes away all potentials that high or higher: they
// may have come through such a cell, and lowering could not mend them. Those below cannot, since a
// potential is made of lower ones only. What is left is an upper bound of the new solution, from which
// the rounds go on. `settle` says, after the rounds, which groups are done.

#import throng_field::frame::{
    Frame, TILE, INFINITY_BITS, NONE, WORDS, PENDING, PHASE, THRESHOLD, SOLVING, PUBLISHED, STEPS, TOOK,
    ASKED, BUSY, IDLE, FRESH, LIST_ROWS, LIST_COUNT, LIST_HEAD, AGENDA_GROUPS,
    due_word, touched_word, tile_corner, is_inside, cell_word, cost_bits, potential_bits,
}
#import throng_gpu::group::GROUP

const SIDE: u32 = TILE + 2u;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> given_cost: array<u32>;
@group(0) @binding(2) var<storage, read> given_start: array<u32>;
@group(0) @binding(3) var<storage, read_write> cost: array<u32>;
@group(0) @binding(4) var<storage, read_write> start: array<u32>;
@group(0) @binding(5) var<storage, read> published: array<u32>;
@group(0) @binding(6) var<storage, read_write> potential: array<u32>;
@group(0) @binding(7) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> even: array<atomic<u32>>;
@group(0) @binding(9) var<storage, read_write> odd: array<atomic<u32>>;

// Groups to look at, as they are listed and as they are read.
@group(0) @binding(10) var<storage, read_write> agenda: array<u32>;
@group(0) @binding(11) var<storage, read> called: array<u32>;

var<workgroup> goes: u32;
var<workgroup> threshold_here: u32;
var<workgroup> found: atomic<u32>;
var<workgroup> lowest: atomic<u32>;

/// One workgroup for all groups.
@compute @workgroup_size(GROUP)
fn call(@builtin(local_invocation_index) local: u32) {
    if local == 0u {
        atomicStore(&found, 0u);
    }
    workgroupBarrier();
    for (var group = local; group < frame.groups; group += GROUP) {
        let at = group * WORDS;
        let asked = frame.asked_only == 0u || atomicLoad(&state[at + ASKED]) != 0u;
        if asked && atomicLoad(&state[at + PHASE]) != BUSY {
            enlist(group);
        }
    }
    workgroupBarrier();
    if local == 0u {
        agenda[AGENDA_GROUPS] = atomicLoad(&found);
    }
}

fn enlist(group: u32) {
    agenda[LIST_HEAD + atomicAdd(&found, 1u)] = group;
}

@compute @workgroup_size(GROUP)
fn compare(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let own = workgroup.x + workgroup.y * workgroups.x;
    if own >= frame.tiles {
        return;
    }
    let group = called[LIST_HEAD + workgroup.z];
    let tile = group * frame.tiles + own;
    if local == 0u {
        atomicStore(&found, 0u);
        atomicStore(&lowest, NONE);
    }
    workgroupBarrier();
    let corner = tile_corner(frame, tile);
    let cost_part = min(group, frame.costs - 1u) * frame.width * frame.height;
    for (var i = local; i < TILE * TILE; i += GROUP) {
        let cell = corner + vec2<i32>(vec2<u32>(i % TILE, i / TILE));
        if !is_inside(frame, cell) {
            continue;
        }
        let at = cell_word(frame, group, cell);
        let in_group = u32(cell.y) * frame.width + u32(cell.x);
        let new_cost = cost_bits(given_cost[cost_part + in_group]);
        let new_start = select(
            INFINITY_BITS, potential_bits(frame, given_start[at]), new_cost < INFINITY_BITS);
        let old_cost = cost[at];
        let old_start = start[at];
        if new_cost == old_cost && new_start == old_start {
            continue;
        }
        cost[at] = new_cost;
        start[at] = new_start;
        atomicOr(&found, 1u);
        // A goal does not depend on the cost of its cell, other cells do.
        let value = published[at];
        let dearer = select(new_cost > old_cost, new_start > old_start, value == old_start);
        if dearer && value < INFINITY_BITS {
            atomicMin(&lowest, value);
        }
    }
    workgroupBarrier();
    if local == 0u {
        let touched = atomicLoad(&found);
        atomicStore(&state[touched_word(frame, tile)], touched);
        if touched != 0u {
            atomicStore(&state[group * WORDS + SOLVING], 1u);
            atomicMin(&state[group * WORDS + THRESHOLD], atomicLoad(&lowest));
        }
    }
}

/// The tile is due.
const DUE: u32 = 1u;
/// There is a potential in the tile or beside it.
const REACHED: u32 = 2u;
/// A potential of the tile was taken away or given.
const CHANGED: u32 = 4u;

@compute @workgroup_size(GROUP)
fn reset(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let own_tile = workgroup.x + workgroup.y * workgroups.x;
    if own_tile >= frame.tiles {
        return;
    }
    let group = called[LIST_HEAD + workgroup.z];
    let tile = group * frame.tiles + own_tile;
    if local == 0u {
        goes = atomicLoad(&state[group * WORDS + SOLVING]);
        threshold_here = atomicLoad(&state[group * WORDS + THRESHOLD]);
        let touched = atomicLoad(&state[touched_word(frame, tile)]) != 0u;
        atomicStore(&found, select(0u, DUE, touched));
    }
    if workgroupUniformLoad(&goes) == 0u {
        return;
    }
    let threshold = workgroupUniformLoad(&threshold_here);
    let corner = tile_corner(frame, tile);
    for (var i = local; i < SIDE * SIDE; i += GROUP) {
        let place = vec2<u32>(i % SIDE, i / SIDE);
        let cell = corner + vec2<i32>(place) - 1;
        if !is_inside(frame, cell) {
            continue;
        }
        let at = cell_word(frame, group, cell);
        let old = published[at];
        let value = min(select(INFINITY_BITS, old, old < threshold), start[at]);
        var seen = select(0u, REACHED, value < INFINITY_BITS);
        if all(place > vec2<u32>(0u, 0u)) && all(place <= vec2<u32>(TILE, TILE)) {
            if value != old {
                potential[at] = value;
                seen |= DUE | CHANGED;
            }
        } else if value < old {
            seen |= DUE;
        }
        if seen != 0u {
            atomicOr(&found, seen);
        }
    }
    workgroupBarrier();
    if local != 0u {
        return;
    }
    let all_seen = atomicLoad(&found);
    if (all_seen & CHANGED) != 0u {
        atomicStore(&state[touched_word(frame, tile)], 1u);
    }
    if (all_seen & (DUE | REACHED)) == (DUE | REACHED) {
        atomicStore(&state[due_word(frame, tile)], 1u);
        atomicAdd(&state[group * WORDS + PENDING], 1u);
        let own = vec2<u32>(corner) / TILE;
        if ((own.x + own.y) & 1u) == 0u {
            let at = atomicAdd(&even[LIST_COUNT], 1u);
            atomicStore(&even[LIST_HEAD + at], tile);
            atomicMax(&even[LIST_ROWS], at / frame.row + 1u);
        } else {
            let at = atomicAdd(&odd[LIST_COUNT], 1u);
            atomicStore(&odd[LIST_HEAD + at], tile);
            atomicMax(&odd[LIST_ROWS], at / frame.row + 1u);
        }
    }
}

/// A group is done when none of its tiles is due; those are listed. One workgroup for all groups.
@compute @workgroup_size(GROUP)
fn settle(@builtin(local_invocation_index) local: u32) {
    if local == 0u {
        atomicStore(&found, 0u);
    }
    workgroupBarrier();
    for (var group = local; group < frame.groups; group += GROUP) {
        let at = group * WORDS;
        let solving = atomicLoad(&state[at + SOLVING]) != 0u;
        let steps = atomicLoad(&state[at + STEPS]) + 1u;
        if atomicLoad(&state[at + PHASE]) != BUSY {
            // It has been called, if it was asked for.
            atomicStore(&state[at + ASKED], 0u);
        }
        if atomicLoad(&state[at + PENDING]) != 0u {
            atomicStore(&state[at + PHASE], BUSY);
            atomicStore(&state[at + STEPS], steps);
        } else if solving {
            atomicStore(&state[at + PHASE], FRESH);
            atomicStore(&state[at + SOLVING], 0u);
            atomicStore(&state[at + STEPS], 0u);
            atomicStore(&state[at + TOOK], steps);
            atomicAdd(&state[at + PUBLISHED], 1u);
            enlist(group);
        } else {
            atomicStore(&state[at + PHASE], IDLE);
        }
        atomicStore(&state[at + THRESHOLD], NONE);
    }
    workgroupBarrier();
    if local == 0u {
        agenda[AGENDA_GROUPS] = atomicLoad(&found);
    }
}
