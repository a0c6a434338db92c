//! Heights of the ground, as bytes.

use super::tag;
use throng::field::Grid;

/// Heights at the centres of cells, in 65,536 steps.
#[derive(Clone, Copy, Debug)]
pub struct Heights;

impl Heights {
    /// The message: a head of 32 bytes (tag, version, 0, width, height, corner, cell, least, greatest), then
    /// 16 bits for every cell, row by row from the least y.
    #[must_use]
    pub fn bytes(grid: &Grid<f32>) -> Vec<u8> {
        let values = grid.as_slice();
        let finite = || values.iter().copied().filter(|v| v.is_finite());
        let (low, high) = (finite().fold(f32::INFINITY, f32::min), finite().fold(0.0, f32::max));
        let low = if low.is_finite() { low } else { 0.0 };
        let range = (high - low).max(1e-6);
        let mut out = vec![tag::HEIGHTS, super::VERSION as u8, 0, 0];
        out.extend((grid.width() as u32).to_le_bytes());
        out.extend((grid.height() as u32).to_le_bytes());
        let origin = grid.origin();
        for number in [origin.x, origin.y, grid.cell_size(), low, high] {
            out.extend(number.to_le_bytes());
        }
        for value in values {
            let code = ((value - low) / range * 65_535.0 + 0.5) as u16;
            out.extend(code.to_le_bytes());
        }
        out
    }
}
