//! Shapes on the ground: points, discs, lines and polygons, and how far away they are.

use glam::Vec2;

/// A rectangle along the axes (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Lower left corner.
    pub min: Vec2,
    /// Upper right corner.
    pub max: Vec2,
}

impl Rect {
    /// Width and height.
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// The middle.
    pub fn centre(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// Whether the point lies in it, edges included.
    pub fn contains(&self, p: Vec2) -> bool {
        p.cmpge(self.min).all() && p.cmple(self.max).all()
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Grown by `by` on every side.
    #[must_use]
    pub fn grown(&self, by: f32) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }
}

/// A polygon with holes. Rings are not closed (the last corner differs from the first).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// Outer ring.
    pub outer: Vec<Vec2>,
    /// Rings cut out of it.
    pub holes: Vec<Vec<Vec2>>,
}

impl Polygon {
    /// An axis-parallel rectangle.
    pub fn rect(rect: Rect) -> Self {
        let Rect { min, max } = rect;
        Self {
            outer: vec![min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)],
            holes: Vec::new(),
        }
    }

    /// All rings, the outer one first.
    pub fn rings(&self) -> impl Iterator<Item = &[Vec2]> {
        std::iter::once(self.outer.as_slice()).chain(self.holes.iter().map(Vec::as_slice))
    }

    /// All edges.
    pub fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        self.rings()
            .flat_map(|ring| (0..ring.len()).map(move |i| (ring[i], ring[(i + 1) % ring.len()])))
    }

    /// Even-odd test.
    pub fn contains(&self, p: Vec2) -> bool {
        let mut inside = false;
        for (a, b) in self.edges() {
            if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
        }
        inside
    }

    /// Distance to the outline, negative inside.
    pub fn signed_distance(&self, p: Vec2) -> f32 {
        let d = self
            .edges()
            .map(|(a, b)| closest_on_segment(a, b, p).distance_squared(p))
            .fold(f32::INFINITY, f32::min)
            .sqrt();
        if self.contains(p) { -d } else { d }
    }

    /// The rectangle around it.
    pub fn bounds(&self) -> Rect {
        let mut r = Rect { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };
        for p in &self.outer {
            r.min = r.min.min(*p);
            r.max = r.max.max(*p);
        }
        r
    }

    /// Length of the outline in metres, that of holes too.
    pub fn perimeter(&self) -> f32 {
        self.edges().map(|(a, b)| a.distance(b)).sum()
    }

    /// Area in square metres, holes taken off.
    pub fn area(&self) -> f32 {
        let ring_area = |ring: &[Vec2]| -> f64 {
            let mut sum = 0.0;
            for i in 0..ring.len() {
                let (a, b) = (ring[i].as_dvec2(), ring[(i + 1) % ring.len()].as_dvec2());
                sum += a.perp_dot(b);
            }
            (sum * 0.5).abs()
        };
        (ring_area(&self.outer) - self.holes.iter().map(|h| ring_area(h)).sum::<f64>()) as f32
    }
}

/// The point of segment `a`–`b` nearest to `p`.
pub(super) fn closest_on_segment(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let d = b - a;
    let t = (p - a).dot(d) / d.length_squared().max(f32::MIN_POSITIVE);
    a + d * t.clamp(0.0, 1.0)
}

/// A goal's or a region's outline.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A point.
    Point(Vec2),
    /// A disc.
    Disc {
        /// Its middle.
        centre: Vec2,
        /// Its radius (metres).
        radius: f32,
    },
    /// A straight line.
    Line(Vec2, Vec2),
    /// An area.
    Polygon(Polygon),
}

impl Shape {
    /// The point of the shape nearest to `p` (`p` itself where it lies inside).
    pub fn closest_point(&self, p: Vec2) -> Vec2 {
        match self {
            Self::Point(c) => *c,
            Self::Disc { centre, radius } => *centre + (p - *centre).clamp_length_max(*radius),
            Self::Line(a, b) => closest_on_segment(*a, *b, p),
            Self::Polygon(polygon) if polygon.contains(p) => p,
            Self::Polygon(polygon) => polygon
                .edges()
                .map(|(a, b)| closest_on_segment(a, b, p))
                .min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)))
                .unwrap_or(p),
        }
    }

    /// Distance from `p` to the shape, 0 inside.
    pub fn distance(&self, p: Vec2) -> f32 {
        self.closest_point(p).distance(p)
    }

    /// The rectangle around it.
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Point(c) => Rect { min: *c, max: *c },
            Self::Disc { centre, radius } => Rect { min: *centre, max: *centre }.grown(*radius),
            Self::Line(a, b) => Rect { min: a.min(*b), max: a.max(*b) },
            Self::Polygon(polygon) => polygon.bounds(),
        }
    }

    /// Area in square metres; 0 for points and lines.
    pub fn area(&self) -> f32 {
        match self {
            Self::Point(_) | Self::Line(..) => 0.0,
            Self::Disc { radius, .. } => std::f32::consts::PI * radius * radius,
            Self::Polygon(polygon) => polygon.area(),
        }
    }
}
