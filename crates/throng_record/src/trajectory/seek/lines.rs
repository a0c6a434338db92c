//! Large text files, ours and PedPy's: lines in the order of their frames are found by halving the file.

use super::super::TrajectoryFormat;
use super::super::lines::{CSV_HEADER, GEOMETRY};
use super::{FrameRows, Frames, Opened};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// A line is never longer than this (bytes).
const LONGEST: usize = 4096;
/// Lines that are looked at to see whether they lie in order.
const PROBES: u64 = 64;

struct Lines {
    file: File,
    /// Where the first line begins, and where the last one ends.
    begin: u64,
    end: u64,
    csv: bool,
    range: (u64, u64),
}

/// A line as it is written.
struct Line {
    frame: u64,
    id: u32,
    numbers: [f32; 4],
    /// Group, action and radius.
    kind: Option<(u8, u8, f32)>,
}

/// `None`: the lines are not in order, or have another form.
pub(super) fn open(path: &Path, format: TrajectoryFormat) -> Result<Option<Opened>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    let csv = format == TrajectoryFormat::Csv;
    let (begin, fps, geometry) = head(&file, csv).map_err(|error| error.to_string())?;
    let Some(begin) = begin else { return Ok(None) };
    let mut lines = Lines { file, begin, end: size, csv, range: (0, 0) };
    lines.end = lines.whole_end(size).map_err(|error| error.to_string())?;
    let mut last = None;
    for probe in 0..=PROBES {
        let at = begin + (lines.end - 1 - begin) * probe / PROBES;
        let Ok(Some((_, line))) = lines.line_from(at) else { continue };
        if last.is_some_and(|last| line.frame < last) {
            return Ok(None);
        }
        last = Some(line.frame);
    }
    let first = lines.line_from(begin)?.map(|(_, line)| line.frame);
    let (Some(first), Some(last)) = (first, lines.last_frame()?) else { return Ok(None) };
    lines.range = (first, last);
    let fps = match (csv, fps) {
        (true, _) => lines.csv_rate()?,
        (false, fps) => fps,
    };
    Ok(Some(Opened { frames: Box::new(lines), fps, geometry, unit: None }))
}

type Head = (Option<u64>, Option<f64>, Option<String>);

/// Where the rows begin, the frame rate and the geometry.
fn head(file: &File, csv: bool) -> std::io::Result<Head> {
    let mut reader = BufReader::new(file);
    let (mut at, mut fps, mut geometry) = (0, None, None);
    loop {
        let mut line = String::new();
        let read = (&mut reader).take(16 << 20).read_line(&mut line)? as u64;
        if read == 0 {
            return Ok((None, fps, geometry));
        }
        if csv {
            return Ok(((line.trim_end() == CSV_HEADER).then_some(read), None, None));
        }
        if !line.starts_with('#') {
            return Ok((Some(at), fps, geometry));
        }
        at += read;
        if let Some(wkt) = line.strip_prefix(GEOMETRY) {
            geometry = Some(wkt.trim_end().to_owned());
        } else if fps.is_none() && line.contains("framerate") {
            fps = line.split_whitespace().find_map(|word| word.parse().ok());
        }
    }
}

impl Lines {
    /// The end of the last whole line.
    fn whole_end(&mut self, size: u64) -> std::io::Result<u64> {
        let from = size.saturating_sub(LONGEST as u64).max(self.begin);
        let bytes = self.bytes(from, (size - from) as usize)?;
        Ok(bytes.iter().rposition(|b| *b == b'\n').map_or(self.begin, |i| from + i as u64 + 1))
    }

