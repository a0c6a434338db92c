// What a blade sends to the eye of light from one direction. The twin is `cpu` in `mod.rs`.

/// Colour of light that came through a blade.
const THROUGH: vec3<f32> = vec3<f32>(1.0, 0.9, 0.3);

struct Lobes {
    /// Share that comes through.
    through: f32,
    diffuse: f32,
    shine: f32,
}

/// `n` of the blade, `v` to the eye, `b` to the light, all of length 1.
fn lobes(n: vec3<f32>, v: vec3<f32>, b: vec3<f32>) -> Lobes {
    let through = 0.5 * max(-dot(v, b), 0.0);
    let diffuse = 0.7 * abs(dot(n, b)) + 0.3;
    let between = v + b;
    let h = between / max(length(between), 1e-6);
    let c = max(dot(n, h), 0.0);
    let shine = (1.0 - through) * c * c * c * c;
    return Lobes(through, diffuse, shine);
}

/// All of it, for a blade as thick as any.
fn reflectance(n: vec3<f32>, v: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let it = lobes(n, v, b);
    return vec3<f32>(it.diffuse + it.shine) + THROUGH * it.through;
}
