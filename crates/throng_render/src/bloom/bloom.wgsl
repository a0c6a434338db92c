// Smaller and larger copies of pictures, softly.

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var filtering: sampler;
@group(0) @binding(2) var smaller: texture_storage_2d<rgba16float, write>;

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn whole(@builtin(vertex_index) i: u32) -> Seen {
    let ndc = vec2<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
    return Seen(vec4<f32>(ndc, 0.0, 1.0), ndc * vec2<f32>(0.5, -0.5) + 0.5);
}

fn texel() -> vec2<f32> {
    return 1.0 / vec2<f32>(textureDimensions(source));
}

fn at(uv: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(source, filtering, uv, 0.0).rgb;
}

/// The middle of a texel of the smaller copy.
fn middle(texel: vec2<u32>) -> vec2<f32> {
    return (vec2<f32>(texel) + 0.5) / vec2<f32>(textureDimensions(smaller));
}

/// Four squares of four texels, each weighed by how dark it is.
@compute @workgroup_size(#{SQUARE}, #{SQUARE})
fn first(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = texel();
    let uv = middle(id.xy);
    var sum = vec3<f32>(0.0);
    var weights = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let corner = vec2<f32>(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0;
        let c = min(at(uv + corner * t), vec3<f32>(60000.0));
        let w = 1.0 / (1.0 + max(c.r, max(c.g, c.b)));
        sum += c * w;
        weights += w;
    }
    if all(id.xy < textureDimensions(smaller)) {
        textureStore(smaller, id.xy, vec4<f32>(sum / weights, 1.0));
    }
}

/// A quarter: all sixteen texels below, by four samples between them.
@compute @workgroup_size(#{SQUARE}, #{SQUARE})
fn down(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = texel();
    let uv = middle(id.xy);
    var sum = vec3<f32>(0.0);
    for (var i = 0u; i < 4u; i++) {
        let corner = vec2<f32>(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0;
        sum += at(uv + corner * t) * 0.25;
    }
    if all(id.xy < textureDimensions(smaller)) {
        textureStore(smaller, id.xy, vec4<f32>(sum, 1.0));
    }
}

@fragment
fn up(seen: Seen) -> @location(0) vec4<f32> {
    let t = texel();
    var sum = vec3<f32>(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            sum += weight * at(seen.uv + vec2<f32>(f32(x), f32(y)) * t);
        }
    }
    return vec4<f32>(sum, 1.0);
}
