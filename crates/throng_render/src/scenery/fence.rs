//! By the way: fences, signposts, lanterns on posts.

use glam::{Quat, Vec2, Vec3};

use super::chance::{Chance, noise};
use super::gold::wood;
use super::occlusion::bake;
use super::shape::{Form, beam, hex};
use crate::{Mesh, Surface};

/// Length of a piece of fence (metres).
pub(super) const PIECE: f32 = 2.2;

/// A piece of fence along x: a post at its start, rough rails.
pub(super) fn fence(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0xFE);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let grey = |p: Vec3, n: Vec3| wood(p, own).lerp(hex(0x8E8476), 0.45) * (0.95 + 0.08 * n.z);
    for x in [0.0, PIECE * 0.5] {
        let lean = Vec2::new(chance.either(), chance.either()) * 0.07;
        let top = chance.between(1.0, 1.15) * if x > 0.0 { 0.92 } else { 1.0 };
        let path = [
            (Vec3::new(x, 0.0, -0.5), 0.085),
            (Vec3::new(x, 0.0, 0.5) + (lean * 0.5).extend(0.0), 0.08),
            (Vec3::new(x, 0.0, top) + lean.extend(0.0), 0.065),
            (Vec3::new(x, 0.0, top + 0.09) + lean.extend(0.0), 0.02),
        ];
        Form::tube(&path, 7).onto(&mut mesh, 0.8, Surface::Plain, grey);
    }
    for z in [0.42, 0.82] {
        let (a, b) = (0.06 * chance.either(), 0.06 * chance.either());
        let path = [
            (Vec3::new(-0.12, 0.07, z + a), 0.04),
            (Vec3::new(PIECE * 0.5, 0.085, z - 0.02), 0.05),
            (Vec3::new(PIECE + 0.12, 0.07, z + b), 0.038),
        ];
        Form::tube(&path, 6).onto(&mut mesh, 0.8, Surface::Plain, grey);
    }
    bake(&mut mesh, 0.45);
    mesh
}

/// A signpost with boards that point, one of a colour.
pub(super) fn signpost(name: &str, seed: u64, colour: u32) -> Mesh {
    let mut chance = Chance::new(seed, 0x516);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    beam(Vec3::Z * -0.4, Vec3::new(0.03, 0.02, 2.35), Vec2::splat(0.065), 0.02).onto(
        &mut mesh,
        0.5,
        Surface::Plain,
        |p, _| wood(p, own),
    );
    let cap = [(0.0, 2.3), (0.12, 2.3), (0.0, 2.5)];
    Form::lathe(&cap, 4).onto(&mut mesh, 0.3, Surface::Plain, |p, _| wood(p, own) * 0.9);
    for (i, (z, turn)) in [(2.05, 0.2), (1.72, 2.5), (1.42, -1.3)].into_iter().enumerate() {
        let paint = if i == 0 { hex(colour) } else { hex(0xB8946A) };
        let (half, thick, tip) = (0.115, 0.022, 0.2);
        let outline = [
            (-0.18, -half),
            (0.55, -half),
            (0.55 + tip, 0.0),
            (0.55, half),
            (-0.18, half),
            (-0.1, 0.0),
        ];
        let rows: Vec<Vec<Vec3>> = vec![
            vec![Vec3::new(0.2, thick, 0.0)],
            outline.map(|(x, h)| Vec3::new(x, thick, h)).to_vec(),
            outline.map(|(x, h)| Vec3::new(x, -thick, h)).to_vec(),
            vec![Vec3::new(0.2, -thick, 0.0)],
        ];
        let form = Form::skin(&rows)
            .turned(Quat::from_rotation_x(0.05 * chance.either()))
            .moved(Vec3::new(0.0, 0.085, z))
            .turned(Quat::from_rotation_z(turn + 0.2 * chance.either()));
        form.onto(&mut mesh, 0.5, Surface::Plain, |p, _| {
            paint * (0.88 + 0.2 * noise(p * Vec3::new(2.0, 2.0, 16.0), own))
        });
    }
    for i in 0..4 {
        let out = Vec2::from_angle(i as f32 * 1.6 + 0.4) * 0.19;
        let form = Form::icosphere(1)
            .shaved(5, (0.1, 0.3), &mut chance)
            .scaled(Vec3::new(0.15, 0.14, 0.11))
            .moved(out.extend(0.04));
        form.onto(&mut mesh, 0.8, Surface::Stone, |p, n| super::rock::stone(p, n, 0.4, 0.3, own));
    }
    bake(&mut mesh, 0.45);
    mesh
}

/// A lantern on a crooked post, 2.6 m high.
pub(super) fn lantern(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0x1A);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let bark = |p: Vec3, _: Vec3| wood(p, own) * 0.92;
    let post = [
        (Vec3::new(0.0, 0.0, -0.4), 0.09),
        (Vec3::new(0.03, 0.02, 0.9), 0.07),
        (Vec3::new(-0.04, 0.0, 1.9), 0.06),
        (Vec3::new(0.05, 0.0, 2.45), 0.05),
        (Vec3::new(0.32, 0.0, 2.62), 0.04),
        (Vec3::new(0.55, 0.0, 2.52), 0.025),
    ];
    Form::tube(&post, 7).onto(&mut mesh, 0.9, Surface::Plain, bark);
    let brace = [(Vec3::new(-0.02, 0.0, 2.0), 0.025), (Vec3::new(0.34, 0.0, 2.58), 0.022)];
    Form::tube(&brace, 5).onto(&mut mesh, 0.9, Surface::Plain, bark);
    let iron = |_: Vec3, n: Vec3| hex(0x3C3834) * (1.0 + 0.25 * n.z);
    let hang = Vec3::new(0.53, 0.0, 2.5);
    Form::tube(&[(hang, 0.01), (hang - Vec3::Z * 0.18, 0.01)], 4).onto(
        &mut mesh,
        1.0,
        Surface::Plain,
        iron,
    );
    let at = hang - Vec3::Z * 0.38;
    Form::lathe(&[(0.0, 0.07), (0.17, 0.07), (0.17, 0.1), (0.05, 0.2), (0.0, 0.22)], 6)
        .moved(at)
        .onto(&mut mesh, 0.4, Surface::Plain, iron);
    Form::lathe(&[(0.0, -0.2), (0.13, -0.2), (0.13, -0.16), (0.0, -0.16)], 6).moved(at).onto(
        &mut mesh,
        0.4,
        Surface::Plain,
        iron,
    );
    for i in 0..6 {
        let out = Vec2::from_angle(i as f32 / 6.0 * std::f32::consts::TAU);
        beam(
            at + (out * 0.11).extend(-0.18),
            at + (out * 0.13).extend(0.09),
            Vec2::splat(0.01),
            0.003,
        )
        .onto(&mut mesh, 0.5, Surface::Plain, iron);
    }
    bake(&mut mesh, 0.45);
    let glass = [(0.0, -0.15), (0.085, -0.15), (0.105, 0.06), (0.0, 0.06)];
    Form::lathe(&glass, 6).moved(at).onto(&mut mesh, 0.5, Surface::Glowing, |_, n| {
        hex(0xF2A040).lerp(hex(0xFFD890), 0.5 + 0.5 * n.z)
    });
    mesh
}
