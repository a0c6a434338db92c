// How long somebody takes for an action: the same draw as on the CPU.

#import throng_gpu::wide::{add_wide, mix_wide, unit_of}
#import throng_crowd::constants::{
    constants, FOREVER, FIXED, UNIFORM, NORMAL, FOR_DURATION, TAU, TRIES, STREAM_LOW, STREAM_HIGH,
    SECOND_LOW, SECOND_HIGH
}
#import throng_crowd::tables::{table, table_number, action_row, ACTION_DURATION}
#import throng_crowd::random::random_bits

/// Bits of infinity, which a shader must not compute with.
const INFINITE: u32 = 0x7f800000u;

fn seed() -> vec2<u32> {
    return vec2<u32>(constants.seed_low, constants.seed_high);
}

fn step_number() -> vec2<u32> {
    return vec2<u32>(constants.step_low, constants.step_high);
}

/// Bits of the seconds that somebody takes for an action.
fn duration(id: u32, action: u32) -> u32 {
    let at = action_row(action) + ACTION_DURATION;
    let kind = table(at);
    if kind == FOREVER {
        return INFINITE;
    }
    let a = table_number(at + 1u);
    let b = table_number(at + 2u);
    if kind == FIXED {
        return bitcast<u32>(a);
    }
    var bits = random_bits(seed(), id, step_number(), FOR_DURATION);
    if kind == UNIFORM {
        return bitcast<u32>(a + (b - a) * unit_of(bits));
    }
    let low = table_number(at + 3u);
    let high = table_number(at + 4u);
    for (var k = 0u; k < TRIES; k++) {
        let v = drawn(kind, a, b, bits);
        if low <= v && v <= high {
            return bitcast<u32>(v);
        }
        bits = mix_wide(add_wide(bits, vec2<u32>(STREAM_LOW, STREAM_HIGH)));
    }
    return bitcast<u32>(clamp(drawn(kind, a, b, bits), low, high));
}

fn drawn(kind: u32, a: f32, b: f32, bits: vec2<u32>) -> f32 {
    // Box and Muller.
    let u = max(unit_of(bits), 1e-7);
    let v = unit_of(mix_wide(bits ^ vec2<u32>(SECOND_LOW, SECOND_HIGH)));
    let normal = sqrt(-2.0 * log(u)) * cos(TAU * v);
    if kind == NORMAL {
        return a + b * normal;
    }
    return exp(a + b * normal);
}
