//! Goals and hazards, and places strewn over free ground.

use super::people::color_of;
use super::{Builder, vec2};
use crate::builtin::hash::{Chance, mix};
use crate::scene::data::{GoalData, HazardData, ScatterData};
use crate::scene::refs::shape_given;
use crate::world::{CLEARANCE_CAP, Goal, MovingHazard, Opening, Place, Shape, World};
use glam::{DVec2, Vec2};
use std::collections::HashMap;

/// Colours of goals that name none.
const GOAL_COLORS: [[u8; 3]; 6] =
    [[46, 139, 87], [218, 165, 32], [70, 130, 180], [186, 85, 150], [205, 92, 60], [95, 158, 160]];

/// Tries per place before it is given up.
const TRIES: usize = 400;

impl Builder<'_> {
    pub(super) fn places(&mut self, world: &mut World) {
        let mut taken = Taken::default();
        for (i, goal) in self.data.goal.iter().enumerate() {
            let (made, openings) = self.goal(goal, i, world, &mut taken);
            world.goals.push(made);
            world.openings.extend(openings);
        }
        for (i, hazard) in self.data.hazard.iter().enumerate() {
            let made = self.hazard(hazard, i, world, &mut taken);
            world.hazards.extend(made);
        }
    }

    fn goal(
        &mut self,
        goal: &GoalData,
        index: usize,
        world: &World,
        taken: &mut Taken,
    ) -> (Goal, Vec<Opening>) {
        let key = format!("goal[{index}]");
        let place = |shape, fuzz, capacity| Place { shape, fuzz, capacity };
        let mut places = Vec::new();
        if shape_given(&goal.shape) {
            let shapes = self.shapes(&goal.shape, &key);
            places.extend(shapes.into_iter().map(|s| place(s, goal.fuzz, goal.capacity)));
        }
        let (before, mut made) = (places.len() as u32, Vec::new());
        for (i, given) in goal.places.iter().enumerate() {
            let shapes = self.shapes(&given.shape, &format!("{key}.places[{i}]"));
            let fuzz = given.fuzz.unwrap_or(goal.fuzz);
            let capacity = given.capacity.or(goal.capacity);
            made.push(shapes.len());
            places.extend(shapes.into_iter().map(|s| place(s, fuzz, capacity)));
        }
        for place in &places {
            let around = place.shape.bounds();
            taken.add(around.centre(), around.size().max_element() * 0.5);
        }
        if let Some(scatter) = &goal.scatter {
            let purpose = mix(0x90A1 + index as u64);
            let discs = self.scatter(scatter, &format!("{key}.scatter"), purpose, world, taken);
            places.extend(discs.into_iter().map(|(centre, radius)| {
                place(Shape::Disc { centre, radius }, goal.fuzz, goal.capacity)
            }));
        }
        let color = match &goal.color {
            Some(_) => color_of(goal.color.as_ref(), index),
            None => GOAL_COLORS[index % GOAL_COLORS.len()],
        };
        let mut openings = self.openings(goal, index, &made);
        openings.iter_mut().for_each(|opening| opening.place += before);
        (Goal { name: goal.name.clone(), color, places, exit: goal.exit }, openings)
    }

    fn hazard(
        &mut self,
        hazard: &HazardData,
        index: usize,
        world: &World,
        taken: &mut Taken,
    ) -> Vec<MovingHazard> {
        let length = self.scale.length;
        let made = |path: Vec<Vec2>| MovingHazard {
            name: hazard.name.clone(),
            color: match &hazard.color {
                Some(_) => color_of(hazard.color.as_ref(), index),
                None => [150, 60, 160],
            },
            path,
            speed: hazard.speed,
            closed: hazard.closed,
            radius: hazard.radius,
            strength: hazard.strength,
            fear_radius: hazard.fear_radius,
            active: (hazard.from, hazard.until.unwrap_or(f32::INFINITY)),
        };
        if let Some(scatter) = &hazard.scatter {
            let purpose = mix(0x4A2A + index as u64);
            let key = format!("hazard[{index}].scatter");
            let discs = self.scatter(scatter, &key, purpose, world, taken);
            return discs.into_iter().map(|(centre, _)| made(vec![centre])).collect();
        }
        vec![made(hazard.path.iter().map(|p| vec2(DVec2::from(*p) * length)).collect())]
    }

    /// Discs on free ground that keep their distance from each other, from walls and from what is
    /// taken.
    fn scatter(
        &mut self,
        scatter: &ScatterData,
        key: &str,
        purpose: u64,
        world: &World,
        taken: &mut Taken,
    ) -> Vec<(Vec2, f32)> {
        let within = scatter.within.as_ref().map(|s| self.shapes(s, &format!("{key}.within")));
        let avoid = scatter.avoid.as_ref().map(|s| self.shapes(s, &format!("{key}.avoid")));
        let mut chance = Chance::new(scatter.seed.unwrap_or(self.seed), purpose);
        let area = self.scale.length * self.scale.length;
        let count = (f64::from(scatter.count) * area).round().max(1.0) as usize;
        let bounds = match &within {
            Some(shapes) => {
                let around = shapes.iter().map(Shape::bounds).reduce(|a, b| a.union(&b));
                around.unwrap_or(world.bounds())
            }
            None => world.bounds(),
        };
        let inside = |shapes: &Vec<Shape>, p: Vec2| shapes.iter().any(|s| s.distance(p) <= 0.0);
        let mut out = Vec::new();
        // In a scene made smaller, places shrink until there is room for them.
        let shrinks: &[f64] = if self.scale.length < 1.0 { &[1.0, 0.6, 0.35, 0.2] } else { &[1.0] };
        for shrink in shrinks {
            let spacing = (scatter.spacing * shrink) as f32;
            let mut tries = (count - out.len()).saturating_mul(TRIES).clamp(20_000, 2_000_000);
            while out.len() < count && tries > 0 {
                tries -= 1;
                let share = Vec2::new(chance.unit() as f32, chance.unit() as f32);
                let p = bounds.min + bounds.size() * share;
                let radius = chance.between(scatter.radius[0], scatter.radius[1]) * shrink;
                let radius = radius as f32;
                let clear = (radius + spacing).min(CLEARANCE_CAP * 0.95);
                let good = world.is_free(p, clear)
                    && within.as_ref().is_none_or(|shapes| inside(shapes, p))
                    && avoid.as_ref().is_none_or(|shapes| !inside(shapes, p))
                    && taken.is_clear(p, radius + spacing);
                if good {
                    taken.add(p, radius);
                    out.push((p, radius));
                }
            }
        }
        if out.len() < count && self.sound {
            let what = format!("only {} of {count} places find room", out.len());
            self.findings.add(key, what, "give a smaller `count`, `radius` or `spacing`");
        }
        out
    }
}

