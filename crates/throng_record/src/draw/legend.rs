//! The legend: a colour bar with round ticks, and swatches with their meaning, either in a column
//! beside a map or in rows below it.

use super::swatch::{SIZE as SWATCH, Swatch};
use super::{ColorMap, Rgb, text, theme, ticks};
use crate::Image;
use glam::Vec2;
use text::{Align, Style};

const BAR_THICKNESS: usize = 20;
const BAR_LENGTHS: (usize, usize) = (140, 420);
const TICK_LENGTH: usize = 5;
/// From a bar or swatch to its text.
const TEXT_GAP: usize = 8;
/// Ticks nearer than this to a bar's end give way to the end's own number (upright, lying).
const END_ROOM: (f32, f32) = (17.0, 44.0);
/// Bars get a number about every this many pixels (upright, lying).
const TICK_ROOM: (usize, usize) = (44, 70);
/// Parts of a step that do not show in a number.
const INVISIBLE: f64 = 1e-6;
const COLUMN_WIDTH: f32 = 190.0;
const MOST_LINES: usize = 4;
const ENTRY_HEIGHT: usize = 26;
const ENTRY_GAP: usize = 26;
const BLOCK_GAP: usize = 14;

/// A colour map with the values it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorBar {
    /// The colours, first for the low end.
    pub map: ColorMap,
    /// Value at the first colour.
    pub low: f64,
    /// Value at the last colour.
    pub high: f64,
    /// What the values are, with their unit.
    pub label: String,
    /// A remark below the bar, or nothing.
    pub note: String,
}

/// A swatch and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// How it looks.
    pub swatch: Swatch,
    /// What it is.
    pub label: String,
}

/// Where the legend goes, and the room it should fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// A column at most this many pixels high, if that is enough.
    Column(usize),
    /// Rows at most this many pixels wide.
    Rows(usize),
}

/// Everything needed to read a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Legend {
    /// The colour bar, if the picture shows values.
    pub bar: Option<ColorBar>,
    /// The other things in the picture.
    pub entries: Vec<Entry>,
}

impl ColorBar {
    /// Numbers along the bar with their place from 0 (low) to 1 (high): both ends exactly, and
    /// round ones between, where they do not crowd the ends of a bar of `length` pixels.
    pub fn ticks(&self, length: usize, room: usize, end_room: f32) -> Vec<(f32, String)> {
        let range = self.high - self.low;
        let step = ticks::round_step(range, (length / room).max(1));
        // The ends are seldom round; one digit more than the ticks tells them exactly enough.
        let is_multiple =
            |value: f64, of: f64| (value / of - (value / of).round()).abs() < INVISIBLE;
        let end = |value: f64| {
            let steps = [1.0, step, step / 10.0];
            let exact = steps.into_iter().find(|&step| is_multiple(value, step));
            ticks::format(value, exact.unwrap_or(step / 10.0))
        };
        if range <= 0.0 || !range.is_finite() {
            return vec![(0.5, end(self.low))];
        }
        let mut all = vec![(0.0, end(self.low))];
        for multiple in ticks::multiples(self.low, self.high, step) {
            let value = multiple as f64 * step;
            let t = ((value - self.low) / range) as f32;
            let from_end = t.min(1.0 - t) * length as f32;
            if from_end >= end_room {
                all.push((t, ticks::format(value, step)));
            }
        }
        all.push((1.0, end(self.high)));
        all
    }

    /// The colour at a place along the bar; of a single value there is only one.
    fn color(&self, t: f32) -> Rgb {
        self.map.at(if self.high > self.low { t } else { 0.0 })
    }

    fn upright(&self, length: usize) -> Vec<(f32, String)> {
        self.ticks(length, TICK_ROOM.0, END_ROOM.0)
    }

    fn lying(&self, length: usize) -> Vec<(f32, String)> {
        self.ticks(length, TICK_ROOM.1, END_ROOM.1)
    }
}

impl Legend {
    /// Width and height in pixels at a placement.
    pub fn size(&self, placement: Placement) -> (usize, usize) {
        // Drawing is the one place that knows the layout; on a scrap it tells the size.
        let mut scrap = Image::filled(1, 1, theme::PAGE);
        self.draw(&mut scrap, (0, 0), placement)
    }

