// The farthest of the samples of every pixel. Depth is 1 near and 0 far away.

@group(0) @binding(0) var depth: texture_depth_multisampled_2d;
@group(0) @binding(1) var<storage, read_write> image: array<f32>;

@compute @workgroup_size(16, 16)
fn farthest(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(depth);
    if id.x >= size.x || id.y >= size.y {
        return;
    }
    let samples = textureNumSamples(depth);
    var least = 1.0;
    for (var i = 0u; i < samples; i++) {
        least = min(least, textureLoad(depth, id.xy, i));
    }
    image[id.y * size.x + id.x] = least;
}
