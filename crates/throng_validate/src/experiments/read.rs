//! Recordings as trajectories.

use super::{Format, Geometry, Recording};
use crate::ValidateError;
use crate::trajectory::{Track, Trajectories};
use glam::DVec2;
use std::collections::BTreeMap;
use std::path::Path;

/// A recording: everybody's ways, from its first frame on, and its geometry as WKT.
pub(super) struct Recorded {
    pub(super) ways: Trajectories,
    pub(super) wkt: String,
}

pub(super) fn read(recording: &Recording) -> Result<Recorded, ValidateError> {
    let path = super::folder()?.join(recording.file);
    let fault =
        |cause: String| ValidateError::Recording { file: path.display().to_string(), cause };
    let text_of = |name: &Path| std::fs::read_to_string(name).map_err(|e| fault(e.to_string()));
    let beside = |name: &str| text_of(&path.with_file_name(name));
    let (rows, fps, inside) = match recording.format {
        Format::Text { scale, fps } => (rows_of(&text_of(&path)?, scale), fps, None),
        Format::Hdf5 => {
            let (rows, fps, wkt) = hdf5(&path).map_err(|e| fault(e.to_string()))?;
            (rows, fps, Some(wkt))
        }
    };
    let wkt = match recording.geometry {
        Geometry::Wkt(name) => beside(name)?.trim().to_string(),
        Geometry::JupedsimXml(name) => {
            let xml = beside(name)?;
            polygon_of(&xml).ok_or_else(|| fault(format!("{name} has no polygon")))?
        }
        Geometry::Inside => inside.ok_or_else(|| fault("it has no geometry".into()))?,
    };
    let ways = tracks(rows, fps).map_err(fault)?;
    Ok(Recorded { ways, wkt })
}

/// Number, frame and place of every row.
type Rows = Vec<(u32, usize, DVec2)>;

/// Lines that do not begin with two whole numbers are headings.
fn rows_of(text: &str, scale: f64) -> Rows {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        let (id, frame) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let (x, y): (f64, f64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some((id, frame, DVec2::new(x, y) * scale))
    };
    text.lines().filter_map(row).collect()
}

fn hdf5(path: &Path) -> Result<(Rows, f64, String), Box<dyn std::error::Error>> {
    let file = hdf5_reader::Hdf5File::open(path)?;
    let data = file.dataset("/trajectory")?;
    let fps = data.attribute("fps")?.read_as_f64()?;
    let wkt = file.root_group()?.attribute("wkt_geometry")?.read_string()?;
    // Number and frame as 64-bit integers, x, y and z as 64-bit floats, as the archive writes them.
    let bytes = data.read_raw_bytes()?;
    if data.raw_element_size()? != 40 {
        return Err("its rows are not of two integers and three floats".into());
    }
    let mut rows = Rows::new();
    for row in bytes.chunks_exact(40) {
        let word = |i: usize| <[u8; 8]>::try_from(&row[8 * i..8 * i + 8]);
        let (id, frame) = (i64::from_le_bytes(word(0)?), i64::from_le_bytes(word(1)?));
        let place = DVec2::new(f64::from_le_bytes(word(2)?), f64::from_le_bytes(word(3)?));
        rows.push((u32::try_from(id)?, usize::try_from(frame)?, place));
    }
    Ok((rows, fps, wkt))
}

/// The polygon of a JuPedSim geometry with one: its vertices are the only elements with `px` and `py`.
fn polygon_of(xml: &str) -> Option<String> {
    let number = |tag: &str, key: &str| -> Option<f64> {
        let rest = &tag[tag.find(key)? + key.len()..];
        rest[..rest.find('"')?].parse().ok()
    };
    let corners: Vec<String> = xml
        .split("<vertex")
        .skip(1)
        .filter_map(|tag| Some(format!("{} {}", number(tag, "px=\"")?, number(tag, "py=\"")?)))
        .collect();
    (corners.len() >= 4).then(|| format!("POLYGON (({}))", corners.join(", ")))
}

/// Everybody's ways, counted from the first frame of all.
fn tracks(rows: Rows, fps: f64) -> Result<Trajectories, String> {
    let start = rows.iter().map(|r| r.1).min().ok_or("it has no rows")?;
    let mut people = BTreeMap::<u32, BTreeMap<usize, DVec2>>::new();
    for (id, frame, place) in rows {
        people.entry(id).or_default().insert(frame - start, place);
    }
    let mut ways = Trajectories::new(1.0 / fps);
    for (id, places) in people {
        let first = places.keys().next().copied().unwrap_or(0);
        if let Some((k, frame)) = places.keys().enumerate().find(|(k, f)| **f != first + k) {
            return Err(format!("person {id} is missing in frame {}, after {k} frames", frame - 1));
        }
        ways.frames = ways.frames.max(first + places.len());
        let places = places.into_values().collect();
        ways.tracks.push(Track { id, group: 0, free_speed: None, first, places });
    }
    Ok(ways)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_counted_from_its_first_frame() {
        let text = "# framerate: 25 fps\nid frame x/m\n1\t53\t372.5\t-83.7\t170\n1 54 361.9 -83.4\n7 54 0 0\n";
        let ways = tracks(rows_of(text, 0.01), 25.0).expect("two people");
        assert_eq!((ways.tracks.len(), ways.frames), (2, 2));
        let second = ways.tracks[0].places[1];
        assert!(second.distance(DVec2::new(3.619, -0.834)) < 1e-9, "{second}");
        assert_eq!((ways.tracks[1].id, ways.tracks[1].first), (7, 1));
        assert!(tracks(rows_of("1 1 0 0\n1 3 0 0", 1.0), 25.0).is_err(), "a frame is missing");
    }

    #[test]
    fn a_jupedsim_polygon_becomes_wkt() {
        let xml = r#"<polygon><vertex px="-3" py="5"/><vertex px="0" py="5"/><vertex px="0" py="0"/>
                     <vertex px="-3" py="5"/></polygon>"#;
        assert_eq!(polygon_of(xml).as_deref(), Some("POLYGON ((-3 5, 0 5, 0 0, -3 5))"));
        assert_eq!(polygon_of("<a/>"), None);
    }
}
