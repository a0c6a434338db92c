//! Geometry of walls, areas and places read from files: WKT, GeoJSON and DXF, as points, lines and
//! areas in metres, in double precision until it is known where the scene's origin lies.

mod dxf;
mod geojson;
mod thick;
mod wkt;

pub(crate) use dxf::parse_dxf;
pub(crate) use geojson::{parse_geojson, project};
pub(crate) use thick::{disc, sector, thicken};
pub(crate) use wkt::parse_wkt;

use crate::world::Polygon;
use glam::DVec2;

/// The areas of a well-known text, as polygons in metres; points and lines are passed by.
///
/// # Errors
/// Says what is wrong and where.
pub fn polygons_of_wkt(text: &str) -> Result<Vec<Polygon>, String> {
    let pieces = parse_wkt(text).map_err(|fault| {
        format!("line {}, column {}: {}; {}", fault.line, fault.column, fault.what, fault.cure)
    })?;
    let ring = |ring: &Vec<DVec2>| ring.iter().map(|p| p.as_vec2()).collect::<Vec<_>>();
    let area = |piece: &Piece| match piece {
        Piece::Area(rings) => rings.split_first().map(|(outer, holes)| Polygon {
            outer: ring(outer),
            holes: holes.iter().map(ring).collect(),
        }),
        _ => None,
    };
    Ok(pieces.iter().filter_map(area).collect())
}

/// A part of a geometry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// A point.
    Point(DVec2),
    /// A line of at least two corners.
    Line(Vec<DVec2>),
    /// Rings of an area, the outer one first; not closed.
    Area(Vec<Vec<DVec2>>),
    /// A disc.
    Disc(DVec2, f64),
}

impl Piece {
    /// All corners moved by `f`; radii scaled by `scale`.
    pub(crate) fn mapped(&self, f: impl Fn(DVec2) -> DVec2, scale: f64) -> Self {
        let ring = |ring: &Vec<DVec2>| ring.iter().map(|p| f(*p)).collect::<Vec<_>>();
        match self {
            Self::Point(p) => Self::Point(f(*p)),
            Self::Line(line) => Self::Line(ring(line)),
            Self::Area(rings) => Self::Area(rings.iter().map(ring).collect()),
            Self::Disc(c, r) => Self::Disc(f(*c), r * scale),
        }
    }

    /// All its corners (of a disc, those of the square around it).
    pub(crate) fn corners(&self) -> Vec<DVec2> {
        match self {
            Self::Point(p) => vec![*p],
            Self::Line(line) => line.clone(),
            Self::Area(rings) => rings.concat(),
            Self::Disc(c, r) => vec![*c - DVec2::splat(*r), *c + DVec2::splat(*r)],
        }
    }
}

/// Why a geometry could not be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    /// Line in the text, from 1.
    pub(crate) line: usize,
    /// Column, from 1.
    pub(crate) column: usize,
    pub(crate) what: String,
    pub(crate) cure: String,
}

/// A ring without its closing corner and without corners given twice in a row; `None` where fewer
/// than three are left.
pub(crate) fn clean_ring(mut ring: Vec<DVec2>) -> Option<Vec<DVec2>> {
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    (ring.len() >= 3).then_some(ring)
}
