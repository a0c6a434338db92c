//! What is too fine for the mesh: warts, pores, weave, grain and dents, as heights above the smooth surface.

use glam::{IVec3, Vec3};

use super::Paint;

/// No detail rises or sinks more than this.
pub const DEEPEST: f32 = 0.006;

/// Height of the detail of a paint at a point.
#[must_use]
pub fn height(paint: Paint, p: Vec3) -> f32 {
    let raw = match paint {
        Paint::Skin | Paint::SkinDark => {
            warts(p * 26.0) * 0.0045 + (fractal(p * 48.0) - 0.5) * 0.0022
        }
        Paint::Belly => {
            (fractal(p * 30.0) - 0.5) * 0.0016 - creases(p.z * 95.0 + p.x * 8.0) * 0.0010
        }
        Paint::Lip => (fractal(p * 60.0) - 0.5) * 0.0016,
        Paint::Mouth | Paint::Eye => 0.0,
        Paint::Tooth | Paint::Nail => (noise(p * 90.0) - 0.5) * 0.0010,
        Paint::Cloth | Paint::Patch => folds(p) * 0.0042 + weave(p, 430.0) * 0.0005,
        Paint::Leather => (fractal(p * 70.0) - 0.5) * 0.0024,
        Paint::Metal => -dents(p * 34.0) * 0.0026,
        Paint::Wood => (grain(p) - 0.5) * 0.0034,
        Paint::Sack => weave(p, 300.0) * 0.0011 + (fractal(p * 18.0) - 0.5) * 0.005,
        Paint::Gold => (noise(p * 60.0) - 0.5) * 0.004,
        Paint::Cap => warts(p * 30.0) * 0.003,
        Paint::Stem => creases(p.y.atan2(p.x) * 18.0) * 0.0012,
        Paint::Sheet | Paint::SheetDark => (fractal(p * 9.0) - 0.5) * 0.006,
    };
    raw.clamp(-DEEPEST, DEEPEST)
}

/// A number from 0 to 1 that is always the same for a lattice point.
#[must_use]
pub fn lattice(p: IVec3) -> f32 {
    let [x, y, z] = p.to_array().map(|v| v as u32);
    let mut h =
        x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ z.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    (h ^ (h >> 15)) as f32 / u32::MAX as f32
}

/// Smooth noise from 0 to 1, one lump per unit.
#[must_use]
pub fn noise(p: Vec3) -> f32 {
    let cell = p.floor();
    let f = p - cell;
    let f = f * f * (Vec3::splat(3.0) - 2.0 * f);
    let base = cell.as_ivec3();
    let at = |x, y, z| lattice(base + IVec3::new(x, y, z));
    let line = |y, z| at(0, y, z) + (at(1, y, z) - at(0, y, z)) * f.x;
    let face = |z| line(0, z) + (line(1, z) - line(0, z)) * f.y;
    face(0) + (face(1) - face(0)) * f.z
}

/// Three octaves of noise, 0 to 1.
#[must_use]
pub fn fractal(p: Vec3) -> f32 {
    (noise(p) * 4.0 + noise(p * 2.03 + 7.1) * 2.0 + noise(p * 4.1 + 3.7)) / 7.0
}

/// Round bumps of different sizes, 0 to 1, one in some cells.
#[must_use]
pub fn warts(p: Vec3) -> f32 {
    let base = p.floor().as_ivec3();
    let mut highest = 0.0_f32;
    for i in 0..27 {
        let cell = base + IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        let chance = lattice(cell + IVec3::splat(91));
        if chance > 0.45 {
            continue;
        }
        let jitter = [11, 23, 37].map(|salt| lattice(cell + IVec3::splat(salt)));
        let centre = cell.as_vec3() + Vec3::from(jitter);
        let radius = 0.25 + 0.5 * chance;
        let h = 1.0 - p.distance_squared(centre) / (radius * radius);
        highest = highest.max(h.max(0.0).powf(1.5) * (0.4 + chance));
    }
    highest
}

fn creases(phase: f32) -> f32 {
    phase.sin().abs().powi(8)
}

/// Long soft waves of hanging cloth, down from the belt.
fn folds(p: Vec3) -> f32 {
    let around = p.y.atan2(p.x);
    let drop = (0.44 - p.z).clamp(0.0, 0.2) * 5.0;
    let wave = (around * 13.0 + (fractal(p * 7.0) - 0.5) * 7.0).sin();
    wave * (0.25 + 0.75 * drop) * 0.8 + (fractal(p * 14.0) - 0.5) * 0.8
}

fn weave(p: Vec3, threads: f32) -> f32 {
    let around = p.y.atan2(p.x) * 0.14;
    (around * threads).sin() * (p.z * threads).sin()
}

fn dents(p: Vec3) -> f32 {
    (fractal(p) - 0.55).max(0.0) * 3.0
}

fn grain(p: Vec3) -> f32 {
    noise(Vec3::new(p.x * 160.0, p.y * 160.0, p.z * 14.0) + fractal(p * 20.0) * 3.0)
}
