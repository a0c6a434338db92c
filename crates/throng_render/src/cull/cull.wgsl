// What a view draws of many spheres: flags, one array per class.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::view::{view, may_see}
#import throng_render::instance::Instance

/// `Filter` in Rust.
struct Filter {
    frustum: u32,
    occlusion: u32,
    detail: u32,
    word: u32,
    near_pixels: f32,
    middle_pixels: f32,
    tallest: f32,
    at_most: u32,
}

struct Cluster {
    centre: vec3<f32>,
    radius: f32,
    first: u32,
    triangles: u32,
    from_: f32,
    below: f32,
}

struct Prop {
    position: vec3<f32>,
    scale: f32,
    tint: vec3<f32>,
    yaw: f32,
}

@group(0) @binding(1) var<uniform> choice: Filter;
@group(0) @binding(2) var<storage, read> instances: array<Instance>;
@group(0) @binding(3) var<storage, read> count: array<u32>;
@group(0) @binding(4) var<storage, read> farthest: array<f32>;
@group(0) @binding(5) var<storage, read> pyramid: array<vec2<f32>>;
@group(0) @binding(6) var<storage, read_write> near_flags: array<u32>;
@group(0) @binding(7) var<storage, read_write> middle_flags: array<u32>;
@group(0) @binding(8) var<storage, read_write> far_flags: array<u32>;

// Of props.
@group(0) @binding(9) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(10) var<storage, read> props: array<Prop>;
@group(0) @binding(11) var<storage, read> clusters: array<Cluster>;

// Of draw arguments.
@group(0) @binding(12) var<storage, read> kept_near: array<u32>;
@group(0) @binding(13) var<storage, read> kept_middle: array<u32>;
@group(0) @binding(14) var<storage, read> kept_far: array<u32>;
@group(0) @binding(15) var<storage, read_write> arguments: array<u32>;
@group(0) @binding(16) var<uniform> indices: vec4<u32>;

/// Pixels of height from which on somebody casts a shadow.
const LEAST_CASTER: f32 = 6.0;

/// Everything an agent does stays in this sphere, whatever its size and pose.
fn sphere_of(at: Instance) -> vec4<f32> {
    let half = choice.tallest * 0.5;
    return vec4<f32>(at.position + vec3<f32>(0.0, 0.0, half), half * 1.6);
}

/// The farthest depth of all pixels in a rectangle, ends included, or less. Sides of the levels are
/// halved and rounded down, the last texel of a row covers what is left.
fn farthest_in(low: vec2<u32>, high: vec2<u32>, size: vec2<u32>) -> f32 {
    var level = 0u;
    var a = low;
    var b = high;
    var now = size;
    var at = 0u;
    while any(b - a > vec2<u32>(1u)) {
        if level > 0u {
            at += now.x * now.y;
        }
        now = max(now / 2u, vec2<u32>(1u));
        level++;
        a = min(low >> vec2<u32>(level), now - 1u);
        b = min(high >> vec2<u32>(level), now - 1u);
    }
    var least = 1.0;
    for (var y = a.y; y <= b.y; y++) {
        for (var x = a.x; x <= b.x; x++) {
            if level == 0u {
                least = min(least, farthest[y * now.x + x]);
            } else {
                least = min(least, pyramid[at + y * now.x + x].x);
            }
        }
    }
    return least;
}

/// Borders of a sphere's image along one axis, at distance 1: tangents through the eye, exact (Mara
/// and McGuire, 2D polyhedral bounds of a clipped, perspective-projected 3D sphere, 2013). `c` is the
/// centre along the axis and forwards.
fn tangents(c: vec2<f32>, radius: f32) -> vec2<f32> {
    let t = sqrt(max(dot(c, c) - radius * radius, 0.0));
    // Directions to the points of touch, turned by the angle of the tangent to each side.
    let left = vec2<f32>(c.x * t - c.y * radius, c.x * radius + c.y * t);
    let right = vec2<f32>(c.x * t + c.y * radius, c.y * t - c.x * radius);
    return vec2<f32>(left.x / left.y, right.x / right.y);
}

