//! tmp
use crate::character::Character;
/// tmp
#[derive(Debug, thiserror::Error)]
#[error("tmp")]
pub struct ImportError;
/// tmp
/// # Errors
/// tmp
pub fn import(_path: impl AsRef<std::path::Path>) -> Result<Character, ImportError> { Err(ImportError) }
