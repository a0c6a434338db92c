//! Reading our Parquet files.

use super::super::parquet::{FPS_KEY, GEOMETRY_KEY};
use super::{Row, Trajectory};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::RowAccessor;
use std::fs::File;
use std::path::Path;

pub(super) fn read(path: &Path) -> Result<Trajectory, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let reader = SerializedFileReader::new(file).map_err(|error| error.to_string())?;
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let value = |key: &str| {
        let found = metadata?.iter().find(|entry| entry.key == key)?;
        found.value.clone()
    };
    let fps = value(FPS_KEY).and_then(|fps| fps.parse().ok());
    let fps = fps.ok_or_else(|| format!("no \"{FPS_KEY}\" in its metadata"))?;
    let mut rows = Vec::new();
    for row in reader.get_row_iter(None).map_err(|error| error.to_string())? {
        rows.push(row.and_then(|row| as_row(&row)).map_err(|error| error.to_string())?);
    }
    Ok(Trajectory::of_rows(fps, value(GEOMETRY_KEY), rows))
}

fn as_row(row: &::parquet::record::Row) -> Result<Row, ::parquet::errors::ParquetError> {
    Ok(Row {
        frame: row.get_long(0)?.max(0) as u64,
        id: row.get_uint(2)?,
        position: [row.get_float(3)?, row.get_float(4)?],
        velocity: Some([row.get_float(5)?, row.get_float(6)?]),
        radius: row.get_float(7)?,
        group: row.get_ubyte(8)?,
        action: row.get_ubyte(9)?,
    })
}
