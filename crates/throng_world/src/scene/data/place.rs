//! Shapes, walls, zones, goals and hazards of a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A shape on the ground: exactly one of its keys, and `repeat` if wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("additionalProperties" = false))]
pub struct ShapeData {
    /// x, y.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 2]>,
    /// x, y and radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disc: Option<[f64; 3]>,
    /// Left, lower, right and upper edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rect: Option<[f64; 4]>,
    /// Corners of a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 2))]
    pub line: Option<Vec<[f64; 2]>>,
    /// Corners of an area.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 3))]
    pub polygon: Option<Vec<[f64; 2]>>,
    /// Part of a ring: x, y, inner and outer radius, first and last angle in degrees
    /// (anticlockwise from the right).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector: Option<[f64; 6]>,
    /// Well-known text: POLYGON, MULTIPOLYGON, LINESTRING, POINT, GEOMETRYCOLLECTION and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wkt: Option<String>,
    /// A geometry file beside the scene: `.wkt`, `.geojson`, `.json` or `.dxf`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Layers of a DXF file that count; without it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<String>>,
    /// Features of a GeoJSON file that count; without it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<SelectData>,
    /// Copies of the shape, turned about a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<RepeatData>,
}

/// Which features of a GeoJSON file count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectData {
    /// A property of the feature.
    pub property: String,
    /// Values of it that count.
    pub values: Vec<String>,
}

/// Copies of a shape, turned evenly about a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepeatData {
    /// How many in all.
    #[schemars(range(min = 1, max = 10_000))]
    pub count: u32,
    /// The point they are turned about.
    #[serde(default)]
    pub about: [f64; 2],
    /// Angle from one to the next in degrees. Without it they go once round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -360.0, max = 360.0))]
    pub step: Option<f64>,
}

/// A wall, or an area to walk in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct WallData {
    /// Its shape. Points are no walls; lines need a thickness.
    #[serde(flatten)]
    pub shape: ShapeData,
    /// Thickness of lines in metres.
    #[serde(default = "wall_thickness")]
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub thickness: f64,
}

fn wall_thickness() -> f64 {
    0.2
}

/// Stairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StairsData {
    /// The direction in which they lead up.
    pub up: [f64; 2],
}

/// Where walking is slower or dearer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct ZoneData {
    /// Its shape: an area, or lines with a thickness.
    #[serde(flatten)]
    pub shape: ShapeData,
    /// Thickness of lines in metres.
    #[serde(default = "wall_thickness")]
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub thickness: f64,
    /// Factor on walking speed.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.01, max = 3.0))]
    pub speed: f32,
    /// Stairs: people go up and down at their group's `climb` and `descend`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stairs: Option<StairsData>,
    /// Smoke: its extinction coefficient (per metre), by which people are slower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub smoke: Option<f32>,
    /// Poisonous air: carbon monoxide in parts per million. The dose of it (Purser's fractional effective
    /// dose, with the two below) adds up, and at 1 people can no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub co: Option<f32>,
    /// Carbon dioxide in per cent, by which people breathe faster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 30.0))]
    pub co2: Option<f32>,
    /// What is left of the oxygen, in per cent. Without it 20.9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 20.9))]
    pub o2: Option<f32>,
    /// Factor on the cost of ways. Without it 1 over what is left of the speed, so that ways are the
    /// fastest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub cost: Option<f32>,
}

fn unit() -> f32 {
    1.0
}

/// A kind of goal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct GoalData {
    /// Its name.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
    /// Colour in maps, such as `"#d0a020"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Whether those who arrive leave the simulation.
    #[serde(default)]
    pub exit: bool,
    /// Width of the fuzzy edge in metres: each person is content with a distance from the place
    /// drawn once from 0 to this.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fuzz: f32,
    /// How many can be busy at each place at once. Without it: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub capacity: Option<u32>,
    /// Where it is, if it is in one place.
    #[serde(flatten)]
    pub shape: ShapeData,
    /// Where it is, if it is in several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<PlaceData>,
    /// Round places strewn over free ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scatter: Option<ScatterData>,
}

/// One place of a goal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct PlaceData {
    /// Its shape.
    #[serde(flatten)]
    pub shape: ShapeData,
    /// Width of its fuzzy edge, if not the goal's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fuzz: Option<f32>,
    /// Its capacity, if not the goal's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub capacity: Option<u32>,
    /// When it opens, in seconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub from: f32,
    /// When it closes, in seconds. Without it: never. Everybody knows at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub until: Option<f32>,
}

/// A door that lets only so many through, either way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DoorData {
    /// Its two ends.
    pub line: [[f64; 2]; 2],
    /// At most so many people per metre of it and second.
    #[schemars(range(min = 0.001, max = 100.0))]
    pub flow: f32,
}

/// A lift: a cabin that takes people from one place to another and comes back empty. Ways to goals lead
/// through it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiftData {
    /// The cabin where people get in.
    pub from: ShapeData,
    /// The cabin where they get out: the same shape elsewhere.
    pub to: ShapeData,
    /// How long it takes one way, in seconds.
    #[schemars(range(min = 0.1, max = 10_000.0))]
    pub seconds: f32,
    /// How many fit in.
    #[schemars(range(min = 1, max = 100))]
    pub capacity: u32,
    /// How long it waits for more once somebody is in, in seconds.
    #[serde(default = "dwell")]
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub dwell: f32,
}

fn dwell() -> f32 {
    5.0
}

/// Round places strewn over free ground by chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScatterData {
    /// How many; in a scene that grows, in proportion to the area.
    #[schemars(range(min = 1, max = 100_000))]
    pub count: u32,
    /// Smallest and largest radius in metres.
    #[schemars(inner(range(min = 0.0, max = 1000.0)))]
    pub radius: [f64; 2],
    /// Free ground left between them and to walls, in metres.
    #[serde(default = "spacing")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub spacing: f64,
    /// Only in this shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<ShapeData>,
    /// Not in this shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoid: Option<ShapeData>,
    /// Seed. Without it the scene's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 9_007_199_254_740_991_i64))]
    pub seed: Option<u64>,
}

fn spacing() -> f64 {
    1.0
}

/// Something people fear or walk around.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HazardData {
    /// Its name.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
    /// Colour in maps, such as `"#80ff80"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Corners of its way; one corner: it stands still.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<[f64; 2]>,
    /// Strewn over free ground instead, clear of goals by the scatter's radius and spacing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scatter: Option<ScatterData>,
    /// Speed along the way in metres per second.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub speed: f32,
    /// Whether the way leads from the last corner to the first, rather than to and fro.
    #[serde(default)]
    pub closed: bool,
    /// Radius of its cost in metres.
    #[schemars(range(min = 0.1, max = 1000.0))]
    pub radius: f32,
    /// Cost in its middle, falling to 0 at the radius.
    #[serde(default = "strength")]
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub strength: f32,
    /// Radius within which people flee it, in metres.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub fear_radius: f32,
    /// When it appears, in seconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub from: f32,
    /// When it goes, in seconds. Without it: it stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub until: Option<f32>,
}

fn strength() -> f32 {
    10.0
}
