//! Density by Voronoi cells: everybody has the ground that is nearer to it than to anybody else.
//!
//! Steffen and Seyfried, "Methods for measuring pedestrian density, flow, speed and direction with
//! minimal scatter", Physica A 389 (2010) 1902. Cells are bounded by what may be walked on and by a
//! cut-off radius, as PedPy does.

use super::polygon::{Region, clip};
use super::{Area, polygon};
use glam::DVec2;
use std::collections::HashMap;

/// Corners of the polygon that stands for the circle of the cut-off.
const CIRCLE_CORNERS: usize = 32;

/// Somebody's ground.
#[derive(Clone, Debug, PartialEq)]
pub struct VoronoiCell {
    /// Convex outline, before it is cut by walls.
    pub outline: Vec<DVec2>,
    /// Area of what may be walked on in it (square metres).
    pub area: f64,
}

/// The cells of people at places, each at most `cut_off` metres from its owner.
///
/// Walls cut a cell but do not end it: ground on the other side of a thin wall that is nearest to
/// somebody counts as its own.
pub fn voronoi_cells(people: &[DVec2], walkable: &Region, cut_off: f64) -> Vec<VoronoiCell> {
    // The corners of a cell lie a little outside the circle.
    let side = corner_radius(cut_off);
    let bin = |p: DVec2| ((p.x / side).floor() as i64, (p.y / side).floor() as i64);
    let mut bins: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    for (i, p) in people.iter().enumerate() {
        bins.entry(bin(*p)).or_default().push(i);
    }
    let cell = |i: usize| {
        let (bx, by) = bin(people[i]);
        // Nobody farther than twice the radius has a border within it.
        let around = (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (bx + dx, by + dy)));
        let mut near: Vec<(f64, usize)> = around
            .filter_map(|key| bins.get(&key))
            .flatten()
            .filter(|&&j| j != i)
            .map(|&j| (people[j].distance_squared(people[i]), j))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        cell_of(people, i, near.into_iter(), walkable, cut_off)
    };
    (0..people.len()).map(cell).collect()
}

/// Distance of the corners of a polygon from its middle that is as large as the circle, not inside of it.
fn corner_radius(cut_off: f64) -> f64 {
    let step = std::f64::consts::TAU / CIRCLE_CORNERS as f64;
    cut_off * (step / step.sin()).sqrt()
}

/// A circle cut by the borders to the others, nearest first.
fn cell_of(
    people: &[DVec2],
    i: usize,
    others: impl Iterator<Item = (f64, usize)>,
    walkable: &Region,
    cut_off: f64,
) -> VoronoiCell {
    let me = people[i];
    let step = std::f64::consts::TAU / CIRCLE_CORNERS as f64;
    let radius = corner_radius(cut_off);
    let mut outline: Vec<DVec2> =
        (0..CIRCLE_CORNERS).map(|k| me + DVec2::from_angle(step * k as f64) * radius).collect();
    for (squared, j) in others {
        let reach = outline.iter().map(|p| p.distance_squared(me)).fold(0.0, f64::max);
        if squared > 4.0 * reach {
            break;
        }
        if squared > 0.0 {
            outline = clip(&outline, me.midpoint(people[j]), people[j] - me);
        }
    }
    let area = walkable.area_in(&outline);
    VoronoiCell { outline, area }
}

/// Density of an area (people per square metre): everybody spread evenly over its cell, and the share
/// of it that lies in the area.
pub fn voronoi_density(cells: &[VoronoiCell], walkable: &Region, area: &Area) -> f64 {
    let corners = area.corners();
    let share = |cell: &VoronoiCell| {
        let common = polygon::cut(&cell.outline, &corners);
        if common.len() < 3 || cell.area <= 0.0 {
            return 0.0;
        }
        walkable.area_in(&common) / cell.area
    };
    cells.iter().map(share).sum::<f64>() / area.size()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn room(size: f64) -> Region {
        Region::of_ring(&Area::new(0.0, 0.0, size, size).corners())
    }

    #[test]
    fn four_people_in_a_square_have_a_quarter_each() {
        let people = [(1.0, 1.0), (3.0, 1.0), (1.0, 3.0), (3.0, 3.0)].map(DVec2::from);
        let region = room(4.0);
        let cells = voronoi_cells(&people, &region, 10.0);
        assert!(cells.iter().all(|c| (c.area - 4.0).abs() < 1e-9), "{cells:?}");
        let density = voronoi_density(&cells, &region, &Area::new(1.0, 1.0, 3.0, 3.0));
        assert!((density - 0.25).abs() < 1e-9);
    }

    #[test]
    fn a_lonely_person_has_its_circle() {
        let cells = voronoi_cells(&[DVec2::splat(5.0)], &room(10.0), 1.0);
        assert!((cells[0].area - std::f64::consts::PI).abs() < 1e-9, "{}", cells[0].area);
    }

    proptest! {
        /// Against the slow way: all others, in the order of their numbers, and points thrown at random
        /// that belong to whoever is nearest.
        #[test]
        fn cells_are_those_of_the_slow_way(
            places in prop::collection::vec((0.0..6.0f64, 0.0..6.0f64), 2..40),
        ) {
            let people: Vec<DVec2> = places.iter().map(|&p| DVec2::from(p)).collect();
            let region = room(6.0);
            for cut_off in [1.0, 20.0] {
                let cells = voronoi_cells(&people, &region, cut_off);
                for (i, cell) in cells.iter().enumerate() {
                    // As if all were near: none is left out for its distance.
                    let others = (0..people.len()).filter(|&j| j != i).map(|j| (1e-12, j));
                    let slow = cell_of(&people, i, others, &region, cut_off);
                    prop_assert!((slow.area - cell.area).abs() < 1e-9, "{} {}", slow.area, cell.area);
                }
                if cut_off > 10.0 {
                    let sum: f64 = cells.iter().map(|c| c.area).sum();
                    prop_assert!((sum - 36.0).abs() < 1e-6, "all the ground is somebody's: {sum}");
                }
            }
        }
    }

    #[test]
    fn ground_belongs_to_the_nearest() {
        let people: Vec<DVec2> = (0..30)
            .map(|i| DVec2::new((i * 37 % 60) as f64 * 0.1, (i * 23 % 59) as f64 * 0.1))
            .collect();
        let region = room(6.0);
        let cells = voronoi_cells(&people, &region, 20.0);
        let mut counts = vec![0.0; people.len()];
        const SIDE: usize = 600;
        for k in 0..SIDE * SIDE {
            let p =
                DVec2::new((k % SIDE) as f64 + 0.5, (k / SIDE) as f64 + 0.5) * 6.0 / SIDE as f64;
            let nearest = (0..people.len())
                .min_by(|&a, &b| {
                    people[a].distance_squared(p).total_cmp(&people[b].distance_squared(p))
                })
                .unwrap_or(0);
            counts[nearest] += 36.0 / (SIDE * SIDE) as f64;
        }
        for (cell, count) in cells.iter().zip(counts) {
            assert!((cell.area - count).abs() < 0.02, "{} against {count}", cell.area);
        }
    }
}
