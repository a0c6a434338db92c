//! Segment tests, integrals and corners against slow and obvious references.

use super::corner::{corner_point, pull};
use super::ground::Ground;
use super::segment::{crosses, integral, is_clear};
use crate::grid::Grid;
use glam::DVec2;
use proptest::prelude::*;

/// Cells of a side of the random maps.
const SIDE: i64 = 8;

/// Parts of a cell in which random points lie.
const PARTS: i64 = 8;

/// A random map in which this share of the cells is wall.
fn walls(share: f64) -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(prop::bool::weighted(share), (SIDE * SIDE) as usize)
}

/// A point in parts of a cell.
fn lattice() -> impl Strategy<Value = (i64, i64)> {
    (0..=SIDE * PARTS, 0..=SIDE * PARTS)
}

fn closed(walls: &[bool], x: i64, y: i64) -> bool {
    let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    !inside || walls[(y * SIDE + x) as usize]
}

fn point((x, y): (i64, i64)) -> DVec2 {
    DVec2::new(x as f64, y as f64) / PARTS as f64
}

/// Fraction `n / d` with `d > 0`.
#[derive(Clone, Copy)]
struct Fraction(i64, i64);

impl Fraction {
    fn new(n: i64, d: i64) -> Self {
        Self(n * d.signum(), d.abs())
    }

    fn below(self, other: Self) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
}

/// Where on the segment, as an open interval of fractions, `low < from + t delta < high`.
fn strictly_between(from: i64, delta: i64, low: i64, high: i64) -> Option<(Fraction, Fraction)> {
    if delta == 0 {
        let all = (Fraction(-1, 1), Fraction(2, 1));
        return (low < from && from < high).then_some(all);
    }
    let (a, b) = (Fraction::new(low - from, delta), Fraction::new(high - from, delta));
    Some(if a.below(b) { (a, b) } else { (b, a) })
}

/// Whether the segment meets the inside of the rectangle, in whole numbers.
fn meets_inside(a: (i64, i64), b: (i64, i64), x: (i64, i64), y: (i64, i64)) -> bool {
    let across = strictly_between(a.0, b.0 - a.0, x.0, x.1);
    let down = strictly_between(a.1, b.1 - a.1, y.0, y.1);
    let (Some(across), Some(down)) = (across, down) else {
        return false;
    };
    let low = if across.0.below(down.0) { down.0 } else { across.0 };
    let high = if across.1.below(down.1) { across.1 } else { down.1 };
    low.below(high) && low.below(Fraction(1, 1)) && Fraction(0, 1).below(high)
}

/// Whether lattice point `k` (in cells) lies on the segment, not at its ends.
fn passes(a: (i64, i64), b: (i64, i64), k: (i64, i64)) -> bool {
    let k = (k.0 * PARTS, k.1 * PARTS);
    let (ab, ak) = ((b.0 - a.0, b.1 - a.1), (k.0 - a.0, k.1 - a.1));
    let along = ab.0 * ak.0 + ab.1 * ak.1;
    ab.0 * ak.1 == ab.1 * ak.0 && along > 0 && along < ab.0 * ab.0 + ab.1 * ab.1
}

