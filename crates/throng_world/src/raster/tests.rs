//! Tests of pictures as cost grids, with pictures made here.

use super::*;

/// A PNG of the given kind with these raw rows.
fn png(size: (u32, u32), kind: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    png_with(size, kind, depth, data, |_| {})
}

fn png_with(
    (width, height): (u32, u32),
    kind: ColorType,
    depth: BitDepth,
    data: &[u8],
    set: impl FnOnce(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    set(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    out
}

fn costs(bytes: &[u8]) -> Vec<f32> {
    parse_raster(bytes, "a.png", &RasterRule::default()).unwrap().into_vec()
}

fn message(bytes: &[u8]) -> String {
    parse_raster(bytes, "a.png", &RasterRule::default()).unwrap_err().to_string()
}

/// The documented mapping, on all kinds of pictures: equal greys must give equal bits.
#[test]
fn every_kind_of_picture_gives_the_same_cost() {
    use BitDepth::{Eight, Four, One, Sixteen, Two};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let inf = BLOCKED;
    assert_eq!(costs(&png((2, 1), Grayscale, One, &[0b0100_0000])), [inf, 1.0]);
    assert_eq!(costs(&png((2, 1), Grayscale, Two, &[0b0111_0000])), [3.0, 1.0]);
    assert_eq!(costs(&png((2, 1), Grayscale, Four, &[0x30])), [5.0, inf]);
    let grey = [255, 51, 0, 1];
    let expected = [1.0, 5.0, inf, 255.0];
    assert_eq!(costs(&png((4, 1), Grayscale, Eight, &grey)), expected);
    let with = |f: fn(u8) -> Vec<u8>| grey.iter().flat_map(|&g| f(g)).collect::<Vec<u8>>();
    let wide = with(|g| vec![g, g]);
    assert_eq!(costs(&png((4, 1), Grayscale, Sixteen, &wide)), expected);
    let alpha = with(|g| vec![g, 255]);
    assert_eq!(costs(&png((4, 1), GrayscaleAlpha, Eight, &alpha)), expected);
    let rgb = with(|g| vec![g, g, g]);
    assert_eq!(costs(&png((4, 1), Rgb, Eight, &rgb)), expected);
    let rgba = with(|g| vec![g, g, g, g, g, g, 255, 255]);
    assert_eq!(costs(&png((4, 1), Rgba, Sixteen, &rgba)), expected);
    let indexed = png_with((4, 1), Indexed, Eight, &[0, 1, 2, 3], |e| {
        e.set_palette(rgb.clone());
    });
    assert_eq!(costs(&indexed), expected);
    assert_eq!(costs(&png((1, 1), Grayscale, Sixteen, &[0, 1])), [65_535.0]);
}

#[test]
fn colours_count_by_luma_and_transparency_shows_white() {
    use BitDepth::Eight;
    let primaries = [255, 0, 0, 0, 255, 0, 0, 0, 255];
    let found = costs(&png((3, 1), ColorType::Rgb, Eight, &primaries));
    for (cost, weight) in found.iter().zip([0.2126, 0.7152, 0.0722]) {
        assert!((cost - 1.0 / weight).abs() < 1e-4 * cost);
    }
    let clear_and_half = [0, 0, 0, 51];
    let found = costs(&png((2, 1), ColorType::GrayscaleAlpha, Eight, &clear_and_half));
    assert_eq!(found, [1.0, 1.25]);
}

#[test]
fn the_rule_sets_threshold_and_weight() {
    let picture = png((3, 1), ColorType::Grayscale, BitDepth::Eight, &[255, 51, 102]);
    let read = |blocked_at, darkness_weight| {
        let rule = RasterRule { blocked_at, darkness_weight };
        parse_raster(&picture, "a.png", &rule).map(Grid::into_vec)
    };
    assert_eq!(read(0.2, 1.0).unwrap(), [1.0, BLOCKED, 2.5]);
    assert_eq!(read(0.0, 0.0).unwrap(), [1.0, 1.0, 1.0]);
    assert_eq!(read(0.0, 2.0).unwrap(), [1.0, 9.0, 4.0]);
    for (at, weight) in [(1.0, 1.0), (-0.1, 1.0), (f32::NAN, 1.0), (0.0, -1.0), (0.0, f32::NAN)] {
        assert!(read(at, weight).unwrap_err().to_string().contains("block at 0 or more"));
    }
}

/// A picture that lost its end, or bits, must not become a map with a quiet hole.
#[test]
fn damaged_pictures_are_refused() {
    let data: Vec<u8> = (0..100).map(|i| (i * 37 % 251) as u8).collect();
    let good = png((10, 10), ColorType::Grayscale, BitDepth::Eight, &data);
    for length in 0..good.len() {
        let found = message(&good[..length]);
        let named = found.starts_with("a.png: ") && !found.contains('\n');
        assert!(named, "{length}: {found}");
    }
    assert!(message(&good[..good.len() / 2]).contains("cut off before its end; save"));
    let mut flipped = good.clone();
    flipped[60] ^= 1;
    assert!(message(&flipped).contains("damaged"));
    assert!(message(b"GIF89a").contains("does not start as a PNG"));
}

/// The decoder panics on a palette that ends inside a colour; it must not get that far.
#[test]
fn a_broken_palette_is_refused() {
    let mut picture = png_with((1, 1), ColorType::Indexed, BitDepth::Eight, &[0], |e| {
        e.set_palette(vec![1; 6]);
    });
    // The palette chunk follows the 33 bytes of signature and header: length, kind, content, sum.
    picture[33..37].copy_from_slice(&5u32.to_be_bytes());
    picture.remove(46);
    let sum = crc(&picture[37..46]);
    picture[46..50].copy_from_slice(&sum.to_be_bytes());
    assert!(message(&picture).contains("a palette of 5 bytes"));
}

/// The header of a picture with a right checksum and nothing behind it.
fn header_only(width: u32, height: u32) -> Vec<u8> {
    let good = png((1, 1), ColorType::Grayscale, BitDepth::Eight, &[0]);
    let mut out = good[..33].to_vec();
    out[16..20].copy_from_slice(&width.to_be_bytes());
    out[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc(&out[12..29]);
    out[29..33].copy_from_slice(&sum.to_be_bytes());
    out
}

/// The checksum of PNG chunks (CRC-32, reflected polynomial 0xEDB88320).
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| (sum >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(sum & 1));
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

/// A few bytes must not be able to ask for gigabytes, whatever size they claim.
#[test]
fn impossible_sizes_ask_for_no_memory() {
    assert!(message(&header_only(100_000, 100_000)).contains("is too large"));
    assert!(message(&header_only(30_000, 30_000)).contains("claims 30000 x 30000 pixels but has"));
    assert!(message(&header_only(0, 5)).starts_with("a.png: "));
    assert!(message(&header_only(5, 0)).starts_with("a.png: "));
    assert!(message(&header_only(u32::MAX, u32::MAX)).starts_with("a.png: "));
}

#[test]
fn animations_are_refused() {
    let set = |e: &mut png::Encoder<'_, &mut Vec<u8>>| e.set_animated(2, 0).unwrap();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 1, 1);
    encoder.set_color(ColorType::Grayscale);
    set(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0]).unwrap();
    writer.write_image_data(&[255]).unwrap();
    writer.finish().unwrap();
    assert!(message(&out).contains("animated PNG; export one frame"));
}
