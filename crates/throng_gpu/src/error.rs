//! What can go wrong, and what would be right.

/// Why something on the GPU could not be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter at all, or none that fits the wish.
    #[error(
        "no GPU adapter {wanted}; found: {found} (Mesa's llvmpipe is a Vulkan adapter in software)"
    )]
    NoAdapter {
        /// What was asked for.
        wanted: String,
        /// Names of the adapters there are.
        found: String,
    },
    /// The adapter is there but gave no device.
    #[error("adapter {adapter} gives no device: {reason}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// What it said.
        reason: String,
    },
    /// A buffer or binding beyond the limits of the device.
    #[error("{what} needs {bytes} bytes, the device allows {limit}")]
    TooLarge {
        /// Label of the buffer.
        what: String,
        /// Bytes asked for.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A buffer that is smaller than what should be read from it or written to it.
    #[error("{what} holds {bytes} bytes, {needed} are needed")]
    TooSmall {
        /// Label of the buffer.
        what: String,
        /// Bytes there are.
        bytes: u64,
        /// Bytes needed.
        needed: u64,
    },
    /// One buffer given both to read from and to write to.
    #[error("{what}: {read} and {written} are one buffer; they must be two")]
    Aliased {
        /// What was to be bound.
        what: &'static str,
        /// The role in which it is read.
        read: &'static str,
        /// The role in which it is written.
        written: &'static str,
    },
    /// A parameter outside its range.
    #[error("{what} is {value}, allowed are {least} to {most}")]
    OutOfRange {
        /// Name of the parameter.
        what: &'static str,
        /// What was given.
        value: u64,
        /// The least that is allowed.
        least: u64,
        /// The most that is allowed.
        most: u64,
    },
    /// The device has no memory left for this.
    #[error("out of GPU memory at {what}")]
    OutOfMemory {
        /// What was being made.
        what: String,
    },
    /// wgpu refused: a mistake in this engine.
    #[error("{what} is not valid: {reason}")]
    Validation {
        /// What was being made.
        what: String,
        /// What wgpu said.
        reason: String,
    },
    /// The driver failed.
    #[error("the driver failed at {what}: {reason}")]
    Internal {
        /// What was being made.
        what: String,
        /// What it said.
        reason: String,
    },
    /// A shader that does not compose, parse or validate.
    #[error("shader {shader}: {reason}")]
    Shader {
        /// Name of the shader or module.
        shader: String,
        /// What is wrong, with the place.
        reason: String,
    },
    /// The device is gone; everything on it must be made anew.
    #[error("the GPU device was lost: {reason}")]
    Lost {
        /// What the driver said.
        reason: String,
    },
    /// A read-back that never came.
    #[error("reading {what} back failed: {reason}")]
    ReadBack {
        /// Label of the buffer.
        what: String,
        /// What wgpu said.
        reason: String,
    },
}

impl GpuError {
    pub(crate) fn from_wgpu(what: &str, error: &wgpu::Error) -> Self {
        let what = what.to_owned();
        match error {
            wgpu::Error::OutOfMemory { .. } => Self::OutOfMemory { what },
            wgpu::Error::Validation { description, .. } => {
                Self::Validation { what, reason: description.clone() }
            }
            wgpu::Error::Internal { description, .. } => {
                Self::Internal { what, reason: description.clone() }
            }
        }
    }
}
