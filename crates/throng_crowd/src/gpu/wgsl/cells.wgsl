// The navigation cells.

#import throng_crowd::constants::constants

fn cells() -> u32 {
    return constants.cell_columns * constants.cell_rows;
}

fn cell_origin() -> vec2<f32> {
    return vec2<f32>(constants.cell_x, constants.cell_y);
}

/// A cell by its column and row, clamped to the grid.
fn clamped_cell(at: vec2<i32>) -> u32 {
    let last = vec2<i32>(i32(constants.cell_columns), i32(constants.cell_rows)) - 1;
    let inside = vec2<u32>(clamp(at, vec2<i32>(0), last));
    return inside.y * constants.cell_columns + inside.x;
}
