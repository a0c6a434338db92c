//! What the engine makes, written down: trajectories, maps and clips of crowds, pictures of fields,
//! `.npy` and `.csv`.
//!
//! [`TrajectoryWriter`] records who was where while a run goes on ([`trajectory`] tells the formats
//! and what survives a crash), [`read_trajectory`] reads it back. [`CrowdMap`] draws the crowd from
//! above, [`Clip`] makes an animation of it. [`FieldPicture`] draws a map with its potential, goals
//! and path; [`draw`] holds the parts every picture is made of; pictures and tables are written
//! whole or not at all ([`mod@file`]).
//!
//! ```
//! use throng_field::{Cell, Grid};
//! use throng_record::FieldPicture;
//!
//! let cost = Grid::filled(20, 10, 1.0)?;
//! let potential = Grid::from_fn(20, 10, |cell| cell.x as f32)?;
//! let image = FieldPicture::new(&cost)
//!     .potential(&potential, "distance to goal (m)")
//!     .goals(&[Cell::new(0, 5)])
//!     .title("corridor")
//!     .draw()?;
//! assert!(image.encode_png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clip;
pub mod csv;
pub mod draw;
mod error;
pub mod file;
mod image;
mod map;
pub mod npy;
mod picture;
pub mod trajectory;
mod video;

pub use clip::{Clip, ClipOptions};
pub use csv::{write_grid_csv, write_polyline_csv};
pub use error::RecordError;
pub use image::Image;
pub use map::{ColorBy, CrowdMap, HazardMark, Heat, MapExtras};
pub use npy::write_npy;
pub use picture::FieldPicture;
pub use trajectory::{
    AgentFrame, Columns, FileOptions, FrameRows, Geometry, Survey, Trajectory, TrajectoryFile,
    TrajectoryFormat, TrajectoryOptions, TrajectoryWriter, read_trajectory,
};
pub use video::Video;
