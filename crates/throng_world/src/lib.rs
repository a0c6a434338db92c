//! What the place is: scenes as worlds for crowds, and terrain read from map files or made by rule.
//!
//! A cost grid holds, for each cell, the time a walker needs per metre relative to open ground:
//! 1 is open ground, more is dearer, infinity is blocked. It comes from a MovingAI map
//! ([`read_map`]), a grey picture ([`read_raster`]) or a seed ([`builtin()`]).
//!
//! A [`World`] is a place with everything a crowd meets there. It comes from a scene file
//! ([`scene`]).

mod error;
mod file;
mod geometry;
mod land;
mod load;
mod text;
mod tune;

pub mod builtin;
pub mod grass;
pub mod movingai;
pub mod params;
pub mod raster;
pub mod scenario;
pub mod scene;
pub mod world;

pub use builtin::{builtin, builtin_names};
pub use error::MapError;
pub use geometry::polygons_of_wkt;
pub use load::load_cost;
pub use movingai::{parse_map, read_map};
pub use params::Params;
pub use raster::{RasterRule, parse_raster, read_raster};
pub use scenario::{Scenario, parse_scenarios, read_scenarios};
pub use scene::{BuildOptions, Scene, SceneErrors, scene_names};
pub use tune::{Tunable, TuneError};
pub use world::World;

/// Cost of open ground.
pub const FREE: f32 = 1.0;

/// Cost of a cell nobody can enter.
pub const BLOCKED: f32 = f32::INFINITY;
