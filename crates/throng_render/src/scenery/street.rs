//! Streets and squares: lamps on brackets, benches, planters, awnings, a fountain, flags, rows of seats.

use glam::{Vec2, Vec3};

use super::chance::{Chance, noise};
use super::gold::wood;
use super::leaf::{Fine, Greens, Puff, crown};
use super::occlusion::bake;
use super::shape::{Form, beam, hex};
use super::tree::{self, Leafy};
use crate::{Mesh, Surface};

fn iron(p: Vec3, n: Vec3) -> Vec3 {
    hex(0x33_3A3A) * (1.0 + 0.25 * n.z + 0.08 * noise(p * 9.0, 3))
}

fn masonry(p: Vec3, n: Vec3, seed: u32) -> Vec3 {
    hex(0xB4_AA98) * (0.92 + 0.08 * n.z + 0.10 * noise(p * 3.0, seed))
}

/// A lamp on a bracket, for a wall that looks along x; it hangs 3.1 m high, 0.7 m from the wall.
pub(super) fn wall_lamp(name: &str, seed: u64) -> Mesh {
    let mut mesh = Mesh::new(name);
    Form::slab(Vec3::new(0.03, 0.09, 0.22), 0.01).moved(Vec3::new(0.03, 0.0, 3.35)).onto(
        &mut mesh,
        0.5,
        Surface::Plain,
        iron,
    );
    let arm: Vec<(Vec3, f32)> = (0..7)
        .map(|i| {
            let t = i as f32 / 6.0;
            (Vec3::new(0.72 * t, 0.0, 3.35 + 0.32 * (t * 3.0).sin() * 0.8), 0.022)
        })
        .collect();
    Form::tube(&arm, 5).onto(&mut mesh, 0.9, Surface::Plain, iron);
    let at = Vec3::new(0.72, 0.0, 3.12);
    Form::lathe(&[(0.0, 0.16), (0.19, 0.16), (0.12, 0.26), (0.03, 0.31), (0.0, 0.32)], 6)
        .moved(at)
        .onto(&mut mesh, 0.4, Surface::Plain, iron);
    Form::lathe(&[(0.0, -0.22), (0.09, -0.22), (0.1, -0.18), (0.0, -0.18)], 6).moved(at).onto(
        &mut mesh,
        0.4,
        Surface::Plain,
        iron,
    );
    bake(&mut mesh, 0.35);
    let own = Chance::new(seed, 1).bits();
    Form::lathe(&[(0.0, -0.18), (0.09, -0.18), (0.15, 0.16), (0.0, 0.16)], 6).moved(at).onto(
        &mut mesh,
        0.5,
        Surface::Glowing,
        |p, _| hex(0xF8_CE88) * (0.95 + 0.05 * noise(p, own)),
    );
    mesh
}

/// A bench with its back to a wall that looks along x; it reaches 0.5 m out.
pub(super) fn bench(name: &str, seed: u64) -> Mesh {
    let mut mesh = Mesh::new(name);
    let own = Chance::new(seed, 2).bits();
    let plank = |p: Vec3, _: Vec3| wood(p, own) * 1.05;
    for y in [-0.7, 0.7] {
        beam(Vec3::new(0.1, y, 0.0), Vec3::new(0.06, y, 0.85), Vec2::splat(0.03), 0.01).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            iron,
        );
        beam(Vec3::new(0.44, y, 0.0), Vec3::new(0.44, y, 0.42), Vec2::splat(0.03), 0.01).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            iron,
        );
        beam(Vec3::new(0.1, y, 0.41), Vec3::new(0.48, y, 0.41), Vec2::splat(0.025), 0.01).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            iron,
        );
    }
    for x in [0.16, 0.28, 0.40] {
        Form::slab(Vec3::new(0.05, 0.85, 0.02), 0.008).moved(Vec3::new(x, 0.0, 0.45)).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            plank,
        );
    }
    for z in [0.62, 0.76] {
        Form::slab(Vec3::new(0.02, 0.85, 0.05), 0.008).moved(Vec3::new(0.09, 0.0, z)).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            plank,
        );
    }
    bake(&mut mesh, 0.45);
    mesh
}

