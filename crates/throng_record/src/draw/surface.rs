//! A smooth surface through the values of a grid that has holes (walls, unreachable ground).
//!
//! Between four cell centres the surface is bilinear. Where some of the four are holes, their
//! values are continued from the others of the same four, never from across a wall.

use glam::Vec2;
use throng_field::Grid;

/// The values at four neighbouring centres: `(0, 0)`, `(1, 0)`, `(0, 1)`, `(1, 1)`.
pub type Quad = [f64; 4];

/// Index of the corner beside, below and opposite of a quad's corner, by exclusive or.
const BESIDE: usize = 1;
const BELOW: usize = 2;
const OPPOSITE: usize = 3;

/// The quad whose first corner is cell `(x, y)`; cells outside and holes are infinite.
pub fn quad(grid: &Grid<f32>, x: i64, y: i64) -> Quad {
    std::array::from_fn(|i| {
        let (x, y) = (x + (i & BESIDE) as i64, y + (i >> 1) as i64);
        let inside = x >= 0 && y >= 0 && x < grid.width() as i64 && y < grid.height() as i64;
        if !inside {
            return f64::INFINITY;
        }
        let value = grid.as_slice()[y as usize * grid.width() + x as usize];
        if value.is_finite() {
            f64::from(value)
        } else {
            f64::INFINITY
        }
    })
}

/// Fills the holes of a quad, or `None` where there is nothing to fill them from, or where two
/// corners touch only diagonally and need not belong together.
pub fn fill(quad: Quad) -> Option<Quad> {
    if quad.iter().all(|value| value.is_finite()) {
        return Some(quad);
    }
    let mut filled = quad;
    for (i, value) in filled
        .iter_mut()
        .enumerate()
        .filter(|(_, v)| !v.is_finite())
    {
        let (beside, below, opposite) = (quad[i ^ BESIDE], quad[i ^ BELOW], quad[i ^ OPPOSITE]);
        *value = match (beside.is_finite(), below.is_finite(), opposite.is_finite()) {
            (true, true, true) => beside + below - opposite,
            (true, true, false) | (false, false, false) => return None,
            (true, false, _) => beside,
            (false, true, _) => below,
            (false, false, true) => opposite,
        };
    }
    Some(filled)
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
    match fill(quad(grid, first.x as i64, first.y as i64)) {
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
        assert_eq!(
            fill([0.0, 2.0, 3.0, f64::INFINITY]),
            Some([0.0, 2.0, 3.0, 5.0])
        );
    }
}
