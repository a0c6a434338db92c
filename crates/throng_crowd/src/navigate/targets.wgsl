// Fields for private targets that are out of sight: which cells get one.
//
// The twin is `TargetFields`. Those who do not see their target count up its cell (`find_turns`). `rank`
// finds the most wanted cell without a field, block by block; `assign` gives it the place of the field
// that was not used for longest, and lets the solver begin. Until the field is solved nobody follows it.

#import throng_gpu::group::{GROUP, Place, flat_group}
#import throng_crowd::constants::{
    constants, NOTHING, FIELD_WORDS, FIELD_ASKED, FIELD_PHASE, FIELD_BUSY, RANKED, SLOT_WORDS, ROTATION
}
#import throng_crowd::cells::cells
#import throng_crowd::slots::{
    slots, SLOT_PENDING, SLOT_CELL, SLOT_USED, SLOT_STATE, SLOT_SINCE, SLOT_SOURCE, slot_of, wanted, slot_row
}

@group(0) @binding(7) var<storage, read> costs: array<u32>;
@group(0) @binding(9) var<storage, read_write> progress: array<atomic<u32>>;
// Where the fields begin.
@group(0) @binding(10) var<storage, read_write> given_start: array<u32>;

// What a slot is.
const FREE: u32 = 0u;
const SOLVING: u32 = 1u;
const READY: u32 = 2u;

const INFINITY_BITS: u32 = 0x7f800000u;

var<workgroup> counts: array<u32, GROUP>;
var<workgroup> whose: array<u32, GROUP>;
var<workgroup> since: array<u32, GROUP>;
var<workgroup> least: atomic<u32>;
var<workgroup> first: atomic<u32>;
var<workgroup> chosen: u32;

/// Where the winners of the blocks are.
fn ranked(block: u32) -> u32 {
    return slot_row(constants.targets) + 2u * block;
}