/// A tree in a round planter of a metre in radius.
pub(super) fn planted(name: &str, look: Leafy, seed: u64) -> Mesh {
    let mut mesh = tree::leafy(name, look, seed, true);
    let own = Chance::new(seed, 3).bits();
    // The tree stands on the soil of the planter; the planter's radius is 1 and stands for 0.6 m.
    for p in &mut mesh.positions {
        *p = *p * 1.55 + Vec3::Z * 0.5;
    }
    let mut pot = Mesh::new(name);
    let ring = [
        (0.92, -0.3),
        (0.96, 0.0),
        (0.92, 0.42),
        (1.0, 0.46),
        (1.0, 0.58),
        (0.82, 0.58),
        (0.80, 0.48),
        (0.0, 0.50),
    ];
    Form::lathe(&ring, 20).onto(&mut pot, 0.5, Surface::Roof, |p, n| {
        if Vec2::new(p.x, p.y).length() < 0.81 && n.z > 0.7 {
            hex(0x5A_4632)
        } else {
            masonry(p, n, own)
        }
    });
    bake(&mut pot, 0.5);
    let base = mesh.positions.len() as u32;
    mesh.positions.extend(pot.positions);
    mesh.normals.extend(pot.normals);
    mesh.colours.extend(pot.colours);
    mesh.indices.extend(pot.indices.iter().map(|i| i + base));
    mesh
}

/// A box of flowers on a wall that looks along x, at 1.1 m.
pub(super) fn flower_box(name: &str, seed: u64, bloom: u32) -> Mesh {
    let mut chance = Chance::new(seed, 4);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    Form::slab(Vec3::new(0.14, 0.6, 0.11), 0.02).moved(Vec3::new(0.15, 0.0, 1.05)).onto(
        &mut mesh,
        0.5,
        Surface::Plain,
        |p, _| wood(p, own),
    );
    let puffs: Vec<Puff> = (0..4)
        .map(|i| Puff {
            centre: Vec3::new(0.17, -0.42 + 0.28 * i as f32, 1.22),
            size: Vec3::new(0.14, 0.2, 0.13),
        })
        .collect();
    let greens = Greens { deep: hex(0x3C_5426), light: hex(0x7C_9440), accent: hex(bloom) };
    crown(&mut mesh, &puffs, greens, Fine { levels: 0, leaves: 16, leaf: 0.12 }, &mut chance);
    for _ in 0..12 {
        let puff = puffs[chance.below(4)];
        let out = chance.direction();
        let at = puff.centre + Vec3::new(out.x.abs(), out.y, out.z) * puff.size * 1.1;
        Form::icosphere(0).scaled(Vec3::splat(0.035)).moved(at).onto(
            &mut mesh,
            3.0,
            Surface::Plain,
            |_, _| hex(bloom),
        );
    }
    bake(&mut mesh, 0.45);
    mesh
}

/// An awning over a shop front, striped, for a wall that looks along x: 3 m wide, 2.5 m high, 1.2 m out.
pub(super) fn awning(name: &str, seed: u64, colours: [u32; 2]) -> Mesh {
    let mut mesh = Mesh::new(name);
    let own = Chance::new(seed, 5).bits();
    let [a, b] = colours.map(hex);
    for i in 0..5 {
        // One strip of cloth to a stripe, so that the colours do not run.
        let y0 = -1.5 + 0.6 * i as f32;
        let strip = |q: Vec2| {
            let (y, x) = (y0 + 0.6 * q.x, 1.2 * q.y.min(0.75) / 0.75);
            let hang = ((q.y - 0.75) / 0.25).max(0.0);
            let scallop = 0.10 * (1.0 - (2.0 * q.x - 1.0).powi(2)).max(0.0).sqrt();
            Vec3::new(
                x + 0.01 * hang,
                y,
                3.05 - 0.45 * q.y.min(0.75) / 0.75 - hang * (0.12 + scallop),
            )
        };
        let colour = if i % 2 == 0 { a } else { b };
        Form::sheet(3, 4, -0.012, strip).onto(&mut mesh, 0.6, Surface::Plain, |p, _| {
            colour * (0.95 + 0.07 * noise(p * 3.0, own))
        });
    }
    for y in [-1.46, 1.46] {
        beam(Vec3::new(0.02, y, 2.55), Vec3::new(1.16, y, 2.56), Vec2::splat(0.018), 0.005).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            iron,
        );
    }
    bake(&mut mesh, 0.4);
    mesh
}

