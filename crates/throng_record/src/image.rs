//! `Image`: a rectangle of 8-bit sRGB pixels, the canvas everything is drawn on, and its PNG form.

use crate::{RecordError, draw::Rgb, file};
use std::path::Path;

/// A picture of 8-bit sRGB pixels, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
}

impl Image {
    /// A picture of one colour. Sides of zero are taken as one pixel.
    pub fn filled(width: usize, height: usize, color: Rgb) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Self { width, height, pixels: vec![color; width * height] }
    }

    /// Pixels across.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, top row first.
    pub fn pixels(&self) -> &[Rgb] {
        &self.pixels
    }

    /// One row of pixels, to change. The row must be inside.
    pub fn row_mut(&mut self, y: usize) -> &mut [Rgb] {
        &mut self.pixels[y * self.width..(y + 1) * self.width]
    }

    /// The pixel's colour, or `None` outside.
    pub fn get(&self, x: usize, y: usize) -> Option<Rgb> {
        (x < self.width && y < self.height).then(|| self.pixels[y * self.width + x])
    }

    /// Mixes `color` into a pixel: `alpha` 0 leaves it, 1 replaces it. Outside nothing happens.
    pub fn blend(&mut self, x: i64, y: i64, color: Rgb, alpha: f32) {
        let inside = (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y);
        if inside && alpha > 0.0 {
            let pixel = &mut self.pixels[y as usize * self.width + x as usize];
            *pixel = pixel.mix(color, alpha);
        }
    }

    /// Fills the rectangle with its corner at `(x, y)`; parts outside are left out.
    pub fn fill_rect(&mut self, x: i64, y: i64, width: usize, height: usize, color: Rgb) {
        let clip = |from: i64, length: usize, end: usize| {
            let to = from.saturating_add(length as i64);
            (from.clamp(0, end as i64) as usize)..(to.clamp(0, end as i64) as usize)
        };
        let columns = clip(x, width, self.width);
        for y in clip(y, height, self.height) {
            self.row_mut(y)[columns.clone()].fill(color);
        }
    }

    /// Draws a frame `thickness` pixels wide just outside the given rectangle.
    pub fn frame_rect(
        &mut self,
        (x, y): (i64, i64),
        (width, height): (usize, usize),
        thickness: usize,
        color: Rgb,
    ) {
        let t = thickness as i64;
        let (full_width, full_height) = (width + 2 * thickness, height + 2 * thickness);
        self.fill_rect(x - t, y - t, full_width, thickness, color);
        self.fill_rect(x - t, y + height as i64, full_width, thickness, color);
        self.fill_rect(x - t, y - t, thickness, full_height, color);
        self.fill_rect(x + width as i64, y - t, thickness, full_height, color);
    }

    /// The picture as the bytes of a PNG file: 8-bit RGB, marked as sRGB.
    pub fn encode_png(&self) -> Result<Vec<u8>, RecordError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.to_rgb_bytes())?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Writes the picture to a PNG file.
    pub fn write_png(&self, path: &Path) -> Result<(), RecordError> {
        file::write_bytes(path, &self.encode_png()?)
    }

    fn to_rgb_bytes(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|pixel| pixel.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Readers must get back the very pixels that were drawn, and know that they are sRGB.
    #[test]
    fn png_reads_back_the_same_pixels() {
        let mut image = Image::filled(5, 3, Rgb([250, 250, 250]));
        image.fill_rect(-2, 1, 4, 9, Rgb([1, 2, 3]));
        image.blend(4, 0, Rgb([0, 0, 0]), 1.0);
        image.blend(5, 0, Rgb([0, 0, 0]), 1.0);
        let bytes = image.encode_png().unwrap();
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let mut reader = decoder.read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (5, 3));
        assert!(reader.info().srgb.is_some());
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, image.to_rgb_bytes());
        assert_eq!(image.get(1, 1), Some(Rgb([1, 2, 3])));
        assert_eq!(image.get(2, 1), Some(Rgb([250, 250, 250])));
        assert_eq!(image.get(4, 0), Some(Rgb([0, 0, 0])));
        assert_eq!(image.get(5, 0), None);
    }
}
