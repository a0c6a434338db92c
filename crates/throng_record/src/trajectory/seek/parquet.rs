//! Our Parquet files, group of rows by group of rows; the last ones are kept.

use super::super::parquet::{FPS_KEY, GEOMETRY_KEY};
use super::{FrameRows, Frames, Opened};
use ::parquet::column::reader::ColumnReader;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::RowGroupMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::statistics::Statistics;
use std::fs::File;
use std::path::Path;

/// Groups that are kept.
const KEPT: usize = 3;

/// Columns of a group.
struct Group {
    index: usize,
    frame: Vec<i64>,
    id: Vec<i32>,
    /// x, y, vx, vy, radius.
    floats: [Vec<f32>; 5],
    /// Group, action.
    indices: [Vec<i32>; 2],
}

struct Groups {
    reader: SerializedFileReader<File>,
    /// First and last frame of every group.
    spans: Vec<(u64, u64)>,
    kept: Vec<Group>,
}

/// `None`: the file does not say which frames are where.
pub(super) fn open(path: &Path) -> Result<Option<Opened>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let reader = SerializedFileReader::new(file).map_err(|error| error.to_string())?;
    let metadata = reader.metadata();
    let values = metadata.file_metadata().key_value_metadata();
    let value = |key: &str| values?.iter().find(|entry| entry.key == key)?.value.clone();
    let (fps, geometry) = (value(FPS_KEY).and_then(|fps| fps.parse().ok()), value(GEOMETRY_KEY));
    let spans: Option<Vec<_>> = metadata.row_groups().iter().map(span).collect();
    let in_order = |spans: &Vec<(u64, u64)>| {
        !spans.is_empty() && spans.is_sorted_by(|a, b| a.1 <= b.0 + 1 && a.0 <= b.0)
    };
    let Some(spans) = spans.filter(in_order) else { return Ok(None) };
    let groups = Groups { reader, spans, kept: Vec::new() };
    Ok(Some(Opened { frames: Box::new(groups), fps, geometry, unit: Some(1.0) }))
}

fn span(group: &RowGroupMetaData) -> Option<(u64, u64)> {
    let Statistics::Int64(frames) = group.column(0).statistics()? else { return None };
    let number = |frame: &i64| (*frame).max(0) as u64;
    Some((number(frames.min_opt()?), number(frames.max_opt()?)))
}

impl Groups {
    fn group(&mut self, index: usize) -> Result<&Group, ParquetError> {
        if let Some(at) = self.kept.iter().position(|group| group.index == index) {
            let group = self.kept.remove(at);
            self.kept.push(group);
        } else {
            let group = self.read(index)?;
            if self.kept.len() == KEPT {
                self.kept.remove(0);
            }
            self.kept.push(group);
        }
        let last = self.kept.len() - 1;
        Ok(&self.kept[last])
    }

    fn read(&self, index: usize) -> Result<Group, ParquetError> {
        let reader = self.reader.get_row_group(index)?;
        let rows = usize::try_from(reader.metadata().num_rows()).unwrap_or(0);
        let other = || ParquetError::General("its columns are not those of a trajectory".into());
        let mut group = Group {
            index,
            frame: Vec::with_capacity(rows),
            id: Vec::with_capacity(rows),
            floats: Default::default(),
            indices: Default::default(),
        };
        for column in (0..reader.num_columns()).filter(|column| *column != 1) {
            match (reader.get_column_reader(column)?, column) {
                (ColumnReader::Int64ColumnReader(mut r), 0) => {
                    r.read_records(rows, None, None, &mut group.frame)?;
                }
                (ColumnReader::Int32ColumnReader(mut r), 2) => {
                    r.read_records(rows, None, None, &mut group.id)?;
                }
                (ColumnReader::FloatColumnReader(mut r), 3..=7) => {
                    r.read_records(rows, None, None, &mut group.floats[column - 3])?;
                }
                (ColumnReader::Int32ColumnReader(mut r), 8..=9) => {
                    r.read_records(rows, None, None, &mut group.indices[column - 8])?;
                }
                _ => return Err(other()),
            }
        }
        let full = |len: usize| len == group.frame.len();
        let whole = full(group.id.len())
            && group.floats.iter().all(|c| full(c.len()))
            && group.indices.iter().all(|c| full(c.len()));
        if whole { Ok(group) } else { Err(other()) }
    }

    fn find(&mut self, number: u64) -> Result<FrameRows, ParquetError> {
        let after = self.spans.partition_point(|(first, _)| *first <= number);
        let mut rows = FrameRows::default();
        // A frame may go on from one group to the next.
        for index in (0..after).rev() {
            let (_, last) = self.spans[index];
            let group = self.group(index)?;
            let frame = |row: usize| group.frame[row].max(0) as u64;
            if rows.ids.is_empty() {
                let end = group.frame.partition_point(|f| (*f).max(0) as u64 <= number);
                if end == 0 {
                    continue;
                }
                rows.number = frame(end - 1);
            } else if last < rows.number {
                break;
            }
            let low = group.frame.partition_point(|f| ((*f).max(0) as u64) < rows.number);
            let high = group.frame.partition_point(|f| (*f).max(0) as u64 <= rows.number);
            for row in low..high {
                rows.ids.push(group.id[row] as u32);
                rows.x.push(group.floats[0][row]);
                rows.y.push(group.floats[1][row]);
                rows.vx.push(group.floats[2][row]);
                rows.vy.push(group.floats[3][row]);
                rows.radius.push(group.floats[4][row]);
                rows.group.push(group.indices[0][row] as u8);
                rows.action.push(group.indices[1][row] as u8);
            }
            if low > 0 {
                break;
            }
        }
        Ok(rows)
    }
}

impl Frames for Groups {
    fn range(&self) -> (u64, u64) {
        let first = self.spans.first().map_or(0, |span| span.0);
        (first, self.spans.last().map_or(first, |span| span.1))
    }

    fn at(&mut self, number: u64) -> Result<(FrameRows, bool), String> {
        self.find(number).map(|rows| (rows, true)).map_err(|error| error.to_string())
    }
}
