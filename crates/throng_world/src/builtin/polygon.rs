//! Convex polygons: cutting by a line, area, and distances inward from each edge.

use glam::DVec2;

/// A convex polygon, corners in order with the inside on the left of every edge (that is: positive
/// area by the shoelace formula).
#[derive(Clone, Debug)]
pub(crate) struct Polygon(pub(crate) Vec<DVec2>);

/// Where a point lies as seen from the nearest edge of a polygon around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromEdge {
    /// Number of the edge.
    pub(crate) edge: usize,
    /// Distance from the edge, inward.
    pub(crate) depth: f64,
    /// Distance along the edge from its first corner.
    pub(crate) along: f64,
}

impl Polygon {
    /// A rectangle from one corner to the other.
    pub(crate) fn rectangle(low: DVec2, high: DVec2) -> Self {
        let corner = DVec2::new;
        Self(vec![low, corner(high.x, low.y), high, corner(low.x, high.y)])
    }

    /// Number of edges.
    pub(crate) fn edges(&self) -> usize {
        self.0.len()
    }

    /// First and last point of an edge.
    pub(crate) fn edge(&self, number: usize) -> (DVec2, DVec2) {
        (self.0[number], self.0[(number + 1) % self.0.len()])
    }

    /// Length of an edge.
    pub(crate) fn edge_length(&self, number: usize) -> f64 {
        let (a, b) = self.edge(number);
        a.distance(b)
    }

    /// The number of the longest edge.
    pub(crate) fn longest_edge(&self) -> usize {
        (0..self.edges())
            .fold(0, |best, e| if self.edge_length(e) > self.edge_length(best) { e } else { best })
    }

    /// Area, by the shoelace formula.
    pub(crate) fn area(&self) -> f64 {
        let terms = (0..self.edges()).map(|e| {
            let (a, b) = self.edge(e);
            a.perp_dot(b)
        });
        0.5 * terms.sum::<f64>()
    }

    /// Mean of the corners.
    pub(crate) fn middle(&self) -> DVec2 {
        self.0.iter().sum::<DVec2>() / self.0.len() as f64
    }

    /// The part where `(p - on) · normal >= 0`; `None` if nothing of it is left.
    pub(crate) fn clip(&self, on: DVec2, normal: DVec2) -> Option<Self> {
        let side = |p: DVec2| (p - on).dot(normal);
        let mut kept = Vec::with_capacity(self.0.len() + 1);
        for e in 0..self.edges() {
            let (a, b) = self.edge(e);
            let (sa, sb) = (side(a), side(b));
            if sa >= 0.0 {
                kept.push(a);
            }
            if (sa >= 0.0) != (sb >= 0.0) {
                kept.push(a + (b - a) * (sa / (sa - sb)));
            }
        }
        let part = Self(kept);
        (part.edges() >= 3 && part.area() > 1.0).then_some(part)
    }

    /// The nearest edge as seen from a point; `None` if the point is outside.
    pub(crate) fn nearest_edge(&self, p: DVec2) -> Option<FromEdge> {
        let mut nearest: Option<FromEdge> = None;
        for edge in 0..self.edges() {
            let (a, b) = self.edge(edge);
            let forward = (b - a).normalize_or_zero();
            let depth = forward.perp_dot(p - a);
            if depth < 0.0 {
                return None;
            }
            if nearest.is_none_or(|n| depth < n.depth) {
                let along = forward.dot(p - a);
                nearest = Some(FromEdge { edge, depth, along });
            }
        }
        nearest
    }

    /// Lowest and highest coordinates.
    pub(crate) fn bounds(&self) -> (DVec2, DVec2) {
        let first = self.0[0];
        let grow = |(low, high): (DVec2, DVec2), &p: &DVec2| (low.min(p), high.max(p));
        self.0.iter().fold((first, first), grow)
    }
}
