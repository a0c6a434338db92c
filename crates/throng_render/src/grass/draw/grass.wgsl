// Clumps of grass: three crossed billboards, one that faces the eye, or three lattices.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{open_irradiance, glow_irradiance, sun_light, sun_direction, through_air, exposure, PI}
#import throng_render::shadow::sun_visibility_at_vertex
#import throng_render::grass_form::{GrassUniform, Clump, Billboard, billboard, point_of, slope_of, chance_of, rank_of, unpacked_offset, shrunk, widened, NO_SLOT}
#import throng_render::grass_bend::{wind_angle, bent}
#import throng_render::grass_shade::{lobes, THROUGH}
#import throng_render::grass_lattice::refine

struct Record {
    owner: u32,
    form: f32,
    gone_a: f32,
    gone_b: f32,
    gone_c: f32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
}

@group(1) @binding(0) var<uniform> grass: GrassUniform;
/// Numbers of clumps; of lattices, numbers of slots.
@group(1) @binding(1) var<storage, read> list: array<u32>;
@group(1) @binding(2) var<storage, read> clumps: array<Clump>;
@group(1) @binding(3) var<storage, read> slots: array<u32>;
@group(1) @binding(4) var<storage, read> records: array<Record>;
@group(1) @binding(5) var<storage, read> offsets: array<vec2<u32>>;
@group(1) @binding(6) var trampled: texture_2d<f32>;
@group(1) @binding(7) var colours: texture_2d_array<f32>;
@group(1) @binding(8) var translucency: texture_2d_array<f32>;
@group(1) @binding(9) var surroundings: texture_3d<f32>;
@group(1) @binding(10) var cut: sampler;
@group(1) @binding(11) var clamped: sampler;

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) at: vec2<f32>,
    @location(1) @interpolate(flat) look: u32,
    /// Light that comes from its surface, and through it, within the triangle.
    @location(2) @interpolate(perspective, centroid) light: vec3<f32>,
    @location(3) @interpolate(perspective, centroid) through: vec3<f32>,
    @location(4) @interpolate(flat) tint: vec4<f32>,
    @location(5) world: vec3<f32>,
}

fn nothing() -> Seen {
    var seen: Seen;
    seen.clip = vec4<f32>(2.0, 2.0, 2.0, 1.0);
    return seen;
}

/// Direction times strength, strength and wear.
fn trodden_at(p: vec2<f32>) -> vec4<f32> {
    let size = vec2<f32>(f32(grass.map_columns), f32(grass.map_rows)) * grass.map_cell;
    return textureSampleLevel(trampled, clamped, (p - grass.map_origin) / size, 0.0);
}

/// The free part of the sky's mean direction, and how much of it is free.
fn around(p: vec3<f32>, above: f32) -> vec4<f32> {
    // From the middle of the first layer to that of the last.
    let layers = f32(textureDimensions(surroundings).z);
    let high = (above / grass.volume_high * (layers - 1.0) + 0.5) / layers;
    let at = vec3<f32>((p.xy - grass.volume_origin) / grass.volume_extent, high);
    let it = textureSampleLevel(surroundings, clamped, clamp(at, vec3<f32>(0.0), vec3<f32>(1.0)), 0.0);
    let size = length(it.xyz);
    return vec4<f32>(select(vec3<f32>(0.0, 0.0, 1.0), it.xyz / max(size, 1e-4), size > 0.05), it.w);
}

/// What a clump is drawn from, the same for all of its vertices.
struct Shape {
    clump: Clump,
    trodden: vec4<f32>,
    metres: f32,
    /// How large it is drawn.
    size: f32,
    /// 0: three quads; 1: one that faces the eye.
    one: f32,
    wide: f32,
}

fn shape_of(number: u32) -> Shape {
    let clump = clumps[number];
    let metres = distance(clump.foot, view.focus);
    let trodden = trodden_at(clump.foot.xy);
    var size = shrunk(grass, rank_of(clump), metres);
    // What the eye is in would cover all of the picture; what is worn away is gone.
    size *= smoothstep(0.25, 0.9, metres) * (1.0 - smoothstep(0.35, 0.95, trodden.w));
    let one = select(0.0, smoothstep(0.7 * grass.far_from, grass.far_from, metres), grass.detail != 0u);
    return Shape(clump, trodden, metres, size, one, widened(grass, metres));
}

