//! One block: houses along its streets lot by lot, yards behind them, ways into the yards.

use super::super::hash::{Chance, lattice};
use super::super::polygon::{FromEdge, Polygon};
use super::for_cells_around;
use super::plan::Plan;
use crate::BLOCKED;
use glam::DVec2;
use throng_field::Grid;

/// Usual width of a lot along the street, in cells.
const LOT: f64 = 12.0;
/// Depth of the houses: at least and at most, in cells.
const DEPTH: (f64, f64) = (8.0, 12.5);
/// How far rear wings reach into the block, in cells.
const WING: (f64, f64) = (13.0, 18.0);
/// Chance that a lot has a rear wing, and that it is empty.
const WINGS: f64 = 0.22;
const EMPTY: f64 = 0.07;
/// Half the width of the way from the street into the yard, in cells.
const GATE: f64 = 1.6;
/// How deep that way leads into the block, in cells.
const GATEWAY: f64 = 20.0;
/// Strips between the quay and a street that are thinner than this stay free, in cells.
const THINNEST: f64 = 7.0;
/// Numbers of the edges that are not the polygon's own.
const QUAY_EDGE: usize = 1000;
const PLACE_EDGE: usize = 1001;

/// How a block is built up.
struct Style {
    seed: u64,
    /// Space between the street and the houses, in cells.
    front: f64,
    /// Space on each side of a lot, in cells.
    side: f64,
    /// Edge with the gate, and where along it.
    gate: (usize, f64),
}

/// Builds the houses of one block.
pub(super) fn build(map: &mut Grid<f32>, block: &Polygon, plan: &Plan, chance: &mut Chance) {
    let style = Style::choose(block, plan, chance);
    for_cells_around(map, block, |at, cost| {
        if style.is_house(block, plan, at) {
            *cost = BLOCKED;
        }
    });
}

impl Style {
    fn choose(block: &Polygon, plan: &Plan, chance: &mut Chance) -> Self {
        let far = (block.middle() - plan.size / 2.0).length() / (plan.size.length() / 2.0);
        let detached = chance.happens((far - 0.35) * 1.3);
        let gate = gate_edge(block, plan.size);
        let lots = lot_count(block.edge_length(gate));
        let between = (lots / 2.0).floor() / lots;
        Self {
            seed: chance.bits(),
            front: if detached { 1.5 } else { 0.0 },
            side: if detached { 1.2 } else { 0.0 },
            gate: (gate, between * block.edge_length(gate)),
        }
    }

    fn is_house(&self, block: &Polygon, plan: &Plan, at: DVec2) -> bool {
        let Some(own) = block.nearest_edge(at) else {
            return false;
        };
        let from = nearest(own, plan, at);
        let quay = plan.river.as_ref().map_or(f64::INFINITY, |r| r.quay_distance(at));
        let sliver = quay + own.depth < THINNEST;
        if from.depth < self.front || sliver || self.in_gateway(block, at) {
            return false;
        }
        let length = if from.edge < QUAY_EDGE { block.edge_length(from.edge) } else { LOT };
        self.lot_is_built(from, length)
    }

    /// Whether a point lies on the way from the street into the yard.
    fn in_gateway(&self, block: &Polygon, at: DVec2) -> bool {
        let (edge, gate_at) = self.gate;
        let (a, b) = block.edge(edge);
        let forward = (b - a).normalize_or_zero();
        let beside = (forward.dot(at - a) - gate_at).abs();
        beside < GATE && forward.perp_dot(at - a) < GATEWAY
    }

    /// Whether the lot is built up at this depth.
    fn lot_is_built(&self, from: FromEdge, edge_length: f64) -> bool {
        let count = lot_count(edge_length);
        let width = edge_length / count;
        let lot = (from.along / width).floor();
        let inside = from.along - lot * width;
        if inside < self.side || width - inside < self.side {
            return false;
        }
        let draw = |what: i64| lattice(self.seed, from.edge as i64 * 8 + what, lot as i64);
        let corner = lot <= 0.0 || lot >= count - 1.0;
        if draw(0) < EMPTY && !corner && from.edge < QUAY_EDGE {
            return false;
        }
        // Houses at corners are alike, so that the yard has no spikes where their lots meet.
        let depth = DEPTH.0 + (DEPTH.1 - DEPTH.0) * if corner { 0.5 } else { draw(1) };
        let wing = WING.0 + (WING.1 - WING.0) * draw(2);
        let half = if draw(3) < 0.5 { inside < width * 0.5 } else { inside >= width * 0.5 };
        from.depth < depth || (!corner && draw(4) < WINGS && half && from.depth < wing)
    }
}

/// The longest edge whose middle lies on the map, or the first if none does.
fn gate_edge(block: &Polygon, size: DVec2) -> usize {
    let on_map = |e: usize| {
        let (a, b) = block.edge(e);
        let middle = (a + b) / 2.0;
        middle.cmpgt(DVec2::ZERO).all() && middle.cmplt(size).all()
    };
    (0..block.edges()).filter(|&e| on_map(e)).fold(0, |best, e| {
        let longer = block.edge_length(e) > block.edge_length(best);
        if longer || !on_map(best) { e } else { best }
    })
}

/// Number of lots along an edge.
fn lot_count(edge_length: f64) -> f64 {
    (edge_length / LOT).round().max(1.0)
}

/// The nearest front: an edge of the block, the quay or the round place. Negative depth on the
/// quay and the place.
fn nearest(own: FromEdge, plan: &Plan, at: DVec2) -> FromEdge {
    let mut from = own;
    if let Some(river) = &plan.river {
        let depth = river.quay_distance(at);
        if depth < from.depth {
            let along = river.along(at);
            from = FromEdge { edge: QUAY_EDGE, depth, along };
        }
    }
    let depth = at.distance(plan.place.middle) - plan.place.radius;
    if depth < from.depth {
        from = FromEdge { edge: PLACE_EDGE, depth, along: 0.5 * LOT };
    }
    from
}
