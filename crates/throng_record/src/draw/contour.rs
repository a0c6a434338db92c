//! Contour lines of a grid: marching squares over the [`surface`], joined into
//! long lines, with the corners cut off.

use super::surface::{self, Quad};
use glam::{DVec2, Vec2};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use throng_field::Grid;

/// Which heights get a line: `step · i` for every `i` of `multiples`.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// Distance of two heights, above zero.
    pub step: f64,
    /// The heights, as whole numbers of steps.
    pub multiples: RangeInclusive<i64>,
    /// Between four neighbouring centres that span more lines than this none is drawn: closer than
    /// the picture can show, they would only be a smear.
    pub most_per_quad: usize,
}

/// One contour line.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// Its height, as a whole number of steps.
    pub multiple: i64,
    /// Its points in cell units, with (0, 0) at the corner of cell (0, 0).
    pub points: Vec<Vec2>,
    /// Whether the last point joins the first (which is then repeated at the end).
    pub closed: bool,
}

/// A piece of a line inside one quad, between two of the grid's edges.
struct Segment {
    edges: [u64; 2],
    points: [DVec2; 2],
}

/// The contour lines of all finite parts of a grid. Lines run half a cell into holes and over the
/// rim, so that they reach the very edge of the ground; whoever draws them cuts them there.
pub fn trace(grid: &Grid<f32>, levels: &Levels) -> Vec<Contour> {
    let mut by_level: HashMap<i64, Vec<Segment>> = HashMap::new();
    for y in -1..grid.height() as i64 {
        for x in -1..grid.width() as i64 {
            if let Some(quad) = surface::quad(grid, x, y) {
                march(grid, (x, y), quad, levels, &mut by_level);
            }
        }
    }
    let mut contours = Vec::new();
    for multiple in levels.multiples.clone() {
        if let Some(segments) = by_level.get(&multiple) {
            join(segments, multiple, &mut contours);
        }
    }
    contours
}

/// Adds the pieces of all lines through one quad.
fn march(
    grid: &Grid<f32>,
    (x, y): (i64, i64),
    quad: Quad,
    levels: &Levels,
    by_level: &mut HashMap<i64, Vec<Segment>>,
) {
    let low = quad.iter().copied().fold(f64::INFINITY, f64::min);
    let high = quad.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first = ((low / levels.step).floor() as i64 + 1).max(*levels.multiples.start());
    let last = ((high / levels.step).floor() as i64).min(*levels.multiples.end());
    if last - first >= levels.most_per_quad as i64 {
        return;
    }
    for multiple in first..=last {
        let crossings = Crossings::new(grid, (x, y), quad, multiple as f64 * levels.step);
        let segments = by_level.entry(multiple).or_default();
        segments.extend(crossings.segments());
    }
}

/// Where one level crosses the four edges of a quad: top, right, bottom, left.
struct Crossings {
    edges: [u64; 4],
    points: [Option<DVec2>; 4],
    /// Whether the middle of the quad is on the same side as its first corner.
    middle_like_first: bool,
}

impl Crossings {
    fn new(grid: &Grid<f32>, (x, y): (i64, i64), quad: Quad, level: f64) -> Self {
        let [a, b, c, d] = quad;
        let corner = |i: usize| DVec2::new(x as f64 + (i & 1) as f64, y as f64 + (i >> 1) as f64);
        let crossing = |i: usize, j: usize| {
            let (u, v) = (quad[i], quad[j]);
            let crosses = (u >= level) != (v >= level);
            // Half a cell further: from centres to corners.
            crosses.then(|| corner(i).lerp(corner(j), (level - u) / (v - u)) + 0.5)
        };
        let row = grid.width() as i64 + 2;
        let id = |x: i64, y: i64, upright: i64| (2 * ((y + 1) * row + x + 1) + upright) as u64;
        Self {
            edges: [id(x, y, 0), id(x + 1, y, 1), id(x, y + 1, 0), id(x, y, 1)],
            points: [crossing(0, 1), crossing(1, 3), crossing(2, 3), crossing(0, 2)],
            middle_like_first: ((a + b + c + d) / 4.0 >= level) == (a >= level),
        }
    }

    fn segments(&self) -> impl Iterator<Item = Segment> {
        let crossed = self.points.iter().filter(|point| point.is_some()).count();
        // On a saddle the lines go round the corners that differ from the middle.
        let pairs: &[(usize, usize)] = match (crossed, self.middle_like_first) {
            (4, true) => &[(0, 1), (2, 3)],
            (4, false) => &[(0, 3), (1, 2)],
            _ => &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
        };
        pairs.iter().filter_map(|&(i, j)| {
            Some(Segment {
                edges: [self.edges[i], self.edges[j]],
                points: [self.points[i]?, self.points[j]?],
            })
        })
    }
}

/// The pieces that meet on one edge: one, or two from the quads on either side.
#[derive(Clone, Copy)]
struct Meeting {
    first: usize,
    second: Option<usize>,
}

