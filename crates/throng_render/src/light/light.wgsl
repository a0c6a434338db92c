// Sun, sky, air and what glows. `LightUniform` in Rust.

struct Glow {
    position: vec3<f32>,
    radius: f32,
    colour: vec3<f32>,
    unused: f32,
}

struct LightUniform {
    sun_direction: vec4<f32>,
    sun: vec4<f32>,
    zenith: vec4<f32>,
    horizon: vec4<f32>,
    haze: f32,
    exposure: f32,
    unused_a: f32,
    unused_b: f32,
    glows: array<Glow, 4>,
}

@group(2) @binding(0) var<uniform> light: LightUniform;

const PI: f32 = 3.14159265;

fn sun_direction() -> vec3<f32> {
    return light.sun_direction.xyz;
}

/// Radiance of the sky without the sun's disc.
fn sky_radiance(dir: vec3<f32>) -> vec3<f32> {
    let up = max(dir.z, 0.0);
    let towards = max(dot(dir, sun_direction()), 0.0);
    let base = mix(light.horizon.rgb, light.zenith.rgb, 1.0 - exp(-up * 3.6));
    // Light scattered forwards, more near the horizon.
    let near_sun = pow(towards, 6.0) * 0.16 + pow(towards, 64.0) * 0.35;
    return base + light.sun.rgb * near_sun * (0.25 + 0.75 * exp(-up * 4.0)) * 0.35;
}

/// Light of the sky and of the lit ground on a surface, as irradiance.
fn sky_irradiance(normal: vec3<f32>) -> vec3<f32> {
    let up = normal.z * 0.5 + 0.5;
    let sky = mix(light.horizon.rgb, light.zenith.rgb, 0.35 + 0.3 * up);
    let sun_on_ground = light.sun.rgb * max(light.sun_direction.z, 0.0) + sky * PI;
    let bounced = sun_on_ground * vec3<f32>(0.16, 0.15, 0.10);
    return sky * PI * up + bounced * (1.0 - up);
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

/// What a surface sends to the eye: rough, with a soft shine.
fn shade(
    albedo: vec3<f32>,
    normal: vec3<f32>,
    p: vec3<f32>,
    to_eye: vec3<f32>,
    visible: f32,
    open: f32,
    shine: f32,
) -> vec3<f32> {
    let l = sun_direction();
    let lit = max(dot(normal, l), 0.0) * visible;
    let ambient = (sky_irradiance(normal) + glow_irradiance(p, normal)) * open;
    let h = normalize(l + to_eye);
    let gloss = pow(max(dot(normal, h), 0.0), 24.0) * shine * lit;
    return albedo / PI * (light.sun.rgb * lit + ambient) + light.sun.rgb * gloss * 0.08;
}

/// Radiance after so many metres of air towards the eye.
fn aerial(radiance: vec3<f32>, dir: vec3<f32>, metres: f32) -> vec3<f32> {
    // Blue is taken away first and scattered in first.
    let kept = exp(-light.haze * metres * vec3<f32>(0.75, 1.0, 1.45));
    let level = normalize(vec3<f32>(dir.xy, max(dir.z, 0.02)));
    return radiance * kept + sky_radiance(level) * 0.9 * (1.0 - kept);
}
