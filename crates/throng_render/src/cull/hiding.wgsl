// What lies behind what is drawn already, by the pyramid of farthest depth.

#import throng_render::view::view

@group(0) @binding(4) var<storage, read> farthest: array<f32>;
@group(0) @binding(5) var<storage, read> pyramid: array<vec2<f32>>;

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

/// Whether all of a sphere lies behind what is drawn already, or, with `frustum`, outside the picture.
fn hidden(centre: vec3<f32>, radius: f32, frustum: bool) -> bool {
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
        return frustum;
    }
    let first = vec2<u32>(clamp(low, vec2<f32>(0.0), size - 1.0));
    let last = vec2<u32>(clamp(high, vec2<f32>(0.0), size - 1.0));
    let nearest = view.near / (ahead - radius);
    return nearest * 1.00001 < farthest_in(first, last, vec2<u32>(size));
}
