//! The free part of the sky, by horizons.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Vec2, Vec3};
use rayon::prelude::*;
use throng_field::{Edge, Grid};
use throng_world::World;

use super::{HIGH, SIZE};
use crate::{Mesh, PropInstance};

/// Directions around, and rings of the sky above each: 128 directions.
const AROUND: usize = 32;
const RINGS: usize = 4;
/// Horizons are looked for up to so far (metres), each step so much longer than the last.
const REACH: f32 = 90.0;
const LONGER: f32 = 1.35;
/// Cells of the heights along a side, at most, and their least side (metres).
const MOST: f32 = 512.0;
const FINEST: f32 = 0.5;

/// The land and what stands on it, as one height over each cell.
pub(crate) struct Horizon {
    tops: Grid<f32>,
}

impl Horizon {
    pub(crate) fn new(
        world: &World,
        height: &(dyn Fn(Vec2) -> f32 + Sync),
        props: &[(Mesh, Vec<PropInstance>)],
    ) -> Option<Self> {
        let bounds = world.bounds();
        let extent = bounds.max - bounds.min;
        let cell = (extent.max_element() / MOST).max(FINEST);
        let size = (extent / cell).ceil().max(Vec2::ONE).as_uvec2();
        let heights: Vec<f32> = (0..size.x * size.y)
            .into_par_iter()
            .map(|i| {
                let at = Vec2::new((i % size.x) as f32, (i / size.x) as f32) + 0.5;
                height(bounds.min + at * cell)
            })
            .collect();
        let tops = Grid::from_vec(size.x as usize, size.y as usize, heights).ok()?;
        let mut all = Self { tops: tops.placed(cell, bounds.min).ok()? };
        for (mesh, places) in props {
            let top = mesh.positions.iter().map(|p| p.z).fold(0.0, f32::max);
            // Half of how far it reaches: crowns let light through, rocks taper.
            let reach = mesh.positions.iter().map(|p| p.truncate().length()).fold(0.0, f32::max);
            if top > 0.8 && reach < 40.0 {
                places.iter().for_each(|place| all.raise(place, top, 0.5 * reach));
            }
        }
        Some(all)
    }

    fn raise(&mut self, place: &PropInstance, top: f32, reach: f32) {
        let (centre, radius) = (place.position.truncate(), reach * place.scale);
        let last = Vec2::new(self.tops.width() as f32, self.tops.height() as f32) - 1.0;
        let low = self.tops.to_centre_units(centre - radius).ceil();
        let high = self.tops.to_centre_units(centre + radius).floor();
        if high.cmplt(Vec2::ZERO).any() || low.cmpgt(last).any() {
            return;
        }
        let (low, high) = (low.max(Vec2::ZERO).as_uvec2(), high.min(last).as_uvec2());
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let cell = throng_field::Cell::new(x, y);
                if self.tops.centre(cell).distance(centre) <= radius {
                    let own = place.position.z + top * place.scale;
                    self.tops[cell] = self.tops[cell].max(own);
                }
            }
        }
    }

    /// Angle of the horizon from a place in a direction.
    fn angle(&self, from: Vec3, way: Vec2) -> f32 {
        let cell = self.tops.cell_size();
        let (mut away, mut step) = (0.75 * cell, 0.75 * cell);
        let mut steepest = 0.0_f32;
        while away < REACH {
            let p = from.truncate() + way * away;
            let top = self.tops.sample(p, Edge::Clamp);
            steepest = steepest.max((top - from.z) / away);
            step *= LONGER;
            away += step;
        }
        steepest.atan()
    }

    /// Mean of the free directions, and the share of the sky that is free.
    pub(crate) fn free(&self, from: Vec3) -> (Vec3, f32) {
        let (mut bent, mut free) = (Vec3::ZERO, 0.0);
        for i in 0..AROUND {
            let way = Vec2::from_angle((i as f32 + 0.5) / AROUND as f32 * TAU);
            let horizon = self.angle(from, way);
            for ring in 0..RINGS {
                // Rings of the same share of the sky, and of each the part above the horizon.
                let edge = |k: usize| (k as f32 / RINGS as f32).asin();
                let (low, high) =
                    (edge(ring), if ring + 1 == RINGS { FRAC_PI_2 } else { edge(ring + 1) });
                let low_sine = low.max(horizon).min(high).sin();
                let share = (high.sin() - low_sine) / (high.sin() - low.sin());
                let middle = (0.5 * (high.sin() + low_sine)).asin();
                bent += share * (way * middle.cos()).extend(middle.sin());
                free += share;
            }
        }
        let whole = (AROUND * RINGS) as f32;
        (bent / whole, free / whole)
    }
}

/// All voxels of a place, layer by layer.
pub(crate) fn voxels(
    world: &World,
    height: &(dyn Fn(Vec2) -> f32 + Sync),
    horizon: &Horizon,
) -> Vec<(Vec3, f32)> {
    let bounds = world.bounds();
    let extent = bounds.max - bounds.min;
    let [w, h, layers] = SIZE;
    (0..w * h * layers)
        .into_par_iter()
        .map(|i| {
            let at = Vec2::new((i % w) as f32 + 0.5, (i / w % h) as f32 + 0.5);
            let p = bounds.min + at / Vec2::new(w as f32, h as f32) * extent;
            let above = HIGH * (i / (w * h)) as f32 / (layers - 1) as f32;
            horizon.free(p.extend(height(p) + above.max(0.05)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Horizon;
    use glam::{Vec2, Vec3};
    use throng_world::World;

    /// If this fails, grass beside a rock is as bright as in the open, or open land is dark.
    #[test]
    fn a_cliff_takes_half_of_the_sky() {
        let world = World::open((80, 80), 1.0, Vec2::ZERO).unwrap();
        let open = Horizon::new(&world, &|_| 3.0, &[]).unwrap();
        let (bent, free) = open.free(Vec3::new(40.0, 40.0, 3.05));
        assert!(free > 0.97 && bent.normalize().z > 0.999, "{bent} {free}");
        // By sampling, the slow way: every direction of a fine grid.
        let cliff = |p: Vec2| if p.x > 42.0 { 60.0 } else { 0.0 };
        let beside = Horizon::new(&world, &cliff, &[]).unwrap();
        let (bent, free) = beside.free(Vec3::new(40.0, 40.0, 0.05));
        let (mut open_sky, mut n) = (0, 0);
        for i in 0..720 {
            for k in 0..200 {
                let sine = (k as f32 + 0.5) / 200.0;
                let way = Vec2::from_angle((i as f32 + 0.5) / 720.0 * std::f32::consts::TAU);
                let flat = (1.0 - sine * sine).sqrt();
                let wall = (42.0 - 40.0) / (way.x * flat);
                let hit = way.x > 0.0 && wall * sine < 60.0 && (way.y * flat * wall).abs() < 40.0;
                n += 1;
                open_sky += i32::from(!hit);
            }
        }
        let sampled = open_sky as f32 / n as f32;
        assert!((free - sampled).abs() < 0.05, "{free} {sampled}");
        assert!(bent.x < -0.15 && bent.z > 0.1, "away from the cliff: {bent}");
        let (_, above) = beside.free(Vec3::new(40.0, 40.0, 50.0));
        assert!(above > free);
    }
}
