// What all ways of drawing a character share: what is bound, tints, and light.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{shade, Surface, light_at, through_air}
#import throng_render::shadow::{sun_visibility, sun_visibility_at_vertex}
#import throng_render::instance::{Instance, chance}
#import throng_render::played::Played
#import throng_render::kind::Kind

@group(1) @binding(0) var<storage, read> instances: array<Instance>;
@group(1) @binding(1) var<storage, read> list: array<u32>;
/// 256 groups: colour, height.
@group(1) @binding(2) var<storage, read> tables: array<vec4<f32>>;
/// How many agents have a colour laid on, colours of the classes of detail, then those of the agents.
@group(1) @binding(3) var<storage, read> tints: array<u32>;
@group(1) @binding(4) var<storage, read> played: array<Played>;
@group(1) @binding(6) var<uniform> kind: Kind;
@group(1) @binding(7) var albedo: texture_2d<f32>;
@group(1) @binding(8) var relief: texture_2d<f32>;
@group(1) @binding(9) var smooth_maps: sampler;
/// Class of an agent in the low two bits; above, 1 + its slot among those skinned once, or 0.
@group(1) @binding(10) var<storage, read> home: array<u32>;
/// 128 bits each.
@group(1) @binding(11) var<storage, read> skinned_once: array<vec4<u32>>;

/// Where the skinned vertices of somebody begin.
fn first_of(where_: u32) -> u32 {
    let place = kind.places[where_ & 3u];
    return place.x + ((where_ >> 2u) - 1u) * place.y;
}

fn turned(v: vec3<f32>, d: vec2<f32>) -> vec3<f32> {
    return vec3<f32>(v.x * d.x - v.y * d.y, v.x * d.y + v.y * d.x, v.z);
}

/// What is laid on a body, and how much it covers.
fn laid_on(agent: u32, class_number: u32) -> vec4<f32> {
    var word = tints[1u + min(class_number, #{CLASSES}u - 1u)];
    if agent < tints[0] {
        word = tints[1u + #{CLASSES}u + agent];
    }
    let tint = unpack4x8unorm(word);
    return vec4<f32>(tint.rgb * tint.rgb, tint.a);
}

/// Tints of skin and of cloth; the hue of a group, of brightness 1.
struct Dye {
    skin: vec3<f32>,
    cloth: vec3<f32>,
    hue: vec3<f32>,
}

const BRIGHTNESS: vec3<f32> = vec3<f32>(0.3, 0.59, 0.11);
/// How far skin takes on the hue of its group.
const CLAN: f32 = 0.35;

/// A colour with so much of skin and of cloth in it, dyed.
fn dyed(colour: vec3<f32>, skin_share: f32, cloth_share: f32, d: Dye) -> vec3<f32> {
    let own = colour * mix(vec3<f32>(1.0), d.skin, skin_share) * mix(vec3<f32>(1.0), d.cloth, cloth_share);
    return mix(own, dot(own, BRIGHTNESS) * d.hue, skin_share * CLAN);
}

fn dye(look: u32, group: u32, agent: u32) -> Dye {
    let shade = 0.86 + 0.28 * chance(agent, 4u);
    let warm = chance(agent, 3u) - 0.5;
    let skin = kind.skin[look].rgb * shade * vec3<f32>(1.0 + 0.12 * warm, 1.0, 1.0 - 0.16 * warm);
    let cloth = mix(kind.cloth[look].rgb, tables[group].rgb, kind.livery) * (1.7 - 0.7 * shade);
    let group_colour = tables[group].rgb;
    return Dye(skin, cloth, group_colour / max(dot(group_colour, BRIGHTNESS), 0.02));
}

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec2<f32>,
    @location(4) @interpolate(flat) skin: vec3<f32>,
    @location(5) @interpolate(flat) cloth: vec3<f32>,
    @location(6) @interpolate(flat) laid: vec4<f32>,
    @location(7) @interpolate(flat) feet: vec2<f32>,
    @location(8) @interpolate(flat) hue: vec3<f32>,
}

/// What a surface of a body sends to the eye; `visible` is the share of the sun that the shadow maps leave.
fn lit(surface: Surface, world: vec3<f32>, feet: vec2<f32>, visible: f32) -> vec3<f32> {
    let to_eye = view.eye - world;
    let metres = length(to_eye);
    let dir = to_eye / max(metres, 1e-4);
    return through_air(shade(surface, light_at(feet), world, dir, visible), -dir, metres);
}

fn unit(normal: vec3<f32>) -> vec3<f32> {
    let long = length(normal);
    return select(vec3<f32>(0.0, 0.0, 1.0), normal / max(long, 1e-6), long > 1e-3);
}

/// The same at a vertex, for those of whom little is seen.
fn lit_at_vertex(colour: vec3<f32>, normal: vec3<f32>, open: f32, world: vec3<f32>, feet: vec2<f32>) -> vec3<f32> {
    let n = unit(normal);
    let visible = sun_visibility_at_vertex(world, n, view_depth(world));
    return lit(Surface(colour, n, open, 0.5), world, feet, visible);
}

/// What a place of a body sends to the eye.
fn painted(seen: Seen) -> vec4<f32> {
    let paint = textureSample(albedo, smooth_maps, seen.uv);
    let detail = textureSample(relief, smooth_maps, seen.uv);
    let n = unit(seen.normal);
    let t = seen.tangent.xyz - n * dot(n, seen.tangent.xyz);
    let along = t / max(length(t), 1e-4);
    let bump = (detail.xy * 255.0 - 128.0) / 127.0;
    let up = sqrt(max(1.0 - dot(bump, bump), 0.04));
    let normal = normalize(along * bump.x + cross(n, along) * sign(seen.tangent.w) * bump.y + n * up);
    var colour = dyed(paint.rgb, paint.a, detail.z, Dye(seen.skin, seen.cloth, seen.hue));
    colour = mix(colour, seen.laid.rgb, seen.laid.a);
    // Nearer to the ground there is less sky.
    let open = detail.w;
    let visible = sun_visibility(seen.world, normal, view_depth(seen.world));
    let surface = Surface(colour, normal, open, 0.9 - 0.6 * detail.z);
    return vec4<f32>(lit(surface, seen.world, seen.feet, visible), 1.0);
}
