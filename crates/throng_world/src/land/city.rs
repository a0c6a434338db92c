//! A city from a seed: blocks of houses between streets, some blocks left open as squares with a
//! pond or trees.

use crate::builtin::hash::Chance;
use crate::world::{Polygon, Rect};
use glam::Vec2;

/// How a city is laid out; metres.
pub(crate) struct CityPlan {
    pub(crate) size: f64,
    pub(crate) block: [f64; 2],
    pub(crate) street: f64,
    pub(crate) squares: f64,
    pub(crate) seed: u64,
}

/// Solid blocks and other walls of the city.
pub(crate) fn city(plan: &CityPlan) -> Vec<Polygon> {
    let mut chance = Chance::new(plan.seed, 0xC17);
    let margin = plan.street as f32;
    let whole = Rect { min: Vec2::splat(margin), max: Vec2::splat(plan.size as f32 - margin) };
    let mut open = vec![(whole, 0_u32)];
    let mut walls = Vec::new();
    while let Some((rect, depth)) = open.pop() {
        match split(&rect, plan, depth, &mut chance) {
            Some([a, b]) => open.extend([(a, depth + 1), (b, depth + 1)]),
            None if chance.happens(plan.squares) => square(&rect, &mut chance, &mut walls),
            None => walls.extend(houses(&rect, &mut chance)),
        }
    }
    walls
}

/// Parts a piece of land by a street across its longer side; the first cuts are avenues.
fn split(rect: &Rect, plan: &CityPlan, depth: u32, chance: &mut Chance) -> Option<[Rect; 2]> {
    let size = rect.size();
    let across = size.x >= size.y;
    let length = f64::from(if across { size.x } else { size.y });
    let street = plan.street * if depth < 4 { 1.5 } else { 1.0 };
    let least = 2.0 * plan.block[0] + street;
    if length <= plan.block[1] || length < least {
        return None;
    }
    let middle = if depth < 6 {
        length * chance.between(0.42, 0.58)
    } else {
        chance.between(0.5 * least, length - 0.5 * least)
    };
    let middle = middle.clamp(plan.block[0] + 0.5 * street, length - plan.block[0] - 0.5 * street);
    let (end, start) = ((middle - 0.5 * street) as f32, (middle + 0.5 * street) as f32);
    let axis = if across { Vec2::X } else { Vec2::Y };
    let side = Vec2::ONE - axis;
    let first = Rect { min: rect.min, max: rect.max * side + (rect.min + end) * axis };
    let second = Rect { min: rect.min * side + (rect.min + start) * axis, max: rect.max };
    Some([first, second])
}

/// A block with cut corners; large ones have a passage through the middle.
fn houses(rect: &Rect, chance: &mut Chance) -> Vec<Polygon> {
    let size = rect.size();
    if size.min_element() > 45.0 && chance.happens(0.5) {
        let across = size.x >= size.y;
        let axis = if across { Vec2::X } else { Vec2::Y };
        let side = Vec2::ONE - axis;
        let middle = rect.centre();
        let first = Rect { min: rect.min, max: rect.max * side + (middle - 2.5) * axis };
        let second = Rect { min: rect.min * side + (middle + 2.5) * axis, max: rect.max };
        return [first, second].iter().map(|r| cut_corners(r, chance)).collect();
    }
    vec![cut_corners(rect, chance)]
}

fn cut_corners(rect: &Rect, chance: &mut Chance) -> Polygon {
    let most = (rect.size().min_element() * 0.2).min(5.0);
    let Rect { min, max } = *rect;
    let mut cut = || chance.between(0.5, f64::from(most.max(0.6))) as f32;
    let (a, b, c, d) = (cut(), cut(), cut(), cut());
    let outer = vec![
        Vec2::new(min.x + a, min.y),
        Vec2::new(max.x - b, min.y),
        Vec2::new(max.x, min.y + b),
        Vec2::new(max.x, max.y - c),
        Vec2::new(max.x - c, max.y),
        Vec2::new(min.x + d, max.y),
        Vec2::new(min.x, max.y - d),
        Vec2::new(min.x, min.y + a),
    ];
    Polygon { outer, holes: Vec::new() }
}

/// An open square: a pond in the middle, or trees.
fn square(rect: &Rect, chance: &mut Chance, walls: &mut Vec<Polygon>) {
    let (centre, size) = (rect.centre(), rect.size());
    let mut round = |centre: Vec2, radius: f32, corners: usize| {
        let corner = |i: usize| {
            centre + Vec2::from_angle(i as f32 * std::f32::consts::TAU / corners as f32) * radius
        };
        walls.push(Polygon { outer: (0..corners).map(corner).collect(), holes: Vec::new() });
    };
    if chance.happens(0.5) {
        round(centre, size.min_element() * 0.15, 24);
    } else {
        for _ in 0..8 {
            let share = Vec2::new(chance.unit() as f32, chance.unit() as f32) - 0.5;
            round(centre + share * size * 0.8, 0.6, 8);
        }
    }
}
