//! Polygons cut by half-planes.

use glam::DVec2;

/// What may be walked on: rings outside and rings cut out. Rings are not closed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Outlines.
    pub outer: Vec<Vec<DVec2>>,
    /// Rings cut out of them.
    pub holes: Vec<Vec<DVec2>>,
}

impl Region {
    /// A region of one ring without holes.
    pub fn of_ring(ring: &[DVec2]) -> Self {
        Self { outer: vec![ring.to_vec()], holes: Vec::new() }
    }

    /// Area of the part of it that lies in a convex polygon. Outlines must not overlap.
    ///
    /// A ring that is cut by half-planes in turn (Sutherland and Hodgman 1974) may fall into pieces
    /// joined by edges that run to and fro; those have no area.
    pub fn area_in(&self, convex: &[DVec2]) -> f64 {
        let part = |ring: &Vec<DVec2>| area_of(&cut(ring, convex)).abs();
        self.outer.iter().map(part).sum::<f64>() - self.holes.iter().map(part).sum::<f64>()
    }

    /// Even-odd test over all rings.
    pub fn contains(&self, p: DVec2) -> bool {
        let rings = self.outer.iter().chain(&self.holes);
        rings.filter(|ring| ring_contains(ring, p)).count() % 2 == 1
    }
}

fn ring_contains(ring: &[DVec2], p: DVec2) -> bool {
    let mut inside = false;
    for (i, a) in ring.iter().enumerate() {
        let b = ring[(i + 1) % ring.len()];
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}

/// Signed area of a ring, positive anticlockwise.
pub(super) fn area_of(ring: &[DVec2]) -> f64 {
    let pairs = ring.iter().enumerate().map(|(i, a)| a.perp_dot(ring[(i + 1) % ring.len()]));
    0.5 * pairs.sum::<f64>()
}

/// An edge shorter than this has no direction to speak of (metres): its neighbours cut as much without it.
const NO_EDGE: f64 = 1e-7;

/// The part of a ring where `(p - at) · normal <= 0`.
pub(super) fn clip(ring: &[DVec2], at: DVec2, normal: DVec2) -> Vec<DVec2> {
    let height = |p: DVec2| (p - at).dot(normal);
    let mut kept = Vec::with_capacity(ring.len() + 1);
    for (i, &a) in ring.iter().enumerate() {
        let b = ring[(i + 1) % ring.len()];
        let (ha, hb) = (height(a), height(b));
        if ha <= 0.0 {
            kept.push(a);
        }
        if (ha < 0.0 && hb > 0.0) || (ha > 0.0 && hb < 0.0) {
            kept.push(a.lerp(b, ha / (ha - hb)));
        }
    }
    kept
}

/// The part of a ring within a convex polygon, whichever way round that goes.
pub(super) fn cut(ring: &[DVec2], convex: &[DVec2]) -> Vec<DVec2> {
    let outwards = if area_of(convex) >= 0.0 { -1.0 } else { 1.0 };
    let mut part = ring.to_vec();
    for (i, &a) in convex.iter().enumerate() {
        let edge = convex[(i + 1) % convex.len()] - a;
        if part.is_empty() {
            break;
        }
        if edge.length_squared() < NO_EDGE * NO_EDGE {
            continue;
        }
        part = clip(&part, a, edge.perp() * outwards);
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Vec<DVec2> {
        let corner = DVec2::new(x, y);
        [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y].map(|c| corner + c * side).to_vec()
    }

    #[test]
    fn a_square_overlaps_a_square_by_a_quarter() {
        let region = Region::of_ring(&square(0.0, 0.0, 2.0));
        assert!((region.area_in(&square(1.0, 1.0, 2.0)) - 1.0).abs() < 1e-12);
        let mut clockwise = square(1.0, 1.0, 2.0);
        clockwise.reverse();
        assert!((region.area_in(&clockwise) - 1.0).abs() < 1e-12);
        assert_eq!(region.area_in(&square(5.0, 5.0, 1.0)), 0.0);
    }

    #[test]
    fn holes_and_notches_are_left_out() {
        // An L of 12 m² and a hole of 1 m² in its foot.
        let ring = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (0.0, 4.0)];
        let mut region = Region::of_ring(&ring.map(|(x, y)| DVec2::new(x, y)));
        region.holes.push(square(3.0, 0.5, 1.0));
        let all = square(-1.0, -1.0, 9.0);
        assert!((region.area_in(&all) - 11.0).abs() < 1e-12);
        assert!(region.contains(DVec2::new(1.0, 3.0)));
        assert!(!region.contains(DVec2::new(3.5, 1.0)) && !region.contains(DVec2::new(3.0, 3.0)));
    }
}
