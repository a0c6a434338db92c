// Clusters of props from a list: one instance of the draw is one cluster.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{shade, Surface, light_above, sun_share, through_air, sun_direction, sun_light, exposure, PI}
#import throng_render::shadow::{sun_visibility, sun_visibility_at_vertex}
#import throng_render::noise::{noise_in_space, sloped_noise_in_space}

struct Prop {
    position: vec3<f32>,
    scale: f32,
    tint: vec3<f32>,
    yaw: f32,
}

struct Cluster {
    centre: vec3<f32>,
    radius: f32,
    first: u32,
    triangles: u32,
    from_: f32,
    below: f32,
}

struct Vertex {
    x: f32,
    y: f32,
    z: f32,
    normal: u32,
    colour: u32,
}

@group(1) @binding(0) var<storage, read> list: array<u32>;
@group(1) @binding(1) var<storage, read> pairs: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read> props: array<Prop>;
@group(1) @binding(3) var<storage, read> clusters: array<Cluster>;
@group(1) @binding(4) var<storage, read> indices: array<u32>;
@group(1) @binding(5) var<storage, read> vertices: array<Vertex>;

const FACADE: u32 = 1u;
const FOLIAGE: u32 = 2u;
const GLOWING: u32 = 3u;
const STONE: u32 = 4u;
const ROOF: u32 = 5u;

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) colour: vec3<f32>,
    @location(3) @interpolate(flat) surface: u32,
    @location(4) @interpolate(flat) base: vec3<f32>,
}

fn turned(v: vec3<f32>, yaw: f32) -> vec3<f32> {
    let c = cos(yaw);
    let s = sin(yaw);
    return vec3<f32>(v.x * c - v.y * s, v.x * s + v.y * c, v.z);
}

fn linear(c: vec3<f32>) -> vec3<f32> {
    return select(pow((c + 0.055) / 1.055, vec3<f32>(2.4)), c / 12.92, c <= vec3<f32>(0.04045));
}

fn fetched(index: u32, number: u32) -> Seen {
    var seen: Seen;
    let pair = pairs[list[number]];
    let cluster = clusters[pair.y];
    if index >= (cluster.triangles & ~#{BY_VERTICES}u) * 3u {
        // The last cluster of a mesh is not full: nothing.
        seen.clip = vec4<f32>(2.0, 2.0, 2.0, 1.0);
        return seen;
    }
    let prop = props[pair.x];
    let vertex = vertices[indices[cluster.first + index]];
    let colour = unpack4x8unorm(vertex.colour);
    seen.surface = vertex.colour >> 24u;
    var p = vec3<f32>(vertex.x, vertex.y, vertex.z);
    var world = prop.position + turned(p * prop.scale, prop.yaw);
    if seen.surface == FOLIAGE {
        let gust = sin(view.time * 1.7 + world.x * 0.4 + world.y * 0.3) + 0.5 * sin(view.time * 4.1 + world.y);
        world += vec3<f32>(0.02, 0.014, 0.0) * gust;
    }
    seen.world = world;
    seen.clip = view.clip_from_world * vec4<f32>(world, 1.0);
    seen.normal = turned(unpack4x8snorm(vertex.normal).xyz, prop.yaw);
    seen.colour = linear(colour.rgb) * prop.tint;
    seen.base = prop.position;
    return seen;
}

