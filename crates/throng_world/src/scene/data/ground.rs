//! The ground of a scene and the frame of its coordinates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the ground is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum GroundData {
    /// A plane.
    Flat {
        /// Width and height in metres, with the corner at (0, 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(inner(range(min = 0.5, max = 100_000.0)))]
        size: Option<[f64; 2]>,
        /// Left, lower, right and upper edge in metres, instead of `size`. Neither: as large as
        /// the areas and walls ask for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(inner(range(min = -100_000.0, max = 100_000.0)))]
        bounds: Option<[f64; 4]>,
        /// Side of a navigation cell in metres.
        #[serde(default = "half")]
        #[schemars(range(min = 0.05, max = 100.0))]
        cell: f64,
    },
    /// A valley between cliffs, made from a seed.
    Valley {
        /// Side in metres.
        #[serde(default = "valley_size")]
        #[schemars(range(min = 32.0, max = 16_384.0))]
        size: f64,
        /// Navigation cells across.
        #[serde(default = "valley_cells")]
        #[schemars(range(min = 32, max = 2048))]
        cells: u32,
        /// Seed of the landscape. Without it the scene's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 9_007_199_254_740_991_i64))]
        seed: Option<u64>,
        /// Factor on all heights: 0 is flat, 1 is hilly.
        #[serde(default = "unit")]
        #[schemars(range(min = 0.0, max = 3.0))]
        relief: f64,
        /// Number of boulders.
        #[serde(default = "boulders")]
        #[schemars(range(max = 5000))]
        boulders: u32,
        /// Ground steeper than this (rise / run) is blocked.
        #[serde(default = "max_slope")]
        #[schemars(range(min = 0.05, max = 3.0))]
        max_slope: f32,
    },
    /// Heights from a file: 16-bit grey PNG, SRTM `.hgt` or ESRI ASCII grid (`.asc`).
    Heightmap {
        /// The file, beside the scene.
        file: String,
        /// Metres per sample. PNG: 1 unless given. `.hgt` and `.asc` know their own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.05, max = 1000.0))]
        cell: Option<f64>,
        /// Metres per unit of height in the file. For PNG a unit is one of 65,535 steps.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.0, max = 1000.0))]
        height_scale: Option<f64>,
        /// Column, row, width and height of the part used, in samples, counted from the top left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        crop: Option<[u32; 4]>,
        /// Ground steeper than this (rise / run) is blocked.
        #[serde(default = "max_slope")]
        #[schemars(range(min = 0.05, max = 3.0))]
        max_slope: f32,
    },
    /// A MovingAI map: blocked cells are walls.
    Map {
        /// The file, beside the scene.
        file: String,
        /// Side of a map cell in metres.
        #[serde(default = "unit")]
        #[schemars(range(min = 0.05, max = 100.0))]
        cell: f64,
    },
    /// Streets, squares and blocks of houses, made from a seed.
    City {
        /// Side in metres.
        #[serde(default = "city_size")]
        #[schemars(range(min = 100.0, max = 16_384.0))]
        size: f64,
        /// Side of a navigation cell in metres.
        #[serde(default = "unit")]
        #[schemars(range(min = 0.25, max = 10.0))]
        cell: f64,
        /// Seed of the plan. Without it the scene's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 9_007_199_254_740_991_i64))]
        seed: Option<u64>,
        /// Smallest and largest side of a block in metres.
        #[serde(default = "blocks")]
        #[schemars(inner(range(min = 10.0, max = 500.0)))]
        block: [f64; 2],
        /// Width of a street in metres.
        #[serde(default = "street")]
        #[schemars(range(min = 3.0, max = 100.0))]
        street: f64,
        /// Share of blocks left open as squares.
        #[serde(default = "squares")]
        #[schemars(range(min = 0.0, max = 0.9))]
        squares: f64,
    },
}

impl Default for GroundData {
    fn default() -> Self {
        Self::Flat { size: None, bounds: None, cell: half() }
    }
}

fn half() -> f64 {
    0.5
}
fn unit() -> f64 {
    1.0
}
fn valley_size() -> f64 {
    512.0
}
fn valley_cells() -> u32 {
    256
}
fn boulders() -> u32 {
    60
}
fn max_slope() -> f32 {
    0.7
}
fn city_size() -> f64 {
    1000.0
}
fn blocks() -> [f64; 2] {
    [35.0, 80.0]
}
fn street() -> f64 {
    12.0
}
fn squares() -> f64 {
    0.08
}

/// How coordinates of files are placed, and how finely walls are resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FrameData {
    /// Subtracted from all coordinates in WKT and in geometry files, so that large map coordinates
    /// keep their precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<[f64; 2]>,
    /// Longitude and latitude that become (0, 0), for files in degrees (GeoJSON).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degrees_at: Option<[f64; 2]>,
    /// Side of a cell of the wall distance in metres. Without it: the navigation cell divided so
    /// that it is at most 0.25 m (a quarter of the cell on large grounds).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.02, max = 50.0))]
    pub wall_cell: Option<f64>,
    /// Whether the edge of the ground is no wall.
    pub open_edge: bool,
}
