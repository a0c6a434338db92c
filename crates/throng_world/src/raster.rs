//! Pictures as cost grids: one pixel is one cell, white is open ground, darker is dearer, black is
//! blocked. Pictures are PNG; the first row of pixels is the first row of cells.

use crate::error::{file_name, path_name};
use crate::{BLOCKED, FREE, MapError, file};
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::{Cursor, ErrorKind};
use std::path::Path;
use throng_field::Grid;
use throng_field::grid::check_size;

/// The first bytes of every PNG file.
pub(crate) const PNG_SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Most bytes that the pixels of one picture may take once decoded.
pub const MAX_DECODED_BYTES: u64 = 1 << 30;

/// Most bytes that one compressed byte can stand for (the bound of the deflate format).
const MAX_INFLATION: u64 = 1032;

/// How grey becomes cost.
///
/// A pixel of brightness `g` (0 = black, 1 = white, the plain number in the file without gamma)
/// costs `1 + darkness_weight * (1 / g - 1)`, and is blocked where `g <= blocked_at`. With the
/// defaults that is `1 / g`: a grey of one half costs 2, and black alone is blocked.
///
/// Colours count by their luma (Rec. 709 weights). Transparent pixels are laid over white, as a
/// picture on paper looks, so what is fully transparent is open ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterRule {
    /// Brightness at or below which a cell is blocked, in [0, 1). Default 0.
    pub blocked_at: f32,
    /// How much darkness costs, not negative. 0 makes all that is not blocked open ground.
    /// Default 1.
    pub darkness_weight: f32,
}

impl Default for RasterRule {
    fn default() -> Self {
        Self { blocked_at: 0.0, darkness_weight: 1.0 }
    }
}

impl RasterRule {
    /// The cost of brightness `g` in 0..=1; at least 1, infinite where blocked.
    pub fn cost(&self, g: f64) -> f32 {
        if g <= 0.0 || g <= f64::from(self.blocked_at) {
            return BLOCKED;
        }
        let weight = f64::from(self.darkness_weight);
        // The same as 1 + weight * (1/g - 1), and exactly 1/g for a weight of 1.
        (((weight + (1.0 - weight) * g) / g) as f32).max(FREE)
    }

    fn check(&self, file: &str) -> Result<(), MapError> {
        let threshold = (0.0..1.0).contains(&self.blocked_at);
        if threshold && self.darkness_weight >= 0.0 && self.darkness_weight.is_finite() {
            return Ok(());
        }
        Err(MapError::Picture {
            file: file.into(),
            problem: format!(
                "the rule blocks at {} and weighs darkness by {}",
                self.blocked_at, self.darkness_weight
            ),
            cure: "block at 0 or more but below 1, and weigh by a finite number not below 0",
        })
    }
}

/// Reads a PNG picture as a cost grid; see [`parse_raster`].
pub fn read_raster(path: impl AsRef<Path>, rule: &RasterRule) -> Result<Grid<f32>, MapError> {
    let path = path.as_ref();
    parse_raster(&file::read(path)?, &path_name(path), rule)
}

/// The cost grid of a PNG picture: cells of 1 m, corner at (0, 0).
///
/// Grey, grey with alpha, RGB, RGBA and palette pictures of every bit depth are read, interlaced or
/// not. Animated, damaged and truncated pictures are refused, and so are those whose size is
/// impossible for their length, before memory is asked for. `name` names the file in errors.
pub fn parse_raster(bytes: &[u8], name: &str, rule: &RasterRule) -> Result<Grid<f32>, MapError> {
    let file = file_name(name);
    rule.check(&file)?;
    if !bytes.starts_with(&PNG_SIGNATURE) {
        let cure = "give a PNG picture";
        return Err(fault(&file, "does not start as a PNG does".into(), cure));
    }
    if is_animated(bytes) {
        let cure = "export one frame as a still picture";
        return Err(fault(&file, "is an animated PNG".into(), cure));
    }
    let pixels = decode(bytes, &file)?;
    let costs = pixels.costs(rule);
    Grid::from_vec(pixels.width, pixels.height, costs)
        .map_err(|e| fault(&file, e.to_string(), CURE_SIZE))
}

const CURE_SIZE: &str = "give a picture of a supported size";
const CURE_DAMAGE: &str = "save the picture again";

/// The grey of each pixel as a number from 0 to 65,535, in rows from the top.
pub(crate) fn parse_grey(bytes: &[u8], name: &str) -> Result<Grid<f32>, MapError> {
    let file = file_name(name);
    if is_animated(bytes) {
        return Err(fault(&file, "the PNG is animated".into(), CURE_DAMAGE));
    }
    let pixels = decode(bytes, &file)?;
    if pixels.per_pixel != 1 {
        let problem = "the PNG is no plain grey picture".into();
        return Err(fault(&file, problem, "give a 16-bit grey PNG without alpha"));
    }
    let values = if pixels.wide {
        pixels
            .samples
            .chunks_exact(2)
            .map(|s| f32::from(u16::from_be_bytes([s[0], s[1]])))
            .collect()
    } else {
        pixels.samples.iter().map(|s| f32::from(*s) * 257.0).collect()
    };
    Grid::from_vec(pixels.width, pixels.height, values)
        .map_err(|e| fault(&file, e.to_string(), CURE_SIZE))
}

fn fault(file: &str, problem: String, cure: &'static str) -> MapError {
    MapError::Picture { file: file.into(), problem, cure }
}

