// What everybody plays: clips by action and speed, in step with the way walked, faded from what was played before.

#import throng_gpu::group::{GROUP, Place, flat_invocation}
#import throng_render::instance::{Instance, chance}
#import throng_render::played::Played

/// `MotionUniform` in Rust.
struct Motion {
    time: f32,
    dt: f32,
    word: u32,
    at_most: u32,
    /// Slots of the memory, less one; a power of two less one.
    mask: u32,
    member: u32,
    clips: u32,
    gaits: u32,
    looks: u32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
    /// Which of the cast plays a group, a byte each.
    casting: array<vec4<u32>, 16>,
    /// Size, and what is missing.
    look: array<vec4<f32>, 16>,
}

/// What is kept of an agent from frame to frame.
struct Memory {
    /// 1 + the agent's number; 0: nobody.
    number: u32,
    x: f32,
    y: f32,
    /// Share of the round of a gait.
    phase: f32,
    /// Metres per second.
    speed: f32,
    /// What it does: 0 walks, else 1 + the clip.
    mode: u32,
    began: f32,
    /// What it did before, and what it did last: clip in the low half, share of it in the high half.
    before: u32,
    last: u32,
}

@group(0) @binding(0) var<uniform> motion: Motion;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> count: array<u32>;
@group(0) @binding(3) var<storage, read> play: array<vec4<u32>>;
/// 256 groups: colour, height.
@group(0) @binding(4) var<storage, read> tables: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> memory: array<Memory>;
@group(0) @binding(6) var<storage, read_write> played: array<Played>;

/// Seconds in which a speed that is seen follows that of the body.
const LAG: f32 = 0.22;
/// Nobody walks that far between two frames (metres).
const LEAP: f32 = 4.0;

/// Keys around a share of a clip and the share of the second; the twin of `BakedClips::around`.
fn clip_keys(clip: u32, share: f32, weight: f32) -> vec4<u32> {
    let it = play[motion.clips + 2u * clip];
    let keys = it.y;
    var a = 0u;
    var b = 0u;
    var mixed = 0.0;
    if keys >= 2u {
        if it.z == 1u {
            let s = (share - floor(share)) * f32(keys);
            a = min(u32(s), keys - 1u);
            b = (a + 1u) % keys;
            mixed = s - f32(a);
        } else {
            let s = clamp(share, 0.0, 1.0) * f32(keys - 1u);
            a = min(u32(s), keys - 2u);
            b = a + 1u;
            mixed = s - f32(a);
        }
    }
    return vec4<u32>(it.x + a, it.x + b, bitcast<u32>(mixed), bitcast<u32>(weight));
}

fn duration(clip: u32) -> f32 {
    return max(bitcast<f32>(play[motion.clips + 2u * clip].w), 0.001);
}

fn listed(list: u32, i: u32) -> u32 {
    return (list >> (10u * i)) & 1023u;
}

/// Clip and share of somebody who stands: what comes before once, then its own.
fn standing(row: vec4<u32>, agent: u32, time: f32) -> vec2<f32> {
    var left = time;
    let intros = row.y >> 30u;
    for (var i = 0u; i < intros; i++) {
        let clip = listed(row.y, i);
        if left < duration(clip) {
            return vec2<f32>(f32(clip), left / duration(clip));
        }
        left -= duration(clip);
    }
    let stills = max(row.x >> 30u, 1u);
    // The first is the usual one.
    let pick = u32(chance(agent, 6u) * (f32(stills) + 1.0));
    let clip = listed(row.x, select(pick, 0u, pick >= stills));
    var share = left / duration(clip);
    if play[motion.clips + 2u * clip].z == 1u && intros == 0u {
        share += chance(agent, 7u);
    }
    return vec2<f32>(f32(clip), share);
}

fn packed_clip(clip: u32, share: f32) -> u32 {
    let wrapped = select(clamp(share, 0.0, 1.0), share - floor(share), play[motion.clips + 2u * clip].z == 1u);
    return clip | (u32(wrapped * 65535.0) << 16u);
}

