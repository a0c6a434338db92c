
// What lies on the ground, in its light. Stands behind the text of the terrain, whose bindings it shares.

/// Depths of the ground alone.
@group(3) @binding(0) var depths: texture_depth_multisampled_2d;

/// What a pixel covers of the ground: its sides, and the level of a texture that is 1 m wide.
struct Pixel {
    x: vec2<f32>,
    y: vec2<f32>,
    level: f32,
}

/// The same in a texture that is `1 / scale` metres wide.
fn smaller(pixel: Pixel, scale: f32, bias: f32) -> Pixel {
    return Pixel(pixel.x * scale, pixel.y * scale, pixel.level + log2(scale) + bias);
}

fn across(p: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(p.x * 0.8 - p.y * 0.6, p.x * 0.6 + p.y * 0.8);
}

/// A texel of a material.
fn tiles(texture: texture_2d_array<f32>, at: vec2<f32>, number: i32, pixel: Pixel) -> vec4<f32> {
#ifdef ANISOTROPIC
    return textureSampleGrad(texture, tiled, at, number, pixel.x, pixel.y);
#else
    return textureSampleLevel(texture, tiled, at, number, pixel.level);
#endif
}

struct Layer {
    albedo: vec3<f32>,
    height: f32,
    bump: vec2<f32>,
}

/// A layer of ground near and far: two scales of the same texture, turned against each other, so that
/// no period shows.
fn layer(number: i32, p: vec2<f32>, scale: f32, pixel: Pixel) -> Layer {
    let a = p / scale;
    let b = across(p) / (scale * 5.3);
    let near = smaller(pixel, 1.0 / scale, ground.sharpen);
    let far = smaller(Pixel(across(pixel.x), across(pixel.y), pixel.level), 1.0 / (scale * 5.3), 0.0);
    let albedo_a = tiles(albedos, a, number, near);
    let albedo_b = tiles(albedos, b, number, far);
    let bump_a = tiles(reliefs, a, number, near).xy * 2.0 - 1.0;
    let bump_b = tiles(reliefs, b, number, far).xy * 2.0 - 1.0;
    let turned = vec2<f32>(bump_b.x * 0.8 + bump_b.y * 0.6, bump_b.y * 0.8 - bump_b.x * 0.6);
    return Layer(
        albedo_a.rgb * albedo_b.rgb / ground.means[number].rgb,
        mix(albedo_a.a, albedo_b.a, 0.35),
        bump_a + turned * 0.6,
    );
}

/// A layer with a pattern: one scale, so that the pattern stays whole.
fn pattern(number: i32, p: vec2<f32>, scale: f32, pixel: Pixel) -> Layer {
    let near = smaller(pixel, 1.0 / scale, ground.sharpen);
    let albedo = tiles(albedos, p / scale, number, near);
    let bump = tiles(reliefs, p / scale, number, near).xy * 2.0 - 1.0;
    return Layer(albedo.rgb, albedo.a, bump);
}

/// The one layer over the other, by a share that follows their relief: grass ends at pebbles, not in
/// a haze.
fn over(under: Layer, upper: Layer, share: f32) -> Layer {
    let t = smoothstep(0.35, 0.65, share + (upper.height - under.height) * 0.35);
    return Layer(mix(under.albedo, upper.albedo, t), mix(under.height, upper.height, t), mix(under.bump, upper.bump, t));
}

