//! The park: trees between paths, and a pond.

use super::super::hash::{Chance, lattice, noise};
use super::super::polygon::Polygon;
use super::for_cells_around;
use crate::BLOCKED;
use glam::DVec2;
use throng_field::Grid;

/// Cells from tree to tree.
const TREE_SPACING: f64 = 5.2;
/// Radius of a tree, at least and at most, in cells.
const TREE: (f64, f64) = (0.9, 1.6);
/// Free width on each side of the middle of a path, in cells.
const PATH: f64 = 3.0;
/// Distance of the path round the park from its edge, in cells.
const RING: f64 = 11.0;
/// Radius of the pond, in cells.
const POND: f64 = 15.0;

/// Plants trees and digs the pond in the park.
pub(super) fn plant(map: &mut Grid<f32>, park: &Polygon, chance: &mut Chance) {
    let seed = chance.bits();
    let middle = park.middle();
    let towards = park.0[chance.below(park.0.len())];
    let pond = middle + (towards - middle) * 0.22;
    for_cells_around(map, park, |at, cost| {
        let Some(from) = park.nearest_edge(at) else {
            return;
        };
        let shore = at.distance(pond) - pond_radius(seed, at);
        let tree = shore > PATH && from.depth > 1.5 && on_tree(park, seed, at);
        if shore < 0.0 || tree {
            *cost = BLOCKED;
        }
    });
}

fn pond_radius(seed: u64, at: DVec2) -> f64 {
    POND * (0.3 + 1.4 * noise(seed, at.x / 17.0, at.y / 17.0))
}

/// Whether a tree of the jittered lattice around stands here.
fn on_tree(park: &Polygon, seed: u64, at: DVec2) -> bool {
    let base = (at / TREE_SPACING).floor();
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    around.into_iter().any(|(dx, dy)| {
        let (x, y) = (base.x as i64 + dx, base.y as i64 + dy);
        let draw = |what: u64| lattice(seed ^ (what + 7), x, y);
        let jitter = DVec2::new(draw(0), draw(1)) * 0.3 + 0.35;
        let tree = (DVec2::new(x as f64, y as f64) + jitter) * TREE_SPACING;
        let radius = TREE.0 + (TREE.1 - TREE.0) * draw(2);
        at.distance(tree) < radius && draw(3) < 0.93 && off_paths(park, tree)
    })
}

/// Whether a point is clear of the paths: one ring, and one from each corner to the middle.
fn off_paths(park: &Polygon, at: DVec2) -> bool {
    let Some(from) = park.nearest_edge(at) else {
        return false;
    };
    let middle = park.middle();
    let clear_of_spokes = park.0.iter().all(|&corner| {
        let spoke = (corner - middle).normalize_or_zero();
        let ahead = spoke.dot(at - middle) >= 0.0;
        !ahead || spoke.perp_dot(at - middle).abs() > PATH
    });
    (from.depth - RING).abs() > PATH && clear_of_spokes
}
