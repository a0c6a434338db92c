//! Dynamic hazards A: discs of extra cost (a ghost, a poison cloud) stamped onto a grid. A moving
//! hazard is stamped anew at each place; only cells within the radius are touched, and the rectangle
//! that changed is returned so that a solver can start from what it had elsewhere.

use super::{CostError, MAX_COST};
use crate::grid::{Cell, Grid};
use glam::Vec2;
use rayon::prelude::*;

/// How a hazard's cost falls from its centre to zero at its radius; both forms reach zero with zero
/// slope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Falloff {
    /// (1 - (d / radius)²)²: a round peak.
    #[default]
    Bell,
    /// Full strength up to this fraction of the radius (0 to 1), then a smooth step to zero. At 1
    /// the step is a sharp edge.
    Plateau(f32),
}

impl Falloff {
    /// Share of the full strength at `t` = distance / radius; 0 from `t` = 1 on.
    pub fn share(self, t: f32) -> f32 {
        if t >= 1.0 {
            return 0.0;
        }
        match self {
            Self::Bell => (1.0 - t * t) * (1.0 - t * t),
            Self::Plateau(core) if t <= core => 1.0,
            Self::Plateau(core) => {
                let u = (1.0 - t) / (1.0 - core);
                u * u * (3.0 - 2.0 * u)
            }
        }
    }
}

/// A disc of extra cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hazard {
    /// World position in metres; may lie outside the grid.
    pub centre: Vec2,
    /// Reach in metres; cells whose centre is this far away or farther are not touched.
    pub radius: f32,
    /// Cost added at the centre, in cost units: 0 to [`MAX_COST`].
    pub strength: f32,
    /// How the cost falls to zero.
    pub falloff: Falloff,
}

/// A rectangle of cells, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRect {
    /// Least column and row.
    pub min: Cell,
    /// Greatest column and row, inside the rectangle.
    pub max: Cell,
}

impl CellRect {
    /// The smallest rectangle that holds both.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: Cell::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Cell::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// The smallest rectangle that holds both, where either may be absent.
    pub fn union_option(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.union(b)),
            _ => a.or(b),
        }
    }

    /// Whether the cell lies in the rectangle.
    pub fn contains(&self, cell: Cell) -> bool {
        (self.min.x..=self.max.x).contains(&cell.x) && (self.min.y..=self.max.y).contains(&cell.y)
    }
}

impl Hazard {
    /// Adds the hazard's cost to the cells within its radius and returns the rectangle of those
    /// whose value changed, or `None` if no cell did.
    ///
    /// # Errors
    /// [`CostError::BadHazard`] names the field; the grid is then unchanged.
    pub fn stamp(&self, out: &mut Grid<f32>) -> Result<Option<CellRect>, CostError> {
        self.check(0)?;
        Ok(self.add_to(out))
    }

    fn check(&self, index: usize) -> Result<(), CostError> {
        let bad = |field, value, right| Err(CostError::BadHazard { index, field, value, right });
        if !self.centre.x.is_finite() {
            return bad("centre.x", self.centre.x, "finite");
        }
        if !self.centre.y.is_finite() {
            return bad("centre.y", self.centre.y, "finite");
        }
        if !(self.radius >= 0.0 && self.radius.is_finite()) {
            return bad("radius", self.radius, "finite and not negative");
        }
        if !(self.strength >= 0.0 && self.strength <= MAX_COST) {
            return bad("strength", self.strength, "0 to 1e6");
        }
        match self.falloff {
            Falloff::Plateau(core) if !(0.0..=1.0).contains(&core) => {
                bad("falloff plateau", core, "0 to 1")
            }
            _ => Ok(()),
        }
    }

    fn add_to(&self, out: &mut Grid<f32>) -> Option<CellRect> {
        let reach = self.bounds(out)?;
        let (width, cell_size) = (out.width(), out.cell_size());
        // Cell centres relative to the hazard, in metres.
        let corner = out.centre(Cell::new(0, 0)) - self.centre;
        let (y0, y1) = (reach.min.y as usize, reach.max.y as usize + 1);
        let rows = out.as_mut_slice()[y0 * width..y1 * width].par_chunks_mut(width);
        rows.enumerate()
            .with_min_len(16)
            .map(|(i, row)| {
                let y = reach.min.y + i as u32;
                let dy = corner.y + y as f32 * cell_size;
                let (x0, x1) = (reach.min.x, reach.max.x);
                let cells = (x0..=x1).zip(&mut row[x0 as usize..=x1 as usize]);
                cells.fold(None, |changed, (x, value)| {
                    let d = Vec2::new(corner.x + x as f32 * cell_size, dy);
                    let before = *value;
                    *value += self.strength * self.falloff.share(d.length() / self.radius);
                    let cell = Cell::new(x, y);
                    let here = CellRect { min: cell, max: cell };
                    CellRect::union_option(changed, (*value != before).then_some(here))
                })
            })
            .reduce(|| None, CellRect::union_option)
    }

