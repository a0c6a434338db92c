//! Rocks: boulders that fill an outline, field stones, standing stones, pebbles.

use glam::{Vec2, Vec3};

use super::chance::{Chance, fractal, noise, smoothstep};
use super::occlusion::bake;
use super::shape::{Form, hex};
use crate::{Mesh, Surface};

/// Edges of stone sharper than this are seen as edges (radians).
const CREASE: f32 = 0.29;

/// Colour of stone: layers of warm and cool grey, light where it is worn, green where it lies level.
pub(super) fn stone(p: Vec3, n: Vec3, size: f32, moss: f32, seed: u32) -> Vec3 {
    let q = p / size;
    let layer = noise(Vec3::new(0.4, 0.3, q.z * 4.0 + 0.8 * fractal(q * 1.3, 2, seed)), seed);
    let grain = fractal(q * 5.0, 3, seed ^ 5);
    let grey = hex(0x8C857C)
        .lerp(hex(0xA89C88), layer * 0.5 + 0.5)
        .lerp(hex(0x777B80), 0.35 * (grain + 0.4).max(0.0));
    let worn = grey * (0.93 + 0.16 * n.z.max(0.0) + 0.08 * grain);
    let green = smoothstep(0.35, 0.9, n.z + 0.45 * fractal(q * 2.2, 3, seed ^ 9)) * moss;
    worn.lerp(hex(0x6C7A3A), green)
}

/// A block with broken faces, about `size` in radius, standing a little in the ground.
fn block(levels: u32, size: Vec3, chance: &mut Chance) -> Form {
    let seed = chance.bits();
    Form::icosphere(levels).shaved(18, (0.16, 0.52), chance).rough(0.07, 2.3, 3, seed).scaled(size)
}

/// A single rock, about a metre in radius.
pub(super) fn boulder(name: &str, seed: u64, levels: u32, flat: f32) -> Mesh {
    let mut chance = Chance::new(seed, 0x0C);
    let mut mesh = Mesh::new(name);
    let size = Vec3::new(1.0, chance.between(0.75, 1.0), flat);
    let own = chance.bits();
    let form = block(levels, size, &mut chance).moved(Vec3::Z * flat * 0.45);
    form.onto(&mut mesh, CREASE, Surface::Stone, |p, n| stone(p, n, 1.0, 0.55, own));
    bake(&mut mesh, 0.55);
    mesh
}

/// Rocks that lean on each other, about two metres in radius.
pub(super) fn pile(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x11E);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let count = 5;
    for i in 0..count {
        let first = i == 0;
        let size = if first { chance.between(1.1, 1.4) } else { chance.between(0.4, 0.85) };
        let away = if first { 0.0 } else { chance.between(0.75, 1.15) };
        let at = Vec2::from_angle(i as f32 * 1.5 + chance.either() * 0.5) * away;
        let tall = chance.between(0.7, 1.25);
        let shape = Vec3::new(1.0, chance.between(0.7, 1.0), tall) * size;
        let form =
            block(if first { 2 } else { 1 }, shape, &mut chance).moved(at.extend(shape.z * 0.42));
        form.onto(&mut mesh, CREASE, Surface::Stone, |p, n| stone(p, n, 1.2, 0.5, own));
    }
    bake(&mut mesh, 0.6);
    mesh
}

/// A tall, narrow rock: a spire of the slopes.
pub(super) fn spire(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x591);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    for (at, size) in [
        (Vec2::ZERO, Vec3::new(1.0, 0.85, 2.6)),
        (Vec2::new(0.9, 0.25), Vec3::new(0.75, 0.8, 1.6)),
        (Vec2::new(-0.45, 0.8), Vec3::new(0.6, 0.6, 1.1)),
    ] {
        let lean = Vec2::new(chance.either(), chance.either()) * 0.12;
        let form = block(2, size, &mut chance).moved(at.extend(size.z * 0.5));
        let form = form.map(|p| p + (lean * p.z).extend(0.0));
        form.onto(&mut mesh, CREASE, Surface::Stone, |p, n| stone(p, n, 1.5, 0.3, own));
    }
    bake(&mut mesh, 0.6);
    mesh
}

/// A handful of stones no higher than a foot.
pub(super) fn pebbles(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x9E8);
    let mut mesh = Mesh::new(name);
    for i in 0..4 {
        let size = chance.between(0.07, 0.19) * if i == 0 { 1.4 } else { 1.0 };
        let at = Vec2::from_angle(chance.angle()) * chance.between(0.0, 0.55);
        let own = chance.bits();
        let form = Form::icosphere(u32::from(i == 0))
            .shaved(6, (0.1, 0.35), &mut chance)
            .scaled(Vec3::new(1.0, 0.8, 0.6) * size)
            .moved(at.extend(size * 0.2));
        form.onto(&mut mesh, 0.9, Surface::Stone, |p, n| stone(p, n, 0.3, 0.2, own) * 1.05);
    }
    bake(&mut mesh, 0.4);
    mesh
}

/// A rock that fills an outline: as far from the middle as `reach` says in every direction, `height`
/// high, with ledges and broken faces, its foot below the ground.
pub(super) fn filling(name: &str, seed: u64, reach: impl Fn(Vec2) -> f32, height: f32) -> Mesh {
    let mut chance = Chance::new(seed, 0xF111);
    let own = chance.bits();
    let mut mesh = Mesh::new(name);
    let broken = Form::icosphere(3).shaved(20, (0.12, 0.46), &mut chance).rough(0.08, 2.6, 3, own);
    let form = broken.map(|p| {
        let flat = Vec2::new(p.x, p.y);
        let out = flat.normalize_or(Vec2::X);
        // The widest part of the rock lies at the ground; what is below goes straight down.
        let girth = if p.z < 0.0 {
            flat.length().max((1.0 - p.z * p.z).max(0.0).sqrt() * 0.9)
        } else {
            flat.length()
        };
        let r = reach(out) * girth.min(1.0);
        let z = if p.z > 0.0 {
            // A ledge half way up.
            let z = p.z;
            height * (z + 0.05 * (z * 9.0 + 3.0 * out.x).sin())
        } else {
            p.z * 1.6
        };
        (out * r).extend(z)
    });
    let size = height.max(1.0);
    form.onto(&mut mesh, CREASE, Surface::Stone, |p, n| stone(p, n, size, 0.6, own));
    bake(&mut mesh, 0.55);
    mesh
}
