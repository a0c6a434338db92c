// Characters at the places of a list: their meshes carried by the matrices of what they play.

#import throng_render::view::view
#import throng_render::played::{Played, Rows, mix_of}
#import throng_render::packed::{unpack_vertex, unpack_position}
#import throng_render::figure::{instances, list, played, kind, home, skinned_once, first_of, turned, laid_on, dye, dyed, Seen, lit_at_vertex, painted}

/// Rows of matrices: key by key, joint by joint, three each.
@group(1) @binding(5) var<storage, read> rows: array<vec4<f32>>;
struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec4<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec2<f32>,
    @location(4) joints: vec4<u32>,
    @location(5) weights: vec4<f32>,
    @location(6) colour: vec4<f32>,
    @location(7) other: vec4<u32>,
}

fn add_keys(sum: Rows, joint: u32, keys: vec4<u32>, weight: f32) -> Rows {
    let k = mix_of(keys, joint, kind.joints);
    let a = k.of_a * weight;
    let b = k.of_b * weight;
    return Rows(
        sum.x + rows[k.a] * a + rows[k.b] * b,
        sum.y + rows[k.a + 1u] * a + rows[k.b + 1u] * b,
        sum.z + rows[k.a + 2u] * a + rows[k.b + 2u] * b,
    );
}

fn add_joint(sum: Rows, joint: u32, weight: f32, it: Played) -> Rows {
    var m = add_keys(sum, joint, it.first, weight);
    if it.second.w != 0u {
        m = add_keys(m, joint, it.second, weight);
        if it.third.w != 0u {
            m = add_keys(m, joint, it.third, weight);
        }
    }
    return m;
}

struct Skinned {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

/// Where a vertex is in the body, which is 1 high and looks along x.
fn skinned(v: Vertex, it: Played) -> Skinned {
    var p = vec4<f32>(v.position, 1.0);
    var joints = v.joints;
    var weights = v.weights;
    let zone = v.other.x;
    if zone > 0u && ((it.missing >> (zone - 1u)) & 1u) == 1u {
        // Not there: all of it in one place has no area.
        let fold = kind.zones[zone - 1u];
        p = vec4<f32>(fold.xyz, 1.0);
        joints.x = bitcast<u32>(fold.w);
        weights = vec4<f32>(1.0, 0.0, 0.0, 0.0);
    }
    var m = add_joint(Rows(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0)), joints.x, weights.x, it);
    // Sorted: nothing comes after nothing.
    if weights.y > 0.0 {
        m = add_joint(m, joints.y, weights.y, it);
        if weights.z > 0.0 {
            m = add_joint(m, joints.z, weights.z, it);
            if weights.w > 0.0 {
                m = add_joint(m, joints.w, weights.w, it);
            }
        }
    }
    let n = v.normal.xyz;
    let t = v.tangent.xyz;
    return Skinned(
        vec3<f32>(dot(m.x, p), dot(m.y, p), dot(m.z, p)),
        vec3<f32>(dot(m.x.xyz, n), dot(m.y.xyz, n), dot(m.z.xyz, n)),
        vec3<f32>(dot(m.x.xyz, t), dot(m.y.xyz, t), dot(m.z.xyz, t)),
    );
}

/// The same for those a few pixels high: the nearest key of the heaviest clip, and one joint.
fn skinned_roughly(v: Vertex, it: Played) -> Skinned {
    var p = vec4<f32>(v.position, 1.0);
    var joint = v.joints.x;
    let zone = v.other.x;
    if zone > 0u && ((it.missing >> (zone - 1u)) & 1u) == 1u {
        let fold = kind.zones[zone - 1u];
        p = vec4<f32>(fold.xyz, 1.0);
        joint = bitcast<u32>(fold.w);
    }
    let key = select(it.first.x, it.first.y, bitcast<f32>(it.first.z) > 0.5);
    let at = (key * kind.joints + joint) * 3u;
    let m = Rows(rows[at], rows[at + 1u], rows[at + 2u]);
    let n = v.normal.xyz;
    return Skinned(
        vec3<f32>(dot(m.x, p), dot(m.y, p), dot(m.z, p)),
        vec3<f32>(dot(m.x.xyz, n), dot(m.y.xyz, n), dot(m.z.xyz, n)),
        vec3<f32>(0.0),
    );
}

