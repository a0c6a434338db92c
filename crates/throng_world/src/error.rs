//! Why a place could not be read or made. Every message is one line that names the file, the line
//! where there is one, what is wrong and what would be right.

use std::io;
use std::path::Path;
use throng_field::GridError;

/// Why a map, a scenario file or a picture could not be turned into a place.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The file could not be opened or read.
    #[error("{file}: cannot be read ({source}); check the path and its permissions")]
    Read {
        /// Path of the file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The path is a directory.
    #[error("{file}: is a directory; name one map file inside it")]
    Directory {
        /// Path given.
        file: String,
    },
    /// The file is longer than any supported map.
    #[error("{file}: is longer than {limit} bytes; split it into smaller maps")]
    TooLong {
        /// Path of the file.
        file: String,
        /// Most bytes that are read.
        limit: u64,
    },
    /// The content is neither a MovingAI map nor a PNG.
    #[error(
        "{file}: starts with {found}, which is no supported map; give a MovingAI map (starts with `type octile`) or a PNG picture"
    )]
    UnknownFormat {
        /// Path of the file.
        file: String,
        /// First bytes, escaped.
        found: String,
    },
    /// A header line of a text file is not what the format asks for.
    #[error("{file}:{line}: {found} in the header; expected {expected}")]
    Header {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// The map has no cells or too many.
    #[error("{file}:{line}: {source}; correct the map's size")]
    TextSize {
        /// Name of the file.
        file: String,
        /// Line where the header ends, from 1.
        line: usize,
        /// Why the size is impossible.
        source: GridError,
    },
    /// A map row is longer or shorter than the width in the header.
    #[error(
        "{file}:{line}: this row has {found} cells but the header says width {width}; correct the row or the width"
    )]
    RowLength {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Cells in the row.
        found: usize,
        /// Width from the header.
        width: usize,
    },
    /// The map ends before the last row.
    #[error(
        "{file}:{line}: the map ends after {found} rows but the header says height {height}; add the missing rows or correct the height"
    )]
    RowsMissing {
        /// Name of the file.
        file: String,
        /// Last line, from 1.
        line: usize,
        /// Rows found.
        found: usize,
        /// Height from the header.
        height: usize,
    },
    /// There is more text after the last row.
    #[error(
        "{file}:{line}: text after row {height}, the last by the header; remove it or correct the height"
    )]
    RowsExtra {
        /// Name of the file.
        file: String,
        /// First line too many, from 1.
        line: usize,
        /// Height from the header.
        height: usize,
    },
    /// A map row holds a character that is no terrain.
    #[error(
        "{file}:{line}:{column}: {found} is no terrain; use one of . G S (free) or @ O T W (blocked)"
    )]
    Terrain {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The character, quoted and escaped.
        found: String,
    },
    /// A scenario line does not have nine fields.
    #[error(
        "{file}:{line}: {found} fields; a scenario has 9: bucket, map, width, height, start x, start y, goal x, goal y, optimal length"
    )]
    FieldCount {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Fields found.
        found: usize,
    },
    /// A scenario field is not what it should be.
    #[error("{file}:{line}: {field} is {found}; it must be {expected}")]
    Field {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Name of the field.
        field: &'static str,
        /// What stands there, quoted and escaped.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A scenario was made for a map of another size.
    #[error(
        "{map}: the scenario on line {line} is for {} x {} cells but the map has {} x {}; use the map of that size", stated.0, stated.1, actual.0, actual.1
    )]
    Misfit {
        /// Map named by the scenario.
        map: String,
        /// Line of the scenario, from 1.
        line: usize,
        /// Width and height in the scenario.
        stated: (u32, u32),
        /// Width and height of the map.
        actual: (usize, usize),
    },
    /// A picture cannot be decoded or is of an unsupported kind.
    #[error("{file}: {problem}; {cure}")]
    Picture {
        /// Name of the file.
        file: String,
        /// What is wrong.
        problem: String,
        /// What would be right.
        cure: &'static str,
    },
    /// A made map was asked for with impossible numbers.
    #[error("map `{map}`: {problem}; {cure}")]
    Recipe {
        /// Name of the made map.
        map: &'static str,
        /// What is wrong.
        problem: String,
        /// What would be right.
        cure: String,
    },
}

/// Most characters of foreign text that a message repeats.
const QUOTED_CHARS: usize = 40;

/// Foreign text in back quotes: escaped so that it stays on one line, cut when long.
pub(crate) fn quoted(text: &[u8]) -> String {
    // A character has at most 4 bytes, so this prefix holds all that could be shown.
    let head = &text[..text.len().min(4 * QUOTED_CHARS + 4)];
    let shown: String = String::from_utf8_lossy(head)
        .chars()
        .take(QUOTED_CHARS)
        .flat_map(char::escape_debug)
        .collect();
    let more = if text.len() > QUOTED_CHARS { "…" } else { "" };
    format!("`{shown}{more}`")
}

/// A file's name for messages: control characters escaped so that the message stays one line.
pub(crate) fn file_name(name: &str) -> String {
    let escape =
        |c: char| -> String { if c.is_control() { c.escape_debug().collect() } else { c.into() } };
    name.chars().map(escape).collect()
}

/// A path's name for messages.
pub(crate) fn path_name(path: &Path) -> String {
    file_name(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message that breaks over lines would hide its own end in a log.
    #[test]
    fn foreign_text_stays_on_one_short_line() {
        assert_eq!(quoted(b"a\nb"), "`a\\nb`");
        assert_eq!(quoted(b"\xff"), "`\u{fffd}`");
        assert!(quoted(&[b'x'; 1000]).chars().count() < 50);
        assert_eq!(file_name("a\nb"), "a\\nb");
    }
}
