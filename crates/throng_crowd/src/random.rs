//! Randomness as a hash: the same number for the same (seed, agent, step, purpose), whoever asks and
//! in whatever order.

/// What a random number is for; each purpose has a stream of its own.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub(crate) enum Purpose {
    Radius = 1,
    Speed,
    Premovement,
    Heading,
    Target,
    Contentment,
    Chance,
    Duration,
    Apart,
}

/// Apart in the hash: one purpose from the next, one agent from the next.
pub(crate) const STREAM: u64 = 0x9e37_79b9_7f4a_7c15;
pub(crate) const AGENT: u64 = 0xd1b5_4a32_d192_ed03;

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014).
#[inline(always)]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The time as chance goes by it: to the nearest second, so that a choice does not hang on how long steps are.
pub(crate) fn moment(time: f64) -> u64 {
    (time + 0.5) as u64
}

/// 64 random bits.
#[inline(always)]
pub(crate) fn bits(seed: u64, agent: u32, when: u64, purpose: Purpose) -> u64 {
    let z = seed ^ (purpose as u64).wrapping_mul(STREAM);
    mix(mix(z.wrapping_add(u64::from(agent).wrapping_mul(AGENT))) ^ when)
}

/// Evenly in 0..1.
#[inline(always)]
pub(crate) fn unit(seed: u64, agent: u32, when: u64, purpose: Purpose) -> f32 {
    to_unit(bits(seed, agent, when, purpose))
}

/// The upper bits of a hash as a number in 0..1.
#[inline(always)]
pub(crate) fn to_unit(bits: u64) -> f32 {
    (bits >> 40) as f32 * (1.0 / 16_777_216.0)
}
