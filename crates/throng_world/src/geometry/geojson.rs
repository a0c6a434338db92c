//! GeoJSON (RFC 7946): the geometries of features, in metres, or in degrees laid flat around a point.

use super::{Fault, Piece, clean_ring};
use glam::DVec2;
use serde_json::Value;

/// Metres per degree of latitude (mean radius of the earth, 6,371,008.8 m).
const METRES_PER_DEGREE: f64 = 6_371_008.8 * std::f64::consts::PI / 180.0;

/// What a GeoJSON file holds.
pub(crate) struct GeoJson {
    pub(crate) pieces: Vec<Piece>,
    /// Values of the selecting property that were seen.
    pub(crate) seen: Vec<String>,
}

impl GeoJson {
    /// Whether the coordinates must be longitudes and latitudes: within their range, and all within
    /// a degree, which in metres would be too small for people.
    pub(crate) fn looks_like_degrees(&self) -> bool {
        let (low, high) = self.bounds();
        let range = DVec2::new(180.0, 90.0);
        let in_range = low.cmpge(-range).all() && high.cmple(range).all();
        in_range && (high - low).max_element() < 1.0
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        let corners = || self.pieces.iter().flat_map(Piece::corners);
        let low = corners().fold(DVec2::INFINITY, DVec2::min);
        (low, corners().fold(DVec2::NEG_INFINITY, DVec2::max))
    }

    /// The middle of everything.
    pub(crate) fn middle(&self) -> DVec2 {
        let (low, high) = self.bounds();
        (low + high) * 0.5
    }
}

/// Degrees (longitude, latitude) as metres east and north of `origin`: the equirectangular
/// projection, true to 0.1 % within 50 km outside the polar regions.
pub(crate) fn project(degrees: DVec2, origin: DVec2) -> DVec2 {
    let east = METRES_PER_DEGREE * origin.y.to_radians().cos();
    (degrees - origin) * DVec2::new(east, METRES_PER_DEGREE)
}

/// Reads the geometries of a file, or of the features whose property has one of the given values.
pub(crate) fn parse_geojson(
    text: &str,
    select: Option<(&str, &[String])>,
) -> Result<GeoJson, Fault> {
    let value: Value = serde_json::from_str(text).map_err(|error| Fault {
        line: error.line(),
        column: error.column(),
        what: "it is no valid JSON".into(),
        cure: "give a GeoJSON file".into(),
    })?;
    let mut reader = Reader { select, pieces: Vec::new(), seen: Vec::new() };
    reader.object(&value, select.is_none(), 0)?;
    let Reader { pieces, mut seen, .. } = reader;
    seen.sort();
    seen.dedup();
    Ok(GeoJson { pieces, seen })
}

struct Reader<'a> {
    select: Option<(&'a str, &'a [String])>,
    pieces: Vec<Piece>,
    seen: Vec<String>,
}

fn fault(what: impl Into<String>) -> Fault {
    let cure = "give a GeoJSON file of polygons, lines or points".into();
    Fault { line: 1, column: 1, what: what.into(), cure }
}

