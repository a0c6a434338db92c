// The ground: patches of a quadtree that morph from level to level. Colours are in ground.wgsl.

#import throng_render::view::{view, view_depth, ray}
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
    /// 1 where grass is trodden down, else 0; and the scale of the map of that, per metre.
    trodden: f32,
    trample_scale: vec2<f32>,
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
/// Direction times strength, strength and wear.
@group(1) @binding(10) var trampled: texture_2d<f32>;

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
