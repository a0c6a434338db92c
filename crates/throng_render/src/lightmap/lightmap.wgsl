// Light on the ground from the baked map; the twin of mod.rs.

#import throng_render::sh::{ShLight, sh_irradiance}

struct LightMapUniforms {
    origin: vec2<f32>,
    inverse_extent: vec2<f32>,
}

/// Light at a place.
struct GroundLight {
    /// Sky and reflected light from all around, without the sun.
    light: ShLight,
    /// Share of the sun's disc that the terrain leaves free.
    sun: f32,
}

/// Light at a place of the world. `texels` is the map's texture as an array, `smooth_edge` a sampler that filters and
/// clamps.
fn ground_light(
    place: LightMapUniforms,
    texels: texture_2d_array<f32>,
    smooth_edge: sampler,
    world: vec2<f32>,
) -> GroundLight {
    let at = (world - place.origin) * place.inverse_extent;
    let r = textureSampleLevel(texels, smooth_edge, at, 0, 0.0);
    let g = textureSampleLevel(texels, smooth_edge, at, 1, 0.0);
    let b = textureSampleLevel(texels, smooth_edge, at, 2, 0.0);
    let more_r = textureSampleLevel(texels, smooth_edge, at, 3, 0.0);
    let more_g = textureSampleLevel(texels, smooth_edge, at, 4, 0.0);
    let more_b = textureSampleLevel(texels, smooth_edge, at, 5, 0.0);
    let last = textureSampleLevel(texels, smooth_edge, at, 6, 0.0);
    let light = ShLight(array<vec3<f32>, 9>(
        vec3<f32>(r.x, g.x, b.x),
        vec3<f32>(r.y, g.y, b.y),
        vec3<f32>(r.z, g.z, b.z),
        vec3<f32>(r.w, g.w, b.w),
        vec3<f32>(more_r.x, more_g.x, more_b.x),
        vec3<f32>(more_r.y, more_g.y, more_b.y),
        vec3<f32>(more_r.z, more_g.z, more_b.z),
        vec3<f32>(more_r.w, more_g.w, more_b.w),
        last.xyz,
    ));
    return GroundLight(light, last.w);
}

/// Irradiance on a surface. `sun_irradiance` is on what faces the sun; `shadow` is the share of the sun that
/// moving things leave free: it only takes from what the terrain has left, so nothing is shadowed twice.
fn ground_irradiance(
    here: GroundLight,
    normal: vec3<f32>,
    to_sun: vec3<f32>,
    sun_irradiance: vec3<f32>,
    shadow: f32,
) -> vec3<f32> {
    let cosine = max(dot(normal, to_sun), 0.0);
    return sh_irradiance(here.light, normal) + sun_irradiance * (here.sun * shadow * cosine);
}
