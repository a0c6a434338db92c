// The lattice of a billboard: four rows of three points, row by row from the ground. The twin is `cpu.rs`.



/// The point (i, j) of a flat quad, bilinear: row of 0 to 3, column of 0 to 2.
fn refine(low_left: vec3<f32>, low_right: vec3<f32>, high_left: vec3<f32>, high_right: vec3<f32>, i: u32, j: u32) -> vec3<f32> {
    let a = f32(j) / 2.0;
    let b = f32(i) / 3.0;
    return mix(mix(low_left, low_right, a), mix(high_left, high_right, a), b);
}

/// One spring; points of the lowest row stay.
fn spring(lattice: ptr<function, array<vec3<f32>, 12>>, a: u32, b: u32, rest: f32, stiffness: f32) {
    let d = (*lattice)[b] - (*lattice)[a];
    let size = length(d);
    let f = d * (stiffness * (size - rest) / max(size, 1e-9));
    let own = select(select(0.5, 1.0, b < 3u), 0.0, a < 3u);
    let other = select(select(0.5, 1.0, a < 3u), 0.0, b < 3u);
    (*lattice)[a] += f * own;
    (*lattice)[b] -= f * other;
}

fn uprights(lattice: ptr<function, array<vec3<f32>, 12>>, from_row: u32, to_row: u32, rest: f32, stiffness: f32) {
    for (var i = from_row; i < to_row; i++) {
        for (var j = 0u; j < 3u; j++) {
            spring(lattice, i * 3u + j, i * 3u + 3u + j, rest, stiffness);
        }
    }
}

fn diagonals(lattice: ptr<function, array<vec3<f32>, 12>>, from_row: u32, to_row: u32, rest: f32, stiffness: f32) {
    for (var i = from_row; i < to_row; i++) {
        for (var j = 0u; j < 2u; j++) {
            spring(lattice, i * 3u + j, i * 3u + 4u + j, rest, stiffness);
            spring(lattice, i * 3u + 3u + j, i * 3u + j + 1u, rest, stiffness);
        }
    }
}

/// A sweep over all 27 springs, those at the ground first. `rest`: width, height and diagonal of a cell.
fn relax(lattice: ptr<function, array<vec3<f32>, 12>>, rest: vec3<f32>, stiffness: f32) {
    uprights(lattice, 0u, 1u, rest.y, stiffness);
    diagonals(lattice, 0u, 1u, rest.z, stiffness);
    uprights(lattice, 1u, 3u, rest.y, stiffness);
    for (var i = 1u; i < 4u; i++) {
        for (var j = 0u; j < 2u; j++) {
            spring(lattice, i * 3u + j, i * 3u + j + 1u, rest.x, stiffness);
        }
    }
    diagonals(lattice, 1u, 3u, rest.z, stiffness);
}

/// How far a point goes along the outward normal of the nearest surface so that it leaves the box of its distances
/// to surfaces along the axes: first of each pair along the axis, second against it.
fn way_out(along: vec3<f32>, against: vec3<f32>, normal: vec3<f32>) -> f32 {
    let zero = vec3<f32>(0.0);
    return dot(max(normal * along, zero) + max(-normal * against, zero), vec3<f32>(1.0));
}
