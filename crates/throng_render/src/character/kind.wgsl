// What all of one character share. `Kind` in Rust.

struct Kind {
    /// Tints of skin and of cloth, by look.
    skin: array<vec4<f32>, 16>,
    cloth: array<vec4<f32>, 16>,
    /// Where a zone is folded to, and its joint.
    zones: array<vec4<f32>, 32>,
    /// Where the skinned vertices of a class begin, and how many each has.
    places: array<vec4<u32>, 4>,
    /// Box of positions, and of places in the maps.
    low: vec3<f32>,
    joints: u32,
    size: vec3<f32>,
    /// How much of a group's colour cloth takes on.
    livery: f32,
    uv_box: vec4<f32>,
}
