//! Swatches: small samples of how things look in a picture, for its legend.

use super::{Mask, Rgb, star, theme};
use crate::Image;
use glam::Vec2;

/// Width and height of a swatch in pixels.
pub(super) const SIZE: (usize, usize) = (26, 16);
/// Thickness of lines, rings and rims.
const LINE: f32 = 4.0;
const RIM: usize = 2;

/// How a thing looks in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swatch {
    /// One colour.
    Fill(Rgb),
    /// A colour with a rim.
    Rimmed(Rgb, Rgb),
    /// Two colours with all between them.
    Ramp(Rgb, Rgb),
    /// Hatching in the second colour on the first.
    Hatched(Rgb, Rgb),
    /// A line.
    Line(Rgb),
    /// A star.
    Star(Rgb),
    /// A ring.
    Ring(Rgb),
    /// A disc.
    Disc(Rgb),
}

impl Swatch {
    /// Draws the swatch with its left upper corner at `(x, y)`.
    pub(super) fn draw(self, image: &mut Image, (x, y): (usize, usize)) {
        let corner = (x as i64, y as i64);
        let middle = Vec2::new(x as f32, y as f32) + Vec2::new(SIZE.0 as f32, SIZE.1 as f32) / 2.0;
        let radius = SIZE.1 as f32 / 2.0;
        match self {
            Swatch::Fill(color) => fill_swatch(image, corner, |_, _| color),
            Swatch::Rimmed(color, rim) => {
                fill_swatch(image, corner, |_, _| color);
                let (width, height) = (SIZE.0 - RIM, SIZE.1 - RIM);
                image.frame_rect((corner.0 + 1, corner.1 + 1), (width, height), RIM, rim);
            }
            Swatch::Ramp(from, to) => fill_swatch(image, corner, |column, _| {
                from.mix(to, column as f32 / (SIZE.0 - 1) as f32)
            }),
            Swatch::Hatched(ground, lines) => fill_swatch(image, corner, |column, row| {
                ground.mix(lines, theme::hatch(column, row))
            }),
            Swatch::Line(color) => {
                let half = Vec2::new(SIZE.0 as f32 / 2.0 - LINE / 2.0, 0.0);
                shape(image, color, |mask| {
                    mask.stroke(&[middle - half, middle + half], LINE);
                });
            }
            Swatch::Star(color) => shape(image, color, |mask| {
                mask.polygon(&star(middle, radius + 1.0));
            }),
            Swatch::Ring(color) => {
                shape(image, color, |mask| mask.disc(middle, radius - 1.0));
                shape(image, theme::PAGE, |mask| mask.disc(middle, radius - LINE));
            }
            Swatch::Disc(color) => shape(image, color, |mask| mask.disc(middle, radius - 1.0)),
        }
    }
}

fn shape(image: &mut Image, color: Rgb, cover: impl FnOnce(&mut Mask)) {
    let mut mask = Mask::new(image);
    cover(&mut mask);
    mask.paint(image, color);
}

fn fill_swatch(image: &mut Image, (x, y): (i64, i64), color: impl Fn(usize, usize) -> Rgb) {
    for row in 0..SIZE.1 {
        for column in 0..SIZE.0 {
            image.blend(x + column as i64, y + row as i64, color(column, row), 1.0);
        }
    }
    image.frame_rect((x, y), SIZE, 1, theme::FRAME);
}
