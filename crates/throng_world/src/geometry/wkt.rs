//! Well-known text (OGC 06-103r4): POINT, LINESTRING, POLYGON, their MULTI forms, and
//! GEOMETRYCOLLECTION. Heights and measures (Z, M) are read over.

use super::{Fault, Piece, clean_ring};
use glam::DVec2;

/// How deep collections may be nested.
const MAX_DEPTH: u32 = 32;

/// All parts of a text of one or more geometries.
pub(crate) fn parse_wkt(text: &str) -> Result<Vec<Piece>, Fault> {
    let mut reader = Reader { text: text.as_bytes(), at: 0, out: Vec::new() };
    reader.skip();
    while reader.at < reader.text.len() {
        reader.geometry(0)?;
        reader.skip();
        while reader.peek() == Some(b';') || reader.peek() == Some(b',') {
            reader.at += 1;
            reader.skip();
        }
    }
    if reader.out.is_empty() {
        return Err(reader.fault("it holds no geometry", KINDS));
    }
    Ok(reader.out)
}

const KINDS: &str = "give POLYGON, MULTIPOLYGON, LINESTRING, POINT or GEOMETRYCOLLECTION";

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    out: Vec<Piece>,
}

impl Reader<'_> {
    fn fault(&self, what: impl Into<String>, cure: impl Into<String>) -> Fault {
        let before = &self.text[..self.at.min(self.text.len())];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Fault { line, column, what: what.into(), cure: cure.into() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> String {
        self.skip();
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[start..self.at]).to_ascii_uppercase()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        self.skip();
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        let found = match self.peek() {
            Some(b) if b.is_ascii_graphic() => format!("`{}` stands", b as char),
            Some(_) => "something unreadable stands".into(),
            None => "the text ends".into(),
        };
        let what = format!("{found} where `{}` is due", byte as char);
        Err(self.fault(what, "close every bracket and part coordinates by commas"))
    }

    /// Whether another item follows after a comma; else the list is closed.
    fn more(&mut self) -> Result<bool, Fault> {
        self.skip();
        if self.peek() == Some(b',') {
            self.at += 1;
            return Ok(true);
        }
        self.expect(b')')?;
        Ok(false)
    }

    /// Z, M and EMPTY after a kind; whether it is empty.
    fn flags(&mut self) -> bool {
        loop {
            self.skip();
            let start = self.at;
            match self.word().as_str() {
                "Z" | "M" | "ZM" => {}
                "EMPTY" => return true,
                _ => {
                    self.at = start;
                    return false;
                }
            }
        }
    }

    fn geometry(&mut self, depth: u32) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("collections are nested too deep", "nest at most 32"));
        }
        self.skip();
        let start = self.at;
        let kind = self.word();
        if kind == "SRID" {
            while self.peek().is_some_and(|b| b != b';') {
                self.at += 1;
            }
            self.at += 1;
            return self.geometry(depth + 1);
        }
        let known = [
            "POINT",
            "MULTIPOINT",
            "LINESTRING",
            "MULTILINESTRING",
            "POLYGON",
            "MULTIPOLYGON",
            "GEOMETRYCOLLECTION",
            "LINEARRING",
        ];
        // `POLYGONZ` is seen in the wild.
        let plain = kind.trim_end_matches(['Z', 'M']);
        let Some(kind) = known.iter().find(|k| **k == kind || **k == plain) else {
            self.at = start;
            let what = if kind.is_empty() {
                "no geometry starts here".into()
            } else {
                format!("{} is no known geometry", crate::error::quoted(kind.as_bytes()))
            };
            return Err(self.fault(what, KINDS));
        };
        if self.flags() {
            return Ok(());
        }
        match *kind {
            "POINT" => {
                let points = self.points()?;
                self.out.extend(points.into_iter().map(Piece::Point));
            }
            "MULTIPOINT" => self.multi_point()?,
            "LINESTRING" | "LINEARRING" => self.line()?,
            "MULTILINESTRING" => self.list(Self::line)?,
            "POLYGON" => self.polygon()?,
            "MULTIPOLYGON" => self.list(Self::polygon)?,
            _ => self.list(|reader| reader.geometry(depth + 1))?,
        }
        Ok(())
    }

    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.expect(b'(')?;
        loop {
            item(self)?;
            if !self.more()? {
                return Ok(());
            }
        }
    }

    fn multi_point(&mut self) -> Result<(), Fault> {
        self.list(|reader| {
            reader.skip();
            if reader.peek() == Some(b'(') {
                let points = reader.points()?;
                reader.out.extend(points.into_iter().map(Piece::Point));
            } else {
                let point = reader.point()?;
                reader.out.push(Piece::Point(point));
            }
            Ok(())
        })
    }

    fn line(&mut self) -> Result<(), Fault> {
        let mut points = self.points()?;
        points.dedup();
        if points.len() < 2 {
            return Err(self.fault("a line has fewer than two corners", "give two or more"));
        }
        self.out.push(Piece::Line(points));
        Ok(())
    }

    fn polygon(&mut self) -> Result<(), Fault> {
        let mut rings = Vec::new();
        self.list(|reader| {
            let ring = clean_ring(reader.points()?);
            let fault = "a ring has fewer than three corners";
            rings.push(ring.ok_or_else(|| reader.fault(fault, "give three or more"))?);
            Ok(())
        })?;
        self.out.push(Piece::Area(rings));
        Ok(())
    }

    fn points(&mut self) -> Result<Vec<DVec2>, Fault> {
        let mut points = Vec::new();
        self.expect(b'(')?;
        loop {
            points.push(self.point()?);
            if !self.more()? {
                return Ok(points);
            }
        }
    }

    /// Two numbers; up to two more (height, measure) are read over.
    fn point(&mut self) -> Result<DVec2, Fault> {
        let point = DVec2::new(self.number()?, self.number()?);
        for _ in 0..2 {
            self.skip();
            if matches!(self.peek(), Some(b',' | b')') | None) {
                break;
            }
            self.number()?;
        }
        Ok(point)
    }

    fn number(&mut self) -> Result<f64, Fault> {
        self.skip();
        let start = self.at;
        let part = |b: u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E');
        while self.peek().is_some_and(part) {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap_or("");
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => {
                self.at = start;
                Err(self
                    .fault("a number is due here", "give coordinates as `x y`, parted by commas"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind that buildings come in must be read.
    #[test]
    fn all_kinds_are_read() {
        let square = "((0 0, 1 0, 1 1, 0 1, 0 0))";
        let text = format!(
            "GEOMETRYCOLLECTION (POLYGON {square}, GEOMETRYCOLLECTION (MULTIPOLYGON Z ({square}, \
             {square}), LINESTRING (0 0, 2 0), POINT M (1 2 3), MULTIPOINT (1 2, (3 4)), POLYGON EMPTY))"
        );
        let pieces = parse_wkt(&text).unwrap();
        let areas = pieces.iter().filter(|p| matches!(p, Piece::Area(r) if r[0].len() == 4));
        assert_eq!((pieces.len(), areas.count()), (7, 3));
        assert_eq!(parse_wkt("POLYGON((0 0 5, 1 0 5, 0 1 5))").unwrap().len(), 1);
    }

    /// A fault must lead to its place in a long text.
    #[test]
    fn faults_have_a_place() {
        let cases = [
            ("POLYGON ((0 0, 1 0,\n 1 x))", 2, 4, "a number is due"),
            ("POLYGON ((0 0, 1 0, 1 1)", 1, 25, "the text ends where `)` is due"),
            ("CIRCLE (0 0)", 1, 1, "`CIRCLE` is no known geometry"),
            ("POLYGON ((0 0, 1 0, 0 0))", 1, 25, "fewer than three corners"),
            ("", 1, 1, "no geometry"),
            ("POINT (1e999 0)", 1, 8, "a number is due"),
        ];
        for (text, line, column, what) in cases {
            let fault = parse_wkt(text).unwrap_err();
            assert_eq!((fault.line, fault.column), (line, column), "{text}: {fault:?}");
            assert!(fault.what.contains(what), "{fault:?}");
        }
        assert!(parse_wkt(&"GEOMETRYCOLLECTION(".repeat(100_000)).is_err());
        assert!(parse_wkt(&"SRID=1;".repeat(100_000)).is_err());
    }
}
