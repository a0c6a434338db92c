//! The page around a map: title on top, legend beside the map or, for low maps, below it, and the
//! scale bar under the map. Everything is measured first, so that nothing is cut off.

use crate::Image;
use crate::draw::text::{self, Style};
use crate::draw::{Legend, Placement, ScaleBar, theme};
use glam::Vec2;

const MARGIN: usize = 28;
/// Between map and legend.
const LEGEND_GAP: usize = 28;
/// Between title and map, and between map and scale bar.
const GAP: usize = 14;
/// Pages of narrow maps are at least this wide between the margins, so that titles have room.
const LEAST_WIDTH: usize = 560;
const TITLE_LINES: usize = 3;
const SUBTITLE_LINES: usize = 4;

/// Where everything goes.
pub(super) struct Page {
    size: (usize, usize),
    title: Vec<String>,
    subtitle: Vec<String>,
    /// Left upper corner of the map.
    pub(super) map: (usize, usize),
    /// Width and height of the map.
    pub(super) map_size: (usize, usize),
    legend: (usize, usize),
    placement: Placement,
    scale_bar: (usize, usize),
}

impl Page {
    /// Measures a page for a map of `map_size` pixels.
    pub(super) fn new(
        map_size: (usize, usize),
        legend: &Legend,
        scale_bar: &ScaleBar,
        title: &str,
        subtitle: &str,
    ) -> Self {
        let (map_width, map_height) = map_size;
        let left_width = map_width.max(scale_bar.width());
        let column = Placement::Column(map_height);
        let (column_width, column_height) = legend.size(column);
        let beside = column_height <= map_height;
        let body_width = if beside { left_width + LEGEND_GAP + column_width } else { left_width };
        let width = body_width.max(LEAST_WIDTH);
        let placement = if beside { column } else { Placement::Rows(width) };

        let fitted = |words: &str, size, lines| text::wrap(words, size, width as f32, lines);
        let title = fitted(title, theme::TITLE_SIZE, TITLE_LINES);
        let subtitle = fitted(subtitle, theme::SUBTITLE_SIZE, SUBTITLE_LINES);
        let map = (MARGIN, MARGIN + heading_height(&title, &subtitle));
        let below_map = map.1 + map_height + GAP;
        let below_scale = below_map + ScaleBar::HEIGHT;
        let legend_corner = if beside {
            (MARGIN + left_width + LEGEND_GAP, map.1)
        } else {
            (MARGIN, below_scale + GAP)
        };
        let (legend_width, legend_height) = legend.size(placement);
        let right = (MARGIN + width).max(legend_corner.0 + legend_width);
        let bottom = below_scale.max(legend_corner.1 + legend_height);
        Self {
            size: (right + MARGIN, bottom + MARGIN),
            title,
            subtitle,
            map,
            map_size,
            legend: legend_corner,
            placement,
            scale_bar: (MARGIN, below_map),
        }
    }

    /// An empty page.
    pub(super) fn blank(&self) -> Image {
        Image::filled(self.size.0, self.size.1, theme::PAGE)
    }

    /// Draws all but the inside of the map.
    pub(super) fn draw_surroundings(
        &self,
        image: &mut Image,
        legend: &Legend,
        scale_bar: &ScaleBar,
    ) {
        let mut y = MARGIN as f32;
        for (lines, size, color) in [
            (&self.title, theme::TITLE_SIZE, theme::INK),
            (&self.subtitle, theme::SUBTITLE_SIZE, theme::QUIET_INK),
        ] {
            for line in lines {
                let at = Vec2::new(MARGIN as f32, y + text::cap_height(size));
                text::draw(image, line, at, Style::new(size, color));
                y += text::line_height(size);
            }
        }
        let corner = (self.map.0 as i64, self.map.1 as i64);
        image.frame_rect(corner, self.map_size, 1, theme::FRAME);
        scale_bar.draw(image, self.scale_bar.0, self.scale_bar.1);
        legend.draw(image, self.legend, self.placement);
    }

    /// A pixel of the page as a pixel of the map, if it is one.
    pub(super) fn to_map(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        let (x, y) = (x.checked_sub(self.map.0)?, y.checked_sub(self.map.1)?);
        (x < self.map_size.0 && y < self.map_size.1).then_some((x, y))
    }

    /// Whether a point of the page is on the map.
    pub(super) fn holds(&self, point: Vec2) -> bool {
        let corner = Vec2::new(self.map.0 as f32, self.map.1 as f32);
        let far = corner + Vec2::new(self.map_size.0 as f32, self.map_size.1 as f32);
        point.cmpge(corner).all() && point.cmple(far).all()
    }
}

fn heading_height(title: &[String], subtitle: &[String]) -> usize {
    let lines = title.len() as f32 * text::line_height(theme::TITLE_SIZE)
        + subtitle.len() as f32 * text::line_height(theme::SUBTITLE_SIZE);
    let gap = if title.is_empty() && subtitle.is_empty() { 0 } else { GAP / 2 };
    lines as usize + gap
}
