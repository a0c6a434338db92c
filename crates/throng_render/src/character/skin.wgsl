// Skins a class once for all views: a workgroup for each who has a slot.

#import throng_render::played::{Played, Rows, mix_of}
#import throng_render::kind::Kind
#import throng_render::packed::{Unpacked, pack_vertex}

@group(0) @binding(0) var<uniform> kind: Kind;
/// The class.
@group(0) @binding(1) var<uniform> room: vec4<u32>;
@group(0) @binding(2) var<storage, read> played: array<Played>;
@group(0) @binding(3) var<storage, read> rows: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> listed: array<u32>;
/// Words of `SkinVertex`.
@group(0) @binding(5) var<storage, read> vertices: array<u32>;
@group(0) @binding(6) var<storage, read_write> skinned: array<vec4<u32>>;

const LANES: u32 = 64u;
/// Words of a vertex.
const WORDS: u32 = 15u;
/// Joints that fit here.
const MOST: u32 = 128u;

/// Rows of the matrices of all joints, three each.
var<workgroup> palette: array<vec4<f32>, 384>;

fn add_keys(sum: Rows, joint: u32, keys: vec4<u32>) -> Rows {
    let k = mix_of(keys, joint, kind.joints);
    return Rows(
        sum.x + rows[k.a] * k.of_a + rows[k.b] * k.of_b,
        sum.y + rows[k.a + 1u] * k.of_a + rows[k.b + 1u] * k.of_b,
        sum.z + rows[k.a + 2u] * k.of_a + rows[k.b + 2u] * k.of_b,
    );
}

fn joint_of(word: u32, half: u32) -> u32 {
    return (vertices[word + (half >> 1u)] >> (16u * (half & 1u))) & 0xffffu;
}

@compute @workgroup_size(64)
fn skin(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let it = played[listed[group.x]];
    let joints = min(kind.joints, MOST);
    for (var j = lane; j < joints; j += LANES) {
        var m = add_keys(Rows(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0)), j, it.first);
        if it.second.w != 0u {
            m = add_keys(m, j, it.second);
            if it.third.w != 0u {
                m = add_keys(m, j, it.third);
            }
        }
        palette[3u * j] = m.x;
        palette[3u * j + 1u] = m.y;
        palette[3u * j + 2u] = m.z;
    }
    workgroupBarrier();
    let place = kind.places[room.x];
    let out = place.x + group.x * place.y;
    for (var v = lane; v < place.y; v += LANES) {
        let w = v * WORDS;
        var p = vec4<f32>(bitcast<f32>(vertices[w]), bitcast<f32>(vertices[w + 1u]), bitcast<f32>(vertices[w + 2u]), 1.0);
        let n = vec3<f32>(unpack2x16snorm(vertices[w + 3u]), unpack2x16snorm(vertices[w + 4u]).x);
        let zt = unpack2x16snorm(vertices[w + 6u]);
        let t = vec3<f32>(unpack2x16snorm(vertices[w + 5u]), zt.x);
        let uv = vec2<f32>(bitcast<f32>(vertices[w + 7u]), bitcast<f32>(vertices[w + 8u]));
        let weights = vec4<f32>(unpack2x16unorm(vertices[w + 11u]), unpack2x16unorm(vertices[w + 12u]));
        let zone = vertices[w + 14u] & 0xffu;
        var x = vec4<f32>(0.0);
        var y = vec4<f32>(0.0);
        var z = vec4<f32>(0.0);
        if zone > 0u && ((it.missing >> (zone - 1u)) & 1u) == 1u {
            // Not there: all of it in one place has no area.
            let fold = kind.zones[zone - 1u];
            p = vec4<f32>(fold.xyz, 1.0);
            let j = 3u * bitcast<u32>(fold.w);
            x = palette[j];
            y = palette[j + 1u];
            z = palette[j + 2u];
        } else {
            for (var k = 0u; k < 4u; k++) {
                let weight = weights[k];
                // Sorted: nothing comes after nothing.
                if weight == 0.0 {
                    break;
                }
                let j = 3u * joint_of(w + 9u, k);
                x += palette[j] * weight;
                y += palette[j + 1u] * weight;
                z += palette[j + 2u] * weight;
            }
        }
        let vertex = Unpacked(
            vec3<f32>(dot(x, p), dot(y, p), dot(z, p)),
            vec3<f32>(dot(x.xyz, n), dot(y.xyz, n), dot(z.xyz, n)),
            vec4<f32>(dot(x.xyz, t), dot(y.xyz, t), dot(z.xyz, t), zt.y),
            uv,
        );
        skinned[out + v] = pack_vertex(vertex, kind.low, kind.size, kind.uv_box);
    }
}
