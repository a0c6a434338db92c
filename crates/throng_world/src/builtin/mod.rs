//! Maps made by rule from a seed: a city quarter, a maze, a cave and an open field.
//!
//! Everything is integer hashing and plain IEEE arithmetic (no sines, no random number crate), so
//! a size and a seed give the same bits on every machine. All free cells of a map are 4-connected.

mod cave;
mod connect;
pub(crate) mod hash;
mod maze;
mod polygon;
mod street;

pub use cave::cave;
pub use maze::maze;
pub use street::street;

use crate::{FREE, MapError};
use throng_field::Grid;

/// Names of the maps that [`builtin`] makes.
pub fn builtin_names() -> &'static [&'static str] {
    &["street", "maze", "cave", "uniform"]
}

/// A map by name, in its usual size: `street` (512 x 512), `maze` (257 x 257), `cave` (384 x 384)
/// or `uniform` (256 x 256, all open). `None` for any other name.
pub fn builtin(name: &str) -> Option<Grid<f32>> {
    let made = match name {
        "street" => street(512, 512, 6),
        "maze" => maze(257, 257, 7, 1),
        "cave" => cave(384, 384, 2),
        "uniform" => uniform(256, 256),
        _ => return None,
    };
    made.ok()
}

/// Open ground without any obstacle. Fails for a size that no grid can have.
pub fn uniform(width: usize, height: usize) -> Result<Grid<f32>, MapError> {
    filled("uniform", width, height, FREE)
}

/// A grid of one cost, or the error that says why not.
fn filled(
    map: &'static str,
    width: usize,
    height: usize,
    cost: f32,
) -> Result<Grid<f32>, MapError> {
    Grid::filled(width, height, cost).map_err(|e| recipe_fault(map, e.to_string(), CURE_SIZE))
}

const CURE_SIZE: &str = "ask for a supported size";

fn recipe_fault(map: &'static str, problem: String, cure: impl Into<String>) -> MapError {
    MapError::Recipe { map, problem, cure: cure.into() }
}

/// Refuses a size below `least` on either side.
fn at_least(map: &'static str, width: usize, height: usize, least: usize) -> Result<(), MapError> {
    if width >= least && height >= least {
        return Ok(());
    }
    let problem = format!("{width} x {height} cells are too few");
    let cure = format!("ask for at least {least} x {least}");
    Err(recipe_fault(map, problem, cure))
}

#[cfg(test)]
mod tests;
