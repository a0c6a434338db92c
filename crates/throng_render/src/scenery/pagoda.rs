//! The drop-off: a pagoda on slim posts, with two roofs whose corners turn up. People walk beneath.

use std::f32::consts::{FRAC_PI_4, TAU};

use glam::{Quat, Vec2, Vec3};

use super::chance::{Chance, noise, smoothstep};
use super::gold::golden;
use super::occlusion::bake;
use super::shape::{Form, beam, hex};
use crate::{Mesh, Surface};

/// Posts stand so far from the middle (metres).
pub(super) const POSTS: f32 = 2.6;

/// A square roof: hollow slopes, corners that turn up, thick eaves. `half` is half its side at the eaves.
fn roof(half: f32, top: f32, z: f32, rise: f32, lift: f32) -> Form {
    let (n, rings) = (32, 6);
    let square = |i: usize, r: f32| {
        let out = Vec2::from_angle((i as f32 + 0.5) / n as f32 * TAU);
        // Between a square and a circle near the top.
        let reach = r / out.abs().max_element();
        (out * reach, (out.x.abs().min(out.y.abs()) / out.abs().max_element()).powi(3))
    };
    let row = |k: usize, below: f32| -> Vec<Vec3> {
        let t = k as f32 / rings as f32;
        let r = half + (top - half) * t;
        (0..n)
            .map(|i| {
                let (p, corner) = square(i, r);
                let up = lift * corner * (1.0 - t).powi(3);
                let slope = rise * t.powf(1.45);
                (p * (1.0 + 0.07 * corner * (1.0 - t))).extend(z + slope + up - below)
            })
            .collect()
    };
    let mut rows = vec![vec![Vec3::Z * (z + rise * 0.55)]];
    rows.push(row(3, 0.16));
    rows.push(row(1, 0.13));
    rows.push(row(0, 0.13));
    rows.extend((0..=rings).map(|k| row(k, 0.0)));
    rows.push(vec![Vec3::Z * (z + rise + 0.02)]);
    Form::skin(&rows)
}

/// The pagoda, 6.5 m high; its posts go deep, for uneven ground.
pub(super) fn pagoda(name: &str, seed: u64, tiles: [u32; 2]) -> Mesh {
    let mut chance = Chance::new(seed, 0x9A);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let [tile, ridge] = tiles.map(hex);
    let lacquer =
        |p: Vec3, n: Vec3| hex(0xA03A28) * (0.92 + 0.12 * noise(p * 4.0, own) + 0.08 * n.z);
    let red = |mesh: &mut Mesh, form: Form| form.onto(mesh, 0.5, Surface::Plain, lacquer);
    let corners =
        [Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0), Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0)];
    let side = POSTS / 2.0_f32.sqrt();
    for c in corners {
        let at = c * side;
        Form::tube(&[(at.extend(-1.6), 0.15), (at.extend(3.3), 0.12)], 10).onto(
            &mut mesh,
            0.8,
            Surface::Plain,
            lacquer,
        );
        let base = [(0.30, -1.6), (0.30, 0.06), (0.26, 0.16), (0.16, 0.22)];
        Form::lathe(&base, 8)
            .moved(at.extend(0.0))
            .onto(&mut mesh, 0.5, Surface::Stone, |p, n| super::rock::stone(p, n, 0.6, 0.2, own));
        // Brackets under the eaves.
        for out in [Vec2::new(c.x, 0.0), Vec2::new(0.0, c.y)] {
            let from = at.extend(2.75);
            red(&mut mesh, beam(from, (at + out * 0.55).extend(3.22), Vec2::splat(0.06), 0.015));
        }
    }
    for z in [2.72, 3.2] {
        for i in 0..4 {
            let (a, b) = (corners[i] * side * 1.12, corners[(i + 1) % 4] * side * 1.12);
            let shift = (corners[i] + corners[(i + 1) % 4]) * -0.06 * side;
            red(
                &mut mesh,
                beam((a + shift).extend(z), (b + shift).extend(z), Vec2::splat(0.085), 0.02),
            );
        }
    }
    let paint = |p: Vec3, n: Vec3| {
        if n.z < 0.1 {
            return hex(0x7A4030) * (0.95 + 0.1 * noise(p * 3.0, own));
        }
        // Courses of tiles, light along the hips.
        let a = p.x.abs().max(p.y.abs());
        let b = p.x.abs().min(p.y.abs());
        let hip = smoothstep(0.80, 0.97, b / a.max(1e-3));
        let column = 0.5 + 0.5 * (b * 9.0).cos();
        (tile * (0.84 + 0.2 * column + 0.08 * noise(p * 5.0, own))).lerp(ridge, hip * 0.85)
    };
    roof(3.5, 0.95, 3.3, 1.15, 0.75).onto(&mut mesh, 0.65, Surface::Plain, paint);
    // The lantern storey between the roofs.
    Form::slab(Vec3::new(0.95, 0.95, 0.42), 0.03).moved(Vec3::Z * 4.75).onto(
        &mut mesh,
        0.5,
        Surface::Plain,
        |p, n| {
            let along = if n.x.abs() > n.y.abs() { p.y } else { p.x };
            let bars = smoothstep(0.25, 0.35, ((along * 3.0).fract().abs() - 0.5).abs());
            hex(0xE0C890).lerp(hex(0x8A3424), bars)
        },
    );
    for c in corners {
        let at = c * 0.95;
        red(&mut mesh, beam(at.extend(4.3), at.extend(5.3), Vec2::splat(0.08), 0.02));
    }
    roof(1.95, 0.12, 5.1, 1.05, 0.5).onto(&mut mesh, 0.65, Surface::Plain, paint);
    let finial = [
        (0.16, 6.05),
        (0.22, 6.15),
        (0.1, 6.25),
        (0.17, 6.4),
        (0.15, 6.5),
        (0.06, 6.6),
        (0.08, 6.7),
        (0.0, 7.0),
    ];
    Form::lathe(&finial, 10).onto(&mut mesh, 0.7, Surface::Plain, |p, n| golden(p, n, own));
    bake(&mut mesh, 0.55);
    for c in corners {
        lantern(&mut mesh, (c * 3.38).extend(3.72), 0.17);
    }
    mesh
}

