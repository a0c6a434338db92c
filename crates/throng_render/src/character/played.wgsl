// What somebody plays in this frame, as `motion.wgsl` says.

struct Played {
    /// Two keys, the share of the second, and the weight of all that; heaviest first, nothing after nothing.
    first: vec4<u32>,
    second: vec4<u32>,
    third: vec4<u32>,
    /// Zones that it lacks.
    missing: u32,
    look: u32,
    /// Height (metres).
    size: f32,
    unused: f32,
}

/// A matrix by its rows.
struct Rows {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

/// Where the rows of a joint begin in two keys, and what each counts for.
struct Mix {
    a: u32,
    b: u32,
    of_a: f32,
    of_b: f32,
}

/// Of what is played by `keys`.
fn mix_of(keys: vec4<u32>, joint: u32, joints: u32) -> Mix {
    let share = bitcast<f32>(keys.z);
    let weight = bitcast<f32>(keys.w);
    return Mix((keys.x * joints + joint) * 3u, (keys.y * joints + joint) * 3u, weight * (1.0 - share), weight * share);
}
