//! Heights from files: grey PNG, SRTM `.hgt` and ESRI ASCII grids. Rows come from the top (north).

use crate::raster;
use throng_field::Grid;

/// Heights in rows from the north, NaN where there are none.
#[derive(Debug)]
pub(crate) struct Heights {
    pub(crate) grid: Grid<f32>,
    /// Metres per sample, where the file says.
    pub(crate) cell: Option<f64>,
    /// Metres per unit, unless the scene says otherwise.
    pub(crate) scale: f64,
}

/// Why heights could not be read.
#[derive(Debug)]
pub(crate) struct HeightFault {
    pub(crate) what: String,
    pub(crate) cure: String,
}

fn fault(what: impl Into<String>, cure: impl Into<String>) -> HeightFault {
    HeightFault { what: what.into(), cure: cure.into() }
}

/// Most samples of a file.
const MAX_SAMPLES: usize = 1 << 26;

/// Heights of a grey PNG: 0 to 65,535 units.
pub(crate) fn parse_png(bytes: &[u8], file: &str) -> Result<Heights, HeightFault> {
    let grid = raster::parse_grey(bytes, file).map_err(|error| {
        let text = error.to_string();
        let text =
            text.strip_prefix(&format!("{}: ", crate::error::file_name(file))).unwrap_or(&text);
        let (what, cure) = text.split_once("; ").unwrap_or((text, "give a 16-bit grey PNG"));
        fault(what, cure)
    })?;
    Ok(Heights { grid, cell: None, scale: 100.0 / 65_535.0 })
}

/// Metres per degree of latitude on the WGS84 sphere of equal meridian.
const METRES_PER_DEGREE: f64 = 111_195.0;

/// Heights of an SRTM tile: big-endian 16-bit metres, -32768 where there are none, square; its name
/// (such as `N42E001`) tells the latitude, by which columns are drawn together to square cells.
pub(crate) fn parse_hgt(bytes: &[u8], file: &str) -> Result<Heights, HeightFault> {
    let latitude = latitude_of(file).ok_or_else(|| {
        let cure = "name it by its corner, such as `N42E001.hgt`; its place tells its scale";
        fault("the name does not tell where it lies", cure)
    })?;
    let samples = bytes.len() / 2;
    let n = (samples as f64).sqrt().round() as usize;
    if n < 2 || n * n * 2 != bytes.len() || n > 3601 {
        let what = format!("{} bytes are no square tile", bytes.len());
        return Err(fault(what, "give a tile of 1201 x 1201 or 3601 x 3601 samples, unpacked"));
    }
    let height = |x: usize, y: usize| -> f32 {
        let at = 2 * (y * n + x);
        match i16::from_be_bytes([bytes[at], bytes[at + 1]]) {
            i16::MIN => f32::NAN,
            metres => f32::from(metres),
        }
    };
    let cell = METRES_PER_DEGREE / (n - 1) as f64;
    let middle = (latitude + 0.5).to_radians();
    let width = (((n - 1) as f64 * middle.cos()).round() as usize + 1).clamp(2, n);
    let grid = Grid::from_fn(width, n, |c| {
        let x = f64::from(c.x) * (n - 1) as f64 / (width - 1) as f64;
        let x0 = x.floor().min((n - 2) as f64) as usize;
        let t = (x - x0 as f64) as f32;
        let (a, b) = (height(x0, c.y as usize), height(x0 + 1, c.y as usize));
        throng_field::grid::Blend::blend(a, b, t)
    });
    let grid = grid.map_err(|error| fault(error.to_string(), "give a smaller tile"))?;
    Ok(Heights { grid, cell: Some(cell), scale: 1.0 })
}

/// Latitude of the lower edge from a name such as `N42E001.hgt`.
fn latitude_of(file: &str) -> Option<f64> {
    let name = file.rsplit(['/', '\\']).next()?.to_ascii_uppercase();
    let sign = match name.as_bytes().first()? {
        b'N' => 1.0,
        b'S' => -1.0,
        _ => return None,
    };
    let degrees: f64 = name.get(1..3)?.parse().ok()?;
    let east = matches!(name.as_bytes().get(3)?, b'E' | b'W');
    (east && degrees <= 89.0).then_some(sign * degrees)
}

