//! Mushrooms: toadstools taller than those who eat them, and small ones between their feet.

use glam::{Quat, Vec2, Vec3};

use super::chance::{Chance, fractal, smoothstep};
use super::occlusion::bake;
use super::shape::{Form, hex};
use crate::{Mesh, Surface};

/// Kinds of mushroom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cap {
    /// Red with white warts.
    Fly,
    /// Brown and plump.
    Bun,
    /// A pale violet bell.
    Bell,
}

/// Measures of one mushroom (metres).
#[derive(Clone, Copy, Debug)]
struct Measures {
    height: f32,
    girth: f32,
    stem: f32,
    lean: Vec2,
}

/// Adds one mushroom.
fn one(mesh: &mut Mesh, at: Vec3, cap: Cap, m: Measures, sides: usize, chance: &mut Chance) {
    let seed = chance.bits();
    let Measures { height: h, girth: g, stem: s, .. } = m;
    // Leans more the higher it is, and the cap tips with it.
    let bend = |p: Vec3| {
        let t = (p.z / h).clamp(0.0, 1.2);
        at + Vec3::new(p.x + m.lean.x * t * t, p.y + m.lean.y * t * t, p.z)
    };
    let tip = Quat::from_rotation_arc(Vec3::Z, (m.lean * 0.8).extend(h).normalize_or(Vec3::Z));
    let under = h * match cap {
        Cap::Fly => 0.72,
        Cap::Bun => 0.62,
        Cap::Bell => 0.55,
    };
    let small = sides < 8;
    let mut stalk = vec![
        (0.0, -0.12 * h),
        (s * 1.45, -0.06 * h),
        (s * 1.6, 0.03 * h),
        (s * 1.15, 0.16 * h),
        (s * 0.95, under * 0.55),
    ];
    if cap == Cap::Fly && sides > 14 {
        // The ring: what is left of its veil.
        stalk.extend([
            (s * 0.95, under * 0.70),
            (s * 1.75, under * 0.66),
            (s * 1.7, under * 0.69),
            (s * 0.95, under * 0.78),
        ]);
    }
    if small {
        stalk = vec![(s * 1.5, -0.06 * h), (s, 0.3 * h)];
    }
    stalk.extend([(s * 0.95, under * 0.95), (s * 1.1, under + 0.05 * h), (0.0, under + 0.06 * h)]);
    let form = Form::lathe(&stalk, sides).map(bend);
    form.onto(mesh, 0.8, Surface::Plain, |p, _| {
        let streak =
            0.95 + 0.08 * fractal((p - at) * Vec3::new(14.0, 14.0, 1.5) / h.max(0.3), 2, seed);
        let foot = smoothstep(0.25 * h, 0.0, p.z - at.z);
        hex(0xE6DAC2).lerp(hex(0xA8926C), foot * 0.7) * streak
    });
    // The cap from the stem outwards below, then over the rim to the top.
    let top = h - under;
    let rim: &[(f32, f32)] = match cap {
        Cap::Fly => &[
            (0.12, 0.16),
            (0.55, 0.10),
            (0.93, -0.02),
            (1.0, 0.04),
            (0.97, 0.18),
            (0.84, 0.46),
            (0.62, 0.74),
            (0.32, 0.93),
            (0.0, 1.0),
        ],
        Cap::Bun => &[
            (0.15, 0.10),
            (0.6, 0.04),
            (0.9, 0.02),
            (1.0, 0.16),
            (0.98, 0.36),
            (0.86, 0.64),
            (0.62, 0.86),
            (0.32, 0.97),
            (0.0, 1.0),
        ],
        Cap::Bell => &[
            (0.12, 0.3),
            (0.6, 0.12),
            (0.97, -0.06),
            (1.0, 0.0),
            (0.86, 0.22),
            (0.66, 0.5),
            (0.46, 0.76),
            (0.22, 0.95),
            (0.0, 1.0),
        ],
    };
    let keep = |i: usize| !small || matches!(i, 0 | 2 | 4 | 6 | 8);
    let rim = rim.iter().enumerate().filter(|(i, _)| keep(*i));
    let profile: Vec<(f32, f32)> = rim.map(|(_, p)| p).map(|&(r, z)| (r * g, z * top)).collect();
    let place = |p: Vec3| {
        let wave = 1.0 + 0.05 * fractal(p * 1.6 / g, 2, seed);
        bend(Vec3::Z * under) + tip * (Vec3::new(p.x * wave, p.y * wave, p.z))
    };
    let [body, edge] = match cap {
        Cap::Fly => [hex(0xC2301E), hex(0xD8583A)],
        Cap::Bun => [hex(0x8A5630), hex(0xB8864E)],
        Cap::Bell => [hex(0x7A6AA8), hex(0xB4A4C8)],
    };
    let gill = match cap {
        Cap::Fly => hex(0xE8DCC0),
        Cap::Bun => hex(0xD8C48A),
        Cap::Bell => hex(0xCDBFD2),
    };
    let back = tip.inverse();
    let foot = bend(Vec3::Z * under);
    Form::lathe(&profile, sides).map(place).onto(mesh, 0.9, Surface::Plain, |p, n| {
        let q = back * (p - foot);
        let out = Vec2::new(q.x, q.y).length() / g;
        if n.dot(tip * Vec3::Z) < -0.05 {
            let rays = 0.93 + 0.07 * (q.y.atan2(q.x) * sides as f32).cos();
            return gill * rays * (0.8 + 0.2 * out);
        }
        let mottle = fractal(q * 2.3 / g, 3, seed ^ 3);
        body.lerp(edge, smoothstep(0.45, 1.0, out) * 0.7 + 0.18 * mottle)
    });
    if cap == Cap::Fly {
        warts(mesh, g, top, foot, tip, sides, chance);
    }
}

