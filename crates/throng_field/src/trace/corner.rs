//! Pulling the string over one triangle: the corners of walls that hold it.
//!
//! Let a path go from `a` over `v` to `b`, both legs free. Pulled taut, it becomes the side that faces
//! `v` of the convex hull of `a`, `b` and the corners of blocked cells inside the triangle `a v b`: a
//! wall that reaches into the triangle comes in over the chord `a b`, so what is left between hull and
//! legs is free. Only corners at which one blocked cell meets three open ones can be corners of a hull.
//! Paths do not touch corners but pass a little off them, at the *corner points*.

use super::ground::Ground;
use glam::DVec2;

/// Distance of corner points from the walls they stand for, in margins of the ground.
pub(super) const STAND_OFF: f64 = 2.0;

/// Rounding allowed in the test whether a corner lies in the triangle, in cells.
const SLACK: f64 = 1e-9;

/// The points between `a` and `b` of the taut line, into `chain` (empty if nothing is in the way).
pub(super) fn pull(ground: &Ground<'_>, a: DVec2, v: DVec2, b: DVec2, chain: &mut Vec<DVec2>) {
    chain.clear();
    let side = (b - a).perp_dot(v - a);
    if side == 0.0 {
        return;
    }
    let triangle = Triangle::new(a, v, b);
    let corner = |x: i64, y: i64| {
        let inside = triangle.contains(DVec2::new(x as f64, y as f64));
        corner_point(ground, x, y).filter(|_| inside)
    };
    let nearest = v.round();
    if corner(nearest.x as i64, nearest.y as i64) == Some(v) {
        chain.push(v);
        return;
    }
    let (low, high) = triangle.rows();
    for y in low..=high {
        let Some((from, to)) = triangle.columns(y as f64) else {
            continue;
        };
        // Of a row of corners only the first and the last can be on a hull.
        let first = (from..=to).find_map(|x| Some((x, corner(x, y)?)));
        let Some((x, first)) = first else { continue };
        chain.push(first);
        chain.extend((x + 1..=to).rev().find_map(|x| corner(x, y)));
    }
    hull_towards(a, v, b, chain);
}

/// The point to walk over beside the lattice point (x, y) if that is the corner of exactly one blocked
/// cell: a little off it, on the far side from the wall.
pub(super) fn corner_point(ground: &Ground<'_>, x: i64, y: i64) -> Option<DVec2> {
    let cells = [(-1, -1), (0, -1), (-1, 0), (0, 0)];
    let mut blocked = None;
    for (dx, dy) in cells {
        if ground.closed(x + dx, y + dy) {
            if blocked.is_some() {
                return None;
            }
            blocked = Some((dx, dy));
        }
    }
    let (dx, dy) = blocked?;
    let away = |d: i64| if d == 0 { -1.0 } else { 1.0 };
    let off = DVec2::new(away(dx), away(dy)) * (STAND_OFF * ground.margin());
    Some(ground.snap(DVec2::new(x as f64, y as f64) + off))
}

/// Leaves in `points` those on the side facing `v` of the convex hull with `a` and `b`, from `a` to
/// `b`. All points must lie in the triangle, or hardly outside.
fn hull_towards(a: DVec2, v: DVec2, b: DVec2, points: &mut Vec<DVec2>) {
    let area = (b - a).perp_dot(v - a);
    let sign = area.signum();
    // Height above the chord, and place along it in a triangle sheared to have `v` above the middle:
    // there all points lie between `a` and `b`, and shearing keeps hulls.
    let height = |p: DVec2| (b - a).perp_dot(p - a) / area;
    let place = |p: DVec2| (p - a).perp_dot(v - a) / area + 0.5 * height(p);
    points.retain(|&p| height(p) > 0.0 && p != a && p != b);
    points.sort_unstable_by(|&p, &q| {
        let by_place = place(p).total_cmp(&place(q));
        by_place.then_with(|| height(p).total_cmp(&height(q)))
    });
    // Andrew's monotone chain, in place: `kept` points at the front are the chain so far.
    let mut kept = 0;
    for i in 0..=points.len() {
        let next = points.get(i).copied().unwrap_or(b);
        while kept > 0 {
            let before = if kept > 1 { points[kept - 2] } else { a };
            let bend = (points[kept - 1] - before).perp_dot(next - before);
            if sign * bend < 0.0 {
                break;
            }
            kept -= 1;
        }
        if i < points.len() {
            points[kept] = next;
            kept += 1;
        }
    }
    points.truncate(kept);
}

/// A triangle, and which lattice points may lie in it.
struct Triangle {
    corners: [DVec2; 3],
    /// Twice the signed area.
    area: f64,
}

impl Triangle {
    fn new(a: DVec2, b: DVec2, c: DVec2) -> Self {
        Self { corners: [a, b, c], area: (b - a).perp_dot(c - a) }
    }

    /// Rows of lattice points that the triangle meets.
    fn rows(&self) -> (i64, i64) {
        let [a, b, c] = self.corners.map(|p| p.y);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        (low.ceil() as i64, high.floor() as i64)
    }

    /// Columns between which row `y` of lattice points lies in the triangle.
    fn columns(&self, y: f64) -> Option<(i64, i64)> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..3 {
            let (p, q) = (self.corners[i], self.corners[(i + 1) % 3]);
            let (p, q) = if p.y <= q.y { (p, q) } else { (q, p) };
            if p.y < q.y && p.y <= y && y <= q.y {
                let x = p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y));
                low = low.min(x);
                high = high.max(x);
            }
        }
        (low <= high).then(|| ((low - SLACK).ceil() as i64, (high + SLACK).floor() as i64))
    }

    /// Whether a point lies in the triangle or on its rim.
    fn contains(&self, p: DVec2) -> bool {
        (0..3).all(|i| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 3]);
            let edge = b - a;
            self.area.signum() * edge.perp_dot(p - a) >= -SLACK * edge.length()
        })
    }
}
