//! Grids as NumPy `.npy` files, format version 1.0: 32-bit little-endian floats in row order, of
//! shape `(height, width)`, row 0 first. Infinite values stay infinite.
//!
//! The format is described in NumPy's documentation, `numpy.lib.format`.

use crate::{RecordError, file};
use std::io::{self, Write};
use std::path::Path;
use throng_field::Grid;

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// The data starts at a multiple of this many bytes.
const ALIGNMENT: usize = 64;
/// Bytes of the header's length field.
const LENGTH_BYTES: usize = 2;

/// Writes a grid to a `.npy` file.
pub fn write_npy(grid: &Grid<f32>, path: &Path) -> Result<(), RecordError> {
    file::write_with(path, |out| write_npy_to(grid, out))
}

/// Writes a grid in the `.npy` format to any writer.
pub fn write_npy_to(grid: &Grid<f32>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&header(grid.width(), grid.height()))?;
    let mut bytes = Vec::with_capacity(grid.width() * size_of::<f32>());
    for y in 0..grid.height() {
        bytes.clear();
        bytes.extend(grid.row(y).iter().flat_map(|value| value.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn header(width: usize, height: usize) -> Vec<u8> {
    let mut text =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({height}, {width}), }}");
    let unpadded = MAGIC.len() + LENGTH_BYTES + text.len() + 1;
    let padding = unpadded.next_multiple_of(ALIGNMENT) - unpadded;
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let length = u16::try_from(text.len()).expect("the header is a hundred bytes or so");
    [MAGIC, &length.to_le_bytes(), text.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong header or byte order would make NumPy refuse the file or read nonsense.
    #[test]
    fn header_and_values_are_where_the_format_puts_them() {
        let values = vec![0.0, 1.5, f32::INFINITY, -2.0, 3.0e7, 0.1];
        let grid = Grid::from_vec(3, 2, values.clone()).unwrap();
        let mut bytes = Vec::new();
        write_npy_to(&grid, &mut bytes).unwrap();
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        let length = u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
        assert_eq!((10 + length) % 64, 0, "data must be aligned");
        let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
        assert!(header.ends_with('\n'));
        assert_eq!(
            header.trim_end(),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
        );
        let read: Vec<f32> = bytes[10 + length..]
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        assert_eq!(read, values);
    }

    #[test]
    fn every_size_of_header_is_aligned() {
        for width in [1, 9, 99, 999, 4096, 1 << 20, 1 << 30] {
            assert_eq!(header(width, 1).len() % ALIGNMENT, 0, "width {width}");
        }
    }
}