/// A fountain of three bowls, 3.4 m high, for the middle of a basin.
pub(super) fn fountain(name: &str, seed: u64) -> Mesh {
    let mut mesh = Mesh::new(name);
    let own = Chance::new(seed, 6).bits();
    let profile = [
        (0.75, 0.0),
        (0.72, 0.5),
        (0.38, 0.75),
        (0.26, 1.1),
        (0.34, 1.3),
        (1.35, 1.62),
        (1.42, 1.74),
        (1.34, 1.76),
        (0.3, 1.6),
        (0.2, 1.85),
        (0.16, 2.15),
        (0.24, 2.3),
        (0.78, 2.5),
        (0.82, 2.6),
        (0.76, 2.61),
        (0.2, 2.5),
        (0.13, 2.75),
        (0.2, 3.0),
        (0.16, 3.2),
        (0.05, 3.3),
        (0.0, 3.45),
    ];
    Form::lathe(&profile, 24).onto(&mut mesh, 0.7, Surface::Roof, |p, n| masonry(p, n, own));
    bake(&mut mesh, 0.55);
    let water = |p: Vec3, n: Vec3| {
        hex(0x8A_B4BE).lerp(hex(0xE4_F0F0), 0.4 * n.z.max(0.0) + 0.4 * noise(p * 6.0, own).abs())
    };
    for (r, z) in [(1.33, 1.72), (0.75, 2.59)] {
        Form::lathe(&[(0.0, z - 0.05), (r, z - 0.05), (r, z), (0.0, z)], 24).onto(
            &mut mesh,
            0.5,
            Surface::Plain,
            water,
        );
    }
    // Threads of falling water.
    for (count, from, to, r0, r1) in [(22, 1.74, 0.72, 1.41, 1.56), (14, 2.6, 1.74, 0.81, 0.94)] {
        for i in 0..count {
            let out = Vec2::from_angle((i as f32 + 0.3) / count as f32 * std::f32::consts::TAU);
            let path: Vec<(Vec3, f32)> = (0..5)
                .map(|k| {
                    let t = k as f32 / 4.0;
                    let r = r0 + (r1 - r0) * t.sqrt();
                    ((out * r).extend(from + (to - from) * t * t), 0.03 - 0.012 * t)
                })
                .collect();
            Form::tube(&path, 4).onto(&mut mesh, 1.2, Surface::Plain, water);
        }
    }
    mesh
}

/// A flag on a tall pole, 6 m, its foot within a wall.
pub(super) fn flag(name: &str, seed: u64, colours: [u32; 2]) -> Mesh {
    let mut mesh = Mesh::new(name);
    let own = Chance::new(seed, 7).bits();
    let [a, b] = colours.map(hex);
    Form::tube(&[(Vec3::ZERO, 0.06), (Vec3::Z * 6.0, 0.035)], 6).onto(
        &mut mesh,
        0.9,
        Surface::Plain,
        |_, n| hex(0xC8_C4BC) * (0.9 + 0.1 * n.z),
    );
    Form::icosphere(0).scaled(Vec3::splat(0.09)).moved(Vec3::Z * 6.05).onto(
        &mut mesh,
        3.0,
        Surface::Plain,
        |p, n| super::gold::golden(p, n, own),
    );
    for (part, colour) in [a, b, a].into_iter().enumerate() {
        let cloth = |q: Vec2| {
            let x = 0.04 + 1.5 * q.x;
            let wave = 0.13 * (x * 4.2).sin() * (0.25 + 0.75 * q.x);
            Vec3::new(x, wave, 5.9 - 0.3 * (part as f32 + q.y) - 0.12 * q.x * q.x)
        };
        Form::sheet(7, 1, 0.01, cloth).onto(&mut mesh, 0.9, Surface::Plain, |_, _| colour);
    }
    mesh
}

/// Rows of seats: strips of boards between the ends given, about the
/// middle, low enough to step over.
pub(super) fn seats(name: &str, rows: &[[Vec2; 2]], colours: [u32; 2]) -> Mesh {
    let mut mesh = Mesh::new(name);
    for (i, [a, b]) in rows.iter().enumerate() {
        let out = ((*a + *b) * 0.5).normalize_or(Vec2::X);
        let (low, high, deep) = (0.0, 0.26, 0.30);
        let block = ((a.to_angle() + 0.13) / (std::f32::consts::TAU / 12.0)).floor() as i32;
        let colour = super::shape::bytes(
            hex(colours[(block.rem_euclid(2)) as usize]) * (0.92 + 0.05 * (i % 3) as f32),
        );
        let at = |p: Vec2, r: f32, z: f32| (p + out * r).extend(z);
        let quads = [
            (
                [at(*a, 0.0, high), at(*b, 0.0, high), at(*b, deep, high), at(*a, deep, high)],
                Vec3::Z,
            ),
            (
                [at(*a, 0.0, low), at(*b, 0.0, low), at(*b, 0.0, high), at(*a, 0.0, high)],
                -out.extend(0.0),
            ),
            (
                [at(*b, deep, low), at(*a, deep, low), at(*a, deep, high), at(*b, deep, high)],
                out.extend(0.0),
            ),
        ];
        for (corners, normal) in quads {
            let front = (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(normal) > 0.0;
            let [p, q, r, s] = corners;
            mesh.quad(
                if front { [p, q, r, s] } else { [s, r, q, p] },
                normal,
                colour,
                Surface::Plain,
            );
        }
    }
    mesh
}
