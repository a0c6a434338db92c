//! Ways through lifts: a field also grows from the cabin where people get in, as far behind as the way on
//! from where they get out, and the wait.
//!
//! The way on is measured once, over the bare ground: who waits upstairs is not seen from below.

use glam::Vec2;
use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};
use throng_world::World;
use throng_world::world::{Lift, Shape};

use crate::error::CrowdError;

/// So little outside of a cabin counts as inside (metres).
const EDGE: f32 = 1e-3;

/// The usual walking speed, by which time in a lift becomes a length of way (metres per second).
const WALKING: f32 = 1.34;

/// Adds the cabins of lifts that are shorter than any way on foot.
pub(super) fn add_cabins(world: &World, sources: &mut Vec<Source>) -> Result<(), CrowdError> {
    if world.lifts.is_empty() || sources.is_empty() {
        return Ok(());
    }
    let own = sources.len();
    let mut best = vec![f32::INFINITY; world.lifts.len()];
    let mut potential = world.terrain.clone();
    // One lift may lead to the next.
    for _ in 0..world.lifts.len() {
        FastIterative::new().solve(
            &world.terrain,
            sources,
            &SolveParams::default(),
            &mut potential,
        )?;
        let mut shorter = false;
        for (lift, best) in world.lifts.iter().zip(&mut best) {
            let on = lowest(&potential, &lift.cabins[1]) + wait(lift);
            if on < lowest(&potential, &lift.cabins[0]) && on < *best {
                (*best, shorter) = (on, true);
            }
        }
        if !shorter {
            break;
        }
        sources.truncate(own);
        for (lift, best) in world.lifts.iter().zip(&best) {
            let cabin = &lift.cabins[0];
            let middle = cabin.bounds().centre();
            for cell in cells(&world.terrain, cabin) {
                let inwards = world.terrain.centre(cell).distance(middle);
                let start = best + inwards * world.terrain[cell];
                if start.is_finite() && !sources[..own].iter().any(|s| s.cell == cell) {
                    sources.push(Source::new(cell, start));
                }
            }
        }
    }
    Ok(())
}

/// The length of way that using a lift is worth: there, and half a turn of waiting.
fn wait(lift: &Lift) -> f32 {
    WALKING * 2.0 * lift.seconds
}

fn lowest(potential: &Grid<f32>, cabin: &Shape) -> f32 {
    cells(potential, cabin).into_iter().map(|cell| potential[cell]).fold(f32::INFINITY, f32::min)
}

/// Cells that lie in a cabin as a whole, or else those whose centres do. The way ends in them: if one reached out of the
/// cabin, people would stand before the door for ever.
fn cells(grid: &Grid<f32>, cabin: &Shape) -> Vec<Cell> {
    let bounds = cabin.bounds();
    let last = Vec2::new(grid.width() as f32 - 1.0, grid.height() as f32 - 1.0);
    let low = grid.to_centre_units(bounds.min).floor().clamp(Vec2::ZERO, last);
    let high = grid.to_centre_units(bounds.max).ceil().clamp(Vec2::ZERO, last);
    let rows = low.y as u32..=high.y as u32;
    let near = rows.flat_map(|y| (low.x as u32..=high.x as u32).map(move |x| Cell::new(x, y)));
    let inside = |p: Vec2| cabin.distance(p) <= EDGE;
    let mut cells: Vec<Cell> = near.filter(|cell| inside(grid.centre(*cell))).collect();
    let half = 0.5 * grid.cell_size();
    let corners = [(-half, -half), (half, -half), (-half, half), (half, half)];
    let whole = |cell: &Cell| corners.iter().all(|c| inside(grid.centre(*cell) + Vec2::from(*c)));
    if cells.iter().any(whole) {
        cells.retain(whole);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_world::{BuildOptions, Scene};

    /// Two floors side by side, and a lift, with cells that begin anywhere.
    fn floors(shift: f64) -> World {
        let scene = format!(
            "version = 1\nground = {{ kind = \"flat\", bounds = [{}, -1, 13, 5], cell = 0.25 }}\n\
             area = [{{ rect = [0, 0, 5, 4] }}, {{ rect = [7, 0, 12, 4] }}]\n\
             lift = [{{ from = {{ rect = [3, 1, 5, 3] }}, to = {{ rect = [7, 1, 9, 3] }}, seconds = 5, capacity = 4 }}]\n\
             goal = [{{ name = \"exit\", exit = true, rect = [11, 0, 12, 4] }}]\n\
             group = [{{ name = \"people\", goal = \"exit\" }}]\n\
             spawn = [{{ group = \"people\", count = 1, rect = [0, 0, 1, 1] }}]",
            -1.0 - shift
        );
        Scene::parse(&scene, "floors").unwrap().build(&BuildOptions::default()).unwrap()
    }

    /// If a cell in which the way ends reaches out of the cabin, people stop before they are in it.
    #[test]
    fn ways_end_inside_of_cabins() {
        for shift in [0.0, 0.05, 0.125, 0.2] {
            let world = floors(shift);
            let mut fields = crate::navigate::Fields::new(&world).unwrap();
            fields.refresh_all(&world.terrain).unwrap();
            let (flow, cabin) = (fields.flow(0, 0), &world.lifts[0].cabins[0]);
            for k in 0..=180 {
                // A hair's breadth before the door, where cells beyond it have the most weight.
                let p = Vec2::new(2.997, 1.1 + 0.01 * k as f32);
                assert!(cabin.distance(p) > 2e-3);
                assert!(flow.at(p) != Vec2::ZERO, "shift {shift}: no way on at {p}");
            }
        }
    }
}
