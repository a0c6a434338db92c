//! Where things are kept that can be made again.

use std::path::PathBuf;

/// A folder of ours in the user's cache: by `XDG_CACHE_HOME`, else `.cache` at home. None where there is no
/// home.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let absolute = |variable: &str| {
        std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("throng").join(name))
}
