//! Anti-aliased lines and shapes, as a mask of coverage that is then painted in one go, so that
//! a translucent line does not darken where it meets itself.

use super::Rgb;
use crate::Image;
use glam::Vec2;

/// Sub-samples per pixel side when a polygon is filled.
const SUBSAMPLES: usize = 4;
/// Half of the ramp from covered to uncovered, in pixels.
const SOFT_EDGE: f32 = 0.5;

/// How much of each pixel is covered, 0 to 1.
#[derive(Clone, Debug)]
pub struct Mask {
    width: usize,
    height: usize,
    coverage: Vec<f32>,
    /// Rows that may hold anything, so that painting a small shape looks at few pixels.
    rows: std::ops::Range<usize>,
}

impl Mask {
    /// Nothing covered yet, of the size of `image`.
    pub fn new(image: &Image) -> Self {
        let (width, height) = (image.width(), image.height());
        Self { width, height, coverage: vec![0.0; width * height], rows: 0..0 }
    }

    /// Covers a line of `width` pixels through `points` with round joins and ends.
    pub fn stroke(&mut self, points: &[Vec2], width: f32) {
        if let [point] = points {
            self.disc(*point, width / 2.0);
        }
        for pair in points.windows(2) {
            self.segment(pair[0], pair[1], width / 2.0);
        }
    }

    /// Covers a disc.
    pub fn disc(&mut self, centre: Vec2, radius: f32) {
        self.segment(centre, centre, radius);
    }

    /// Covers all points within `radius` of the segment from `a` to `b`.
    fn segment(&mut self, a: Vec2, b: Vec2, radius: f32) {
        if !(a.is_finite() && b.is_finite()) {
            return;
        }
        let reach = radius + SOFT_EDGE;
        let along = b - a;
        let length_squared = along.length_squared();
        for y in pixel_range(a.y.min(b.y) - reach, a.y.max(b.y) + reach, self.height) {
            let centre_y = y as f32 + 0.5;
            let (low, high) = span_of_row(a, along, centre_y, reach);
            for x in pixel_range(low - reach, high + reach, self.width) {
                let pixel = Vec2::new(x as f32 + 0.5, centre_y);
                let t = if length_squared > 0.0 {
                    ((pixel - a).dot(along) / length_squared).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let cover = reach - pixel.distance(a + along * t);
                self.cover(x, y, cover);
            }
        }
    }

    /// Covers the inside of a closed polygon (even-odd).
    pub fn polygon(&mut self, corners: &[Vec2]) {
        let bounds = |axis: usize| {
            let of_axis = corners.iter().map(move |corner| corner[axis]);
            of_axis.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| {
                (low.min(v), high.max(v))
            })
        };
        let ((left, right), (top, bottom)) = (bounds(0), bounds(1));
        for y in pixel_range(top, bottom, self.height) {
            for x in pixel_range(left, right, self.width) {
                self.cover(x, y, polygon_cover(corners, x, y));
            }
        }
    }

