//! Trees: broadleaf and conifer, near and far, old giants and dead ones.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::chance::{Chance, fractal, noise, smoothstep};
use super::leaf::{Fine, Greens, Puff, crown};
use super::occlusion::bake;
use super::shape::{Form, hex};
use crate::{Mesh, Surface};

/// Looks of broadleaf trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leafy {
    Oak,
    Birch,
    Maple,
}

impl Leafy {
    fn greens(self) -> Greens {
        let (deep, light, accent) = match self {
            Self::Oak => (0x3E5A26, 0x7E9A3C, 0x94A448),
            Self::Birch => (0x5E7A2E, 0xA4B850, 0xC2C060),
            Self::Maple => (0x8A3E1E, 0xD07C2C, 0xDCA23C),
        };
        Greens { deep: hex(deep), light: hex(light), accent: hex(accent) }
    }

    fn bark(self, p: Vec3, seed: u32) -> Vec3 {
        let grain = noise(Vec3::new(p.x * 9.0, p.y * 9.0, p.z * 1.6), seed);
        match self {
            Self::Birch => {
                let scar =
                    smoothstep(0.42, 0.62, noise(Vec3::new(p.x * 2.0, p.y * 2.0, p.z * 7.0), seed));
                hex(0xD8D2C4).lerp(hex(0x4A443C), scar) * (0.95 + 0.06 * grain)
            }
            _ => hex(0x6E553E).lerp(hex(0x8C7154), grain * 0.5 + 0.5),
        }
    }
}

/// A trunk: thick at the foot, bent a little, with roots.
fn trunk(height: f32, radius: f32, bend: Vec2, sides: usize, chance: &mut Chance) -> Form {
    let rings = 7;
    let path: Vec<(Vec3, f32)> = (0..rings)
        .map(|i| {
            let t = i as f32 / (rings - 1) as f32;
            let z = height * t * t.sqrt() - 0.35 * (1.0 - t);
            let wave = bend * (t * t) + bend.perp() * 0.35 * (t * 5.0).sin() * t;
            (wave.extend(z), radius * (1.0 - 0.62 * t))
        })
        .collect();
    let (roots, turn) = (4.0 + chance.below(2) as f32, chance.angle());
    Form::tube(&path, sides).map(|p| {
        let flat = Vec2::new(p.x, p.y);
        let flare = smoothstep(radius * 3.0, -0.1, p.z);
        let ridge = 0.6 + 0.4 * ((flat.to_angle() * roots + turn).cos());
        (flat * (1.0 + 1.0 * flare * flare * ridge)).extend(p.z)
    })
}

/// A broadleaf tree of 5 to 7 metres.
pub(super) fn leafy(name: &str, look: Leafy, seed: u64, fine: bool) -> Mesh {
    let mut chance = Chance::new(seed, 0x7EE);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let slim = look == Leafy::Birch;
    let bole = if slim { chance.between(3.4, 4.2) } else { chance.between(2.3, 2.8) };
    let radius = if slim { 0.13 } else { chance.between(0.22, 0.28) };
    let bend = Vec2::from_angle(chance.angle()) * chance.between(0.1, 0.45);
    let sides = if fine { 9 } else { 5 };
    let bark = |p: Vec3, _: Vec3| look.bark(p, own);
    trunk(bole + 0.6, radius, bend, sides, &mut chance).onto(&mut mesh, 1.2, Surface::Plain, bark);
    let top = bend.extend(bole);
    let mut puffs = Vec::new();
    let boughs = if slim { 4 } else { 5 };
    let turn = chance.angle();
    for i in 0..boughs {
        let angle = turn + i as f32 / boughs as f32 * TAU + chance.either() * 0.3;
        let out = Vec2::from_angle(angle);
        let (reach, rise) = if slim {
            (chance.between(0.4, 0.8), chance.between(-0.7, 1.5))
        } else {
            (chance.between(1.15, 1.6), chance.between(0.25, 0.95))
        };
        let end = top + (out * reach).extend(rise);
        if fine {
            let from = top - Vec3::Z * chance.between(0.2, 0.9) * if slim { 1.5 } else { 1.0 };
            let knee = from.lerp(end, 0.5) - Vec3::Z * 0.12;
            let path = [(from, radius * 0.5), (knee, radius * 0.36), (end, radius * 0.16)];
            Form::tube(&path, 5).onto(&mut mesh, 1.2, Surface::Plain, bark);
        }
        let girth = if slim { chance.between(0.62, 0.85) } else { chance.between(0.95, 1.25) };
        let size = Vec3::new(girth, girth, girth * if slim { 0.95 } else { 0.78 });
        puffs.push(Puff { centre: end + Vec3::Z * girth * 0.25, size });
    }
    let (high, girth) = if slim { (1.9, 0.8) } else { (1.55, 1.35) };
    puffs.push(Puff { centre: top + Vec3::Z * high, size: Vec3::new(girth, girth, girth * 0.85) });
    if slim {
        puffs.push(Puff { centre: top + Vec3::Z * 0.8, size: Vec3::splat(0.95) });
    } else {
        puffs.push(Puff { centre: top + Vec3::Z * 0.75, size: Vec3::new(1.5, 1.5, 0.9) });
    }
    let detail = match (fine, slim) {
        (true, true) => Fine { levels: 1, leaves: 70, leaf: 0.34 },
        (true, false) => Fine { levels: 1, leaves: 130, leaf: 0.36 },
        (false, _) => Fine { levels: 0, leaves: 4, leaf: 0.9 },
    };
    crown(&mut mesh, &puffs, look.greens(), detail, &mut chance);
    bake(&mut mesh, 0.62);
    mesh
}

