//! A smooth surface through the values of a grid that has holes (walls, unreachable ground).
//!
//! Between four cell centres the surface is bilinear. Where some of the four are holes, their
//! values are continued from the others of the same four, never from across a wall.

use glam::Vec2;
use throng_field::Grid;

/// The values at four neighbouring centres: `(0, 0)`, `(1, 0)`, `(0, 1)`, `(1, 1)`.
pub type Quad = [f64; 4];

/// Steps from a corner of a quad to the one beside and the one below, by exclusive or.
const BESIDE: usize = 1;
const BELOW: usize = 2;

/// The quad whose first corner is cell `(x, y)`, which may lie one outside, with its holes filled.
///
/// `None` where all four are holes, or where two corners touch only diagonally and need not belong
/// together.
pub fn quad(grid: &Grid<f32>, x: i64, y: i64) -> Option<Quad> {
    let at = |i: usize| (x + (i & BESIDE) as i64, y + (i / BELOW) as i64);
    let raw: Quad = std::array::from_fn(|i| value(grid, at(i)));
    if raw.iter().all(|value| value.is_finite()) {
        return Some(raw);
    }
    let mut filled = raw;
    for (i, value) in filled.iter_mut().enumerate() {
        if !value.is_finite() {
            *value = beyond(grid, raw, i, at)?;
        }
    }
    // What has no neighbour at all lies opposite of the only finite corner: the plane again.
    for i in 0..filled.len() {
        if !filled[i].is_finite() {
            filled[i] = filled[i ^ BESIDE] + filled[i ^ BELOW] - filled[i ^ BESIDE ^ BELOW];
        }
    }
    filled.iter().all(|value| value.is_finite()).then_some(filled)
}

/// The value of a hole continued from its neighbours in the quad: along the plane of three, or
/// straight on from one. Infinite if it has none; `None` if its two neighbours do not belong
/// together.
fn beyond(
    grid: &Grid<f32>,
    raw: Quad,
    hole: usize,
    at: impl Fn(usize) -> (i64, i64),
) -> Option<f64> {
    let (beside, below) = (raw[hole ^ BESIDE], raw[hole ^ BELOW]);
    let opposite = raw[hole ^ BESIDE ^ BELOW];
    let straight_on = |neighbour: usize| {
        let (near, far) = (at(neighbour), at(hole));
        let behind = (2 * near.0 - far.0, 2 * near.1 - far.1);
        let behind = value(grid, behind);
        let step = if behind.is_finite() { raw[neighbour] - behind } else { 0.0 };
        raw[neighbour] + step
    };
    match (beside.is_finite(), below.is_finite()) {
        (true, true) => opposite.is_finite().then_some(beside + below - opposite),
        (true, false) => Some(straight_on(hole ^ BESIDE)),
        (false, true) => Some(straight_on(hole ^ BELOW)),
        (false, false) => Some(f64::INFINITY),
    }
}

/// The value of a cell, infinite for holes and outside.
fn value(grid: &Grid<f32>, (x, y): (i64, i64)) -> f64 {
    let inside = x >= 0 && y >= 0 && x < grid.width() as i64 && y < grid.height() as i64;
    if !inside {
        return f64::INFINITY;
    }
    let value = grid.as_slice()[y as usize * grid.width() + x as usize];
    if value.is_finite() { f64::from(value) } else { f64::INFINITY }
}

/// The surface at `p`, in cell units with (0, 0) at the corner of cell (0, 0). Infinite in holes.
pub fn sample(grid: &Grid<f32>, p: Vec2) -> f32 {
    let cell = p.floor().max(Vec2::ZERO);
    let x = (cell.x as usize).min(grid.width() - 1);
    let y = (cell.y as usize).min(grid.height() - 1);
    let own = grid.as_slice()[y * grid.width() + x];
    if !own.is_finite() {
        return f32::INFINITY;
    }
    let from_centres = p - 0.5;
    let first = from_centres.floor();
    let t = (from_centres - first).as_dvec2();
    match quad(grid, first.x as i64, first.y as i64) {
        Some([a, b, c, d]) => {
            let top = a + (b - a) * t.x;
            let bottom = c + (d - c) * t.x;
            (top + (bottom - top) * t.y) as f32
        }
        None => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const HOLE: f32 = f32::INFINITY;

    /// Colours that leak through a thin wall would show a way where there is none.
    #[test]
    fn walls_keep_their_two_sides_apart() {
        let grid = Grid::from_vec(3, 2, vec![1.0, HOLE, 90.0, 1.0, HOLE, 90.0]).unwrap();
        assert_eq!(sample(&grid, Vec2::new(0.9, 1.0)), 1.0);
        assert_eq!(sample(&grid, Vec2::new(2.1, 1.0)), 90.0);
        assert_eq!(sample(&grid, Vec2::new(1.5, 1.0)), HOLE);
        let diagonal = Grid::from_vec(2, 2, vec![1.0, HOLE, HOLE, 90.0]).unwrap();
        assert_eq!(sample(&diagonal, Vec2::new(0.99, 0.99)), 1.0);
    }

    #[test]
    fn planes_stay_planes() {
        let grid = Grid::from_fn(4, 4, |c| 2.0 * c.x as f32 - c.y as f32).unwrap();
        let value = sample(&grid, Vec2::new(1.75, 2.25));
        assert!((value - (2.0 * 1.25 - 1.75)).abs() < 1e-6);
        // Up to the rim, and behind a hole.
        assert!((sample(&grid, Vec2::new(3.9, 0.1)) - (2.0 * 3.4 + 0.4)).abs() < 1e-5);
        let mut with_hole = grid.clone();
        with_hole.as_mut_slice()[5] = HOLE;
        assert!((sample(&with_hole, Vec2::new(2.1, 1.9)) - (2.0 * 1.6 - 1.4)).abs() < 1e-5);
    }
}
