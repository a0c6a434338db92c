//! Skeletons: what hangs on what, and which vertices follow.

pub mod bones;
pub mod mask;
mod skeleton;
pub mod weights;

pub use mask::Zones;
pub use skeleton::{Joint, Skeleton, Transform};
