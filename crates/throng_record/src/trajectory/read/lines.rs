//! Reading PedPy text and our CSV. A last line cut short by a crash is left out.

use super::super::lines::{CSV_HEADER, FRAME_RATE, GEOMETRY};
use super::{Row, Trajectory};
use std::fs;
use std::path::Path;
use std::str::FromStr;

pub(super) fn read_text(path: &Path) -> Result<Trajectory, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let (mut fps, mut geometry, mut rows) = (None, None, Vec::new());
    for (number, line) in whole_lines(&text) {
        if let Some(comment) = line.strip_prefix('#') {
            if let Some(wkt) = line.strip_prefix(GEOMETRY) {
                geometry = Some(wkt.trim_end().to_owned());
            } else if fps.is_none() && comment.contains("framerate") {
                fps = comment.split_whitespace().find_map(|word| word.parse().ok());
            }
            continue;
        }
        let mut fields = line.split_ascii_whitespace();
        let Some(first) = fields.next() else { continue };
        let id = field(Some(first), number, "id")?;
        let frame = field(fields.next(), number, "frame")?;
        let position = [field(fields.next(), number, "x")?, field(fields.next(), number, "y")?];
        rows.push(Row::bare(frame, id, position));
    }
    let fps = fps.ok_or_else(|| format!("no line \"{FRAME_RATE}…\" at its head"))?;
    Ok(Trajectory::of_rows(fps, geometry, rows))
}

pub(super) fn read_csv(path: &Path) -> Result<Trajectory, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut lines = whole_lines(&text);
    if lines.next().is_none_or(|(_, line)| line != CSV_HEADER) {
        return Err(format!("its first line is not \"{CSV_HEADER}\""));
    }
    let mut rows = Vec::new();
    let mut ends: Option<[(u64, f64); 2]> = None;
    for (number, line) in lines {
        let mut fields = line.split(',');
        let mut next = |name| (fields.next(), name);
        let frame = parse(next("frame"), number)?;
        let time: f64 = parse(next("time"), number)?;
        let id = parse(next("id"), number)?;
        let position = [parse(next("x"), number)?, parse(next("y"), number)?];
        let velocity = Some([parse(next("vx"), number)?, parse(next("vy"), number)?]);
        let group = parse(next("group"), number)?;
        let action = parse(next("action"), number)?;
        let radius = parse(next("radius"), number)?;
        rows.push(Row { frame, id, position, velocity, group, action, radius });
        ends = Some([ends.map_or((frame, time), |ends| ends[0]), (frame, time)]);
    }
    let rate = |[first, last]: [(u64, f64); 2]| {
        let (frames, seconds) = (last.0.saturating_sub(first.0) as f64, last.1 - first.1);
        if seconds > 0.0 { frames / seconds } else { 1.0 }
    };
    Ok(Trajectory::of_rows(ends.map_or(1.0, rate), None, rows))
}

/// Lines with their numbers from 1, without one that does not end.
fn whole_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = text.rfind('\n').map_or(0, |at| at + 1);
    text[..end].lines().enumerate().map(|(i, line)| (i + 1, line))
}

fn parse<T: FromStr>((text, name): (Option<&str>, &str), line: usize) -> Result<T, String> {
    field(text, line, name)
}

fn field<T: FromStr>(text: Option<&str>, line: usize, name: &str) -> Result<T, String> {
    let Some(text) = text else {
        return Err(format!("line {line} has no {name}"));
    };
    text.parse().map_err(|_| format!("line {line}: {name} is \"{text}\""))
}
