// Directions of the fields on the navigation cells, one field after the other.

#import throng_crowd::constants::{constants, UNREACHABLE, FLOW_LEAST, FLOW_UNIT}
#import throng_crowd::cells::{cells, cell_origin, clamped_cell}

@group(0) @binding(7) var<storage, read> flows: array<u32>;

/// The direction of a field at a position, smooth between cell centres; zero where there is no way.
fn flow_at(field: u32, p: vec2<f32>) -> vec2<f32> {
    let part = field * cells();
    let q = (p - cell_origin()) * constants.cells_per_metre - 0.5;
    let low = floor(q);
    let t = q - low;
    let a = vec2<i32>(low);
    let b = vec2<i32>(low + 1.0);
    var sum = share_of(part, a, (1.0 - t.x) * (1.0 - t.y));
    sum += share_of(part, vec2<i32>(b.x, a.y), t.x * (1.0 - t.y));
    sum += share_of(part, vec2<i32>(a.x, b.y), (1.0 - t.x) * t.y);
    sum += share_of(part, b, t.x * t.y);
    let long = sqrt(sum.x * sum.x + sum.y * sum.y);
    if long > FLOW_LEAST * FLOW_UNIT {
        return sum / long;
    }
    return vec2<f32>(0.0);
}

fn share_of(part: u32, at: vec2<i32>, weight: f32) -> vec2<f32> {
    let code = flows[part + clamped_cell(at)];
    if code == UNREACHABLE {
        return vec2<f32>(0.0);
    }
    let halves = vec2<i32>(i32(code << 16u) >> 16u, i32(code) >> 16u);
    return vec2<f32>(halves) * weight;
}
