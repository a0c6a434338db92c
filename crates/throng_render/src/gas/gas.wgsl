// Clouds of gas: ellipsoids with swirls, stepped through.

#import throng_render::view::{view, ray}
#import throng_render::light::{open_irradiance, through_air, sun_direction, sun_light, PI}
#import throng_render::noise::noise_in_space

struct Cloud {
    centre: vec3<f32>,
    radius: f32,
    colour: vec3<f32>,
    height: f32,
}

@group(1) @binding(0) var<storage, read> clouds: array<Cloud>;
@group(1) @binding(1) var depths: texture_depth_multisampled_2d;

const STEPS: u32 = 14u;

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) number: u32,
}

/// Corners of a box, two triangles to a side, anticlockwise from outside.
fn corner(index: u32) -> vec3<f32> {
    let side = index / 6u;
    let axis = side % 3u;
    let up = f32(side / 3u) * 2.0 - 1.0;
    var in_quad = array<vec2<f32>, 6>(
        vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
        vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(-1.0, 1.0),
    );
    let q = in_quad[index % 6u];
    let a = q.x * up;
    if axis == 0u {
        return vec3<f32>(up, a, q.y);
    }
    if axis == 1u {
        return vec3<f32>(q.y, up, a);
    }
    return vec3<f32>(a, q.y, up);
}

@vertex
fn gas(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Seen {
    let cloud = clouds[number];
    let half = vec3<f32>(cloud.radius, cloud.radius, cloud.height);
    let p = cloud.centre + corner(index) * half;
    return Seen(view.clip_from_world * vec4<f32>(p, 1.0), number);
}

/// How thick the cloud is at a place, 0..1; `q` is the place in the unit ball.
fn thickness(p: vec3<f32>, q: vec3<f32>) -> f32 {
    let drift = vec3<f32>(view.time * 0.25, view.time * 0.15, -view.time * 0.1);
    let swirl = noise_in_space(p * 0.45 + drift) * 0.62 + noise_in_space(p * 1.15 - drift * 1.7) * 0.38;
    return smoothstep(0.0, 0.55, 1.0 - length(q) - (1.0 - swirl) * 0.75);
}

@fragment
fn gas_colour(seen: Seen) -> @location(0) vec4<f32> {
    let cloud = clouds[seen.number];
    let direction = ray(seen.clip.xy);
    let dir = normalize(direction);
    let half = vec3<f32>(cloud.radius, cloud.radius, cloud.height);
    // In the space in which the ellipsoid is a ball.
    let o = (view.eye - cloud.centre) / half;
    let d = dir / half;
    let a = dot(d, d);
    let b = dot(o, d);
    let c = dot(o, o) - 1.0;
    let root = b * b - a * c;
    if root <= 0.0 {
        discard;
    }
    let solid = view.near / max(textureLoad(depths, vec2<i32>(seen.clip.xy), 0), 1e-7) * length(direction);
    let enters = max((-b - sqrt(root)) / a, 0.0);
    let to = min((-b + sqrt(root)) / a, solid);
    if to <= enters {
        discard;
    }
    let stride = (to - enters) / f32(STEPS);
    let jitter = fract(52.9829189 * fract(dot(seen.clip.xy, vec2<f32>(0.06711056, 0.00583715))));
    let lit = sun_light() * (0.35 + 0.25 * pow(max(dot(dir, sun_direction()), 0.0), 4.0));
    let ambient = open_irradiance(vec3<f32>(0.0, 0.0, 1.0));
    var through = 1.0;
    var sum = vec3<f32>(0.0);
    for (var i = 0u; i < STEPS; i++) {
        let t = enters + (f32(i) + jitter) * stride;
        let p = view.eye + dir * t;
        let q = (p - cloud.centre) / half;
        let thick = thickness(p, q);
        let kept = exp(-thick * stride * 1.1);
        // Lighter towards its top.
        let top = clamp(q.z * 0.6 + 0.55, 0.15, 1.0);
        sum += through * (1.0 - kept) * cloud.colour / PI * (lit * top * PI * 0.55 + ambient * (0.5 + 0.5 * top));
        through *= kept;
    }
    let alpha = 1.0 - through;
    let colour = through_air(sum / max(alpha, 1e-3), dir, enters) * alpha;
    return vec4<f32>(colour, alpha);
}
