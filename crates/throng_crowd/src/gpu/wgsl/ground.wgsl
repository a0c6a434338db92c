// The ground on the navigation cells: nearest sites, directions, speeds.

#import throng_crowd::constants::{constants, UNREACHABLE, FLOW_LEAST, FLOW_UNIT}

@group(0) @binding(6) var<storage, read> ground: array<u32>;

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

/// The nearest site of a goal, as its number; `FAR_OFF` where none is near.
fn site_near(goal: u32, p: vec2<f32>) -> u32 {
    let q = (p - cell_origin()) * constants.cells_per_metre;
    return ground[constants.ground_sites + goal * cells() + clamped_cell(vec2<i32>(q))];
}

/// The cell of a target.
fn target_cell(target_: vec2<f32>) -> u32 {
    let inside = clamp(target_, cell_origin(), vec2<f32>(constants.last_x, constants.last_y));
    return clamped_cell(vec2<i32>((inside - cell_origin()) / constants.cell_size));
}

/// How fast one walks on the ground, as a factor.
fn ground_speed(p: vec2<f32>) -> f32 {
    let q = (p - cell_origin()) / constants.cell_size;
    let size = vec2<f32>(f32(constants.cell_columns), f32(constants.cell_rows));
    if constants.ground_speed == 0xffffffffu || any(q < vec2<f32>(0.0)) || any(q >= size) {
        return 1.0;
    }
    return bitcast<f32>(ground[constants.ground_speed + clamped_cell(vec2<i32>(q))]);
}

/// The direction of a field at a position, smooth between cell centres; zero where there is no way.
fn flow_at(field: u32, p: vec2<f32>) -> vec2<f32> {
    let q = (p - cell_origin()) * constants.cells_per_metre - 0.5;
    let low = floor(q);
    let t = q - low;
    let a = vec2<i32>(low);
    let b = vec2<i32>(low + 1.0);
    var sum = share_of(field, a, (1.0 - t.x) * (1.0 - t.y));
    sum += share_of(field, vec2<i32>(b.x, a.y), t.x * (1.0 - t.y));
    sum += share_of(field, vec2<i32>(a.x, b.y), (1.0 - t.x) * t.y);
    sum += share_of(field, b, t.x * t.y);
    let long = sqrt(sum.x * sum.x + sum.y * sum.y);
    if long > FLOW_LEAST * FLOW_UNIT {
        return sum / long;
    }
    return vec2<f32>(0.0);
}

fn share_of(field: u32, at: vec2<i32>, weight: f32) -> vec2<f32> {
    let code = ground[field + clamped_cell(at)];
    if code == UNREACHABLE {
        return vec2<f32>(0.0);
    }
    let halves = vec2<i32>(i32(code << 16u) >> 16u, i32(code) >> 16u);
    return vec2<f32>(halves) * weight;
}
