// Lines in the world with a width in pixels, smooth at their edges, faint where they are hidden.

#import throng_render::view::view

/// `Stroke` in Rust.
struct Stroke {
    begin: vec3<f32>,
    width: f32,
    end: vec3<f32>,
    colour: u32,
}

@group(1) @binding(0) var<storage, read> strokes: array<Stroke>;
@group(1) @binding(1) var depths: texture_depth_multisampled_2d;

/// Opacity of what is behind something solid.
const HIDDEN: f32 = 0.22;

struct Seen {
    @builtin(position) clip: vec4<f32>,
    /// Pixels from the middle of the line, and along it from its beginning.
    @location(0) @interpolate(linear) off: vec2<f32>,
    @location(1) @interpolate(flat) half_and_length: vec2<f32>,
    @location(2) @interpolate(flat) colour: u32,
}

@vertex
fn stroke(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Seen {
    let it = strokes[number];
    var a = view.clip_from_world * vec4<f32>(it.begin, 1.0);
    var b = view.clip_from_world * vec4<f32>(it.end, 1.0);
    // Cut at a plane before the eye; w is the distance along its axis.
    let near = view.near * 1.01;
    if a.w < near && b.w < near {
        return Seen(vec4<f32>(2.0, 2.0, 0.0, 1.0), vec2<f32>(0.0), vec2<f32>(0.0), 0u);
    }
    if a.w < near {
        a = mix(a, b, (near - a.w) / (b.w - a.w));
    } else if b.w < near {
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    }
    let half_size = vec2<f32>(view.width, view.height) * 0.5;
    let pixel_a = a.xy / a.w * half_size;
    let pixel_b = b.xy / b.w * half_size;
    let length_now = distance(pixel_a, pixel_b);
    var along = vec2<f32>(1.0, 0.0);
    if length_now > 1e-3 {
        along = (pixel_b - pixel_a) / length_now;
    }
    let across = vec2<f32>(-along.y, along.x);
    let half_width = it.width * 0.5;
    // A pixel more on every side, for smooth edges.
    let reach = half_width + 1.0;
    var corners = array<vec2<f32>, 6>(
        vec2<f32>(0.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
        vec2<f32>(0.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(0.0, 1.0),
    );
    let corner = corners[index];
    let end = mix(a, b, corner.x);
    let shift = across * corner.y * reach + along * (corner.x * 2.0 - 1.0) * reach;
    let clip = vec4<f32>(end.xy + shift / half_size * end.w, end.zw);
    let off = vec2<f32>(corner.y * reach, corner.x * length_now + (corner.x * 2.0 - 1.0) * reach);
    return Seen(clip, off, vec2<f32>(half_width, length_now), it.colour);
}

#ifndef ENCODE
fn light_of(c: vec3<f32>) -> vec3<f32> {
    return select(pow((c + 0.055) / 1.055, vec3<f32>(2.4)), c / 12.92, c <= vec3<f32>(0.04045));
}
#endif

@fragment
fn stroke_colour(seen: Seen) -> @location(0) vec4<f32> {
    let half_width = seen.half_and_length.x;
    let past = max(max(-seen.off.y, seen.off.y - seen.half_and_length.y), 0.0);
    let away = length(vec2<f32>(seen.off.x, past));
    let cover = clamp(half_width - away + 0.5, 0.0, 1.0);
    let there = textureLoad(depths, vec2<i32>(seen.clip.xy), 0);
    let solid = view.near / max(there, 1e-9);
    let own = view.near / max(seen.clip.z, 1e-9);
    let shown = select(1.0, HIDDEN, solid < own * 0.985 - 0.15);
    let colour = unpack4x8unorm(seen.colour);
    let alpha = colour.a * cover * shown;
    if alpha <= 0.0 {
        discard;
    }
#ifdef ENCODE
    return vec4<f32>(colour.rgb * alpha, alpha);
#else
    return vec4<f32>(light_of(colour.rgb) * alpha, alpha);
#endif
}
