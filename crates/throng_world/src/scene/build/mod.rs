//! From a scene's data to a world. Everything is tried, so that one problem does not hide another.

mod behaviour;
mod cast;
mod grass;
mod ground;
mod passages;
mod people;
mod places;
mod reach;
mod scale;
mod shapes;

pub(super) use people::distribution;
pub(super) use scale::nominal;

use super::data::{SceneData, climb, descend};
use super::problem::Findings;
use super::{Assets, BuildOptions};
use crate::params::Params;
use crate::world::{CLEARANCE_CAP, Polygon, World, dose_rate};
use glam::{DVec2, Vec2};
use scale::Scale;
use throng_field::{Cell, Grid};

/// Most navigation cells of a scene, and most cells of its wall distance.
pub(super) const MAX_NAV_CELLS: f64 = 16_777_216.0;
const MAX_WALL_CELLS: f64 = 67_108_864.0;

/// What the steps of building share.
pub(super) struct Builder<'a> {
    data: &'a SceneData,
    assets: &'a Assets,
    findings: &'a mut Findings,
    scale: Scale,
    seed: u64,
    /// Whether the data is whole. If parts were left out because they are faulty, what can be
    /// reached and what has room says nothing.
    sound: bool,
}

/// Makes the world, as far as it can be made; problems are noted.
pub(super) fn build(
    data: &SceneData,
    name: &str,
    options: &BuildOptions,
    assets: &Assets,
    sound: bool,
    findings: &mut Findings,
) -> Option<World> {
    let scale = Scale::new(data, options.agents);
    let seed = options.seed.unwrap_or(data.seed);
    if options.agents.is_some() && nominal(data) <= 0.0 && !data.spawn.is_empty() {
        let what = "the number of people cannot be set: it follows from a density on a drawn shape";
        findings.add("spawn", what, "give `count`, or a density on a `rect`, `disc` or the like");
    }
    let mut builder = Builder { data, assets, findings, scale, seed, sound };
    builder.world(name)
}

/// Oxygen in fresh air (per cent).
const FRESH_AIR: f32 = 20.9;

/// Places that need at most so many cells of 0.05 m have the distance to their walls as fine as that: between cells it
/// is told too small in the middle of narrow passages, and people would stick there.
const FINE_WALLS: f64 = 8e6;

impl Builder<'_> {
    fn world(&mut self, name: &str) -> Option<World> {
        let walkable = self.outlines("area", &self.data.area);
        let mut walls = self.outlines("wall", &self.data.wall);
        let made = self.ground(&walkable, &walls)?;
        walls.extend(made.walls);
        let mut world = World {
            name: name.into(),
            title: if self.data.title.is_empty() { name.into() } else { self.data.title.clone() },
            seed: self.seed,
            dt: self.data.dt,
            seconds: self.data.seconds,
            heights: made.heights,
            terrain: made.cost.clone(),
            ground: made.cost,
            open_edge: self.data.frame.open_edge,
            speed: None,
            stairs: None,
            dose: None,
            doors: Vec::new(),
            lifts: Vec::new(),
            openings: Vec::new(),
            clearance: Grid::filled(1, 1, CLEARANCE_CAP).ok()?,
            walls,
            walkable,
            goals: Vec::new(),
            groups: Vec::new(),
            actions: Vec::new(),
            rules: Vec::new(),
            items: Vec::new(),
            spawns: Vec::new(),
            hazards: Vec::new(),
            grass: None,
            params: self.params(),
        };
        self.zones(&mut world);
        world.clearance = self.clearance_frame(&world.terrain)?;
        world.rebuild();
        if made.one_piece {
            reach::keep_largest_piece(&mut world);
        }
        if self.sound {
            self.walls_hold(&world);
        }
        self.places(&mut world);
        self.passages(&mut world);
        self.behaviour(&mut world);
        self.people(&mut world);
        world.grass = self.grass(&world);
        if self.sound {
            self.ways(&world);
        }
        Some(world)
    }

    fn params(&self) -> Params {
        Params {
            navigate: self.data.navigate.clone(),
            bin: self.data.bin.clone(),
            avoid: self.data.avoid.clone(),
            behave: self.data.behave.clone(),
            movement: self.data.movement.clone(),
        }
    }

    /// Lays zones over the bare ground; later ones over earlier ones.
    fn zones(&mut self, world: &mut World) {
        if self.data.zone.is_empty() {
            return;
        }
        let Some((mut speed, parts)) = zone_frame(&world.ground) else { return };
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

    /// The frame of the wall distance: the navigation cell divided into whole parts.
    fn clearance_frame(&mut self, terrain: &Grid<f32>) -> Option<Grid<f32>> {
        let cell = f64::from(terrain.cell_size());
        let parts = match self.data.frame.wall_cell {
            Some(wall_cell) => (cell / wall_cell - 1e-6).ceil().max(1.0),
            None if cell > 1.0 => 4.0,
            None => {
                // As fine as doors want it, where that is not many cells.
                let extent = terrain.extent();
                let area = f64::from(extent.x) * f64::from(extent.y);
                let finest = if area <= FINE_WALLS * 0.0025 { 0.05 } else { 0.25 };
                (cell / finest - 1e-6).ceil().max(1.0)
            }
        };
        let (w, h) = (terrain.width() as f64 * parts, terrain.height() as f64 * parts);
        if w * h > MAX_WALL_CELLS {
            let what = format!("the distance to walls would need {w} x {h} cells");
            let cure =
                format!("give a larger `wall_cell`; at most {MAX_WALL_CELLS} cells are made");
            self.findings.add("frame.wall_cell", what, cure);
            return None;
        }
        let size = (cell / parts) as f32;
        Grid::filled(w as usize, h as usize, CLEARANCE_CAP)
            .ok()?
            .placed(size, terrain.origin())
            .ok()
    }

    /// Polygons of all entries of a list of walls or areas.
    fn outlines(&mut self, list: &str, entries: &[super::data::WallData]) -> Vec<Polygon> {
        let mut polygons = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            let key = format!("{list}[{i}]");
            if let Some(pieces) = self.pieces(&entry.shape, &key) {
                polygons.extend(self.polygons(pieces, entry.thickness, &key));
            }
        }
        polygons
    }
}

/// Zones are laid out as finely as this (metres), or with so many cells to the side of a navigation cell, where that is not
/// too many of them in all: where a stair begins must not depend on how the cells lie.
const ZONE_CELL: f32 = 0.0625;
const MOST_PARTS: usize = 4;
const MOST_ZONE_CELLS: usize = 1 << 22;

/// The frame that zones are laid out on, filled with 1, and how many of its cells make the side of one of the ground.
fn zone_frame(ground: &Grid<f32>) -> Option<(Grid<f32>, usize)> {
    let cell = ground.cell_size();
    let wanted = ((cell / ZONE_CELL - 1e-3).ceil() as usize).clamp(1, MOST_PARTS);
    let parts = (1..=wanted).rev().find(|n| ground.cells() * n * n <= MOST_ZONE_CELLS).unwrap_or(1);
    let frame = Grid::filled(ground.width() * parts, ground.height() * parts, 1.0).ok()?;
    Some((frame.placed(cell / parts as f32, ground.origin()).ok()?, parts))
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

fn vec2(p: DVec2) -> Vec2 {
    p.as_vec2()
}
