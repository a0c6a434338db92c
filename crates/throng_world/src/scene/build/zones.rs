//! Zones: ground that is slower, dearer or poisonous, and stairs.

use super::{Builder, vec2};
use crate::scene::data::{climb, descend};
use crate::world::{Polygon, World, dose_rate};
use glam::{DVec2, Vec2};
use throng_field::{Cell, Grid};

/// Zones are laid out as finely as this (metres), or with so many cells to the side of a navigation cell, where that is not
/// too many of them in all: where a stair begins must not depend on how the cells lie.
const ZONE_CELL: f32 = 0.0625;
const MOST_PARTS: usize = 4;
const MOST_ZONE_CELLS: usize = 1 << 22;

/// Oxygen in fresh air (per cent).
const FRESH_AIR: f32 = 20.9;

impl Builder<'_> {
    /// Lays zones over the bare ground; later ones over earlier ones.
    pub(super) fn zones(&mut self, world: &mut World) {
        if self.data.zone.is_empty() {
            return;
        }
        let (mut speed, parts) = zone_frame(&world.ground);
        let mut costs = speed.clone();
        let mut stairs = speed.map(|_| Vec2::ZERO);
        let mut dose = speed.map(|_| 0.0_f32);
        let (mut any, mut steps, mut poison) = (false, false, false);
        for (i, zone) in self.data.zone.iter().enumerate() {
            let key = format!("zone[{i}]");
            let Some(pieces) = self.pieces(&zone.shape, &key) else { continue };
            let polygons = self.polygons(pieces, zone.thickness, &key);
            let up = zone.stairs.map_or(Vec2::ZERO, |stairs| vec2(DVec2::from(stairs.up)));
            if zone.stairs.is_some() && up.try_normalize().is_none() {
                let cure = "give the direction in which they lead up, such as [1, 0]";
                self.findings.add(format!("{key}.stairs.up"), "it is no direction", cure);
            }
            let up = up.normalize_or_zero();
            let left = zone.speed * self.through_smoke(zone.smoke.unwrap_or(0.0));
            // The field has one cost for both ways: that of those who go up and down alike.
            let both = if up == Vec2::ZERO { 1.0 } else { 0.5 * (climb() + descend()) };
            let cost = zone.cost.unwrap_or(1.0 / (left * both));
            let air = [zone.co, zone.co2, zone.o2];
            let bad = air.iter().any(Option::is_some);
            let [co, co2, o2] = air;
            let rate = dose_rate(co.unwrap_or(0.0), co2.unwrap_or(0.0), o2.unwrap_or(FRESH_AIR));
            poison |= bad;
            for polygon in &polygons {
                for cell in cells_in(&costs, polygon) {
                    speed[cell] = left;
                    stairs[cell] = up;
                    steps |= up != Vec2::ZERO;
                    costs[cell] = cost;
                    dose[cell] = if bad { rate } else { 0.0 };
                    any = true;
                }
            }
        }
        // A cell that a zone covers in part costs what its parts cost on average.
        let width = world.ground.width();
        for (index, ground) in world.ground.as_mut_slice().iter_mut().enumerate() {
            let (x, y) = (index % width * parts, index / width * parts);
            let rows = (y..y + parts).map(|row| costs.row(row)[x..x + parts].iter().sum::<f32>());
            *ground *= rows.sum::<f32>() / (parts * parts) as f32;
        }
        world.speed = any.then_some(speed);
        world.stairs = steps.then_some(stairs);
        world.dose = poison.then_some(dose);
    }

    /// What smoke leaves of the walking speed.
    fn through_smoke(&self, extinction: f32) -> f32 {
        let behave = &self.data.behave;
        (1.0 - behave.smoke_slows * extinction).max(behave.smoke_least).min(1.0)
    }
}

