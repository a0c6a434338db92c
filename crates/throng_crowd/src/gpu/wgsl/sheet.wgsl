// Sheets: rows of words laid out as textures, for what is read in no order. They are storage textures that are
// only read: a texture that might be sampled has levels, and a software device works out the level of every load,
// which takes longer than the load. They are written by copies: there a store to a texture costs as much as
// four to a buffer.

#import throng_crowd::constants::{SHEET_SHIFT, SHEET_MASK}

/// Where an element of a sheet is.
fn texel(at: u32) -> vec2<u32> {
    return vec2<u32>(at & SHEET_MASK, at >> SHEET_SHIFT);
}