    fn bytes(&mut self, from: u64, count: usize) -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.file.seek(SeekFrom::Start(from))?;
        let mut filled = 0;
        while filled < count {
            match self.file.read(&mut bytes[filled..])? {
                0 => break,
                n => filled += n,
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }

    /// The first line that begins at `at` or later, and where it begins.
    fn line_from(&mut self, at: u64) -> Result<Option<(u64, Line)>, String> {
        let from = at.saturating_sub(1).max(self.begin);
        let room = (self.end - from).min(LONGEST as u64) as usize;
        let bytes = self.bytes(from, room).map_err(|error| error.to_string())?;
        let mut start = match at <= self.begin {
            true => 0,
            false => match bytes.iter().position(|b| *b == b'\n') {
                Some(i) => i + 1,
                None => return Ok(None),
            },
        };
        // Remarks in between are passed by.
        while start < bytes.len() {
            let Some(length) = bytes[start..].iter().position(|b| *b == b'\n') else { break };
            let text = String::from_utf8_lossy(&bytes[start..start + length]);
            if !text.starts_with('#') && !text.trim().is_empty() {
                let line = parse(&text, self.csv).ok_or_else(|| format!("no row: {text:?}"))?;
                return Ok(Some((from + start as u64, line)));
            }
            start += length + 1;
        }
        Ok(None)
    }

    /// Where the first line of a frame that is not before a number begins.
    fn offset_of(&mut self, number: u64) -> Result<u64, String> {
        let (mut low, mut high) = (self.begin, self.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.line_from(middle)? {
                Some((start, line)) if line.frame < number => low = (start + 1).max(middle + 1),
                _ => high = middle,
            }
        }
        Ok(match self.line_from(low)? {
            Some((start, _)) => start,
            None => self.end,
        })
    }

    fn last_frame(&mut self) -> Result<Option<u64>, String> {
        let mut back = 64;
        while back <= LONGEST as u64 {
            let at = self.end.saturating_sub(back).max(self.begin);
            let mut last = None;
            let mut from = at;
            while let Some((start, line)) = self.line_from(from)? {
                last = Some(line.frame);
                from = start + 1;
            }
            if last.is_some() {
                return Ok(last);
            }
            back *= 2;
        }
        Ok(None)
    }

    /// Frames per second, from the times of the first and the last line.
    fn csv_rate(&mut self) -> Result<Option<f64>, String> {
        let (first, last) = self.range;
        let mut time = |number: u64| -> Result<Option<f64>, String> {
            let at = self.offset_of(number)?;
            let bytes = self.bytes(at, LONGEST).map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(text.split(',').nth(1).and_then(|time| time.parse().ok()))
        };
        Ok(match (time(first)?, time(last)?) {
            (Some(from), Some(to)) if to > from => Some((last - first) as f64 / (to - from)),
            _ => None,
        })
    }
}

fn parse(text: &str, csv: bool) -> Option<Line> {
    if csv {
        let mut f = text.split(',');
        let frame = f.next()?.parse().ok()?;
        let _time = f.next()?;
        let id = f.next()?.parse().ok()?;
        let mut number = || f.next()?.parse().ok();
        let numbers = [number()?, number()?, number()?, number()?];
        let kind = (f.next()?.parse().ok()?, f.next()?.parse().ok()?, f.next()?.parse().ok()?);
        return Some(Line { frame, id, numbers, kind: Some(kind) });
    }
    let mut f = text.split_ascii_whitespace();
    let (id, frame) = (f.next()?.parse().ok()?, f.next()?.parse().ok()?);
    let numbers = [f.next()?.parse().ok()?, f.next()?.parse().ok()?, 0.0, 0.0];
    Some(Line { frame, id, numbers, kind: None })
}

impl Frames for Lines {
    fn range(&self) -> (u64, u64) {
        self.range
    }

    fn at(&mut self, number: u64) -> Result<(FrameRows, bool), String> {
        let after = self.offset_of(number + 1)?;
        // The line before that is of the frame.
        let mut back = 128;
        let number = loop {
            let from = after.saturating_sub(back).max(self.begin);
            let mut found = None;
            let mut at = from;
            while let Some((start, line)) = self.line_from(at)?.filter(|(start, _)| *start < after)
            {
                found = Some(line.frame);
                at = start + 1;
            }
            match found {
                Some(frame) => break frame,
                None if from == self.begin => return Err("it has no such frame".into()),
                None => back *= 2,
            }
        };
        let first = self.offset_of(number)?;
        let bytes =
            self.bytes(first, (after - first) as usize).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        let mut rows = FrameRows { number, ..FrameRows::default() };
        for text in text.lines().filter(|text| !text.starts_with('#') && !text.trim().is_empty()) {
            let line = parse(text, self.csv).ok_or_else(|| format!("no row: {text:?}"))?;
            rows.push(line.id, [line.numbers[0], line.numbers[1]]);
            let at = rows.ids.len() - 1;
            (rows.vx[at], rows.vy[at]) = (line.numbers[2], line.numbers[3]);
            if let Some((group, action, radius)) = line.kind {
                (rows.group[at], rows.action[at], rows.radius[at]) = (group, action, radius);
            }
        }
        Ok((rows, self.csv))
    }
}
