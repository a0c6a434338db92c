//! Parts of commands as they are sent and written: plain numbers, that JSON can hold to the last bit.

use glam::Vec2;
use serde::{Deserialize, Serialize};
use throng_world::world::{MovingHazard, Place, Polygon, Shape};

/// A point on the ground (metres), as `[x, y]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point(pub f32, pub f32);

impl From<Vec2> for Point {
    fn from(p: Vec2) -> Self {
        Self(p.x, p.y)
    }
}

impl From<Point> for Vec2 {
    fn from(Point(x, y): Point) -> Self {
        Self::new(x, y)
    }
}

fn points(points: &[Vec2]) -> Vec<Point> {
    points.iter().map(|&p| p.into()).collect()
}

fn vectors(points: Vec<Point>) -> Vec<Vec2> {
    points.into_iter().map(Into::into).collect()
}

/// A hazard: see [`MovingHazard`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HazardSpec {
    /// Its name.
    pub name: String,
    /// Colour (red, green, blue).
    pub color: [u8; 3],
    /// Corners of its way; one: it stands still.
    pub path: Vec<Point>,
    /// Speed along the way (metres per second).
    pub speed: f32,
    /// Whether it goes round rather than to and fro.
    #[serde(default)]
    pub closed: bool,
    /// Radius of its cost (metres).
    pub radius: f32,
    /// Cost in its middle.
    pub strength: f32,
    /// Radius within which people flee (metres).
    pub fear_radius: f32,
    /// When it appears (seconds of simulated time); always there before, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f32>,
    /// When it goes; never, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f32>,
}

impl From<&MovingHazard> for HazardSpec {
    fn from(h: &MovingHazard) -> Self {
        let finite = |time: f32| Some(time).filter(|time| time.is_finite());
        Self {
            name: h.name.clone(),
            color: h.color,
            path: points(&h.path),
            speed: h.speed,
            closed: h.closed,
            radius: h.radius,
            strength: h.strength,
            fear_radius: h.fear_radius,
            from: finite(h.active.0),
            until: finite(h.active.1),
        }
    }
}

impl From<HazardSpec> for MovingHazard {
    fn from(h: HazardSpec) -> Self {
        Self {
            name: h.name,
            color: h.color,
            path: vectors(h.path),
            speed: h.speed,
            closed: h.closed,
            radius: h.radius,
            strength: h.strength,
            fear_radius: h.fear_radius,
            active: (h.from.unwrap_or(f32::NEG_INFINITY), h.until.unwrap_or(f32::INFINITY)),
        }
    }
}

/// One place of a goal: see [`Place`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceSpec {
    /// Outline on the ground.
    pub shape: ShapeSpec,
    /// Width of its fuzzy edge (metres).
    #[serde(default)]
    pub fuzz: f32,
    /// How many can be busy there at once; no limit, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
}

/// An outline: see [`Shape`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ShapeSpec {
    /// A point.
    Point(Point),
    /// A disc.
    Disc {
        /// Its middle.
        centre: Point,
        /// Its radius (metres).
        radius: f32,
    },
    /// A straight line.
    Line(Point, Point),
    /// An area.
    Polygon {
        /// Corners of its outline.
        outer: Vec<Point>,
        /// Outlines cut out of it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        holes: Vec<Vec<Point>>,
    },
}

impl From<&Place> for PlaceSpec {
    fn from(place: &Place) -> Self {
        let shape = match &place.shape {
            Shape::Point(p) => ShapeSpec::Point((*p).into()),
            Shape::Disc { centre, radius } => {
                ShapeSpec::Disc { centre: (*centre).into(), radius: *radius }
            }
            Shape::Line(a, b) => ShapeSpec::Line((*a).into(), (*b).into()),
            Shape::Polygon(polygon) => ShapeSpec::Polygon {
                outer: points(&polygon.outer),
                holes: polygon.holes.iter().map(|hole| points(hole)).collect(),
            },
        };
        Self { shape, fuzz: place.fuzz, capacity: place.capacity }
    }
}

impl From<PlaceSpec> for Place {
    fn from(place: PlaceSpec) -> Self {
        let shape = match place.shape {
            ShapeSpec::Point(p) => Shape::Point(p.into()),
            ShapeSpec::Disc { centre, radius } => Shape::Disc { centre: centre.into(), radius },
            ShapeSpec::Line(a, b) => Shape::Line(a.into(), b.into()),
            ShapeSpec::Polygon { outer, holes } => Shape::Polygon(Polygon {
                outer: vectors(outer),
                holes: holes.into_iter().map(vectors).collect(),
            }),
        };
        Self { shape, fuzz: place.fuzz, capacity: place.capacity }
    }
}
