//! One error for those who do not want to tell them apart.

use crate::BackendError;
use throng_crowd::CrowdError;
use throng_record::RecordError;
use throng_world::SceneErrors;

/// Whatever went wrong on the way from a scene to a recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene has problems; each names its place, its cause and its cure.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// The crowd could not be made or stepped.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// There is no such backend for this crowd.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A file could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}
