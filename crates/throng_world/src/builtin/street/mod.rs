//! A quarter of an old city: avenues that meet at a round place, a river with quays and bridges,
//! a park, and blocks cut ever smaller by streets and lanes and built up house by house.

mod block;
mod park;
mod plan;
mod river;

use self::plan::Plan;
use super::connect::{clear_crumbs, keep_largest};
use super::hash::Chance;
use super::polygon::Polygon;
use super::{at_least, filled};
use crate::{BLOCKED, FREE, MapError};
use glam::DVec2;
use throng_field::{Cell, Grid};

/// Buildings of fewer cells, left over at quays and edges, are cleared.
const SMALLEST_HOUSE: usize = 24;

/// A city of `width` x `height` cells. Streets are 3 to 8 cells wide, buildings are blocked, yards
/// that cannot be reached are blocked too. Fails below 64 x 64 cells.
pub fn street(width: usize, height: usize, seed: u64) -> Result<Grid<f32>, MapError> {
    at_least("street", width, height, 64)?;
    let mut map = filled("street", width, height, FREE)?;
    let mut chance = Chance::new(seed, 0x7374_7265);
    let plan = Plan::draw(DVec2::new(width as f64, height as f64), &mut chance);
    let own = |number: usize| Chance::new(seed, number as u64 + 1);
    for (number, block) in plan.blocks.iter().enumerate() {
        if plan.park != Some(number) {
            block::build(&mut map, block, &plan, &mut own(number));
        }
    }
    dig_river(&mut map, &plan);
    clear_crumbs(&mut map, SMALLEST_HOUSE);
    if let Some(number) = plan.park {
        park::plant(&mut map, &plan.blocks[number], &mut own(number));
    }
    raise_monument(&mut map, &plan);
    keep_largest(&mut map);
    Ok(map)
}

/// Centre of a cell, in cells.
fn centre(cell: Cell) -> DVec2 {
    DVec2::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

/// Calls `paint` with every cell of the map whose centre may lie in the polygon.
fn for_cells_around(map: &mut Grid<f32>, area: &Polygon, mut paint: impl FnMut(DVec2, &mut f32)) {
    let (low, high) = area.bounds();
    let size = DVec2::new(map.width() as f64, map.height() as f64);
    let (low, high) = (low.clamp(DVec2::ZERO, size), high.clamp(DVec2::ZERO, size));
    for y in low.y as u32..high.y.ceil() as u32 {
        for x in low.x as u32..high.x.ceil() as u32 {
            let cell = Cell::new(x, y);
            paint(centre(cell), &mut map[cell]);
        }
    }
}

/// Water is blocked except under bridges; the quays along it are free.
fn dig_river(map: &mut Grid<f32>, plan: &Plan) {
    let Some(river) = &plan.river else { return };
    for index in 0..map.cells() {
        let at = centre(map.cell_at(index));
        if river.quay_distance(at) >= 0.0 {
            continue;
        }
        let crossed = plan.avenues.iter().any(|a| a.crosses_river && a.covers(at));
        let wet = river.water_distance(at) < 0.0 && !crossed;
        map.as_mut_slice()[index] = if wet { BLOCKED } else { FREE };
    }
}

/// The monument in the middle of the round place.
fn raise_monument(map: &mut Grid<f32>, plan: &Plan) {
    let reach = DVec2::splat(plan.place.monument);
    let area = Polygon::rectangle(plan.place.middle - reach, plan.place.middle + reach);
    for_cells_around(map, &area, |at, cost| {
        if at.distance(plan.place.middle) < plan.place.monument {
            *cost = BLOCKED;
        }
    });
}
