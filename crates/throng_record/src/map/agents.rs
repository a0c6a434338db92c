//! The people: discs with a nose where there is room, else soft dots that add up where many are.

use super::Settings;
use super::layout::Layout;
use super::palette::Palette;
use crate::draw::Rgb;
use crate::{AgentFrame, Image};
use glam::Vec2;
use std::ops::Range;

/// Smaller discs than this are drawn as dots (pixels).
const LEAST_DISC: f32 = 1.5;
/// Dots are at least this large (pixels).
const LEAST_DOT: f32 = 0.95;
/// With a heat map below, dots are this large and this strong.
const HEAT_DOT: f32 = 0.75;
const HEAT_STRENGTH: f32 = 0.35;
const FAINT: f32 = 0.05;
/// Dots move by so many pixels at a time: the eye does not see it, and clips are much smaller.
const SNAP: f32 = 0.5;
/// The nose reaches this many radii from the middle.
const NOSE: f32 = 1.6;
/// Slower than this nobody has a nose (metres per second).
const STANDING: f32 = 0.05;
/// Discs from this size on have a rim (pixels).
const LEAST_RIMMED: f32 = 3.0;
const RIM: f32 = 1.1;
const RIM_DARKER: f32 = 0.45;
/// The light seam around discs.
const SEAM: f32 = 0.8;
const SEAM_STRENGTH: f32 = 0.75;
/// How quickly dots on top of each other become opaque.
const OPACITY: f32 = 2.2;
/// Crowded places get darker by up to this much.
const CROWD_DARKER: f32 = 0.28;
/// Coverage of this many dots counts as crowded.
const CROWDED: f32 = 3.0;
const DARK: Rgb = Rgb([24, 26, 32]);

/// Where dots add up, kept from frame to frame.
pub(super) struct Splats {
    width: usize,
    /// Red, green, blue times coverage, and coverage.
    sums: Vec<[f32; 4]>,
}

impl Splats {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, sums: vec![[0.0; 4]; width * height] }
    }

    /// Adds a dot at `at` (pixels of the map).
    fn add(&mut self, at: Vec2, radius: f32, color: Rgb, strength: f32) {
        let height = self.sums.len() / self.width;
        let reach = radius + 0.5;
        let range = |middle: f32, end: usize| {
            let from = (middle - reach).floor().max(0.0) as usize;
            from..((middle + reach).ceil().max(0.0) as usize).min(end)
        };
        let [r, g, b] = color.0.map(f32::from);
        let columns = range(at.x, self.width);
        for y in range(at.y, height) {
            let dy = y as f32 + 0.5 - at.y;
            let row = &mut self.sums[y * self.width..(y + 1) * self.width];
            for x in columns.clone() {
                let dx = x as f32 + 0.5 - at.x;
                let cover = (reach - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0) * strength;
                let sum = &mut row[x];
                *sum = [sum[0] + r * cover, sum[1] + g * cover, sum[2] + b * cover, sum[3] + cover];
            }
        }
    }

    /// Paints the dots and forgets them.
    fn paint(&mut self, image: &mut Image, (left, top): (usize, usize)) {
        for (y, row) in self.sums.chunks_exact_mut(self.width).enumerate() {
            let pixels = &mut image.row_mut(top + y)[left..left + self.width];
            for (sum, pixel) in row.iter_mut().zip(pixels).filter(|(sum, _)| sum[3] > 0.0) {
                let cover = sum[3];
                let color = Rgb([sum[0], sum[1], sum[2]].map(|part| (part / cover) as u8));
                let crowd = ((cover - 1.0) / CROWDED).clamp(0.0, 1.0);
                let color = color.mix(DARK, crowd * CROWD_DARKER);
                *pixel = pixel.mix(color, 1.0 - (-OPACITY * cover).exp());
                *sum = [0.0; 4];
            }
        }
    }
}

