// The ground: patches of a quadtree that morph from level to level, in colours by what lies there.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{shade, Surface, light_at, through_air}
#import throng_render::shadow::sun_visibility

struct GroundUniform {
    root: vec2<f32>,
    cell: f32,
    band: f32,
    near_min: vec2<f32>,
    near_max: vec2<f32>,
    far_cell: f32,
    morph_from: f32,
    morph_to: f32,
    wild: f32,
    near_size: vec2<f32>,
    far_size: vec2<f32>,
    flat_colour: vec4<f32>,
    /// Levels of textures to go down: where there is no anisotropy, grazing views are sharper with less.
    sharpen: f32,
    unused_a: f32,
    unused_b: f32,
    unused_c: f32,
    means: array<vec4<f32>, 5>,
}

@group(1) @binding(0) var<uniform> ground: GroundUniform;
@group(1) @binding(1) var near_heights: texture_2d<f32>;
@group(1) @binding(2) var far_heights: texture_2d<f32>;
@group(1) @binding(3) var near_normals: texture_2d<f32>;
@group(1) @binding(4) var far_normals: texture_2d<f32>;
@group(1) @binding(5) var masks: texture_2d<f32>;
@group(1) @binding(6) var albedos: texture_2d_array<f32>;
@group(1) @binding(7) var reliefs: texture_2d_array<f32>;
@group(1) @binding(8) var tiled: sampler;
@group(1) @binding(9) var clamped: sampler;

const QUADS: u32 = #{QUADS}u;

fn bilinear(heights: texture_2d<f32>, at: vec2<f32>, size: vec2<f32>) -> f32 {
    let q = clamp(at, vec2<f32>(0.0), size - 1.0);
    let low = floor(q);
    let t = q - low;
    let a = vec2<i32>(low);
    let b = min(a + 1, vec2<i32>(size) - 1);
    let bottom = mix(textureLoad(heights, a, 0).x, textureLoad(heights, vec2<i32>(b.x, a.y), 0).x, t.x);
    let top = mix(textureLoad(heights, vec2<i32>(a.x, b.y), 0).x, textureLoad(heights, b, 0).x, t.x);
    return mix(bottom, top, t.y);
}

/// Share of the scene's own heights; the rest is the land beyond.
fn nearness(p: vec2<f32>) -> f32 {
    let d = max(ground.near_min - p, p - ground.near_max);
    return 1.0 - smoothstep(0.0, ground.band, max(max(d.x, d.y), 0.0));
}

fn height_at(p: vec2<f32>) -> f32 {
    let near = nearness(p);
    var h = 0.0;
    if near > 0.0 {
        h = near * bilinear(near_heights, (p - ground.near_min) / ground.cell, ground.near_size);
    }
    if near < 1.0 {
        h += (1.0 - near) * bilinear(far_heights, (p - ground.root) / ground.far_cell, ground.far_size);
    }
    return h;
}

fn place(at: vec2<u32>) -> vec2<f32> {
    return ground.root + vec2<f32>(at) * ground.cell;
}

/// The vertex of a tile, morphed for its distance. Whole numbers until the last, so that vertices that
/// neighbours share are the same bits.
fn vertex(index: u32, tile: vec4<u32>) -> vec3<f32> {
    let at = vec2<u32>(index % (QUADS + 1u), index / (QUADS + 1u));
    let fine = place(tile.xy + at * tile.z);
    let coarse = place(tile.xy + (at & vec2<u32>(0xfffffffeu)) * tile.z);
    let away = abs(fine - view.focus.xy);
    let d = max(max(away.x, away.y), view.focus_height);
    let side = f32(QUADS * tile.z) * ground.cell;
    let t = clamp((d / side - ground.morph_from) / (ground.morph_to - ground.morph_from), 0.0, 1.0);
    var p = coarse;
    if t < 1.0 {
        p = mix(fine, coarse, t);
    }
    return vec3<f32>(p, height_at(p));
}

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn terrain(@builtin(vertex_index) index: u32, @location(0) tile: vec4<u32>) -> Seen {
    let p = vertex(index, tile);
    return Seen(view.clip_from_world * vec4<f32>(p, 1.0), p);
}

@vertex
fn terrain_depth(@builtin(vertex_index) index: u32, @location(0) tile: vec4<u32>) -> @builtin(position) vec4<f32> {
    return view.clip_from_world * vec4<f32>(vertex(index, tile), 1.0);
}

struct Layer {
    albedo: vec3<f32>,
    height: f32,
    bump: vec2<f32>,
}

/// A layer of ground near and far: two scales of the same texture, turned against each other, so that
/// no period shows.
fn layer(number: i32, p: vec2<f32>, scale: f32) -> Layer {
    let a = p / scale;
    let b = vec2<f32>(p.x * 0.8 - p.y * 0.6, p.x * 0.6 + p.y * 0.8) / (scale * 5.3);
    let albedo_a = textureSampleBias(albedos, tiled, a, number, ground.sharpen);
    let albedo_b = textureSample(albedos, tiled, b, number);
    let bump_a = textureSampleBias(reliefs, tiled, a, number, ground.sharpen).xy * 2.0 - 1.0;
    let bump_b = textureSample(reliefs, tiled, b, number).xy * 2.0 - 1.0;
    let turned = vec2<f32>(bump_b.x * 0.8 + bump_b.y * 0.6, bump_b.y * 0.8 - bump_b.x * 0.6);
    return Layer(
        albedo_a.rgb * albedo_b.rgb / ground.means[number].rgb,
        mix(albedo_a.a, albedo_b.a, 0.35),
        bump_a + turned * 0.6,
    );
}

