//! Trajectories: who was where at which frame, written while the run goes on.
//!
//! [`TrajectoryWriter`] picks the format by the file's name:
//!
//! | name | format | after `kill -9` |
//! |---|---|---|
//! | `.sqlite` | JuPedSim's tables, version 2; group, radius and action in tables of our own | a rollback journal beside the file takes back what was not committed, whenever it is opened next |
//! | `.txt` | PedPy text: `id frame x y z` in metres, frame rate and geometry in the head | whole lines up to the end: no line crosses a page of the file |
//! | `.csv` | all columns, no geometry | the same |
//! | `.parquet` | all columns; frame rate and geometry as metadata | always a complete file: a second one takes its place by renaming; the other half of the pair is left as `.NAME.spare` |
//!
//! Frames are committed at least every half second of wall time and every second of simulated time
//! (the latter not more often than a fast run can afford). No file is
//! forced to the platter before [`TrajectoryWriter::finish`]: what is promised survives the end of
//! the process, not of the machine.
//!
//! An older file of the same name is replaced once the new one has its head on the disk; until then
//! it stays whole. A write that fails later (a full disk) leaves all frames committed before.

mod agents;
mod format;
mod geometry;
mod lines;
mod number;
mod parquet;
mod read;
mod seek;
mod sqlite;
mod writer;

pub use agents::AgentFrame;
pub use format::{TrajectoryFormat, TrajectoryOptions};
pub use geometry::Geometry;
pub use read::{Trajectory, read_trajectory};
pub use seek::{Columns, FileOptions, FrameRows, Survey, TrajectoryFile};
pub use writer::TrajectoryWriter;
