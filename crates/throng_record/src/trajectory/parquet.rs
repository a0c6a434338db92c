//! Trajectories as Apache Parquet, with all columns.
//!
//! A Parquet file is readable only with its footer at the end, so a file that grows is broken most
//! of the time. Here two files take turns: the one under the trajectory's name is complete; the
//! spare gets what is new and a footer, and then takes the name by renaming, which is one act. Both
//! grow by appending, so that every byte is written twice and none is copied.

use super::writer::Sink;
use super::{AgentFrame, Geometry, TrajectoryOptions};
use crate::{RecordError, file};
use ::parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical};
use ::parquet::data_type::{DataType, DoubleType, FloatType, Int32Type, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{ColumnPath, Type};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Most rows of a row group.
const MOST_ROWS: usize = 1 << 20;
/// The bytes every Parquet file starts with.
const MAGIC: &[u8] = b"PAR1";
/// Version of the format in the footer.
const VERSION: i32 = 2;

/// Keys of the metadata.
pub(super) const FPS_KEY: &str = "fps";
pub(super) const GEOMETRY_KEY: &str = "geometry";

/// Columns in the order of the file.
#[derive(Default)]
struct Rows {
    frame: Vec<i64>,
    time: Vec<f64>,
    id: Vec<i32>,
    /// x, y, vx, vy, radius.
    floats: [Vec<f32>; 5],
    /// Group, action.
    indices: [Vec<i32>; 2],
}

const FLOATS: [&str; 5] = ["x", "y", "vx", "vy", "radius"];
const INDICES: [&str; 2] = ["group", "action"];

/// A Parquet file that is complete whenever one looks.
pub(super) struct ParquetSink {
    path: PathBuf,
    pair: Pair,
    writer: SerializedFileWriter<Vec<u8>>,
    metadata: Vec<KeyValue>,
    rows: Rows,
    /// Bytes the encoder has given us so far that are in the pair.
    taken: usize,
}

impl ParquetSink {
    pub(super) fn create(
        path: &Path,
        options: &TrajectoryOptions,
        geometry: &Geometry,
    ) -> Result<Self, RecordError> {
        let schema = Arc::new(schema().map_err(|error| explain(path, error))?);
        let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties()));
        let writer = writer.map_err(|error| explain(path, error))?;
        let metadata = vec![
            KeyValue::new(FPS_KEY.to_owned(), format!("{:?}", options.fps)),
            KeyValue::new(GEOMETRY_KEY.to_owned(), geometry.wkt().to_owned()),
        ];
        let footer = footer(&writer, &metadata).map_err(|error| explain(path, error))?;
        let real = file::begin(path, |temporary| {
            let begun = [MAGIC, &footer].concat();
            fs::write(temporary, begun)
                .map_err(|source| RecordError::Write { path: path.to_owned(), source })
        })?;
        let pair = Pair::new(real);
        let pair = pair.map_err(|source| RecordError::Write { path: path.to_owned(), source })?;
        let rows = Rows::default();
        Ok(Self { path: path.to_owned(), pair, writer, metadata, rows, taken: MAGIC.len() })
    }

    /// Encodes the rows gathered so far.
    fn close_row_group(&mut self) -> Result<(), ParquetError> {
        if self.rows.frame.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        write_column::<Int64Type>(&mut group, &self.rows.frame)?;
        write_column::<DoubleType>(&mut group, &self.rows.time)?;
        write_column::<Int32Type>(&mut group, &self.rows.id)?;
        for column in &self.rows.floats {
            write_column::<FloatType>(&mut group, column)?;
        }
        for column in &self.rows.indices {
            write_column::<Int32Type>(&mut group, column)?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

fn write_column<T: DataType>(
    group: &mut ::parquet::file::writer::SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let column = group.next_column()?;
    let mut column = column.ok_or_else(|| ParquetError::General("one column too many".into()))?;
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

impl Sink for ParquetSink {
    fn frame(&mut self, number: u64, frame: &AgentFrame<'_>) -> Result<(), RecordError> {
        self.rows.push(number, frame);
        if self.rows.frame.len() >= MOST_ROWS {
            self.close_row_group().map_err(|error| explain(&self.path, error))?;
        }
        Ok(())
    }

    fn geometry(&mut self, geometry: &Geometry) -> Result<(), RecordError> {
        self.metadata[1] = KeyValue::new(GEOMETRY_KEY.to_owned(), geometry.wkt().to_owned());
        Ok(())
    }

    fn commit(&mut self) -> Result<(), RecordError> {
        self.close_row_group().map_err(|error| explain(&self.path, error))?;
        let footer =
            footer(&self.writer, &self.metadata).map_err(|error| explain(&self.path, error))?;
        // The encoder counts bytes by itself; the buffer between is ours to empty.
        let fresh = std::mem::take(self.writer.inner_mut());
        let fresh = if self.taken == MAGIC.len() { &fresh[MAGIC.len()..] } else { &fresh[..] };
        self.taken += fresh.len();
        let turned = self.pair.turn(fresh, &footer);
        turned.map_err(|source| RecordError::Write { path: self.path.clone(), source })
    }

    fn finish(mut self: Box<Self>) -> Result<(), RecordError> {
        self.commit()?;
        let Self { path, pair, .. } = *self;
        pair.finish().map_err(|source| RecordError::Write { path, source })
    }

    fn shortest_pause(&self) -> Duration {
        Duration::from_millis(250)
    }
}

impl Rows {
    fn push(&mut self, number: u64, frame: &AgentFrame<'_>) {
        let length = self.frame.len() + frame.len();
        self.frame.resize(length, number as i64);
        self.time.resize(length, frame.time);
        self.id.extend(frame.ids.iter().map(|&id| id as i32));
        let floats = [frame.x, frame.y, frame.vx, frame.vy, frame.radius];
        for (column, values) in self.floats.iter_mut().zip(floats) {
            column.extend_from_slice(values);
        }
        for (column, values) in self.indices.iter_mut().zip([frame.group, frame.action]) {
            column.extend(values.iter().map(|&index| i32::from(index)));
        }
    }

    fn clear(&mut self) {
        self.frame.clear();
        self.time.clear();
        self.id.clear();
        self.floats.iter_mut().for_each(Vec::clear);
        self.indices.iter_mut().for_each(Vec::clear);
    }
}

/// The complete file under its name, and the spare that follows.
struct Pair {
    path: PathBuf,
    spare: PathBuf,
    spare_file: File,
    /// Where the footer of the spare starts.
    spare_end: u64,
    /// What the complete file has and the spare has not.
    behind: Vec<u8>,
}

impl Pair {
    fn new(path: PathBuf) -> io::Result<Self> {
        let mut name = std::ffi::OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".spare");
        let spare = path.with_file_name(name);
        let mut spare_file = File::create(&spare)?;
        spare_file.write_all(MAGIC)?;
        let spare_end = MAGIC.len() as u64;
        Ok(Self { path, spare, spare_file, spare_end, behind: Vec::new() })
    }

    /// Brings the spare up to date and lets it take the name.
    fn turn(&mut self, fresh: &[u8], footer: &[u8]) -> io::Result<()> {
        let written = self.write(fresh, footer).and_then(|end| {
            let other = self.keep_other()?;
            fs::rename(&self.spare, &self.path)?;
            fs::rename(&other, &self.spare)?;
            Ok(end)
        });
        let end = match written {
            Ok(end) => end,
            Err(error) => {
                // Room for others; the file under the name is complete without it.
                let _ = fs::remove_file(&self.spare);
                return Err(error);
            }
        };
        self.spare_file = OpenOptions::new().write(true).open(&self.spare)?;
        self.spare_end = end - fresh.len() as u64;
        self.behind.clear();
        self.behind.extend_from_slice(fresh);
        Ok(())
    }

    /// Appends to the spare; gives the end of its data.
    fn write(&mut self, fresh: &[u8], footer: &[u8]) -> io::Result<u64> {
        let file = &mut self.spare_file;
        file.seek(SeekFrom::Start(self.spare_end))?;
        for part in [&self.behind[..], fresh, footer] {
            file.write_all(part)?;
        }
        let length = file.stream_position()?;
        // An older footer may have been longer.
        file.set_len(length)?;
        Ok(length - footer.len() as u64)
    }

    /// A second name for the complete file, so that it lives on when the first is taken.
    fn keep_other(&self) -> io::Result<PathBuf> {
        let mut name = self.spare.clone().into_os_string();
        name.push("2");
        let other = PathBuf::from(name);
        match fs::remove_file(&other) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Few file systems have no second names; there a copy must do.
        fs::hard_link(&self.path, &other).or_else(|_| fs::copy(&self.path, &other).map(|_| ()))?;
        Ok(other)
    }

    fn finish(self) -> io::Result<()> {
        drop(self.spare_file);
        fs::remove_file(&self.spare)?;
        File::open(&self.path)?.sync_all()
    }
}

/// The footer for all row groups written so far.
fn footer(
    writer: &SerializedFileWriter<Vec<u8>>,
    metadata: &[KeyValue],
) -> Result<Vec<u8>, ParquetError> {
    let groups = writer.flushed_row_groups().to_vec();
    let count = groups.iter().map(|group| group.num_rows()).sum();
    let schema = Arc::new(writer.schema_descr().clone());
    let by = Some(format!("throng_record {}", env!("CARGO_PKG_VERSION")));
    let file = FileMetaData::new(VERSION, count, by, Some(metadata.to_vec()), schema, None);
    let mut bytes = Vec::new();
    ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(file, groups)).finish()?;
    Ok(bytes)
}

fn schema() -> Result<Type, ParquetError> {
    let column = |name: &str, physical, converted| {
        let built = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(converted)
            .build();
        built.map(Arc::new)
    };
    let mut columns = vec![
        column("frame", Physical::INT64, ConvertedType::NONE)?,
        column("time", Physical::DOUBLE, ConvertedType::NONE)?,
        column("id", Physical::INT32, ConvertedType::UINT_32)?,
    ];
    for name in FLOATS {
        columns.push(column(name, Physical::FLOAT, ConvertedType::NONE)?);
    }
    for name in INDICES {
        columns.push(column(name, Physical::INT32, ConvertedType::UINT_8)?);
    }
    Type::group_type_builder("trajectory").with_fields(columns).build()
}

/// Positions do not repeat, so a dictionary of them is wasted; ids mostly grow by steps of one.
fn properties() -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_column_encoding(ColumnPath::from("id"), Encoding::DELTA_BINARY_PACKED)
        .set_column_dictionary_enabled(ColumnPath::from("id"), false);
    for name in FLOATS.into_iter().filter(|name| *name != "radius") {
        builder = builder
            .set_column_encoding(ColumnPath::from(name), Encoding::BYTE_STREAM_SPLIT)
            .set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    builder.build()
}

fn explain(path: &Path, error: ParquetError) -> RecordError {
    let source = io::Error::other(error);
    RecordError::Write { path: path.to_owned(), source }
}
