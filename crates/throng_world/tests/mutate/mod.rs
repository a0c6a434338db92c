//! Ways to break a valid file, and valid pictures to break.

use proptest::prelude::*;

/// One change to a file. Positions are taken modulo the length.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    /// Invert one bit.
    Flip(usize, u8),
    /// Overwrite one byte.
    Set(usize, u8),
    /// Overwrite one byte with another of the same file.
    Copy(usize, usize),
    /// Put bytes in.
    Insert(usize, Vec<u8>),
    /// Take some bytes out.
    Remove(usize, usize),
    /// Cut the end off.
    Truncate(usize),
    /// Repeat a part of the file somewhere else in it.
    Duplicate(usize, usize, usize),
    /// Put a part of another seed file in.
    Splice(usize, usize, usize, usize),
}

/// One to three changes.
pub(crate) fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let at = || any::<usize>();
    let telling = prop::sample::select(&b"0123456789 \t\r\n.@GSTWO-+e\0\xff"[..]);
    let byte = || prop_oneof![any::<u8>(), telling.clone()];
    let inserted = prop::collection::vec(byte(), 1..6);
    let change = prop_oneof![
        4 => (at(), 0..8u8).prop_map(|(a, bit)| Mutation::Flip(a, bit)),
        4 => (at(), byte()).prop_map(|(a, b)| Mutation::Set(a, b)),
        4 => (at(), at()).prop_map(|(a, to)| Mutation::Copy(a, to)),
        2 => (at(), inserted).prop_map(|(a, bytes)| Mutation::Insert(a, bytes)),
        1 => (at(), 1..8usize).prop_map(|(a, n)| Mutation::Remove(a, n)),
        1 => at().prop_map(Mutation::Truncate),
        1 => (at(), 1..40usize, at()).prop_map(|(a, n, to)| Mutation::Duplicate(a, n, to)),
        1 => (at(), at(), 1..40usize, at()).prop_map(|(f, a, n, to)| Mutation::Splice(f, a, n, to)),
    ];
    prop::collection::vec(change, 1..4)
}

/// The seed file number `base` (modulo their count) after the changes.
pub(crate) fn mutate(bases: &[Vec<u8>], base: usize, changes: &[Mutation]) -> Vec<u8> {
    let mut bytes = bases[base % bases.len()].clone();
    for change in changes {
        apply(bases, &mut bytes, change);
    }
    bytes
}

fn apply(bases: &[Vec<u8>], bytes: &mut Vec<u8>, change: &Mutation) {
    let length = bytes.len();
    let place = |at: usize| at % (length + 1);
    let part = |from: &[u8], at: usize, n: usize| {
        let start = at % (from.len() + 1);
        from[start..(start + n).min(from.len())].to_vec()
    };
    match *change {
        Mutation::Flip(at, bit) if length > 0 => bytes[at % length] ^= 1 << bit,
        Mutation::Set(at, byte) if length > 0 => bytes[at % length] = byte,
        Mutation::Copy(at, to) if length > 0 => bytes[to % length] = bytes[at % length],
        Mutation::Flip(..) | Mutation::Set(..) | Mutation::Copy(..) => {}
        Mutation::Insert(at, ref new) => drop(bytes.splice(place(at)..place(at), new.clone())),
        Mutation::Remove(at, n) => drop(bytes.drain(place(at)..(place(at) + n).min(length))),
        Mutation::Truncate(at) => bytes.truncate(place(at)),
        Mutation::Duplicate(at, n, to) => {
            let copy = part(bytes, at, n);
            bytes.splice(place(to)..place(to), copy);
        }
        Mutation::Splice(file, at, n, to) => {
            let copy = part(&bases[file % bases.len()], at, n);
            bytes.splice(place(to)..place(to), copy);
        }
    }
}

