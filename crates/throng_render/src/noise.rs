//! Noise that is the same on every machine: values on a lattice, smoothly between, with or without a
//! period so that textures can be laid side by side.

use glam::{IVec2, Vec2};
use throng_gpu::Module;

/// Imported as `throng_render::noise`: noise for shaders, of its own making.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::noise", source: include_str!("noise.wgsl") };

/// A hash of lattice points to 0..1.
fn lattice(p: IVec2, seed: u32) -> f32 {
    let mut h = (p.x as u32).wrapping_mul(0x9e37_79b1)
        ^ (p.y as u32).wrapping_mul(0x85eb_ca77)
        ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    ((h ^ (h >> 15)) >> 8) as f32 / (1 << 24) as f32
}

/// Lattice points repeat after so many; 0: never.
fn wrap(p: IVec2, period: i32) -> IVec2 {
    if period == 0 { p } else { IVec2::new(p.x.rem_euclid(period), p.y.rem_euclid(period)) }
}

/// Smooth noise in -1..1.
pub(crate) fn value(p: Vec2, period: i32, seed: u32) -> f32 {
    let low = p.floor();
    let t = p - low;
    // Quintic: the second derivative is continuous, so normals show no lattice.
    let t = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let at = low.as_ivec2();
    let v = |x, y| lattice(wrap(at + IVec2::new(x, y), period), seed);
    let top = v(0, 0) + (v(1, 0) - v(0, 0)) * t.x;
    let bottom = v(0, 1) + (v(1, 1) - v(0, 1)) * t.x;
    (top + (bottom - top) * t.y) * 2.0 - 1.0
}

/// Octaves of noise, each half as large and twice as fine; about -1..1.
pub(crate) fn fractal(p: Vec2, octaves: u32, period: i32, seed: u32) -> f32 {
    let mut sum = 0.0;
    let (mut share, mut p, mut period) = (0.5, p, period);
    for octave in 0..octaves {
        sum += share * value(p, period, seed + octave * 71);
        (share, p, period) = (share * 0.5, p * 2.0, period * 2);
    }
    sum * 1.15
}

/// Octaves of noise folded at 0, so that it has ridges; 0..1.
pub(crate) fn ridges(p: Vec2, octaves: u32, period: i32, seed: u32) -> f32 {
    let mut sum = 0.0;
    let (mut share, mut p, mut period) = (0.5, p, period);
    for octave in 0..octaves {
        let fold = 1.0 - value(p, period, seed + octave * 71).abs();
        sum += share * fold * fold;
        (share, p, period) = (share * 0.5, p * 2.0, period * 2);
    }
    sum
}

/// Distance to the nearest of scattered points, one to a lattice cell, and that point's own number in
/// 0..1 (Worley).
pub(crate) fn cells(p: Vec2, period: i32, seed: u32) -> (f32, f32) {
    let low = p.floor();
    let at = low.as_ivec2();
    let mut best = (f32::INFINITY, 0.0);
    for y in -1..=1 {
        for x in -1..=1 {
            let cell = wrap(at + IVec2::new(x, y), period);
            let jitter = Vec2::new(lattice(cell, seed), lattice(cell, seed + 1));
            let d = (low + Vec2::new(x as f32, y as f32) + jitter).distance(p);
            if d < best.0 {
                best = (d, lattice(cell, seed + 2));
            }
        }
    }
    best
}

/// From 0 to 1 between two edges, with level ends.
pub(crate) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
