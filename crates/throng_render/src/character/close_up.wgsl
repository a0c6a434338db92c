// Characters near enough to see their pores: patches over the triangles of the skinned cage.

#import throng_render::view::view
#import throng_render::packed::{unpack_vertex, unpack_position, stored_normal}
#import throng_render::figure::{instances, list, played, kind, home, skinned_once, first_of, turned, laid_on, dye, Seen, painted}
#import throng_render::close::{Close, Corner, on_cage}

/// The cage as words: the level of the frame, the size of the map, triangles, then the map of displacement.
@group(1) @binding(5) var<storage, read> cage: array<u32>;

/// Words before the triangles, and of a triangle: `HEAD` and `Facet` in Rust.
const HEAD: u32 = 12u;
const FACET: u32 = 12u;

fn number_at(word: u32) -> f32 {
    return bitcast<f32>(cage[word]);
}

fn three(word: u32) -> vec3<u32> {
    return vec3<u32>(cage[word], cage[word + 1u], cage[word + 2u]);
}

fn texel(at: vec2<i32>, size: vec2<i32>) -> f32 {
    return number_at(cage[10] + u32(at.y * size.x + at.x));
}

/// Displacement between texels.
fn height_at(uv: vec2<f32>) -> f32 {
    let size = vec2<i32>(i32(cage[8]), i32(cage[9]));
    let p = max(uv * vec2<f32>(size) - 0.5, vec2<f32>(0.0));
    let low = vec2<i32>(p);
    let f = p - vec2<f32>(low);
    let a = min(low, size - 1);
    let b = min(low + 1, size - 1);
    let upper = mix(texel(a, size), texel(vec2<i32>(b.x, a.y), size), f.x);
    let lower = mix(texel(vec2<i32>(a.x, b.y), size), texel(b, size), f.x);
    return mix(upper, lower, f.y);
}

/// A corner: its place by the vertex that stands for it, its place in the maps by its own.
fn corner(first: u32, place: u32, uv: vec2<f32>, height: f32) -> Corner {
    let w = skinned_once[first + place];
    let n = stored_normal(w);
    return Corner(unpack_position(w, kind.low, kind.size), n / max(length(n), 1e-6), uv, height, place);
}

struct Patch {
    /// Displaced, in body heights.
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
    uv: vec2<f32>,
}

/// A vertex of the grid over a triangle of somebody whose skinned vertices begin at `first`.
fn patched(first: u32, face: u32, grid: vec2<u32>) -> Patch {
    let close = Close(number_at(0u), cage[1], number_at(2u), number_at(3u), cage[4], cage[5], cage[6], 0u);
    let facet = HEAD + face * FACET;
    let own = three(facet);
    let place = three(facet + 4u);
    let a = unpack_vertex(skinned_once[first + own.x], kind.low, kind.size, kind.uv_box);
    let b = unpack_vertex(skinned_once[first + own.y], kind.low, kind.size, kind.uv_box);
    let c = unpack_vertex(skinned_once[first + own.z], kind.low, kind.size, kind.uv_box);
    let on = on_cage(
        corner(first, place.x, a.uv, number_at(facet + 8u)),
        corner(first, place.y, b.uv, number_at(facet + 9u)),
        corner(first, place.z, c.uv, number_at(facet + 10u)),
        cage[facet + 3u],
        grid,
        close,
    );
    let height = select(height_at(on.uv), on.height, on.straight);
    let s = on.shares;
    return Patch(
        on.position + on.up * (height * close.relief),
        a.normal * s.x + b.normal * s.y + c.normal * s.z,
        vec4<f32>(a.tangent.xyz * s.x + b.tangent.xyz * s.y + c.tangent.xyz * s.z, a.tangent.w),
        a.uv * s.x + b.uv * s.y + c.uv * s.z,
    );
}

@vertex
fn patch_vertex(@location(0) grid: vec2<u32>, @builtin(instance_index) number: u32) -> Seen {
    let faces = max(cage[4], 1u);
    let agent = list[number / faces];
    let at = instances[agent];
    let it = played[agent];
    let p = patched(first_of(home[agent]), number % faces, grid);
    let world = at.position + turned(p.position * it.size, at.direction);
    let d = dye(it.look, at.group & 0xffu, at.group >> 8u);
    return Seen(
        view.clip_from_world * vec4<f32>(world, 1.0),
        world,
        turned(p.normal, at.direction),
        vec4<f32>(turned(p.tangent.xyz, at.direction), p.tangent.w),
        p.uv,
        d.skin,
        d.cloth,
        laid_on(agent, 0u),
        at.position.xy,
        d.hue,
    );
}

@fragment
fn patch_colour(seen: Seen) -> @location(0) vec4<f32> {
    return painted(seen);
}