    /// Draws the legend with its left upper corner at `corner`; gives the width and height used.
    pub fn draw(
        &self,
        image: &mut Image,
        corner: (usize, usize),
        placement: Placement,
    ) -> (usize, usize) {
        let mut pen = Pen { image, left: corner.0, top: corner.1, y: corner.1, right: corner.0 };
        match placement {
            Placement::Column(height) => self.draw_column(&mut pen, height),
            Placement::Rows(width) => self.draw_rows(&mut pen, width),
        }
        (pen.right - corner.0, pen.y - corner.1)
    }

    fn draw_column(&self, pen: &mut Pen<'_>, height: usize) {
        if let Some(bar) = &self.bar {
            let used = self.entries.len() * ENTRY_HEIGHT + BLOCK_GAP * 4;
            let lines = text::wrap(&bar.label, theme::LABEL_SIZE, COLUMN_WIDTH, MOST_LINES).len()
                + text::wrap(&bar.note, theme::SMALL_SIZE, COLUMN_WIDTH, MOST_LINES).len();
            let used = used + lines * text::line_height(theme::LABEL_SIZE) as usize;
            let length = height.saturating_sub(used).clamp(BAR_LENGTHS.0, BAR_LENGTHS.1);
            pen.paragraph(&bar.label, theme::LABEL_SIZE, theme::INK, COLUMN_WIDTH);
            pen.y += BLOCK_GAP;
            pen.upright_bar(bar, length);
            pen.y += BLOCK_GAP;
            pen.paragraph(&bar.note, theme::SMALL_SIZE, theme::QUIET_INK, COLUMN_WIDTH);
            pen.y += BLOCK_GAP;
        }
        for entry in &self.entries {
            pen.entry(pen.left, entry);
            pen.y += ENTRY_HEIGHT;
        }
    }

    fn draw_rows(&self, pen: &mut Pen<'_>, width: usize) {
        if let Some(bar) = &self.bar {
            pen.paragraph(&bar.label, theme::LABEL_SIZE, theme::INK, width as f32);
            pen.y += TEXT_GAP;
            pen.lying_bar(bar, width.clamp(BAR_LENGTHS.0, BAR_LENGTHS.1));
            pen.paragraph(&bar.note, theme::SMALL_SIZE, theme::QUIET_INK, width as f32);
            pen.y += BLOCK_GAP;
        }
        let mut x = pen.left;
        for entry in &self.entries {
            let entry_width = entry.width();
            if x > pen.left && x + entry_width > pen.left + width {
                x = pen.left;
                pen.y += ENTRY_HEIGHT;
            }
            pen.entry(x, entry);
            x += entry_width + ENTRY_GAP;
        }
        if !self.entries.is_empty() {
            pen.y += ENTRY_HEIGHT;
        }
    }
}

impl Entry {
    fn width(&self) -> usize {
        SWATCH.0 + TEXT_GAP + text::width(&self.label, theme::LABEL_SIZE).ceil() as usize
    }
}

/// Where the legend has got to: the next free row and the furthest right pixel so far.
struct Pen<'a> {
    image: &'a mut Image,
    left: usize,
    top: usize,
    y: usize,
    right: usize,
}

