//! The plain twin of the map: every texel against every print, one step after the other.

use glam::{UVec2, Vec2};

use super::PACE;
use crate::grass::lattice::cpu::residual;

/// What the map is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) foot: f32,
    pub(crate) edge: f32,
    pub(crate) recovery: f32,
    pub(crate) wear: f32,
    pub(crate) regrowth: f32,
}

/// A texel: strength at contact, direction, wear at contact and the tick of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Texel {
    strength: f32,
    way: Vec2,
    wear: f32,
    when: Option<u32>,
}

/// The map.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub(crate) origin: Vec2,
    pub(crate) cell: f32,
    pub(crate) size: UVec2,
    texels: Vec<Texel>,
}

fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Strength and direction of the print of feet that went from `a` to `b`, at `p`, and the share of the way at which
/// they left it.
pub(crate) fn print_at(
    rules: &Rules,
    p: Vec2,
    a: Vec2,
    b: Vec2,
    heading: Vec2,
) -> (f32, Vec2, f32) {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    let out = p - (a + along * t);
    let d = out.length();
    let pressed = 1.0 - smoothstep(rules.foot - rules.edge, rules.foot + rules.edge, d);
    let moving = along.length_squared() > 1e-8;
    let forward = if moving { along.normalize() } else { heading };
    let back = if moving { out.dot(forward).min(0.0) } else { 0.0 };
    let aside = out - forward * back;
    let radial = if aside.length() > 1e-4 { aside.normalize() } else { forward };
    let middle = (p - a).dot(along) / along.length_squared().max(1e-12);
    let off = p - (a + along * middle);
    let weight = if moving { 1.0 - smoothstep(0.0, rules.foot, off.length()) } else { 0.0 };
    let inner = (rules.foot - rules.edge).max(0.0);
    let beyond = (inner * inner - off.length_squared()).max(0.0).sqrt() / along.length().max(1e-6);
    let left = if moving { (middle + beyond).clamp(0.0, 1.0) } else { 1.0 };
    let strength = if moving && middle < 0.0 && d > inner { 0.0 } else { pressed };
    (strength, radial.lerp(forward, weight).normalize_or(forward), left)
}

impl Map {
    pub(crate) fn new(origin: Vec2, cell: f32, size: UVec2) -> Self {
        Self { origin, cell, size, texels: vec![Texel::default(); (size.x * size.y) as usize] }
    }

    /// A step from a tick to another: prints as (from, to, heading).
    pub(crate) fn step(
        &mut self,
        rules: &Rules,
        prints: &[(Vec2, Vec2, Vec2)],
        [before, now]: [u32; 2],
    ) {
        for (i, texel) in (0_u32..).zip(&mut self.texels) {
            let at = Vec2::new((i % self.size.x) as f32, (i / self.size.x) as f32) + 0.5;
            let p = self.origin + at * self.cell;
            let reach = rules.foot + rules.edge;
            let near = |(a, b, _): &&(Vec2, Vec2, Vec2)| {
                p.cmpge(a.min(*b) - reach).all() && p.cmple(a.max(*b) + reach).all()
            };
            let prints = prints.iter().filter(near);
            let all = prints.map(|(a, b, heading)| print_at(rules, p, *a, *b, *heading));
            let order = |a: &(f32, Vec2, f32), b: &(f32, Vec2, f32)| {
                a.0.total_cmp(&b.0).then(a.2.total_cmp(&b.2))
            };
            let strongest = all.max_by(order).filter(|it| it.0 > 0.0);
            if let Some((strength, way, left)) = strongest
                && strength >= texel.now(rules, now).0
            {
                let seconds = (now - before) as f32 * 0.001;
                let passing = 2.0 * rules.foot / PACE as f32 * 1000.0;
                let added = rules.wear * strength * seconds / (seconds + passing);
                let wear = (texel.now(rules, now).2 + added).min(1.0);
                let when = before + ((now - before) as f32 * left).round() as u32;
                *texel = Texel { strength, way, wear, when: Some(when) };
            }
        }
    }

    /// Strength, direction and wear of every texel at a tick.
    pub(crate) fn read(&self, rules: &Rules, now: u32) -> Vec<(f32, Vec2, f32)> {
        self.texels.iter().map(|texel| texel.now(rules, now)).collect()
    }
}

impl Texel {
    fn now(&self, rules: &Rules, now: u32) -> (f32, Vec2, f32) {
        let Some(when) = self.when else { return (0.0, Vec2::ZERO, 0.0) };
        let age = (now - when) as f32 * 0.001;
        let wear = self.wear * (-age / rules.regrowth).exp2();
        (self.strength * residual(age / rules.recovery), self.way, wear)
    }
}
