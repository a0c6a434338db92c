// A figure under a cloth: a turned shape with folds, a hem that flutters, dark eyes. And a rock that rolls.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{open_irradiance, through_air, sun_direction, sun_light, exposure, PI}
#import throng_render::shadow::sun_visibility_at_vertex
#import throng_render::noise::noise_in_space

struct Figure {
    position: vec3<f32>,
    height: f32,
    colour: vec3<f32>,
    yaw: f32,
    boulder: u32,
    rolled: f32,
    unused_a: u32,
    unused_b: u32,
}

@group(1) @binding(0) var<storage, read> figures: array<Figure>;

const TAU: f32 = 6.2831853;

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) local: vec3<f32>,
    @location(3) @interpolate(flat) colour: vec3<f32>,
    @location(4) @interpolate(flat) boulder: u32,
}

/// The cloth at an angle and a height from 0 (hem) to 1 (crown), in a figure 1 high.
fn cloth(angle: f32, up: f32) -> vec3<f32> {
    let t = view.time;
    let head = sqrt(max(1.0 - pow((up - 0.84) / 0.16, 2.0), 0.0)) * 0.125;
    let gown = mix(0.30, 0.10, smoothstep(0.0, 0.72, up)) * smoothstep(1.0, 0.74, up);
    var r = max(head * step(0.68, up), gown);
    let loose = pow(1.0 - up, 2.0);
    r *= 1.0 + loose * (0.16 * sin(angle * 5.0 + t * 1.3) + 0.07 * sin(angle * 11.0 - t * 2.1));
    // Arms under the cloth, held forwards.
    let arms = pow(max(cos(angle * 1.0), 0.0), 6.0) * smoothstep(0.5, 0.62, up) * smoothstep(0.76, 0.66, up);
    r += arms * 0.13;
    let sway = vec2<f32>(sin(t * 1.1 + up * 2.0), cos(t * 0.9 + up * 1.6)) * 0.02 * (1.0 - up);
    // It leans into its way, and trails behind.
    let lean = -0.16 * pow(1.0 - up, 1.6);
    let hem = loose * 0.05 * sin(angle * 7.0 + t * 1.7);
    return vec3<f32>(cos(angle) * r + lean + sway.x, sin(angle) * r + sway.y, 0.12 + up * 0.88 + hem + 0.02 * sin(t * 1.4));
}

/// The surface of a rock of radius 1 in a direction: round, with broken faces.
fn rock(way: vec3<f32>) -> vec3<f32> {
    let lumps = noise_in_space(way * 1.7 + 11.0) - 0.5;
    let faces = abs(noise_in_space(way * 3.1 + 5.0) - 0.5);
    return way * (0.94 + 0.2 * lumps - 0.16 * faces);
}

fn sphere(angle: f32, up: f32) -> vec3<f32> {
    let tilt = (up - 0.5) * PI;
    return vec3<f32>(cos(angle) * cos(tilt), sin(angle) * cos(tilt), sin(tilt));
}