/// Light from a place of the ground to the eye.
fn ground_light(world: vec3<f32>, pixel: Pixel) -> vec3<f32> {
    let p = world.xy;
    let near = nearness(p);
    let near_uv = ((p - ground.near_min) / ground.cell + 0.5) / ground.near_size;
    let far_uv = ((p - ground.root) / ground.far_cell + 0.5) / ground.far_size;
    let metre = pixel.level - log2(#{SIDE}.0);
    let near_slope = textureSampleLevel(near_normals, clamped, near_uv, metre - log2(ground.cell));
    let far_slope = textureSampleLevel(far_normals, clamped, far_uv, metre - log2(ground.far_cell));
    let mask_uv = (p - ground.near_min) / (ground.near_max - ground.near_min);
    let mask_in = textureSampleLevel(masks, clamped, mask_uv, 0.0);
    let inside = step(0.9999, near);
    let mask = mask_in * inside;
    let map_uv = (p - ground.near_min) * ground.trample_scale;
    let trodden = textureSampleLevel(trampled, clamped, map_uv, 0.0) * (inside * ground.trodden);
    let worn = max(mask.r, smoothstep(0.05, 0.9, trodden.w));
    let slope = mix(far_slope, near_slope, near);

    let to_eye = view.eye - world;
    let metres = length(to_eye);
    let dir = to_eye / max(metres, 1e-4);

    let grass = layer(0, p, 3.1, pixel);
    let soil = layer(1, p, 3.7, pixel);
    let rock = layer(2, p, 9.0, pixel);
    let gravel = layer(3, p, 2.3, pixel);

    let macro_a = tiles(albedos, p / 61.0, 0, smaller(pixel, 1.0 / 61.0, 0.0)).a;
    let macro_b = tiles(albedos, p.yx / 217.0, 1, smaller(Pixel(pixel.x.yx, pixel.y.yx, pixel.level), 1.0 / 217.0, 0.0)).a;
    let steep = length(slope.xy);

    var all = grass;
    // Drier on humps and here and there.
    let dry = clamp(0.35 + (macro_a - 0.5) * 2.2 + (macro_b - 0.5) * 2.4 + slope.z * 1.5, 0.0, 1.0);
    all.albedo *= mix(vec3<f32>(0.72, 0.95, 0.66), vec3<f32>(1.62, 1.28, 0.84), dry);
    let bare = smoothstep(0.62, 0.80, macro_a * 0.55 + macro_b * 0.6) * 0.55;
    all = over(all, soil, smoothstep(0.16, 0.42, steep + (macro_b - 0.5) * 0.25) * 0.75 + bare + worn);
    // Far away the ground stands for the clumps that are not drawn there: their colour, and that grass which lies flat
    // shows its shaded side.
    let far_away = smoothstep(15.0, 80.0, metres);
    all.albedo *= mix(vec3<f32>(1.0), vec3<f32>(1.3, 1.08, 0.8), far_away * ground.trodden * (1.0 - worn));
    all.albedo *= 1.0 - mix(0.3, 0.45, far_away) * trodden.z;
    all = over(all, gravel, mask.g);
    all = over(all, rock, smoothstep(0.42, 0.72, steep + (macro_a - 0.5) * 0.3));
    // Damp banks are darker.
    all.albedo *= mix(1.0, 0.55, smoothstep(0.5, 1.0, mask.g));
    // A floor with the colours of its zones; the land around it is meadow.
    if ground.wild < 0.5 {
        var paving = pattern(4, p, 4.2, pixel);
        paving.albedo *= 0.8 + 0.4 * tiles(albedos, p / 31.0, 1, smaller(pixel, 1.0 / 31.0, 0.0)).a;
        let zone = 1.0 - mask.b * 0.45;
        let floor_albedo = paving.albedo * mix(vec3<f32>(0.85, 0.88, 0.95), vec3<f32>(1.0), zone) * mix(0.55, 1.0, zone);
        let t = mask.a;
        all.albedo = mix(all.albedo, floor_albedo, t);
        all.bump = mix(all.bump, paving.bump, t);
    }

    let fade = 1.0 / (1.0 + metres * 0.02);
    let n = normalize(vec3<f32>(-slope.xy - all.bump * (0.25 + 0.75 * fade) * 0.55, 1.0));
    let plain = normalize(vec3<f32>(-slope.xy, 1.0));
    let visible = sun_visibility(world, plain, view_depth(world));
    // Hollows see less of the sky.
    let open = clamp(1.0 + slope.z * 0.9, 0.45, 1.0) * (0.7 + 0.3 * all.height);
    let surface = Surface(all.albedo, n, open, 0.25 * (1.0 - all.height));
    var colour = shade(surface, light_at(p), world, dir, visible);
    colour = through_air(colour, -dir, metres);
    return mix(colour, ground.flat_colour.rgb, ground.flat_colour.a);
}

/// Where the samples of a pixel are: that of WebGPU for four.
const SAMPLES_X: vec4<f32> = vec4<f32>(0.375, 0.875, 0.125, 0.625);
const SAMPLES_Y: vec4<f32> = vec4<f32>(0.125, 0.375, 0.625, 0.875);
/// Samples are of one surface if their depths differ by no more than this share.
const ONE_SURFACE: f32 = 0.06;
/// How much depth may change over a pixel, as a share of itself, before a slope is too steep to be one.
const STEEPEST: f32 = 0.5;

/// Light from the ground at a place of the target and a depth there. `steep`: how depth changes from pixel to pixel, as a
/// share of itself.
fn ground_at(place: vec2<f32>, depth: f32, steep: vec2<f32>) -> vec3<f32> {
    let r = ray(place);
    let t = view.near / depth;
    // Along a surface depth is as 1 / t, and linear in the picture.
    let right = view.right * (2.0 / view.width) - r * steep.x;
    let down = view.up * (-2.0 / view.height) - r * steep.y;
    let x = right.xy * t;
    let y = down.xy * t;
    let width = max(max(abs(x.x), abs(x.y)), max(abs(y.x), abs(y.y)));
    return ground_light(view.eye + r * t, Pixel(x, y, log2(max(width, 1e-6) * #{SIDE}.0)));
}

@vertex
fn whole(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    // At infinity, behind all ground.
    return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

/// Shades once a pixel, whatever the triangles: from the depths of its samples. Where one hill stands before another
/// both are shaded, and mixed by what is seen of each.
@fragment
fn ground_colour(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let d = vec4<f32>(
        textureLoad(depths, pixel, 0),
        textureLoad(depths, pixel, 1),
        textureLoad(depths, pixel, 2),
        textureLoad(depths, pixel, 3),
    );
    let there = d > vec4<f32>(0.0);
    let one = vec4<f32>(1.0);
    let all_there = select(vec4<f32>(0.0), one, there);
    let nearest = max(max(d.x, d.y), max(d.z, d.w));
    let held = select(vec4<f32>(nearest), d, there);
    let farthest = min(min(held.x, held.y), min(held.z, held.w));
    let border = select(0.0, (nearest + farthest) * 0.5, farthest < nearest * (1.0 - ONE_SURFACE));
    let in_front = select(vec4<f32>(0.0), all_there, d >= vec4<f32>(border));
    let behind = all_there - in_front;
    // By all four samples, where they are of one surface; else as if the ground were level.
    let r = ray(at.xy);
    var steep = vec2<f32>(view.right.z / view.width, -view.up.z / view.height) * 2.0 / min(r.z, -0.02);
    if dot(in_front, one) == 4.0 {
        let a = d.y - d.z;
        let b = d.w - d.x;
        steep = vec2<f32>(0.75 * a + 0.25 * b, 0.75 * b - 0.25 * a) / (0.625 * nearest);
    }
    steep = clamp(steep, vec2<f32>(-STEEPEST), vec2<f32>(STEEPEST));
    let more = dot(behind, one);
    var samples = in_front;
    var sum = vec3<f32>(0.0);
    for (var k = 0; k < 2; k++) {
        let count = dot(samples, one);
        let mean = samples / max(count, 1.0);
        let place = floor(at.xy) + vec2<f32>(dot(mean, SAMPLES_X), dot(mean, SAMPLES_Y));
        sum += ground_at(place, max(dot(mean, d), 1e-9), steep) * count;
        samples = behind;
        if more == 0.0 {
            break;
        }
    }
    return vec4<f32>(sum / max(dot(all_there, one), 1.0), 1.0);
}