    /// Covers the inside of closed rings together (even-odd: a ring within a ring is a hole). Fast
    /// for large shapes with many corners.
    pub fn rings<'a>(&mut self, rings: impl Iterator<Item = &'a [Vec2]> + Clone) {
        let points = rings.clone().flatten().filter(|p| p.is_finite());
        let (top, bottom) = points.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| {
            (low.min(p.y), high.max(p.y))
        });
        let mut crossings = Vec::new();
        let mut row = vec![0.0; self.width];
        for y in pixel_range(top, bottom, self.height) {
            row.fill(0.0);
            for sub in 0..SUBSAMPLES {
                let at = y as f32 + (sub as f32 + 0.5) / SUBSAMPLES as f32;
                crossings.clear();
                for ring in rings.clone() {
                    cross(ring, at, &mut crossings);
                }
                crossings.sort_by(f32::total_cmp);
                for span in crossings.chunks_exact(2) {
                    add_span(&mut row, span[0], span[1], 1.0 / SUBSAMPLES as f32);
                }
            }
            for (x, &amount) in row.iter().enumerate().filter(|(_, amount)| **amount > 0.0) {
                self.cover(x, y, amount);
            }
        }
    }

    /// Covers every pixel by at least what `amount` gives for it.
    pub fn cover_where(&mut self, amount: impl Fn(usize, usize) -> f32) {
        for y in 0..self.height {
            for x in 0..self.width {
                self.cover(x, y, amount(x, y));
            }
        }
    }

    /// The coverage of a pixel that is inside.
    pub fn at(&self, x: usize, y: usize) -> f32 {
        self.coverage[y * self.width + x]
    }

    fn cover(&mut self, x: usize, y: usize, amount: f32) {
        let pixel = &mut self.coverage[y * self.width + x];
        *pixel = pixel.max(amount.clamp(0.0, 1.0));
        if self.rows.is_empty() {
            self.rows = y..y + 1;
        }
        self.rows = self.rows.start.min(y)..self.rows.end.max(y + 1);
    }

    /// Uncovers a rectangle given by two corners.
    pub fn clear_rect(&mut self, low: Vec2, high: Vec2) {
        for y in pixel_range(low.y, high.y, self.height) {
            let row = y * self.width;
            for x in pixel_range(low.x, high.x, self.width) {
                self.coverage[row + x] = 0.0;
            }
        }
    }

    /// Paints the covered pixels of `image` in the colours of `color_of(x, y)`, none for `None`.
    pub fn paint_where(
        &self,
        image: &mut Image,
        alpha: f32,
        mut color_of: impl FnMut(usize, usize) -> Option<Rgb>,
    ) {
        for y in self.rows.clone() {
            let row = &self.coverage[y * self.width..(y + 1) * self.width];
            for (x, &cover) in row.iter().enumerate().filter(|(_, cover)| **cover > 0.0) {
                if let Some(color) = color_of(x, y) {
                    image.blend(x as i64, y as i64, color, cover * alpha);
                }
            }
        }
    }

    /// Paints all covered pixels of `image`.
    pub fn paint(&self, image: &mut Image, color: Rgb) {
        self.paint_where(image, 1.0, |_, _| Some(color));
    }
}

