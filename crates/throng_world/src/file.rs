//! Reading whole files with a bound, and with errors that name the path.

use crate::MapError;
use crate::error::path_name;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Most bytes read from one file: a text map of the most cells a grid may hold, line ends and all.
pub(crate) const MAX_FILE_BYTES: u64 = 3 << 30;

/// Opens a file; a directory is an error of its own.
pub(crate) fn open(path: &Path) -> Result<File, MapError> {
    let unreadable = |source| MapError::Read { file: path_name(path), source };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(MapError::Directory { file: path_name(path) });
    }
    Ok(file)
}

/// Appends what is left of `file` to `bytes`, at most up to [`MAX_FILE_BYTES`] in all.
pub(crate) fn read_rest(file: File, path: &Path, bytes: &mut Vec<u8>) -> Result<(), MapError> {
    read_bounded(file, path, bytes, MAX_FILE_BYTES)
}

fn read_bounded(
    source: impl Read,
    path: &Path,
    bytes: &mut Vec<u8>,
    limit: u64,
) -> Result<(), MapError> {
    let room = (limit + 1).saturating_sub(bytes.len() as u64);
    let read = source.take(room).read_to_end(bytes);
    read.map_err(|source| MapError::Read { file: path_name(path), source })?;
    if bytes.len() as u64 > limit {
        return Err(MapError::TooLong { file: path_name(path), limit });
    }
    Ok(())
}

/// The whole content of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, MapError> {
    let mut bytes = Vec::new();
    read_rest(open(path)?, path, &mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the bound an endless device or a huge file would fill the memory.
    #[test]
    fn endless_input_is_cut_off() {
        let mut bytes = Vec::new();
        let path = Path::new("endless");
        let result = read_bounded(std::io::repeat(b'.'), path, &mut bytes, 1000);
        assert!(matches!(result, Err(MapError::TooLong { limit: 1000, .. })));
        assert!(bytes.len() <= 1001);
        let mut short = Vec::new();
        assert!(read_bounded(&b"abc"[..], path, &mut short, 3).is_ok());
        assert_eq!(short, b"abc");
    }
}
