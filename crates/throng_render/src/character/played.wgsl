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
