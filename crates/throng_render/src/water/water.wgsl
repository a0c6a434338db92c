// Running water: sky in it, ground through it.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{sky_towards, sun_direction, sun_light, through_air, light_at, sun_share, PI}
#import throng_render::sh::sh_irradiance
#import throng_render::shadow::sun_visibility
#import throng_render::noise::noise_in_plane

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) depth: f32,
}

@vertex
fn water(@location(0) at: vec4<f32>) -> Seen {
    return Seen(view.clip_from_world * vec4<f32>(at.xyz, 1.0), at.xyz, at.w);
}

fn ripples(p: vec2<f32>) -> f32 {
    let t = view.time;
    return noise_in_plane(p * 1.1 + vec2<f32>(t * 0.7, t * 0.2)) * 0.5 + noise_in_plane(p * 2.7 - vec2<f32>(t * 0.4, -t * 0.6)) * 0.3
        + noise_in_plane(p * 6.3 + vec2<f32>(t * 1.1, t * 0.5)) * 0.12;
}

@fragment
fn water_colour(seen: Seen) -> @location(0) vec4<f32> {
    let to_eye = view.eye - seen.world;
    let metres = length(to_eye);
    let dir = to_eye / max(metres, 1e-4);
    let e = 0.08;
    let wave = ripples(seen.world.xy);
    let slope = vec2<f32>(ripples(seen.world.xy + vec2<f32>(e, 0.0)) - wave, ripples(seen.world.xy + vec2<f32>(0.0, e)) - wave) / e;
    // Far away ripples are finer than pixels.
    let n = normalize(vec3<f32>(-slope * 0.28 / (1.0 + metres * 0.02), 1.0));
    let facing = max(dot(n, dir), 0.0);
    let mirrored = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    let here = light_at(seen.world.xy);
    let shadow = sun_visibility(seen.world, vec3<f32>(0.0, 0.0, 1.0), view_depth(seen.world));
    let visible = sun_share(here, shadow);
    let r = reflect(-dir, n);
    let glint = pow(max(dot(r, sun_direction()), 0.0), 420.0) * 22.0 * visible;
    let sky = sky_towards(vec3<f32>(r.xy, abs(r.z))) * 0.85 + sun_light() * glint;
    // What the water itself scatters.
    let body = vec3<f32>(0.030, 0.075, 0.062) / PI * (sun_light() * max(sun_direction().z, 0.0) * visible + sh_irradiance(here.light, n));
    let depth = max(seen.depth, 0.0);
    let thick = 1.0 - exp(-depth * 2.3 / max(facing, 0.25));
    let foam = smoothstep(0.10, 0.0, abs(depth - 0.05)) * smoothstep(0.5, 0.8, noise_in_plane(seen.world.xy * 7.0 + view.time)) * 0.5;
    let white = vec3<f32>(0.5) / PI * (sun_light() * max(sun_direction().z, 0.0) * visible + sh_irradiance(here.light, n));
    let shore = smoothstep(0.0, 0.06, seen.depth);
    let alpha = mix(mix(thick, 1.0, mirrored), 1.0, foam) * shore;
    var colour = mix(body * thick * (1.0 - mirrored) + sky * mirrored, white, foam) * shore;
    colour = through_air(colour / max(alpha, 1e-3), -dir, metres) * alpha;
    return vec4<f32>(colour, alpha);
}
