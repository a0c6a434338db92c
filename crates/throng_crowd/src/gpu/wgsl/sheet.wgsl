// Sheets: rows of words laid out as textures, for what is read in no order. Texture units gather where
// plain loads of storage are taken apart (on a software device they cost a tenth of those).

#import throng_crowd::constants::{SHEET_SHIFT, SHEET_MASK}

/// Where an element of a sheet is.
fn texel(at: u32) -> vec2<u32> {
    return vec2<u32>(at & SHEET_MASK, at >> SHEET_SHIFT);
}
