//! Where everything goes on the page: heading and clock on top, the map, its legend beside it or,
//! for wide maps, below it, and the scale bar under the map.

use super::{Settings, panel};
use crate::draw::text::{self, Align, Style};
use crate::draw::{ScaleBar, theme};
use crate::{AgentFrame, Image};
use glam::Vec2;
use throng_world::World;

const MARGIN: usize = 28;
const GAP: usize = 14;
const PANEL_GAP: usize = 28;
/// Room for the clock at the right end of the heading.
const CLOCK_WIDTH: usize = 190;
const CLOCK_SIZE: f32 = 26.0;
/// Maps this many times as wide as high have their legend below.
const WIDE: f32 = 1.75;
/// Pictures with less room than this between the margins too.
const NARROW: usize = 860;
/// A map is at most this many times as high as the picture is wide.
const MOST_HEIGHT: f32 = 1.1;
const TITLE_LINES: usize = 2;

/// A page that is laid out.
pub(super) struct Layout {
    page: (usize, usize),
    title: Vec<String>,
    subtitle: Vec<String>,
    /// Left upper corner of the map.
    pub(super) corner: (usize, usize),
    size: (usize, usize),
    /// Pixels per metre.
    pub(super) scale: f32,
    /// World position of the map's left upper corner.
    left_top: Vec2,
    /// Left upper corner and width of the legend.
    pub(super) panel: (usize, usize, usize),
    /// Whether the legend's sections stand side by side.
    pub(super) panel_below: bool,
    scale_bar: ScaleBar,
}

impl Layout {
    pub(super) fn new(world: &World, settings: &Settings) -> Self {
        let view = settings.view;
        let extent = view.size().max(Vec2::splat(1e-3));
        let inner = settings.width - 2 * MARGIN;
        let below = extent.x / extent.y >= WIDE || inner < NARROW;
        let room = if below { inner } else { inner - panel::WIDTH - PANEL_GAP };
        let highest = settings.width as f32 * MOST_HEIGHT;
        let scale = (room as f32 / extent.x).min(highest / extent.y);
        let pixels = |length: f32| ((length * scale).round() as usize).max(1);
        let size = (pixels(extent.x).min(room), pixels(extent.y));
        let heading = (inner - CLOCK_WIDTH.min(inner / 2)) as f32;
        let title = text::wrap(&settings.title, theme::TITLE_SIZE, heading, TITLE_LINES);
        let subtitle = text::wrap(&settings.subtitle, theme::SUBTITLE_SIZE, heading, TITLE_LINES);
        let lines = title.len() as f32 * text::line_height(theme::TITLE_SIZE)
            + subtitle.len() as f32 * text::line_height(theme::SUBTITLE_SIZE);
        let heading = (lines as usize).max(clock_height()) + GAP / 2;
        let corner = (MARGIN, MARGIN + heading);
        let under_map = corner.1 + size.1 + GAP;
        let under_scale = under_map + ScaleBar::HEIGHT;
        let panel = if below {
            (MARGIN, under_scale + GAP + GAP / 2, inner)
        } else {
            (settings.width - MARGIN - panel::WIDTH, corner.1, panel::WIDTH)
        };
        let panel_bottom = panel.1 + panel::height(world, settings, below, panel.2);
        let page = (settings.width, under_scale.max(panel_bottom) + MARGIN);
        let scale_bar = ScaleBar::new(size.0, 1, 1.0 / f64::from(scale), "m");
        let left_top = Vec2::new(view.min.x, view.max.y);
        Self {
            page,
            title,
            subtitle,
            corner,
            size,
            scale,
            left_top,
            panel,
            panel_below: below,
            scale_bar,
        }
    }

    /// Width and height of the map in pixels.
    pub(super) fn map_size(&self) -> (usize, usize) {
        self.size
    }

    /// A place in the world in pixels of the map.
    pub(super) fn on_map(&self, world: Vec2) -> Vec2 {
        let from = (world - self.left_top) * self.scale;
        Vec2::new(from.x, -from.y)
    }

    /// A place in the world in pixels of the page.
    pub(super) fn on_page(&self, world: Vec2) -> Vec2 {
        self.on_map(world) + Vec2::new(self.corner.0 as f32, self.corner.1 as f32)
    }

    /// The place in the world of the middle of a pixel of the map.
    pub(super) fn in_world(&self, x: usize, y: usize) -> Vec2 {
        let from = Vec2::new(x as f32 + 0.5, -(y as f32 + 0.5)) / self.scale;
        self.left_top + from
    }

    /// Whether a pixel of the page is on the map.
    pub(super) fn holds(&self, x: usize, y: usize) -> bool {
        let inside = |at: usize, from: usize, length: usize| at >= from && at < from + length;
        inside(x, self.corner.0, self.size.0) && inside(y, self.corner.1, self.size.1)
    }

    pub(super) fn blank(&self) -> Image {
        Image::filled(self.page.0, self.page.1, theme::PAGE)
    }

    /// Draws heading, frame and scale bar.
    pub(super) fn draw_surroundings(&self, image: &mut Image) {
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
        let corner = (self.corner.0 as i64, self.corner.1 as i64);
        image.frame_rect(corner, self.size, 1, theme::FRAME);
        self.scale_bar.draw(image, MARGIN, self.corner.1 + self.size.1 + GAP);
    }

    /// Draws the time, and how many people there are.
    pub(super) fn draw_clock(&self, image: &mut Image, frame: &AgentFrame<'_>) {
        let right = (self.page.0 - MARGIN) as f32;
        let mut baseline = MARGIN as f32 + text::cap_height(CLOCK_SIZE);
        let style = Style::new(CLOCK_SIZE, theme::INK).align(Align::Right);
        text::draw(image, &clock(frame.time), Vec2::new(right, baseline), style);
        baseline += text::line_height(theme::SUBTITLE_SIZE) + 2.0;
        let style = Style::new(theme::SUBTITLE_SIZE, theme::QUIET_INK).align(Align::Right);
        let people = match frame.len() {
            1 => "1 person".to_owned(),
            n => format!("{} people", panel::grouped(n)),
        };
        text::draw(image, &people, Vec2::new(right, baseline), style);
    }
}

fn clock_height() -> usize {
    (text::cap_height(CLOCK_SIZE) + text::line_height(theme::SUBTITLE_SIZE)) as usize + GAP
}

/// Minutes, seconds and tenths, and hours if there are any.
fn clock(time: f64) -> String {
    // A millisecond is forgiven: a sum of many steps of 0.0333333 s is a little short.
    let tenths = (time.max(0.0) * 10.0 + 1e-2) as u64;
    let (seconds, tenth) = (tenths / 10, tenths % 10);
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{rest:02}.{tenth}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}.{tenth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_tenths_down_and_minutes_up() {
        assert_eq!(clock(0.0), "0:00.0");
        assert_eq!(clock(61.29), "1:01.2");
        assert_eq!(clock(1800.0 * f64::from(0.033_333_3f32)), "1:00.0");
        assert_eq!(clock(0.3), "0:00.3");
        assert_eq!(clock(3725.95), "1:02:05.9");
        assert_eq!(clock(-4.0), "0:00.0");
    }
}
