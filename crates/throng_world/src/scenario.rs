//! Scenario files of the MovingAI grid benchmark (`.scen`): starts, goals and optimal lengths.
//!
//! Format: a line `version 1` or `version 1.0`, then per line bucket, map name, map width, map
//! height, start x, start y, goal x, goal y and optimal length, separated by tabs or by spaces.

use crate::error::{file_name, path_name, quoted};
use crate::text::{Lines, parse_count};
use crate::{MapError, file};
use std::path::Path;
use throng_field::{Cell, Grid};

/// One path to find: from where to where on which map, and how long the best path is.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Group of scenarios of like length (the benchmark uses optimal length / 4).
    pub bucket: u32,
    /// The map's name as the author wrote it, often with a path.
    pub map: String,
    /// Width and height of the map in cells.
    pub size: (u32, u32),
    /// Where the path starts; inside `size`.
    pub start: Cell,
    /// Where the path ends; inside `size`.
    pub goal: Cell,
    /// Length of the shortest octile path in cells (straight step 1, diagonal step √2, no corner
    /// cut). Finite, not negative.
    pub optimal: f64,
    /// Line of the file, from 1.
    pub line: usize,
}

impl Scenario {
    /// Checks that the scenario was made for a map of this grid's size.
    pub fn fits(&self, map: &Grid<f32>) -> Result<(), MapError> {
        let actual = (map.width(), map.height());
        if (self.size.0 as usize, self.size.1 as usize) == actual {
            return Ok(());
        }
        Err(MapError::Misfit {
            map: file_name(&self.map),
            line: self.line,
            stated: self.size,
            actual,
        })
    }
}

/// Reads a scenario file; see [`parse_scenarios`].
pub fn read_scenarios(path: impl AsRef<Path>) -> Result<Vec<Scenario>, MapError> {
    let path = path.as_ref();
    parse_scenarios(&file::read(path)?, &path_name(path))
}

/// All scenarios of a file, in its order. `name` names the file in errors.
///
/// A line with a tab is separated by tabs (map names may then hold spaces), any other by spaces.
/// CRLF line ends and blank lines are tolerated. A file without scenarios gives an empty list.
pub fn parse_scenarios(bytes: &[u8], name: &str) -> Result<Vec<Scenario>, MapError> {
    let file = file_name(name);
    let mut lines = Lines::new(bytes);
    parse_version(lines.next(), &file)?;
    let mut scenarios = Vec::new();
    while let Some(text) = lines.next() {
        let line = lines.number;
        if !text.is_empty() {
            scenarios.push(Fields::split(text, &file, line)?.scenario()?);
        }
    }
    Ok(scenarios)
}

fn parse_version(line: Option<&[u8]>, file: &str) -> Result<(), MapError> {
    let words: Vec<&[u8]> = line.map(words).into_iter().flatten().take(3).collect();
    if matches!(words[..], [b"version", b"1" | b"1.0"]) {
        return Ok(());
    }
    Err(MapError::Header {
        file: file.into(),
        line: 1,
        found: line.map_or("the end of the file".into(), quoted),
        expected: "`version 1` or `version 1.0` on the first line",
    })
}

/// The parts of a line between runs of spaces.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// The nine fields of one line, and where they stand.
struct Fields<'a> {
    text: [&'a [u8]; 9],
    file: &'a str,
    line: usize,
}