/// Where a closed ring crosses the row at `y`.
fn cross(ring: &[Vec2], y: f32, crossings: &mut Vec<f32>) {
    for (i, &b) in ring.iter().enumerate() {
        let a = ring[(i + ring.len() - 1) % ring.len()];
        if (a.y > y) != (b.y > y) {
            crossings.push(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
        }
    }
}

/// Adds `amount` to the pixels between `from` and `to`, in part to those at the ends.
fn add_span(row: &mut [f32], from: f32, to: f32, amount: f32) {
    let (from, to) = (from.max(0.0), to.min(row.len() as f32));
    if from >= to {
        return;
    }
    let (first, last) = (from as usize, (to.ceil() as usize).min(row.len()));
    for (x, pixel) in row.iter_mut().enumerate().take(last).skip(first) {
        let part = to.min(x as f32 + 1.0) - from.max(x as f32);
        *pixel += amount * part.clamp(0.0, 1.0);
    }
}

/// Left and right end of the part of a segment that lies within `reach` of the row at `y`.
fn span_of_row(a: Vec2, along: Vec2, y: f32, reach: f32) -> (f32, f32) {
    let (mut from, mut to) = (0.0, 1.0);
    if along.y != 0.0 {
        let (t0, t1) = ((y - reach - a.y) / along.y, (y + reach - a.y) / along.y);
        from = t0.min(t1).clamp(0.0, 1.0);
        to = t0.max(t1).clamp(0.0, 1.0);
    }
    let (x0, x1) = (a.x + along.x * from, a.x + along.x * to);
    (x0.min(x1), x0.max(x1))
}

/// Pixels from `low` to `high`, kept inside `0..end`.
fn pixel_range(low: f32, high: f32, end: usize) -> std::ops::Range<usize> {
    let from = low.floor().max(0.0) as usize;
    let to = (high.ceil().max(0.0) as usize).min(end);
    from.min(to)..to
}

fn polygon_cover(corners: &[Vec2], x: usize, y: usize) -> f32 {
    let mut hits = 0;
    for i in 0..SUBSAMPLES * SUBSAMPLES {
        let offset = Vec2::new((i % SUBSAMPLES) as f32, (i / SUBSAMPLES) as f32) + 0.5;
        let point = Vec2::new(x as f32, y as f32) + offset / SUBSAMPLES as f32;
        hits += usize::from(contains(corners, point));
    }
    hits as f32 / (SUBSAMPLES * SUBSAMPLES) as f32
}

fn contains(corners: &[Vec2], point: Vec2) -> bool {
    let mut inside = false;
    let mut previous = corners[corners.len() - 1];
    for &corner in corners {
        if (corner.y > point.y) != (previous.y > point.y) {
            let t = (point.y - corner.y) / (previous.y - corner.y);
            inside ^= point.x < corner.x + t * (previous.x - corner.x);
        }
        previous = corner;
    }
    inside
}

/// The corners of a five-pointed star with its tips on a circle of `radius`.
pub fn star(centre: Vec2, radius: f32) -> [Vec2; 10] {
    /// Inner radius of a regular pentagram is 0.382 of the outer; a little more looks sturdier.
    const INNER: f32 = 0.46;
    std::array::from_fn(|i| {
        let angle = std::f32::consts::PI * (i as f32 / 5.0 - 0.5);
        let reach = if i % 2 == 0 { radius } else { radius * INNER };
        centre + Vec2::from_angle(angle) * reach
    })
}

#[cfg(test)]
mod tests {
    use super::super::theme::{INK, PAGE};
    use super::*;

    fn area(mask: &Mask) -> f32 {
        mask.coverage.iter().sum()
    }

    /// Anti-aliasing that loses or adds area makes lines too thin or too fat.
    #[test]
    fn covered_areas_are_right() {
        let image = Image::filled(80, 80, PAGE);
        let mut line = Mask::new(&image);
        line.stroke(&[Vec2::new(10.0, 20.3), Vec2::new(60.0, 20.3)], 3.0);
        let with_round_ends = 50.0 * 3.0 + std::f32::consts::PI * 1.5 * 1.5;
        assert!((area(&line) - with_round_ends).abs() < 3.0, "{}", area(&line));
        let mut square = Mask::new(&image);
        let corners = [(5.0, 5.0), (25.0, 5.0), (25.0, 15.0), (5.0, 15.0)];
        square.polygon(&corners.map(Vec2::from));
        assert_eq!(area(&square), 200.0);
        square.clear_rect(Vec2::ZERO, Vec2::splat(40.0));
        assert_eq!(area(&square), 0.0);
    }

    /// A hole painted over would hide a yard people can walk in.
    #[test]
    fn rings_leave_holes_and_cover_parts() {
        let image = Image::filled(40, 40, PAGE);
        let ring = |low: f32, high: f32| {
            [(low, low), (high, low), (high, high), (low, high)].map(Vec2::from)
        };
        let (outer, hole) = (ring(4.5, 30.5), ring(10.0, 20.0));
        let mut mask = Mask::new(&image);
        mask.rings([&outer[..], &hole[..]].into_iter());
        assert!((area(&mask) - (26.0 * 26.0 - 100.0)).abs() < 0.5, "{}", area(&mask));
        assert_eq!((mask.at(15, 15), mask.at(6, 6)), (0.0, 1.0));
        assert!((mask.at(4, 15) - 0.5).abs() < 1e-3);
        mask.rings([&ring(-1e4, 1e4)[..]].into_iter());
        assert!((area(&mask) - 1600.0).abs() < 1e-3);
    }

    /// Lines that leave the picture must only be cut.
    #[test]
    fn lines_outside_are_cut() {
        let mut image = Image::filled(9, 9, PAGE);
        let mut mask = Mask::new(&image);
        mask.stroke(&[Vec2::new(-1e5, 4.5), Vec2::new(1e5, 4.5)], 1.0);
        mask.stroke(&[Vec2::new(f32::NAN, 0.0), Vec2::ONE], 1.0);
        mask.disc(Vec2::new(-50.0, 3.0), 2.0);
        mask.stroke(&[], 1.0);
        mask.paint(&mut image, INK);
        assert_eq!(image.get(0, 4), Some(INK));
        assert_eq!(image.get(0, 0), Some(PAGE));
    }
}
