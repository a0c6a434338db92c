//! Chance from a seed: integer hashes only, so that a place looks the same on every machine.

use glam::{IVec3, Vec2, Vec3};

/// Mixes 64 bits (the finaliser of SplitMix64).
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A stream of draws.
#[derive(Clone, Debug)]
pub(super) struct Chance(u64);

impl Chance {
    /// The stream of a seed, for one purpose.
    pub(super) fn new(seed: u64, purpose: u64) -> Self {
        Self(mix(seed ^ mix(purpose)))
    }

    /// The next 32 bits.
    pub(super) fn bits(&mut self) -> u32 {
        self.0 = mix(self.0);
        (self.0 >> 32) as u32
    }

    /// A number in 0..1.
    pub(super) fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / (1 << 24) as f32
    }

    /// A number between two others.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A number in -1..1.
    pub(super) fn either(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    /// A whole number below `n`; 0 if `n` is.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.bits() as usize % n.max(1)
    }

    /// Whether something of this probability happens.
    pub(super) fn happens(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// An angle (radians).
    pub(super) fn angle(&mut self) -> f32 {
        self.unit() * std::f32::consts::TAU
    }

    /// A direction, all alike.
    pub(super) fn direction(&mut self) -> Vec3 {
        let z = self.either();
        (Vec2::from_angle(self.angle()) * (1.0 - z * z).max(0.0).sqrt()).extend(z)
    }
}

fn lattice(p: IVec3, seed: u32) -> f32 {
    let mut h = (p.x as u32).wrapping_mul(0x9e37_79b1)
        ^ (p.y as u32).wrapping_mul(0x85eb_ca77)
        ^ (p.z as u32).wrapping_mul(0x27d4_eb2f)
        ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    ((h ^ (h >> 15)) >> 8) as f32 / (1 << 24) as f32
}

/// Smooth noise in space, -1..1.
pub(super) fn noise(p: Vec3, seed: u32) -> f32 {
    let low = p.floor();
    let t = p - low;
    let t = t * t * (3.0 - 2.0 * t);
    let at = low.as_ivec3();
    let v = |x, y, z| lattice(at + IVec3::new(x, y, z), seed);
    let line = |y, z| v(0, y, z) + (v(1, y, z) - v(0, y, z)) * t.x;
    let face = |z| line(0, z) + (line(1, z) - line(0, z)) * t.y;
    (face(0) + (face(1) - face(0)) * t.z) * 2.0 - 1.0
}

/// Octaves of noise, each half as large and twice as fine; about -1..1.
pub(super) fn fractal(p: Vec3, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut share, mut p) = (0.0, 0.5, p);
    for octave in 0..octaves {
        sum += share * noise(p, seed.wrapping_add(octave * 71));
        (share, p) = (share * 0.5, p * 2.03 + 17.0);
    }
    sum * 1.15
}

/// From 0 to 1 between two edges, with level ends.
pub(super) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
