//! Contour lines of the potential at round values, every fifth or so thicker and labelled.

use super::page::Page;
use super::terrain::Terrain;
use crate::Image;
use crate::draw::contour::{self, Contour, Levels};
use crate::draw::text::{self, Align, Style};
use crate::draw::{Mask, Rgb, theme, ticks};
use glam::Vec2;

/// At most this many contour lines.
const MOST_LEVELS: usize = 40;
/// Lines closer than this many pixels are left out, and more of them in one pixel.
const LEAST_SPACING: usize = 2;
const MOST_PER_PIXEL: usize = 2;
const MINOR: LineStyle = LineStyle { width: 1.0, alpha: 0.4 };
const MAJOR: LineStyle = LineStyle { width: 1.9, alpha: 0.62 };
const DARK_LINE: Rgb = Rgb([12, 20, 40]);
const LIGHT_LINE: Rgb = Rgb([235, 245, 255]);
/// Ground darker than this gets light lines.
const DARK_GROUND: f32 = 0.42;
/// Lines of patches larger than this are rounded off, this many times.
const ROUND_FROM_SCALE: usize = 1;
const ROUNDS: usize = 2;
/// Free pixels around a label.
const LABEL_PAD: Vec2 = Vec2::new(3.0, 2.0);
/// A line must be this many times as long as its label.
const LEAST_LENGTH: f32 = 5.0;
/// Least distance of two labels, in pixels.
const LABEL_DISTANCE: f32 = 130.0;
/// Least distance of two labels of the same value.
const SAME_LABEL_DISTANCE: f32 = 420.0;
const MOST_LABELS: usize = 40;
/// Labels are tried at about this many places along a line.
const PLACES: usize = 48;

struct LineStyle {
    width: f32,
    alpha: f32,
}

/// Which values get a line and which of them a thick one.
pub(super) struct LineLevels {
    levels: Levels,
    major: i64,
}

impl LineLevels {
    /// A remark for the legend.
    pub(super) fn note(&self) -> String {
        let step = self.levels.step;
        let major = step * self.major as f64;
        let (minor_text, major_text) = (ticks::format(step, step), ticks::format(major, step));
        format!("lines every {minor_text}, bold every {major_text}")
    }

    fn value(&self, multiple: i64) -> f64 {
        multiple as f64 * self.levels.step
    }

    fn is_major(&self, multiple: i64) -> bool {
        multiple % self.major == 0
    }
}

/// Round values between the ends of the potential; none if it is the same everywhere.
pub(super) fn levels(terrain: &Terrain) -> Option<LineLevels> {
    let (low, high) = terrain.potential_range.filter(|(low, high)| high > low)?;
    let step = ticks::round_step(high - low, MOST_LEVELS);
    let inside = ticks::multiples(low, high, step);
    // A line at the very lowest value would be a dot in the goal.
    let first = *inside.start() + i64::from(*inside.start() as f64 * step <= low);
    let levels = Levels {
        step,
        multiples: first..=*inside.end(),
        most_per_quad: (terrain.scale / LEAST_SPACING).max(MOST_PER_PIXEL),
    };
    let major = ticks::steps_per_major(step);
    Some(LineLevels { levels, major })
}

/// A rectangle on the page, by its middle and half its size.
#[derive(Clone, Copy)]
pub(super) struct Clearing {
    pub(super) middle: Vec2,
    pub(super) half: Vec2,
}

impl Clearing {
    fn overlaps(&self, other: &Self) -> bool {
        let apart = (self.middle - other.middle).abs();
        let reach = self.half + other.half;
        apart.x < reach.x && apart.y < reach.y
    }
}

struct Label {
    value: f64,
    place: Clearing,
    text: String,
}

/// Draws all lines, and labels where they cover none of `keep_clear`.
pub(super) fn draw(
    image: &mut Image,
    terrain: &Terrain,
    page: &Page,
    levels: &LineLevels,
    keep_clear: &[Clearing],
) {
    let mut lines = contour::trace(&terrain.potential, &levels.levels);
    let corner = Vec2::new(page.map.0 as f32, page.map.1 as f32);
    for line in &mut lines {
        if terrain.scale > ROUND_FROM_SCALE {
            contour::smooth(line, ROUNDS);
        }
        for point in &mut line.points {
            *point = corner + *point * terrain.scale as f32;
        }
    }
    let (majors, minors): (Vec<Contour>, Vec<Contour>) =
        lines.into_iter().partition(|line| levels.is_major(line.multiple));
    let labels = place_labels(&majors, terrain, page, levels, keep_clear);
    for color in [DARK_LINE, LIGHT_LINE] {
        let of_color = |line: &&Contour| line_color(terrain, levels.value(line.multiple)) == color;
        for (lines, style) in [(&minors, &MINOR), (&majors, &MAJOR)] {
            let lines: Vec<&Contour> = lines.iter().filter(of_color).collect();
            draw_lines(image, terrain, page, &lines, &labels, (style, color));
        }
    }
    for label in &labels {
        let color = line_color(terrain, label.value);
        let style = Style::new(theme::SMALL_SIZE, color).align(Align::Centre);
        text::draw_middle(image, &label.text, label.place.middle, style);
    }
}

