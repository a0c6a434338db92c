// Exposure, bloom, AgX.

#import throng_render::light::exposure

@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var bloom: texture_2d<f32>;
@group(1) @binding(2) var filtering: sampler;

@vertex
fn whole(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

/// Share of light that is scattered around where it falls.
const BLOOM: f32 = 0.045;
/// Stops below and above middle grey that the curve covers.
const LEAST_STOPS: f32 = -12.47393;
const MOST_STOPS: f32 = 4.026069;

fn contrast(x: vec3<f32>) -> vec3<f32> {
    let x_two = x * x;
    let x_four = x_two * x_two;
    return 15.5 * x_four * x_two - 40.14 * x_four * x + 31.96 * x_four - 6.868 * x_two * x
        + 0.4298 * x_two + 0.1191 * x - 0.00232;
}

fn agx(light_in: vec3<f32>) -> vec3<f32> {
    let inset = mat3x3<f32>(
        0.842479062253094, 0.0423282422610123, 0.0423756549057051,
        0.0784335999999992, 0.878468636469772, 0.0784336,
        0.0792237451477643, 0.0791661274605434, 0.879142973793104,
    );
    let stops = log2(max(inset * light_in, vec3<f32>(1e-10)));
    let curve = contrast(clamp((stops - LEAST_STOPS) / (MOST_STOPS - LEAST_STOPS), vec3<f32>(0.0), vec3<f32>(1.0)));
    // A look: more contrast and colour than the plain curve.
    let punchy = pow(max(curve, vec3<f32>(0.0)), vec3<f32>(1.22));
    let grey = dot(punchy, vec3<f32>(0.2126, 0.7152, 0.0722));
    let vivid = grey + (punchy - grey) * 1.32;
    let outset = mat3x3<f32>(
        1.19687900512017, -0.0528968517574562, -0.0529716355144438,
        -0.0980208811401368, 1.15190312990417, -0.0980434501171241,
        -0.0990297440797205, -0.0989611768448433, 1.15107367264116,
    );
    // The curve gives display values; back to linear light for the target's own encoding.
    return pow(clamp(outset * vivid, vec3<f32>(0.0), vec3<f32>(1.0)), vec3<f32>(2.2));
}

fn srgb(c: vec3<f32>) -> vec3<f32> {
    return select(1.055 * pow(c, vec3<f32>(1.0 / 2.4)) - 0.055, c * 12.92, c <= vec3<f32>(0.0031308));
}

/// Interleaved gradient noise (Jimenez 2014), 0..1.
fn dither(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2<f32>(0.06711056, 0.00583715))));
}

@fragment
fn tone(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(picture));
    let sharp = textureLoad(picture, vec2<i32>(at.xy), 0).rgb;
    let soft = textureSampleLevel(bloom, filtering, at.xy / size, 0.0).rgb / f32(#{BLOOM_LEVELS}u);
    let colour = agx(mix(sharp, soft, BLOOM) * exposure());
#ifdef ENCODE
    let encoded = srgb(colour);
    return vec4<f32>(encoded + (dither(at.xy) - 0.5) / 255.0, 1.0);
#else
    return vec4<f32>(colour, 1.0);
#endif
}