/// Leaves the most wanted of all in place 0; among equals the lowest cell. To be called by all.
fn reduce_wanted(local: u32) {
    workgroupBarrier();
    for (var half = GROUP / 2u; half > 0u; half /= 2u) {
        if local < half {
            let other = local + half;
            let more = counts[other] > counts[local];
            if more || (counts[other] == counts[local] && whose[other] < whose[local]) {
                counts[local] = counts[other];
                whose[local] = whose[other];
            }
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(GROUP)
fn rank(place: Place) {
    let block = flat_group(place);
    var best = 0u;
    var cell_of_best = NOTHING;
    for (var k = 0u; k < RANKED; k++) {
        let cell = (block * RANKED + k) * GROUP + place.local;
        if cell >= cells() {
            break;
        }
        let count = atomicExchange(&slots[wanted(cell)], 0u);
        if count == 0u {
            continue;
        }
        let slot = atomicLoad(&slots[slot_of(cell)]);
        if slot != NOTHING {
            atomicStore(&slots[slot_row(slot & ~SLOT_PENDING) + SLOT_USED], constants.step_low);
        } else if count > best {
            best = count;
            cell_of_best = cell;
        }
    }
    counts[place.local] = best;
    whose[place.local] = cell_of_best;
    reduce_wanted(place.local);
    if place.local == 0u && block * RANKED * GROUP < cells() {
        atomicStore(&slots[ranked(block)], counts[0]);
        atomicStore(&slots[ranked(block) + 1u], whose[0]);
    }
}

/// One workgroup.
@compute @workgroup_size(GROUP)
fn assign(place: Place) {
    open_solved(place.local);
    let blocks = (cells() + RANKED * GROUP - 1u) / (RANKED * GROUP);
    var best = 0u;
    var cell_of_best = NOTHING;
    for (var block = place.local; block < blocks; block += GROUP) {
        let count = atomicLoad(&slots[ranked(block)]);
        // Blocks ascend, so that the first of equals stays.
        if count > best {
            best = count;
            cell_of_best = atomicLoad(&slots[ranked(block) + 1u]);
        }
    }
    counts[place.local] = best;
    whose[place.local] = cell_of_best;
    reduce_wanted(place.local);
    if place.local == 0u {
        chosen = select(whose[0], NOTHING, counts[0] == 0u);
    }
    let cell = workgroupUniformLoad(&chosen);
    if cell == NOTHING {
        return;
    }
    let slot = oldest_slot(place.local);
    if slot == NOTHING {
        return;
    }
    let source = nearest_open(place.local, cell);
    if place.local == 0u && source != NOTHING {
        give(slot, cell, source);
    }
}

/// Fields that are solved are there for all.
fn open_solved(local: u32) {
    for (var slot = local; slot < constants.targets; slot += GROUP) {
        let row = slot_row(slot);
        if atomicLoad(&slots[row + SLOT_STATE]) == SOLVING {
            let at = (constants.fields + slot) * FIELD_WORDS;
            let asked = atomicLoad(&progress[at + FIELD_ASKED]) != 0u;
            if !asked && atomicLoad(&progress[at + FIELD_PHASE]) != FIELD_BUSY {
                atomicStore(&slots[row + SLOT_STATE], READY);
                atomicStore(&slots[slot_of(atomicLoad(&slots[row + SLOT_CELL]))], slot);
            }
        }
    }
    storageBarrier();
}

/// The slot that may be taken: a free one, or the one not used for longest; those that are being solved
/// stay. `NOTHING` where all are in use, but for every so many steps. To be called by all.
fn oldest_slot(local: u32) -> u32 {
    // Ages plus one; a free slot is older than all.
    var oldest = 0u;
    var age_since = 0u;
    var slot_here = NOTHING;
    for (var slot = local; slot < constants.targets; slot += GROUP) {
        let row = slot_row(slot);
        let state = atomicLoad(&slots[row + SLOT_STATE]);
        let unused = constants.step_low - atomicLoad(&slots[row + SLOT_USED]);
        let age = select(min(unused, 0xfffffffdu) + 1u, NOTHING, state == FREE);
        let held = constants.step_low - atomicLoad(&slots[row + SLOT_SINCE]);
        if state != SOLVING && (age > oldest || (age == oldest && held > age_since)) {
            oldest = age;
            age_since = held;
            slot_here = slot;
        }
    }
    workgroupBarrier();
    counts[local] = oldest;
    since[local] = age_since;
    whose[local] = slot_here;
    workgroupBarrier();
    for (var half = GROUP / 2u; half > 0u; half /= 2u) {
        if local < half && older(local + half, local) {
            counts[local] = counts[local + half];
            since[local] = since[local + half];
            whose[local] = whose[local + half];
        }
        workgroupBarrier();
    }
    if local == 0u {
        let idle = counts[0] > 1u || constants.step_low % ROTATION == 0u;
        chosen = select(NOTHING, whose[0], idle);
    }
    return workgroupUniformLoad(&chosen);
}

fn older(a: u32, b: u32) -> bool {
    if counts[a] != counts[b] {
        return counts[a] > counts[b];
    }
    if since[a] != since[b] {
        return since[a] > since[b];
    }
    return whose[a] < whose[b];
}

/// The open cell nearest to a cell, looked for in growing squares; among equals the first of its rows. To
/// be called by all.
fn nearest_open(local: u32, near: u32) -> u32 {
    let size = vec2<i32>(i32(constants.cell_columns), i32(constants.cell_rows));
    let middle = vec2<i32>(vec2<u32>(near % constants.cell_columns, near / constants.cell_columns));
    for (var ring = 0; ring < max(size.x, size.y); ring++) {
        if local == 0u {
            atomicStore(&least, NOTHING);
            atomicStore(&first, NOTHING);
        }
        workgroupBarrier();
        let side = 2 * ring + 1;
        // The cells of the ring in the order of rows: two whole rows, and two cells of each between.
        let all = max(8 * ring, 1);
        for (var k = i32(local); k < all; k += i32(GROUP)) {
            let away = ring_cell(k, ring, side);
            if is_open(middle + away, size) {
                atomicMin(&least, u32(away.x * away.x + away.y * away.y));
            }
        }
        workgroupBarrier();
        let squared = atomicLoad(&least);
        for (var k = i32(local); k < all; k += i32(GROUP)) {
            let away = ring_cell(k, ring, side);
            let found = u32(away.x * away.x + away.y * away.y) == squared;
            if found && is_open(middle + away, size) {
                atomicMin(&first, u32(k));
            }
        }
        workgroupBarrier();
        if local == 0u {
            chosen = NOTHING;
            let k = atomicLoad(&first);
            if k != NOTHING {
                let cell = vec2<u32>(middle + ring_cell(i32(k), ring, side));
                chosen = cell.y * constants.cell_columns + cell.x;
            }
        }
        let cell = workgroupUniformLoad(&chosen);
        if cell != NOTHING {
            return cell;
        }
    }
    return NOTHING;
}

fn ring_cell(k: i32, ring: i32, side: i32) -> vec2<i32> {
    if k < side {
        return vec2<i32>(k - ring, -ring);
    }
    let between = k - side;
    if between < 2 * (side - 2) {
        return vec2<i32>(select(ring, -ring, between % 2 == 0), 1 - ring + between / 2);
    }
    return vec2<i32>(between - 2 * (side - 2) - ring, ring);
}

fn is_open(cell: vec2<i32>, size: vec2<i32>) -> bool {
    if any(cell < vec2<i32>(0)) || any(cell >= size) {
        return false;
    }
    let at = u32(cell.y) * constants.cell_columns + u32(cell.x);
    return costs[constants.fields * cells() + at] < INFINITY_BITS;
}

/// Gives a slot to a cell, from whose source its field is solved.
fn give(slot: u32, cell: u32, source: u32) {
    let row = slot_row(slot);
    let part = (constants.fields + slot) * cells();
    if atomicLoad(&slots[row + SLOT_STATE]) != FREE {
        atomicStore(&slots[slot_of(atomicLoad(&slots[row + SLOT_CELL]))], NOTHING);
    }
    let before = atomicLoad(&slots[row + SLOT_SOURCE]);
    if before != NOTHING {
        given_start[part + before] = INFINITY_BITS;
    }
    given_start[part + source] = 0u;
    atomicStore(&slots[row + SLOT_CELL], cell);
    atomicStore(&slots[row + SLOT_USED], constants.step_low);
    atomicStore(&slots[row + SLOT_STATE], SOLVING);
    atomicStore(&slots[row + SLOT_SINCE], constants.step_low);
    atomicStore(&slots[row + SLOT_SOURCE], source);
    atomicStore(&slots[slot_of(cell)], slot | SLOT_PENDING);
    atomicStore(&progress[(constants.fields + slot) * FIELD_WORDS + FIELD_ASKED], 1u);
}
