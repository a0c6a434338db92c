//! The outline of everything solid: walls, what lies outside the walkable areas, blocked cells of
//! the ground and the edge of the world, cut so that no part of it runs inside of something solid or
//! through open ground.

use super::{Polygon, Rect};
use glam::{DVec2, Vec2};
use throng_field::{Cell, Grid};

/// Everything solid.
pub(crate) struct Solids<'a> {
    pub(crate) walls: Vec<&'a Polygon>,
    pub(crate) walkable: Vec<&'a Polygon>,
    /// Whether walking is bound to areas at all (none of them may be near).
    pub(crate) bound: bool,
    pub(crate) ground: &'a Grid<f32>,
    pub(crate) open_edge: bool,
}

/// A part of a straight edge: from `t0` to `t1` of the way from `a` by `d`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) a: DVec2,
    pub(crate) d: DVec2,
    /// 1 / |d|².
    inverse: f64,
    t0: f64,
    t1: f64,
}

impl Part {
    /// Square of the distance from `p`.
    #[inline]
    pub(crate) fn distance_squared(&self, p: DVec2) -> f64 {
        let r = p - self.a;
        let t = (r.dot(self.d) * self.inverse).clamp(self.t0, self.t1);
        (r - self.d * t).length_squared()
    }

    /// Its ends.
    pub(crate) fn ends(&self) -> (DVec2, DVec2) {
        (self.a + self.d * self.t0, self.a + self.d * self.t1)
    }

    /// The rectangle around it.
    pub(crate) fn bounds(&self) -> (DVec2, DVec2) {
        let (p, q) = self.ends();
        (p.min(q), p.max(q))
    }

    /// The same in pieces of at most this length: the boxes around slanting ones stay small.
    fn split(self, length: f64) -> impl Iterator<Item = Self> {
        let share = self.t1 - self.t0;
        let n = (self.d.length() * share / length).ceil().clamp(1.0, 1e6) as usize;
        let at = move |i: usize| {
            if i == n { self.t1 } else { self.t0 + share * i as f64 / n as f64 }
        };
        (0..n).map(move |i| Self { t0: at(i), t1: at(i + 1), ..self })
    }
}

/// Longest part, in metres.
const LONGEST: f64 = 32.0;

struct Edge {
    a: DVec2,
    b: DVec2,
    owner: Owner,
}

/// What an edge belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A wall or a walkable area, by its index.
    Polygon(usize),
    /// Blocked cells of the ground.
    Ground,
    /// The edge of the world.
    World,
}

