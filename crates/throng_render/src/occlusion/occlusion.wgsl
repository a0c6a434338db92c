// Obscurance from depth.

#import throng_render::view::{view, ray}

@group(1) @binding(0) var depths: texture_depth_multisampled_2d;
@group(1) @binding(1) var raw: texture_2d<f32>;

/// How far away something darkens (metres).
const REACH: f32 = 0.9;
/// The same on the screen, at most (pixels).
const MOST_PIXELS: f32 = 40.0;
const SAMPLES: u32 = 10u;
const STRENGTH: f32 = 1.15;
/// From here on there is none (metres).
const FAR: f32 = 220.0;

@vertex
fn whole(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

/// Distance along the axis of the camera; very far where there is nothing.
fn ahead(pixel: vec2<i32>) -> f32 {
    let size = vec2<i32>(textureDimensions(depths));
    let at = clamp(pixel, vec2<i32>(0), size - 1);
    return view.near / max(textureLoad(depths, at, 0), 1e-7);
}

fn place(pixel: vec2<i32>) -> vec3<f32> {
    return ray(vec2<f32>(pixel) + 0.5) * ahead(pixel);
}

/// The shorter of the ways to the neighbours on both sides.
fn shorter(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return select(a, b, dot(b, b) < dot(a, a));
}

@fragment
fn measure(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let p = place(pixel);
    let metres = ahead(pixel);
    if metres > FAR {
        return vec4<f32>(1.0);
    }
    let across = shorter(place(pixel + vec2<i32>(1, 0)) - p, p - place(pixel - vec2<i32>(1, 0)));
    let down = shorter(place(pixel + vec2<i32>(0, 1)) - p, p - place(pixel - vec2<i32>(0, 1)));
    let n = normalize(cross(down, across));
    let scale = view.height / (2.0 * length(view.up));
    let reach = clamp(REACH * scale / metres, 2.0, MOST_PIXELS);
    let turn = fract(52.9829189 * fract(dot(at.xy, vec2<f32>(0.06711056, 0.00583715)))) * 6.2831853;
    var sum = 0.0;
    for (var i = 0u; i < SAMPLES; i++) {
        let share = (f32(i) + 0.5) / f32(SAMPLES);
        let angle = turn + f32(i) * 2.3999632;
        let offset = vec2<f32>(cos(angle), sin(angle)) * sqrt(share) * reach;
        let v = place(pixel + vec2<i32>(round(offset))) - p;
        let square = dot(v, v);
        let within = max(1.0 - square / (REACH * REACH), 0.0);
        sum += max(dot(v, n) - 0.004 * metres * 0.3 - 0.01, 0.0) / (square + 0.02) * within;
    }
    let open = max(1.0 - sum * STRENGTH * 0.55 / f32(SAMPLES), 0.0);
    return vec4<f32>(mix(open, 1.0, smoothstep(FAR * 0.5, FAR, metres)));
}

@fragment
fn apply(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let size = vec2<i32>(textureDimensions(raw));
    let here = ahead(pixel);
    var sum = 0.0;
    var weights = 0.0;
    for (var y = -2; y <= 1; y++) {
        for (var x = -2; x <= 1; x++) {
            let q = clamp(pixel + vec2<i32>(x, y), vec2<i32>(0), size - 1);
            let w = select(0.001, 1.0, abs(ahead(q) - here) < 0.03 * here + 0.05);
            sum += w * textureLoad(raw, q, 0).x;
            weights += w;
        }
    }
    return vec4<f32>(vec3<f32>(sum / weights), 1.0);
}
