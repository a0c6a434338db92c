//! Hazards, and names on the map: of goals and hazards, each with a light casing, none on another.

use super::layout::Layout;
use super::palette::visible;
use super::{HazardMark, MapExtras};
use crate::Image;
use crate::draw::text::{self, Align, Style};
use crate::draw::{Rgb, theme};
use glam::Vec2;
use std::borrow::Cow;
use std::collections::HashMap;
use throng_world::World;

const HAZARD_TINT: f32 = 0.5;
const HAZARD_RING: f32 = 2.0;
const LABEL_SIZE: f32 = 14.0;
const CASING: f32 = 2.0;
const CASING_STRENGTH: f32 = 0.92;
/// A name that would stand at more places than this is written here and there only.
const MANY: usize = 6;
/// Distance then between the same names (part of the map's longer side).
const APART: f32 = 0.36;
/// How dark names are, from the colour of what they name to ink.
const INK_PART: f32 = 0.55;

/// Hazards of a frame: those given, or the world's own at that time.
pub(super) fn hazards<'a>(
    world: &'a World,
    time: f64,
    extras: &MapExtras<'a>,
) -> Cow<'a, [HazardMark<'a>]> {
    if let Some(given) = extras.hazards {
        return Cow::Borrowed(given);
    }
    let here = world.hazards.iter().filter_map(|hazard| {
        let radius = if hazard.fear_radius > 0.0 { hazard.fear_radius } else { hazard.radius };
        let position = hazard.position(time)?;
        Some(HazardMark { position, radius, color: hazard.color, name: &hazard.name })
    });
    Cow::Owned(here.collect())
}

/// Draws hazards as clouds, thickest in the middle.
pub(super) fn draw_hazards(image: &mut Image, layout: &Layout, hazards: &[HazardMark<'_>]) {
    for hazard in hazards {
        let middle = layout.on_page(hazard.position);
        let radius = (hazard.radius * layout.scale).max(3.0);
        let color = Rgb(hazard.color);
        let range = |at: f32, end: usize| {
            let from = (at - radius - 2.0).max(0.0) as usize;
            from..((at + radius + 3.0).max(0.0) as usize).min(end)
        };
        for y in range(middle.y, image.height()) {
            for x in range(middle.x, image.width()).filter(|&x| layout.holds(x, y)) {
                let away = Vec2::new(x as f32 + 0.5, y as f32 + 0.5).distance(middle);
                let inside = (1.0 - away / radius).clamp(0.0, 1.0);
                let ring = (HAZARD_RING / 2.0 + 0.5 - (away - radius).abs()).clamp(0.0, 1.0);
                let alpha = (HAZARD_TINT * inside.sqrt()).max(0.85 * ring);
                image.blend(x as i64, y as i64, color, alpha);
            }
        }
    }
}

/// A name to be written, and how far from the same name (pixels).
#[derive(Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    color: Rgb,
    apart: f32,
}

/// A name that is written: its middle and half its size.
struct Taken<'a> {
    name: &'a str,
    at: Vec2,
    half: Vec2,
}

/// Names that were drawn before, ready to be put anywhere.
#[derive(Default)]
pub(super) struct Labels {
    stamps: HashMap<String, Stamp>,
}

/// A name as coverage: of its letters and of the casing around them.
struct Stamp {
    width: usize,
    height: usize,
    letters: Vec<f32>,
    casing: Vec<f32>,
}

