//! A measurement area.

use glam::DVec2;

/// A rectangle along the axes in which something is measured (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Lower left corner.
    pub min: DVec2,
    /// Upper right corner.
    pub max: DVec2,
}

impl Area {
    /// Left, lower, right and upper edge, as a scene has them.
    pub const fn new(left: f64, lower: f64, right: f64, upper: f64) -> Self {
        Self { min: DVec2::new(left, lower), max: DVec2::new(right, upper) }
    }

    /// Square metres.
    pub fn size(&self) -> f64 {
        let size = self.max - self.min;
        size.x * size.y
    }

    /// Whether a point lies in it: lower edges belong to it, upper ones do not, so that areas side by
    /// side count nobody twice.
    pub fn contains(&self, p: DVec2) -> bool {
        p.cmpge(self.min).all() && p.cmplt(self.max).all()
    }

    /// Its corners, anticlockwise.
    pub fn corners(&self) -> [DVec2; 4] {
        let Self { min, max } = *self;
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
    }
}
