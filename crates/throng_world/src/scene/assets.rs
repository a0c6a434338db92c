//! Where the files come from that a scene names.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where the files come from that a scene names (geometry, heights, maps).
#[derive(Clone, Debug, Default)]
pub enum Assets {
    /// There are none; naming one is an error.
    #[default]
    None,
    /// Files of a folder, usually that of the scene.
    Folder(PathBuf),
    /// Files by name, in the host's hands.
    Memory(BTreeMap<String, Vec<u8>>),
}

impl Assets {
    /// The content of a file, or why there is none.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        match self {
            Self::None => Err("this scene has no folder to read files from".into()),
            Self::Memory(files) => files.get(name).cloned().ok_or_else(|| "it is not there".into()),
            Self::Folder(folder) => {
                let path = folder.join(name);
                crate::file::read(&path).map_err(|error| match error {
                    crate::MapError::Read { source, .. } => source.to_string(),
                    crate::MapError::Directory { .. } => "it is a directory".into(),
                    other => other.to_string(),
                })
            }
        }
    }
}