impl<'a> Fields<'a> {
    fn split(text: &'a [u8], file: &'a str, line: usize) -> Result<Self, MapError> {
        let mut fields = [&[][..]; 9];
        let mut found = 0;
        let mut put = |field: &'a [u8]| {
            if let Some(slot) = fields.get_mut(found) {
                *slot = field;
            }
            found += 1;
        };
        if text.contains(&b'\t') {
            text.split(|&b| b == b'\t').for_each(|f| put(f.trim_ascii()));
        } else {
            words(text).for_each(put);
        }
        if found != fields.len() {
            let file = file.into();
            return Err(MapError::FieldCount { file, line, found });
        }
        Ok(Self { text: fields, file, line })
    }

    fn scenario(&self) -> Result<Scenario, MapError> {
        let size =
            (self.number(2, "map width", 1..u32::MAX)?, self.number(3, "map height", 1..u32::MAX)?);
        Ok(Scenario {
            bucket: self.number(0, "bucket", 0..u32::MAX)?,
            map: self.map_name()?,
            size,
            start: Cell {
                x: self.number(4, "start x", 0..size.0)?,
                y: self.number(5, "start y", 0..size.1)?,
            },
            goal: Cell {
                x: self.number(6, "goal x", 0..size.0)?,
                y: self.number(7, "goal y", 0..size.1)?,
            },
            optimal: self.optimal()?,
            line: self.line,
        })
    }

    fn wrong(&self, at: usize, field: &'static str, expected: String) -> MapError {
        MapError::Field {
            file: self.file.into(),
            line: self.line,
            field,
            found: quoted(self.text[at]),
            expected,
        }
    }

    /// A whole number inside `range`.
    fn number(
        &self,
        at: usize,
        field: &'static str,
        range: std::ops::Range<u32>,
    ) -> Result<u32, MapError> {
        parse_count(self.text[at])
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| range.contains(n))
            .ok_or_else(|| {
                let upper = match range.end {
                    u32::MAX => "with at most 9 digits".into(),
                    end => format!("below {end}, the map's size on this line"),
                };
                let expected = format!("a whole number of at least {}, {upper}", range.start);
                self.wrong(at, field, expected)
            })
    }

    fn map_name(&self) -> Result<String, MapError> {
        match std::str::from_utf8(self.text[1]) {
            Ok(name) if !name.is_empty() => Ok(name.into()),
            _ => Err(self.wrong(1, "map name", "a name in UTF-8".into())),
        }
    }

    fn optimal(&self) -> Result<f64, MapError> {
        let number = std::str::from_utf8(self.text[8]).ok();
        number
            .and_then(|text| text.parse::<f64>().ok())
            .filter(|length| length.is_finite() && *length >= 0.0)
            .map(|length| length + 0.0) // -0 becomes 0
            .ok_or_else(|| {
                let expected = "a finite number that is not negative";
                self.wrong(8, "optimal length", expected.into())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "version 1\n3\tmaps/a b.map\t10\t20\t1\t2\t9\t19\t14.5\n";

    fn message(text: &str) -> String {
        parse_scenarios(text.as_bytes(), "a.scen").unwrap_err().to_string()
    }

    #[test]
    fn a_scenario_reads_in_full() {
        let all = parse_scenarios(GOOD.as_bytes(), "a.scen").unwrap();
        let expected = Scenario {
            bucket: 3,
            map: "maps/a b.map".into(),
            size: (10, 20),
            start: Cell::new(1, 2),
            goal: Cell::new(9, 19),
            optimal: 14.5,
            line: 2,
        };
        assert_eq!(all, [expected]);
        assert_eq!(parse_scenarios(b"version 1", "a.scen").unwrap(), []);
    }

    /// Files in the wild differ in version, separators and line ends.
    #[test]
    fn harmless_variants_read_the_same() {
        let all = parse_scenarios(GOOD.as_bytes(), "a.scen").unwrap();
        for text in [
            GOOD.replace("version 1", "version 1.0"),
            GOOD.replace('\n', "\r\n"),
            GOOD.trim_end().to_string(),
            format!("{GOOD}\n\n"),
        ] {
            assert_eq!(parse_scenarios(text.as_bytes(), "a.scen").unwrap(), all);
        }
        let spaced = GOOD.replace("a b.map", "ab.map").replace('\t', " ");
        let all = parse_scenarios(spaced.as_bytes(), "a.scen").unwrap();
        assert_eq!(all[0].map, "maps/ab.map");
    }

    /// An error must lead straight to the place and say what would be right.
    #[test]
    fn faults_are_named_with_place_and_cure() {
        let cases = [
            ("version 1", "version 2", "a.scen:1: `version 2` in the header; expected `version 1`"),
            ("version 1\n", "", "a.scen:1: `3\\tmaps/a b.map"),
            ("\t14.5", "", "a.scen:2: 8 fields; a scenario has 9: bucket"),
            ("14.5", "14.5\t1", "a.scen:2: 10 fields"),
            ("14.5", "NaN", "a.scen:2: optimal length is `NaN`; it must be a finite number"),
            ("14.5", "-1", "optimal length is `-1`"),
            ("14.5", "inf", "optimal length is `inf`"),
            ("14.5", "1e999", "optimal length is `1e999`"),
            (
                "\t9\t",
                "\t10\t",
                "a.scen:2: goal x is `10`; it must be a whole number of at least 0, below 10, the map's size on this line",
            ),
            ("\t2\t9", "\t20\t9", "start y is `20`"),
            ("\t10\t", "\t0\t", "map width is `0`; it must be a whole number of at least 1"),
            ("3\tm", "-3\tm", "bucket is `-3`"),
            ("maps/a b.map", "", "map name is ``; it must be a name"),
        ];
        for (from, to, expected) in cases {
            let found = message(&GOOD.replacen(from, to, 1));
            assert!(found.contains(expected), "{found}\n  lacks {expected}");
            assert!(!found.contains('\n'));
        }
        assert!(message("").contains("a.scen:1: the end of the file"));
    }

    /// A scenario on a map of another size would measure nonsense.
    #[test]
    fn a_scenario_fits_only_its_size() {
        let scenario = &parse_scenarios(GOOD.as_bytes(), "a.scen").unwrap()[0];
        assert!(scenario.fits(&Grid::filled(10, 20, 1.0).unwrap()).is_ok());
        let misfit = scenario.fits(&Grid::filled(20, 10, 1.0).unwrap()).unwrap_err();
        assert_eq!(
            misfit.to_string(),
            "maps/a b.map: the scenario on line 2 is for 10 x 20 cells but the map has 20 x 10; use the map of that size"
        );
    }
}