impl Stamp {
    fn new(name: &str) -> Self {
        let rim = CASING.ceil() as usize + 1;
        let width = text::width(name, LABEL_SIZE).ceil() as usize + 2 * rim;
        let height = (LABEL_SIZE * 1.4) as usize + 2 * rim;
        let mut sheet = Image::filled(width, height, Rgb([255; 3]));
        let middle = Vec2::new(width as f32, height as f32) / 2.0;
        let style = Style::new(LABEL_SIZE, Rgb([0; 3])).align(Align::Centre);
        text::draw_middle(&mut sheet, name, middle, style);
        let letters: Vec<f32> =
            sheet.pixels().iter().map(|pixel| 1.0 - f32::from(pixel.0[0]) / 255.0).collect();
        let mut casing = vec![0.0f32; letters.len()];
        let reach = rim as i64;
        for (i, &cover) in letters.iter().enumerate().filter(|(_, cover)| **cover > 0.0) {
            let (x, y) = ((i % width) as i64, (i / width) as i64);
            for (dx, dy) in (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)))
            {
                let near = (CASING + 0.5 - ((dx * dx + dy * dy) as f32).sqrt()).clamp(0.0, 1.0);
                let (x, y) = (x + dx, y + dy);
                if x >= 0 && y >= 0 && x < width as i64 && y < height as i64 {
                    let pixel = &mut casing[y as usize * width + x as usize];
                    *pixel = pixel.max(cover * near);
                }
            }
        }
        Self { width, height, letters, casing }
    }

    /// Draws the name with its middle at `at`.
    fn draw(&self, image: &mut Image, at: Vec2, color: Rgb) {
        let half = Vec2::new(self.width as f32, self.height as f32) / 2.0;
        let corner = (at - half).round();
        for (i, (&letter, &casing)) in self.letters.iter().zip(&self.casing).enumerate() {
            let x = corner.x as i64 + (i % self.width) as i64;
            let y = corner.y as i64 + (i / self.width) as i64;
            image.blend(x, y, theme::CASING, casing * CASING_STRENGTH);
            image.blend(x, y, color, letter);
        }
    }
}

impl Labels {
    /// Writes the names of hazards and goals.
    pub(super) fn draw(
        &mut self,
        image: &mut Image,
        world: &World,
        layout: &Layout,
        hazards: &[HazardMark<'_>],
    ) {
        let mut taken = Vec::new();
        let (width, height) = layout.map_size();
        let far = APART * width.max(height) as f32;
        for hazard in hazards {
            let top = hazard.position + Vec2::new(0.0, hazard.radius);
            let at = layout.on_page(top) - Vec2::new(0.0, LABEL_SIZE * 0.75);
            let name = Name { text: hazard.name, color: Rgb(hazard.color), apart: 0.0 };
            self.place(image, layout, &mut taken, name, at);
        }
        for goal in &world.goals {
            let apart = if goal.places.len() > MANY { far } else { 0.0 };
            let name = Name { text: &goal.name, color: visible(Rgb(goal.color)), apart };
            for spot in &goal.places {
                let bounds = spot.shape.bounds();
                // Small places have their name above, large ones in the middle.
                let size = bounds.size() * layout.scale;
                let fits = size.x > text::width(&goal.name, LABEL_SIZE) + 12.0
                    && size.y > LABEL_SIZE * 2.0;
                let at = if fits || size.y > size.x * 3.0 {
                    layout.on_page(bounds.centre())
                } else {
                    let top = Vec2::new(bounds.centre().x, bounds.max.y);
                    layout.on_page(top) - Vec2::new(0.0, LABEL_SIZE * 0.85)
                };
                self.place(image, layout, &mut taken, name, at);
            }
        }
    }

    /// Writes a name near `at` (page, middle), kept on the map, unless another is there.
    fn place<'a>(
        &mut self,
        image: &mut Image,
        layout: &Layout,
        taken: &mut Vec<Taken<'a>>,
        name: Name<'a>,
        at: Vec2,
    ) {
        let Name { text: name, color, apart } = name;
        if name.is_empty() || !at.is_finite() {
            return;
        }
        let half = Vec2::new(text::width(name, LABEL_SIZE) / 2.0 + 3.0, LABEL_SIZE * 0.7);
        let corner = Vec2::new(layout.corner.0 as f32, layout.corner.1 as f32);
        let size = Vec2::new(layout.map_size().0 as f32, layout.map_size().1 as f32);
        let (low, high) = (corner + half + 2.0, corner + size - half - 2.0);
        let off_map = at.cmplt(corner - 40.0).any() || at.cmpgt(corner + size + 40.0).any();
        if off_map || low.cmpgt(high).any() {
            return;
        }
        let at = at.clamp(low, high);
        let hit = |other: &Taken<'_>| {
            let crossed = (at - other.at).abs().cmplt(half + other.half).all();
            crossed || (other.name == name && at.distance(other.at) < apart)
        };
        if taken.iter().any(hit) {
            return;
        }
        taken.push(Taken { name, at, half });
        let stamp = self.stamps.entry(name.to_owned()).or_insert_with(|| Stamp::new(name));
        stamp.draw(image, at, color.mix(theme::INK, INK_PART));
    }
}

/// A swatch of a hazard: how its cloud looks on the page.
pub(super) fn swatch(color: [u8; 3]) -> Rgb {
    theme::PAGE.mix(Rgb(color), HAZARD_TINT + 0.2)
}