/// Says a decoder's error in one line.
fn decoding_fault(file: &str, error: &DecodingError) -> MapError {
    match error {
        DecodingError::IoError(e) if e.kind() == ErrorKind::UnexpectedEof => {
            fault(file, "the PNG is cut off before its end".into(), CURE_DAMAGE)
        }
        DecodingError::LimitsExceeded => {
            let problem = "the PNG needs more memory than its pixels justify".into();
            fault(file, problem, CURE_SIZE)
        }
        other => {
            let cause = file_name(&other.to_string());
            let cause = cause.trim_end_matches('.');
            fault(file, format!("the PNG is damaged ({cause})"), CURE_DAMAGE)
        }
    }
}

/// Whether an animation chunk stands before the pixels.
fn is_animated(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(PNG_SIGNATURE.len()..).unwrap_or(&[]);
    while let Some((&[a, b, c, d, ref kind @ ..], _)) = rest.split_first_chunk::<8>() {
        if kind == b"acTL" {
            return true;
        }
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if kind == b"IDAT" {
            return false;
        }
        // Length, kind and checksum around the chunk's content.
        rest = rest.get(length.saturating_add(12)..).unwrap_or(&[]);
    }
    false
}

/// Decoded samples in row order, 8 or 16 bits each (big end first), 1 to 4 of them to a pixel.
struct Pixels {
    width: usize,
    height: usize,
    samples: Vec<u8>,
    per_pixel: usize,
    wide: bool,
}

fn decode(bytes: &[u8], file: &str) -> Result<Pixels, MapError> {
    let damaged = |e: DecodingError| decoding_fault(file, &e);
    let limits = Limits { bytes: MAX_DECODED_BYTES as usize };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width, header.height);
    let bits = header.color_type.samples() as u64 * header.bit_depth as u64;
    check_picture(width, height, bits, bytes.len(), file)?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    check_palette(reader.info().palette.as_deref(), file)?;
    let size = reader.output_buffer_size().unwrap_or(usize::MAX);
    check_decoded(size as u64, file)?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(damaged)?;
    reader.finish().map_err(damaged)?;
    samples.truncate(frame.buffer_size());
    let per_pixel = match frame.color_type {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
        ColorType::Indexed => {
            let problem = "the palette could not be expanded".into();
            return Err(fault(file, problem, CURE_DAMAGE));
        }
    };
    Ok(Pixels {
        width: frame.width as usize,
        height: frame.height as usize,
        samples,
        per_pixel,
        wide: frame.bit_depth == BitDepth::Sixteen,
    })
}

/// Checks the header's claim: cells a grid can hold, and pixels the file is long enough for.
fn check_picture(
    width: u32,
    height: u32,
    bits_per_pixel: u64,
    file_bytes: usize,
    file: &str,
) -> Result<(), MapError> {
    let cells = check_size(width as usize, height as usize)
        .map_err(|e| fault(file, e.to_string(), CURE_SIZE))?;
    let decoded = (cells as u64 * bits_per_pixel).div_ceil(8);
    check_decoded(decoded, file)?;
    if decoded > (file_bytes as u64).saturating_mul(MAX_INFLATION) {
        let problem =
            format!("claims {width} x {height} pixels but has only {file_bytes} bytes for them");
        return Err(fault(file, problem, CURE_DAMAGE));
    }
    Ok(())
}

/// Checks that a palette is whole colours: png 0.18.1 panics on others (image-png issue 694).
fn check_palette(palette: Option<&[u8]>, file: &str) -> Result<(), MapError> {
    match palette.map_or(0, <[u8]>::len) {
        length if length % 3 == 0 && length <= 768 => Ok(()),
        length => {
            let problem = format!("the PNG is damaged (a palette of {length} bytes)");
            Err(fault(file, problem, CURE_DAMAGE))
        }
    }
}

fn check_decoded(bytes: u64, file: &str) -> Result<(), MapError> {
    if bytes <= MAX_DECODED_BYTES {
        return Ok(());
    }
    let problem = format!(
        "the pixels would take {bytes} bytes of memory, of which {MAX_DECODED_BYTES} are allowed"
    );
    let cure = "give a smaller picture or an 8-bit grey one";
    Err(fault(file, problem, cure))
}

/// Rec. 709 luma weights of red, green and blue in ten-thousandths.
const LUMA: [u64; 3] = [2126, 7152, 722];
const LUMA_SUM: u64 = 10_000;

impl Pixels {
    fn costs(&self, rule: &RasterRule) -> Vec<f32> {
        let sample_bytes = if self.wide { 2 } else { 1 };
        self.samples
            .chunks_exact(self.per_pixel * sample_bytes)
            .map(|pixel| rule.cost(self.brightness(pixel)))
            .collect()
    }

    /// Brightness over white in 0..=1. All sums are whole numbers below 2^53, so that equal greys
    /// give equal bits whatever the kind of picture they come from.
    fn brightness(&self, pixel: &[u8]) -> f64 {
        let sample = |i: usize| -> u64 {
            if self.wide {
                u64::from(pixel[2 * i]) << 8 | u64::from(pixel[2 * i + 1])
            } else {
                u64::from(pixel[i])
            }
        };
        let white: u64 = if self.wide { 65_535 } else { 255 };
        let luma = if self.per_pixel >= 3 {
            (0..3).map(|i| LUMA[i] * sample(i)).sum()
        } else {
            LUMA_SUM * sample(0)
        };
        let alpha = match self.per_pixel {
            2 => sample(1),
            4 => sample(3),
            _ => white,
        };
        let over_white = luma * alpha + LUMA_SUM * white * (white - alpha);
        over_white as f64 / (LUMA_SUM * white * white) as f64
    }
}

#[cfg(test)]
mod tests;
