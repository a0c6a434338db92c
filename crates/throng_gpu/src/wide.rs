//! The twin of `throng_gpu::wide`: a hash of 64 bits, the same on both sides.

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014); `mix_wide` in WGSL.
#[must_use]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The upper 24 bits of a hash, evenly in 0..1; `unit_of` in WGSL.
#[must_use]
pub fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 * (1.0 / 16_777_216.0)
}