@vertex
fn body(v: Vertex, @builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> Seen {
    let agent = list[number];
    let at = instances[agent];
    let it = played[agent];
    let where_ = home[agent];
    var s: Skinned;
    if where_ > 3u {
        let once = unpack_vertex(skinned_once[first_of(where_) + vertex], kind.low, kind.size, kind.uv_box);
        s = Skinned(once.position, once.normal, once.tangent.xyz);
    } else {
        s = skinned(v, it);
    }
    let world = at.position + turned(s.position * it.size, at.direction);
    let d = dye(it.look, at.group & 0xffu, at.group >> 8u);
    return Seen(
        view.clip_from_world * vec4<f32>(world, 1.0),
        world,
        turned(s.normal, at.direction),
        vec4<f32>(turned(s.tangent, at.direction), v.tangent.w),
        v.uv,
        d.skin,
        d.cloth,
        laid_on(agent, v.other.y),
        at.position.xy,
        d.hue,
    );
}

@vertex
fn body_depth(
    v: Vertex,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) number: u32,
) -> @builtin(position) vec4<f32> {
    let agent = list[number];
    let at = instances[agent];
    let where_ = home[agent];
    var p: vec3<f32>;
    if where_ > 3u {
        p = unpack_position(skinned_once[first_of(where_) + vertex], kind.low, kind.size);
    } else {
        p = skinned(v, played[agent]).position;
    }
    let world = at.position + turned(p * played[agent].size, at.direction);
    return view.clip_from_world * vec4<f32>(world, 1.0);
}

@vertex
fn speck_depth(v: Vertex, @builtin(instance_index) number: u32) -> @builtin(position) vec4<f32> {
    let agent = list[number];
    let at = instances[agent];
    let it = played[agent];
    let world = at.position + turned(skinned_roughly(v, it).position * it.size, at.direction);
    return view.clip_from_world * vec4<f32>(world, 1.0);
}

@fragment
fn body_colour(seen: Seen) -> @location(0) vec4<f32> {
    return painted(seen);
}

/// How far the smallest take on the colour of their group.
const DOT: f32 = 0.65;
const DOT_BRIGHTNESS: f32 = 0.30;

/// Lit at its vertices, of which there are fewer than pixels that its triangles touch.
struct Speck {
    @builtin(position) clip: vec4<f32>,
    /// Within the triangle: beyond its corners light would be brighter than anything.
    @location(0) @interpolate(perspective, centroid) light: vec3<f32>,
}

@vertex
fn speck(v: Vertex, @builtin(instance_index) number: u32) -> Speck {
    let agent = list[number];
    let at = instances[agent];
    let it = played[agent];
    let s = skinned_roughly(v, it);
    let world = at.position + turned(s.position * it.size, at.direction);
    let d = dye(it.look, at.group & 0xffu, at.group >> 8u);
    let shares = vec2<f32>(v.other.zw) / 255.0;
    var colour = dyed(v.colour.rgb * v.colour.rgb, v.colour.a, shares.x, d);
    // Of whom nothing but a dot is left, the dot says whose it is.
    let pixels = it.size / max(distance(view.focus, at.position), 0.1) * view.height / (2.0 * length(view.up));
    colour = mix(colour, d.hue * DOT_BRIGHTNESS, DOT * (1.0 - smoothstep(6.0, 24.0, pixels)));
    let laid = laid_on(agent, v.other.y);
    colour = mix(colour, laid.rgb, laid.a);
    let clip = view.clip_from_world * vec4<f32>(world, 1.0);
    return Speck(clip, lit_at_vertex(colour, turned(s.normal, at.direction), shares.y, world, at.position.xy));
}

@fragment
fn speck_colour(seen: Speck) -> @location(0) vec4<f32> {
    return vec4<f32>(seen.light, 1.0);
}