impl Solids<'_> {
    fn polygons(&self) -> impl Iterator<Item = &Polygon> {
        self.walls.iter().chain(&self.walkable).copied()
    }

    /// Whether a point beside an edge is in something solid. Edges are cut where they meet polygons,
    /// not where they meet blocked cells or the edge of the world, so those count only for edges of
    /// their own. What is kept of others behind them is farther from everybody than they are.
    fn contains(&self, p: DVec2, of: Owner, near: &[usize], boxes: &[Rect]) -> bool {
        let point = p.as_vec2();
        let solid = match of {
            Owner::Polygon(_) => false,
            Owner::Ground => {
                self.ground.cell_of(point).is_some_and(|cell| self.ground[cell].is_infinite())
            }
            Owner::World => {
                let low = self.ground.origin();
                !Rect { min: low, max: low + self.ground.extent() }.contains(point)
            }
        };
        if solid {
            return true;
        }
        let mut walkable = !self.bound;
        for &i in near {
            if !boxes[i].contains(point) {
                continue;
            }
            if i < self.walls.len() {
                if inside(self.walls[i], p) {
                    return true;
                }
            } else if !walkable && inside(self.walkable[i - self.walls.len()], p) {
                walkable = true;
            }
        }
        !walkable
    }

    /// The outline within a rectangle (or everywhere).
    pub(crate) fn outline(&self, within: Option<Rect>) -> Vec<Part> {
        let boxes: Vec<Rect> = self.polygons().map(|p| p.bounds().grown(0.01)).collect();
        let buckets = Buckets::new(&boxes, self.ground);
        let mut parts = Vec::new();
        let mut near = Vec::new();
        for edge in self.edges(within) {
            let around =
                Rect { min: edge.a.min(edge.b).as_vec2(), max: edge.a.max(edge.b).as_vec2() };
            buckets.near(&around.grown(0.01), &boxes, &mut near);
            self.cut(&edge, &near, &boxes, &mut parts);
        }
        parts
    }

    /// Cuts an edge where it crosses others, and keeps what has solid on one side only.
    fn cut(&self, edge: &Edge, near: &[usize], boxes: &[Rect], parts: &mut Vec<Part>) {
        let d = edge.b - edge.a;
        let length = d.length();
        if length < 1e-9 {
            return;
        }
        let part = |t0, t1| Part { a: edge.a, d, inverse: 1.0 / d.length_squared(), t0, t1 };
        let own = |i: &usize| Owner::Polygon(*i) == edge.owner;
        let alone = near.iter().all(own);
        if alone && (matches!(edge.owner, Owner::Polygon(_)) || !self.bound) {
            return parts.extend(part(0.0, 1.0).split(LONGEST));
        }
        let size = edge.a.abs().max_element().max(edge.b.abs().max_element());
        let side = d.perp() / length * 1e-3_f64.max(size * 1e-6);
        let mut cuts = vec![0.0, 1.0];
        for &i in near.iter().filter(|i| !own(i)) {
            let polygon = if i < self.walls.len() {
                self.walls[i]
            } else {
                self.walkable[i - self.walls.len()]
            };
            // Also where something begins or ends right beside it: that is where it is looked at below.
            for ((p, q), beside) in
                polygon.edges().flat_map(|e| [DVec2::ZERO, side, -side].map(|b| (e, b)))
            {
                crossings(edge.a + beside, d, p.as_dvec2(), q.as_dvec2(), &mut cuts);
            }
        }
        cuts.sort_by(f64::total_cmp);
        let mut open: Option<f64> = None;
        for pair in cuts.windows(2) {
            if pair[1] - pair[0] < 1e-9 {
                continue;
            }
            let middle = edge.a + d * (0.5 * (pair[0] + pair[1]));
            let kept = self.contains(middle + side, edge.owner, near, boxes)
                != self.contains(middle - side, edge.owner, near, boxes);
            match (kept, open) {
                (true, None) => open = Some(pair[0]),
                (false, Some(from)) => {
                    parts.extend(part(from, pair[0]).split(LONGEST));
                    open = None;
                }
                _ => {}
            }
        }
        if let Some(from) = open {
            parts.extend(part(from, 1.0).split(LONGEST));
        }
    }

    fn edges(&self, within: Option<Rect>) -> Vec<Edge> {
        let touches = |a: Vec2, b: Vec2| match &within {
            None => true,
            Some(r) => a.min(b).cmple(r.max).all() && a.max(b).cmpge(r.min).all(),
        };
        let mut edges = Vec::new();
        for (i, polygon) in self.polygons().enumerate() {
            let own = polygon.edges().filter(|(a, b)| touches(*a, *b));
            edges.extend(own.map(|(a, b)| Edge {
                a: a.as_dvec2(),
                b: b.as_dvec2(),
                owner: Owner::Polygon(i),
            }));
        }
        let mut loose = |a: Vec2, b: Vec2, owner: Owner| {
            if touches(a, b) {
                edges.push(Edge { a: a.as_dvec2(), b: b.as_dvec2(), owner });
            }
        };
        cell_edges(self.ground, &mut |a, b| loose(a, b, Owner::Ground));
        if !self.open_edge {
            let low = self.ground.origin();
            let high = low + self.ground.extent();
            let (right, left) = (Vec2::new(high.x, low.y), Vec2::new(low.x, high.y));
            for (a, b) in [(low, right), (right, high), (high, left), (left, low)] {
                loose(a, b, Owner::World);
            }
        }
        edges
    }
}

