//! Textures of ground, made by rule: grass, soil, rock, gravel, paving. Each has colour with height
//! beside it, and a relief of slopes. They repeat without a seam.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::noise::{cells, fractal, ridges, smoothstep, value};

/// Texels along a side.
pub(crate) const SIDE: usize = 512;
/// How many there are.
pub(crate) const LAYERS: usize = 5;

/// One texture of ground.
pub(crate) struct Material {
    /// Linear colour and height, row by row.
    pub(crate) albedo: Vec<[f32; 4]>,
    /// Slopes along u and v, for a tile of about three metres.
    pub(crate) relief: Vec<[f32; 2]>,
    /// Mean colour.
    pub(crate) mean: Vec3,
}

/// Colour and height at a place of a tile.
type Rule = fn(Vec2) -> (Vec3, f32);

/// All of them, in the order of the shader.
pub(crate) fn materials() -> Vec<Material> {
    let rules: [(Rule, f32); LAYERS] =
        [(grass, 0.035), (soil, 0.022), (rock, 0.05), (gravel, 0.03), (paving, 0.012)];
    rules.into_par_iter().map(|(rule, depth)| material(rule, depth)).collect()
}

fn material(rule: Rule, depth: f32) -> Material {
    let texels: Vec<(Vec3, f32)> = (0..SIDE * SIDE)
        .into_par_iter()
        .map(|i| rule(Vec2::new((i % SIDE) as f32, (i / SIDE) as f32) / SIDE as f32))
        .collect();
    let h = |x: usize, y: usize| texels[(y % SIDE) * SIDE + x % SIDE].1;
    let relief = (0..SIDE * SIDE)
        .map(|i| {
            let (x, y) = (i % SIDE, i / SIDE);
            let slope =
                Vec2::new(h(x + 1, y) - h(x + SIDE - 1, y), h(x, y + 1) - h(x, y + SIDE - 1))
                    * (0.5 * SIDE as f32 * depth);
            slope.clamp(Vec2::NEG_ONE, Vec2::ONE).to_array()
        })
        .collect();
    let mean = texels.iter().map(|t| t.0).sum::<Vec3>() / texels.len() as f32;
    let albedo = texels.iter().map(|&(c, h)| [c.x, c.y, c.z, h]).collect();
    Material { albedo, relief, mean }
}

/// Tufts: short strokes in many directions.
fn grass(p: Vec2) -> (Vec3, f32) {
    let mut blades: f32 = 0.0;
    // Strokes are noise stretched along a direction of the lattice, so that it repeats.
    for (along, period, seed) in
        [(Vec2::ONE, 12, 90), (Vec2::new(1.0, -1.0), 16, 91), (Vec2::X, 20, 92)]
    {
        let wobble = fractal(p * 16.0, 2, 16, 3 + seed) * 0.4;
        let q = Vec2::new(p.dot(along), along.perp_dot(p) * 4.0) * period as f32;
        blades = blades.max(value(q + wobble, period, seed));
    }
    let tufts = fractal(p * 8.0, 4, 8, 41) * 0.5 + 0.5;
    let fine = fractal(p * 64.0, 3, 64, 43) * 0.5 + 0.5;
    let height = (0.45 * tufts + 0.3 * blades.max(0.0) + 0.35 * fine).clamp(0.0, 1.0);
    let patch = fractal(p * 4.0, 4, 4, 47) * 0.5 + 0.5;
    let deep = Vec3::new(0.040, 0.056, 0.016);
    let fresh = Vec3::new(0.165, 0.195, 0.060);
    let straw = Vec3::new(0.32, 0.275, 0.13);
    let colour = deep.lerp(fresh, smoothstep(0.15, 0.8, height));
    (colour.lerp(straw, smoothstep(0.55, 0.95, patch) * 0.6 * height), height)
}

