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
mod zones;

pub(super) use people::distribution;
pub(super) use scale::nominal;

use super::data::SceneData;
use super::problem::Findings;
use super::{Assets, BuildOptions};
use crate::params::Params;
use crate::world::{CLEARANCE_CAP, Polygon, World};
use glam::{DVec2, Vec2};
use scale::Scale;
use throng_field::Grid;

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

fn vec2(p: DVec2) -> Vec2 {
    p.as_vec2()
}