/// A layer with a pattern: one scale, so that the pattern stays whole.
fn pattern(number: i32, p: vec2<f32>, scale: f32) -> Layer {
    let albedo = textureSampleBias(albedos, tiled, p / scale, number, ground.sharpen);
    let bump = textureSampleBias(reliefs, tiled, p / scale, number, ground.sharpen).xy * 2.0 - 1.0;
    return Layer(albedo.rgb, albedo.a, bump);
}

/// The one layer over the other, by a share that follows their relief: grass ends at pebbles, not in
/// a haze.
fn over(under: Layer, upper: Layer, share: f32) -> Layer {
    let t = smoothstep(0.35, 0.65, share + (upper.height - under.height) * 0.35);
    return Layer(mix(under.albedo, upper.albedo, t), mix(under.height, upper.height, t), mix(under.bump, upper.bump, t));
}

@fragment
fn terrain_colour(seen: Seen) -> @location(0) vec4<f32> {
    let p = seen.world.xy;
    let near = nearness(p);
    let near_uv = ((p - ground.near_min) / ground.cell + 0.5) / ground.near_size;
    let far_uv = ((p - ground.root) / ground.far_cell + 0.5) / ground.far_size;
    let near_slope = textureSample(near_normals, clamped, near_uv);
    let far_slope = textureSample(far_normals, clamped, far_uv);
    let mask_in = textureSample(masks, clamped, (p - ground.near_min) / (ground.near_max - ground.near_min));
    let inside = step(0.9999, near);
    let mask = mask_in * inside;
    let slope = mix(far_slope, near_slope, near);

    let to_eye = view.eye - seen.world;
    let metres = length(to_eye);
    let dir = to_eye / max(metres, 1e-4);

    let grass = layer(0, p, 3.1);
    let soil = layer(1, p, 3.7);
    let rock = layer(2, p, 9.0);
    let gravel = layer(3, p, 2.3);

    let macro_a = textureSample(albedos, tiled, p / 61.0, 0).a;
    let macro_b = textureSample(albedos, tiled, p.yx / 217.0, 1).a;
    let steep = length(slope.xy);

    var all = grass;
    // Drier on humps and here and there.
    let dry = clamp(0.35 + (macro_a - 0.5) * 2.2 + (macro_b - 0.5) * 2.4 + slope.z * 1.5, 0.0, 1.0);
    all.albedo *= mix(vec3<f32>(0.72, 0.95, 0.66), vec3<f32>(1.62, 1.28, 0.84), dry);
    let bare = smoothstep(0.62, 0.80, macro_a * 0.55 + macro_b * 0.6) * 0.55;
    all = over(all, soil, smoothstep(0.16, 0.42, steep + (macro_b - 0.5) * 0.25) * 0.75 + bare + mask.r);
    all = over(all, gravel, mask.g);
    all = over(all, rock, smoothstep(0.42, 0.72, steep + (macro_a - 0.5) * 0.3));
    // Damp banks are darker.
    all.albedo *= mix(1.0, 0.55, smoothstep(0.5, 1.0, mask.g));
    // A floor with the colours of its zones; the land around it is meadow.
    if ground.wild < 0.5 {
        var paving = pattern(4, p, 4.2);
        paving.albedo *= 0.8 + 0.4 * textureSample(albedos, tiled, p / 31.0, 1).a;
        let zone = 1.0 - mask.b * 0.45;
        let floor_albedo = paving.albedo * mix(vec3<f32>(0.85, 0.88, 0.95), vec3<f32>(1.0), zone) * mix(0.55, 1.0, zone);
        let t = mask.a;
        all.albedo = mix(all.albedo, floor_albedo, t);
        all.bump = mix(all.bump, paving.bump, t);
    }

    let fade = 1.0 / (1.0 + metres * 0.02);
    let n = normalize(vec3<f32>(-slope.xy - all.bump * (0.25 + 0.75 * fade) * 0.55, 1.0));
    let plain = normalize(vec3<f32>(-slope.xy, 1.0));
    let visible = sun_visibility(seen.world, plain, view_depth(seen.world));
    // Hollows see less of the sky.
    let open = clamp(1.0 + slope.z * 0.9, 0.45, 1.0) * (0.7 + 0.3 * all.height);
    let surface = Surface(all.albedo, n, open, 0.25 * (1.0 - all.height));
    var colour = shade(surface, light_at(p), seen.world, dir, visible);
    colour = through_air(colour, -dir, metres);
    return vec4<f32>(mix(colour, ground.flat_colour.rgb, ground.flat_colour.a), 1.0);
}