/// Joins pieces that meet on an edge into lines: open ones first, then rings.
fn join(segments: &[Segment], multiple: i64, contours: &mut Vec<Contour>) {
    let mut meeting: HashMap<u64, Meeting> = HashMap::with_capacity(segments.len());
    for (index, segment) in segments.iter().enumerate() {
        for edge in segment.edges {
            let alone = Meeting { first: index, second: None };
            let join = |meeting: &mut Meeting| meeting.second = Some(index);
            meeting.entry(edge).and_modify(join).or_insert(alone);
        }
    }
    let mut walker = Walker { segments, used: vec![false; segments.len()], meeting };
    for (index, segment) in segments.iter().enumerate() {
        for (end, edge) in segment.edges.iter().enumerate() {
            let is_free_end = walker.meeting[edge].second.is_none();
            if is_free_end && !walker.used[index] {
                contours.push(walker.walk(index, end, multiple));
            }
        }
    }
    for index in 0..segments.len() {
        if !walker.used[index] {
            contours.push(walker.walk(index, 0, multiple));
        }
    }
}

struct Walker<'a> {
    segments: &'a [Segment],
    used: Vec<bool>,
    meeting: HashMap<u64, Meeting>,
}

impl Walker<'_> {
    /// Follows a line from one end of a piece until it ends or comes back.
    fn walk(&mut self, mut index: usize, mut end: usize, multiple: i64) -> Contour {
        let start = self.segments[index].edges[end];
        let mut points = vec![self.point_on(start)];
        loop {
            self.used[index] = true;
            let edge = self.segments[index].edges[1 - end];
            points.push(self.point_on(edge));
            let Meeting { first, second } = self.meeting[&edge];
            let mut candidates = [Some(first), second].into_iter().flatten();
            let Some(next) = candidates.find(|&next| !self.used[next]) else {
                let closed = edge == start;
                return Contour { multiple, points, closed };
            };
            end = usize::from(self.segments[next].edges[1] == edge);
            index = next;
        }
    }

    /// Where a line crosses an edge. Beside a hole the two quads may differ a little.
    fn point_on(&self, edge: u64) -> Vec2 {
        let crossing = |index: usize| {
            let segment = &self.segments[index];
            segment.points[usize::from(segment.edges[1] == edge)]
        };
        let Meeting { first, second } = self.meeting[&edge];
        let first = crossing(first);
        let second = second.map_or(first, crossing);
        first.midpoint(second).as_vec2()
    }
}

/// Cuts the corners of a line `rounds` times (Chaikin 1974); ends stay where they are.
pub fn smooth(contour: &mut Contour, rounds: usize) {
    for _ in 0..rounds {
        let points = &contour.points;
        let mut cut = Vec::with_capacity(2 * points.len());
        if !contour.closed {
            cut.extend(points.first());
        }
        for pair in points.windows(2) {
            cut.push(pair[0].lerp(pair[1], 0.25));
            cut.push(pair[0].lerp(pair[1], 0.75));
        }
        if contour.closed {
            cut.extend(cut.first().copied());
        } else {
            cut.extend(points.last());
        }
        contour.points = cut;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(step: f64, last: i64) -> Levels {
        Levels { step, multiples: 1..=last, most_per_quad: 10 }
    }

    /// A ramp has one straight line per level, from rim to rim, and no more.
    #[test]
    fn a_ramp_has_one_straight_line_per_level() {
        let grid = Grid::from_fn(41, 7, |c| c.x as f32).unwrap();
        let lines = trace(&grid, &levels(5.0, 100));
        let multiples: Vec<i64> = lines.iter().map(|line| line.multiple).collect();
        assert_eq!(multiples, [1, 2, 3, 4, 5, 6, 7, 8]);
        for line in &lines {
            let x = 5.0 * line.multiple as f32 + 0.5;
            assert!(!line.closed);
            assert!(line.points.iter().all(|p| (p.x - x).abs() < 1e-5));
            let ys: Vec<f32> = line.points.iter().map(|p| p.y).collect();
            let span =
                ys.iter().copied().fold(0.0, f32::max) - ys.iter().copied().fold(7.0, f32::min);
            assert!(span >= 7.0, "the line must reach both rims, spans {span}");
        }
    }

    /// Round a hill lines close, at the right distance.
    #[test]
    fn a_cone_has_rings() {
        let middle = Vec2::splat(20.5);
        let grid =
            Grid::from_fn(41, 41, |c| (Vec2::new(c.x as f32, c.y as f32) + 0.5).distance(middle))
                .unwrap();
        let mut lines = trace(&grid, &levels(4.0, 4));
        assert_eq!(lines.len(), 4);
        for line in &mut lines {
            smooth(line, 2);
            assert!(line.closed && line.points.first() == line.points.last());
            let radius = 4.0 * line.multiple as f32;
            assert!(line.points.iter().all(|p| (p.distance(middle) - radius).abs() < 0.25));
        }
    }

    #[test]
    fn holes_and_saddles_do_no_harm() {
        let values = vec![0.0, 9.0, 0.0, 9.0, f32::INFINITY, f32::NAN, 0.0, 9.0, 1.0];
        let grid = Grid::from_vec(3, 3, values).unwrap();
        assert!(!trace(&grid, &levels(2.0, 9)).is_empty());
        let steep = trace(&grid, &Levels { most_per_quad: 1, ..levels(2.0, 9) });
        assert!(steep.is_empty(), "all quads span four lines");
        let nothing = Grid::filled(4, 4, f32::INFINITY).unwrap();
        assert!(trace(&nothing, &levels(1.0, 9)).is_empty());
    }
}
