// What a view draws of many spheres: flags, one array per class.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::view::{view, may_see}
#import throng_render::hiding::hidden
#import throng_render::instance::Instance

/// `Filter` in Rust.
struct Filter {
    frustum: u32,
    occlusion: u32,
    detail: u32,
    word: u32,
    /// Heights in pixels at which classes begin.
    near: f32,
    middle: f32,
    far: f32,
    pixels: f32,
    tallest: f32,
    reach: f32,
    at_most: u32,
    member: u32,
    /// The bit of the view in what is wanted; 1 if it is the first to say; 1 if it is a split of the shadow.
    bit: u32,
    first: u32,
    casts: u32,
    unused: u32,
    casting: array<vec4<u32>, 16>,
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
@group(0) @binding(6) var<storage, read_write> near_flags: array<u32>;
@group(0) @binding(7) var<storage, read_write> middle_flags: array<u32>;
@group(0) @binding(8) var<storage, read_write> far_flags: array<u32>;
@group(0) @binding(9) var<storage, read_write> speck_flags: array<u32>;
/// Views that see an agent, as bits.
@group(0) @binding(19) var<storage, read_write> wanted: array<u32>;
/// Class of an agent in the low two bits; above, 1 + its slot among those skinned once, or 0.
@group(0) @binding(20) var<storage, read_write> home: array<u32>;
@group(0) @binding(21) var<storage, read> listed: array<u32>;
/// Class, and how many slots it has.
@group(0) @binding(22) var<uniform> room: vec4<u32>;

// Of props.
@group(0) @binding(10) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(11) var<storage, read> props: array<Prop>;
@group(0) @binding(12) var<storage, read> clusters: array<Cluster>;

// Of draw arguments.
@group(0) @binding(13) var<storage, read> kept_near: array<u32>;
@group(0) @binding(14) var<storage, read> kept_middle: array<u32>;
@group(0) @binding(15) var<storage, read> kept_far: array<u32>;
@group(0) @binding(16) var<storage, read> kept_speck: array<u32>;
@group(0) @binding(17) var<storage, read_write> arguments: array<u32>;
@group(0) @binding(18) var<uniform> indices: vec4<u32>;

/// Of the triangles of a cluster: those of a coarse level, which is lit by vertices.
const BY_VERTICES: u32 = #{BY_VERTICES}u;

/// Pixels of height from which on somebody casts a shadow, and of width from which on a cluster of a prop does.
const LEAST_CASTER: f32 = 6.0;

/// Everything an agent does stays in this sphere, whatever its size and pose.
fn sphere_of(at: Instance) -> vec4<f32> {
    let half = choice.tallest * 0.5;
    return vec4<f32>(at.position + vec3<f32>(0.0, 0.0, half), choice.tallest * choice.reach);
}

fn agents() -> u32 {
    return min(count[choice.word], choice.at_most);
}

/// Whether somebody is played by the one of the cast that is listed.
fn cast_here(at: Instance) -> bool {
    let group = at.group & 0xffu;
    let four = choice.casting[group >> 4u][(group >> 2u) & 3u];
    return ((four >> (8u * (group & 3u))) & 0xffu) == choice.member;
}

/// The class of somebody so many pixels high.
fn rank_of(pixels: f32) -> u32 {
    if choice.detail == 0u {
        return 0u;
    }
    return u32(pixels < choice.near) + u32(pixels < choice.middle) + u32(pixels < choice.far);
}

fn flag(i: u32, drawn: bool, rank: u32) {
    near_flags[i] = u32(drawn && rank == 0u);
    middle_flags[i] = u32(drawn && rank == 1u);
    far_flags[i] = u32(drawn && rank == 2u);
}

fn height_on_screen(sphere: vec4<f32>) -> f32 {
    return choice.tallest / max(distance(sphere.xyz, view.focus), 0.01) * choice.pixels;
}

/// Whether a view may see somebody, by its half spaces.
@compute @workgroup_size(GROUP)
fn look(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let at = instances[i];
    let sphere = sphere_of(at);
    var seen = cast_here(at) && (choice.frustum == 0u || may_see(sphere.xyz, sphere.w));
    // Who is a few pixels tall has a shadow of a pixel or two, and there may be very many of those.
    seen &= choice.casts == 0u || choice.detail == 0u || height_on_screen(sphere) >= LEAST_CASTER;
    let before = select(wanted[i], 0u, choice.first == 1u);
    wanted[i] = before | (u32(seen) << choice.bit);
}

/// Takes back what the picture cannot see behind what is drawn already.
@compute @workgroup_size(GROUP)
fn hide(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() || choice.occlusion == 0u {
        return;
    }
    let before = wanted[i];
    if ((before >> choice.bit) & 1u) == 1u {
        let sphere = sphere_of(instances[i]);
        if hidden(sphere.xyz, sphere.w, choice.frustum != 0u) {
            wanted[i] = before & ~(1u << choice.bit);
        }
    }
}

/// The class of everybody, the same in all views, by size in the picture; who is wanted, by class.
@compute @workgroup_size(GROUP)
fn rank(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let class_number = rank_of(height_on_screen(sphere_of(instances[i])));
    home[i] = class_number;
    flag(i, wanted[i] != 0u, class_number);
}

/// Slots for those of a class who come first; the others stay without.
@compute @workgroup_size(GROUP)
fn assign(place: Place) {
    let k = flat_invocation(place);
    if k >= min(kept_near[0], room.y) {
        return;
    }
    home[listed[k]] = room.x | ((k + 1u) << 2u);
}

/// Whom a view draws, by class.
@compute @workgroup_size(GROUP)
fn sort(place: Place) {
    let i = flat_invocation(place);
    if i >= agents() {
        return;
    }
    let drawn = ((wanted[i] >> choice.bit) & 1u) == 1u;
    let class_number = home[i] & 3u;
    flag(i, drawn, class_number);
    speck_flags[i] = u32(drawn && class_number == 3u);
}

/// How many workgroups skin a class: one for each who has a slot.
@compute @workgroup_size(1)
fn write_skins() {
    arguments[0] = min(kept_near[0], room.y);
    arguments[1] = 1u;
    arguments[2] = 1u;
}

/// Whether a view draws a cluster of a prop: of one level of detail, also in shadows, by the distance of the prop's foot
/// from the eye.
fn draws_cluster(prop: Prop, cluster: Cluster) -> bool {
    let turn = vec2<f32>(cos(prop.yaw), sin(prop.yaw));
    let c = cluster.centre * prop.scale;
    let centre = prop.position + vec3<f32>(c.x * turn.x - c.y * turn.y, c.x * turn.y + c.y * turn.x, c.z);
    // Leaves sway by a little.
    let radius = cluster.radius * prop.scale * 1.05 + 0.05;
    var away = 0.0;
    if choice.detail != 0u {
        away = distance(prop.position, view.focus) / (prop.scale * choice.pixels);
    }
    let due = away >= cluster.from_ && away < cluster.below;
    return due && (choice.frustum == 0u || may_see(centre, radius));
}

/// Clusters that cast into a split. As with people, the shadow of what is a few pixels wide is left out.
@compute @workgroup_size(GROUP)
fn classify_casters(place: Place) {
    let i = flat_invocation(place);
    if i >= choice.at_most {
        return;
    }
    let prop = props[pairs[i].x];
    let cluster = clusters[pairs[i].y];
    let wide = 2.0 * cluster.radius * prop.scale / max(distance(prop.position, view.focus), 0.01) * choice.pixels;
    let casts = choice.detail == 0u || wide >= LEAST_CASTER;
    near_flags[i] = u32(casts && draws_cluster(prop, cluster));
}

/// Clusters in the picture: lit by pixels, and by vertices.
@compute @workgroup_size(GROUP)
fn classify_clusters(place: Place) {
    let i = flat_invocation(place);
    if i >= choice.at_most {
        return;
    }
    let cluster = clusters[pairs[i].y];
    let drawn = draws_cluster(props[pairs[i].x], cluster);
    let by_vertices = (cluster.triangles & BY_VERTICES) != 0u;
    near_flags[i] = u32(drawn && !by_vertices);
    middle_flags[i] = u32(drawn && by_vertices);
}

/// Arguments of an indexed draw for each class.
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
    arguments[16] = kept_speck[0];
}

/// Arguments of one plain draw.
@compute @workgroup_size(1)
fn write_plain_draw() {
    arguments[0] = indices.x;
    arguments[1] = kept_near[0];
    arguments[2] = 0u;
    arguments[3] = 0u;
}
