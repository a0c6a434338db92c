// The sky, with the disc of the sun and high thin clouds.

#import throng_render::view::view
#import throng_render::light::{sky_towards, disc_towards, sun_direction, sun_light}
#import throng_render::noise::noise_in_plane

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) dir: vec3<f32>,
}

@vertex
fn backdrop(@builtin(vertex_index) i: u32) -> Seen {
    let ndc = vec2<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
    // At infinity: depth 0.
    return Seen(vec4<f32>(ndc, 0.0, 1.0), view.forward + view.right * ndc.x + view.up * ndc.y);
}

fn cloud(p: vec2<f32>) -> f32 {
    var sum = 0.0;
    var q = p;
    var share = 0.5;
    for (var i = 0; i < 5; i++) {
        sum += share * noise_in_plane(q);
        q = vec2<f32>(q.x * 0.8 - q.y * 0.6, q.x * 0.6 + q.y * 0.8) * 2.03 + 17.0;
        share *= 0.5;
    }
    return sum;
}

@fragment
fn backdrop_colour(seen: Seen) -> @location(0) vec4<f32> {
    let dir = normalize(seen.dir);
    var sky = sky_towards(dir);
    let to_sun = dot(dir, sun_direction());
    if dir.z > 0.01 {
        // A layer far above, in the wind.
        let at = dir.xy / (dir.z + 0.08) * vec2<f32>(1.1, 1.7) + vec2<f32>(view.time * 0.003, 3.0);
        let thick = smoothstep(0.46, 0.85, cloud(at + cloud(at * 1.7) * 0.5));
        let fade = smoothstep(0.02, 0.22, dir.z);
        let bright = sky * 0.55 + sun_light() * (0.10 + 0.16 * pow(max(to_sun, 0.0), 8.0));
        sky = mix(sky, bright, thick * fade * 0.75);
    }
    // An edge as wide as a pixel.
    let pixel = length(view.up) * 2.0 / view.height;
    sky += disc_towards(dir, max(pixel, 0.0005)) * smoothstep(-0.01, 0.0, dir.z);
    return vec4<f32>(sky, 1.0);
}