fn draw_lines(
    image: &mut Image,
    terrain: &Terrain,
    page: &Page,
    lines: &[&Contour],
    labels: &[Label],
    (style, color): (&LineStyle, Rgb),
) {
    let mut mask = Mask::new(image);
    for line in lines {
        mask.stroke(&line.points, style.width);
    }
    for Label { place, .. } in labels {
        mask.clear_rect(place.middle - place.half, place.middle + place.half);
    }
    mask.paint_where(image, style.alpha, |x, y| {
        let (x, y) = page.to_map(x, y)?;
        let patch = terrain.patch_of(x, y);
        let is_reached = terrain.potential.as_slice()[patch].is_finite();
        is_reached.then_some(color)
    });
}

/// A colour that stands out from the ground along the line of a value.
fn line_color(terrain: &Terrain, value: f64) -> Rgb {
    let is_dark = terrain.color_of(value).lightness() < DARK_GROUND;
    if is_dark { LIGHT_LINE } else { DARK_LINE }
}

/// One label per long thick line at most, where the line runs nearly level on open ground.
fn place_labels(
    lines: &[Contour],
    terrain: &Terrain,
    page: &Page,
    levels: &LineLevels,
    keep_clear: &[Clearing],
) -> Vec<Label> {
    let mut order: Vec<&Contour> = lines.iter().collect();
    order.sort_by(|a, b| length(b).total_cmp(&length(a)));
    let mut labels: Vec<Label> = Vec::new();
    for line in order {
        let value = levels.value(line.multiple);
        let text = ticks::format(value, levels.levels.step * levels.major as f64);
        let width = text::width(&text, theme::SMALL_SIZE);
        if labels.len() >= MOST_LABELS || length(line) < width * LEAST_LENGTH {
            break;
        }
        let half = Vec2::new(width, text::cap_height(theme::SMALL_SIZE)) / 2.0 + LABEL_PAD;
        let is_free = |place: &Clearing| {
            let crowded = |label: &Label| {
                let same = label.value == value;
                let least = if same { SAME_LABEL_DISTANCE } else { LABEL_DISTANCE };
                label.place.middle.distance(place.middle) < least
            };
            is_open(place, terrain, page)
                && !labels.iter().any(crowded)
                && !keep_clear.iter().any(|taken| taken.overlaps(place))
        };
        if let Some(place) = best_place(line, half, is_free) {
            labels.push(Label { value, place, text });
        }
    }
    labels
}

/// The place along a line where it is most level, among those allowed.
fn best_place(line: &Contour, half: Vec2, is_free: impl Fn(&Clearing) -> bool) -> Option<Clearing> {
    let points = &line.points;
    let stride = (points.len() / PLACES).max(1);
    let mut best: Option<(f32, Clearing)> = None;
    for i in (stride..points.len().saturating_sub(stride)).step_by(stride) {
        let along = points[i + stride] - points[i - stride];
        let levelness = along.x.abs() / along.length().max(f32::MIN_POSITIVE);
        let place = Clearing { middle: points[i], half };
        if best.is_none_or(|(most, _)| levelness > most) && is_free(&place) {
            best = Some((levelness, place));
        }
    }
    best.map(|(_, place)| place)
}

fn length(line: &Contour) -> f32 {
    line.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Whether a label would lie wholly on reachable ground.
fn is_open(place: &Clearing, terrain: &Terrain, page: &Page) -> bool {
    /// Places looked at along each side, a little further out than the label reaches.
    const PROBES: usize = 5;
    const REACH: f32 = 1.4;
    let probe = |i: usize| i as f32 / (PROBES - 1) as f32 * 2.0 - 1.0;
    (0..PROBES * PROBES).all(|i| {
        let at =
            place.middle + place.half * REACH * Vec2::new(probe(i % PROBES), probe(i / PROBES));
        if at.x < 0.0 || at.y < 0.0 {
            return false;
        }
        page.to_map(at.x as usize, at.y as usize).is_some_and(|(x, y)| {
            let patch = terrain.patch_of(x, y);
            terrain.wall[patch] + terrain.unreachable[patch] == 0.0
        })
    })
}
