// Bodies at the places of a list: turned to their heading, walking by the time of their clip.

#import throng_render::view::{view, view_depth}
#import throng_render::light::{shade, Surface, light_at, through_air}
#import throng_render::shadow::{sun_visibility, sun_visibility_at_vertex}
#import throng_render::instance::{Instance, chance}

@group(1) @binding(0) var<storage, read> instances: array<Instance>;
@group(1) @binding(1) var<storage, read> list: array<u32>;
/// 256 groups (colour, height), 256 actions (pose, strides per second).
@group(1) @binding(2) var<storage, read> tables: array<vec4<f32>>;

/// How many agents have a colour laid on, colours of the classes of detail, then those of the agents.
@group(1) @binding(3) var<storage, read> tints: array<u32>;

const TAU: f32 = 6.2831853;

/// Turns in the plane of x and z about a joint.
fn swing(p: vec3<f32>, joint: f32, angle: f32) -> vec3<f32> {
    let c = cos(angle);
    let s = sin(angle);
    let z = p.z - joint;
    return vec3<f32>(p.x * c - z * s, p.y, p.x * s + z * c + joint);
}

struct Posed {
    position: vec3<f32>,
    normal: vec3<f32>,
}

/// The body in its pose; it is 1 high and looks along x.
fn posed(p: vec3<f32>, n: vec3<f32>, part: u32, pose: u32, phase: f32, carries: bool, own: f32) -> Posed {
    var position = p;
    var tip = p + n * 0.01;
    let walks = pose <= 1u;
    let stride = select(0.0, select(0.48, 0.85, pose == 1u), walks);
    var side = 1.0;
    if part == 2u || part == 4u {
        side = -1.0;
    }
    if part == 1u || part == 2u {
        var hip = sin(phase) * side * stride;
        var knee = max(0.0, -cos(phase) * side) * stride * 1.5;
        if pose == 4u {
            hip = 1.45;
            knee = 0.35;
        }
        if pose == 3u {
            hip = 0.12 * side;
            knee = 0.25;
        }
        if position.z < 0.27 {
            position = swing(position, 0.27, -knee);
            tip = swing(tip, 0.27, -knee);
        }
        position = swing(position, 0.50, hip);
        tip = swing(tip, 0.50, hip);
    } else if part == 3u || part == 4u {
        var shoulder = -sin(phase) * side * stride * 0.8 + 0.06;
        if carries {
            shoulder = 1.1;
        } else if pose == 3u {
            shoulder = 0.9 + 0.5 * sin(phase * 0.9);
        } else if pose == 2u {
            shoulder = 0.05 + 0.04 * sin(phase * 0.3);
        }
        position = swing(position, 0.80, shoulder);
        tip = swing(tip, 0.80, shoulder);
    } else if part == 5u && !carries {
        position = vec3<f32>(0.0, 0.0, 0.65);
        tip = position;
    }
    if pose == 3u && part != 1u && part != 2u {
        let bend = -0.45 - 0.2 * sin(phase * 0.9);
        position = swing(position, 0.48, bend);
        tip = swing(tip, 0.48, bend);
    }
    if pose == 1u && part != 1u && part != 2u {
        position = swing(position, 0.5, -0.18);
        tip = swing(tip, 0.5, -0.18);
    }
    var lift = select(0.0, 0.012 + 0.016 * cos(2.0 * phase), walks);
    if pose == 4u {
        lift = -0.40;
    }
    position.z += lift;
    tip.z += lift;
    if pose == 5u {
        position = vec3<f32>(position.z - 0.5, position.y, 0.09 - position.x * 0.9);
        tip = vec3<f32>(tip.z - 0.5, tip.y, 0.09 - tip.x * 0.9);
    }
    return Posed(position, normalize(tip - position + n * 1e-5));
}

struct Placed {
    world: vec3<f32>,
    normal: vec3<f32>,
    agent: u32,
    group: u32,
    feet: vec2<f32>,
}

fn placed(p: vec3<f32>, n: vec3<f32>, kind: vec4<u32>, number: u32) -> Placed {
    let it = instances[list[number]];
    let agent = it.group >> 8u;
    let group = it.group & 0xffu;
    let action = tables[256u + (it.action & 0xffu)];
    let carries = ((it.action >> 8u) & 0xffu) != 0u;
    let size = tables[group].w * (0.9 + 0.2 * chance(agent, 0u));
    let phase = (it.clip_time * action.y + chance(agent, 1u)) * TAU;
    let body = posed(p, n, kind.x, u32(action.x), phase, carries, chance(agent, 2u));
    let wide = 0.94 + 0.22 * chance(agent, 3u);
    let d = it.direction;
    let local = body.position * vec3<f32>(wide, wide, 1.0) * size;
    let world = it.position + vec3<f32>(local.x * d.x - local.y * d.y, local.x * d.y + local.y * d.x, local.z);
    let normal = vec3<f32>(body.normal.x * d.x - body.normal.y * d.y, body.normal.x * d.y + body.normal.y * d.x, body.normal.z);
    return Placed(world, normal, agent, group, it.position.xy);
}

