//! Pulling a path taut.
//!
//! Two moves, in turn, over longer and longer stretches. *Skim*: from a point, go straight to the
//! furthest later point that can be seen. *Pull*: replace a bend by the taut line over its triangle
//! ([`super::corner`]). A move is made only if all its segments keep clear of walls and its cost is not
//! higher than that of the stretch it replaces, so the result is never worse than the input.

use super::Path;
use super::corner::pull;
use super::ground::Ground;
use crate::grid::Grid;
use glam::DVec2;

/// Lengths, in cells, that one segment may grow to in successive passes. Short ones first: bends then
/// lie close to the corners that hold them, and the triangles of later passes are small.
const REACHES: [f64; 4] = [6.0, 24.0, 96.0, f64::INFINITY];

/// The most rounds of skim and pull at the last reach.
const MOST_ROUNDS: usize = 12;

/// Twice the greatest area, in cells, of a triangle to look for corners in; a larger one is cut.
const MOST_AREA: f64 = 20_000.0;

/// Relative gain below which a further round is not worth it.
const ENOUGH: f64 = 1e-6;

/// Rounding allowed when two costs are compared, relative.
const TIE: f64 = 1e-9;

/// The path pulled taut: same ends, same promises, and a cost that is not higher (relative rounding
/// 1e-9). Where the cost is uniform, the result bends only around corners of walls.
///
/// Segments of the given path that go through walls, or within a thousandth of a cell of one, are left
/// as they are; so is the whole path if `cost` is not the grid it was made on. Takes time in proportion
/// to the path's length in cells, times the logarithm of the longest straight stretch.
pub fn tighten(path: &Path, cost: &Grid<f32>) -> Path {
    let Some(ground) = Ground::new(cost) else {
        return path.clone();
    };
    let points: Vec<DVec2> = path.points.iter().map(|&p| ground.to_cells(p)).collect();
    let mut taut: Vec<DVec2> = Vec::with_capacity(points.len());
    let mut rest = &points[..];
    while let Some(&first) = rest.first() {
        let clear = |s: &[DVec2]| ground.is_clear(s[0], s[1], 1.0);
        let run = 1 + rest.windows(2).take_while(|s| clear(s)).count();
        if run > 2 {
            let mut string = String::new(&ground, &rest[..run]);
            string.tighten();
            taut.append(&mut string.points);
        } else {
            taut.push(first);
            taut.extend(&rest[1..run]);
        }
        rest = &rest[run..];
    }
    taut.dedup();
    Path::over(&ground, &taut)
}

/// A line of clear segments that is being pulled.
struct String<'a> {
    ground: &'a Ground<'a>,
    points: Vec<DVec2>,
    /// Cost from the first point to each point.
    upto: Vec<f64>,
    spare: Vec<DVec2>,
    chain: Vec<DVec2>,
}

impl<'a> String<'a> {
    fn new(ground: &'a Ground<'a>, points: &[DVec2]) -> Self {
        Self {
            ground,
            points: points.to_vec(),
            upto: Vec::new(),
            spare: Vec::new(),
            chain: Vec::new(),
        }
    }

    fn tighten(&mut self) {
        for reach in REACHES {
            self.skim(reach);
            self.pull(reach);
        }
        let mut before = f64::INFINITY;
        for _ in 0..MOST_ROUNDS {
            let now = self.skim(f64::INFINITY);
            if now >= before * (1.0 - ENOUGH) {
                break;
            }
            before = now;
            self.pull(f64::INFINITY);
        }
    }

    /// Sums up the cost along the points.
    fn measure(&mut self) {
        self.upto.clear();
        self.upto.push(0.0);
        let mut sum = 0.0;
        for s in self.points.windows(2) {
            sum += self.ground.integral(s[0], s[1]);
            self.upto.push(sum);
        }
    }

    /// Goes straight from each point to the furthest later one that can be seen and is not further
    /// than `reach`. Looks 2, 4, 8... points ahead while that succeeds, then halves. Gives the cost
    /// from end to end before that.
    fn skim(&mut self, reach: f64) -> f64 {
        self.measure();
        self.spare.clear();
        let last = self.points.len() - 1;
        let mut at = 0;
        self.spare.push(self.points[0]);
        while at < last {
            let mut seen = at + 1;
            let mut stride = 2;
            while at + stride <= last && self.sees(at, at + stride, reach) {
                seen = at + stride;
                stride *= 2;
            }
            let mut gap = (seen - at).min(last - seen);
            while gap > 0 {
                if seen + gap <= last && self.sees(at, seen + gap, reach) {
                    seen += gap;
                }
                gap /= 2;
            }
            self.spare.push(self.points[seen]);
            at = seen;
        }
        std::mem::swap(&mut self.points, &mut self.spare);
        self.upto[last]
    }

    /// Whether the way from one point straight to a later one is clear and not dearer.
    fn sees(&self, from: usize, to: usize, reach: f64) -> bool {
        let (a, b) = (self.points[from], self.points[to]);
        a.distance_squared(b) <= reach * reach
            && self.ground.is_clear(a, b, 1.0)
            && self.ground.integral(a, b) <= (self.upto[to] - self.upto[from]) * (1.0 + TIE)
    }

    /// Pulls every bend over its triangle, each leg cut to `reach`.
    fn pull(&mut self, reach: f64) {
        self.spare.clear();
        self.spare.push(self.points[0]);
        let mut chain = std::mem::take(&mut self.chain);
        for i in 1..self.points.len() - 1 {
            let a = self.spare[self.spare.len() - 1];
            let (v, b) = (self.points[i], self.points[i + 1]);
            let (start, end) = self.cut(a, v, b, reach);
            pull(self.ground, start, v, end, &mut chain);
            if chain == [v] {
                self.spare.push(v);
                continue;
            }
            let line = [a, start].into_iter().chain(chain.iter().copied());
            let new = self.clear_cost(line.chain([end, b]));
            let old = self.ground.integral(a, v) + self.ground.integral(v, b);
            if new.is_none_or(|new| new >= old * (1.0 - TIE)) {
                self.spare.push(v);
                continue;
            }
            // `b` is pushed when its own bend is looked at, with the new chain before it.
            let ends = [start, end].map(|p| (p != a && p != b).then_some(p));
            self.spare.extend(ends[0]);
            self.spare.append(&mut chain);
            self.spare.extend(ends[1]);
        }
        self.spare.push(self.points[self.points.len() - 1]);
        self.spare.dedup();
        self.chain = chain;
        std::mem::swap(&mut self.points, &mut self.spare);
    }

    /// The ends of a bend: `a` and `b`, or nearer to `v` if the legs or the triangle are too large.
    fn cut(&self, a: DVec2, v: DVec2, b: DVec2, reach: f64) -> (DVec2, DVec2) {
        let area = (a - v).perp_dot(b - v).abs();
        let shrink = (MOST_AREA / area).sqrt().min(1.0);
        let leg = |end: DVec2| {
            let share = shrink.min(reach / v.distance(end));
            if share < 1.0 { self.ground.snap(v + (end - v) * share) } else { end }
        };
        (leg(a), leg(b))
    }

    /// The cost of the line over these points; `None` if it comes too near a wall.
    fn clear_cost(&self, points: impl IntoIterator<Item = DVec2>) -> Option<f64> {
        let mut points = points.into_iter();
        let mut from = points.next()?;
        let mut cost = 0.0;
        for to in points {
            if !self.ground.is_clear(from, to, 1.0) {
                return None;
            }
            cost += self.ground.integral(from, to);
            from = to;
        }
        Some(cost)
    }
}
