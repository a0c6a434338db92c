// Close-ups: every triangle of the cage becomes a grid of smaller ones, laid on the cage and moved along its normal
// by what the map of displacement says. Grids meet without cracks: whatever lies on an edge or corner of the cage is
// worked out from the same numbers, in the same order, by all triangles that share it.

/// The level of a frame, as `levels.wgsl` writes it.
struct Close {
    /// From 1 to the greatest.
    level: f32,
    /// Rounded up: segments along an edge.
    segments: u32,
    /// How far the last segments have come out of those before, 0 to 1.
    grown: f32,
    /// How much of the displacement there is, 0 to 1.
    relief: f32,
    /// Triangles of the cage, characters that are close, and triangles that they add.
    faces: u32,
    characters: u32,
    added: u32,
    unused: u32,
}

/// A corner of a triangle in its pose.
struct Corner {
    position: vec3<f32>,
    normal: vec3<f32>,
    uv: vec2<f32>,
    height: f32,
    place: u32,
}

struct OnCage {
    /// In body heights, not yet displaced.
    position: vec3<f32>,
    /// Along which it is displaced.
    up: vec3<f32>,
    /// Where the map says by how much, unless it runs straight: then so much.
    uv: vec2<f32>,
    straight: bool,
    height: f32,
    /// Shares of the three corners, for what does not have to meet.
    shares: vec3<f32>,
}

/// Where step k of n is while the last segment grows out of a grid with one segment less.
fn grown_step(k: u32, n: u32, grown: f32) -> f32 {
    let fine = f32(k) / f32(n);
    let before = max(f32(n) - 1.0, 1.0);
    let coarse = floor(f32(k) * before / f32(n) + 0.5) / before;
    return coarse + (fine - coarse) * grown;
}

/// A vertex of the grid of a triangle: its row and column. Row r has r + 1 vertices, the first is the first corner.
fn on_cage(a: Corner, b: Corner, c: Corner, seams: u32, at: vec2<u32>, close: Close) -> OnCage {
    let n = close.segments;
    // Steps from the opposite edge towards each corner.
    let to_a = n - at.x;
    let to_b = at.x - at.y;
    let to_c = at.y;
    // Inside: any order will do. On an edge: from the lesser place to the other; at a corner from there.
    var x = a;
    var y = b;
    var z = c;
    var steps_x = to_a;
    var steps_y = to_b;
    var steps_z = to_c;
    var seam = (seams & 1u) != 0u;
    // Which corner is x, to put shares back in their order.
    var turn = 0u;
    if to_a == 0u {
        x = b;
        y = c;
        z = a;
        steps_x = to_b;
        steps_y = to_c;
        steps_z = to_a;
        seam = (seams & 2u) != 0u;
        turn = 1u;
    } else if to_b == 0u {
        x = c;
        y = a;
        z = b;
        steps_x = to_c;
        steps_y = to_a;
        steps_z = to_b;
        seam = (seams & 4u) != 0u;
        turn = 2u;
    }
    let edge = steps_z == 0u;
    let swapped = edge && (steps_x == 0u || (steps_y != 0u && y.place < x.place));
    if swapped {
        let other = x;
        x = y;
        y = other;
        steps_y = steps_x;
    }
    let t = grown_step(steps_y, n, close.grown);
    var s = grown_step(steps_z, n, close.grown);
    s -= max(s + t - 1.0, 0.0);
    let position = x.position + (y.position - x.position) * t + (z.position - x.position) * s;
    let normal = x.normal + (y.normal - x.normal) * t + (z.normal - x.normal) * s;
    let uv = x.uv + (y.uv - x.uv) * t + (z.uv - x.uv) * s;
    let height = x.height + (y.height - x.height) * t;
    let straight = edge && (seam || steps_y == 0u);
    let first = select(1.0 - t - s, t, swapped);
    let second = select(t, 1.0 - t - s, swapped);
    let in_turn = vec3<f32>(first, second, s);
    let shares = select(select(in_turn, in_turn.zxy, turn == 1u), in_turn.yzx, turn == 2u);
    let up = normal / max(length(normal), 1e-6);
    return OnCage(position, up, uv, straight, height, shares);
}
