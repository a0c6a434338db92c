//! Maps of the MovingAI grid benchmark (`.map`) as cost grids.
//!
//! Format: N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE TCIAIG 4(2), 2012: a header
//! of `type octile`, `height H`, `width W` and `map`, then H rows of W characters.

use crate::error::{file_name, path_name, quoted};
use crate::text::{Lines, parse_count, strip_mark};
use crate::{BLOCKED, FREE, MapError, file};
use std::path::Path;
use throng_field::Grid;
use throng_field::grid::check_size;

/// Cost of swamp (`S`). The benchmark's optimal lengths count all passable terrain alike, so swamp
/// costs what open ground costs; a scene that wants slow swamp raises it afterwards.
pub const SWAMP_COST: f32 = FREE;

/// What a header holds, for messages.
const HEADER_EXPECTED: &str = "`type octile`, `height H` and `width W`, once each, then `map`";

/// The cost of a terrain character, or `None` if it is none.
///
/// `.` `G` (ground) and `S` (swamp) are passable. `@` `O` (out of bounds) and `T` (trees) are
/// blocked, and so is `W`: water cannot be entered from land in the benchmark, and its scenarios
/// start and end on land.
pub fn terrain_cost(terrain: u8) -> Option<f32> {
    match terrain {
        b'.' | b'G' => Some(FREE),
        b'S' => Some(SWAMP_COST),
        b'@' | b'O' | b'T' | b'W' => Some(BLOCKED),
        _ => None,
    }
}

/// Reads a MovingAI map file; see [`parse_map`].
pub fn read_map(path: impl AsRef<Path>) -> Result<Grid<f32>, MapError> {
    let path = path.as_ref();
    parse_map(&file::read(path)?, &path_name(path))
}

/// The cost grid of a MovingAI map: cells of 1 m, corner at (0, 0), first row on top.
///
/// `name` names the file in errors. The order of the header's lines, CRLF line ends, spaces at the
/// ends of lines, blank lines at the end and a missing last line end are all tolerated; anything
/// else that deviates from the format is an error. Memory grows with `bytes`, not with the size
/// that the header claims.
pub fn parse_map(bytes: &[u8], name: &str) -> Result<Grid<f32>, MapError> {
    let file = file_name(name);
    let mut lines = Lines::new(bytes);
    let (width, height) = parse_header(&mut lines, &file)?;
    let header_end = lines.number;
    let bad_size = |source| MapError::TextSize { file: file.clone(), line: header_end, source };
    let cells = check_size(width, height).map_err(bad_size)?;
    let mut costs = Vec::with_capacity(cells.min(bytes.len()));
    for found in 0..height {
        let Some(row) = lines.next() else {
            return Err(MapError::RowsMissing { line: lines.number, file, found, height });
        };
        push_row(row, width, &mut costs).map_err(|fault| fault.at(&file, lines.number))?;
    }
    if lines.next().is_some() {
        return Err(MapError::RowsExtra { line: lines.number, file, height });
    }
    Grid::from_vec(width, height, costs).map_err(bad_size)
}

/// Whether the first bytes of a file are those of a map's header.
pub(crate) fn looks_like_map(start: &[u8]) -> bool {
    let text = strip_mark(start);
    [&b"type "[..], b"type\t", b"height ", b"width "].iter().any(|key| text.starts_with(key))
}

/// Reads up to the `map` line; gives width and height.
fn parse_header(lines: &mut Lines, file: &str) -> Result<(usize, usize), MapError> {
    let (mut kind, mut width, mut height) = (None, None, None);
    loop {
        let line = lines.next();
        let wrong = |found: String, expected| MapError::Header {
            file: file.into(),
            line: lines.number.max(1),
            found,
            expected,
        };
        let Some(line) = line else {
            return Err(wrong("the end of the file".into(), HEADER_EXPECTED));
        };
        let (key, value) = split_key(line);
        let slot = match key {
            b"type" => &mut kind,
            b"width" => &mut width,
            b"height" => &mut height,
            b"map" if value.is_empty() => break,
            _ => return Err(wrong(quoted(line), HEADER_EXPECTED)),
        };
        if slot.is_some() {
            return Err(wrong(format!("a second {}", quoted(key)), HEADER_EXPECTED));
        }
        *slot = Some(match key {
            b"type" if value == b"octile" => 0,
            b"type" => {
                return Err(wrong(quoted(line), "`type octile`, the only kind supported"));
            }
            _ => parse_count(value)
                .ok_or_else(|| wrong(quoted(line), "a whole number of at most 9 digits"))?,
        });
    }
    match (kind, width, height) {
        (Some(_), Some(width), Some(height)) => Ok((width, height)),
        _ => Err(MapError::Header {
            file: file.into(),
            line: lines.number,
            found: "`map` too early".into(),
            expected: HEADER_EXPECTED,
        }),
    }
}

/// The word before the first space or tab, and what follows without spaces around it.
fn split_key(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(u8::is_ascii_whitespace) {
        Some(end) => (&line[..end], line[end..].trim_ascii()),
        None => (line, &[]),
    }
}

/// What is wrong with a row, before it is known where the row stands.
enum RowFault {
    Terrain { column: usize, found: String },
    Length { found: usize, width: usize },
}