/// A paper lantern that hangs from a point.
fn lantern(mesh: &mut Mesh, hook: Vec3, size: f32) {
    let dark = |_: Vec3, _: Vec3| hex(0x3A2A20);
    Form::tube(&[(hook, 0.012), (hook - Vec3::Z * size * 1.2, 0.012)], 4).onto(
        mesh,
        1.0,
        Surface::Plain,
        dark,
    );
    let at = hook - Vec3::Z * size * 2.2;
    let body = [
        (0.0, -0.95),
        (0.55, -0.9),
        (0.92, -0.45),
        (1.0, 0.0),
        (0.92, 0.45),
        (0.55, 0.9),
        (0.0, 0.95),
    ]
    .map(|(r, z)| (r * size, z * size));
    Form::lathe(&body, 10).moved(at).onto(mesh, 1.0, Surface::Glowing, |_, n| {
        hex(0xE8862E).lerp(hex(0xF8C468), 0.5 + 0.5 * n.z)
    });
    for z in [-1.0, 1.0] {
        let cap =
            [(0.0, -0.1), (0.6, -0.1), (0.6, 0.1), (0.0, 0.12)].map(|(r, h)| (r * size, h * size));
        Form::lathe(&cap, 8).moved(at + Vec3::Z * z * size).onto(mesh, 0.5, Surface::Plain, dark);
    }
}

/// Chests and a heap of gold: what was brought.
pub(super) fn treasure(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x7E5);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    super::gold::heap(&mut mesh, Vec3::ZERO, 0.75, 0.5, 40, &mut chance);
    for (at, turn) in [(Vec2::new(0.85, 0.1), 0.3), (Vec2::new(-0.5, 0.75), 2.4)] {
        let put = |f: Form| f.turned(Quat::from_rotation_z(turn)).moved(at.extend(0.0));
        let plank = |p: Vec3, _: Vec3| super::gold::wood(p, own);
        put(Form::slab(Vec3::new(0.26, 0.4, 0.18), 0.02).moved(Vec3::Z * 0.18)).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            plank,
        );
        // The lid stands open.
        let lid = Form::lathe(&[(0.0, -0.4), (0.27, -0.4), (0.27, 0.4), (0.0, 0.4)], 12)
            .turned(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2))
            .map(|p| Vec3::new(p.x, p.y, p.z.max(0.0)))
            .turned(Quat::from_rotation_y(-1.0 - FRAC_PI_4 * 0.3))
            .moved(Vec3::new(-0.34, 0.0, 0.42));
        put(lid).onto(&mut mesh, 0.6, Surface::Plain, plank);
        for y in [-0.3, 0.3] {
            put(Form::slab(Vec3::new(0.275, 0.03, 0.19), 0.008).moved(Vec3::new(0.0, y, 0.18)))
                .onto(&mut mesh, 0.5, Surface::Plain, |p, n| golden(p, n, own) * 0.8);
        }
        let full =
            put(Form::icosphere(2).scaled(Vec3::new(0.23, 0.36, 0.16)).moved(Vec3::Z * 0.36));
        full.rough(0.03, 9.0, 2, own)
            .onto(&mut mesh, 0.4, Surface::Plain, |p, n| golden(p, n, own));
    }
    bake(&mut mesh, 0.5);
    mesh
}