@vertex
fn prop(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Seen {
    return fetched(index, number);
}

@vertex
fn prop_depth(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> @builtin(position) vec4<f32> {
    return fetched(index, number).clip;
}

/// A storey of windows: how much of a window there is here, by distance along the wall and height.
fn window(along: f32, height: f32, blur: f32) -> f32 {
    let cell = vec2<f32>(fract(along / 2.4), fract(height / 3.2));
    let edge = abs(cell - vec2<f32>(0.5, 0.55)) * vec2<f32>(2.4, 3.2);
    let b = max(blur, 0.01);
    let inside = smoothstep(0.55 + b, 0.55 - b, edge.x) * smoothstep(0.85 + b, 0.85 - b, edge.y);
    return inside * step(0.6, height) * smoothstep(1.2, 0.4, b);
}

/// A surface on its way to the eye.
struct Lit {
    albedo: vec3<f32>,
    normal: vec3<f32>,
    shine: f32,
    /// Above the foot of the prop.
    height: f32,
    /// To the eye, and how far.
    dir: vec3<f32>,
    metres: f32,
    /// Metres across a pixel.
    pixel: f32,
}

/// What is the same for all surfaces.
fn plain(seen: Seen) -> Lit {
    // Opposite normals of a leaf, blended, are none.
    let blend = length(seen.normal);
    var n = select(vec3<f32>(0.0, 0.0, 1.0), seen.normal / max(blend, 1e-6), blend > 1e-3);
    let to_eye = view.eye - seen.world;
    let metres = length(to_eye);
    let dir = to_eye / max(metres, 1e-4);
    if seen.surface == FOLIAGE && dot(n, dir) < 0.0 {
        n = -n;
    }
    let pixel = metres * length(view.up) * 2.0 / view.height;
    return Lit(seen.colour, n, 0.2, seen.world.z - seen.base.z, dir, metres, pixel);
}

/// What a surface sends to the eye; `visible` is the share of the sun that the shadow maps leave.
fn sent(seen: Seen, it: Lit, visible: f32) -> vec3<f32> {
    if seen.surface == GLOWING {
        return through_air(it.albedo * 3.0 / max(exposure(), 1e-3), -it.dir, it.metres);
    }
    let n = it.normal;
    // Dark where it meets the ground.
    let open = mix(0.45, 1.0, smoothstep(0.0, 1.4, it.height));
    // A wall is lit by what lies before it, not by what is in it.
    let before = seen.world.xy + n.xy * select(0.4, 1.5, seen.surface == FACADE);
    let here = light_above(before, it.height);
    var colour = shade(Surface(it.albedo, n, open, it.shine), here, seen.world, it.dir, visible);
    if seen.surface == FOLIAGE {
        // Light through the leaf.
        let through = max(dot(-n, sun_direction()), 0.0) * sun_share(here, visible);
        colour += it.albedo / PI * sun_light() * through * vec3<f32>(0.5, 0.6, 0.2);
    }
    return through_air(colour, -it.dir, it.metres);
}

@fragment
fn prop_colour(seen: Seen) -> @location(0) vec4<f32> {
    var it = plain(seen);
    let q = seen.world;
    let facade = seen.surface == FACADE;
    let stone = seen.surface == STONE;
    // Two octaves for whatever has grain: a software rasteriser takes all sides of an `if`, so they are shared.
    let coarse = noise_in_space(q * select(select(vec3<f32>(1.7), vec3<f32>(1.3), stone), vec3<f32>(3.0, 3.0, 5.0), facade));
    let fine = noise_in_space(q * select(select(9.0, 4.1, stone), 0.35, facade));
    if facade {
        let along = dot(q.xy, vec2<f32>(-it.normal.y, it.normal.x));
        let w = window(along, it.height, it.pixel * 2.0);
        it.albedo *= 0.86 + coarse * 0.10 + fine * 0.16;
        it.albedo *= mix(0.62, 1.0, smoothstep(0.0, 0.8, it.height));
        it.albedo = mix(it.albedo, vec3<f32>(0.045, 0.06, 0.075), w);
        it.shine = mix(0.1, 1.5, w);
    } else if stone {
        let fade = 1.0 / (1.0 + it.pixel * 12.0);
        it.albedo *= 0.55 + (coarse * 0.5 + fine * 0.3 + noise_in_space(q * 11.0) * 0.2 * fade) * 0.9;
        let bump = sloped_noise_in_space(q * 2.7).xyz * 0.12;
        it.normal = normalize(it.normal - bump * 2.2 * fade);
        it.albedo = mossy(it.albedo, it.normal, q);
    } else if seen.surface == ROOF {
        it.albedo *= 0.85 + coarse * 0.2 + fine * 0.1;
    }
    return vec4<f32>(sent(seen, it, sun_visibility(seen.world, it.normal, view_depth(seen.world))), 1.0);
}

fn mossy(albedo: vec3<f32>, n: vec3<f32>, q: vec3<f32>) -> vec3<f32> {
    let moss = smoothstep(0.55, 0.9, n.z) * smoothstep(0.45, 0.7, noise_in_space(q * 0.8 + 7.0));
    return mix(albedo, vec3<f32>(0.075, 0.10, 0.025), moss * 0.75);
}

struct Far {
    @builtin(position) clip: vec4<f32>,
    /// Within the triangle: beyond its corners light would be brighter than anything.
    @location(0) @interpolate(perspective, centroid) light: vec3<f32>,
}

/// Of coarse levels, whose triangles are a few pixels wide, light is found at the vertices.
@vertex
fn far_prop(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Far {
    let seen = fetched(index, number);
    var it = plain(seen);
    if seen.surface == STONE {
        // Of the roughness what is left at this distance.
        it.albedo *= 0.55 + (noise_in_space(seen.world * 1.3) * 0.5 + 0.25) * 0.9;
        it.albedo = mossy(it.albedo, it.normal, seen.world);
    }
    return Far(seen.clip, sent(seen, it, sun_visibility_at_vertex(seen.world, it.normal, view_depth(seen.world))));
}

@fragment
fn far_prop_colour(seen: Far) -> @location(0) vec4<f32> {
    return vec4<f32>(seen.light, 1.0);
}
