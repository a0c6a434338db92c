//! The area people walk in, as one polygon with holes in well-known text (WKT).

use crate::RecordError;
use geo::{Area, BooleanOps, Coord, LineString, MultiPolygon};
use glam::Vec2;
use std::fmt::Write;
use throng_world::World;
use throng_world::world::{Polygon, Rect};

/// Pieces and holes below this are crumbs of rounding (square metres).
const CRUMB: f64 = 1e-4;
/// Pieces below this part of the whole are yards and shafts nobody walks in.
const SMALL_PART: f32 = 0.01;

/// Where people can walk: one polygon with holes.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    polygon: Polygon,
    wkt: String,
}

impl Geometry {
    /// The walkable area of a world: its walkable polygons (or its bounds where there are none),
    /// minus its walls.
    ///
    /// PedPy and JuPedSim know one connected polygon. Where walls cut the area into several, small
    /// ones (yards and shafts) are left out, and walls that part large ones are not cut out.
    ///
    /// # Errors
    /// When nothing is left to walk on, or a corner is not finite.
    pub fn of_world(world: &World) -> Result<Self, RecordError> {
        let bounds = [Polygon::rect(world.bounds())];
        let outline = if world.walkable.is_empty() { &bounds[..] } else { &world.walkable };
        Self::of_polygons(outline, &world.walls)
    }

    /// The union of `walkable` minus the union of `walls`.
    ///
    /// # Errors
    /// As [`Geometry::of_world`].
    pub fn of_polygons(walkable: &[Polygon], walls: &[Polygon]) -> Result<Self, RecordError> {
        let area = union(walkable)?;
        let free = if walls.is_empty() { area.clone() } else { area.difference(&union(walls)?) };
        let mut pieces = pieces(&free);
        if pieces.is_empty() {
            return Err(RecordError::BadGeometry("is empty: walls cover all of it".to_owned()));
        }
        let whole: f32 = pieces.iter().map(Polygon::area).sum();
        pieces.retain(|piece| piece.area() > whole * SMALL_PART);
        if pieces.len() > 1 {
            // Agents may be in any of them, and the file holds one: the area without those walls
            // that part it.
            pieces = without_partitions(&area, walls)?;
        }
        pieces.sort_by(|a, b| b.area().total_cmp(&a.area()));
        Ok(Self::of_polygon(pieces.swap_remove(0)))
    }

    /// A polygon taken as it is.
    pub fn of_polygon(polygon: Polygon) -> Self {
        let mut wkt = String::from("POLYGON (");
        for (i, ring) in polygon.rings().enumerate() {
            wkt.push_str(if i == 0 { "(" } else { ", (" });
            for point in ring.iter().chain(ring.first()) {
                // Writing to a string cannot fail.
                let _ = write!(wkt, "{} {}, ", point.x, point.y);
            }
            wkt.truncate(wkt.trim_end_matches(", ").len());
            wkt.push(')');
        }
        wkt.push(')');
        Self { polygon, wkt }
    }

    /// A rectangle without walls.
    pub fn of_rect(rect: Rect) -> Self {
        Self::of_polygon(Polygon::rect(rect))
    }

    /// The area as `POLYGON ((x y, …), (hole), …)`.
    pub fn wkt(&self) -> &str {
        &self.wkt
    }

    /// The area as a polygon.
    pub fn polygon(&self) -> &Polygon {
        &self.polygon
    }

    /// The rectangle around it.
    pub fn bounds(&self) -> Rect {
        self.polygon.bounds()
    }

    /// A number that differs for different areas (FNV-1a of the text).
    pub(crate) fn hash(&self) -> i64 {
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        self.wkt.bytes().fold(0xcbf2_9ce4_8422_2325, fold) as i64
    }
}

/// The walkable area in one piece: walls that cut it apart are left out.
fn without_partitions(
    area: &MultiPolygon<f64>,
    walls: &[Polygon],
) -> Result<Vec<Polygon>, RecordError> {
    let parts = pieces(area).len();
    let mut free = area.clone();
    for wall in walls {
        let without = free.difference(&union(std::slice::from_ref(wall))?);
        if pieces(&without).len() <= parts {
            free = without;
        }
    }
    Ok(pieces(&free))
}

