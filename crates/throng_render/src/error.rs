//! What can go wrong between a world and its picture.

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The GPU refused.
    #[error(transparent)]
    Gpu(#[from] throng_gpu::GpuError),
    /// A camera that sees nothing.
    #[error("camera: {what} is {value}, it must be {right}")]
    Camera {
        /// Which of its numbers.
        what: &'static str,
        /// What it is.
        value: String,
        /// What would be right.
        right: &'static str,
    },
    /// Light could not be baked.
    #[error(transparent)]
    Light(#[from] crate::lightmap::LightMapError),
    /// A mesh whose parts do not fit together.
    #[error("mesh {mesh}: {what}")]
    Mesh {
        /// Its name.
        mesh: String,
        /// What is wrong.
        what: String,
    },
    /// A character that cannot be drawn.
    #[error("character {who}: {what}")]
    Character {
        /// Its name, or its file.
        who: String,
        /// Why.
        what: String,
    },
    /// A picture could not be written.
    #[error("cannot write {path}: {reason}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
}
