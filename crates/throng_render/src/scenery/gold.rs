//! Gold: a seam in the rock, ore at its foot, carts to take it away.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Quat, Vec2, Vec3};

use super::chance::{Chance, fractal, noise, smoothstep};
use super::occlusion::bake;
use super::rock::stone;
use super::shape::{Form, beam, hex};
use crate::{Mesh, Surface};

/// Colour of gold: bright where it looks up.
pub(super) fn golden(p: Vec3, n: Vec3, seed: u32) -> Vec3 {
    let glint = 0.5 + 0.5 * n.z + 0.3 * noise(p * 7.0, seed);
    hex(0xB87A14).lerp(hex(0xFFD858), glint.clamp(0.0, 1.0))
}

/// Stone with veins.
fn veined(p: Vec3, n: Vec3, size: f32, seed: u32) -> Vec3 {
    let q = p / size;
    let bent = q + 0.4 * Vec3::new(noise(q * 1.4, seed), noise(q * 1.4 + 9.0, seed), 0.0);
    let vein =
        1.0 - (bent.z * 1.1 + bent.x * 0.6 + 0.6 * fractal(q * 1.5, 3, seed ^ 4)).sin().abs();
    let second = 1.0 - noise(bent * 2.1 + 31.0, seed).abs();
    let gold = smoothstep(0.74, 0.86, vein).max(smoothstep(0.94, 0.985, second));
    let rock = stone(p, n, size, 0.1, seed).lerp(hex(0x7A6854), 0.25);
    rock.lerp(golden(p, n, seed), gold)
}

/// A crystal: a six-sided prism with a point.
fn crystal(length: f32, radius: f32, along: Vec3, at: Vec3) -> Form {
    let profile = [
        (0.0, -0.2 * length),
        (radius * 0.9, -0.2 * length),
        (radius, 0.62 * length),
        (0.0, length),
    ];
    Form::lathe(&profile, 6).turned(Quat::from_rotation_arc(Vec3::Z, along)).moved(at)
}

/// A seam that stands out of the ground, 2.5 m high, about 1.6 m in radius.
pub(super) fn seam(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x601D);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let lean = Vec2::from_angle(chance.angle()) * 0.22;
    let parts = [(0.0, 0.9, 2.3), (0.75, 0.62, 1.5), (0.85, 0.55, 1.05), (0.9, 0.5, 0.7)];
    let turn = chance.angle();
    for (i, (away, wide, tall)) in parts.into_iter().enumerate() {
        let at = Vec2::from_angle(turn + i as f32 * 2.2) * away;
        let form = Form::icosphere(if i == 0 { 3 } else { 2 })
            .shaved(18, (0.16, 0.5), &mut chance)
            .rough(0.05, 2.2, 3, chance.bits())
            .scaled(Vec3::new(wide, wide * 0.9, tall * 0.66))
            .moved(at.extend(tall * 0.36))
            .map(|p| p + (lean * p.z).extend(0.0));
        form.onto(&mut mesh, 0.3, Surface::Plain, |p, n| veined(p, n, 1.0, own));
    }
    for i in 0..9 {
        let angle = turn + i as f32 * 1.9 + chance.either() * 0.4;
        let low = i % 3 != 0;
        let out = Vec2::from_angle(angle);
        let at = (out * if low { chance.between(0.85, 1.2) } else { 0.55 }).extend(if low {
            0.05
        } else {
            chance.between(1.0, 1.5)
        });
        let along = out.extend(chance.between(0.5, 1.3)).normalize();
        let length = chance.between(0.35, 0.7);
        let form = crystal(length, length * 0.19, along, at + (lean * at.z).extend(0.0));
        // Light within, so that a seam is found from afar.
        let root = at + (lean * at.z).extend(0.0);
        form.onto(&mut mesh, 0.3, Surface::Glowing, |p, n| {
            let tip = (p.distance(root) / length).clamp(0.0, 1.0);
            hex(0x6A_4208).lerp(hex(0xC8_8A20), tip) * (0.8 + 0.2 * n.z)
        });
    }
    bake(&mut mesh, 0.55);
    mesh
}

/// Lumps of ore no higher than a shin.
pub(super) fn ore(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x0E);
    let mut mesh = Mesh::new(name);
    for i in 0..5 {
        let size = chance.between(0.1, 0.24);
        let own = chance.bits();
        let at = Vec2::from_angle(i as f32 * 2.4) * (0.1 + 0.1 * i as f32);
        let form = Form::icosphere(u32::from(i < 2))
            .shaved(7, (0.1, 0.4), &mut chance)
            .scaled(Vec3::new(1.0, 0.85, 0.8) * size)
            .moved(at.extend(size * 0.3));
        if i % 2 == 0 {
            form.onto(&mut mesh, 0.5, Surface::Plain, |p, n| golden(p, n, own));
        } else {
            form.onto(&mut mesh, 0.6, Surface::Plain, |p, n| veined(p, n, 0.3, own));
        }
    }
    bake(&mut mesh, 0.45);
    mesh
}

/// A heap of gold: what was carried to the drop-off, half a metre high.
pub(super) fn heap(
    mesh: &mut Mesh,
    at: Vec3,
    radius: f32,
    height: f32,
    pieces: usize,
    chance: &mut Chance,
) {
    let own = chance.bits();
    let mound = [
        (radius, -0.1),
        (radius * 0.85, height * 0.3),
        (radius * 0.45, height * 0.72),
        (0.0, height * 0.85),
    ];
    let form =
        Form::lathe(&mound, 12).map(|p| p + at + Vec3::splat(0.05) * fractal(p * 5.0, 2, own));
    form.onto(mesh, 0.5, Surface::Plain, |p, n| golden(p, n, own) * 0.9);
    for _ in 0..pieces {
        let r = chance.unit().sqrt();
        let out = Vec2::from_angle(chance.angle()) * radius * r;
        let size = chance.between(0.05, 0.11);
        let z = height * (1.0 - r * r) * 0.9;
        let form = Form::icosphere(0)
            .scaled(Vec3::new(1.0, 1.0, 0.6) * size)
            .turned(Quat::from_rotation_arc(Vec3::Z, chance.direction()))
            .moved(at + out.extend(z.max(size * 0.4)));
        form.onto(mesh, 0.3, Surface::Plain, |p, n| golden(p, n, own));
    }
}

