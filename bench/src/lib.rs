//! Side-by-side measurements: ours and the peers', on the same problems, in one run, as ratios.

#[cfg(feature = "gpu")]
pub mod character;
mod contestants;
pub mod crowd;
pub mod field;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(feature = "gpu")]
pub mod grass;
mod problems;
mod python;
#[cfg(feature = "gpu")]
pub mod render;

use std::path::PathBuf;

/// Why a measurement could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A solver refused a problem.
    #[error("{solver} on {problem}: {cause}")]
    Solver {
        /// Which solver.
        solver: String,
        /// Which problem.
        problem: String,
        /// What it said.
        cause: String,
    },
    /// A crowd could not be made.
    #[error("{scene}: {cause}")]
    Crowd {
        /// Which scene.
        scene: String,
        /// What it said.
        cause: String,
    },
    /// No device, or none that can.
    #[error("{0}")]
    Gpu(String),
    /// A file for a peer could not be written or read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        cause: String,
    },
}
