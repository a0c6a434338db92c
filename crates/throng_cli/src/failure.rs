//! Why a command could not do its work: one clear line, a hint, and an exit code.

use std::process::ExitCode;
use throng::{BackendError, CrowdError};
use throng_field::solve::SolveError;
use throng_field::trace::TraceError;
use throng_record::RecordError;
use throng_world::MapError;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    Map(#[from] MapError),
    #[error("{map}: {error}")]
    Solve { map: String, error: SolveError },
    #[error("{map}: {error}")]
    Trace { map: String, error: TraceError },
    #[error("{scene}: {error}")]
    Crowd { scene: String, error: CrowdError },
    #[error("step {step}: {error}")]
    Step { step: u64, error: CrowdError },
    #[error("{0}")]
    Backend(#[from] BackendError),
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Output(String),
    #[cfg(feature = "view")]
    #[error("{0}")]
    NoWindow(String),
    #[error("{0}")]
    Record(#[from] RecordError),
    #[error("cannot write to standard output: {0}")]
    Stdout(std::io::Error),
    #[error("cannot make JSON: {0}")]
    Json(serde_json::Error),
    #[error("{0}")]
    Bench(#[from] throng_bench::BenchError),
    /// What went wrong has been told; only the exit code is left.
    #[error("")]
    Told(u8),
}

impl Failure {
    /// 2 for what the user gave, 1 for what could not be made of it.
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Solve { error: SolveError::NotConverged { .. }, .. } => ExitCode::from(1),
            Self::Map(_)
            | Self::Solve { .. }
            | Self::Trace { .. }
            | Self::Crowd { .. }
            | Self::Backend(_)
            | Self::Usage(_) => ExitCode::from(2),
            Self::Told(code) => ExitCode::from(*code),
            #[cfg(feature = "view")]
            Self::NoWindow(_) => ExitCode::from(1),
            Self::Output(_)
            | Self::Step { .. }
            | Self::Record(_)
            | Self::Stdout(_)
            | Self::Json(_)
            | Self::Bench(_) => ExitCode::from(1),
        }
    }

    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Solve { error: SolveError::SourceBlocked { .. }, .. } => {
                Some("`throng solve MAP --goal … --out map.png` on a free cell shows the walls")
            }
            Self::Solve { error: SolveError::SourceOutside { .. }, .. } => {
                Some("cells are counted from 0,0 in the top left corner: column, row")
            }
            Self::Backend(BackendError::NoDevice { .. }) => Some(
                "`throng gpu` lists what there is; `--backend auto` takes the CPU where there is none",
            ),
            Self::Backend(BackendError::TooMany { .. } | BackendError::NoMemory { .. }) => {
                Some("fewer by `--agents N`, or `--backend cpu`")
            }
            #[cfg(feature = "view")]
            Self::NoWindow(_) => {
                Some("`throng render` and `throng run --map` make pictures without a display")
            }
            _ => None,
        }
    }
}
