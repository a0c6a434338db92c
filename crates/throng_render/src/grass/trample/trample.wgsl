// Feet on grass: prints of a step, and what becomes of prints. The twin is `cpu.rs`.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::instance::Instance
#import throng_render::grass_form::{GrassUniform, Hero}
#import throng_render::grass_recover::residual

/// Where an agent was last seen.
struct Track {
    /// 1 + its number; 0: nobody.
    number: u32,
    x: f32,
    y: f32,
    when: u32,
}

@group(0) @binding(0) var<uniform> grass: GrassUniform;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> count: array<u32>;
@group(0) @binding(3) var<storage, read_write> tracks: array<Track>;
/// Strength in the high half, then when in the step it was left and its angle, a byte each.
@group(0) @binding(4) var<storage, read_write> prints: array<atomic<u32>>;
/// When a block was trodden on last.
@group(0) @binding(5) var<storage, read_write> touched: array<atomic<u32>>;
/// Of each texel: strength at contact in the highest twelve bits, angle in eight, wear in the lowest twelve; the tick
/// of the contact.
@group(0) @binding(6) var<storage, read_write> state: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> active_flags: array<u32>;
@group(0) @binding(8) var<storage, read> active_blocks: array<u32>;
@group(0) @binding(9) var map: texture_storage_2d<rgba16float, write>;
@group(0) @binding(10) var<storage, read> kept: array<u32>;
@group(0) @binding(11) var<storage, read_write> arguments: array<u32>;
@group(0) @binding(12) var<uniform> heroes: array<Hero, 4>;

const TAU: f32 = 6.28318531;

/// Strength and direction of a print at a place, and the share of the way at which it was left.
struct Print {
    strength: f32,
    way: vec2<f32>,
    left: f32,
}

/// What feet that went from `a` to `b` do at `p`; `heading` is where somebody looks who stands, `foot` how far they
/// reach.
fn print_at(p: vec2<f32>, a: vec2<f32>, b: vec2<f32>, heading: vec2<f32>, foot: f32) -> Print {
    let along = b - a;
    let length_squared = dot(along, along);
    let t = clamp(dot(p - a, along) / max(length_squared, 1e-12), 0.0, 1.0);
    let out = p - (a + along * t);
    let d = length(out);
    let pressed = 1.0 - smoothstep(foot - grass.edge, foot + grass.edge, d);
    // In the middle of the way the way itself counts, at its edge the way out, but never back; of who stands the way
    // out.
    let moving = length_squared > 1e-8;
    let forward = select(heading, along * inverseSqrt(max(length_squared, 1e-12)), moving);
    let aside = out - forward * select(0.0, min(dot(out, forward), 0.0), moving);
    let size = length(aside);
    let radial = select(forward, aside / max(size, 1e-6), size > 1e-4);
    let middle = dot(p - a, along) / max(length_squared, 1e-12);
    let off = p - (a + along * middle);
    let weight = select(0.0, 1.0 - smoothstep(0.0, foot, length(off)), moving);
    let way = mix(radial, forward, weight);
    // When feet were last wholly on it, or nearest: the same whatever the steps are.
    let inner = max(foot - grass.edge, 0.0);
    let beyond = sqrt(max(inner * inner - dot(off, off), 0.0)) * inverseSqrt(max(length_squared, 1e-12));
    let left = select(1.0, clamp(middle + beyond, 0.0, 1.0), moving);
    // What lies behind the beginning of a way was pressed as hard by the step before, at its own time.
    let strength = select(pressed, 0.0, moving && middle < 0.0 && d > inner);
    return Print(strength, way / max(length(way), 1e-6), left);
}

/// `began`: when the agent was at the beginning of its way.
fn packed(it: Print, began: u32) -> u32 {
    let strength = u32(round(clamp(it.strength, 0.0, 1.0) * 65535.0));
    let turn = atan2(it.way.y, it.way.x) / TAU;
    let angle = u32(round(fract(turn + 1.0) * 256.0)) & 0xffu;
    let when = f32(i32(began) - i32(grass.before)) + it.left * f32(grass.now - began);
    let step = max(f32(grass.now - grass.before), 1.0);
    let share = select(clamp(when / step, 0.0, 1.0), 1.0, grass.now == grass.before);
    return (strength << 16u) | (u32(round(share * 255.0)) << 8u) | angle;
}

fn agents() -> u32 {
    return min(count[grass.word], grass.at_most);
}

/// The prints of everybody in this step.
@compute @workgroup_size(GROUP)
fn splat(place: Place) {
    let i = flat_invocation(place);
    if i < grass.heroes && heroes[i].tread > 0.0 {
        let it = heroes[i];
        let from_there = it.centre.xy - it.velocity * min(grass.dt, grass.leap / max(length(it.velocity), 0.1));
        tread(from_there, it.centre.xy, it.velocity, it.tread, grass.before);
    }
    if i >= agents() {
        return;
    }
    let it = instances[i];
    let number = it.group >> 8u;
    let slot = number & grass.mask;
    let b = it.position.xy;
    var a = b;
    var began = grass.now;
    let last = tracks[slot];
    let from_there = vec2<f32>(last.x, last.y);
    let recent = last.number == number + 1u && grass.now - last.when < 2000u;
    if recent && distance(from_there, b) < grass.leap {
        a = from_there;
        began = last.when;
    }
    tracks[slot] = Track(number + 1u, b.x, b.y, grass.now);
    tread(a, b, it.direction, grass.foot, began);
}