/// The definition of [`crosses`], cell by cell, in whole numbers.
fn crosses_exactly(walls: &[bool], a: (i64, i64), b: (i64, i64)) -> bool {
    let d = (b.0 - a.0, b.1 - a.1);
    let range = || (-1..=SIDE).flat_map(|y| (-1..=SIDE).map(move |x| (x, y)));
    let span = |i: i64| (i * PARTS, (i + 1) * PARTS);
    range().any(|(x, y)| {
        let here = closed(walls, x, y);
        let inside = here && meets_inside(a, b, span(x), span(y));
        // Along the border to the left or above: the border counts as a thin rectangle.
        let left = here && closed(walls, x - 1, y) && d.0 == 0 && a.0 == x * PARTS;
        let left = left && meets_inside(a, b, (a.0 - 1, a.0 + 1), span(y));
        let above = here && closed(walls, x, y - 1) && d.1 == 0 && a.1 == y * PARTS;
        let above = above && meets_inside(a, b, span(x), (a.1 - 1, a.1 + 1));
        let falling = d.0.signum() * d.1.signum();
        let beside = match falling {
            1 => closed(walls, x, y - 1) && closed(walls, x - 1, y),
            -1 => closed(walls, x - 1, y - 1) && here,
            _ => false,
        };
        inside || left || above || (beside && passes(a, b, (x, y)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// A crossing that is missed lets agents and paths walk through walls. (The reverse, a touched
    /// corner taken for a crossing by rounding, only costs a detour, and only happens at a corner.)
    #[test]
    fn crossings_are_found_as_in_whole_numbers(map in walls(0.33), a in lattice(), b in lattice()) {
        let found = crosses(point(a), point(b), |x, y| closed(&map, x, y));
        let exact = crosses_exactly(&map, a, b);
        if exact && a != b {
            prop_assert!(found, "missed");
        }
        if found && !exact {
            let corner = (0..=SIDE).any(|y| (0..=SIDE).any(|x| passes(a, b, (x, y))));
            prop_assert!(corner, "invented");
        }
        let back = crosses(point(b), point(a), |x, y| closed(&map, x, y));
        prop_assert_eq!(found, back, "the way back is another");
    }

    /// Clearance against dense samples: a miss would let paths scrape walls, where rounding decides
    /// on which side they are.
    #[test]
    fn clearance_agrees_with_dense_samples(
        map in walls(0.33), a in lattice(), b in lattice(), margin in 0.001f64..0.4,
    ) {
        let (a, b) = (point(a), point(b));
        let clear = is_clear(a, b, margin, |x, y| closed(&map, x, y));
        let steps = 400;
        let nearest = (0..=steps)
            .map(|i| distance_to_walls(&map, a.lerp(b, f64::from(i) / f64::from(steps))))
            .fold(f64::INFINITY, f64::min);
        let between = a.distance(b) / f64::from(steps);
        if nearest < margin - 1e-9 {
            prop_assert!(!clear, "wall at {nearest} missed");
        }
        if nearest > margin + between {
            prop_assert!(clear, "no wall nearer than {nearest}");
        }
    }

    /// A wrong integral would make shortcuts over dear ground look cheap.
    #[test]
    fn the_integral_agrees_with_dense_samples(
        costs in prop::collection::vec(0.1f64..10.0, 64), a in lattice(), b in lattice(),
    ) {
        // Off the lattice, where a sample on a border could be of either side.
        let off = DVec2::new(0.0123, 0.0071);
        let (a, b) = (point(a) * 0.98 + off, point(b) * 0.98 + off * 1.3);
        let cost = |x: i64, y: i64| costs[(y.clamp(0, 7) * 8 + x.clamp(0, 7)) as usize];
        let steps = 4000;
        let sample = |i: i32| {
            let p = a.lerp(b, (f64::from(i) + 0.5) / f64::from(steps));
            cost(p.x.floor() as i64, p.y.floor() as i64)
        };
        let mean = (0..steps).map(sample).sum::<f64>() / f64::from(steps);
        let found = integral(a, b, cost);
        let bound = 18.0 * 10.0 / f64::from(steps) * a.distance(b) + 1e-9;
        prop_assert!((found - mean * a.distance(b)).abs() < bound);
    }

    /// The pulled line must bend the way a string does: clear of walls, no longer than the legs, and
    /// every one of its points a corner.
    #[test]
    fn a_pulled_bend_is_clear_shorter_and_convex(
        map in walls(0.06), a in lattice(), v in lattice(), b in lattice(),
    ) {
        let cost: Vec<f32> = map.iter().map(|&w| if w { f32::INFINITY } else { 1.0 }).collect();
        let cost = Grid::from_vec(SIDE as usize, SIDE as usize, cost).unwrap();
        let ground = Ground::new(&cost).unwrap();
        let (a, v, b) = (point(a), point(v), point(b));
        let legs_clear = ground.is_clear(a, v, 4.0) && ground.is_clear(v, b, 4.0);
        if !legs_clear || (b - a).perp_dot(v - a) == 0.0 {
            return Ok(());
        }
        let mut chain = vec![];
        pull(&ground, a, v, b, &mut chain);
        let line: Vec<DVec2> = [a].into_iter().chain(chain.iter().copied()).chain([b]).collect();
        let length: f64 = line.windows(2).map(|s| s[0].distance(s[1])).sum();
        prop_assert!(length <= a.distance(v) + v.distance(b) + 1e-9);
        let side = (b - a).perp_dot(v - a).signum();
        for s in line.windows(2) {
            prop_assert!(ground.is_clear(s[0], s[1], 1.0), "{:?} comes near a wall", s);
        }
        for s in line.windows(3) {
            prop_assert!(side * (s[1] - s[0]).perp_dot(s[2] - s[1]) < 0.0, "bends the wrong way");
            let k = s[1].round();
            prop_assert_eq!(corner_point(&ground, k.x as i64, k.y as i64), Some(s[1]));
        }
    }
}

/// Chebyshev distance from a point to the nearest closed cell.
fn distance_to_walls(map: &[bool], p: DVec2) -> f64 {
    let cells = (-1..=SIDE).flat_map(|y| (-1..=SIDE).map(move |x| (x, y)));
    let walls = cells.filter(|&(x, y)| closed(map, x, y));
    let distance = |(x, y): (i64, i64)| {
        let low = DVec2::new(x as f64, y as f64);
        (low - p).max(p - (low + 1.0)).max_element().max(0.0)
    };
    walls.map(distance).fold(f64::INFINITY, f64::min)
}

/// Positions that `f32` cannot tell apart must be refused, not walked on.
#[test]
fn a_ground_too_far_out_is_refused() {
    let near = Grid::filled(4, 4, 1.0).unwrap().placed(0.5, glam::Vec2::new(-900.0, 300.0));
    assert!(Ground::new(&near.unwrap()).is_some());
    let far = Grid::filled(4, 4, 1.0).unwrap().placed(0.01, glam::Vec2::new(1e6, 0.0));
    assert!(Ground::new(&far.unwrap()).is_none());
}
