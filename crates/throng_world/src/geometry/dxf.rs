//! Drawings in ASCII DXF: LINE, LWPOLYLINE, POLYLINE and CIRCLE of the entities section, by layer.
//!
//! The format is pairs of lines, a number that says what follows and its value; four kinds of
//! entity of it need no library. Bulges (arcs between corners) are taken as straight.

use super::{Fault, Piece, clean_ring};
use glam::DVec2;

/// The parts of a drawing on the given layers (`None`: all), and the names of all layers seen.
pub(crate) fn parse_dxf(
    text: &str,
    layers: Option<&[String]>,
) -> Result<(Vec<Piece>, Vec<String>), Fault> {
    let fault = |line: usize, what: String| Fault {
        line,
        column: 1,
        what,
        cure: "give a DXF drawing in ASCII, as most programs can save it".into(),
    };
    if text.starts_with("AutoCAD Binary DXF") {
        return Err(fault(1, "it is a binary DXF".into()));
    }
    let mut lines = text.lines();
    let mut number = 0;
    let mut reader = Entities::default();
    let mut in_entities = false;
    let mut section_follows = false;
    while let (Some(code), Some(value)) = (lines.next(), lines.next()) {
        number += 2;
        let Ok(code) = code.trim().parse::<i32>() else {
            let what = format!("{} is no group code", crate::error::quoted(code.as_bytes()));
            return Err(fault(number - 1, what));
        };
        let value = value.trim();
        match (code, value) {
            (0, "SECTION") => section_follows = true,
            (2, name) if section_follows => {
                in_entities = name == "ENTITIES";
                section_follows = false;
            }
            (0, "ENDSEC") => {
                reader.finish(layers);
                in_entities = false;
            }
            _ if in_entities => {
                reader.pair(code, value, layers).map_err(|what| fault(number, what))?;
            }
            _ => {}
        }
    }
    if number == 0 {
        return Err(fault(1, "it is empty".into()));
    }
    reader.finish(layers);
    let mut seen = reader.seen;
    seen.sort();
    seen.dedup();
    Ok((reader.out, seen))
}

/// The entity being read, and what came of those before.
#[derive(Default)]
struct Entities {
    kind: String,
    layer: String,
    /// Whether a POLYLINE's vertices are being gathered.
    gathers: bool,
    closed: bool,
    corners: Vec<DVec2>,
    vertex: Option<DVec2>,
    end: DVec2,
    radius: f64,
    seen: Vec<String>,
    out: Vec<Piece>,
}

impl Entities {
    fn pair(&mut self, code: i32, value: &str, layers: Option<&[String]>) -> Result<(), String> {
        if code == 0 {
            match value {
                "VERTEX" if self.gathers => self.end_vertex(),
                "SEQEND" if self.gathers => self.finish(layers),
                _ => {
                    self.finish(layers);
                    self.kind = value.into();
                    self.gathers = value == "POLYLINE";
                }
            }
            return Ok(());
        }
        let in_vertex = self.gathers && self.vertex.is_some();
        match code {
            8 if !in_vertex => self.layer = value.into(),
            70 if !in_vertex && matches!(self.kind.as_str(), "LWPOLYLINE" | "POLYLINE") => {
                self.closed = value.parse::<i32>().is_ok_and(|flags| flags & 1 == 1);
            }
            10 => {
                if self.kind == "LWPOLYLINE" {
                    self.end_vertex();
                }
                self.vertex = Some(DVec2::new(coordinate(value)?, 0.0));
            }
            20 => {
                let y = coordinate(value)?;
                if let Some(vertex) = &mut self.vertex {
                    vertex.y = y;
                }
            }
            11 => self.end.x = coordinate(value)?,
            21 => self.end.y = coordinate(value)?,
            40 if self.kind == "CIRCLE" => self.radius = coordinate(value)?,
            _ => {}
        }
        Ok(())
    }

