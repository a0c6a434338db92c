//! Ways through lifts: a field also grows from the cabin where people get in, as far behind as the way on
//! from where they get out, and the wait.
//!
//! The way on is measured once, over the bare ground: who waits upstairs is not seen from below.

use throng_field::solve::{FastIterative, SolveParams, Solver, Source};
use throng_field::{Cell, Grid};
use throng_world::World;
use throng_world::world::{Lift, Shape};

use crate::error::CrowdError;

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
    cells(potential, cabin).map(|cell| potential[cell]).fold(f32::INFINITY, f32::min)
}

/// Cells whose centres lie in a cabin.
fn cells<'a>(grid: &'a Grid<f32>, cabin: &'a Shape) -> impl Iterator<Item = Cell> + 'a {
    let bounds = cabin.bounds();
    let last = glam::Vec2::new(grid.width() as f32 - 1.0, grid.height() as f32 - 1.0);
    let low = grid.to_centre_units(bounds.min).floor().clamp(glam::Vec2::ZERO, last);
    let high = grid.to_centre_units(bounds.max).ceil().clamp(glam::Vec2::ZERO, last);
    let rows = low.y as u32..=high.y as u32;
    rows.flat_map(move |y| (low.x as u32..=high.x as u32).map(move |x| Cell::new(x, y)))
        .filter(|cell| cabin.distance(grid.centre(*cell)) <= 0.0)
}
