//! Pyramid: least and greatest of an image, level by level.
//!
//! Takes f32 row by row, gives all levels above the image in one buffer, each texel the least and the
//! greatest of what it covers. Sides are halved and rounded down as in a chain of textures; where a
//! side is odd the last texel covers three. NaN is passed over.

pub mod cpu;
mod gpu;
#[cfg(test)]
mod tests;

pub use gpu::Pyramid;
#[cfg(test)]
pub(crate) use gpu::Stage;

use crate::shader::Shader;

/// A level of a pyramid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// First texel in the buffer; a texel is eight bytes.
    pub at: u32,
}

/// The levels above an image, largest first; none above a single texel.
#[must_use]
pub fn levels(width: u32, height: u32) -> Vec<Level> {
    let (mut width, mut height, mut at) = (width, height, 0);
    let mut levels = Vec::new();
    while width.max(height) > 1 {
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
        levels.push(Level { width, height, at });
        at += width * height;
    }
    levels
}

/// Texels of all levels.
#[must_use]
pub fn texels(width: u32, height: u32) -> u32 {
    levels(width, height).iter().map(|level| level.width * level.height).sum()
}

pub(crate) const SHADER: Shader =
    Shader { name: "pyramid", source: include_str!("pyramid.wgsl"), variants: &[&[]] };
