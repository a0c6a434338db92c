//! Captions: letters of three by five dots.

use super::raster::Picture;

const DOT: usize = 2;

/// Rows of three dots, top first.
#[rustfmt::skip]
fn glyph(c: char) -> [u8; 5] {
    match c.to_ascii_lowercase() {
        'a' => [2, 5, 7, 5, 5], 'b' => [6, 5, 6, 5, 6], 'c' => [3, 4, 4, 4, 3], 'd' => [6, 5, 5, 5, 6],
        'e' => [7, 4, 6, 4, 7], 'f' => [7, 4, 6, 4, 4], 'g' => [3, 4, 5, 5, 3], 'h' => [5, 5, 7, 5, 5],
        'i' => [7, 2, 2, 2, 7], 'j' => [1, 1, 1, 5, 2], 'k' => [5, 5, 6, 5, 5], 'l' => [4, 4, 4, 4, 7],
        'm' => [5, 7, 7, 5, 5], 'n' => [6, 5, 5, 5, 5], 'o' => [2, 5, 5, 5, 2], 'p' => [6, 5, 6, 4, 4],
        'q' => [2, 5, 5, 6, 3], 'r' => [6, 5, 6, 5, 5], 's' => [3, 4, 2, 1, 6], 't' => [7, 2, 2, 2, 2],
        'u' => [5, 5, 5, 5, 7], 'v' => [5, 5, 5, 5, 2], 'w' => [5, 5, 7, 7, 5], 'x' => [5, 5, 2, 5, 5],
        'y' => [5, 5, 2, 2, 2], 'z' => [7, 1, 2, 4, 7],
        '0' => [7, 5, 5, 5, 7], '1' => [2, 6, 2, 2, 7], '2' => [6, 1, 2, 4, 7], '3' => [6, 1, 2, 1, 6],
        '4' => [5, 5, 7, 1, 1], '5' => [7, 4, 6, 1, 6], '6' => [3, 4, 7, 5, 7], '7' => [7, 1, 2, 2, 2],
        '8' => [7, 5, 7, 5, 7], '9' => [7, 5, 7, 1, 6],
        '.' => [0, 0, 0, 0, 2], ',' => [0, 0, 0, 2, 4], ':' => [0, 2, 0, 2, 0], '%' => [5, 1, 2, 4, 5],
        '_' | '-' => [0, 0, 7, 0, 0], '+' => [0, 2, 7, 2, 0],
        _ => [0; 5],
    }
}

/// Writes a line, its upper left at a pixel; what would be outside is left out.
pub(super) fn write(picture: &mut Picture, left: usize, top: usize, text: &str) {
    for (i, c) in text.chars().enumerate() {
        for (row, dots) in glyph(c).into_iter().enumerate() {
            for column in (0..3).filter(|column| dots >> (2 - column) & 1 == 1) {
                let (x, y) = (left + (i * 4 + column) * DOT, top + row * DOT);
                for at in 0..DOT * DOT {
                    let (x, y) = (x + at % DOT, y + at / DOT);
                    if x < picture.width && y < picture.height {
                        let to = (y * picture.width + x) * 3;
                        picture.rgb[to..to + 3].fill(0xd8);
                    }
                }
            }
        }
    }
}