/// Colours of needles.
fn needles(kind: usize) -> [Vec3; 2] {
    match kind {
        0 => [hex(0x24402C), hex(0x4E7444)],
        1 => [hex(0x2A4438), hex(0x5C8068)],
        _ => [hex(0x33481F), hex(0x6E8438)],
    }
}

/// A spruce: tiers of boughs that hang at their tips.
pub(super) fn spruce(name: &str, seed: u64, height: f32, fine: bool) -> Mesh {
    let mut chance = Chance::new(seed, 0x5972);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let [deep, light] = needles(chance.below(3));
    let bark = |p: Vec3, _: Vec3| hex(0x5E4634) * (0.9 + 0.2 * noise(p * 6.0, own));
    let stem = [(Vec3::Z * -0.3, 0.24), (Vec3::Z * 0.25, 0.17), (Vec3::Z * height * 0.9, 0.03)];
    Form::tube(&stem, if fine { 7 } else { 4 }).onto(&mut mesh, 1.2, Surface::Plain, bark);
    let (tiers, points) = if fine { (9, 11) } else { (5, 6) };
    let low = 0.14 * height;
    for tier in 0..tiers {
        let t = tier as f32 / tiers as f32;
        let girth = 0.27 * height * (1.0 - t).powf(0.85) * chance.between(0.92, 1.08) + 0.08;
        let z = low + (height - low) * t.powf(0.92);
        let rise = (height - low) / tiers as f32 * if fine { 1.75 } else { 1.9 };
        boughs(&mut mesh, z, girth, rise, points, [deep, light], &mut chance, own);
    }
    bake(&mut mesh, 0.6);
    mesh
}

/// One tier of a spruce: a skirt with long and short points.
#[allow(clippy::too_many_arguments, reason = "a skirt has that many measures")]
fn boughs(
    mesh: &mut Mesh,
    z: f32,
    girth: f32,
    rise: f32,
    points: usize,
    colour: [Vec3; 2],
    chance: &mut Chance,
    seed: u32,
) {
    let n = points * 2;
    let turn = chance.angle();
    let apex = Vec3::Z * (z + rise);
    let lean = Vec2::from_angle(chance.angle()) * girth * 0.08;
    let mut ring = |share: f32, drop: f32, jag: f32| -> Vec<Vec3> {
        (0..n)
            .map(|i| {
                let tip = i % 2 == 0;
                let reach = if tip { 1.0 + 0.14 * chance.either() } else { 1.0 - jag };
                let angle = turn + i as f32 / n as f32 * TAU + chance.either() * 0.08;
                let fall = if tip { drop * 1.12 } else { drop * 0.7 };
                let out = Vec2::from_angle(angle) * girth * share * reach + lean * share;
                out.extend(z + rise * (1.0 - share) - rise * fall)
            })
            .collect()
    };
    let inner = ring(0.52, 0.14, 0.10);
    let outer = ring(1.0, 0.42, 0.36);
    let under: Vec<Vec3> =
        outer.iter().map(|p| (p - Vec3::Z * p.z) * 0.45 + Vec3::Z * (p.z + rise * 0.16)).collect();
    let form = if points > 8 {
        Form::skin(&[vec![Vec3::Z * z], under, outer, inner, vec![apex]])
    } else {
        Form::skin(&[vec![Vec3::Z * (z + rise * 0.1)], outer, vec![apex]])
    };
    let first = mesh.positions.len();
    let [deep, light] = colour;
    form.onto(mesh, 1.9, Surface::Foliage, |p, n| {
        let out = Vec2::new(p.x, p.y).length() / girth.max(0.05);
        let tip = smoothstep(0.35, 1.0, out) * smoothstep(-0.3, 0.3, n.z);
        let patch = 0.9 + 0.2 * fractal(p * 1.7, 2, seed);
        deep.lerp(light, tip) * patch
    });
    for i in first..mesh.positions.len() {
        let p = mesh.positions[i];
        // Needles hide which way a skirt's faces look: light falls on it as on a cone.
        let cone = Vec2::new(p.x, p.y).normalize_or_zero().extend(0.55).normalize();
        if mesh.normals[i].dot(cone) > -0.1 {
            mesh.normals[i] = (mesh.normals[i] * 0.45 + cone).normalize_or(cone);
        }
    }
}

