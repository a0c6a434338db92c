//! Grids and polylines as comma-separated text.
//!
//! Numbers are written with as few digits as read back to the same `f32`; infinity is `inf`, so
//! that spreadsheets show a word and NumPy's `loadtxt` reads the value.

use crate::{RecordError, file};
use glam::Vec2;
use std::io::{self, Write};
use std::path::Path;
use throng_field::Grid;

/// First line of a polyline's table.
pub const POLYLINE_HEADER: &str = "x,y,distance";

/// Writes a grid to a `.csv` file: one line per row, row 0 first, no header.
pub fn write_grid_csv(grid: &Grid<f32>, path: &Path) -> Result<(), RecordError> {
    file::write_with(path, |out| write_grid_csv_to(grid, out))
}

/// Writes a grid as comma-separated text to any writer.
pub fn write_grid_csv_to(grid: &Grid<f32>, out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    for y in 0..grid.height() {
        line.clear();
        for (x, value) in grid.row(y).iter().enumerate() {
            if x > 0 {
                line.push(b',');
            }
            write!(line, "{value}")?;
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

/// Writes a polyline to a `.csv` file with the header `x,y,distance`: one line per point, where
/// `distance` is the way walked from the first point, in the unit of the points.
pub fn write_polyline_csv(points: &[Vec2], path: &Path) -> Result<(), RecordError> {
    file::write_with(path, |out| write_polyline_csv_to(points, out))
}

/// Writes a polyline as comma-separated text to any writer.
pub fn write_polyline_csv_to(points: &[Vec2], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{POLYLINE_HEADER}")?;
    // Summed in double precision: a path of a million short steps would drift in single.
    let mut distance = 0.0_f64;
    let mut previous: Option<Vec2> = None;
    for &point in points {
        if let Some(previous) = previous {
            distance += previous.as_dvec2().distance(point.as_dvec2());
        }
        writeln!(out, "{},{},{}", point.x, point.y, distance as f32)?;
        previous = Some(point);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_becomes_one_line_per_row() {
        let values = vec![0.0, 1.5, f32::INFINITY, 2.0, 0.1, 3.0];
        let grid = Grid::from_vec(3, 2, values).unwrap();
        let mut text = Vec::new();
        write_grid_csv_to(&grid, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "0,1.5,inf\n2,0.1,3\n");
    }

    /// A distance per step instead of from the start would halve every travel time read from it.
    #[test]
    fn distance_adds_up_along_a_polyline() {
        let points = [Vec2::ZERO, Vec2::new(3.0, 4.0), Vec2::new(3.0, 6.5)];
        let mut text = Vec::new();
        write_polyline_csv_to(&points, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "x,y,distance\n0,0,0\n3,4,5\n3,6.5,7.5\n");
        let mut empty = Vec::new();
        write_polyline_csv_to(&[], &mut empty).unwrap();
        assert_eq!(empty, b"x,y,distance\n");
    }
}
