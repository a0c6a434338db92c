//! Camps: tents, fires, logs to sit on.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};

use super::chance::{Chance, noise, smoothstep};
use super::gold::wood;
use super::occlusion::bake;
use super::rock::stone;
use super::shape::{Form, beam, hex};
use crate::{Mesh, Surface};

/// Cloth: a colour with stripes of another, patched and worn at the foot.
fn cloth(p: Vec3, along: f32, colours: [Vec3; 2], seed: u32) -> Vec3 {
    let stripe = smoothstep(0.42, 0.5, (along * 1.5).rem_euclid(1.0))
        * smoothstep(0.92, 0.84, (along * 1.5).rem_euclid(1.0));
    let worn = 0.92 + 0.1 * noise(p * 2.0, seed) - 0.16 * smoothstep(0.5, 0.0, p.z);
    colours[0].lerp(colours[1], stripe) * worn
}

/// A ridge tent with poles: canvas that sags, open in front. About 2.6 m long.
pub(super) fn ridge(name: &str, seed: u64, colours: [u32; 2]) -> Mesh {
    let mut chance = Chance::new(seed, 0x7E47);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let colours = colours.map(hex);
    let (long, wide, high) = (1.35, 1.15, 1.75);
    // u along the ridge, v from one hem over the ridge to the other.
    let canvas = |q: Vec2| {
        let x = (q.x - 0.5) * 2.0 * long;
        let v = (q.y - 0.5) * 2.0;
        let sag = 0.10 * (1.0 - (2.0 * q.x - 1.0).powi(2));
        let (a, belly) = (v.abs(), 0.14 * (v.abs() * (1.0 - v.abs())) * 4.0);
        let y = v.signum() * (wide * a - belly * 0.55);
        Vec3::new(x * (1.0 + 0.06 * a), y, (high - sag) * (1.0 - a) - belly * 0.5 + 0.02)
    };
    let form = Form::sheet(6, 12, 0.035, canvas);
    form.onto(&mut mesh, 0.5, Surface::Plain, |p, _| cloth(p, p.x + 0.2, colours, own));
    // The back is closed, the front by two flaps half drawn aside.
    let back = |q: Vec2| {
        let v = (q.x - 0.5) * 2.0 * (1.0 - q.y);
        Vec3::new(-long * 0.97 + 0.06 * (q.y * 3.0).sin(), v * wide * 0.97, q.y * high * 0.97)
    };
    Form::sheet(4, 5, -0.03, back)
        .onto(&mut mesh, 0.5, Surface::Plain, |p, _| cloth(p, 0.0, colours, own));
    for side in [-1.0, 1.0] {
        let flap = |q: Vec2| {
            let (near, far) = (0.42 + 0.1 * (1.0 - q.y), 1.0);
            let y = (near + (far - near) * q.x) * (1.0 - q.y) * wide * 0.97;
            Vec3::new(
                long * 0.97 + 0.07 * (q.x * 9.0).sin() * (1.0 - q.y),
                side * y,
                q.y * high * 0.96 + 0.02,
            )
        };
        Form::sheet(4, 5, 0.03 * side, flap)
            .onto(&mut mesh, 0.6, Surface::Plain, |p, _| cloth(p, 0.0, colours, own));
    }
    for x in [-long * 1.0, long * 1.0] {
        for side in [-1.0, 1.0] {
            let (foot, top) = (
                Vec3::new(x * 1.04, side * wide * 1.06, -0.15),
                Vec3::new(x * 1.02, -side * 0.14, high + 0.22),
            );
            beam(foot, top, Vec2::splat(0.035), 0.012).onto(
                &mut mesh,
                0.5,
                Surface::Plain,
                |p, _| wood(p, own),
            );
        }
    }
    beam(
        Vec3::new(-long * 1.12, 0.0, high + 0.02),
        Vec3::new(long * 1.12, 0.0, high + 0.02),
        Vec2::splat(0.035),
        0.012,
    )
    .onto(&mut mesh, 0.5, Surface::Plain, |p, _| wood(p, own));
    // Dark within.
    let floor = |q: Vec2| Vec3::new((q.x - 0.5) * 2.4, (q.y - 0.5) * 2.0, 0.03);
    Form::sheet(2, 2, 0.02, floor).onto(&mut mesh, 0.5, Surface::Plain, |_, _| hex(0x6A4A38));
    bake(&mut mesh, 0.6);
    mesh
}

