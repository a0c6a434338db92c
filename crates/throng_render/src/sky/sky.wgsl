// Sun and sky; the twin of mod.rs. Bind `SkyUniforms` as a uniform and hand it to these.

#import throng_render::sh::{ShLight, sh_irradiance}

struct SkyUniforms {
    sun: vec4<f32>,            // direction; cosine of the disc's radius
    sun_irradiance: vec4<f32>, // on what faces it; brightest of the disc
    ground: vec4<f32>,         // radiance; slope at which it comes through the haze
    rayleigh: vec4<f32>,       // extinction per metre; height
    aerosol: vec4<f32>,        // extinction per metre; height
    scale: vec4<f32>,          // of the formula; height below which the sky stays as it is
    zenith: vec4<f32>,         // what the zenith is multiplied by besides
    night: vec4<f32>,          // radiance; solid angle of the disc
    parameters: array<vec4<f32>, 9>,
    sh: array<vec4<f32>, 9>,
}

/// The formula of Hosek and Wilkie 2012, with our ozone and dusk.
fn sky_above(sky: SkyUniforms, d: vec3<f32>) -> vec3<f32> {
    let p = sky.parameters;
    let cos_gamma = clamp(dot(d, sky.sun.xyz), -1.0, 1.0);
    let gamma = acos(cos_gamma);
    let squared = cos_gamma * cos_gamma;
    let cos_theta = max(d.z, sky.scale.w);
    let shape = p[8].xyz;
    let spread = max(1.0 + shape * shape - shape * (2.0 * cos_gamma), vec3<f32>(1e-6));
    let mie = (1.0 + squared) / (spread * sqrt(spread));
    let gradient = 1.0 + p[0].xyz * exp(p[1].xyz / (cos_theta + 0.01));
    let glow = p[2].xyz + p[3].xyz * exp(p[4].xyz * gamma) + p[5].xyz * squared + p[6].xyz * mie
        + p[7].xyz * sqrt(cos_theta);
    let tint = mix(vec3<f32>(1.0), sky.zenith.xyz, sqrt(cos_theta));
    let light = max(sky.scale.xyz * tint * gradient * glow, vec3<f32>(0.0));
    // No clear sky is green.
    return vec3<f32>(light.x, min(light.y, max(light.x, light.z)), light.z) + sky.night.xyz;
}

fn sky_level(d: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(d.xy / max(length(d.xy), 1e-4), 0.0);
}

/// Radiance from a unit direction, without the sun's disc; below the horizon lies lit ground in haze.
fn sky_radiance(sky: SkyUniforms, d: vec3<f32>) -> vec3<f32> {
    if d.z >= 0.0 {
        return sky_above(sky, d);
    }
    return mix(sky_above(sky, sky_level(d)), sky.ground.xyz, exp(sky.ground.w / d.z));
}

/// Radiance of the sun's disc in a unit direction, to add to the sky where nothing stands before it. The edge
/// is as soft as the width of a pixel, `blur` in radians.
fn sky_disc(sky: SkyUniforms, d: vec3<f32>, blur: f32) -> vec3<f32> {
    let whole = sky.sun_irradiance.xyz / sky.night.w;
    let most = max(max(whole.x, whole.y), whole.z);
    let capped = whole * min(1.0, sky.sun_irradiance.w / max(most, 1e-30));
    let radius = acos(clamp(sky.sun.w, -1.0, 1.0));
    // By the chord: the cosine of so small an angle has no digits left.
    let angle = 2.0 * asin(min(0.5 * length(d - sky.sun.xyz), 1.0));
    return capped * (1.0 - smoothstep(radius - 0.5 * blur, radius + 0.5 * blur, angle));
}

/// Irradiance of sky and ground on a surface in the open, without the sun.
fn sky_irradiance(sky: SkyUniforms, normal: vec3<f32>) -> vec3<f32> {
    let c = sky.sh;
    let light = ShLight(array<vec3<f32>, 9>(
        c[0].xyz, c[1].xyz, c[2].xyz, c[3].xyz, c[4].xyz, c[5].xyz, c[6].xyz, c[7].xyz, c[8].xyz,
    ));
    return sh_irradiance(light, normal);
}

/// Metres of ground-level air along a way.
fn sky_path(distance: f32, slope: f32, height: f32) -> f32 {
    let held = max(slope, 0.01);
    return height / held * (1.0 - exp(-max(distance, 0.0) * held / height));
}

/// A colour seen through `distance` metres of air in a unit direction: what is far becomes the sky behind it.
fn aerial(sky: SkyUniforms, colour: vec3<f32>, distance: f32, d: vec3<f32>) -> vec3<f32> {
    let slope = max(d.z, 0.0);
    let end = 1e9;
    let passed = sky.rayleigh.xyz * sky_path(distance, slope, sky.rayleigh.w)
        + sky.aerosol.xyz * sky_path(distance, slope, sky.aerosol.w);
    let whole = sky.rayleigh.xyz * sky_path(end, slope, sky.rayleigh.w)
        + sky.aerosol.xyz * sky_path(end, slope, sky.aerosol.w);
    let left = exp(-passed);
    let full = max(1.0 - exp(-whole), vec3<f32>(1e-6));
    let behind = select(d, sky_level(d), d.z < 0.0);
    return colour * left + sky_above(sky, behind) * min((1.0 - left) / full, vec3<f32>(1.0));
}
