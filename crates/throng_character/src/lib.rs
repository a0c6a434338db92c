//! Characters: bodies for the crowd, made by code or read from glTF files.
//!
//! ```no_run
//! let froblin = throng_character::froblin();
//! let clips = throng_character::BakedClips::bake(&froblin);
//! println!("{} clips in {} bytes", clips.table.len(), clips.sizes().bytes);
//! ```
//!
//! The way of a froblin through this crate: [`sculpt`] has it as parts that melt together; [`mesh`] makes that to
//! a mesh, decimates it and lays out an atlas; [`rig`] says which vertices follow which joints; [`clip`] moves the
//! joints; [`bake`] casts the detail into maps and flattens the clips to matrices. [`import`](fn@import) takes a
//! file instead of a sculpture. [`sheet`](fn@sheet) draws what came of it.

pub mod bake;
pub mod build;
mod character;
pub mod clip;
pub mod import;
mod looks;
mod made;
pub mod mesh;
pub mod rig;
pub mod sculpt;
pub mod sheet;

pub use bake::clips::BakedClips;
pub use bake::maps::Maps;
pub use build::BuildOptions;
pub use character::{Character, Level, Look, seams};
pub use import::{ImportError, import};
pub use made::{froblin, froblin_with, ghost, ghost_with};
pub use mesh::{Mesh, PackedVertex, PositionBox, Vertex};
pub use sheet::{raster::Picture, sheet};
