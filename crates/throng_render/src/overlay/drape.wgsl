
// What lies on the ground to explain it. Stands behind the text of the terrain, whose vertices it shares.

/// `DrapeUniform` in Rust.
struct Drape {
    origin: vec2<f32>,
    cell: f32,
    /// From what the eye is to see to light before exposure.
    gain: f32,
    size: vec2<f32>,
    low: f32,
    high: f32,
    contour: f32,
    cells: f32,
    unused: vec2<f32>,
    ramp: array<vec4<f32>, 5>,
}

// No entry point has both these and the light's.
@group(2) @binding(0) var<uniform> drape: Drape;
@group(2) @binding(1) var drape_values: texture_2d<f32>;

const DRAPE_NONE: f32 = -5e29;

/// The number of a cell and 1, or 0 and 0 where there is none.
fn drape_cell(at: vec2<f32>) -> vec2<f32> {
    let inside = clamp(at, vec2<f32>(0.0), drape.size - 1.0);
    let v = textureLoad(drape_values, vec2<i32>(inside), 0).x;
    return select(vec2<f32>(0.0), vec2<f32>(v, 1.0), v > DRAPE_NONE);
}

/// The number at a place, between those cells that have one, and how much they count for.
fn drape_smooth(at: vec2<f32>) -> vec2<f32> {
    let low = floor(at - 0.5);
    let t = at - 0.5 - low;
    var sum = drape_cell(low) * (1.0 - t.x) * (1.0 - t.y);
    sum += drape_cell(low + vec2<f32>(1.0, 0.0)) * t.x * (1.0 - t.y);
    sum += drape_cell(low + vec2<f32>(0.0, 1.0)) * (1.0 - t.x) * t.y;
    sum += drape_cell(low + 1.0) * t.x * t.y;
    return vec2<f32>(sum.x / max(sum.y, 1e-6), sum.y);
}

/// How much a pixel is on a line where `x` is whole; `wide` is the change of `x` over a pixel.
fn drape_line(x: f32, wide: f32) -> f32 {
    let away = abs(fract(x - 0.5) - 0.5) / max(wide, 1e-6);
    // Lines closer than a few pixels are no lines any more.
    return clamp(1.4 - away, 0.0, 1.0) * (1.0 - smoothstep(0.15, 0.4, wide));
}

@fragment
fn drape_colour(seen: Seen) -> @location(0) vec4<f32> {
    let at = (seen.world.xy - drape.origin) / drape.cell;
    let smoothed = drape_smooth(at);
    let own = drape_cell(floor(at));
    let per_pixel = fwidth(at);
    let steps = smoothed.x / max(drape.contour, 1e-6);
    let steps_per_pixel = fwidth(steps);
    let inside = all(at >= vec2<f32>(0.0)) && all(at <= drape.size);
    var value = smoothed.x;
    var there = select(0.0, 1.0, smoothed.y > 0.49);
    if drape.cells > 0.5 {
        value = own.x;
        there = own.y;
    }
    if !inside || there < 0.5 {
        discard;
    }
    let t = clamp((value - drape.low) / (drape.high - drape.low), 0.0, 1.0) * 4.0;
    let first = min(u32(t), 3u);
    var colour = mix(drape.ramp[first], drape.ramp[first + 1u], t - f32(first));
    if drape.contour > 0.0 {
        let line = drape_line(steps, steps_per_pixel);
        colour = mix(colour, vec4<f32>(0.9, 0.92, 0.95, 0.95), line * 0.8);
    }
    if drape.cells > 0.5 {
        let line = max(drape_line(at.x, per_pixel.x), drape_line(at.y, per_pixel.y));
        colour = mix(colour, vec4<f32>(0.75, 0.8, 0.85, 0.7), line * 0.45);
    }
    return vec4<f32>(colour.rgb * drape.gain * colour.a, colour.a);
}
