//! Characters from glTF 2.0 and GLB files.
//!
//! Taken over: all meshes that follow a skin, and those that hang rigidly on nodes; all skins, as one skeleton;
//! all animations of joints, in every kind of interpolation; sparse accessors; base colours and their textures,
//! brought together in one map. Missing normals and tangents are made. What is left out is told in the
//! character's notices; what cannot be right is refused with its reason. Nothing that a file says is trusted:
//! every offset, count and index is looked at before it is used.

mod accessor;
mod animation;
mod error;
mod levels;
mod primitive;
mod skeleton;
mod texture;

use std::path::Path;

use gltf::Gltf;

pub use error::{ImportError, Refusal};

use crate::character::Character;
use crate::looks;
use crate::rig::Zones;
use accessor::Buffers;

/// Most joints that a character may have, all skins together.
pub const MOST_JOINTS: usize = 512;

/// What reading collects on its way.
struct Reading<'a> {
    document: &'a gltf::Document,
    buffers: &'a Buffers,
    notices: Vec<String>,
}

impl Reading<'_> {
    /// Tells something once.
    fn notice(&mut self, text: String) {
        if !self.notices.contains(&text) {
            self.notices.push(text);
        }
    }
}

/// Reads a character from a glTF or GLB file.
///
/// # Errors
/// A file that cannot be read, is no glTF 2.0, is broken, or has no body on a skeleton; see [`Refusal`].
pub fn import(path: impl AsRef<Path>) -> Result<Character, ImportError> {
    let path = path.as_ref();
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| ImportError::Read { file: name(), source })?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let stem = path.file_stem().map_or_else(name, |stem| stem.to_string_lossy().into_owned());
    from_bytes(&bytes, folder, &stem)
        .map_err(|reason| ImportError::Refused { file: name(), reason })
}

/// Reads a character from a file in memory; other files that it names are looked for in a folder.
///
/// # Errors
/// As [`import`].
pub fn from_bytes(bytes: &[u8], folder: &Path, name: &str) -> Result<Character, Refusal> {
    let Gltf { document, blob } =
        Gltf::from_slice(bytes).map_err(|e| Refusal::Format(e.to_string()))?;
    let buffers = Buffers::load(&document, blob, folder)?;
    let mut reading = Reading { document: &document, buffers: &buffers, notices: Vec::new() };
    let mut tree = skeleton::Tree::read(&reading)?;
    let (mut mesh, paints) = primitive::read_all(&mut reading, &mut tree)?;
    let maps = texture::gather(&mut reading, &paints, &mut mesh, folder)?;
    let mut skeleton = tree.skeleton();
    levels::to_object(&mut mesh, &mut skeleton)?;
    levels::complete(&mut mesh, &mut reading);
    let clips = animation::read_all(&mut reading, &tree)?;
    let levels = levels::levels(mesh);
    let zones = Zones::new(&skeleton, &[]);
    let (name, looks, notices) = (name.to_owned(), looks::plain(), reading.notices);
    Ok(Character { name, levels, skeleton, zones, clips, maps, looks, notices })
}
