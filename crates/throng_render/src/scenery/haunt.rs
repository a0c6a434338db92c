//! The ghost's haunt: old stones, a broken arch, lights that belong to nobody.

use glam::{Quat, Vec2, Vec3};

use super::chance::{Chance, noise, smoothstep};
use super::occlusion::bake;
use super::shape::{Form, hex};
use crate::{Mesh, Surface};

fn pale(p: Vec3, n: Vec3, seed: u32) -> Vec3 {
    let lichen = smoothstep(0.2, 0.6, noise(p * 3.0, seed));
    (hex(0x8A8C90).lerp(hex(0x9AA088), lichen * 0.6))
        * (0.9 + 0.14 * n.z + 0.08 * noise(p * 9.0, seed))
}

/// A gravestone with a round head, leaning.
pub(super) fn grave(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x64);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let lean = Quat::from_rotation_y(chance.either() * 0.2)
        * Quat::from_rotation_x(chance.either() * 0.14);
    let (half, high) = (0.34, chance.between(0.75, 1.0));
    let mut outline = vec![(-half, -0.4), (half, -0.4), (half, high - half * 0.7)];
    for i in 1..8 {
        let a = Vec2::from_angle(i as f32 / 8.0 * std::f32::consts::PI);
        outline.push((a.x * half, high - half * 0.7 + a.y * half * 0.9));
    }
    outline.push((-half, high - half * 0.7));
    let at = |y: f32, share: f32| -> Vec<Vec3> {
        outline.iter().map(|&(x, z)| Vec3::new(x * share, y, 0.3 + (z - 0.3) * share)).collect()
    };
    let rows = [
        vec![Vec3::new(0.0, 0.1, 0.3)],
        at(0.1, 0.93),
        at(0.075, 1.0),
        at(-0.075, 1.0),
        at(-0.1, 0.93),
        vec![Vec3::new(0.0, -0.1, 0.3)],
    ];
    Form::skin(&rows).turned(lean).onto(&mut mesh, 0.5, Surface::Stone, |p, n| pale(p, n, own));
    for y in [-0.1, 0.1_f32] {
        for half in [Vec3::new(0.04, 0.02, 0.17), Vec3::new(0.12, 0.02, 0.035)] {
            Form::slab(half, 0.008).moved(Vec3::new(0.0, y, high * 0.62)).turned(lean).onto(
                &mut mesh,
                0.5,
                Surface::Stone,
                |p, n| pale(p, n, own) * 0.72,
            );
        }
    }
    let mound = Form::icosphere(1)
        .scaled(Vec3::new(0.42, 0.8, 0.2))
        .moved(Vec3::new(0.0, -0.75, -0.03))
        .rough(0.05, 2.0, 2, own);
    mound.onto(&mut mesh, 1.0, Surface::Plain, |p, _| {
        hex(0x5E5238).lerp(hex(0x66703C), 0.5 + 0.5 * noise(p * 4.0, own))
    });
    bake(&mut mesh, 0.5);
    mesh
}

/// An arch of which half has fallen, 4 m high, with a cold light in it.
pub(super) fn arch(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0xA4C);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let mut block = |mesh: &mut Mesh, at: Vec3, half: Vec3, turn: Quat| {
        let form = Form::slab(half * chance.between(0.93, 1.05), 0.06)
            .map(|p| p + p.normalize_or(Vec3::X) * 0.06 * noise(p * 3.0 + at, own))
            .turned(turn * Quat::from_rotation_z(0.06 * chance.either()))
            .moved(at);
        form.onto(mesh, 0.45, Surface::Stone, |p, n| pale(p, n, own));
    };
    for side in [-1.0_f32, 1.0] {
        let rows = if side < 0.0 { 5 } else { 4 };
        for row in 0..rows {
            block(
                &mut mesh,
                Vec3::new(side * 1.5, 0.0, 0.15 + 0.56 * row as f32),
                Vec3::new(0.4, 0.42, 0.28),
                Quat::IDENTITY,
            );
        }
    }
    for i in 0..5 {
        let angle = std::f32::consts::PI * (1.0 - (i as f32 + 0.5) / 8.0);
        let at = Vec2::from_angle(angle) * 1.5;
        block(
            &mut mesh,
            Vec3::new(at.x, 0.0, 2.6 + at.y),
            Vec3::new(0.36, 0.4, 0.28),
            Quat::from_rotation_y(-angle),
        );
    }
    for (at, turn) in [
        (Vec3::new(0.5, 0.7, 0.15), 0.6),
        (Vec3::new(1.3, -0.9, 0.12), 1.9),
        (Vec3::new(2.3, 0.6, 0.1), 1.1),
    ] {
        block(
            &mut mesh,
            at,
            Vec3::new(0.36, 0.4, 0.26),
            Quat::from_rotation_z(turn) * Quat::from_rotation_x(0.4),
        );
    }
    bake(&mut mesh, 0.55);
    for i in 0..3 {
        let at = Vec3::new(
            -0.5 + 0.5 * i as f32,
            0.2 * (i as f32 * 2.0).sin(),
            1.1 + 0.5 * (i as f32 * 1.7).sin(),
        );
        wisp(&mut mesh, at, 0.09);
    }
    mesh
}

/// A light that floats.
fn wisp(mesh: &mut Mesh, at: Vec3, size: f32) {
    let drop = [(0.0, -1.0), (0.7, -0.6), (0.95, 0.0), (0.6, 0.9), (0.25, 1.9), (0.0, 2.6)]
        .map(|(r, z)| (r * size, z * size));
    Form::lathe(&drop, 8).moved(at).onto(mesh, 1.5, Surface::Glowing, |_, n| {
        hex(0x6FA8C8).lerp(hex(0xC8ECF4), 0.5 - 0.5 * n.z)
    });
}

/// A standing stone with a glowing sign.
pub(super) fn menhir(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x3E);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let lean = Vec2::from_angle(chance.angle()) * chance.between(0.05, 0.16);
    let high = chance.between(2.1, 2.8);
    let form = Form::icosphere(2)
        .shaved(10, (0.15, 0.4), &mut chance)
        .rough(0.06, 1.6, 3, own)
        .map(|p| Vec3::new(p.x * 0.55, p.y * 0.38, p.z * high * 0.62 + high * 0.42))
        .map(|p| p + (lean * p.z).extend(0.0));
    form.onto(&mut mesh, 0.6, Surface::Stone, |p, n| pale(p, n, own) * 0.9);
    bake(&mut mesh, 0.5);
    wisp(&mut mesh, Vec3::new(0.0, 0.0, high + 0.45), 0.07);
    mesh
}