    /// Cells that the disc may reach, or `None` if it reaches none. One cell is added on each side
    /// against rounding.
    fn bounds(&self, grid: &Grid<f32>) -> Option<CellRect> {
        if self.radius == 0.0 {
            return None;
        }
        let centre = grid.to_centre_units(self.centre);
        let r = self.radius / grid.cell_size();
        let span = |c: f32, cells: usize| {
            let low = ((c - r).floor() as i64).saturating_sub(1).max(0);
            let high = ((c + r).ceil() as i64).saturating_add(1).min(cells as i64 - 1);
            (low <= high).then_some((low as u32, high as u32))
        };
        let (x0, x1) = span(centre.x, grid.width())?;
        let (y0, y1) = span(centre.y, grid.height())?;
        Some(CellRect { min: Cell::new(x0, y0), max: Cell::new(x1, y1) })
    }
}

/// Sets the rectangle `previous` (what the last call returned) back to zero, then stamps all
/// hazards in order, and returns the rectangle they now cover. Cells outside the union of both
/// rectangles are not touched, so that union is what changed for a warm start. Parts of `previous`
/// outside the grid are ignored.
///
/// # Errors
/// [`CostError::BadHazard`] names the hazard and field; the grid is then unchanged.
pub fn restamp(
    hazards: &[Hazard],
    previous: Option<CellRect>,
    out: &mut Grid<f32>,
) -> Result<Option<CellRect>, CostError> {
    for (index, hazard) in hazards.iter().enumerate() {
        hazard.check(index)?;
    }
    if let Some(rect) = previous {
        clear(rect, out);
    }
    let stamped = hazards.iter().map(|hazard| hazard.add_to(out));
    Ok(stamped.fold(None, CellRect::union_option))
}