/// A pine: a long bare trunk, clouds of needles at the top.
pub(super) fn pine(name: &str, seed: u64, fine: bool) -> Mesh {
    let mut chance = Chance::new(seed, 0x914E);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let bend = Vec2::from_angle(chance.angle()) * chance.between(0.5, 1.0);
    let height = chance.between(5.6, 6.6);
    let bark = |p: Vec3, _: Vec3| {
        let red = smoothstep(1.0, 4.5, p.z);
        hex(0x6A4E3C).lerp(hex(0xA86C44), red) * (0.92 + 0.16 * noise(p * 5.0, own))
    };
    trunk(height, 0.21, bend, if fine { 8 } else { 4 }, &mut chance).onto(
        &mut mesh,
        1.2,
        Surface::Plain,
        bark,
    );
    let greens = Greens { deep: hex(0x2A4630), light: hex(0x5E8450), accent: hex(0x7A9450) };
    let mut puffs = Vec::new();
    let count = if fine { 6 } else { 4 };
    for i in 0..count {
        let t = i as f32 / (count - 1) as f32;
        let z = height * (0.66 + 0.36 * t);
        let share = z / height;
        let spine = (bend * share * share).extend(z);
        let out = Vec2::from_angle(i as f32 * 2.4 + own as f32 * 1e-3) * (1.25 - 0.95 * t);
        let end = spine + out.extend(0.15);
        if fine {
            let path = [(spine - Vec3::Z * 0.5, 0.07), (spine.lerp(end, 0.6), 0.05), (end, 0.03)];
            Form::tube(&path, 4).onto(&mut mesh, 1.2, Surface::Plain, bark);
        }
        let girth = chance.between(0.95, 1.2) * (1.0 - 0.25 * t);
        puffs.push(Puff { centre: end, size: Vec3::new(girth, girth, girth * 0.42) });
    }
    let detail = if fine {
        Fine { levels: 1, leaves: 85, leaf: 0.34 }
    } else {
        Fine { levels: 0, leaves: 4, leaf: 0.7 }
    };
    crown(&mut mesh, &puffs, greens, detail, &mut chance);
    bake(&mut mesh, 0.6);
    mesh
}

/// A dead tree: bare boughs that fork and twist.
pub(super) fn dead(name: &str, seed: u64) -> Mesh {
    let mut chance = Chance::new(seed, 0xDEAD);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let bark = |p: Vec3, n: Vec3| {
        hex(0x5C5450).lerp(
            hex(0x8E8680),
            noise(Vec3::new(p.x * 8.0, p.y * 8.0, p.z * 1.5), own) * 0.5 + 0.35 + 0.15 * n.z,
        )
    };
    let mut open =
        vec![(Vec3::new(0.0, 0.0, -0.3), Vec3::new(0.08, 0.0, 1.0), 0.32_f32, 2.4_f32, 0)];
    while let Some((from, along, radius, length, depth)) = open.pop() {
        let mut path = vec![(from, radius * if depth == 0 { 1.7 } else { 1.05 })];
        let (mut p, mut d) = (from, along.normalize_or(Vec3::Z));
        let steps = 4;
        for i in 1..=steps {
            d = (d + chance.direction() * 0.38 + Vec3::Z * 0.08).normalize_or(Vec3::Z);
            p += d * length / steps as f32;
            let t = i as f32 / steps as f32;
            path.push((p, radius * (1.0 - 0.45 * t)));
            if depth < 3 && i >= 2 && (i == steps || chance.happens(0.75)) {
                let side = chance.direction();
                let fork =
                    (d * 0.7 + (side - d * side.dot(d)).normalize_or(d) * 0.9).normalize_or(d);
                open.push((
                    p,
                    fork,
                    radius * (1.0 - 0.4 * t) * 0.74,
                    length * chance.between(0.55, 0.75),
                    depth + 1,
                ));
            }
        }
        if depth == 3 {
            path.push((p + d * length * 0.2, 0.004));
        }
        Form::tube(&path, if depth == 0 { 8 } else { 5 - depth.min(2) }).onto(
            &mut mesh,
            1.2,
            Surface::Plain,
            bark,
        );
    }
    bake(&mut mesh, 0.5);
    mesh
}

