// The ground on the navigation cells: nearest sites, speeds.

#import throng_crowd::constants::constants
#import throng_crowd::sheet::texel
#import throng_crowd::cells::{cells, cell_origin, clamped_cell}

@group(0) @binding(6) var ground: texture_storage_2d<r32uint, read>;

fn ground_word(at: u32) -> u32 {
    return textureLoad(ground, texel(at)).x;
}

/// The nearest site of a goal, as its number; `FAR_OFF` where none is near.
fn site_near(goal: u32, p: vec2<f32>) -> u32 {
    let q = (p - cell_origin()) * constants.cells_per_metre;
    return ground_word(constants.ground_sites + goal * cells() + clamped_cell(vec2<i32>(q)));
}

/// The cell of a target.
fn target_cell(target_: vec2<f32>) -> u32 {
    let inside = clamp(target_, cell_origin(), vec2<f32>(constants.last_x, constants.last_y));
    return clamped_cell(vec2<i32>((inside - cell_origin()) / constants.cell_size));
}

/// Which way stairs lead up; 0 where there are none.
fn stairs_at(p: vec2<f32>) -> vec2<f32> {
    let q = (p - cell_origin()) / constants.cell_size;
    let size = vec2<f32>(f32(constants.cell_columns), f32(constants.cell_rows));
    if constants.ground_stairs == 0xffffffffu || any(q < vec2<f32>(0.0)) || any(q >= size) {
        return vec2<f32>(0.0);
    }
    let at = constants.ground_stairs + 2u * clamped_cell(vec2<i32>(q));
    return bitcast<vec2<f32>>(vec2<u32>(ground_word(at), ground_word(at + 1u)));
}

/// How fast one walks on the ground, as a factor.
fn ground_speed(p: vec2<f32>) -> f32 {
    let q = (p - cell_origin()) / constants.cell_size;
    let size = vec2<f32>(f32(constants.cell_columns), f32(constants.cell_rows));
    if constants.ground_speed == 0xffffffffu || any(q < vec2<f32>(0.0)) || any(q >= size) {
        return 1.0;
    }
    return bitcast<f32>(ground_word(constants.ground_speed + clamped_cell(vec2<i32>(q))));
}

/// Dose of poison per second.
fn dose_at(p: vec2<f32>) -> f32 {
    let q = (p - cell_origin()) / constants.cell_size;
    let size = vec2<f32>(f32(constants.cell_columns), f32(constants.cell_rows));
    if constants.ground_dose == 0xffffffffu || any(q < vec2<f32>(0.0)) || any(q >= size) {
        return 0.0;
    }
    return bitcast<f32>(ground_word(constants.ground_dose + clamped_cell(vec2<i32>(q))));
}