/// The print of what went from `a` to `b` since a tick.
fn tread(a: vec2<f32>, b: vec2<f32>, heading: vec2<f32>, foot: f32, began: u32) {
    let reach = foot + grass.edge;
    let size = vec2<f32>(f32(grass.map_columns), f32(grass.map_rows));
    let low = floor((min(a, b) - reach - grass.map_origin) / grass.map_cell);
    let high = floor((max(a, b) + reach - grass.map_origin) / grass.map_cell);
    if any(high < vec2<f32>(0.0)) || any(low >= size) {
        return;
    }
    let first = vec2<u32>(clamp(low, vec2<f32>(0.0), size - 1.0));
    let last_texel = vec2<u32>(clamp(high, vec2<f32>(0.0), size - 1.0));
    for (var y = first.y; y <= last_texel.y; y++) {
        for (var x = first.x; x <= last_texel.x; x++) {
            let p = grass.map_origin + (vec2<f32>(f32(x), f32(y)) + 0.5) * grass.map_cell;
            let print = print_at(p, a, b, heading, foot);
            if print.strength > 0.0 {
                atomicMax(&prints[y * grass.map_columns + x], packed(print, began));
            }
        }
    }
    let low_block = first / #{BLOCK}u;
    let high_block = last_texel / #{BLOCK}u;
    for (var y = low_block.y; y <= high_block.y; y++) {
        for (var x = low_block.x; x <= high_block.x; x++) {
            // One more than the tick: 0 is never.
            atomicMax(&touched[y * grass.block_columns + x], grass.now + 1u);
        }
    }
}

/// Which blocks something happens in: prints that are not recovered, or worn ground whose turn it is.
@compute @workgroup_size(GROUP)
fn find_active(place: Place) {
    let i = flat_invocation(place);
    if i >= grass.blocks {
        return;
    }
    let last = atomicLoad(&touched[i]);
    let until = last + u32(grass.recovery * 1000.0) + 1u;
    // Staggered, so that no step has to look at all of them.
    let offset = (i * 977u) % #{REGROWN}u;
    let turn = (grass.now + offset) / #{REGROWN}u != (grass.before + offset) / #{REGROWN}u;
    active_flags[i] = u32(last > 0u && (until >= grass.before || turn));
}

/// A workgroup for each active block.
@compute @workgroup_size(1)
fn write_arguments() {
    arguments[0] = kept[0];
    arguments[1] = 1u;
    arguments[2] = 1u;
}

/// 0 to 1, by hash.
fn chance(seed: u32) -> f32 {
    var h = (seed ^ (seed >> 16u)) * 0x7feb352du;
    h = (h ^ (h >> 15u)) * 0x846ca68bu;
    return f32((h ^ (h >> 16u)) >> 8u) / 16777216.0;
}

/// What is left of wear after so many milliseconds.
fn regrown(age: u32) -> f32 {
    return exp2(-f32(age) * 0.001 / grass.regrowth);
}

/// Prints of this step meet those there are; all recover.
@compute @workgroup_size(#{BLOCK}, #{BLOCK})
fn merge(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let block = active_blocks[group.x];
    let at = vec2<u32>(block % grass.block_columns, block / grass.block_columns) * #{BLOCK}u + local.xy;
    if at.x >= grass.map_columns || at.y >= grass.map_rows {
        return;
    }
    let texel = at.y * grass.map_columns + at.x;
    let print = atomicExchange(&prints[texel], 0u);
    let old = state[texel];
    let ever = old.x != 0u;
    let age = select(0u, grass.now - min(old.y, grass.now), ever);
    var strength = f32(old.x >> 20u) / 4095.0 * residual(f32(age) * 0.001 / grass.recovery);
    var angle = (old.x >> 12u) & 0xffu;
    var wear = f32(old.x & 0xfffu) / 4095.0 * regrown(age);
    let pressed = f32(print >> 16u) / 65535.0;
    if print >= 0x10000u && pressed + 2e-4 >= strength {
        strength = pressed;
        angle = print & 0xffu;
        // As long as somebody is on it: a whole passing comes to the whole of it, in whatever steps.
        let seconds = f32(grass.now - grass.before) * 0.001;
        wear = min(wear + grass.wear * pressed * seconds / (seconds + 2.0 * grass.foot / #{PACE}.0 * 1000.0), 1.0);
        // Up or down by chance: small steps add up.
        let worn = min(u32(wear * 4095.0 + chance(texel ^ (grass.now * 0x9e3779b9u))), 4095u);
        let when = grass.before + u32(round(f32(grass.now - grass.before) * f32((print >> 8u) & 0xffu) / 255.0));
        state[texel] = vec2<u32>((u32(round(pressed * 4095.0)) << 20u) | (angle << 12u) | worn, when);
        strength *= residual(f32(grass.now - when) * 0.001 / grass.recovery);
    }
    let turn = f32(angle) / 256.0 * TAU;
    textureStore(map, at, vec4<f32>(vec2<f32>(cos(turn), sin(turn)) * strength, strength, wear));
}
