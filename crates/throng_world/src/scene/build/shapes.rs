//! Shapes of a scene as geometry in metres, from whatever way they are given.

use super::{Builder, vec2};
use crate::geometry::{
    Fault, Piece, clean_ring, disc, parse_dxf, parse_geojson, parse_wkt, project, sector, thicken,
};
use crate::scene::data::{RepeatData, ShapeData};
use crate::scene::problem::quoted;
use crate::world::{Polygon, Shape};
use glam::DVec2;

/// Farthest coordinate from the origin in metres: beyond it 32-bit floats lose the centimetre.
const FARTHEST: f64 = 100_000.0;

/// Most corners of one shape.
const MAX_CORNERS: usize = 200_000;

impl Builder<'_> {
    /// The parts of a shape, in place, scaled and repeated; `None` (and noted) where it is faulty.
    pub(super) fn pieces(&mut self, shape: &ShapeData, key: &str) -> Option<Vec<Piece>> {
        let before = self.findings.0.len();
        let pieces = self.given_pieces(shape, key)?;
        if self.findings.0.len() > before {
            return None;
        }
        let copies = shape.repeat.as_ref().map_or(1, |r| r.count as usize);
        let corners: usize = pieces.iter().map(|p| p.corners().len()).sum();
        if corners.saturating_mul(copies) > MAX_CORNERS {
            let what = format!("it has {} corners", corners.saturating_mul(copies));
            self.findings.add(key, what, format!("give at most {MAX_CORNERS}"));
            return None;
        }
        let length = self.scale.length;
        let scaled: Vec<Piece> = pieces.iter().map(|p| p.mapped(|c| c * length, length)).collect();
        let pieces = match &shape.repeat {
            None => scaled,
            Some(repeat) => repeated(&scaled, repeat, length),
        };
        self.in_reach(&pieces, key).then_some(pieces)
    }

    /// The parts as written; exactly one way of giving a shape is allowed.
    fn given_pieces(&mut self, shape: &ShapeData, key: &str) -> Option<Vec<Piece>> {
        let mut found: Vec<(&str, Vec<Piece>)> = Vec::new();
        let at = |p: [f64; 2]| DVec2::from(p);
        if let Some(p) = shape.point {
            found.push(("point", vec![Piece::Point(at(p))]));
        }
        if let Some([x, y, r]) = shape.disc {
            if r <= 0.0 {
                self.findings.add(
                    format!("{key}.disc"),
                    format!("its radius is {r}"),
                    "give x, y and a positive radius",
                );
            }
            found.push(("disc", vec![Piece::Disc(DVec2::new(x, y), r)]));
        }
        if let Some([l, b, r, t]) = shape.rect {
            if r <= l || t <= b {
                let what = "its right or upper edge is not beyond its left or lower one";
                self.findings.add(
                    format!("{key}.rect"),
                    what,
                    "give left, lower, right and upper edge",
                );
            }
            let corners = [[l, b], [r, b], [r, t], [l, t]].map(at).to_vec();
            found.push(("rect", vec![Piece::Area(vec![corners])]));
        }
        if let Some(line) = &shape.line {
            let mut corners: Vec<DVec2> = line.iter().copied().map(at).collect();
            corners.dedup();
            if corners.len() < 2 {
                self.findings.add(
                    format!("{key}.line"),
                    "its corners are all the same",
                    "give two or more",
                );
            }
            found.push(("line", vec![Piece::Line(corners)]));
        }
        if let Some(corners) = &shape.polygon {
            match clean_ring(corners.iter().copied().map(at).collect()) {
                Some(ring) => found.push(("polygon", vec![Piece::Area(vec![ring])])),
                None => {
                    let what = "it has fewer than three different corners";
                    self.findings.add(format!("{key}.polygon"), what, "give three or more");
                }
            }
        }
        if let Some([x, y, inner, outer, from, to]) = shape.sector {
            if inner < 0.0 || outer <= inner || to <= from || to - from > 360.0 {
                let what = "its radii or angles are not in order";
                let cure = "give x, y, inner and outer radius, first and last angle in degrees";
                self.findings.add(format!("{key}.sector"), what, cure);
            }
            let rings = sector(DVec2::new(x, y), [inner, outer], [from, to]);
            found.push(("sector", vec![Piece::Area(rings)]));
        }
        if let Some(text) = &shape.wkt {
            match parse_wkt(text) {
                Ok(pieces) => found.push(("wkt", self.shifted(pieces))),
                Err(fault) => self.fault(&format!("{key}.wkt"), "", fault),
            }
        }
        if let Some(file) = &shape.file {
            let pieces = self.file_pieces(file, shape, key)?;
            found.push(("file", pieces));
        }
        if found.len() > 1 {
            let names: Vec<String> = found.iter().map(|(name, _)| format!("`{name}`")).collect();
            let what = format!("it has more than one shape: {}", names.join(" and "));
            self.findings.add(key, what, "keep one of them");
            return None;
        }
        if found.is_empty() && !self.findings.0.iter().any(|f| f.key.starts_with(key)) {
            let cure =
                "give one of `point`, `disc`, `rect`, `line`, `polygon`, `sector`, `wkt`, `file`";
            self.findings.add(key, "it has no shape", cure);
        }
        found.pop().map(|(_, pieces)| pieces)
    }

    /// Coordinates of files and of WKT, less the frame's offset.
    fn shifted(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        match self.data.frame.offset {
            None => pieces,
            Some(offset) => {
                let offset = DVec2::from(offset);
                pieces.iter().map(|p| p.mapped(|c| c - offset, 1.0)).collect()
            }
        }
    }

    fn fault(&mut self, key: &str, file: &str, fault: Fault) {
        let Fault { line, column, what, cure } = fault;
        let place = if file.is_empty() {
            format!("line {line}, column {column} of the text")
        } else {
            format!("{file}:{line}:{column}")
        };
        self.findings.add(key, format!("{place}: {what}"), cure);
    }

    /// The content of a file that the scene names.
    pub(super) fn read_file(&mut self, name: &str, key: &str) -> Option<Vec<u8>> {
        match self.assets.read(name) {
            Ok(bytes) => Some(bytes),
            Err(why) => {
                let what = format!("{} cannot be read ({why})", quoted(name));
                self.findings.add(
                    key,
                    what,
                    "give the path of a file, seen from the scene's folder",
                );
                None
            }
        }
    }

    fn file_pieces(&mut self, file: &str, shape: &ShapeData, key: &str) -> Option<Vec<Piece>> {
        let at = format!("{key}.file");
        let ending = file.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        if !["wkt", "geojson", "json", "dxf"].contains(&ending.as_str()) {
            let what = format!("{} is no known kind of geometry file", quoted(file));
            self.findings.add(at, what, "give a .wkt, .geojson or .dxf file");
            return None;
        }
        let bytes = self.read_file(file, &at)?;
        let text = String::from_utf8_lossy(&bytes);
        let pieces = match ending.as_str() {
            "wkt" => parse_wkt(&text).map(Some),
            "dxf" => {
                let layers = shape.layers.as_deref();
                parse_dxf(&text, layers)
                    .map(|(pieces, seen)| self.none_selected(pieces, &seen, "layers", key))
            }
            _ => self.geojson_pieces(&text, shape, key),
        };
        match pieces {
            Ok(pieces) => pieces.map(|pieces| self.shifted(pieces)),
            Err(fault) => {
                self.fault(&at, file, fault);
                None
            }
        }
    }

    fn none_selected(
        &mut self,
        pieces: Vec<Piece>,
        seen: &[String],
        selector: &str,
        key: &str,
    ) -> Option<Vec<Piece>> {
        if !pieces.is_empty() {
            return Some(pieces);
        }
        let cure = if seen.is_empty() {
            "give a file with polygons or lines".to_string()
        } else {
            format!("the file has {}", seen.join(", "))
        };
        self.findings.add(format!("{key}.{selector}"), "nothing of the file is left", cure);
        None
    }

    fn geojson_pieces(
        &mut self,
        text: &str,
        shape: &ShapeData,
        key: &str,
    ) -> Result<Option<Vec<Piece>>, Fault> {
        let select = shape.select.as_ref();
        let file = parse_geojson(text, select.map(|s| (s.property.as_str(), s.values.as_slice())))?;
        if let Some(origin) = self.data.frame.degrees_at {
            let origin = DVec2::from(origin);
            let flat = file.pieces.iter().map(|p| p.mapped(|c| project(c, origin), 1.0)).collect();
            return Ok(self.none_selected(flat, &file.seen, "select", key));
        }
        let middle = file.middle();
        if file.looks_like_degrees() {
            let what = "its coordinates look like degrees";
            let cure = format!(
                "add `degrees_at = [{:.5}, {:.5}]` to `[frame]`, which becomes (0, 0)",
                middle.x, middle.y
            );
            self.findings.add(format!("{key}.file"), what, cure);
            return Ok(None);
        }
        Ok(self.none_selected(file.pieces, &file.seen, "select", key))
    }

    /// Notes coordinates that are too far away to be exact.
    fn in_reach(&mut self, pieces: &[Piece], key: &str) -> bool {
        for corner in pieces.iter().flat_map(Piece::corners) {
            if !corner.is_finite() || corner.abs().max_element() > FARTHEST {
                let what = format!("it reaches ({:.0}, {:.0})", corner.x, corner.y);
                let cure = format!(
                    "keep coordinates within {FARTHEST} m of the origin; for map coordinates set `offset = [{:.0}, {:.0}]` in `[frame]`",
                    corner.x, corner.y
                );
                self.findings.add(key, what, cure);
                return false;
            }
        }
        true
    }

    /// Parts as solid polygons.
    pub(super) fn polygons(
        &mut self,
        pieces: Vec<Piece>,
        thickness: f64,
        key: &str,
    ) -> Vec<Polygon> {
        let mut out = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Point(_) => {
                    self.findings.add(key, "a point has no extent", "give an area or a line");
                    return out;
                }
                Piece::Disc(c, r) => out.push(polygon(vec![disc(c, r)])),
                Piece::Line(line) => {
                    out.extend(
                        thicken(&line, thickness).into_iter().map(|ring| polygon(vec![ring])),
                    );
                }
                Piece::Area(rings) => out.push(polygon(rings)),
            }
        }
        out
    }

    /// A shape of the scene as shapes on the ground.
    pub(super) fn shapes(&mut self, shape: &ShapeData, key: &str) -> Vec<Shape> {
        let pieces = self.pieces(shape, key).unwrap_or_default();
        let mut out = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Point(p) => out.push(Shape::Point(vec2(p))),
                Piece::Disc(c, r) => out.push(Shape::Disc { centre: vec2(c), radius: r as f32 }),
                Piece::Area(rings) => out.push(Shape::Polygon(polygon(rings))),
                Piece::Line(line) => {
                    out.extend(line.windows(2).map(|l| Shape::Line(vec2(l[0]), vec2(l[1]))));
                }
            }
        }
        out
    }
}

fn polygon(rings: Vec<Vec<DVec2>>) -> Polygon {
    let mut rings = rings.into_iter().map(|ring| ring.into_iter().map(vec2).collect());
    let outer = rings.next().unwrap_or_default();
    Polygon { outer, holes: rings.collect() }
}

fn repeated(pieces: &[Piece], repeat: &RepeatData, length: f64) -> Vec<Piece> {
    let about = DVec2::from(repeat.about) * length;
    let step = repeat.step.unwrap_or(360.0 / f64::from(repeat.count)).to_radians();
    let turned = |i: u32| {
        let turn = DVec2::from_angle(step * f64::from(i));
        pieces.iter().map(move |p| p.mapped(|c| about + turn.rotate(c - about), 1.0))
    };
    (0..repeat.count).flat_map(turned).collect()
}