/// The frame that zones are laid out on, filled with 1, and how many of its cells make the side of one of the ground.
fn zone_frame(ground: &Grid<f32>) -> (Grid<f32>, usize) {
    let cell = ground.cell_size();
    let wanted = ((cell / ZONE_CELL - 1e-3).ceil() as usize).clamp(1, MOST_PARTS);
    let parts = (1..=wanted).rev().find(|n| ground.cells() * n * n <= MOST_ZONE_CELLS).unwrap_or(1);
    let (width, height) = (ground.width() * parts, ground.height() * parts);
    let frame = Grid::filled(width, height, 1.0).ok();
    let placed = frame.and_then(|f| f.placed(cell / parts as f32, ground.origin()).ok());
    placed.map_or_else(|| (ground.map(|_| 1.0), 1), |frame| (frame, parts))
}

/// Cells whose centres lie in a polygon.
fn cells_in(grid: &Grid<f32>, polygon: &Polygon) -> Vec<Cell> {
    let bounds = polygon.bounds();
    let low = grid.to_centre_units(bounds.min).ceil().max(Vec2::ZERO);
    let high = grid.to_centre_units(bounds.max).floor();
    let last = Vec2::new(grid.width() as f32 - 1.0, grid.height() as f32 - 1.0);
    let high = high.min(last);
    let mut cells = Vec::new();
    if high.x < 0.0 || high.y < 0.0 {
        return cells;
    }
    for y in low.y as u32..=high.y as u32 {
        for x in low.x as u32..=high.x as u32 {
            let cell = Cell::new(x, y);
            if polygon.contains(grid.centre(cell)) {
                cells.push(cell);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use crate::{BuildOptions, Scene, World};
    use glam::Vec2;

    /// A corridor with a stair from 3.1 m to 5.4 m, on cells of this size that begin anywhere.
    fn corridor(cell: f64, shift: f64) -> World {
        let scene = format!(
            "version = 1\nground = {{ kind = \"flat\", bounds = [{}, 0, 10, 2], cell = {cell} }}\n\
             zone = [{{ rect = [3.1, 0, 5.4, 2], speed = 0.5, stairs = {{ up = [1, 0] }}, co = 5000 }}]\n\
             goal = [{{ name = \"end\", exit = true, rect = [9, 0, 10, 2] }}]\n\
             group = [{{ name = \"people\", goal = \"end\" }}]\n\
             spawn = [{{ group = \"people\", count = 1, rect = [0, 0, 1, 1] }}]",
            -shift
        );
        Scene::parse(&scene, "corridor").unwrap().build(&BuildOptions::default()).unwrap()
    }

    /// If this fails, where a stair begins and what it costs depends on how the cells lie.
    #[test]
    fn zones_are_where_the_scene_says_on_all_cells() {
        for (cell, shift) in [(0.25, 0.0), (0.25, 0.125), (0.125, 0.0), (0.2, 0.07), (0.1, 0.0)] {
            let world = corridor(cell, shift);
            let (speed, stairs) = (world.speed.as_ref().unwrap(), world.stairs.as_ref().unwrap());
            let dose = world.dose.as_ref().unwrap();
            let fine = speed.cell_size();
            assert!(fine < 0.07, "cells of {cell} m: zones on cells of {fine} m");
            for k in 0..300 {
                let x = 1.0 + 0.02 * k as f32;
                let at = speed.cell_of(Vec2::new(x, 1.0)).unwrap();
                let inside = x > 3.1 && x < 5.4;
                // Within half a cell of an edge it may be either.
                if (x - 3.1).abs().min((x - 5.4).abs()) > 0.51 * fine {
                    let found = (speed[at] < 1.0, stairs[at] == Vec2::X, dose[at] > 0.0);
                    assert_eq!(found, (inside, inside, inside), "cells of {cell} m, at {x} m");
                }
            }
            // All that is walked costs by how much of it is stair.
            let row = world.ground.row(world.ground.height() / 2);
            let cost: f32 = row.iter().sum::<f32>() * world.ground.cell_size();
            let dear = row.iter().copied().fold(0.0, f32::max) - 1.0;
            let length = (cost - row.len() as f32 * world.ground.cell_size()) / dear;
            assert!((length - 2.3).abs() < 1.01 * fine, "cells of {cell} m: {length} m of stair");
        }
    }
}
