// Sun, sky, air, the light of the ground, and what glows. `LightUniform` in Rust.

#import throng_render::sh::{ShLight, sh_irradiance, sh_dominant}
#import throng_render::sky::{SkyUniforms, sky_radiance, sky_disc, sky_irradiance, aerial}
#import throng_render::lightmap::{LightMapUniforms, GroundLight, ground_light}

struct Glow {
    position: vec3<f32>,
    radius: f32,
    colour: vec3<f32>,
    unused: f32,
}

struct LightUniform {
    sky: SkyUniforms,
    map: LightMapUniforms,
    exposure: vec4<f32>,
    glows: array<Glow, 4>,
}

@group(2) @binding(0) var<uniform> light: LightUniform;
@group(2) @binding(4) var light_map: texture_2d_array<f32>;
@group(2) @binding(5) var smooth_edge: sampler;

const PI: f32 = 3.14159265;
/// Beyond the map, over this share of its side, its light gives way to that of the open sky.
const MARGIN: f32 = 0.04;

fn sun_direction() -> vec3<f32> {
    return light.sky.sun.xyz;
}

/// Irradiance of the sun on what faces it.
fn sun_light() -> vec3<f32> {
    return light.sky.sun_irradiance.xyz;
}

fn exposure() -> f32 {
    return light.exposure.x;
}

/// Radiance of the sky without the sun's disc.
fn sky_towards(dir: vec3<f32>) -> vec3<f32> {
    return sky_radiance(light.sky, dir);
}

/// Radiance of the sun's disc, with an edge so many radians wide.
fn disc_towards(dir: vec3<f32>, blur: f32) -> vec3<f32> {
    return sky_disc(light.sky, dir, blur);
}

/// Irradiance of sky and ground on a surface in the open, without the sun.
fn open_irradiance(normal: vec3<f32>) -> vec3<f32> {
    return sky_irradiance(light.sky, normal);
}

/// Radiance after so many metres of air towards the eye.
fn through_air(radiance: vec3<f32>, dir: vec3<f32>, metres: f32) -> vec3<f32> {
    return aerial(light.sky, radiance, metres, dir);
}

fn blended(a: GroundLight, b: GroundLight, t: f32) -> GroundLight {
    var mixed = a;
    for (var i = 0u; i < 9u; i++) {
        mixed.light.coefficients[i] = mix(a.light.coefficients[i], b.light.coefficients[i], t);
    }
    mixed.sun = mix(a.sun, b.sun, t);
    return mixed;
}

fn open_light() -> GroundLight {
    let c = light.sky.sh;
    return GroundLight(ShLight(array<vec3<f32>, 9>(
        c[0].xyz, c[1].xyz, c[2].xyz, c[3].xyz, c[4].xyz, c[5].xyz, c[6].xyz, c[7].xyz, c[8].xyz,
    )), 1.0);
}

/// Light at a place of the ground.
fn light_at(p: vec2<f32>) -> GroundLight {
    let at = (p - light.map.origin) * light.map.inverse_extent;
    let outside = max(max(-at, at - 1.0), vec2<f32>(0.0));
    let beyond = smoothstep(0.0, MARGIN, max(outside.x, outside.y));
    if beyond >= 1.0 {
        return open_light();
    }
    let here = ground_light(light.map, light_map, smooth_edge, p);
    if beyond <= 0.0 {
        return here;
    }
    return blended(here, open_light(), beyond);
}

/// Light at a place so many metres above the ground: higher up less stands around. What hides the sun up
/// there is in the shadow maps.
fn light_above(p: vec2<f32>, metres: f32) -> GroundLight {
    var here = light_at(p);
    let raised = smoothstep(2.0, 16.0, metres);
    if raised > 0.0 {
        here = blended(here, open_light(), raised * 0.8);
    }
    here.sun = mix(here.sun, 1.0, smoothstep(1.2, 3.0, metres));
    return here;
}

/// Light of what glows nearby, as irradiance.
fn glow_irradiance(p: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    for (var i = 0u; i < 4u; i++) {
        let to = light.glows[i].position - p;
        let reach = light.glows[i].radius;
        let d = length(to);
        if d < reach {
            let fade = 1.0 - d / reach;
            sum += light.glows[i].colour * (0.5 + 0.5 * dot(normal, to / max(d, 0.01))) * fade * fade / (1.0 + 0.1 * d * d);
        }
    }
    return sum;
}

/// Share of the sun that reaches a place: what terrain (baked) and shadow map both leave. The lesser, not
/// the product: a shadow in a shadow is no darker.
fn sun_share(here: GroundLight, shadow: f32) -> f32 {
    return min(here.sun, shadow);
}

struct Surface {
    albedo: vec3<f32>,
    normal: vec3<f32>,
    /// Share of the surroundings that folds and neighbours leave free.
    open: f32,
    shine: f32,
}

/// What a surface sends to the eye: rough, with a soft shine. `shadow` is the share of the sun that the shadow
/// maps leave.
fn shade(
    surface: Surface,
    here: GroundLight,
    p: vec3<f32>,
    to_eye: vec3<f32>,
    shadow: f32,
) -> vec3<f32> {
    let n = surface.normal;
    let l = sun_direction();
    let lit = max(dot(n, l), 0.0) * sun_share(here, shadow);
    // The strongest of what comes from all around keeps its cosine; the rest is as smooth as nine numbers.
    let strongest = sh_dominant(here.light);
    let from_strongest = strongest.colour * max(dot(n, strongest.direction), 0.0);
    let around = sh_irradiance(strongest.residual, n) + from_strongest * PI + glow_irradiance(p, n);
    let h = normalize(l + to_eye);
    let gloss = pow(max(dot(n, h), 0.0), 24.0) * surface.shine * lit;
    let k = normalize(strongest.direction + to_eye);
    let sheen = pow(max(dot(n, k), 0.0), 12.0) * surface.shine * surface.open;
    return surface.albedo / PI * (sun_light() * lit + around * surface.open)
        + sun_light() * gloss * 0.05 + from_strongest * sheen * 0.10;
}