/// Discs that are taken, by coarse cell.
#[derive(Default)]
struct Taken {
    cells: HashMap<(i32, i32), Vec<(Vec2, f32)>>,
    largest: f32,
}

impl Taken {
    const SIDE: f32 = 16.0;

    fn cell(p: Vec2) -> (i32, i32) {
        ((p.x / Self::SIDE).floor() as i32, (p.y / Self::SIDE).floor() as i32)
    }

    fn add(&mut self, centre: Vec2, radius: f32) {
        self.largest = self.largest.max(radius);
        self.cells.entry(Self::cell(centre)).or_default().push((centre, radius));
    }

    fn is_clear(&self, p: Vec2, radius: f32) -> bool {
        let clear = |(c, r): &(Vec2, f32)| c.distance(p) >= radius + r;
        let reach = Vec2::splat(radius + self.largest);
        let (low, high) = (Self::cell(p - reach), Self::cell(p + reach));
        let across = |a: i32, b: i32| b.abs_diff(a) as usize + 1;
        if across(low.0, high.0) * across(low.1, high.1) > self.cells.len() {
            return self.cells.values().flatten().all(clear);
        }
        let mut cells = (low.0..=high.0).flat_map(|x| (low.1..=high.1).map(move |y| (x, y)));
        cells.all(|cell| self.cells.get(&cell).into_iter().flatten().all(clear))
    }
}