/// Heights of an ESRI ASCII grid: a header of `ncols`, `nrows`, `cellsize` and so on, then rows from
/// the north.
pub(crate) fn parse_esri(text: &str) -> Result<Heights, HeightFault> {
    let header = "start it with `ncols`, `nrows`, `xllcorner`, `yllcorner`, `cellsize`";
    let (mut columns, mut rows, mut cell, mut void) = (None, None, None, -9999.0);
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.peek() {
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+' || c == '.') {
            break;
        }
        let key = word.to_ascii_lowercase();
        words.next();
        let value = words.next().and_then(|w| w.parse::<f64>().ok()).filter(|v| v.is_finite());
        let shown = crate::error::quoted(key.as_bytes());
        let Some(value) = value else {
            return Err(fault(format!("{shown} of the header has no number"), header));
        };
        match key.as_str() {
            "ncols" => columns = Some(value),
            "nrows" => rows = Some(value),
            "cellsize" => cell = Some(value),
            "nodata_value" => void = value,
            "xllcorner" | "yllcorner" | "xllcenter" | "yllcenter" => {}
            _ => return Err(fault(format!("{shown} is unknown in the header"), header)),
        }
    }
    let (Some(columns), Some(rows), Some(cell)) = (columns, rows, cell) else {
        return Err(fault("the header is incomplete", header));
    };
    let whole = |v: f64| (v >= 2.0 && v.fract() == 0.0 && v <= 1e6).then_some(v as usize);
    let (Some(w), Some(h)) = (whole(columns), whole(rows)) else {
        return Err(fault(format!("{columns} x {rows} is no size"), "give at least 2 x 2"));
    };
    if w * h > MAX_SAMPLES || w * h > text.len() || !(cell > 0.0 && cell <= 1e4) {
        let what = format!("{w} x {h} samples of {cell} m do not fit the file");
        return Err(fault(what, "correct the header"));
    }
    let mut heights = Vec::with_capacity(w * h);
    for word in words {
        let value = word.parse::<f64>().ok().filter(|v| v.is_finite()).ok_or_else(|| {
            let what = format!("{} is no height", crate::error::quoted(word.as_bytes()));
            fault(what, "give numbers only after the header")
        })?;
        heights.push(if value == void { f32::NAN } else { value as f32 });
    }
    let found = heights.len();
    let grid = Grid::from_vec(w, h, heights).map_err(|_| {
        fault(format!("{found} heights for {w} x {h} samples"), "correct the header or the rows")
    })?;
    Ok(Heights { grid, cell: Some(cell), scale: 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Header, voids and order of rows of an ASCII grid.
    #[test]
    fn esri_grids_are_read() {
        let text = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2.5\nNODATA_value -1\n1 2 3\n4 -1 6\n";
        let heights = parse_esri(text).unwrap();
        assert_eq!((heights.grid.width(), heights.grid.height(), heights.cell), (3, 2, Some(2.5)));
        assert_eq!(heights.grid.row(0), [1.0, 2.0, 3.0]);
        assert!(heights.grid.row(1)[1].is_nan());
        for (from, to) in [
            ("ncols 3", "ncols 4"),
            ("ncols 3", ""),
            ("6\n", "x\n"),
            ("2.5", "-1"),
            ("ncols 3\nnrows 2", "ncols 900000\nnrows 900000"),
            ("ncols", "colns"),
        ] {
            assert!(parse_esri(&text.replace(from, to)).is_err(), "{to}");
        }
    }

    /// A tile's scale follows from its latitude, and voids are no ground.
    #[test]
    fn tiles_are_read() {
        let mut bytes: Vec<u8> =
            (0..101 * 101_u32).flat_map(|i| ((i % 101) as i16).to_be_bytes()).collect();
        bytes[0..2].copy_from_slice(&i16::MIN.to_be_bytes());
        let tile = parse_hgt(&bytes, "data/N60E010.hgt").unwrap();
        assert_eq!((tile.grid.width(), tile.grid.height()), (50, 101));
        assert!(tile.grid.as_slice()[0].is_nan());
        assert_eq!(tile.grid.row(5)[49], 100.0);
        assert!((tile.cell.unwrap() - 1111.95).abs() < 0.1);
        assert!(parse_hgt(&bytes[1..], "N60E010.hgt").is_err());
        assert!(parse_hgt(&bytes, "tile.hgt").unwrap_err().what.contains("name"));
    }
}
