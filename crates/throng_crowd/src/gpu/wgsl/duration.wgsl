// How long somebody takes for an action: the same draw as on the CPU.

#import throng_gpu::wide::{add_wide, mix_wide, unit_of}
#import throng_crowd::constants::{
    constants, FOREVER, FIXED, UNIFORM, NORMAL, GAMMA, WEIBULL, FOR_DURATION, TAU, TRIES, STREAM_LOW,
    STREAM_HIGH, SECOND_LOW, SECOND_HIGH, THIRD_LOW, THIRD_HIGH, FOURTH_LOW, FOURTH_HIGH
}
#import throng_crowd::tables::{table, table_number, action_row, ACTION_DURATION}
#import throng_crowd::random::random_bits

/// Bits of infinity, which a shader must not compute with.
const INFINITE: u32 = 0x7f800000u;

fn seed() -> vec2<u32> {
    return vec2<u32>(constants.seed_low, constants.seed_high);
}

/// The time as chance goes by it.
fn moment() -> vec2<u32> {
    return vec2<u32>(constants.moment_low, constants.moment_high);
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
    var bits = random_bits(seed(), id, moment(), FOR_DURATION);
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
    if kind == WEIBULL {
        return b * pow(-log(u), 1.0 / a);
    }
    if kind == GAMMA {
        return b * gamma(a, normal, bits);
    }
    return exp(a + b * normal);
}

/// A number with a gamma distribution of scale 1; below 0 where another draw is needed (Marsaglia and Tsang
/// 2000).
fn gamma(shape: f32, x: f32, bits: vec2<u32>) -> f32 {
    let small = shape < 1.0;
    let d = select(shape, shape + 1.0, small) - 1.0 / 3.0;
    let one = 1.0 + x / sqrt(9.0 * d);
    let v = one * one * one;
    let u = max(unit_of(mix_wide(bits ^ vec2<u32>(THIRD_LOW, THIRD_HIGH))), 1e-7);
    if v <= 0.0 {
        return -1.0;
    }
    if log(u) >= 0.5 * x * x + d - d * v + d * log(v) {
        return -1.0;
    }
    let by = max(unit_of(mix_wide(bits ^ vec2<u32>(FOURTH_LOW, FOURTH_HIGH))), 1e-7);
    return d * v * select(1.0, pow(by, 1.0 / shape), small);
}
