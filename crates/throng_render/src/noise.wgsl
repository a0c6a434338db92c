// Noise for shaders: smooth between the points of a lattice, 0 to 1.

/// A number from a point, 0 to 1.
fn hash_in_plane(p: vec2<f32>) -> f32 {
    var q = fract(vec3<f32>(p.xyx) * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
}

fn noise_in_plane(p: vec2<f32>) -> f32 {
    let i = floor(p);
    let f = fract(p);
    let u = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash_in_plane(i), hash_in_plane(i + vec2<f32>(1.0, 0.0)), u.x),
        mix(hash_in_plane(i + vec2<f32>(0.0, 1.0)), hash_in_plane(i + vec2<f32>(1.0, 1.0)), u.x), u.y);
}

/// A number from a point, 0 to 1.
fn hash_in_space(p: vec3<f32>) -> f32 {
    var q = fract(p * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
}

fn noise_in_space(p: vec3<f32>) -> f32 {
    let i = floor(p);
    let f = fract(p);
    let u = f * f * (3.0 - 2.0 * f);
    let a = mix(mix(hash_in_space(i), hash_in_space(i + vec3<f32>(1.0, 0.0, 0.0)), u.x),
        mix(hash_in_space(i + vec3<f32>(0.0, 1.0, 0.0)), hash_in_space(i + vec3<f32>(1.0, 1.0, 0.0)), u.x), u.y);
    let b = mix(mix(hash_in_space(i + vec3<f32>(0.0, 0.0, 1.0)), hash_in_space(i + vec3<f32>(1.0, 0.0, 1.0)), u.x),
        mix(hash_in_space(i + vec3<f32>(0.0, 1.0, 1.0)), hash_in_space(i + vec3<f32>(1.0, 1.0, 1.0)), u.x), u.y);
    return mix(a, b, u.z);
}