/// Draws everybody.
pub(super) fn draw(
    image: &mut Image,
    layout: &Layout,
    palette: &Palette,
    settings: &Settings,
    frame: &AgentFrame<'_>,
    splats: &mut Splats,
) {
    let heated = settings.heat.is_some();
    let mut discs = Vec::new();
    for i in 0..frame.len() {
        let at = layout.on_map(frame.position(i));
        let radius = frame.radius[i] * layout.scale;
        if !(at.is_finite() && radius.is_finite()) {
            continue;
        }
        if heated {
            // Many dots as small as a pixel would hide the heat.
            let strength = if radius < LEAST_DISC { FAINT } else { HEAT_STRENGTH };
            splats.add(at, HEAT_DOT.max(radius * 0.5).min(4.0), DARK, strength);
        } else if radius < LEAST_DISC {
            let at = (at / SNAP).round() * SNAP;
            splats.add(at, radius.max(LEAST_DOT), palette.of(settings, frame, i), 1.0);
        } else {
            discs.push(i);
        }
    }
    splats.paint(image, layout.corner);
    let (left, top) = layout.corner;
    let (width, height) = layout.map_size();
    let clip = (left..left + width, top..top + height);
    for i in discs {
        let velocity = frame.velocity(i);
        let disc = Disc {
            at: layout.on_page(frame.position(i)),
            radius: frame.radius[i] * layout.scale,
            // The picture's y points down.
            heading: (velocity.length() > STANDING)
                .then(|| Vec2::new(velocity.x, -velocity.y).normalize_or_zero()),
            color: palette.of(settings, frame, i),
        };
        disc.draw(image, &clip);
    }
}

/// Draws one person anywhere on the page, for the legend.
pub(super) fn person(image: &mut Image, at: Vec2, radius: f32, heading: Vec2, color: Rgb) {
    let clip = (0..image.width(), 0..image.height());
    Disc { at, radius, heading: Some(heading), color }.draw(image, &clip);
}

struct Disc {
    at: Vec2,
    radius: f32,
    heading: Option<Vec2>,
    color: Rgb,
}

impl Disc {
    /// Draws the part of it within columns and rows of the page.
    fn draw(&self, image: &mut Image, (columns, rows): &(Range<usize>, Range<usize>)) {
        let reach = self.radius * NOSE + SEAM + 1.0;
        let range = |middle: f32, limit: &Range<usize>| {
            let from = (middle - reach).floor().max(limit.start as f32) as usize;
            from..((middle + reach).ceil().max(0.0) as usize).min(limit.end)
        };
        let rim = if self.radius >= LEAST_RIMMED { RIM } else { 0.0 };
        let edge = self.color.mix(DARK, RIM_DARKER);
        for y in range(self.at.y, rows) {
            let row = image.row_mut(y);
            for x in range(self.at.x, columns) {
                let outside = self.distance(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
                if outside > SEAM + 0.5 {
                    continue;
                }
                let cover = |beyond: f32| (0.5 - beyond).clamp(0.0, 1.0);
                let pixel = &mut row[x];
                *pixel = pixel.mix(Rgb([255; 3]), cover(outside - SEAM) * SEAM_STRENGTH);
                *pixel = pixel.mix(if rim > 0.0 { edge } else { self.color }, cover(outside));
                if rim > 0.0 {
                    *pixel = pixel.mix(self.color, cover(outside + rim));
                }
            }
        }
    }

    /// Pixels from the outline, negative inside: a disc, drawn out to a tip where it heads.
    fn distance(&self, pixel: Vec2) -> f32 {
        let from = pixel - self.at;
        let Some(heading) = self.heading else {
            return from.length() - self.radius;
        };
        let (along, across) = (from.dot(heading), from.perp_dot(heading).abs());
        let (sin, cos) = (1.0 / NOSE, (1.0 - 1.0 / (NOSE * NOSE)).sqrt());
        // Left of the normal at the point where the tip's side touches, the disc is nearest.
        if along * cos < across * sin {
            return from.length() - self.radius;
        }
        across * cos + (along - self.radius * NOSE) * sin
    }
}