/// Makes the checksum of every whole PNG chunk right, so that changes reach past it.
pub(crate) fn repair_checksums(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes(length.try_into().unwrap()) as usize;
        let end = at + 8 + length;
        if end + 4 > bytes.len() {
            return;
        }
        let sum = crc(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

/// The checksum of PNG chunks (CRC-32, reflected polynomial 0xEDB88320).
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| (sum >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(sum & 1));
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

/// Small valid pictures of every colour kind, compressed and plain, some interlaced.
pub(crate) fn pictures() -> Vec<Vec<u8>> {
    use png::BitDepth::{Eight, Four, One, Sixteen, Two};
    use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let kinds = [
        (Grayscale, One),
        (Grayscale, Two),
        (Grayscale, Four),
        (Grayscale, Eight),
        (Grayscale, Sixteen),
        (GrayscaleAlpha, Eight),
        (GrayscaleAlpha, Sixteen),
        (Rgb, Eight),
        (Rgb, Sixteen),
        (Rgba, Eight),
        (Indexed, Two),
        (Indexed, Eight),
    ];
    let plain = kinds.iter().map(|&(kind, depth)| picture(kind, depth, png::Compression::Balanced));
    let stored =
        kinds.iter().map(|&(kind, depth)| picture(kind, depth, png::Compression::NoCompression));
    let mut all: Vec<Vec<u8>> = plain.chain(stored).collect();
    all.extend([interlaced(), annotated()]);
    all
}

fn picture(kind: png::ColorType, depth: png::BitDepth, compression: png::Compression) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 5, 3);
    encoder.set_color(kind);
    encoder.set_depth(depth);
    encoder.set_compression(compression);
    if kind == png::ColorType::Indexed {
        encoder.set_palette((0..12u8).map(|i| i * 20).collect::<Vec<u8>>());
        encoder.set_trns(vec![255, 128]);
    }
    let row_bytes = (5 * kind.samples() * depth as usize).div_ceil(8);
    let colours = if kind == png::ColorType::Indexed { 4 } else { 251 };
    let data: Vec<u8> = (0..3 * row_bytes).map(|i| (i * 89 % colours) as u8).collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    out
}

/// A picture of 5 x 3 grey pixels in the seven passes of Adam7, by hand: the encoder makes none.
fn interlaced() -> Vec<u8> {
    // Rows of the passes that have pixels here, each behind its filter byte.
    let rows = [1, 1, 1, 3, 2, 2, 5];
    let raw: Vec<u8> = rows.iter().flat_map(|&n| [vec![0], vec![90; n]].concat()).collect();
    let length = raw.len() as u16;
    let mut zlib = vec![0x78, 0x01, 0x01];
    zlib.extend(length.to_le_bytes());
    zlib.extend((!length).to_le_bytes());
    zlib.extend(&raw);
    zlib.extend(adler(&raw).to_be_bytes());
    let header = [0, 0, 0, 5, 0, 0, 0, 3, 8, 0, 0, 0, 1];
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [(b"IHDR", &header[..]), (b"IDAT", &zlib), (b"IEND", &[])] {
        out.extend((content.len() as u32).to_be_bytes());
        out.extend(kind);
        out.extend(content);
        out.extend([0; 4]);
    }
    repair_checksums(&mut out);
    out
}

/// The checksum of zlib streams.
fn adler(bytes: &[u8]) -> u32 {
    let step = |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (b + a) % 65_521)
    };
    let (a, b) = bytes.iter().fold((1, 0), step);
    b << 16 | a
}

/// A picture with chunks that say nothing about its pixels.
fn annotated() -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 2, 2);
    encoder.set_source_gamma(png::ScaledFloat::new(0.45));
    encoder.add_text_chunk("Title".into(), "a place".into()).unwrap();
    encoder.add_ztxt_chunk("Note".into(), "a longer text".into()).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[1, 2, 3, 4]).unwrap();
    writer.finish().unwrap();
    out
}

/// An animated picture: refused as it is, but its chunks are worth splicing into others.
pub(crate) fn animated() -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, 2, 1);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[1, 2]).unwrap();
    writer.write_image_data(&[3, 4]).unwrap();
    writer.finish().unwrap();
    out
}