struct Seen {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) colour: vec3<f32>,
    @location(3) open: f32,
    @location(4) @interpolate(flat) feet: vec2<f32>,
}

fn painted(paint: u32, agent: u32, group: u32) -> vec3<f32> {
    let own = chance(agent, 4u);
    let other = chance(agent, 5u);
    switch paint {
        case 1u: {
            return mix(vec3<f32>(0.48, 0.29, 0.19), vec3<f32>(0.13, 0.065, 0.04), own * own);
        }
        case 2u: {
            let dark = mix(vec3<f32>(0.035, 0.045, 0.075), vec3<f32>(0.13, 0.10, 0.07), other);
            return mix(dark, tables[group].rgb * 0.3, 0.3) * (0.6 + 0.7 * own);
        }
        case 3u: {
            return mix(vec3<f32>(0.018, 0.013, 0.011), vec3<f32>(0.19, 0.12, 0.055), own * other);
        }
        case 4u: {
            return vec3<f32>(0.025, 0.02, 0.018);
        }
        case 5u: {
            return vec3<f32>(0.85, 0.52, 0.10);
        }
        default: {
            let grey = dot(tables[group].rgb, vec3<f32>(0.3, 0.59, 0.11));
            let shade = mix(tables[group].rgb, vec3<f32>(grey), 0.25 * other);
            return shade * (0.55 + 0.75 * own);
        }
    }
}

/// The body's colour under what is laid on it.
fn tinted(colour: vec3<f32>, number: u32, class_number: u32) -> vec3<f32> {
    var word = tints[1u + min(class_number, #{CLASSES}u - 1u)];
    let agent = list[number];
    if agent < tints[0] {
        word = tints[1u + #{CLASSES}u + agent];
    }
    let tint = unpack4x8unorm(word);
    return mix(colour, tint.rgb * tint.rgb, tint.a);
}

fn seen_body(p: vec3<f32>, n: vec4<f32>, kind: vec4<u32>, number: u32) -> Seen {
    let it = placed(p, n.xyz, kind, number);
    let colour = tinted(painted(kind.y, it.agent, it.group), number, kind.w);
    let clip = view.clip_from_world * vec4<f32>(it.world, 1.0);
    return Seen(clip, it.world, it.normal, colour, f32(kind.z) / 255.0, it.feet);
}

@vertex
fn body(
    @location(0) p: vec3<f32>,
    @location(1) n: vec4<f32>,
    @location(2) kind: vec4<u32>,
    @builtin(instance_index) number: u32,
) -> Seen {
    return seen_body(p, n, kind, number);
}

@vertex
fn body_depth(
    @location(0) p: vec3<f32>,
    @location(1) n: vec4<f32>,
    @location(2) kind: vec4<u32>,
    @builtin(instance_index) number: u32,
) -> @builtin(position) vec4<f32> {
    return view.clip_from_world * vec4<f32>(placed(p, n.xyz, kind, number).world, 1.0);
}

fn unit(normal: vec3<f32>) -> vec3<f32> {
    let blend = length(normal);
    return select(vec3<f32>(0.0, 0.0, 1.0), normal / max(blend, 1e-6), blend > 1e-3);
}

/// What a place of a body sends to the eye; `visible` is the share of the sun that the shadow maps leave.
fn lit(seen: Seen, n: vec3<f32>, visible: f32) -> vec3<f32> {
    let to_eye = view.eye - seen.world;
    let metres = length(to_eye);
    let dir = to_eye / max(metres, 1e-4);
    let surface = Surface(seen.colour, n, seen.open, 0.5);
    return through_air(shade(surface, light_at(seen.feet), seen.world, dir, visible), -dir, metres);
}

@fragment
fn body_colour(seen: Seen) -> @location(0) vec4<f32> {
    let n = unit(seen.normal);
    return vec4<f32>(lit(seen, n, sun_visibility(seen.world, n, view_depth(seen.world))), 1.0);
}

struct Speck {
    @builtin(position) clip: vec4<f32>,
    /// Within the triangle: beyond its corners light would be brighter than anything.
    @location(0) @interpolate(perspective, centroid) light: vec3<f32>,
}

/// Of those far away triangles are a pixel or less: light is found at their vertices, of which there are fewer than
/// pixels that triangles touch.
@vertex
fn speck(
    @location(0) p: vec3<f32>,
    @location(1) n: vec4<f32>,
    @location(2) kind: vec4<u32>,
    @builtin(instance_index) number: u32,
) -> Speck {
    let seen = seen_body(p, n, kind, number);
    let normal = unit(seen.normal);
    let visible = sun_visibility_at_vertex(seen.world, normal, view_depth(seen.world));
    return Speck(seen.clip, lit(seen, normal, visible));
}

@fragment
fn speck_colour(seen: Speck) -> @location(0) vec4<f32> {
    return vec4<f32>(seen.light, 1.0);
}
