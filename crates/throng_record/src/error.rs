//! What can go wrong when something is written down, each as one line that says what and why.

use std::io;
use std::path::PathBuf;
use throng_field::Cell;

/// Why a picture or table could not be made or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file could not be written. Whatever was at `path` before is still there.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory the file should go into is not there.
    #[error("cannot write {}: there is no directory {}", path.display(), directory.display())]
    NoDirectory {
        /// The file asked for.
        path: PathBuf,
        /// The directory that is missing.
        directory: PathBuf,
    },
    /// The path names a directory where a file is needed.
    #[error("cannot write {}: it is a directory; give the name of a file", path.display())]
    IsDirectory {
        /// The path given.
        path: PathBuf,
    },
    /// The file's name does not say how to write it.
    #[error(
        "cannot write {}: a trajectory's name ends in .sqlite, .txt, .parquet or .csv",
        path.display()
    )]
    UnknownFormat {
        /// The file asked for.
        path: PathBuf,
    },
    /// A trajectory could not be read.
    #[error("cannot read {}: {cause}", path.display())]
    Read {
        /// The file asked for.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The writer failed before, or was asked for something impossible.
    #[error("recording to {} has ended: {cause}", path.display())]
    Ended {
        /// The file being written.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The program that encodes videos is not there.
    #[error(
        "cannot write {}: an .mp4 needs the program {program} (a package of that name); \
         a .gif or a directory of pictures does not",
        path.display()
    )]
    NoEncoder {
        /// The file asked for.
        path: PathBuf,
        /// The program that was looked for.
        program: String,
    },
    /// A frame that cannot be recorded.
    #[error("step {step}: {cause}")]
    BadFrame {
        /// The step of the frame.
        step: u64,
        /// What is wrong with it.
        cause: String,
    },
    /// Options that make no sense.
    #[error("{name} is {value}; it must be {right}")]
    BadOption {
        /// Which.
        name: &'static str,
        /// The value given.
        value: String,
        /// What would be right.
        right: &'static str,
    },
    /// The walkable area is not a polygon people can walk in.
    #[error("the walkable area {0}")]
    BadGeometry(String),
    /// Frames of a clip have different sizes.
    #[error("a frame of {} x {} pixels in a clip of {} x {}", found.0, found.1, clip.0, clip.1)]
    FrameSize {
        /// Width and height of the frame.
        found: (usize, usize),
        /// Width and height of the frames before.
        clip: (usize, usize),
    },
    /// Potential and cost of one picture have different sizes.
    #[error(
        "the potential has {} x {} cells but the cost {} x {}; they must be the same",
        potential.0, potential.1, cost.0, cost.1
    )]
    ShapeMismatch {
        /// Columns and rows of the potential.
        potential: (usize, usize),
        /// Columns and rows of the cost.
        cost: (usize, usize),
    },
    /// A goal lies outside the map.
    #[error("goal {goal} is outside the map of {width} x {height} cells")]
    GoalOutside {
        /// The goal.
        goal: Cell,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// A point of a path is NaN or infinite.
    #[error("point {index} of the path is ({x}, {y}); both numbers must be finite")]
    BadPoint {
        /// Which point, from 0.
        index: usize,
        /// Its x.
        x: f32,
        /// Its y.
        y: f32,
    },
    /// The PNG encoder refused the picture.
    #[error("cannot encode the picture as PNG: {0}")]
    Encode(#[from] png::EncodingError),
}
