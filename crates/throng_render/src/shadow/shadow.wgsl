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

fn in_split(p: vec3<f32>, normal: vec3<f32>, i: i32) -> f32 {
    // Off the surface, so that it does not shadow itself: as far as the soft edge climbs on a slope, less
    // what the casters are set back already. No farther: small things would lose their shadow.
    let grazing = length(cross(normal, shadows.to_sun.xyz));
    let lifted = p + normal * shadows.texels[i] * (0.35 + (0.5 + shadows.softness * 0.6) * grazing);
    let clip = shadows.clip_from_world[i] * vec4<f32>(lifted, 1.0);
    let uv = clip.xy * vec2<f32>(0.5, -0.5) + 0.5;
    let step = shadows.softness / shadows.side;
    let depth = clamp(clip.z, 0.0, 1.0);
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            let at = uv + vec2<f32>(f32(x), f32(y)) * step;
            sum += weight * textureSampleCompareLevel(shadow_maps, shadow_sampler, at, i, depth);
        }
    }
    return sum;
}

/// From 0 in full shadow to 1; `depth` along the axis of the camera.
fn sun_visibility(p: vec3<f32>, normal: vec3<f32>, depth: f32) -> f32 {
    if shadows.strength <= 0.0 || depth >= shadows.ends.w {
        return 1.0;
    }
    var i = 0;
    while i < 3 && depth >= shadows.ends[i] {
        i++;
    }
    var seen = in_split(p, normal, i);
    let end = shadows.ends[i];
    let border = smoothstep(end * (1.0 - shadows.blend), end, depth);
    if border > 0.0 {
        var next = 1.0;
        if i < 3 {
            next = in_split(p, normal, i + 1);
        }
        seen = mix(seen, next, border);
    }
    return mix(1.0, seen, shadows.strength);
}
