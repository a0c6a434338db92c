// Fields for private targets: whose they are, and how many want them.

#import throng_crowd::constants::{constants, SLOT_WORDS}
#import throng_crowd::cells::cells

// By cell, the slot with its field, and how many want one; then the slots; then what ranks cells.
@group(0) @binding(8) var<storage, read_write> slots: array<atomic<u32>>;

/// A cell's slot with this bit is still being solved.
const SLOT_PENDING: u32 = 0x80000000u;

// Words of a slot.
const SLOT_CELL: u32 = 0u;
const SLOT_USED: u32 = 1u;
const SLOT_STATE: u32 = 2u;
const SLOT_SINCE: u32 = 3u;
const SLOT_SOURCE: u32 = 4u;

fn slot_of(cell: u32) -> u32 {
    return cell;
}

fn wanted(cell: u32) -> u32 {
    return cells() + cell;
}

fn slot_row(slot: u32) -> u32 {
    return 2u * cells() + slot * SLOT_WORDS;
}