impl Reader<'_> {
    fn object(&mut self, value: &Value, wanted: bool, depth: u32) -> Result<(), Fault> {
        if depth > 32 {
            return Err(fault("collections are nested too deep"));
        }
        let kind = value.get("type").and_then(Value::as_str).unwrap_or("");
        let coordinates = value.get("coordinates").unwrap_or(&Value::Null);
        let members = |key: &str| value.get(key).and_then(Value::as_array).into_iter().flatten();
        match kind {
            "FeatureCollection" => {
                for feature in members("features") {
                    self.object(feature, wanted, depth + 1)?;
                }
            }
            "Feature" => {
                let wanted = wanted || self.selected(value.get("properties"));
                match value.get("geometry") {
                    None | Some(Value::Null) => {}
                    Some(geometry) => self.object(geometry, wanted, depth + 1)?,
                }
            }
            "GeometryCollection" => {
                for geometry in members("geometries") {
                    self.object(geometry, wanted, depth + 1)?;
                }
            }
            "" => return Err(fault("it has no `type`")),
            _ if !wanted => {}
            "Point" => self.pieces.push(Piece::Point(point(coordinates)?)),
            "MultiPoint" => {
                self.pieces.extend(points(coordinates)?.into_iter().map(Piece::Point));
            }
            "LineString" => self.line(coordinates)?,
            "MultiLineString" => list(coordinates)?.iter().try_for_each(|l| self.line(l))?,
            "Polygon" => self.polygon(coordinates)?,
            "MultiPolygon" => list(coordinates)?.iter().try_for_each(|p| self.polygon(p))?,
            other => {
                let name = crate::error::quoted(other.as_bytes());
                return Err(fault(format!("{name} is no geometry of GeoJSON")));
            }
        }
        Ok(())
    }

    fn selected(&mut self, properties: Option<&Value>) -> bool {
        let Some((property, values)) = self.select else { return true };
        let found = properties.and_then(|p| p.get(property));
        let found = match found {
            None | Some(Value::Null) => return false,
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let selected = values.contains(&found);
        self.seen.push(found);
        selected
    }

    fn line(&mut self, value: &Value) -> Result<(), Fault> {
        let mut line = points(value)?;
        line.dedup();
        if line.len() >= 2 {
            self.pieces.push(Piece::Line(line));
        }
        Ok(())
    }

    fn polygon(&mut self, value: &Value) -> Result<(), Fault> {
        let mut rings = Vec::new();
        for (i, ring) in list(value)?.iter().enumerate() {
            match clean_ring(points(ring)?) {
                Some(ring) => rings.push(ring),
                // Without an outline holes mean nothing.
                None if i == 0 => return Ok(()),
                None => {}
            }
        }
        if !rings.is_empty() {
            self.pieces.push(Piece::Area(rings));
        }
        Ok(())
    }
}

fn list(value: &Value) -> Result<&Vec<Value>, Fault> {
    value.as_array().ok_or_else(|| fault("coordinates are no list"))
}

fn points(value: &Value) -> Result<Vec<DVec2>, Fault> {
    list(value)?.iter().map(point).collect()
}

fn point(value: &Value) -> Result<DVec2, Fault> {
    let number = |i: usize| value.get(i).and_then(Value::as_f64).filter(|n| n.is_finite());
    match (number(0), number(1)) {
        (Some(x), Some(y)) => Ok(DVec2::new(x, y)),
        _ => Err(fault("a position is not a list of two numbers")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"type": "wall"}, "geometry":
            {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}},
        {"type": "Feature", "properties": {"type": "door"}, "geometry":
            {"type": "LineString", "coordinates": [[0, 0], [1, 0]]}},
        {"type": "Feature", "properties": null, "geometry": null}]}"#;

    /// Walls and doors of one file must be told apart.
    #[test]
    fn features_are_selected_by_property() {
        assert_eq!(parse_geojson(TEXT, None).unwrap().pieces.len(), 2);
        let walls = ["wall".to_string()];
        let found = parse_geojson(TEXT, Some(("type", &walls))).unwrap();
        assert!(matches!(&found.pieces[..], [Piece::Area(_)]));
        assert_eq!(found.seen, ["door", "wall"]);
        assert!(parse_geojson("{}", None).is_err());
        assert_eq!(parse_geojson("{\n x", None).err().unwrap().line, 2);
    }

    /// A degree is 111 km northwards, and less eastwards the farther north.
    #[test]
    fn degrees_become_metres() {
        let origin = DVec2::new(10.0, 60.0);
        let p = project(DVec2::new(10.001, 60.001), origin);
        assert!((p.y - 111.195).abs() < 0.01 && (p.x - 55.597).abs() < 0.01, "{p}");
    }
}