/// Whether all of a sphere lies behind what is drawn already.
fn hidden(centre: vec3<f32>, radius: f32) -> bool {
    let to = centre - view.eye;
    let ahead = dot(to, view.forward);
    // One that reaches the near plane, or the eye in it, is never hidden.
    if ahead - radius <= view.near {
        return false;
    }
    let half = vec2<f32>(length(view.right), length(view.up));
    let x = tangents(vec2<f32>(dot(to, view.right) / half.x, ahead), radius) / half.x;
    let y = tangents(vec2<f32>(dot(to, view.up) / half.y, ahead), radius) / half.y;
    let size = vec2<f32>(view.width, view.height);
    // A pixel more on each side, for rounding.
    let low = (vec2<f32>(x.x, -y.y) * 0.5 + 0.5) * size - 1.0;
    let high = (vec2<f32>(x.y, -y.x) * 0.5 + 0.5) * size + 1.0;
    if any(high < vec2<f32>(0.0)) || any(low >= size) {
        // Outside the picture.
        return choice.frustum != 0u;
    }
    let first = vec2<u32>(clamp(low, vec2<f32>(0.0), size - 1.0));
    let last = vec2<u32>(clamp(high, vec2<f32>(0.0), size - 1.0));
    let nearest = view.near / (ahead - radius);
    return nearest * 1.00001 < farthest_in(first, last, vec2<u32>(size));
}

fn agents() -> u32 {
    return min(count[choice.word], choice.at_most);
}

/// The picture: all filters.
@compute @workgroup_size(GROUP)
fn classify(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let sphere = sphere_of(instances[i]);
    var drawn = true;
    if choice.frustum != 0u {
        drawn = may_see(sphere.xyz, sphere.w);
    }
    if drawn && choice.occlusion != 0u {
        drawn = !hidden(sphere.xyz, sphere.w);
    }
    var rank = 0u;
    if choice.detail != 0u {
        let away = max(distance(sphere.xyz, view.eye), 0.01);
        let pixels = choice.tallest / away / (2.0 * length(view.up)) * view.height;
        rank = select(2u, select(1u, 0u, pixels >= choice.near_pixels), pixels >= choice.middle_pixels);
    }
    near_flags[i] = u32(drawn && rank == 0u);
    middle_flags[i] = u32(drawn && rank == 1u);
    far_flags[i] = u32(drawn && rank == 2u);
}

/// A shadow split: what casts into it.
@compute @workgroup_size(GROUP)
fn classify_casters(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let sphere = sphere_of(instances[i]);
    var casts = choice.frustum == 0u || may_see(sphere.xyz, sphere.w);
    if choice.detail != 0u {
        // Who is a few pixels tall has a shadow of a pixel or two, and there may be very many of those.
        let pixels = choice.tallest / max(distance(sphere.xyz, view.focus), 0.01) * choice.near_pixels;
        casts &= pixels >= LEAST_CASTER;
    }
    near_flags[i] = u32(casts);
}

/// Clusters of props.
@compute @workgroup_size(GROUP)
fn classify_clusters(place: Place) {
    let i = flat_invocation(place);
    if i >= choice.at_most {
        return;
    }
    let prop = props[pairs[i].x];
    let cluster = clusters[pairs[i].y];
    let turn = vec2<f32>(cos(prop.yaw), sin(prop.yaw));
    let c = cluster.centre * prop.scale;
    let centre = prop.position + vec3<f32>(c.x * turn.x - c.y * turn.y, c.x * turn.y + c.y * turn.x, c.z);
    // Leaves sway by a little.
    let radius = cluster.radius * prop.scale * 1.05 + 0.05;
    // One level of detail of a prop is drawn, also in shadows: by the distance of its foot from the eye.
    var away = 0.0;
    if choice.detail != 0u {
        away = distance(prop.position, view.focus) / (prop.scale * choice.near_pixels);
    }
    let due = away >= cluster.from_ && away < cluster.below;
    near_flags[i] = u32(due && (choice.frustum == 0u || may_see(centre, radius)));
}

/// Arguments of three indexed draws.
@compute @workgroup_size(1)
fn write_draws() {
    for (var i = 0u; i < #{CLASSES}u; i++) {
        arguments[i * 5u] = indices[i];
        arguments[i * 5u + 2u] = 0u;
        arguments[i * 5u + 3u] = 0u;
        arguments[i * 5u + 4u] = 0u;
    }
    arguments[1] = kept_near[0];
    arguments[6] = kept_middle[0];
    arguments[11] = kept_far[0];
}

/// Arguments of one indexed draw.
@compute @workgroup_size(1)
fn write_draw() {
    arguments[0] = indices.x;
    arguments[1] = kept_near[0];
    arguments[2] = 0u;
    arguments[3] = 0u;
    arguments[4] = 0u;
}

/// Arguments of one plain draw.
@compute @workgroup_size(1)
fn write_plain_draw() {
    arguments[0] = indices.x;
    arguments[1] = kept_near[0];
    arguments[2] = 0u;
    arguments[3] = 0u;
}
