//! Grass of a place as data: where it grows, which way, how untidily; and how it sways, yields and recovers.
//!
//! [`GrassMaps`] come from the files of a scene, or are grown by rule from the ground ([`GrassMaps::grown`]):
//! slope, what is walled in, zones that are walked, goals. What a renderer knows besides (water, what stands
//! there) it takes away itself. A place with hills has grass unless its scene says otherwise; a floor has none
//! unless the scene says so.

mod params;

pub use params::{GrassParams, WindParams};

use glam::Vec2;
use rayon::prelude::*;
use throng_field::{Edge, Grid};

use crate::World;
use crate::builtin::hash::noise;

/// The grass of a world.
#[derive(Clone, Debug)]
pub struct Grass {
    /// How it grows and moves.
    pub params: GrassParams,
    /// What the scene's files say of where it grows; the rest follows from the ground.
    pub drawn: DrawnMaps,
}

/// Maps of a scene's files.
#[derive(Clone, Debug, Default)]
pub struct DrawnMaps {
    /// How dense, 0 to 1.
    pub density: Option<Grid<f32>>,
    /// Which way clumps lean, a unit vector or none.
    pub direction: Option<Grid<Vec2>>,
    /// How untidy, 0 to 1.
    pub messiness: Option<Grid<f32>>,
}

impl Grass {
    /// All maps: those of files, and those that follow from the ground. `None` for a place that has no extent.
    #[must_use]
    pub fn maps(&self, world: &World) -> Option<GrassMaps> {
        let grown = GrassMaps::grown(world)?;
        let DrawnMaps { density, direction, messiness } = self.drawn.clone();
        Some(GrassMaps {
            density: density.unwrap_or(grown.density),
            direction: direction.unwrap_or(grown.direction),
            messiness: messiness.unwrap_or(grown.messiness),
        })
    }
}

/// Maps over the ground of a world.
#[derive(Clone, Debug)]
pub struct GrassMaps {
    /// How dense, 0 to 1.
    pub density: Grid<f32>,
    /// Which way clumps lean, a unit vector or none.
    pub direction: Grid<Vec2>,
    /// How untidy, 0 to 1.
    pub messiness: Grid<f32>,
}

/// Ground steeper than this bears no grass, and less steep than that all of it (rise / run).
const STEEP: [f32; 2] = [0.7, 0.4];
/// A goal is bare up to so far inside its edge, and has all its grass from so far outside on (metres).
const BARE: [f32; 2] = [-1.0, 1.5];
/// Cells of the maps along a side, at most, and their least side (metres).
const MOST: f32 = 512.0;
const FINEST: f32 = 0.5;

impl GrassMaps {
    /// Maps by rule: thin where it is steep, along walls and where a zone is walked; in patches here and there.
    /// Leaning downhill. `None` for a place that has no extent.
    #[must_use]
    pub fn grown(world: &World) -> Option<Self> {
        let bounds = world.bounds();
        let extent = bounds.max - bounds.min;
        let cell = (extent.max_element() / MOST).max(FINEST);
        let (w, h) = ((extent.x / cell).ceil() as usize, (extent.y / cell).ceil() as usize);
        let at =
            |c: throng_field::Cell| bounds.min + (Vec2::new(c.x as f32, c.y as f32) + 0.5) * cell;
        let rows: Vec<Vec<f32>> = (0..h as u32)
            .into_par_iter()
            .map(|y| {
                (0..w as u32).map(|x| density(world, at(throng_field::Cell::new(x, y)))).collect()
            })
            .collect();
        let mut density =
            Grid::from_vec(w, h, rows.concat()).ok()?.placed(cell, bounds.min).ok()?;
        goals_are_bare(world, &mut density);
        let direction = Grid::from_fn(w, h, |c| -slope(world, at(c)).normalize_or_zero());
        let messiness =
            Grid::from_fn(w, h, |c| 0.6 + 0.4 * patches(world.seed ^ 0x3E55, at(c), 9.0));
        Some(Self {
            density,
            direction: direction.ok()?.placed(cell, bounds.min).ok()?,
            messiness: messiness.ok()?.placed(cell, bounds.min).ok()?,
        })
    }
}

/// Rise per metre along x and y.
fn slope(world: &World, p: Vec2) -> Vec2 {
    let d = 1.0;
    let h = |x: f32, y: f32| world.ground_height(p + Vec2::new(x, y));
    Vec2::new(h(d, 0.0) - h(-d, 0.0), h(0.0, d) - h(0.0, -d)) / (2.0 * d)
}

fn density(world: &World, p: Vec2) -> f32 {
    let steep = slope(world, p).length();
    let level = 1.0 - smooth(STEEP[1], STEEP[0], steep);
    let thick = 0.62 + 0.38 * (2.0 * patches(world.seed ^ 0x64A5, p, 17.0)).clamp(-1.0, 1.0);
    let zone =
        world.speed.as_ref().map_or(1.0, |speed| speed.sample(p, Edge::Clamp).clamp(0.0, 1.0));
    level * thick * zone
}

/// Grass ends where a goal is.
fn goals_are_bare(world: &World, density: &mut Grid<f32>) {
    let (w, h) = (density.width(), density.height());
    for place in world.goals.iter().flat_map(|goal| &goal.places) {
        let bounds = place.shape.bounds().grown(BARE[1]);
        let last = Vec2::new(w as f32 - 1.0, h as f32 - 1.0);
        let low = density.to_centre_units(bounds.min).floor().clamp(Vec2::ZERO, last).as_uvec2();
        let high = density.to_centre_units(bounds.max).ceil().clamp(Vec2::ZERO, last).as_uvec2();
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let cell = throng_field::Cell::new(x, y);
                let away = place.shape.distance(density.centre(cell));
                density[cell] *= smooth(BARE[0], BARE[1], away);
            }
        }
    }
}

/// Patches of so many metres, -1 to 1.
fn patches(seed: u64, p: Vec2, metres: f32) -> f32 {
    let (u, v) = (f64::from(p.x / metres), f64::from(p.y / metres));
    let octave = |i: u64, f: f64| noise(seed + i, u * f, v * f) - 0.5;
    (1.2 * octave(0, 1.0) + 0.6 * octave(1, 2.1) + 0.3 * octave(2, 4.3)) as f32
}

fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::GrassMaps;
    use crate::{BuildOptions, Scene, World};
    use glam::Vec2;

    /// If this fails, hills are bare or floors are overgrown.
    #[test]
    fn hills_have_grass_and_floors_have_none_unless_asked() {
        let built = |name: &str| Scene::builtin(name).unwrap().build(&BuildOptions::default());
        let valley = built("froblins").unwrap();
        let maps = valley.grass.as_ref().expect("a valley has grass").maps(&valley).unwrap();
        let all = maps.density.as_slice();
        let grown = all.iter().filter(|d| **d > 0.3).count() as f32 / all.len() as f32;
        assert!((0.3..0.95).contains(&grown), "{grown}");
        assert!(all.iter().all(|d| (0.0..=1.0).contains(d)));
        assert!(built("square").unwrap().grass.is_none());
    }

    /// If this fails, places of odd sizes have maps that do not cover them.
    #[test]
    fn maps_cover_the_world() {
        let world = World::open((37, 5), 0.7, Vec2::new(-3.0, 2.0)).unwrap();
        let maps = GrassMaps::grown(&world).unwrap();
        let covers = maps.density.extent() + maps.density.origin();
        assert!(covers.cmpge(world.bounds().max - 1e-3).all());
        assert!(maps.messiness.as_slice().iter().all(|m| (0.0..=1.0).contains(m)));
    }
}