/// A round tent: hides over poles that cross at the top. 3 m high.
pub(super) fn round(name: &str, seed: u64, colours: [u32; 2]) -> Mesh {
    let mut chance = Chance::new(seed, 0x715);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let [body, band] = colours.map(hex);
    let (girth, high, sides, rings) = (1.35, 2.5, 20, 8);
    let poles = 10.0;
    let ring = |k: usize| -> Vec<Vec3> {
        let t = k as f32 / rings as f32;
        (0..sides)
            .map(|i| {
                let angle = (i as f32 + 0.5) / sides as f32 * TAU;
                // Cloth hangs in between the poles.
                let between = 0.5 - 0.5 * (angle * poles).cos();
                let r = girth * (1.0 - t).powf(0.92) + 0.1;
                // The door: the hem drawn up in front.
                let front = smoothstep(0.42, 0.18, angle.min(TAU - angle));
                let lift = front * 1.15 * (1.0 - t) * smoothstep(1.0, 0.2, t);
                (Vec2::from_angle(angle) * r * (1.0 - 0.05 * between * (1.0 - t)))
                    .extend((high * t - 0.05).max(0.0) + lift)
            })
            .collect()
    };
    let rows: Vec<Vec<Vec3>> = (0..=rings).map(ring).collect();
    let outer = Form::skin(&rows);
    let inner: Vec<Vec<Vec3>> = rows
        .iter()
        .rev()
        .map(|r| r.iter().map(|p| Vec3::new(p.x * 0.95, p.y * 0.95, p.z - 0.01)).collect())
        .collect();
    let paint = |p: Vec3, _: Vec3| {
        let t = p.z / high;
        let zig = 0.05 * ((p.y.atan2(p.x) * poles).cos());
        let stripe = smoothstep(0.02, 0.0, (t + zig - 0.3).abs() - 0.05).max(smoothstep(
            0.02,
            0.0,
            (t + zig - 0.72).abs() - 0.035,
        ));
        let worn = 0.9 + 0.12 * noise(p * 1.8, own) - 0.12 * smoothstep(0.4, 0.0, p.z);
        body.lerp(band, stripe) * worn
    };
    outer.onto(&mut mesh, 0.9, Surface::Plain, paint);
    Form::skin(&inner).onto(&mut mesh, 0.9, Surface::Plain, |_, _| hex(0x4A3428));
    for i in 0..8 {
        let angle = (i as f32 + 0.25) / 8.0 * TAU;
        let out = Vec2::from_angle(angle);
        let (low, top) = (
            (out * 0.16).extend(high * 0.9),
            (-out * (0.2 + 0.05 * chance.either())).extend(high + 0.5 + 0.12 * chance.either()),
        );
        Form::tube(&[(low, 0.035), (top, 0.022)], 5).onto(
            &mut mesh,
            0.7,
            Surface::Plain,
            |p, _| wood(p, own),
        );
    }
    bake(&mut mesh, 0.58);
    mesh
}

