// The bins of a step, for whoever looks for neighbours.

#import throng_crowd::constants::constants
#import throng_crowd::sheet::texel

// First agent of each bin, and the number of agents at the end.
@group(0) @binding(3) var starts: texture_storage_2d<r32uint, read>;

fn start_of(bin: u32) -> u32 {
    return textureLoad(starts, texel(bin)).x;
}

/// How many agents there are.
fn agents() -> u32 {
    return start_of(constants.bins);
}

fn column_of(x: f32) -> u32 {
    let at = i32((x - constants.bin_x) * constants.bins_per_metre);
    return u32(clamp(at, 0, i32(constants.columns) - 1));
}

fn row_of(y: f32) -> u32 {
    let at = i32((y - constants.bin_y) * constants.bins_per_metre);
    return u32(clamp(at, 0, i32(constants.rows) - 1));
}

/// Agents in the bins of a row from one column to another.
fn range_of(row: u32, first: u32, last: u32) -> vec2<u32> {
    let base = row * constants.columns;
    return vec2<u32>(start_of(base + first), start_of(base + last + 1u));
}