/// An old giant whose roots fill an outline (`reach` by direction).
pub(super) fn giant(name: &str, seed: u64, reach: impl Fn(Vec2) -> f32, radius: f32) -> Mesh {
    let mut chance = Chance::new(seed, 0x61A);
    let mut mesh = Mesh::new(name);
    let own = chance.bits();
    let bole = radius * chance.between(2.4, 2.9);
    let thick = radius * 0.46;
    let bend = Vec2::from_angle(chance.angle()) * radius * 0.35;
    let roots = 5.0 + chance.below(3) as f32;
    let turn = chance.angle();
    let (rings, sides) = (12, 26);
    let path: Vec<Vec<Vec3>> = (0..=rings)
        .map(|ring| {
            let t = ring as f32 / rings as f32;
            let z = -0.9 + (bole + 0.9) * t.powf(1.5);
            let foot = smoothstep(radius * 1.5, -0.1, z).powi(2);
            (0..sides)
                .map(|side| {
                    let angle = side as f32 / sides as f32 * TAU;
                    let out = Vec2::from_angle(angle + 0.35 * t);
                    let ridge = 0.5 + 0.5 * (angle * roots + turn).cos();
                    let slim = thick
                        * (1.0 - 0.3 * t)
                        * (1.0
                            + 0.16 * (ridge - 0.5)
                            + 0.06 * noise(Vec3::new(out.x * 2.0, out.y * 2.0, z), own));
                    let wide = reach(out) * (0.62 + 0.38 * ridge);
                    (out * (slim
                        + (wide - slim).max(0.0) * foot * (0.35 + 0.65 * ridge * (1.0 - t)))
                        + bend * t * t)
                        .extend(z)
                })
                .collect()
        })
        .chain(std::iter::once(vec![bend.extend(bole + 0.1)]))
        .collect();
    let bark = |p: Vec3, n: Vec3| {
        let angle = p.y.atan2(p.x);
        let grain = noise(Vec3::new(angle.cos() * 9.0, angle.sin() * 9.0, p.z * 0.9), own);
        let moss =
            smoothstep(0.3, 0.9, n.z + 0.4 * fractal(p * 0.9, 2, own)) * smoothstep(3.0, 0.2, p.z);
        hex(0x5E4836).lerp(hex(0x86694C), grain * 0.5 + 0.5).lerp(hex(0x63753A), moss * 0.8)
    };
    Form::skin(&path).onto(&mut mesh, 1.0, Surface::Plain, bark);
    let top = bend.extend(bole);
    let mut puffs = Vec::new();
    for i in 0..5 {
        let out = Vec2::from_angle(i as f32 / 5.0 * TAU + turn + chance.either() * 0.25);
        let end = top
            + (out * radius * chance.between(1.5, 2.0)).extend(radius * chance.between(0.35, 1.0));
        let from = top - Vec3::Z * radius * chance.between(0.1, 0.6);
        let knee = from.lerp(end, 0.55) - Vec3::Z * radius * 0.15;
        let path = [(from, thick * 0.5), (knee, thick * 0.34), (end, thick * 0.15)];
        Form::tube(&path, 6).onto(&mut mesh, 1.2, Surface::Plain, bark);
        let girth = radius * chance.between(1.1, 1.4);
        puffs.push(Puff {
            centre: end + Vec3::Z * girth * 0.2,
            size: Vec3::new(girth, girth, girth * 0.68),
        });
    }
    for (high, girth) in [(1.0, 1.7), (1.75, 1.45)] {
        let size = Vec3::new(girth, girth, girth * 0.7) * radius;
        puffs.push(Puff { centre: top + Vec3::Z * high * radius, size });
    }
    let greens = if chance.happens(0.25) { Leafy::Maple.greens() } else { Leafy::Oak.greens() };
    crown(
        &mut mesh,
        &puffs,
        greens,
        Fine { levels: 1, leaves: 190, leaf: 0.23 * radius },
        &mut chance,
    );
    bake(&mut mesh, 0.62);
    mesh
}