/// Trodden earth with small stones.
fn soil(p: Vec2) -> (Vec3, f32) {
    let clods = fractal(p * 10.0, 5, 10, 11) * 0.5 + 0.5;
    let (d, own) = cells(p * 34.0, 34, 13);
    let stone = if own > 0.72 { smoothstep(0.42, 0.2, d) } else { 0.0 };
    let height = (clods * 0.65 + stone * 0.45).clamp(0.0, 1.0);
    let earth = Vec3::new(0.115, 0.078, 0.046).lerp(Vec3::new(0.245, 0.18, 0.115), clods);
    let grey = Vec3::new(0.24, 0.22, 0.19) * (0.6 + 0.7 * own);
    (earth.lerp(grey, stone), height)
}

/// Layers and cracks.
fn rock(p: Vec2) -> (Vec3, f32) {
    let warp = Vec2::new(fractal(p * 3.0, 4, 3, 21), fractal(p * 3.0, 4, 3, 22)) * 0.06;
    let q = p + warp;
    let folds = ridges(q * 4.0, 6, 4, 23);
    let (d, own) = cells(q * 9.0, 9, 27);
    let blocks = smoothstep(0.0, 0.5, 0.75 - d) * 0.4 + own * 0.25;
    let fine = fractal(p * 40.0, 3, 40, 29) * 0.5 + 0.5;
    let height = (folds * 0.5 + blocks * 0.6 + fine * 0.15).clamp(0.0, 1.0);
    let dark = Vec3::new(0.085, 0.080, 0.075);
    let light = Vec3::new(0.30, 0.275, 0.235);
    let lichen = smoothstep(0.25, 0.6, fractal(p * 6.0, 4, 6, 33)) * 0.35;
    let colour = dark.lerp(light, height).lerp(Vec3::new(0.16, 0.17, 0.075), lichen);
    (colour, height)
}

/// Pebbles of a stream.
fn gravel(p: Vec2) -> (Vec3, f32) {
    let (d, own) = cells(p * 22.0, 22, 51);
    let (e, small) = cells(p * 56.0, 56, 57);
    let pebble = smoothstep(0.55, 0.1, d);
    let grain = smoothstep(0.5, 0.1, e);
    let height = (pebble * 0.8).max(grain * 0.4);
    let hue = Vec3::new(0.22, 0.20, 0.175).lerp(Vec3::new(0.33, 0.27, 0.20), own);
    let sand = Vec3::new(0.24, 0.20, 0.14) * (0.75 + 0.4 * small);
    (sand.lerp(hue * (0.6 + 0.5 * pebble), pebble), height)
}

/// Slabs of stone, four by four to a tile, every other row shifted by half a slab.
fn paving(p: Vec2) -> (Vec3, f32) {
    let rows = 5.0;
    let row = (p.y * rows).floor();
    let shift = if row as i32 % 2 == 0 { 0.0 } else { 0.5 };
    let columns = if row as i32 % 3 == 0 { 4.0 } else { 3.0 };
    let x = (p.x * columns + shift).rem_euclid(columns);
    let inside = Vec2::new(x.fract(), (p.y * rows).fract());
    let edge = inside.min(1.0 - inside) / Vec2::new(columns, rows);
    let joint = smoothstep(0.0025, 0.006, edge.min_element());
    let own = value(Vec2::new(x.floor() * 7.3 + 0.5, row * 3.1 + 0.5), 0, 61) * 0.5 + 0.5;
    let grain = fractal(p * 48.0, 4, 48, 63) * 0.5 + 0.5;
    let stains = fractal(p * 5.0, 4, 5, 67) * 0.5 + 0.5;
    let height = joint * (0.78 + 0.12 * own) + 0.1 * grain * joint;
    let stone = Vec3::new(0.30, 0.285, 0.255).lerp(Vec3::new(0.40, 0.365, 0.31), own);
    let colour = stone * (0.80 + 0.22 * grain) * (0.84 + 0.28 * stains);
    (Vec3::new(0.10, 0.095, 0.08).lerp(colour, joint), height)
}
