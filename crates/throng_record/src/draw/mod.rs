//! The parts every picture is made of: colours, lines and shapes, text, round numbers, contours,
//! legend and scale bar. They draw on an [`Image`](crate::Image) and know nothing of fields' meaning.

mod color;
pub mod contour;
mod legend;
mod mask;
mod scale_bar;
pub mod surface;
mod swatch;
pub mod text;
pub mod theme;
pub mod ticks;

pub use color::{ColorMap, Rgb};
pub use legend::{ColorBar, Entry, Legend, Placement};
pub use mask::{Mask, star};
pub use scale_bar::ScaleBar;
pub use swatch::Swatch;
