//! What can go wrong with a crowd.

use throng_field::GridError;
use throng_field::cost::CostError;
use throng_field::solve::SolveError;

/// Why a crowd could not be made, changed or stepped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A goal without open ground.
    #[error("goal `{goal}` has no place on open ground; move it out of the walls")]
    GoalBlocked {
        /// Its name.
        goal: String,
    },
    /// An index or name that does not exist.
    #[error("there is no {what} {given}; there are {count}")]
    Unknown {
        /// What was asked for.
        what: &'static str,
        /// What was given.
        given: String,
        /// How many there are.
        count: usize,
    },
    /// More of something than can be counted.
    #[error("too many {what}: at most {most}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A number that makes no sense.
    #[error("{what} is {value}, but must be {must}")]
    BadNumber {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// A parameter that cannot be set.
    #[error(transparent)]
    Tune(#[from] throng_world::TuneError),
    /// A world without what a crowd needs.
    #[error("the world has no {what}")]
    Missing {
        /// What is missing.
        what: &'static str,
    },
    /// A field could not be solved.
    #[error("field: {0}")]
    Field(#[from] SolveError),
    /// A cost could not be made.
    #[error("cost: {0}")]
    Cost(#[from] CostError),
    /// A grid could not be made.
    #[error("grid: {0}")]
    Grid(#[from] GridError),
    /// The walls could not be changed.
    #[error("wall: {0}")]
    Wall(#[from] throng_world::world::EditError),
    /// A snapshot that is not one, or not of this world.
    #[error("snapshot: {0}")]
    Snapshot(String),
    /// The GPU.
    #[cfg(feature = "gpu")]
    #[error("GPU: {0}")]
    Gpu(#[from] throng_gpu::GpuError),
    /// Threads could not be started.
    #[error("threads: {0}")]
    Threads(String),
}

#[cfg(feature = "gpu")]
impl From<throng_field::solve::gpu::GpuFieldError> for CrowdError {
    fn from(error: throng_field::solve::gpu::GpuFieldError) -> Self {
        use throng_field::solve::gpu::GpuFieldError as E;
        match error {
            E::Gpu(error) => Self::Gpu(error),
            E::Solve(error) => Self::Field(error),
        }
    }
}
