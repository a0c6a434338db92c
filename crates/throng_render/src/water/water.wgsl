// Running water: sky in it, ground through it.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{light, sky_radiance, sky_irradiance, sun_direction, aerial, PI}
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
    let here = ripples(seen.world.xy);
    let slope = vec2<f32>(ripples(seen.world.xy + vec2<f32>(e, 0.0)) - here, ripples(seen.world.xy + vec2<f32>(0.0, e)) - here) / e;
    // Far away ripples are finer than pixels.
    let n = normalize(vec3<f32>(-slope * 0.28 / (1.0 + metres * 0.02), 1.0));
    let facing = max(dot(n, dir), 0.0);
    let mirrored = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    let visible = sun_visibility(seen.world, vec3<f32>(0.0, 0.0, 1.0), view_depth(seen.world));
    let r = reflect(-dir, n);
    let glint = pow(max(dot(r, sun_direction()), 0.0), 420.0) * 22.0 * visible;
    let sky = sky_radiance(vec3<f32>(r.xy, abs(r.z))) * 0.85 + light.sun.rgb * glint;
    // What the water itself scatters.
    let body = vec3<f32>(0.030, 0.075, 0.062) / PI * (light.sun.rgb * light.sun_direction.z * visible + sky_irradiance(n));
    let depth = max(seen.depth, 0.0);
    let thick = 1.0 - exp(-depth * 2.3 / max(facing, 0.25));
    let foam = smoothstep(0.10, 0.0, abs(depth - 0.05)) * smoothstep(0.5, 0.8, noise_in_plane(seen.world.xy * 7.0 + view.time)) * 0.5;
    let white = vec3<f32>(0.5) / PI * (light.sun.rgb * light.sun_direction.z * visible + sky_irradiance(n));
    let shore = smoothstep(0.0, 0.06, seen.depth);
    let alpha = mix(mix(thick, 1.0, mirrored), 1.0, foam) * shore;
    var colour = mix(body * thick * (1.0 - mirrored) + sky * mirrored, white, foam) * shore;
    colour = aerial(colour / max(alpha, 1e-3), -dir, metres) * alpha;
    return vec4<f32>(colour, alpha);
}
