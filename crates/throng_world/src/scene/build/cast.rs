//! Bodies: who is drawn how.

use super::Builder;
use crate::scene::Assets;
use crate::scene::data::{CharacterData, GroupData};
use crate::scene::problem::{quoted, suggest};
use crate::world::{Body, Casting};

/// Characters that ship.
const NAMED: [&str; 2] = ["froblin", "ghost"];
/// What people are who have no character.
const STAND_IN: &str = "stand-in";

impl Builder<'_> {
    /// How a group is drawn: as it says itself, else as the scene says.
    pub(super) fn casting(&mut self, group: &GroupData, index: usize) -> Option<Casting> {
        let own = group.character.as_ref().map(|c| (c, format!("group[{index}].character")));
        let (given, key) = own.or_else(|| {
            let scene = self.data.character.as_ref()?;
            Some((scene, "character".to_owned()))
        })?;
        let (name, height, clips, key) = match given {
            CharacterData::Body(name) => (name, None, Vec::new(), key),
            CharacterData::Cast { body, height, clips } => {
                let clips = clips.iter().map(|(a, b)| (a.clone(), b.clone())).collect();
                (body, *height, clips, format!("{key}.body"))
            }
        };
        let body = self.body(name, &key)?;
        Some(Casting { body, height, clips })
    }

    fn body(&mut self, name: &str, key: &str) -> Option<Body> {
        if name == STAND_IN {
            return None;
        }
        if NAMED.contains(&name) {
            return Some(Body::Named(name.to_owned()));
        }
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        if !ending.is_some_and(|ending| ending == "glb" || ending == "gltf") {
            let what = format!("{} is no character that ships and no glTF file", quoted(name));
            let known = suggest(name, NAMED.into_iter().chain([STAND_IN]));
            self.findings.add(
                key,
                what,
                format!("{known}; or give the path of a .glb or .gltf file"),
            );
            return None;
        }
        let Assets::Folder(folder) = self.assets else {
            let what = format!("{} cannot be read: this scene has no folder", quoted(name));
            self.findings.add(
                key,
                what,
                "keep the scene in a file, or take a character that ships",
            );
            return None;
        };
        let path = folder.join(name);
        if !path.is_file() {
            let what = format!("{} cannot be read (there is no such file)", quoted(name));
            self.findings.add(key, what, "give the path of a file, seen from the scene's folder");
            return None;
        }
        Some(Body::File(path))
    }
}
