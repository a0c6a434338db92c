//! Colours every pixel of the map: potential or plain ground, shaded by cost, then unreachable
//! ground and walls on top.

use super::page::Page;
use super::terrain::Terrain;
use crate::Image;
use crate::draw::{Rgb, surface, theme};

/// How far the costliest ground is darkened, with and without a potential below it.
const SHADE_ON_POTENTIAL: f32 = 0.36;
const SHADE_ON_GROUND: f32 = 0.62;
/// Walls get a rim where a patch has at least this many pixels a side …
const LEAST_SCALE_FOR_RIM: usize = 2;
/// … of one pixel per this many, up to `MOST_RIM`.
const PATCH_PIXELS_PER_RIM: usize = 9;
const MOST_RIM: usize = 3;

/// Draws the ground of the map in its place on the page.
pub(super) fn draw(image: &mut Image, terrain: &Terrain, page: &Page) {
    let (width, height) = terrain.size();
    let (left, top) = page.map;
    for y in 0..height {
        let row = &mut image.row_mut(top + y)[left..left + width];
        for (x, pixel) in row.iter_mut().enumerate() {
            *pixel = color(terrain, x, y);
        }
    }
}

/// The colours of the least and the greatest cost, for the legend.
pub(super) fn cost_swatch(terrain: &Terrain) -> (Rgb, Rgb) {
    /// Middle of the potential's colours.
    const MIDDLE: f32 = 0.45;
    if terrain.potential_range.is_some() {
        let ground = theme::POTENTIAL_MAP.at(MIDDLE);
        (ground, ground.mix(theme::SLOW_GROUND, SHADE_ON_POTENTIAL))
    } else {
        let slow = theme::GROUND.mix(theme::SLOW_GROUND, SHADE_ON_GROUND);
        (theme::GROUND, slow)
    }
}

fn color(terrain: &Terrain, x: usize, y: usize) -> Rgb {
    let patch = terrain.patch_of(x, y);
    let (wall, unreachable) = (terrain.wall[patch], terrain.unreachable[patch]);
    if wall >= 1.0 {
        return if is_rim(terrain, x, y) { theme::WALL_EDGE } else { theme::WALL };
    }
    let mut color = free_color(terrain, x, y, patch);
    if unreachable > 0.0 {
        let hatched = theme::UNREACHABLE.mix(theme::UNREACHABLE_HATCH, theme::hatch(x, y));
        // Walls have their own part of the patch; the rest is shared by free ground.
        color = color.mix(hatched, unreachable / (1.0 - wall));
    }
    // A wall one cell thick is a third of a patch of three; it should still look like a wall.
    color.mix(theme::WALL, wall.sqrt())
}

fn free_color(terrain: &Terrain, x: usize, y: usize, patch: usize) -> Rgb {
    let slowness = terrain.slowness[patch];
    if terrain.potential_range.is_none() {
        return theme::GROUND.mix(theme::SLOW_GROUND, slowness * SHADE_ON_GROUND);
    }
    let value = surface::sample(&terrain.potential, terrain.patch_units(x, y));
    let ground = terrain.color_of(f64::from(value));
    ground.mix(theme::SLOW_GROUND, slowness * SHADE_ON_POTENTIAL)
}

/// Whether a pixel of a wall is close to something that is not wall. The map's rim counts as wall.
fn is_rim(terrain: &Terrain, x: usize, y: usize) -> bool {
    let scale = terrain.scale;
    if scale < LEAST_SCALE_FOR_RIM {
        return false;
    }
    let rim = (scale / PATCH_PIXELS_PER_RIM).clamp(1, MOST_RIM);
    let (width, height) = terrain.size();
    let nearby = |at: usize, end: usize| [at.saturating_sub(rim), at, (at + rim).min(end - 1)];
    nearby(y, height).iter().any(|&y| {
        let mut columns = nearby(x, width).into_iter();
        columns.any(|x| terrain.wall[terrain.patch_of(x, y)] < 1.0)
    })
}