/// A rock that has rolled along x.
fn rolled(p: vec3<f32>, by: f32) -> vec3<f32> {
    let c = cos(by);
    let s = sin(by);
    return vec3<f32>(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
}

@vertex
fn ghost(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Seen {
    let figure = figures[number];
    let quad = index / 6u;
    var corners = array<vec2<u32>, 6>(
        vec2<u32>(0u, 0u), vec2<u32>(1u, 0u), vec2<u32>(1u, 1u),
        vec2<u32>(0u, 0u), vec2<u32>(1u, 1u), vec2<u32>(0u, 1u),
    );
    let at = vec2<u32>(quad % #{SIDES}u, quad / #{SIDES}u) + corners[index % 6u];
    let angle = f32(at.x) / f32(#{SIDES}u) * TAU;
    let up = f32(at.y) / f32(#{RINGS}u);
    if figure.boulder != 0u {
        return boulder(figure, angle, up);
    }
    let p = cloth(angle, up);
    let along = cloth(angle + 0.02, up) - cloth(angle - 0.02, up);
    let above = cloth(angle, min(up + 0.01, 1.0)) - cloth(angle, max(up - 0.01, 0.0));
    var n = cross(along, above);
    n = select(vec3<f32>(0.0, 0.0, 1.0), normalize(n), dot(n, n) > 1e-12);
    let c = cos(figure.yaw);
    let s = sin(figure.yaw);
    let world = figure.position + vec3<f32>(p.x * c - p.y * s, p.x * s + p.y * c, p.z) * figure.height;
    let normal = vec3<f32>(n.x * c - n.y * s, n.x * s + n.y * c, n.z);
    return Seen(view.clip_from_world * vec4<f32>(world, 1.0), world, normal, p, figure.colour, 0u);
}

fn boulder(figure: Figure, angle: f32, up: f32) -> Seen {
    let way = sphere(angle, up);
    let p = rock(way);
    let side = normalize(cross(way, vec3<f32>(0.31, 0.77, 0.55)));
    let other = cross(way, side);
    let n = normalize(cross(rock(normalize(way + 0.04 * side)) - p, rock(normalize(way + 0.04 * other)) - p));
    let c = cos(figure.yaw);
    let s = sin(figure.yaw);
    let at = rolled(p, figure.rolled) + vec3<f32>(0.0, 0.0, 0.9);
    let face = rolled(n * sign(dot(n, way)), figure.rolled);
    let world = figure.position + vec3<f32>(at.x * c - at.y * s, at.x * s + at.y * c, at.z) * figure.height;
    let normal = vec3<f32>(face.x * c - face.y * s, face.x * s + face.y * c, face.z);
    return Seen(view.clip_from_world * vec4<f32>(world, 1.0), world, normal, p, figure.colour, 1u);
}

/// Stone: layered grey, lichen here and there, dark below.
fn stone(seen: Seen, n: vec3<f32>) -> vec3<f32> {
    let grain = noise_in_space(seen.local * 9.0) * 0.6 + noise_in_space(seen.local * 23.0) * 0.4;
    let layer = noise_in_space(vec3<f32>(0.4, 0.3, seen.local.z * 4.0 + grain));
    let lichen = smoothstep(0.62, 0.75, noise_in_space(seen.local * 3.3 + 3.0));
    var albedo = mix(vec3<f32>(0.23, 0.22, 0.2), vec3<f32>(0.4, 0.36, 0.29), layer) * (0.7 + 0.5 * grain);
    albedo = mix(albedo, vec3<f32>(0.3, 0.31, 0.14), 0.6 * lichen);
    let low = mix(0.35, 1.0, smoothstep(-0.9, 0.3, n.z));
    let sun = sun_visibility_at_vertex(seen.world, n, view_depth(seen.world));
    return albedo / PI * (open_irradiance(n) * low + sun_light() * max(dot(n, sun_direction()), 0.0) * sun);
}

@fragment
fn ghost_colour(seen: Seen) -> @location(0) vec4<f32> {
    let n = normalize(seen.normal);
    let to_eye = view.eye - seen.world;
    let metres = length(to_eye);
    let dir = to_eye / max(metres, 1e-4);
    if seen.boulder != 0u {
        return vec4<f32>(through_air(stone(seen, n), -dir, metres), 1.0);
    }
    let rim = pow(1.0 - abs(dot(n, dir)), 1.8);
    let scale = 1.0 / exposure();
    let eyes = smoothstep(0.030, 0.020, length((seen.local.yz - vec2<f32>(0.045, 0.895)) * vec2<f32>(1.0, 0.75)))
        + smoothstep(0.030, 0.020, length((seen.local.yz - vec2<f32>(-0.045, 0.895)) * vec2<f32>(1.0, 0.75)));
    let mouth = smoothstep(0.028, 0.018, length((seen.local.yz - vec2<f32>(0.0, 0.815)) * vec2<f32>(1.0, 0.6)));
    let face = clamp(eyes + mouth, 0.0, 1.0) * step(0.0, seen.local.x);
    let cloth_light = seen.colour / PI * (open_irradiance(n) + sun_light() * max(dot(n, sun_direction()), 0.0) * 0.6);
    let glow = seen.colour * vec3<f32>(0.55, 0.85, 1.0) * scale * (0.35 + 1.5 * rim);
    var colour = cloth_light * 0.6 + glow;
    colour = mix(colour, vec3<f32>(0.004) * scale, face);
    let alpha = clamp(0.72 + 0.28 * rim + face, 0.0, 1.0) * smoothstep(0.10, 0.34, seen.local.z);
    return vec4<f32>(through_air(colour, -dir, metres) * alpha, alpha);
}
