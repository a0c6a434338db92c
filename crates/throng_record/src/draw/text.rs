//! Anti-aliased text in DejaVu Sans 2.37.
//!
//! The typeface comes with the `dejavu` crate, under the Bitstream Vera licence with DejaVu's own
//! changes in the public domain: free to use, embed and pass on (`LICENSE-DejaVu.txt`).

use super::Rgb;
use crate::Image;
use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont};
use glam::Vec2;
use std::sync::LazyLock;

static FONT: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(dejavu::sans::regular()).expect("the built-in font is a valid font")
});

/// Height of capitals and digits as a part of the text size.
const CAP_HEIGHT: f32 = 0.729;
/// Distance of two lines as a part of the text size.
const LINE_HEIGHT: f32 = 1.35;
/// Ends a text that had to be cut.
const ELLIPSIS: char = '…';

/// Where the given point lies on a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At its left end.
    Left,
    /// In the middle.
    Centre,
    /// At its right end.
    Right,
}

/// Size and colour of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Em in pixels.
    pub size: f32,
    /// Colour.
    pub color: Rgb,
    /// Where the point lies to which the text is drawn.
    pub align: Align,
}

impl Style {
    /// Left-aligned text.
    pub const fn new(size: f32, color: Rgb) -> Self {
        let align = Align::Left;
        Self { size, color, align }
    }

    /// The same style with another alignment.
    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }
}

/// Height of capitals and digits in pixels.
pub fn cap_height(size: f32) -> f32 {
    size * CAP_HEIGHT
}

/// Pixels from one line to the next.
pub fn line_height(size: f32) -> f32 {
    (size * LINE_HEIGHT).ceil()
}

/// Length of a line of text in pixels.
pub fn width(text: &str, size: f32) -> f32 {
    layout(text, size).1
}

/// Draws one line with its baseline at `at.y`. Line breaks and tabs are drawn as spaces.
pub fn draw(image: &mut Image, text: &str, at: Vec2, style: Style) {
    let (glyphs, length) = layout(text, style.size);
    let left = match style.align {
        Align::Left => at.x,
        Align::Centre => at.x - length / 2.0,
        Align::Right => at.x - length,
    };
    for (id, offset) in glyphs {
        // A baseline on a pixel's edge keeps the feet of letters sharp.
        let position = ab_glyph::point(left + offset, at.y.round());
        let glyph = id.with_scale_and_position(scale(style.size), position);
        if let Some(outline) = FONT.outline_glyph(glyph) {
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, cover| {
                let (x, y) = (corner.x as i64 + i64::from(x), corner.y as i64 + i64::from(y));
                image.blend(x, y, style.color, cover.min(1.0));
            });
        }
    }
}

/// Draws one line with the middle of its capitals at `at.y`.
pub fn draw_middle(image: &mut Image, text: &str, at: Vec2, style: Style) {
    let baseline = at.y + cap_height(style.size) / 2.0;
    draw(image, text, Vec2::new(at.x, baseline), style);
}

/// Breaks a text into lines of at most `max_width` pixels, at spaces where there are any, else
/// inside a word. At most `max_lines` are kept; a text cut short ends in `…`.
pub fn wrap(text: &str, size: f32, max_width: f32, max_lines: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && lines.len() < max_lines {
        let is_last = lines.len() + 1 == max_lines;
        let fitting = fitting_bytes(rest, size, max_width);
        if fitting == rest.len() {
            lines.push(rest.to_owned());
            break;
        }
        if is_last {
            let room = max_width - width("…", size);
            let mut line = rest[..fitting_bytes(rest, size, room)].trim_end().to_owned();
            line.push(ELLIPSIS);
            lines.push(line);
            break;
        }
        let at = rest[..fitting].rfind(char::is_whitespace).unwrap_or(fitting);
        // A space right after the part that fits is as good a place to break.
        let at = if rest[fitting..].starts_with(char::is_whitespace) { fitting } else { at };
        lines.push(rest[..at].trim_end().to_owned());
        rest = rest[at..].trim_start();
    }
    lines
}

/// Bytes of the longest start of `text` that fits, at least one character.
fn fitting_bytes(text: &str, size: f32, max_width: f32) -> usize {
    let font = FONT.as_scaled(scale(size));
    let mut length = 0.0;
    let mut previous = None;
    for (at, c) in text.char_indices() {
        length += advance(&font, c, &mut previous);
        if length > max_width && at > 0 {
            return at;
        }
    }
    text.len()
}

/// Glyphs with their offsets from the left end, and the length of the whole.
fn layout(text: &str, size: f32) -> (Vec<(GlyphId, f32)>, f32) {
    let font = FONT.as_scaled(scale(size));
    let mut glyphs = Vec::new();
    let mut length = 0.0;
    let mut previous = None;
    for c in text.chars() {
        let step = advance(&font, c, &mut previous);
        let id = font.glyph_id(printable(c));
        glyphs.push((id, length + step - font.h_advance(id)));
        length += step;
    }
    (glyphs, length)
}

/// How far a character moves the pen, kerning with the previous one included.
fn advance(
    font: &ab_glyph::PxScaleFont<&FontRef<'static>>,
    c: char,
    previous: &mut Option<GlyphId>,
) -> f32 {
    let id = font.glyph_id(printable(c));
    let kern = previous.map_or(0.0, |previous| font.kern(previous, id));
    *previous = Some(id);
    kern + font.h_advance(id)
}

fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// The font library measures from ascent to descent; sizes here are ems.
fn scale(size: f32) -> PxScale {
    let em = FONT.units_per_em().unwrap_or_else(|| FONT.height_unscaled());
    PxScale::from(size * FONT.height_unscaled() / em)
}

#[cfg(test)]
mod tests {
    use super::super::theme::{INK, PAGE};
    use super::*;

    /// Text drawn wider than measured would run out of the picture.
    #[test]
    fn ink_stays_inside_the_measured_width() {
        let text = "Wall 123.4 → × é";
        let mut image = Image::filled(300, 40, PAGE);
        draw(&mut image, text, Vec2::new(20.0, 25.0), Style::new(14.0, INK));
        let end = 20.0 + width(text, 14.0);
        let inked = |x: usize| (0..40).any(|y| image.get(x, y) != Some(PAGE));
        assert!((20..end as usize).any(inked));
        assert!(!(0..19).any(inked) && !(end.ceil() as usize + 1..300).any(inked));
    }

    #[test]
    fn wrapped_lines_fit_and_lose_no_word() {
        let text = "a map with a rather long name · 512 × 512 cells \n averyveryverylongwordindeed";
        let lines = wrap(text, 13.0, 120.0, 20);
        assert!(lines.iter().all(|line| width(line, 13.0) <= 120.0), "{lines:?}");
        let squeeze = |s: &str| s.split_whitespace().collect::<String>();
        assert_eq!(squeeze(&lines.concat()), squeeze(text));
        let cut = wrap(text, 13.0, 120.0, 2);
        assert_eq!(cut.len(), 2);
        assert!(cut[1].ends_with('…') && width(&cut[1], 13.0) <= 120.0);
        assert!(wrap("  ", 13.0, 100.0, 3).is_empty());
        assert_eq!(wrap("wide", 13.0, 0.0, 9).concat(), "wide");
    }
}