@compute @workgroup_size(GROUP)
fn advance(place: Place) {
    let i = flat_invocation(place);
    if i >= min(count[motion.word], motion.at_most) {
        return;
    }
    let it = instances[i];
    let group = it.group & 0xffu;
    if ((motion.casting[group >> 4u][(group >> 2u) & 3u] >> (8u * (group & 3u))) & 0xffu) != motion.member {
        return;
    }
    let agent = it.group >> 8u;
    let slot = agent & motion.mask;
    var m = memory[slot];
    let known = m.number == agent + 1u;
    let row = play[2u * (it.action & 0xffu)];
    let limits = play[2u * (it.action & 0xffu) + 1u];
    let look = u32(chance(agent, 5u) * f32(motion.looks));
    let own = motion.look[min(look, 15u)];
    let size = tables[group].w * own.x * (0.95 + 0.1 * chance(agent, 0u));
    var way = 0.0;
    if known {
        way = distance(vec2<f32>(m.x, m.y), it.position.xy);
        way = select(way, 0.0, way > LEAP);
        if motion.dt > 0.0 {
            m.speed = mix(way / motion.dt, m.speed, exp(-motion.dt / LAG));
        }
    } else {
        m = Memory(agent + 1u, 0.0, 0.0, chance(agent, 1u), bitcast<f32>(limits.z), 0u, -1000.0, 0u, 0u);
    }
    m.x = it.position.x;
    m.y = it.position.y;
    let limit = bitcast<f32>(select(limits.x, limits.y, known && m.mode == 0u));
    let walks = row.w > 0u && m.speed > limit;
    var first = vec4<u32>(0u);
    var second = vec4<u32>(0u);
    var mode = 0u;
    var clip = 0u;
    var share = 0.0;
    if walks {
        // Two gaits around its speed, in step with each other.
        let pace = m.speed / size;
        var at = 0u;
        while at + 1u < row.w && bitcast<f32>(play[motion.gaits + row.z + at + 1u].z) < pace {
            at++;
        }
        let slow = play[motion.gaits + row.z + at];
        let fast = play[motion.gaits + row.z + min(at + 1u, row.w - 1u)];
        let from_ = bitcast<f32>(slow.z);
        let t = clamp((pace - from_) / max(bitcast<f32>(fast.z) - from_, 0.001), 0.0, 1.0);
        let stride = mix(bitcast<f32>(slow.y), bitcast<f32>(fast.y), t);
        m.phase = fract(m.phase + way / size / max(stride, 0.02));
        first = clip_keys(slow.x, m.phase, 1.0 - t);
        second = clip_keys(fast.x, m.phase, t);
        clip = slow.x;
        if t > 0.5 {
            let other = first;
            first = second;
            second = other;
            clip = fast.x;
        }
        share = m.phase;
    } else {
        let now = standing(row, agent, it.clip_time);
        clip = u32(now.x);
        share = now.y;
        mode = clip + 1u;
        first = clip_keys(clip, share, 1.0);
    }
    if !known {
        m.mode = mode;
    } else if m.mode != mode {
        m.mode = mode;
        m.began = motion.time;
        m.before = m.last;
    }
    m.last = packed_clip(clip, share);
    let props = play[motion.clips + 2u * clip + 1u].z;
    let blend = max(bitcast<f32>(play[motion.clips + 2u * clip + 1u].y), 0.01);
    let here = smoothstep(0.0, 1.0, (motion.time - m.began) / blend);
    var third = vec4<u32>(0u);
    if here < 1.0 {
        third = clip_keys(m.before & 0xffffu, f32(m.before >> 16u) / 65535.0, 1.0 - here);
        first.w = bitcast<u32>(bitcast<f32>(first.w) * here);
        second.w = bitcast<u32>(bitcast<f32>(second.w) * here);
    }
    // Nothing comes after nothing.
    if bitcast<f32>(second.w) < 0.004 {
        second = third;
        third = vec4<u32>(0u);
        if second.w == 0u {
            first.w = bitcast<u32>(1.0);
        }
    }
    memory[slot] = m;
    played[i] = Played(first, second, third, bitcast<u32>(own.y) & ~props, look, size, 0.0);
}

/// Everybody holds a moment of a clip: its number is in the place of the action, seconds in that of the clip's time.
/// For tools and tests.
@compute @workgroup_size(GROUP)
fn hold(place: Place) {
    let i = flat_invocation(place);
    if i >= min(count[motion.word], motion.at_most) {
        return;
    }
    let it = instances[i];
    let keys = clip_keys(it.action, it.clip_time / duration(it.action), 1.0);
    played[i] = Played(keys, vec4<u32>(0u), vec4<u32>(0u), 0u, 0u, 1.0, 0.0);
}