/// White flakes on the cap, in uneven rings.
fn warts(
    mesh: &mut Mesh,
    g: f32,
    top: f32,
    foot: Vec3,
    tip: Quat,
    sides: usize,
    chance: &mut Chance,
) {
    let fine = sides > 14;
    let rings: &[(f32, usize)] = if sides < 8 {
        &[(0.45, 3)]
    } else if fine {
        &[(0.0, 1), (0.36, 5), (0.66, 8), (0.88, 10)]
    } else {
        &[(0.0, 1), (0.5, 4), (0.82, 6)]
    };
    for &(share, count) in rings {
        let turn = chance.angle();
        for i in 0..count {
            let angle =
                turn + (i as f32 + 0.35 * chance.either()) / count as f32 * std::f32::consts::TAU;
            let r = (share + 0.05 * chance.either()).abs();
            // On the dome of the cap.
            let z = (1.0 - (r / 1.02).powf(2.6)).max(0.0).powf(0.72);
            let out = (Vec2::from_angle(angle) * r * g).extend(z * top);
            let normal =
                Vec3::new(out.x, out.y, top * (0.35 + 0.65 * z) * g / top).normalize_or(Vec3::Z);
            let size = g * chance.between(0.07, 0.125) * if share > 0.8 { 0.7 } else { 1.0 };
            let form = Form::icosphere(if fine && share < 0.8 { 1 } else { 0 })
                .rough(0.2, 1.9, 1, chance.bits())
                .scaled(Vec3::new(size, size, size * 0.42))
                .turned(tip * Quat::from_rotation_arc(Vec3::Z, normal))
                .moved(foot + tip * out);
            form.onto(mesh, 1.3, Surface::Plain, |_, _| hex(0xF2EAD6));
        }
    }
}

/// A tall toadstool: its cap is above heads.
pub(super) fn tall(name: &str, seed: u64, cap: Cap) -> Mesh {
    let mut chance = Chance::new(seed, 0x70AD);
    let mut mesh = Mesh::new(name);
    let lean = Vec2::from_angle(chance.angle()) * chance.between(0.1, 0.35);
    let m = match cap {
        Cap::Fly => Measures { height: 3.1, girth: 1.3, stem: 0.2, lean },
        Cap::Bun => Measures { height: 2.9, girth: 1.05, stem: 0.27, lean },
        Cap::Bell => Measures { height: 3.3, girth: 0.8, stem: 0.14, lean },
    };
    one(&mut mesh, Vec3::ZERO, cap, m, 20, &mut chance);
    bake(&mut mesh, 0.62);
    mesh
}

/// Children of the tall ones around one foot, up to a head high.
pub(super) fn family(name: &str, seed: u64, cap: Cap) -> Mesh {
    let mut chance = Chance::new(seed, 0xFA);
    let mut mesh = Mesh::new(name);
    let turn = chance.angle();
    for i in 0..4 {
        let size = [1.35, 0.95, 0.7, 0.45][i] * chance.between(0.9, 1.1);
        let out = Vec2::from_angle(turn + i as f32 * 1.75) * [0.05, 0.42, 0.5, 0.55][i];
        let m = Measures { height: size, girth: size * 0.46, stem: size * 0.085, lean: out * 0.5 };
        one(&mut mesh, out.extend(0.0), cap, m, if i < 2 { 11 } else { 6 }, &mut chance);
    }
    bake(&mut mesh, 0.6);
    mesh
}

/// A clump no higher than a shin.
pub(super) fn clump(name: &str, seed: u64, cap: Cap) -> Mesh {
    let mut chance = Chance::new(seed, 0xC1);
    let mut mesh = Mesh::new(name);
    for i in 0..4 {
        let size = chance.between(0.16, 0.36);
        let out = Vec2::from_angle(i as f32 * 2.4 + chance.either()) * (0.07 + 0.09 * i as f32);
        let m = Measures { height: size, girth: size * 0.5, stem: size * 0.1, lean: out * 0.25 };
        one(&mut mesh, out.extend(0.0), cap, m, 6, &mut chance);
    }
    bake(&mut mesh, 0.5);
    mesh
}
