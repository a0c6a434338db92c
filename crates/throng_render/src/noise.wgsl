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

/// Noise, and how it changes along each axis: gradient, then value.
fn sloped_noise_in_space(p: vec3<f32>) -> vec4<f32> {
    let i = floor(p);
    let f = fract(p);
    let u = f * f * (3.0 - 2.0 * f);
    let du = 6.0 * f * (1.0 - f);
    let x = vec3<f32>(1.0, 0.0, 0.0);
    let y = vec3<f32>(0.0, 1.0, 0.0);
    let z = vec3<f32>(0.0, 0.0, 1.0);
    // Corners in pairs along x: at the lower end, and the difference to the upper.
    let low = vec4<f32>(hash_in_space(i), hash_in_space(i + y), hash_in_space(i + z), hash_in_space(i + y + z));
    let high = vec4<f32>(hash_in_space(i + x), hash_in_space(i + x + y), hash_in_space(i + x + z), hash_in_space(i + x + y + z));
    let edges = mix(low, high, u.x);
    let rise = high - low;
    let near = mix(edges.xz, edges.yw, u.y);
    let sides = mix(rise.xz, rise.yw, u.y);
    let up = edges.yw - edges.xz;
    let gradient = vec3<f32>(mix(sides.x, sides.y, u.z), mix(up.x, up.y, u.z), near.y - near.x) * du;
    return vec4<f32>(gradient, mix(near.x, near.y, u.z));
}

fn noise_in_space(p: vec3<f32>) -> f32 {
    return sloped_noise_in_space(p).w;
}
