//! Bushes, grass and flowers.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::chance::Chance;
use super::leaf::{Fine, Greens, Puff, blade, crown};
use super::occlusion::bake;
use super::shape::{Form, bytes, hex};
use crate::{Mesh, Surface};

/// A bush, about half a metre high.
pub(super) fn bush(name: &str, seed: u64, berries: Option<u32>, fine: bool) -> Mesh {
    let mut chance = Chance::new(seed, 0xB5);
    let mut mesh = Mesh::new(name);
    let greens = [
        Greens { deep: hex(0x3C5426), light: hex(0x7C9440), accent: hex(0x8EA04A) },
        Greens { deep: hex(0x46582A), light: hex(0x96A04C), accent: hex(0xA89E50) },
    ][chance.below(2)];
    let mut puffs =
        vec![Puff { centre: Vec3::new(0.0, 0.0, 0.24), size: Vec3::new(0.36, 0.34, 0.27) }];
    let turn = chance.angle();
    for i in 0..3 {
        let out = Vec2::from_angle(turn + i as f32 * 2.1) * chance.between(0.26, 0.38);
        let girth = chance.between(0.2, 0.28);
        puffs.push(Puff {
            centre: out.extend(girth * 0.65),
            size: Vec3::new(girth, girth, girth * 0.8),
        });
    }
    let detail = if fine {
        Fine { levels: 1, leaves: 55, leaf: 0.13 }
    } else {
        Fine { levels: 0, leaves: 26, leaf: 0.16 }
    };
    crown(&mut mesh, &puffs, greens, detail, &mut chance);
    if let Some(colour) = berries {
        for _ in 0..9 {
            let puff = puffs[chance.below(puffs.len())];
            let out = chance.direction();
            let out = Vec3::new(out.x, out.y, out.z.abs());
            let form = Form::icosphere(0)
                .scaled(Vec3::splat(0.032))
                .moved(puff.centre + out * puff.size * 1.08);
            form.onto(&mut mesh, 3.2, Surface::Plain, |_, _| hex(colour));
        }
    }
    bake(&mut mesh, 0.55);
    mesh
}

/// Grass in a tuft, with flowers or without.
pub(super) fn tuft(name: &str, seed: u64, flower: Option<u32>) -> Mesh {
    let mut chance = Chance::new(seed, 0x6A55);
    let mut mesh = Mesh::new(name);
    for _ in 0..20 {
        let root = (Vec2::from_angle(chance.angle()) * chance.between(0.0, 0.3)).extend(-0.02);
        let lean = Vec2::new(root.x, root.y) * 0.8 + Vec2::from_angle(chance.angle()) * 0.08;
        let height = chance.between(0.16, 0.38);
        let colour = [hex(0x46562A), hex(0x98A052) * chance.between(0.85, 1.1)];
        blade(&mut mesh, root, lean, height, 0.045, colour, Surface::Foliage);
    }
    if let Some(colour) = flower {
        for _ in 0..7 {
            let root =
                (Vec2::from_angle(chance.angle()) * chance.between(0.03, 0.38)).extend(-0.02);
            let lean = Vec2::from_angle(chance.angle()) * 0.07;
            let height = chance.between(0.2, 0.38);
            blade(
                &mut mesh,
                root,
                lean,
                height,
                0.018,
                [hex(0x46562A), hex(0x7A8A40)],
                Surface::Foliage,
            );
            petals(
                &mut mesh,
                root + lean.extend(height),
                hex(colour) * chance.between(0.9, 1.1),
                &mut chance,
            );
        }
    }
    mesh
}

/// A flower's head: petals around a yellow eye.
fn petals(mesh: &mut Mesh, at: Vec3, colour: Vec3, chance: &mut Chance) {
    let tilt = (Vec3::Z + chance.direction() * 0.45).normalize_or(Vec3::Z);
    let u = tilt.any_orthonormal_vector();
    let v = tilt.cross(u);
    let eye = mesh.vertex(at + tilt * 0.006, tilt, bytes(hex(0xE8C040)), Surface::Foliage);
    let rim: Vec<u32> = (0..10)
        .map(|i| {
            let a = Vec2::from_angle(i as f32 / 10.0 * TAU);
            let r = if i % 2 == 0 { 0.066 } else { 0.028 };
            let p = at + (u * a.x + v * a.y) * r + tilt * if i % 2 == 0 { 0.014 } else { 0.0 };
            mesh.vertex(p, tilt, bytes(colour), Surface::Foliage)
        })
        .collect();
    for i in 0..10 {
        mesh.indices.extend([eye, rim[i], rim[(i + 1) % 10]]);
    }
}
