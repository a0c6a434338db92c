// A skinned vertex in 128 bits: the layout of `PackedVertex` in `throng_character`, bit for bit.

struct Unpacked {
    position: vec3<f32>,
    normal: vec3<f32>,
    /// The fourth is the side of the binormal.
    tangent: vec4<f32>,
    uv: vec2<f32>,
}

const TURN: f32 = 6.2831853;
/// Length of the stored normal where the binormal is on the other side; lengths below the second are such.
const MIRRORED: f32 = 0.6;
const BETWEEN: f32 = 0.8;

fn steps(value: f32, most: f32) -> u32 {
    return u32(clamp(value, 0.0, 1.0) * most + 0.5);
}

/// `low` and `size` are the box of positions, `uv_box` least u and v and their range.
fn pack_vertex(v: Unpacked, low: vec3<f32>, size: vec3<f32>, uv_box: vec4<f32>) -> vec4<u32> {
    let p = (v.position - low) / size;
    let t = v.tangent.xyz / max(length(v.tangent.xyz), 1e-12);
    // A whole turn has 256 steps and wraps; half a turn has 255, both poles included.
    let azimuth = u32(i32(round(atan2(t.y, t.x) / TURN * 256.0)) + 512) & 255u;
    let polar = steps(acos(clamp(t.z, -1.0, 1.0)) / (TURN * 0.5), 255.0);
    let long = select(1.0, MIRRORED, v.tangent.w < 0.0);
    let n = v.normal / max(length(v.normal), 1e-12) * long * 0.5 + 0.5;
    let uv = (v.uv - uv_box.xy) / uv_box.zw;
    return vec4<u32>(
        steps(p.x, 65535.0) | (steps(p.y, 65535.0) << 16u),
        steps(p.z, 65535.0) | (azimuth << 16u) | (polar << 24u),
        steps(n.x, 2047.0) | (steps(n.y, 2047.0) << 11u) | (steps(n.z, 1023.0) << 22u),
        steps(uv.x, 65535.0) | (steps(uv.y, 65535.0) << 16u),
    );
}

fn unpack_position(w: vec4<u32>, low: vec3<f32>, size: vec3<f32>) -> vec3<f32> {
    let p = vec3<f32>(f32(w.x & 0xffffu), f32(w.x >> 16u), f32(w.y & 0xffffu));
    return low + p / 65535.0 * size;
}

/// The stored normal, of length 1 or [`MIRRORED`].
fn stored_normal(w: vec4<u32>) -> vec3<f32> {
    let n = vec3<f32>(f32(w.z & 2047u) / 2047.0, f32((w.z >> 11u) & 2047u) / 2047.0, f32(w.z >> 22u) / 1023.0);
    return n * 2.0 - 1.0;
}

fn unpack_vertex(w: vec4<u32>, low: vec3<f32>, size: vec3<f32>, uv_box: vec4<f32>) -> Unpacked {
    let azimuth = f32((w.y >> 16u) & 255u) / 256.0 * TURN;
    let polar = f32(w.y >> 24u) / 255.0 * TURN * 0.5;
    let n = stored_normal(w);
    let long = length(n);
    let side = select(1.0, -1.0, long < BETWEEN);
    let tangent = vec3<f32>(sin(polar) * cos(azimuth), sin(polar) * sin(azimuth), cos(polar));
    let uv = vec2<f32>(f32(w.w & 0xffffu), f32(w.w >> 16u)) / 65535.0;
    return Unpacked(
        unpack_position(w, low, size),
        n / max(long, 1e-6),
        vec4<f32>(tangent, side),
        uv_box.xy + uv * uv_box.zw,
    );
}
