//! Why there is no window, or no more.

use throng::command::LogError;
use throng::{CrowdError, RecordError, SessionError};
use throng_gpu::GpuError;
use throng_render::RenderError;

/// Why there is no window, or no more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// There is no display to open a window on.
    #[error("no window can be opened: {0}")]
    NoDisplay(String),
    /// The device cannot show pictures, or there is none.
    #[error("no GPU can draw into the window: {0}")]
    NoGpu(String),
    /// There is no crowd to look at.
    #[error("{0}")]
    NoCrowd(String),
    /// The world cannot be brought up in the renderer.
    #[error("{0}")]
    NoPicture(String),
    /// The device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The renderer.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The crowd cannot go on.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// The log of commands.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The session cannot go on.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A clip cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file cannot be written.
    #[error("{name}: {reason}")]
    File {
        /// Its name.
        name: String,
        /// What the system says.
        reason: String,
    },
    /// A script is none, or what it waits for does not come.
    #[error("script, line {line}: {what}")]
    Script {
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

impl ViewError {
    pub(crate) fn file(path: &std::path::Path, reason: impl std::fmt::Display) -> Self {
        Self::File { name: path.display().to_string(), reason: reason.to_string() }
    }

    /// Whether the device is gone and another may do.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(
            self,
            Self::Gpu(GpuError::Lost { .. })
                | Self::Render(RenderError::Gpu(GpuError::Lost { .. }))
        )
    }
}