/// A fire in a ring of stones.
pub(super) fn fire(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0xF1E);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    for i in 0..10 {
        let at = Vec2::from_angle(i as f32 / 10.0 * TAU + 0.1 * chance.either()) * 0.58;
        let size = chance.between(0.13, 0.18);
        let form = Form::icosphere(1)
            .shaved(6, (0.1, 0.35), &mut chance)
            .scaled(Vec3::new(1.0, 0.9, 0.8) * size)
            .moved(at.extend(size * 0.4));
        form.onto(&mut mesh, 0.7, Surface::Stone, |p, n| {
            let soot = smoothstep(0.62, 0.48, Vec2::new(p.x, p.y).length());
            stone(p, n, 0.4, 0.0, own).lerp(hex(0x2A2624), soot * 0.7)
        });
    }
    for i in 0..5 {
        let out = Vec2::from_angle(i as f32 / 5.0 * TAU + 0.4);
        let path = [((out * 0.42).extend(0.05), 0.06), ((-out * 0.06).extend(0.34), 0.05)];
        Form::tube(&path, 6).onto(&mut mesh, 0.9, Surface::Plain, |p, _| {
            wood(p, own).lerp(hex(0x1E1A18), smoothstep(0.1, 0.3, p.z))
        });
    }
    bake(&mut mesh, 0.5);
    for i in 0..6 {
        let out = Vec2::from_angle(i as f32 * 2.4) * if i == 0 { 0.0 } else { 0.17 };
        let high = if i == 0 { 0.85 } else { chance.between(0.4, 0.62) };
        let girth = if i == 0 { 0.17 } else { 0.11 };
        let lick = [
            (0.0, 0.0),
            (girth * 0.8, 0.1 * high),
            (girth, 0.3 * high),
            (girth * 0.55, 0.62 * high),
            (0.0, high),
        ];
        let twist = chance.angle();
        let form = Form::lathe(&lick, 7).map(|p| {
            let sway = Vec2::from_angle(twist + p.z * 4.0) * 0.12 * p.z;
            p + (out + sway).extend(0.06)
        });
        form.onto(&mut mesh, 2.0, Surface::Glowing, |p, _| {
            let t = ((p.z - 0.06) / 0.8).clamp(0.0, 1.0);
            hex(0xFFC040).lerp(hex(0xF0501A), smoothstep(0.1, 0.8, t))
        });
    }
    mesh
}

/// A log to sit on.
pub(super) fn log(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x106);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let length = 0.8;
    let path: Vec<(Vec3, f32)> = (0..5)
        .map(|i| {
            let t = i as f32 / 2.0 - 1.0;
            (Vec3::new(t * length, 0.03 * (t * 3.0).sin(), 0.17), 0.19 + 0.015 * chance.either())
        })
        .collect();
    Form::tube(&path, 9).onto(&mut mesh, 0.8, Surface::Plain, |p, n| {
        if n.x.abs() > 0.8 {
            let ring = (Vec2::new(p.y, p.z - 0.17).length() * 60.0).sin();
            hex(0xC8A878) * (0.95 + 0.06 * ring)
        } else {
            hex(0x62482F).lerp(
                hex(0x86684A),
                0.5 + 0.5 * noise(Vec3::new(p.x * 2.0, p.y * 12.0, p.z * 12.0), own),
            )
        }
    });
    let stub = [(Vec3::new(0.3, 0.1, 0.25), 0.06), (Vec3::new(0.36, 0.2, 0.42), 0.045)];
    Form::tube(&stub, 6).onto(&mut mesh, 0.8, Surface::Plain, |_, n| {
        if n.z > 0.7 { hex(0xC8A878) } else { hex(0x6E5238) }
    });
    bake(&mut mesh, 0.5);
    mesh
}

