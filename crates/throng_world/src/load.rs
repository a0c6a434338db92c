//! Reading a cost grid from a file whose kind is told by its content, not by its name.

use crate::error::{path_name, quoted};
use crate::{MapError, RasterRule, file, movingai, raster};
use std::io::Read;
use std::path::Path;
use throng_field::Grid;

/// Bytes looked at to tell the kind of a file.
const SNIFF_BYTES: u64 = 16;

/// Reads a MovingAI map or a PNG picture (by the default [`RasterRule`]) as a cost grid.
///
/// The first bytes decide; anything else is refused before the rest is read.
pub fn load_cost(path: impl AsRef<Path>) -> Result<Grid<f32>, MapError> {
    let path = path.as_ref();
    let name = path_name(path);
    let mut source = file::open(path)?;
    let mut bytes = Vec::new();
    let sniffed = Read::by_ref(&mut source).take(SNIFF_BYTES).read_to_end(&mut bytes);
    sniffed.map_err(|source| MapError::Read { file: name.clone(), source })?;
    let picture = bytes.starts_with(&raster::PNG_SIGNATURE);
    if !picture && !movingai::looks_like_map(&bytes) {
        return Err(MapError::UnknownFormat { file: name, found: first_bytes(&bytes) });
    }
    file::read_rest(source, path, &mut bytes)?;
    if picture {
        raster::parse_raster(&bytes, &name, &RasterRule::default())
    } else {
        movingai::parse_map(&bytes, &name)
    }
}

fn first_bytes(bytes: &[u8]) -> String {
    if bytes.is_empty() { "nothing (it is empty)".into() } else { quoted(bytes) }
}