fn clear(rect: CellRect, out: &mut Grid<f32>) {
    let (width, height) = (out.width(), out.height());
    let x1 = (rect.max.x as usize + 1).min(width);
    let y1 = (rect.max.y as usize + 1).min(height);
    let x0 = (rect.min.x as usize).min(x1);
    for y in rect.min.y as usize..y1 {
        out.as_mut_slice()[y * width + x0..y * width + x1].fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn empty() -> Grid<f32> {
        let grid = Grid::filled(40, 30, 0.0).unwrap();
        grid.placed(0.5, Vec2::new(-4.0, 2.0)).unwrap()
    }

    fn ghost(x: f32, y: f32, radius: f32) -> Hazard {
        Hazard { centre: Vec2::new(x, y), radius, strength: 8.0, falloff: Falloff::Bell }
    }

    fn changed_rect(a: &Grid<f32>, b: &Grid<f32>) -> Option<CellRect> {
        let cells = (0..a.cells()).filter(|&i| a.as_slice()[i] != b.as_slice()[i]);
        let rects = cells.map(|i| CellRect { min: a.cell_at(i), max: a.cell_at(i) });
        rects.reduce(CellRect::union)
    }

    /// A jump at the edge of a hazard makes a kink in every route that passes it.
    #[test]
    fn falloffs_go_smoothly_from_one_to_zero() {
        for falloff in [Falloff::Bell, Falloff::Plateau(0.0), Falloff::Plateau(0.6)] {
            assert_eq!(falloff.share(0.0), 1.0);
            assert_eq!(falloff.share(1.0), 0.0);
            assert!(falloff.share(0.999) < 1e-4);
            let shares: Vec<f32> = (0..100).map(|i| falloff.share(i as f32 * 0.01)).collect();
            assert!(shares.is_sorted_by(|a, b| a >= b));
        }
        assert_eq!(Falloff::Plateau(1.0).share(0.99), 1.0);
    }

    /// A NaN or negative hazard would poison the whole cost grid.
    #[test]
    fn bad_hazards_are_refused_and_nothing_is_touched() {
        let bad = [
            ghost(f32::NAN, 0.0, 1.0),
            ghost(0.0, f32::INFINITY, 1.0),
            ghost(0.0, 0.0, f32::NAN),
            ghost(0.0, 0.0, -1.0),
            ghost(0.0, 0.0, f32::INFINITY),
            Hazard { strength: -1.0, ..ghost(0.0, 0.0, 1.0) },
            Hazard { falloff: Falloff::Plateau(1.5), ..ghost(0.0, 0.0, 1.0) },
        ];
        for hazard in bad {
            let mut grid = empty();
            assert!(hazard.stamp(&mut grid).is_err(), "{hazard:?}");
            let error = restamp(&[ghost(0.0, 8.0, 2.0), hazard], None, &mut grid);
            assert!(error.unwrap_err().to_string().starts_with("hazard 1: "));
            assert_eq!(grid, empty());
        }
    }

    /// Hazards off the grid, of no size, or larger than the world must not panic.
    #[test]
    fn extreme_but_legal_hazards() {
        let mut grid = empty();
        assert_eq!(ghost(3.0, 8.0, 0.0).stamp(&mut grid), Ok(None));
        assert_eq!(ghost(-100.0, 8.0, 50.0).stamp(&mut grid), Ok(None));
        assert_eq!(ghost(f32::MAX, -f32::MAX, 3.0).stamp(&mut grid), Ok(None));
        assert_eq!(grid, empty());
        let all = ghost(3.0, 8.0, 1e30).stamp(&mut grid).unwrap().unwrap();
        assert_eq!((all.min, all.max), (Cell::new(0, 0), Cell::new(39, 29)));
        assert!(grid.as_slice().iter().all(|v| *v == 8.0));
        ghost(3.0, 8.0, f32::MAX).stamp(&mut grid).unwrap();
        ghost(3.0, 8.0, f32::MIN_POSITIVE).stamp(&mut grid).unwrap();
        assert!(grid.as_slice().iter().all(|v| v.is_finite()));
    }

    proptest! {
        /// A stamp that misses cells, or a rectangle that misses changes, leaves stale potentials.
        #[test]
        fn stamp_is_the_formula_in_every_cell_and_the_rectangle_is_tight(
            x in -8.0f32..20.0, y in -3.0f32..20.0, radius in 0.01f32..9.0,
            core in prop::option::of(0.0f32..=1.0),
        ) {
            let falloff = core.map_or(Falloff::Bell, Falloff::Plateau);
            let hazard = Hazard { falloff, ..ghost(x, y, radius) };
            let mut grid = empty();
            let rect = hazard.stamp(&mut grid).unwrap();
            prop_assert_eq!(rect, changed_rect(&empty(), &grid));
            for i in 0..grid.cells() {
                let t = grid.centre(grid.cell_at(i)).distance(hazard.centre) / radius;
                let expected = 8.0 * falloff.share(t);
                // Beside the sharp edge of a plateau, rounding decides.
                let edge = (t - 1.0).abs() < 1e-3 && core.is_some_and(|c| c > 0.9);
                prop_assert!(edge || (grid.as_slice()[i] - expected).abs() < 1e-2);
            }
        }

        /// A moving hazard must leave no trail behind.
        #[test]
        fn restamping_leaves_only_the_new_hazards(
            places in prop::collection::vec((-6.0f32..18.0, 0.0f32..18.0, 0.1f32..5.0), 1..6),
        ) {
            let (mut grid, mut rect) = (empty(), None);
            for pair in places.windows(2) {
                let hazards: Vec<Hazard> = pair.iter().map(|&(x, y, r)| ghost(x, y, r)).collect();
                let before = grid.clone();
                let now = restamp(&hazards, rect, &mut grid).unwrap();
                let mut fresh = empty();
                for hazard in &hazards {
                    hazard.stamp(&mut fresh).unwrap();
                }
                prop_assert_eq!(&grid, &fresh);
                let touched = CellRect::union_option(rect, now);
                if let Some(changed) = changed_rect(&before, &grid) {
                    let touched = touched.unwrap();
                    prop_assert!(touched.contains(changed.min) && touched.contains(changed.max));
                }
                rect = now;
            }
        }
    }
}