/// Boards.
pub(super) fn wood(p: Vec3, seed: u32) -> Vec3 {
    let grain = noise(p * Vec3::new(3.0, 3.0, 5.0), seed) + 0.5 * noise(p * 14.0, seed ^ 8);
    hex(0x6C4E34).lerp(hex(0x967250), grain * 0.4 + 0.45)
}

/// A cart on a bit of rail, full of ore.
pub(super) fn cart(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0xCA);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let plank = |p: Vec3, _: Vec3| wood(p, own);
    let iron = |p: Vec3, n: Vec3| hex(0x4A4846) * (0.95 + 0.25 * n.z + 0.1 * noise(p * 9.0, own));
    for i in 0..4 {
        let x = -0.9 + 0.6 * i as f32;
        Form::slab(Vec3::new(0.09, 0.55, 0.05), 0.02).moved(Vec3::new(x, 0.0, 0.02)).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            plank,
        );
    }
    for y in [-0.36, 0.36] {
        Form::slab(Vec3::new(1.15, 0.035, 0.05), 0.01).moved(Vec3::new(0.0, y, 0.11)).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            iron,
        );
        for x in [-0.38, 0.38] {
            let wheel = Form::lathe(
                &[(0.0, -0.04), (0.15, -0.04), (0.19, 0.0), (0.15, 0.04), (0.0, 0.05)],
                12,
            );
            let wheel = wheel.turned(Quat::from_rotation_x(FRAC_PI_2)).moved(Vec3::new(x, y, 0.34));
            wheel.onto(&mut mesh, 0.7, Surface::Plain, iron);
        }
    }
    // The tub: boards that lean outwards, iron at corners and rim.
    let wide = |z: f32| 1.0 + 0.22 * (z - 0.4) / 0.6;
    let tub = |p: Vec3| Vec3::new(p.x * wide(p.z), p.y * wide(p.z), p.z);
    for row in 0..3 {
        let z = 0.49 + 0.2 * row as f32;
        for (centre, half) in [
            (Vec3::new(0.0, 0.36, z), Vec3::new(0.62, 0.03, 0.095)),
            (Vec3::new(0.0, -0.36, z), Vec3::new(0.62, 0.03, 0.095)),
            (Vec3::new(0.62, 0.0, z), Vec3::new(0.03, 0.36, 0.095)),
            (Vec3::new(-0.62, 0.0, z), Vec3::new(0.03, 0.36, 0.095)),
        ] {
            Form::slab(half, 0.015).moved(centre).map(tub).onto(
                &mut mesh,
                0.5,
                Surface::Plain,
                plank,
            );
        }
    }
    for (x, y) in [(-0.63, -0.37), (0.63, -0.37), (0.63, 0.37), (-0.63, 0.37)] {
        beam(Vec3::new(x, y, 0.38), Vec3::new(x, y, 1.04), Vec2::splat(0.045), 0.012)
            .map(tub)
            .onto(&mut mesh, 0.5, Surface::Plain, iron);
    }
    heap(&mut mesh, Vec3::new(0.0, 0.0, 0.72), 0.52, 0.42, 26, &mut chance);
    bake(&mut mesh, 0.5);
    mesh
}

/// A pick that leans on nothing much, for the side of a seam.
pub(super) fn tools(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x100);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let barrel = [
        (0.0, 0.0),
        (0.26, 0.0),
        (0.31, 0.2),
        (0.32, 0.38),
        (0.31, 0.56),
        (0.26, 0.76),
        (0.22, 0.76),
        (0.22, 0.68),
        (0.0, 0.68),
    ];
    Form::lathe(&barrel, 12).onto(&mut mesh, 0.6, Surface::Plain, |p, _| {
        let stave = 0.9 + 0.1 * ((p.y.atan2(p.x) * 12.0 / TAU).fract() - 0.5).abs();
        wood(p, own) * stave
    });
    for z in [0.16, 0.6] {
        Form::lathe(&[(0.3, z - 0.03), (0.335, z - 0.03), (0.335, z + 0.03), (0.3, z + 0.03)], 12)
            .onto(&mut mesh, 0.5, Surface::Plain, |_, _| hex(0x4A4846));
    }
    for (turn, lean) in [(0.4_f32, 0.34_f32), (2.1, 0.42)] {
        let out = Vec2::from_angle(turn);
        let (foot, head) = ((out * 0.62).extend(0.0), (out * (0.62 - lean)).extend(1.0));
        beam(foot, head, Vec2::splat(0.025), 0.008)
            .onto(&mut mesh, 0.5, Surface::Plain, |p, _| wood(p, own) * 1.1);
        let side = out.perp();
        let path: Vec<(Vec3, f32)> = (0..5)
            .map(|i| {
                let t = i as f32 / 2.0 - 1.0;
                (head + (side * t * 0.3).extend(-0.09 * t * t), 0.035 * (1.0 - 0.8 * t.abs()))
            })
            .collect();
        Form::tube(&path, 5)
            .onto(&mut mesh, 0.9, Surface::Plain, |_, n| hex(0x6A6866) * (0.9 + 0.2 * n.z));
    }
    bake(&mut mesh, 0.5);
    mesh
}