impl RowFault {
    fn at(self, file: &str, line: usize) -> MapError {
        let file = file.into();
        match self {
            Self::Terrain { column, found } => MapError::Terrain { file, line, column, found },
            Self::Length { found, width } => MapError::RowLength { file, line, found, width },
        }
    }
}

/// Appends the costs of one row of exactly `width` cells.
fn push_row(row: &[u8], width: usize, costs: &mut Vec<f32>) -> Result<(), RowFault> {
    if let Some(at) = row.iter().position(|&t| terrain_cost(t).is_none()) {
        return Err(RowFault::Terrain { column: at + 1, found: first_char(&row[at..]) });
    }
    if row.len() != width {
        return Err(RowFault::Length { found: row.len(), width });
    }
    costs.extend(row.iter().filter_map(|&t| terrain_cost(t)));
    Ok(())
}

/// The first character, quoted; a byte that is no UTF-8 as its hexadecimal value.
fn first_char(text: &[u8]) -> String {
    let head = &text[..text.len().min(4)];
    match String::from_utf8_lossy(head).chars().next() {
        Some(char::REPLACEMENT_CHARACTER) | None => {
            format!("byte 0x{:02x}", head.first().copied().unwrap_or(0))
        }
        Some(c) => quoted(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "type octile\nheight 2\nwidth 4\nmap\n.GS@\nOTW.\n";

    fn message(text: &[u8]) -> String {
        parse_map(text, "a.map").unwrap_err().to_string()
    }

    /// The terrain table decides where crowds may walk.
    #[test]
    fn terrain_becomes_cost() {
        let grid = parse_map(GOOD.as_bytes(), "a.map").unwrap();
        assert_eq!((grid.width(), grid.height()), (4, 2));
        assert_eq!((grid.cell_size(), grid.origin()), (1.0, glam::Vec2::ZERO));
        let (f, b) = (FREE, BLOCKED);
        assert_eq!(grid.as_slice(), [f, f, SWAMP_COST, b, b, b, b, f]);
    }

    /// Files in the wild come with other line ends, orders and tails.
    #[test]
    fn harmless_variants_read_the_same() {
        let grid = parse_map(GOOD.as_bytes(), "a.map").unwrap();
        let swapped = "type octile\nwidth 4\nheight 2\nmap\n.GS@\nOTW.\n";
        let variants = [
            swapped.to_string(),
            GOOD.replace('\n', "\r\n"),
            GOOD.replace('\n', "  \n"),
            GOOD.trim_end().to_string(),
            format!("{GOOD}\n \r\n\n"),
            format!("\u{feff}{GOOD}"),
            GOOD.replace("height 2", "height\t 2"),
        ];
        for text in variants {
            assert_eq!(parse_map(text.as_bytes(), "a.map").unwrap(), grid, "{text:?}");
        }
    }

    /// An error must lead straight to the place and say what would be right.
    #[test]
    fn faults_are_named_with_place_and_cure() {
        let cases: [(&str, &str, &str); 15] = [
            ("OTW.", "OTx.", "a.map:6:3: `x` is no terrain; use one of"),
            ("OTW.", "OT\u{e9}.", "a.map:6:3: `\u{e9}` is no terrain"),
            ("OTW.", "O.", "a.map:6: this row has 2 cells but the header says width 4"),
            ("OTW.", "OTW..", "a.map:6: this row has 5 cells"),
            ("OTW.", "", "a.map:5: the map ends after 1 rows but the header says height 2"),
            ("OTW.", "OTW.\n....", "a.map:7: text after row 2"),
            ("height 2", "height 0", "a.map:4: a grid of 4 x 0 cells has no cells"),
            ("height 2", "height two", "a.map:2: `height two` in the header; expected a whole"),
            ("height 2", "height -2", "expected a whole number"),
            ("height 2", "height 99999999999999999999", "expected a whole number"),
            ("height 2", "height 2\nheight 2", "a.map:3: a second `height` in the header"),
            ("height 2\n", "", "a.map:3: `map` too early in the header; expected"),
            ("octile", "hex", "a.map:1: `type hex` in the header; expected `type octile`"),
            ("map", "mop", "a.map:4: `mop` in the header"),
            ("width 4", "depth 4", "a.map:3: `depth 4` in the header"),
        ];
        for (from, to, expected) in cases {
            let found = message(GOOD.replacen(from, to, 1).as_bytes());
            assert!(found.contains(expected), "{found}\n  lacks {expected}");
            assert!(!found.contains('\n'));
        }
        assert!(message(b"").contains("a.map:1: the end of the file"));
        assert!(message(b"type octile\nheight 1\nwidth 1\nmap\n\xff").contains("byte 0xff"));
    }

    /// A few bytes must not be able to ask for gigabytes.
    #[test]
    fn giant_headers_ask_for_no_memory() {
        let giant = message(b"type octile\nheight 100000\nwidth 100000\nmap\n");
        assert!(giant.contains("a.map:4: a grid of 100000 x 100000 cells is too large"));
        let large = message(b"type octile\nheight 30000\nwidth 30000\nmap\n");
        assert!(large.contains("ends after 0 rows but the header says height 30000"));
    }
}