fn union(polygons: &[Polygon]) -> Result<MultiPolygon<f64>, RecordError> {
    let mut all = Vec::with_capacity(polygons.len());
    for polygon in polygons {
        if let Some(bad) = polygon.rings().flatten().find(|p| !p.is_finite()) {
            return Err(RecordError::BadGeometry(format!(
                "has a corner at ({}, {})",
                bad.x, bad.y
            )));
        }
        all.push(to_geo(polygon));
    }
    Ok(geo::unary_union(&all))
}

fn to_geo(polygon: &Polygon) -> geo::Polygon<f64> {
    let ring = |points: &[Vec2]| -> LineString<f64> {
        let coord = |p: &Vec2| Coord { x: f64::from(p.x), y: f64::from(p.y) };
        points.iter().chain(points.first()).map(coord).collect()
    };
    geo::Polygon::new(ring(&polygon.outer), polygon.holes.iter().map(|h| ring(h)).collect())
}

fn pieces(shape: &MultiPolygon<f64>) -> Vec<Polygon> {
    let ring = |line: &LineString<f64>| -> Vec<Vec2> {
        let mut points: Vec<Vec2> =
            line.coords().map(|c| Vec2::new(c.x as f32, c.y as f32)).collect();
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        points
    };
    let large = |line: &&LineString<f64>| {
        geo::Polygon::new((*line).clone(), Vec::new()).unsigned_area() > CRUMB
    };
    let convert = |piece: &geo::Polygon<f64>| Polygon {
        outer: ring(piece.exterior()),
        holes: piece.interiors().iter().filter(large).map(ring).collect(),
    };
    shape.iter().filter(|piece| piece.unsigned_area() > CRUMB).map(convert).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Polygon {
        Polygon::rect(Rect { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1) })
    }

    /// Walls that stand free become holes, walls at the rim notches.
    #[test]
    fn walls_are_cut_out() {
        let walls = [rect(4.0, 4.0, 6.0, 6.0), rect(0.0, 9.0, 3.0, 12.0), rect(5.0, 5.0, 7.0, 7.0)];
        let area = Geometry::of_polygons(&[rect(0.0, 0.0, 10.0, 10.0)], &walls).unwrap();
        assert_eq!(area.polygon().holes.len(), 1);
        assert!((area.polygon().area() - (100.0 - 7.0 - 3.0)).abs() < 1e-3);
        assert!(area.polygon().contains(Vec2::new(1.0, 1.0)));
        assert!(!area.polygon().contains(Vec2::new(5.0, 5.0)));
        assert!(area.wkt().starts_with("POLYGON ((") && area.wkt().ends_with("))"));
    }

    /// A file whose area leaves agents out cannot be loaded by PedPy at all.
    #[test]
    fn a_wall_across_does_not_lose_a_side() {
        let walls = [rect(4.0, -1.0, 5.0, 11.0), rect(1.0, 1.0, 2.0, 2.0)];
        let area = Geometry::of_polygons(&[rect(0.0, 0.0, 10.0, 10.0)], &walls).unwrap();
        assert!(area.polygon().contains(Vec2::new(1.0, 8.0)));
        assert!(area.polygon().contains(Vec2::new(9.0, 8.0)));
        assert_eq!(area.polygon().holes.len(), 1);
    }

    #[test]
    fn nothing_left_and_nonsense_are_errors() {
        let all = [rect(-1.0, -1.0, 11.0, 11.0)];
        let said = Geometry::of_polygons(&[rect(0.0, 0.0, 10.0, 10.0)], &all).unwrap_err();
        assert_eq!(said.to_string(), "the walkable area is empty: walls cover all of it");
        assert!(Geometry::of_polygons(&[rect(0.0, f32::NAN, 1.0, 1.0)], &[]).is_err());
    }
}