/// A billboard as it is drawn at its distance.
fn drawn(shape: Shape, k: u32) -> Billboard {
    var it = billboard(shape.clump, k);
    it.height *= shape.size;
    it.width *= shape.wide * mix(0.35, 1.0, shape.size);
    if k > 0u {
        it.width *= 1.0 - shape.one;
    } else if shape.one > 0.0 {
        let away = it.foot.xy - view.focus.xy;
        var facing = vec2<f32>(-away.y, away.x) / max(length(away), 1e-3);
        facing *= sign(dot(facing, it.axis.xy) + 1e-4);
        let flat_axis = mix(it.axis.xy, facing, shape.one);
        let slope = dot(slope_of(shape.clump), flat_axis);
        it.axis = normalize(vec3<f32>(flat_axis, slope));
        it.up = normalize(it.up - it.axis * dot(it.up, it.axis));
    }
    // Feet are in the ground.
    it.foot.z -= 0.03 + 0.12 * shape.one;
    return it;
}

fn angle_at(shape: Shape, it: Billboard, side: f32) -> vec2<f32> {
    let base = it.foot.xy + it.axis.xy * (it.width * 0.5 * side);
    let wind = wind_angle(grass.wind, base, grass.time, chance_of(shape.clump));
    return bent(wind, shape.trodden.xy * grass.bend, grass.farthest);
}

/// Greener or drier, lighter or darker, as a clump is; darker where it is trodden down.
fn tint_of(shape: Shape, form: u32) -> vec4<f32> {
    let dry = unpack2x16unorm(shape.clump.turn).y;
    let light = 0.86 + 0.28 * chance_of(shape.clump);
    var tint = mix(vec3<f32>(0.80, 0.98, 0.72), vec3<f32>(1.32, 1.12, 0.82), dry) * light;
    tint *= 1.0 - 0.35 * shape.trodden.z;
    tint = mix(tint, vec3<f32>(1.5, 1.25, 0.8) * light, 0.6 * smoothstep(0.1, 0.7, shape.trodden.w));
    if grass.show == 1u {
        // Forms: flat, far, lattice.
        let kinds = array<vec3<f32>, 3>(vec3<f32>(0.2, 0.8, 0.3), vec3<f32>(0.25, 0.4, 0.95), vec3<f32>(1.0, 0.35, 0.1));
        return vec4<f32>(kinds[form], 1.0);
    }
    return vec4<f32>(tint, 0.0);
}

/// A vertex in its light. `q` is its height along the blade, `plane` the normal of the billboard there.
fn lit(shape: Shape, world: vec3<f32>, plane: vec3<f32>, at: vec2<f32>, q: f32, form: u32) -> Seen {
    var seen: Seen;
    seen.world = world;
    seen.clip = view.clip_from_world * vec4<f32>(world, 1.0);
    seen.at = at;
    seen.look = shape.clump.look & 0xffu;
    seen.tint = tint_of(shape, form);
    let to_eye = view.eye - world;
    let v = to_eye / max(length(to_eye), 1e-4);
    // A clump is round: its billboards stand for blades that face all ways, most of all far away.
    let ground = normalize(vec3<f32>(-slope_of(shape.clump), 1.0));
    let flat_normal = plane * sign(dot(plane, v) + 1e-6);
    let n = normalize(mix(flat_normal, ground, 0.45 + 0.4 * shape.one));
    let above = max(world.z - shape.clump.foot.z - dot(slope_of(shape.clump), world.xy - shape.clump.foot.xy), 0.0);
    let free = around(world, above);
    let b = free.xyz;
    // Roots stand among other blades; far away they cannot be told from tips.
    // What lies flat is as deep down as roots are.
    let deep = mix(mix(0.32, 1.0, smoothstep(0.0, 0.4, min(above, 0.6 * q))), 0.78, shape.one);
    let sky = (open_irradiance(b) * free.w + glow_irradiance(world, n)) * deep;
    let shadow = sun_visibility_at_vertex(world + ground * 0.06, ground, view_depth(world));
    let sun = sun_light() * shadow * mix(deep, 1.0, 0.35);
    let from_sky = lobes(n, v, b);
    let from_sun = lobes(n, v, sun_direction());
    let sun_down = max(sun_direction().z, 0.0);
    let facing = mix(sun_down, 1.0, 0.35);
    seen.light = (sky * (from_sky.diffuse + 0.25 * from_sky.shine)
        + sun * (from_sun.diffuse * facing + 0.25 * from_sun.shine)) / PI;
    seen.through = THROUGH * (sky * from_sky.through + sun * from_sun.through * 1.6) / PI;
    return seen;
}

