//! A scale bar: a line of a round length with its length written beside it.

use super::{text, theme, ticks};
use crate::Image;
use glam::Vec2;

/// A bar may take this part of the map's width …
const WIDTH_PART: f64 = 0.25;
/// … but at least this many pixels.
const LEAST_PIXELS: f64 = 80.0;
/// Height of the ticks at the ends.
const TICK: usize = 7;
/// Thickness of the line.
const LINE: usize = 2;
/// From the bar to its text.
const GAP: f32 = 7.0;

/// A scale bar of round length.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleBar {
    pixels: usize,
    label: String,
}

impl ScaleBar {
    /// Height of any scale bar with its text, in pixels.
    pub const HEIGHT: usize = 14;

    /// A bar for a map `map_width` pixels wide, of which one is `unit_per_pixel` units.
    /// A bar is allowed to be as long as `cell_pixels`, however narrow the map.
    pub fn new(map_width: usize, cell_pixels: usize, unit_per_pixel: f64, unit: &str) -> Self {
        let limit = (map_width as f64 * WIDTH_PART).max(LEAST_PIXELS).max(cell_pixels as f64);
        let length = ticks::round_below(limit * unit_per_pixel);
        // "1 cell", but "1 m" and "1 ms".
        let one = unit.strip_suffix('s').filter(|one| one.len() > 1);
        let unit = one.filter(|_| length == 1.0).unwrap_or(unit);
        Self {
            pixels: (length / unit_per_pixel).round() as usize,
            label: format!("{} {unit}", ticks::format(length, length)),
        }
    }

    /// Pixels from the bar's left end to its text's right end.
    pub fn width(&self) -> usize {
        let text = text::width(&self.label, theme::SMALL_SIZE);
        self.pixels + (GAP + text).ceil() as usize
    }

    /// Draws the bar with its left upper corner at `(x, y)`.
    pub fn draw(&self, image: &mut Image, x: usize, y: usize) {
        let middle = y + Self::HEIGHT / 2;
        let (left, top) = (x as i64, middle as i64);
        let tick_top = top - (TICK / 2) as i64;
        let right = left + self.pixels as i64 - LINE as i64;
        image.fill_rect(left, top, self.pixels, LINE, theme::INK);
        image.fill_rect(left, tick_top, LINE, TICK + 1, theme::INK);
        image.fill_rect(right, tick_top, LINE, TICK + 1, theme::INK);
        let at = Vec2::new((x + self.pixels) as f32 + GAP, middle as f32 + LINE as f32 / 2.0);
        let style = text::Style::new(theme::SMALL_SIZE, theme::INK);
        text::draw_middle(image, &self.label, at, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar of the wrong length makes every distance read off the picture wrong.
    #[test]
    fn the_bar_is_as_long_as_it_says() {
        let bar = ScaleBar::new(1000, 2, 0.25, "m");
        assert_eq!((bar.label.as_str(), bar.pixels), ("50 m", 200));
        let narrow = ScaleBar::new(6, 6, 1.0 / 6.0, "cells");
        assert_eq!((narrow.label.as_str(), narrow.pixels), ("10 cells", 60));
        let single = ScaleBar::new(160, 160, 1.0 / 160.0, "cells");
        assert_eq!((single.label.as_str(), single.pixels), ("1 cell", 160));
    }
}
