//! Walls as the stages see them: the distance to the nearest one, and which way it is.

#[cfg(test)]
mod reference;

use glam::Vec2;
use throng_field::Grid;

/// Room that a body takes at a wall besides its radius (metres): shoulders are wider than the disc that people are
/// among each other, and nobody brushes along a wall. It gives narrow passages the flow that people have there.
pub const AT_WALL: f32 = 0.033;

/// Slope of the distance from which on a direction away from the wall is certain. Halfway between two walls it is less.
pub(crate) const FAINT: f32 = 0.5;

/// Steps of [`Walls::off`], and the least of them where there is hardly any room (metres).
pub(crate) const OFF_STEPS: u32 = 5;
pub(crate) const OFF_STEP: f32 = 0.15;

/// Signed distance to the nearest wall, read between cell centres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walls<'a> {
    data: &'a [f32],
    origin: Vec2,
    cell: f32,
    per_cell: f32,
    width: usize,
    height: usize,
}

/// What is known of the nearest wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearestWall {
    /// Distance (metres), negative inside.
    pub(crate) distance: f32,
    /// Unit vector away from it. Halfway between two walls, where neither is the nearer one, it is shorter, down to zero:
    /// who fills a passage must not be pushed along it by what little slope is left there.
    pub(crate) away: Vec2,
}

impl<'a> Walls<'a> {
    pub(crate) fn new(clearance: &'a Grid<f32>) -> Self {
        Self {
            data: clearance.as_slice(),
            origin: clearance.origin(),
            cell: clearance.cell_size(),
            per_cell: 1.0 / clearance.cell_size(),
            width: clearance.width(),
            height: clearance.height(),
        }
    }

    /// The four values around a position and where it lies between them.
    #[inline(always)]
    fn corners(&self, p: Vec2) -> ([f32; 4], f32, f32) {
        let q = (p - self.origin) * self.per_cell - 0.5;
        let qx = q.x.clamp(0.0, (self.width - 1) as f32);
        let qy = q.y.clamp(0.0, (self.height - 1) as f32);
        // The last square also holds its far edge: the way from a wall is known on all sides.
        let last = |cells: usize| cells.saturating_sub(2);
        let (x0, y0) = ((qx as usize).min(last(self.width)), (qy as usize).min(last(self.height)));
        let (x1, y1) = ((x0 + 1).min(self.width - 1), (y0 + 1).min(self.height - 1));
        let (r0, r1) = (y0 * self.width, y1 * self.width);
        let at = |i: usize| self.data[i];
        ([at(r0 + x0), at(r0 + x1), at(r1 + x0), at(r1 + x1)], qx - x0 as f32, qy - y0 as f32)
    }

    /// Distance to the nearest wall.
    #[inline(always)]
    pub(crate) fn distance(&self, p: Vec2) -> f32 {
        let ([a, b, c, d], tx, ty) = self.corners(p);
        let low = a + (b - a) * tx;
        let high = c + (d - c) * tx;
        low + (high - low) * ty
    }

    /// Distance to the nearest wall, and the way from it.
    #[inline(always)]
    pub(crate) fn nearest(&self, p: Vec2) -> NearestWall {
        let ([a, b, c, d], tx, ty) = self.corners(p);
        let low = a + (b - a) * tx;
        let high = c + (d - c) * tx;
        let gx = (b - a) + ((d - c) - (b - a)) * ty;
        let gy = high - low;
        let length = (gx * gx + gy * gy).sqrt();
        let length = length.max(FAINT * self.cell);
        let away = Vec2::new(gx / length, gy / length);
        NearestWall { distance: low + (high - low) * ty, away }
    }

    /// The place so far off the nearest wall, straight away from it; in a passage that is narrower than twice that,
    /// its middle. Goes no farther at once than the ground is known to be free, so that thin walls are not crossed.
    #[inline(always)]
    pub(crate) fn off(&self, p: Vec2, wall: NearestWall, far: f32) -> Vec2 {
        let (mut gone, mut clear) = (0.0, wall.distance);
        for _ in 0..OFF_STEPS {
            let step = clear.max(OFF_STEP).min(far - clear);
            if step <= 0.0 {
                break;
            }
            let next = self.distance(p + wall.away * (gone + step));
            if next < clear + 0.5 * step {
                // Beyond the middle: as far from the one wall as from the other.
                gone += 0.5 * (step + next - clear).max(0.0);
                break;
            }
            (gone, clear) = (gone + step, next);
        }
        p + wall.away * gone
    }

    /// Whether a straight line stays farther than `margin` from walls (sphere tracing).
    pub(crate) fn sees(&self, from: Vec2, to: Vec2, margin: f32) -> bool {
        let length = from.distance(to);
        let Some(step) = (to - from).try_normalize() else { return true };
        let mut walked = 0.0;
        while walked < length {
            let clear = self.distance(from + step * walked);
            if clear < margin {
                return false;
            }
            walked += (clear - margin).max(0.25 * self.cell);
        }
        true
    }
}