/// Crates and sacks.
pub(super) fn stores(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x570);
    let mut mesh = Mesh::new(name);
    for (at, size, turn) in [
        (Vec3::ZERO, 0.36, 0.2),
        (Vec3::new(0.7, 0.25, 0.0), 0.28, -0.5),
        (Vec3::new(0.05, 0.02, 0.72), 0.25, 0.7),
    ] {
        let own = chance.bits();
        let spin = Quat::from_rotation_z(turn);
        let put = |f: Form| f.turned(spin).moved(at + Vec3::Z * size);
        put(Form::slab(Vec3::splat(size * 0.94), 0.01)).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            |p, _| wood(p * 1.4, own) * 0.86,
        );
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let edge = Vec3::new(x, y, 0.0) * size * 0.93;
            put(Form::slab(Vec3::new(0.05, 0.05, size), 0.012).moved(edge)).onto(
                &mut mesh,
                0.5,
                Surface::Plain,
                |p, _| wood(p, own) * 1.12,
            );
            for z in [-0.93, 0.93] {
                let (axis, half) = if x * y > 0.0 {
                    (Vec3::Y * y, Vec3::new(size, 0.045, 0.05))
                } else {
                    (Vec3::X * x, Vec3::new(0.045, size, 0.05))
                };
                put(Form::slab(half, 0.012).moved((axis * 0.96 + Vec3::Z * z) * size)).onto(
                    &mut mesh,
                    0.5,
                    Surface::Plain,
                    |p, _| wood(p, own) * 1.08,
                );
            }
        }
    }
    for (at, size) in [(Vec2::new(-0.55, 0.35), 0.3), (Vec2::new(-0.4, -0.45), 0.26)] {
        let sack = [
            (0.0, -0.02),
            (0.85, 0.0),
            (1.05, 0.35),
            (0.95, 0.9),
            (0.55, 1.3),
            (0.28, 1.42),
            (0.42, 1.62),
            (0.0, 1.55),
        ]
        .map(|(r, z)| (r * size, z * size));
        let own = chance.bits();
        let form = Form::lathe(&sack, 10)
            .map(|p| (p + Vec3::splat(0.04) * noise(p * 4.0, own)) + at.extend(0.0));
        form.onto(&mut mesh, 1.0, Surface::Plain, |p, _| {
            hex(0xB49A6C) * (0.93 + 0.12 * noise(p * 6.0, own))
        });
    }
    bake(&mut mesh, 0.55);
    mesh
}

/// A pole with a long banner of a colour, 3.6 m high.
pub(super) fn banner(name: &str, seed: u64, colours: [u32; 2]) -> Mesh {
    let mut chance = Chance::new(seed, 0xBA);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let [body, mark] = colours.map(hex);
    let pole = [(Vec3::Z * -0.3, 0.06), (Vec3::Z * 3.5, 0.04)];
    Form::tube(&pole, 7).onto(&mut mesh, 0.8, Surface::Plain, |p, _| wood(p, own));
    Form::icosphere(1).scaled(Vec3::splat(0.09)).moved(Vec3::Z * 3.56).onto(
        &mut mesh,
        1.0,
        Surface::Plain,
        |p, n| super::gold::golden(p, n, own),
    );
    let arm =
        Form::tube(&[(Vec3::new(-0.1, 0.0, 3.3), 0.03), (Vec3::new(0.72, 0.0, 3.3), 0.025)], 5);
    arm.onto(&mut mesh, 0.8, Surface::Plain, |p, _| wood(p, own));
    let flag = |q: Vec2| {
        let notch = 0.28 * (1.0 - (2.0 * q.x - 1.0).abs());
        let z = 3.28 - q.y * 1.55 + notch * q.y;
        Vec3::new(0.08 + 0.58 * q.x, 0.05 * (q.y * 5.0 + q.x * 3.0).sin() * q.y, z)
    };
    Form::sheet(4, 8, 0.015, flag).onto(&mut mesh, 0.8, Surface::Plain, |p, _| {
        let (x, z) = ((p.x - 0.37) / 0.29, (p.z - 2.65) / 0.29);
        let emblem = smoothstep(0.72, 0.62, (x * x + z * z).sqrt())
            * smoothstep(0.3, 0.4, (x * x + z * z).sqrt());
        let hem = smoothstep(0.8, 0.9, x.abs());
        body.lerp(mark, emblem.max(hem)) * (0.95 + 0.08 * noise(p * 4.0, own))
    });
    bake(&mut mesh, 0.4);
    mesh
}