/// Even-odd test in double precision.
fn inside(polygon: &Polygon, p: DVec2) -> bool {
    let mut inside = false;
    for (a, b) in polygon.edges() {
        let (a, b) = (a.as_dvec2(), b.as_dvec2());
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}

/// Where the edge from `a` by `d` meets the segment `p`–`q`, as shares of `d`.
fn crossings(a: DVec2, d: DVec2, p: DVec2, q: DVec2, cuts: &mut Vec<f64>) {
    let e = q - p;
    let denominator = d.perp_dot(e);
    let square = d.length_squared();
    if denominator.abs() > 1e-12 * (square * e.length_squared()).sqrt() {
        let t = (p - a).perp_dot(e) / denominator;
        let u = (p - a).perp_dot(d) / denominator;
        if t > 0.0 && t < 1.0 && (-1e-9..=1.0 + 1e-9).contains(&u) {
            cuts.push(t);
        }
    }
    // Ends of segments that lie on the edge or run along it.
    for end in [p, q] {
        let t = (end - a).dot(d) / square;
        if t > 0.0 && t < 1.0 && (a + d * t).distance_squared(end) < 1e-8 {
            cuts.push(t);
        }
    }
}

/// Edges between blocked and free cells of the ground, joined to long ones.
fn cell_edges(ground: &Grid<f32>, edge: &mut impl FnMut(Vec2, Vec2)) {
    let (w, h) = (ground.width(), ground.height());
    let blocked = |x: usize, y: usize| ground.as_slice()[y * w + x].is_infinite();
    if !ground.as_slice().iter().any(|c| c.is_infinite()) {
        return;
    }
    let corner = |x: usize, y: usize| {
        let cell = Cell::new(x as u32, y as u32);
        ground.centre(cell) - 0.5 * ground.cell_size()
    };
    let mut runs = |length: usize, differs: &dyn Fn(usize) -> bool, at: &dyn Fn(usize) -> Vec2| {
        let mut start = None;
        for i in 0..=length {
            match (i < length && differs(i), start) {
                (true, None) => start = Some(i),
                (false, Some(from)) => {
                    edge(at(from), at(i));
                    start = None;
                }
                _ => {}
            }
        }
    };
    for y in 1..h {
        runs(w, &|x| blocked(x, y - 1) != blocked(x, y), &|x| corner(x, y));
    }
    for x in 1..w {
        runs(h, &|y| blocked(x - 1, y) != blocked(x, y), &|y| corner(x, y));
    }
}

/// Rectangles by the coarse cell they touch.
struct Buckets {
    low: Vec2,
    side: f32,
    across: usize,
    cells: Vec<Vec<u32>>,
}

impl Buckets {
    fn new(boxes: &[Rect], ground: &Grid<f32>) -> Self {
        let across = ((boxes.len() as f32).sqrt().ceil() as usize).clamp(1, 256);
        let extent = ground.extent();
        let side = (extent.max_element() / across as f32).max(1e-3);
        let mut buckets =
            Self { low: ground.origin(), side, across, cells: vec![Vec::new(); across * across] };
        for (i, rect) in boxes.iter().enumerate() {
            let (x, y) = buckets.span(rect);
            for row in y.0..=y.1 {
                for column in x.0..=x.1 {
                    buckets.cells[row * across + column].push(i as u32);
                }
            }
        }
        buckets
    }

    /// Columns and rows that a rectangle touches; what lies outside belongs to the rim.
    fn span(&self, rect: &Rect) -> ((usize, usize), (usize, usize)) {
        let last = (self.across - 1) as f32;
        let low = ((rect.min - self.low) / self.side).floor().clamp(Vec2::ZERO, Vec2::splat(last));
        let high = ((rect.max - self.low) / self.side).floor().clamp(Vec2::ZERO, Vec2::splat(last));
        ((low.x as usize, high.x as usize), (low.y as usize, high.y as usize))
    }

    /// Those whose rectangle meets another.
    fn near(&self, rect: &Rect, boxes: &[Rect], out: &mut Vec<usize>) {
        out.clear();
        let (x, y) = self.span(rect);
        for row in y.0..=y.1 {
            for column in x.0..=x.1 {
                out.extend(self.cells[row * self.across + column].iter().map(|i| *i as usize));
            }
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|&i| boxes[i].min.cmple(rect.max).all() && boxes[i].max.cmpge(rect.min).all());
    }
}
