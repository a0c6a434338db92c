// How much of the sun a place sees, by the maps of the splits. `ShadowUniform` in Rust.

struct Shadows {
    clip_from_world: array<mat4x4<f32>, 4>,
    ends: vec4<f32>,
    texels: vec4<f32>,
    softness: f32,
    strength: f32,
    side: f32,
    blend: f32,
    to_sun: vec4<f32>,
}

@group(2) @binding(1) var<uniform> shadows: Shadows;
@group(2) @binding(2) var shadow_maps: texture_depth_2d_array;
@group(2) @binding(3) var shadow_sampler: sampler_comparison;

/// Where a place is in the map of a split: texture coordinates and depth. Off the surface, so that it does not shadow
/// itself: as far as the soft edge climbs on a slope, less what the casters are set back already. No farther: small
/// things would lose their shadow.
fn place_in_split(p: vec3<f32>, normal: vec3<f32>, i: i32) -> vec3<f32> {
    let grazing = length(cross(normal, shadows.to_sun.xyz));
    let lifted = p + normal * shadows.texels[i] * (0.35 + (0.5 + shadows.softness * 0.6) * grazing);
    let clip = shadows.clip_from_world[i] * vec4<f32>(lifted, 1.0);
    return vec3<f32>(clip.xy * vec2<f32>(0.5, -0.5) + 0.5, clamp(clip.z, 0.0, 1.0));
}

fn in_split(p: vec3<f32>, normal: vec3<f32>, i: i32) -> f32 {
    let it = place_in_split(p, normal, i);
    let step = shadows.softness / shadows.side;
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            let at = it.xy + vec2<f32>(f32(x), f32(y)) * step;
            sum += weight * textureSampleCompareLevel(shadow_maps, shadow_sampler, at, i, it.z);
        }
    }
    return sum;
}

/// The split that shows a depth along the axis of the camera.
fn split_at(depth: f32) -> i32 {
    var i = 0;
    while i < 3 && depth >= shadows.ends[i] {
        i++;
    }
    return i;
}

/// As [`sun_visibility`] with fewer looks at the map, for the vertices of what is small in the picture: the corners of
/// the soft edge alone, and one split.
fn sun_visibility_at_vertex(p: vec3<f32>, normal: vec3<f32>, depth: f32) -> f32 {
    if shadows.strength <= 0.0 || depth >= shadows.ends.w {
        return 1.0;
    }
    let i = split_at(depth);
    let it = place_in_split(p, normal, i);
    let step = 0.7 * shadows.softness / shadows.side;
    var sum = 0.0;
    for (var k = 0; k < 4; k++) {
        let at = it.xy + vec2<f32>(f32(2 * (k & 1) - 1), f32((k & 2) - 1)) * step;
        sum += 0.25 * textureSampleCompareLevel(shadow_maps, shadow_sampler, at, i, it.z);
    }
    return mix(1.0, sum, shadows.strength);
}

/// From 0 in full shadow to 1; `depth` along the axis of the camera.
fn sun_visibility(p: vec3<f32>, normal: vec3<f32>, depth: f32) -> f32 {
    if shadows.strength <= 0.0 || depth >= shadows.ends.w {
        return 1.0;
    }
    let i = split_at(depth);
    let end = shadows.ends[i];
    let border = smoothstep(end * (1.0 - shadows.blend), end, depth);
    // The next split where one gives way to it, and none beyond the last. A loop, since a software rasteriser leaves
    // loops and takes both sides of an `if`.
    var seen = border * f32(i / 3);
    var share = 1.0 - border;
    for (var k = i; k < 4; k++) {
        seen += share * in_split(p, normal, k);
        share = border;
        if border <= 0.0 || k > i {
            break;
        }
    }
    return mix(1.0, seen, shadows.strength);
}
