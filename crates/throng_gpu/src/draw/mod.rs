//! Drawing: render pipelines, bind groups with layouts that pipelines share, textures, and textures
//! read back as pixels.
//!
//! A [`Slots`] is a list of what a bind group holds; pipelines made with the same slots take the same
//! group. A [`Raster`] is what a pipeline is made from besides its shader.

mod raster;
mod slots;
#[cfg(test)]
mod tests;
mod texture;

pub use raster::{Blend, Depth, Raster};
pub use slots::{Slot, Slots};
pub use texture::{Pixels, Texture2};
