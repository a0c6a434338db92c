//! The grass of a scene: maps from files, or grown by rule.

use super::Builder;
use super::ground::flipped;
use crate::World;
use crate::grass::{DrawnMaps, Grass};
use crate::land::{HeightFault, parse_esri, parse_png};
use crate::scene::data::GrassData;
use glam::Vec2;
use throng_field::Grid;

/// A map may be so much longer or wider than the ground, as a share, before it is one of another place.
const ASKEW: f32 = 0.05;

impl Builder<'_> {
    pub(super) fn grass(&mut self, world: &World) -> Option<Grass> {
        let usual = GrassData::default();
        let data = self.data.grass.as_ref();
        let wanted = data.map_or(world.heights.is_some(), |data| data.on.unwrap_or(true));
        let data = data.unwrap_or(&usual).clone();
        let params = data.params();
        for (key, [least, most]) in [("width", params.width), ("height", params.height)] {
            if least > most {
                let what = "the least is above the greatest";
                self.findings.add(format!("grass.{key}"), what, "give the smaller one first");
            }
        }
        let mut drawn = DrawnMaps::default();
        if let Some(map) = self.grass_map(world, data.density_map.as_ref(), "grass.density_map") {
            if map.as_slice().iter().all(|v| *v <= 0.0) {
                let what = "it is 0 everywhere";
                let cure = "make it lighter where grass grows, or say `on = false`";
                self.findings.add("grass.density_map", what, cure);
            }
            drawn.density = Some(map.map(|v| v.clamp(0.0, 1.0)));
        }
        if let Some(map) = self.grass_map(world, data.messiness_map.as_ref(), "grass.messiness_map")
        {
            drawn.messiness = Some(map.map(|v| v.clamp(0.0, 1.0)));
        }
        if let Some(map) = self.grass_map(world, data.direction_map.as_ref(), "grass.direction_map")
        {
            let degrees =
                data.direction_map.is_some_and(|file| !file.to_lowercase().ends_with(".png"));
            let turn = if degrees { 1.0_f32.to_radians() } else { std::f32::consts::TAU };
            drawn.direction = Some(map.map(|v| Vec2::from_angle(v * turn)));
        }
        wanted.then_some(Grass { params, drawn })
    }

    /// A map of a file, laid over the ground.
    fn grass_map(&mut self, world: &World, file: Option<&String>, key: &str) -> Option<Grid<f32>> {
        let file = file?;
        let ending = file.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        if !["png", "asc", "txt"].contains(&ending.as_str()) {
            self.findings.add(key, "its kind is not known", "give a .png or .asc file");
            return None;
        }
        let bytes = self.read_file(file, key)?;
        let png = ending == "png";
        let read = if png {
            parse_png(&bytes, file)
        } else {
            parse_esri(&String::from_utf8_lossy(&bytes))
        };
        let grid = match read {
            Ok(heights) => heights.grid,
            Err(HeightFault { what, cure }) => {
                self.findings.add(key, format!("{file}: {what}"), cure);
                return None;
            }
        };
        if let Some(at) = grid.as_slice().iter().position(|v| !v.is_finite()) {
            let (x, y) = (at % grid.width(), at / grid.width());
            let what = format!("{file}: column {x}, row {y} has no number");
            self.findings.add(key, what, "give a number for every cell");
            return None;
        }
        let extent = world.terrain.extent();
        let (ground, own) = (extent.x / extent.y, grid.width() as f32 / grid.height() as f32);
        if grid.width() < 2 || grid.height() < 2 || (own / ground - 1.0).abs() > ASKEW {
            let what = format!(
                "{file}: {} x {} does not fit a ground of {} x {} m",
                grid.width(),
                grid.height(),
                extent.x,
                extent.y
            );
            self.findings.add(key, what, "give one of the same proportions, 2 x 2 at least");
            return None;
        }
        let unit = if png { 1.0 / 65_535.0 } else { 1.0 };
        let grid = flipped(&grid.map(|v| v * unit))?;
        let cell = extent.x / grid.width() as f32;
        grid.placed(cell, world.terrain.origin()).ok()
    }
}