    fn end_vertex(&mut self) {
        // The POLYLINE itself carries a point of no meaning before its first VERTEX.
        let dummy = self.gathers && self.corners.is_empty() && !self.seen_vertex();
        if let Some(vertex) = self.vertex.take()
            && !dummy
        {
            self.corners.push(vertex);
        }
        if self.gathers && self.kind == "POLYLINE" {
            self.kind = "POLYLINE VERTEX".into();
        }
    }

    fn seen_vertex(&self) -> bool {
        self.kind == "POLYLINE VERTEX"
    }

    fn finish(&mut self, layers: Option<&[String]>) {
        let single = self.vertex;
        if self.kind == "LWPOLYLINE" || self.seen_vertex() {
            self.end_vertex();
        }
        let mut entity = std::mem::take(self);
        self.seen = std::mem::take(&mut entity.seen);
        self.out = std::mem::take(&mut entity.out);
        let wanted = layers.is_none_or(|names| names.contains(&entity.layer));
        let piece = match entity.kind.as_str() {
            "LINE" => single.map(|a| Piece::Line(vec![a, entity.end])),
            "CIRCLE" => single.map(|c| Piece::Disc(c, entity.radius)),
            "LWPOLYLINE" | "POLYLINE VERTEX" => entity.outline(),
            _ => None,
        };
        if let Some(piece) = piece {
            self.seen.push(entity.layer);
            if wanted {
                self.out.push(piece);
            }
        }
    }

    /// An area where the line is closed (or ends where it began), else a line.
    fn outline(&self) -> Option<Piece> {
        let closed =
            self.closed || self.corners.len() > 3 && self.corners.first() == self.corners.last();
        if closed && let Some(ring) = clean_ring(self.corners.clone()) {
            return Some(Piece::Area(vec![ring]));
        }
        let mut corners = self.corners.clone();
        corners.dedup();
        (corners.len() >= 2).then_some(Piece::Line(corners))
    }
}

fn coordinate(value: &str) -> Result<f64, String> {
    let number = value.parse::<f64>().ok().filter(|n| n.is_finite());
    number.ok_or_else(|| format!("{} is no coordinate", crate::error::quoted(value.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(entities: &str) -> String {
        let pairs = entities.replace([',', ' '], "\n");
        format!("0\nSECTION\n2\nENTITIES\n{pairs}\n0\nENDSEC\n0\nEOF\n")
    }

    /// Each kind of entity becomes its piece, and layers part them.
    #[test]
    fn entities_become_pieces() {
        let text = drawing(
            "0,LINE,8,walls,10,1,20,2,11,3,21,4 0,CIRCLE,8,pillars,10,5,20,6,40,0.5 \
             0,LWPOLYLINE,8,walls,90,3,70,1,10,0,20,0,10,1,20,0,10,1,20,1 \
             0,POLYLINE,8,walls,66,1,10,0,20,0,70,0 0,VERTEX,8,walls,10,7,20,7 0,VERTEX,8,walls,10,8,20,8 0,SEQEND",
        );
        let (all, layers) = parse_dxf(&text, None).unwrap();
        assert_eq!(layers, ["pillars", "walls"]);
        assert_eq!(all.len(), 4, "{all:?}");
        assert_eq!(all[0], Piece::Line(vec![DVec2::new(1.0, 2.0), DVec2::new(3.0, 4.0)]));
        assert_eq!(all[1], Piece::Disc(DVec2::new(5.0, 6.0), 0.5));
        assert!(matches!(&all[2], Piece::Area(rings) if rings[0].len() == 3));
        assert_eq!(all[3], Piece::Line(vec![DVec2::splat(7.0), DVec2::splat(8.0)]));
        let only = parse_dxf(&text, Some(&["pillars".into()])).unwrap().0;
        assert_eq!(only.len(), 1);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(parse_dxf("", None).is_err());
        assert!(parse_dxf("hello\nworld\n", None).unwrap_err().what.contains("no group code"));
    }
}
