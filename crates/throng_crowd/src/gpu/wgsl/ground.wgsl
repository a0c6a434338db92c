// The ground: nearest sites on the navigation cells; speeds, stairs and doses on those of zones.

#import throng_crowd::constants::{constants, NOTHING}
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

/// Where what a part of the zones says of a place begins, of so many words; `NOTHING` off the ground, or where there is no
/// such part.
fn zone_word(part: u32, words: u32, p: vec2<f32>) -> u32 {
    let q = (p - cell_origin()) / constants.zone_cell;
    let size = vec2<f32>(f32(constants.zone_columns), f32(constants.zone_rows));
    if part == NOTHING || any(q < vec2<f32>(0.0)) || any(q >= size) {
        return NOTHING;
    }
    let cell = vec2<u32>(q);
    return part + words * (cell.y * constants.zone_columns + cell.x);
}

/// Which way stairs lead up; 0 where there are none.
fn stairs_at(p: vec2<f32>) -> vec2<f32> {
    let at = zone_word(constants.ground_stairs, 2u, p);
    if at == NOTHING {
        return vec2<f32>(0.0);
    }
    return bitcast<vec2<f32>>(vec2<u32>(ground_word(at), ground_word(at + 1u)));
}

/// How fast one walks on the ground, as a factor.
fn ground_speed(p: vec2<f32>) -> f32 {
    let at = zone_word(constants.ground_speed, 1u, p);
    if at == NOTHING {
        return 1.0;
    }
    return bitcast<f32>(ground_word(at));
}

/// Dose of poison per second.
fn dose_at(p: vec2<f32>) -> f32 {
    let at = zone_word(constants.ground_dose, 1u, p);
    if at == NOTHING {
        return 0.0;
    }
    return bitcast<f32>(ground_word(at));
}
