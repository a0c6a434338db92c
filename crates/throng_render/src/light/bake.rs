//! The light of a renderer's place: made anew when sun or sky change, baked when asked.

use std::path::Path;

use glam::{Vec2, Vec3};
use throng_field::Grid;
use throng_world::World;

use super::{Lit, MEADOW, MapTexture};
use crate::lightmap::{self, Options, Source};
use crate::terrain::Ground;
use crate::{RenderError, Renderer};

/// Texels along the longer side of a map, at most.
const MOST: f32 = 320.0;
/// Texels are no finer than this, m.
const FINEST: f32 = 0.25;
/// Of the scene's longer side: so much of the land around is in the map too.
const AROUND: f32 = 0.12;
/// Albedo of bare rock, of paving, of walls and roofs, of a damp bank.
const ROCK: Vec3 = Vec3::new(0.19, 0.175, 0.155);
const PAVING: Vec3 = Vec3::new(0.30, 0.285, 0.25);
const HOUSE: Vec3 = Vec3::new(0.42, 0.30, 0.22);
const BANK: Vec3 = Vec3::new(0.14, 0.12, 0.09);

/// What a light map is baked from: heights with houses in them, and the mean colour of what lies there.
#[derive(Clone, Debug)]
pub(crate) struct Relief {
    heights: Grid<f32>,
    albedo: Grid<Vec3>,
}

impl Relief {
    /// `None` where a place is too small or too odd for a grid.
    pub(crate) fn new(world: &World, ground: &Ground, damp: &dyn Fn(Vec2) -> f32) -> Option<Self> {
        let extent = ground.max - ground.min;
        let around = extent.max_element() * AROUND;
        let whole = extent + 2.0 * around;
        let cell = (whole.max_element() / MOST).max(world.terrain.cell_size() * 0.5).max(FINEST);
        let size = (whole / cell).ceil();
        let corner = ground.min - (size * cell - extent) * 0.5;
        let at = |c: throng_field::Cell| corner + (Vec2::new(c.x as f32, c.y as f32) + 0.5) * cell;
        let (w, h) = (size.x as usize, size.y as usize);
        let placed = |grid: Grid<f32>| grid.placed(cell, corner).ok();
        let mut heights = placed(Grid::from_fn(w, h, |c| ground.height(at(c))).ok()?)?;
        let slope = |p: Vec2| {
            let rise = |d: Vec2| ground.height(p + d) - ground.height(p - d);
            Vec2::new(rise(Vec2::X * cell), rise(Vec2::Y * cell)).length() / (2.0 * cell)
        };
        let inside = |p: Vec2| p.cmpge(ground.min).all() && p.cmple(ground.max).all();
        let colour = |c: throng_field::Cell| {
            let p = at(c);
            if !ground.wild {
                return if inside(p) { PAVING } else { MEADOW };
            }
            let rocky = crate::noise::smoothstep(0.35, 0.75, slope(p));
            MEADOW.lerp(BANK, damp(p)).lerp(ROCK, rocky)
        };
        let mut albedo = Grid::from_fn(w, h, colour).ok()?.placed(cell, corner).ok()?;
        for (polygon, top) in crate::props::houses(world) {
            raise(&mut heights, &mut albedo, polygon, top);
        }
        Some(Self { heights, albedo })
    }
}

/// Cells whose middle is in a polygon are as high as its top.
fn raise(
    heights: &mut Grid<f32>,
    albedo: &mut Grid<Vec3>,
    polygon: &throng_world::world::Polygon,
    top: f32,
) {
    let bounds = polygon.bounds();
    let (origin, cell, width) = (heights.origin(), heights.cell_size(), heights.width());
    let last = Vec2::new(width as f32 - 1.0, heights.height() as f32 - 1.0);
    let to_cell = |p: Vec2| ((p - origin) / cell).floor().clamp(Vec2::ZERO, last).as_uvec2();
    let (low, high) = (to_cell(bounds.min), to_cell(bounds.max));
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            let p = origin + (Vec2::new(x as f32, y as f32) + 0.5) * cell;
            if polygon.contains(p) {
                let i = y as usize * width + x as usize;
                heights.as_mut_slice()[i] = heights.as_slice()[i].max(top);
                albedo.as_mut_slice()[i] = HOUSE;
            }
        }
    }
}

impl Renderer {
    /// Bakes the light of the place under the light of [`RenderOptions`](crate::RenderOptions), or takes it from
    /// a folder where it was put before. `progress` is called from any thread with the share done, 0 to 1.
    /// Until this is done, and again when sun or sky have changed, every place is lit as if it were in the open.
    /// Gives `None` without a world.
    ///
    /// # Errors
    /// Heights that are no numbers; the device refuses.
    pub fn bake_light(
        &mut self,
        folder: Option<&Path>,
        options: &Options,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Result<Option<Source>, RenderError> {
        self.light_up()?;
        let Some(relief) = self.place.as_ref().and_then(|place| place.relief.as_ref()) else {
            return Ok(None);
        };
        let place = lightmap::Place {
            heights: &relief.heights,
            albedo: Some(&relief.albedo),
            sky: &self.lit.sky,
        };
        let (map, source) = match folder {
            Some(folder) => lightmap::load_or_bake(folder, &place, options, progress)?,
            None => {
                let map = lightmap::bake(&place, options, progress)?;
                (map, Source::Unkept("no folder was given".to_owned()))
            }
        };
        self.common.set_map(&self.slots, MapTexture::new(&self.gpu, &map))?;
        Ok(Some(source))
    }

    /// Whether the place is lit by a baked map, which fits the light of the options.
    #[must_use]
    pub fn has_baked_light(&self) -> bool {
        self.common.parts.map.baked && self.lit.lights_as(&self.options.light)
    }

    /// Follows the light of the options.
    pub(crate) fn light_up(&mut self) -> Result<(), RenderError> {
        let light = self.options.light;
        if self.lit.light == light {
            return Ok(());
        }
        let same = self.lit.lights_as(&light);
        self.lit = Lit::new(light);
        if !same {
            self.open_sky()?;
        }
        Ok(())
    }

    /// Lights every place as if it were in the open.
    pub(crate) fn open_sky(&mut self) -> Result<(), RenderError> {
        let map = MapTexture::open(&self.gpu, &self.lit.sky);
        Ok(self.common.set_map(&self.slots, map)?)
    }
}
