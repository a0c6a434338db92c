//! Files that others made, with their habits: units of length, columns in another order, headings, HDF5.

use super::super::lines::{CSV_HEADER, GEOMETRY};
use super::super::read::{Row, Trajectory, read_trajectory};
use super::Opened;
use std::path::Path;

/// Which column of a text file is what, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Who.
    pub id: usize,
    /// The frame.
    pub frame: usize,
    /// Where.
    pub x: usize,
    /// Where.
    pub y: usize,
}

impl Columns {
    /// As PedPy has them.
    pub const USUAL: Self = Self { id: 0, frame: 1, x: 2, y: 3 };

    /// Columns by their names, as in `frame,id,x,z,y`; names besides id, frame, x and y are passed by.
    ///
    /// # Errors
    /// One of the four is missing.
    pub fn parse(names: &str) -> Result<Self, String> {
        let names: Vec<String> =
            names.split(',').map(|name| name.trim().to_ascii_lowercase()).collect();
        let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        let need = |wanted: &[&str]| {
            find(wanted).ok_or_else(|| format!("no column is called {:?}", wanted[0]))
        };
        Ok(Self {
            id: need(&["id", "persid", "ped", "agent"])?,
            frame: need(&["frame", "fr"])?,
            x: need(&["x", "x/m", "x/cm", "pos_x"])?,
            y: need(&["y", "y/m", "y/cm", "pos_y"])?,
        })
    }
}

/// Text with blanks or commas; lines that do not begin with a number are headings.
pub(super) fn text(path: &Path, columns: Option<&Columns>) -> Result<Opened, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if text.starts_with(CSV_HEADER) {
        let whole = read_trajectory(path).map_err(|error| error.to_string())?;
        return Ok(Opened::moving(whole));
    }
    let (mut fps, mut geometry, mut unit, mut rows) = (None, None, None, Vec::new());
    let mut columns = columns.copied();
    let end = text.rfind('\n').map_or(text.len(), |at| at + 1);
    for (i, line) in text[..end].lines().enumerate() {
        if let Some(wkt) = line.strip_prefix(GEOMETRY) {
            geometry = Some(wkt.trim().to_owned());
            continue;
        }
        let mut words = line.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty());
        let Some(first) = words.next() else { continue };
        if first.parse::<f64>().is_err() {
            let lower = line.to_ascii_lowercase();
            if fps.is_none() && lower.contains("framerate") {
                fps = lower.split([' ', ':', '\t']).find_map(|word| word.parse().ok());
            }
            if lower.contains("x/cm") || lower.contains("in cm") {
                unit = Some(0.01);
            } else if lower.contains("x/m") || lower.contains("in m") {
                unit = Some(1.0);
            }
            if columns.is_none() && rows.is_empty() && !line.starts_with('#') {
                let names = line.split([' ', '\t', ',', ';']).filter(|w| !w.is_empty());
                columns = Columns::parse(&names.collect::<Vec<_>>().join(",")).ok();
            }
            continue;
        }
        rows.push(row(line, &columns.unwrap_or(Columns::USUAL)).ok_or_else(|| {
            let cut: String = line.chars().take(60).collect();
            format!("line {}: {cut:?} is no row of id, frame, x and y", i + 1)
        })?);
    }
    if rows.is_empty() {
        return Err("it has no rows".into());
    }
    let whole = Trajectory::of_rows(fps.unwrap_or(f64::NAN), geometry, rows);
    Ok(Opened::whole(whole, fps, unit))
}

fn row(line: &str, columns: &Columns) -> Option<Row> {
    let words: Vec<&str> =
        line.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).collect();
    let number = |column: usize| words.get(column)?.parse::<f64>().ok().filter(|v| v.is_finite());
    // Some write whole numbers with an exponent.
    let whole = |column: usize| number(column).filter(|v| v.fract() == 0.0 && *v >= 0.0);
    let id = whole(columns.id).filter(|v| *v <= f64::from(u32::MAX))? as u32;
    let place = [number(columns.x)? as f32, number(columns.y)? as f32];
    Some(Row::bare(whole(columns.frame)? as u64, id, place))
}

/// Whether it is one of those files by its name.
pub(super) fn is_hdf5(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    ["h5", "hdf5"].contains(&ending.to_ascii_lowercase().as_str())
}

/// The Jülich archive's form: rows of two integers and three floats, the geometry as an attribute.
pub(super) fn hdf5(path: &Path) -> Result<Opened, String> {
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let file = hdf5_reader::Hdf5File::open(path).map_err(|e| failed(&e))?;
    let data = file.dataset("/trajectory").map_err(|e| failed(&e))?;
    let fps = data.attribute("fps").and_then(|a| a.read_as_f64()).map_err(|e| failed(&e))?;
    let geometry = file.root_group().and_then(|root| root.attribute("wkt_geometry"));
    let geometry = geometry.and_then(|a| a.read_string()).ok();
    let bytes = data.read_raw_bytes().map_err(|e| failed(&e))?;
    if data.raw_element_size().map_err(|e| failed(&e))? != 40 {
        return Err("its rows are not of two integers and three floats".into());
    }
    let mut rows = Vec::new();
    for bytes in bytes.chunks_exact(40) {
        let word = |i: usize| <[u8; 8]>::try_from(&bytes[8 * i..8 * i + 8]).unwrap_or_default();
        let whole = |i: usize| i64::from_le_bytes(word(i)).max(0) as u64;
        let place = [f64::from_le_bytes(word(2)) as f32, f64::from_le_bytes(word(3)) as f32];
        rows.push(Row::bare(whole(1), whole(0) as u32, place));
    }
    if rows.is_empty() {
        return Err("it has no rows".into());
    }
    Ok(Opened::whole(Trajectory::of_rows(fps, geometry, rows), None, Some(1.0)))
}