impl Pen<'_> {
    fn reached(&mut self, x: f32) {
        self.right = self.right.max(x.ceil() as usize);
    }

    fn paragraph(&mut self, words: &str, size: f32, color: Rgb, width: f32) {
        for line in text::wrap(words, size, width, MOST_LINES) {
            let baseline = self.y as f32 + text::cap_height(size);
            let at = Vec2::new(self.left as f32, baseline);
            text::draw(self.image, &line, at, Style::new(size, color));
            self.reached(at.x + text::width(&line, size));
            self.y += text::line_height(size) as usize;
        }
    }

    fn upright_bar(&mut self, bar: &ColorBar, length: usize) {
        let (left, top) = (self.left as i64, self.y as i64);
        for row in 0..length {
            let t = 1.0 - (row as f32 + 0.5) / length as f32;
            let y = top + row as i64;
            self.image.fill_rect(left, y, BAR_THICKNESS, 1, bar.color(t));
        }
        let size = (BAR_THICKNESS, length);
        self.image.frame_rect((left, top), size, 1, theme::FRAME);
        let tick_x = self.left + BAR_THICKNESS + 1;
        for (t, words) in bar.upright(length) {
            let y = self.y as f32 + (1.0 - t) * (length - 1) as f32;
            let tick_y = y.round() as i64;
            let image = &mut *self.image;
            image.fill_rect(tick_x as i64, tick_y, TICK_LENGTH, 1, theme::FRAME);
            let at = Vec2::new((tick_x + TICK_LENGTH + TEXT_GAP / 2) as f32, y + 0.5);
            let style = Style::new(theme::LABEL_SIZE, theme::INK);
            text::draw_middle(image, &words, at, style);
            self.reached(at.x + text::width(&words, style.size));
        }
        self.y += length;
    }

    fn lying_bar(&mut self, bar: &ColorBar, length: usize) {
        let (left, top) = (self.left as i64, self.y as i64);
        for column in 0..length {
            let t = (column as f32 + 0.5) / length as f32;
            let x = left + column as i64;
            self.image.fill_rect(x, top, 1, BAR_THICKNESS, bar.color(t));
        }
        let size = (length, BAR_THICKNESS);
        self.image.frame_rect((left, top), size, 1, theme::FRAME);
        let below = self.y + BAR_THICKNESS + 1;
        let baseline = (below + TICK_LENGTH) as f32 + theme::LABEL_SIZE;
        for (t, words) in bar.lying(length) {
            let x = self.left as f32 + t * (length - 1) as f32;
            let image = &mut *self.image;
            image.fill_rect(x.round() as i64, below as i64, 1, TICK_LENGTH, theme::FRAME);
            // The numbers of the ends stay over the bar.
            let align = match t {
                0.0 => Align::Left,
                1.0 => Align::Right,
                _ => Align::Centre,
            };
            let style = Style::new(theme::LABEL_SIZE, theme::INK).align(align);
            text::draw(image, &words, Vec2::new(x, baseline), style);
        }
        self.reached((self.left + length) as f32 + 1.0);
        self.y = baseline as usize + TEXT_GAP;
    }

    fn entry(&mut self, x: usize, entry: &Entry) {
        let top = self.y + (ENTRY_HEIGHT - SWATCH.1) / 2;
        entry.swatch.draw(self.image, (x, top));
        let at =
            Vec2::new((x + SWATCH.0 + TEXT_GAP) as f32, self.y as f32 + ENTRY_HEIGHT as f32 / 2.0);
        let style = Style::new(theme::LABEL_SIZE, theme::INK);
        text::draw_middle(self.image, &entry.label, at, style);
        self.reached((x + entry.width()) as f32);
        debug_assert!(self.y >= self.top);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(low: f64, high: f64) -> ColorBar {
        ColorBar {
            map: ColorMap::VIRIDIS,
            low,
            high,
            label: "distance to goal (cells)".into(),
            note: String::new(),
        }
    }

    /// Numbers between the ends are round, in order and at their right places.
    #[test]
    fn ticks_are_round_numbers_in_place() {
        let bar = bar(0.0, 73.26);
        let all = bar.upright(300);
        let texts: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["0", "20", "40", "60", "73"]);
        assert!((all[2].0 - 40.0 / 73.26).abs() < 1e-6);
        assert!(all.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn odd_ranges_have_ticks_too() {
        let texts = |low, high| -> Vec<String> {
            let ticks = bar(low, high).upright(200);
            ticks.into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(texts(0.0, 0.0), ["0"]);
        assert_eq!(texts(2.5, 2.5), ["2.5"]);
        assert_eq!(texts(0.0, 0.02), ["0", "0.005", "0.010", "0.015", "0.020"]);
        assert!(texts(0.0, 3e7).contains(&"2e7".to_owned()));
        assert!(texts(-1e38, 3e38).len() > 2);
    }

    /// Measuring and drawing must agree, or the legend is cut off at the page's rim.
    #[test]
    fn the_measured_size_holds_all_ink() {
        let entry = |label: &str| Entry { swatch: Swatch::Star(theme::INK), label: label.into() };
        let legend = Legend {
            bar: Some(bar(0.0, 12_345.0)),
            entries: vec![entry("goal"), entry("somewhat longer words")],
        };
        for placement in [Placement::Column(500), Placement::Column(0), Placement::Rows(300)] {
            let (width, height) = legend.size(placement);
            let mut image = Image::filled(width + 40, height + 40, theme::PAGE);
            legend.draw(&mut image, (20, 20), placement);
            let inked = |x: usize, y: usize| image.get(x, y) != Some(theme::PAGE);
            for y in 0..height + 40 {
                let beyond = (0..18).chain(width + 22..width + 40);
                assert!(!beyond.into_iter().any(|x| inked(x, y)), "{placement:?}");
            }
            for x in 0..width + 40 {
                let beyond = (0..18).chain(height + 22..height + 40);
                assert!(!beyond.into_iter().any(|y| inked(x, y)), "{placement:?}");
            }
        }
    }
}