fn corner(number: u32, vertex: u32, form: u32) -> Seen {
    let shape = shape_of(number);
    let k = vertex / 4u;
    if shape.size <= 0.0 || (k > 0u && shape.one >= 1.0) || slots[number] != NO_SLOT {
        // Nothing, or drawn by its lattice.
        return nothing();
    }
    let it = drawn(shape, k);
    let side = f32(vertex & 1u) * 2.0 - 1.0;
    let q = f32((vertex >> 1u) & 1u);
    let angle = angle_at(shape, it, side);
    let world = point_of(it, side, q, angle);
    let rise = point_of(it, side, 1.0, angle) - point_of(it, side, 0.0, angle);
    let plane = normalize(cross(it.axis, rise));
    return lit(shape, world, plane, vec2<f32>(side * 0.5 + 0.5, 1.0 - q), q, form);
}

@vertex
fn flat_clump(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Seen {
    return corner(list[instance], vertex, 0u);
}

@vertex
fn far_clump(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Seen {
    return corner(list[instance], vertex, 1u);
}

/// A billboard by its lattice: how wind and map bend its three columns, where its offsets are, and how much of a
/// lattice it is.
struct Woven {
    it: Billboard,
    angles: array<vec2<f32>, 3>,
    first: u32,
    form: f32,
}

/// Where point (i, j) of a lattice is.
fn knot(woven: ptr<function, Woven>, i: u32, j: u32) -> vec3<f32> {
    let it = (*woven).it;
    var p = point_of(it, f32(j) - 1.0, f32(i) / 3.0, (*woven).angles[j]);
    if i > 0u {
        p += unpacked_offset(offsets[(*woven).first + (i - 1u) * 3u + j]);
    }
    if (*woven).form >= 1.0 {
        return p;
    }
    let left = (*woven).angles[0];
    let right = (*woven).angles[2];
    let quad = refine(point_of(it, -1.0, 0.0, left), point_of(it, 1.0, 0.0, right),
        point_of(it, -1.0, 1.0, left), point_of(it, 1.0, 1.0, right), i, j);
    return mix(quad, p, (*woven).form);
}

@vertex
fn lattice_clump(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Seen {
    let slot = list[instance];
    let record = records[slot];
    let shape = shape_of(record.owner);
    if shape.size <= 0.0 {
        return nothing();
    }
    let k = vertex / 12u;
    let i = (vertex % 12u) / 3u;
    let j = vertex % 3u;
    let it = drawn(shape, k);
    let form = record.form * record.form * (3.0 - 2.0 * record.form);
    let angles = array<vec2<f32>, 3>(angle_at(shape, it, -1.0), angle_at(shape, it, 0.0), angle_at(shape, it, 1.0));
    var woven = Woven(it, angles, (slot * #{CROSSED}u + k) * #{FREE}u, form);
    let world = knot(&woven, i, j);
    let rise = knot(&woven, min(i + 1u, 3u), j) - knot(&woven, i - min(i, 1u), j);
    let along = knot(&woven, i, min(j + 1u, 2u)) - knot(&woven, i, j - min(j, 1u));
    let across = cross(along, rise);
    let plane = across / max(length(across), 1e-6);
    return lit(shape, world, plane, vec2<f32>(f32(j) * 0.5, 1.0 - f32(i) / 3.0), f32(i) / 3.0, 2u);
}

@fragment
fn grass_colour(seen: Seen) -> @location(0) vec4<f32> {
    let it = textureSample(colours, cut, seen.at, i32(seen.look));
    let through = textureSample(translucency, cut, seen.at, i32(seen.look)).x;
    // A soft edge of one pixel, however near or far.
    let alpha = clamp((it.a - 0.5) / max(fwidth(it.a), 0.08) + 0.5, 0.0, 1.0);
    let albedo = mix(it.rgb * seen.tint.rgb, seen.tint.rgb * 0.4, seen.tint.a);
    var colour = albedo * (seen.light + seen.through * through);
    let to_eye = view.eye - seen.world;
    let metres = length(to_eye);
    colour = through_air(colour, -to_eye / max(metres, 1e-4), metres);
    return vec4<f32>(colour, alpha);
}
