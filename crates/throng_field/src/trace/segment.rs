//! Straight segments over cells: which cells they cross, whether that is allowed, what it costs.
//!
//! Coordinates are cell units: cell `(x, y)` is the square `[x, x + 1] x [y, y + 1]`. A segment is
//! walked along its longer axis, one column (or row) of cells at a time; inside a column its other
//! coordinate takes exactly one interval, so the tests below are exact up to the rounding of `f64`.

use glam::DVec2;

/// Whether the segment goes through a closed cell: through its inside, along the border between two
/// closed cells, or through the corner where two closed cells meet diagonally. Touching a single
/// closed cell's side or corner is allowed; what its end points touch is not looked at.
pub(crate) fn crosses(a: DVec2, b: DVec2, closed: impl Fn(i64, i64) -> bool) -> bool {
    let d = b - a;
    if d.x.abs() >= d.y.abs() {
        crosses_along(a, b, closed)
    } else {
        let turned = |x, y| closed(y, x);
        crosses_along(DVec2::new(a.y, a.x), DVec2::new(b.y, b.x), turned)
    }
}

/// [`crosses`] for a segment that is at least as long in x as in y.
fn crosses_along(a: DVec2, b: DVec2, closed: impl Fn(i64, i64) -> bool) -> bool {
    let (a, b) = if a.x <= b.x { (a, b) } else { (b, a) };
    if a.x == b.x {
        return false;
    }
    let slope = (b.y - a.y) / (b.x - a.x);
    let y_at = |x: f64| {
        if x == b.x { b.y } else { a.y + (x - a.x) * slope }
    };
    let (first, end) = (floor(a.x), ceil(b.x));
    for i in first..end {
        let (x0, x1) = ((i as f64).max(a.x), ((i + 1) as f64).min(b.x));
        let (y0, y1) = (y_at(x0), y_at(x1));
        let (low, high) = (y0.min(y1), y0.max(y1));
        let (from, to) = (floor(low), ceil(high));
        if (from..to).any(|j| closed(i, j)) {
            return true;
        }
        if from == to && closed(i, from - 1) && closed(i, from) {
            return true; // Along a border.
        }
        let corner = x0 > a.x && slope != 0.0 && y0 == floor(y0) as f64;
        if corner {
            let j = y0 as i64;
            let (left, right) = if slope > 0.0 { (j, j - 1) } else { (j - 1, j) };
            if closed(i - 1, left) && closed(i, right) {
                return true;
            }
        }
    }
    false
}

/// Whether a point lies inside closed cells, on the border between two, or on the corner where two
/// meet diagonally with open cells on both sides. Touching closed cells from one side is allowed.
pub(crate) fn is_inside(p: DVec2, closed: impl Fn(i64, i64) -> bool) -> bool {
    let (x, y) = (floor(p.x), floor(p.y));
    match (p.x == x as f64, p.y == y as f64) {
        (false, false) => closed(x, y),
        (true, false) => closed(x - 1, y) && closed(x, y),
        (false, true) => closed(x, y - 1) && closed(x, y),
        (true, true) => {
            let falling = (closed(x - 1, y - 1), closed(x, y));
            let rising = (closed(x, y - 1), closed(x - 1, y));
            let all = |pair| pair == (true, true);
            let none = |pair| pair == (false, false);
            all(falling) && (all(rising) || none(rising)) || all(rising) && none(falling)
        }
    }
}

/// Whether the segment keeps further than `margin` (per axis, in cells) from every closed cell: it
/// does not meet any closed cell's square grown by `margin` on all sides.
pub(crate) fn is_clear(a: DVec2, b: DVec2, margin: f64, closed: impl Fn(i64, i64) -> bool) -> bool {
    let d = b - a;
    if d.x.abs() >= d.y.abs() {
        is_clear_along(a, b, margin, closed)
    } else {
        let turned = |x, y| closed(y, x);
        is_clear_along(DVec2::new(a.y, a.x), DVec2::new(b.y, b.x), margin, turned)
    }
}

/// [`is_clear`] for a segment that is at least as long in x as in y.
fn is_clear_along(a: DVec2, b: DVec2, margin: f64, closed: impl Fn(i64, i64) -> bool) -> bool {
    let (a, b) = if a.x <= b.x { (a, b) } else { (b, a) };
    let slope = if b.x > a.x { (b.y - a.y) / (b.x - a.x) } else { 0.0 };
    let (first, last) = (grown_from(a.x, margin), grown_to(b.x, margin));
    (first..=last).all(|i| {
        let x0 = (i as f64 - margin).max(a.x);
        let x1 = ((i + 1) as f64 + margin).min(b.x);
        let (y0, y1) = (a.y + (x0 - a.x) * slope, a.y + (x1 - a.x) * slope);
        let (low, high) = (y0.min(y1), y0.max(y1));
        (grown_from(low, margin)..=grown_to(high, margin)).all(|j| !closed(i, j))
    })
}

/// The first cell that, grown by `margin`, reaches up to coordinate `low`.
fn grown_from(low: f64, margin: f64) -> i64 {
    ceil(low - 1.0 - margin)
}

/// The last cell that, grown by `margin`, reaches down to coordinate `high`.
fn grown_to(high: f64, margin: f64) -> i64 {
    floor(high + margin)
}

/// The greatest whole number up to `x`. Plain conversions: `f64::floor` is a call on the processors that
/// the program is built for by default.
#[inline(always)]
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole - i64::from(whole as f64 > x)
}

/// The least whole number from `x`.
#[inline(always)]
fn ceil(x: f64) -> i64 {
    let whole = x as i64;
    whole + i64::from((whole as f64) < x)
}

/// Integral of `cost` along the segment, which is constant in each cell: cost times cells. Along a
/// border between two cells the cheaper one counts.
pub(crate) fn integral(a: DVec2, b: DVec2, cost: impl Fn(i64, i64) -> f64) -> f64 {
    let d = b - a;
    let length = d.length();
    if length == 0.0 {
        return 0.0;
    }
    let mut x = Crossings::new(a.x, d.x);
    let mut y = Crossings::new(a.y, d.y);
    let (mut sum, mut t) = (0.0, 0.0);
    while t < 1.0 {
        let next = x.next.min(y.next).min(1.0);
        if next > t {
            let middle = a + d * (0.5 * (t + next));
            let (i, j) = (floor(middle.x), floor(middle.y));
            let here = cost(i, j);
            let beside = if d.x == 0.0 && middle.x == i as f64 {
                cost(i - 1, j)
            } else if d.y == 0.0 && middle.y == j as f64 {
                cost(i, j - 1)
            } else {
                f64::INFINITY
            };
            sum += here.min(beside) * (next - t);
            t = next;
        }
        x.pass(t);
        y.pass(t);
    }
    sum * length
}

/// Where a segment crosses the cell borders of one axis, as fractions of its length.
struct Crossings {
    start: f64,
    delta: f64,
    border: f64,
    /// Fraction at which the next border is crossed; infinite if the axis is not moved along.
    next: f64,
}

impl Crossings {
    fn new(start: f64, delta: f64) -> Self {
        let border = if delta > 0.0 { start.floor() + 1.0 } else { start.ceil() - 1.0 };
        let next = if delta == 0.0 { f64::INFINITY } else { (border - start) / delta };
        Self { start, delta, border, next }
    }

    /// Moves on past fraction `t`.
    fn pass(&mut self, t: f64) {
        while self.next <= t {
            self.border += self.delta.signum();
            self.next = (self.border - self.start) / self.delta;
        }
    }
}
