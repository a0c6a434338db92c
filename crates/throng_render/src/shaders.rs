//! Shaders of this crate, and what they import.

use throng_gpu::{GpuError, Library, Module, Shader};

/// Modules that shaders of this crate import; each may import those before it.
pub const MODULES: &[Module] = &[
    crate::view::MODULE,
    crate::noise::MODULE,
    crate::cull::MODULE,
    crate::grass::MODULES[0],
    crate::grass::MODULES[1],
    crate::grass::MODULES[2],
    crate::grass::MODULES[3],
    crate::grass::MODULES[4],
    crate::sky::MODULES[0],
    crate::sky::MODULES[1],
    crate::lightmap::MODULES[0],
    crate::light::MODULE,
    crate::shadow::MODULE,
    crate::crowd::MODULE,
    crate::character::MODULES[0],
    crate::character::MODULES[1],
    crate::character::MODULES[2],
    crate::character::MODULES[3],
    crate::character::MODULES[4],
];

/// Shaders of this crate.
pub const SHADERS: &[Shader] = &[
    crate::terrain::SHADER,
    crate::props::SHADER,
    crate::crowd::SHADER,
    crate::character::SHADER,
    crate::character::MOTION,
    crate::character::SKIN,
    crate::character::CLOSE_UP,
    crate::character::LEVELS,
    crate::cull::SHADER,
    crate::cull::HIZ_SHADER,
    crate::backdrop::SHADER,
    crate::water::SHADER,
    crate::ghost::SHADER,
    crate::occlusion::SHADER,
    crate::gas::SHADER,
    crate::bloom::SHADER,
    crate::tone::SHADER,
    crate::grass::SHADERS[0],
    crate::grass::SHADERS[1],
    crate::grass::SHADERS[2],
    crate::grass::SHADERS[3],
    crate::overlay::SHADERS[0],
    crate::overlay::SHADERS[1],
];

/// Modules of this crate and of `throng_gpu`.
///
/// # Errors
/// Never, as long as this crate's tests pass.
pub fn library() -> Result<Library, GpuError> {
    Library::new()?.with(MODULES)
}
