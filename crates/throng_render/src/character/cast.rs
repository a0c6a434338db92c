//! Who is drawn how.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use throng_character::{BuildOptions, Character, froblin_with, ghost_with, import};
use throng_world::World;
use throng_world::world::{Body, Casting};

use super::model::Model;
use crate::RenderError;

/// Which group of a world has which character.
#[derive(Clone, Debug, Default)]
pub struct Cast {
    /// Each with the clips that a scene names for it.
    pub(crate) members: Vec<Member>,
    /// Per group 1 + its place among the members; 0 for stand-ins.
    pub(crate) of_group: Vec<u8>,
    /// Per group its height, where it has one (metres).
    pub(crate) heights: Vec<Option<f32>>,
    /// What was not taken over from files, and why.
    pub notices: Vec<String>,
}

/// One of the cast.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) model: Arc<Model>,
    pub(crate) clips: Vec<(String, String)>,
    casting: Casting,
}

#[cfg(test)]
impl Member {
    pub(super) fn of(model: &Arc<Model>) -> Self {
        let body = Body::Named(model.name.clone());
        let casting = Casting { body, height: None, clips: Vec::new() };
        Self { model: Arc::clone(model), clips: Vec::new(), casting }
    }
}

/// Characters that ship are the same every time: made once.
static SHIPPED: OnceLock<Mutex<HashMap<String, Arc<Model>>>> = OnceLock::new();

impl Cast {
    /// Loads the characters that the groups of a world name. Those that ship are kept in a folder after they were
    /// built the first time, if one is given.
    ///
    /// # Errors
    /// A file that is refused; the error says why.
    pub fn load(world: &World, folder: Option<&Path>) -> Result<Self, RenderError> {
        let mut cast = Self::default();
        for group in &world.groups {
            let (number, height) = match &group.character {
                None => (0, None),
                Some(casting) => {
                    let place = cast.place(casting, folder)?;
                    let height = casting.height.unwrap_or(cast.members[place].model.height);
                    (place as u8 + 1, Some(height))
                }
            };
            cast.of_group.push(number);
            cast.heights.push(height);
        }
        Ok(cast)
    }

    /// A cast in which every group is drawn with one model.
    #[must_use]
    pub fn all(world: &World, model: &Arc<Model>) -> Self {
        let casting =
            Casting { body: Body::Named(model.name.clone()), height: None, clips: Vec::new() };
        let member = Member { model: Arc::clone(model), clips: Vec::new(), casting };
        let groups = world.groups.len();
        Self {
            members: vec![member],
            of_group: vec![1; groups],
            heights: vec![Some(model.height); groups],
            notices: Vec::new(),
        }
    }

    /// The models in it.
    pub fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.members.iter().map(|member| &member.model)
    }

    /// The place of one among the members, who is loaded if it is new.
    fn place(&mut self, casting: &Casting, folder: Option<&Path>) -> Result<usize, RenderError> {
        let same = |m: &Member| m.casting.body == casting.body && m.clips == casting.clips;
        if let Some(place) = self.members.iter().position(same) {
            return Ok(place);
        }
        let model = self.model(&casting.body, folder)?;
        for (scene, own) in &casting.clips {
            if model.clips.find(own).is_none() {
                let names = model.clips.names.join(", ");
                let what =
                    format!("`{scene}` is to be shown by `{own}`, but its clips are {names}");
                return Err(RenderError::Character { who: model.name.clone(), what });
            }
        }
        if self.members.len() >= 254 {
            let what = "there are more than 254 characters in one scene".to_owned();
            return Err(RenderError::Character { who: model.name.clone(), what });
        }
        let member = Member { model, clips: casting.clips.clone(), casting: casting.clone() };
        self.members.push(member);
        Ok(self.members.len() - 1)
    }

    fn model(&mut self, body: &Body, folder: Option<&Path>) -> Result<Arc<Model>, RenderError> {
        match body {
            Body::Named(name) => shipped(name, folder),
            Body::File(path) => {
                let character = import(path).map_err(|error| RenderError::Character {
                    who: path.display().to_string(),
                    what: error.to_string(),
                })?;
                let named = |notice: &String| format!("{}: {notice}", path.display());
                self.notices.extend(character.notices.iter().map(named));
                Ok(Arc::new(Model::new(&character)))
            }
        }
    }
}

/// Where characters are kept once they are built, for hosts without a place of their own: `throng/characters` in the
/// user's cache, by `XDG_CACHE_HOME`, else in `.cache` at home.
#[must_use]
pub fn character_folder() -> Option<PathBuf> {
    let absolute = |variable: &str| {
        std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("throng").join("characters"))
}

fn shipped(name: &str, folder: Option<&Path>) -> Result<Arc<Model>, RenderError> {
    let known = SHIPPED.get_or_init(Mutex::default);
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(model) = known.get(name) {
        return Ok(Arc::clone(model));
    }
    let options = BuildOptions::default();
    let character: Character = match name {
        "froblin" => froblin_with(&options, folder).0,
        "ghost" => ghost_with(&options, folder).0,
        _ => {
            let what = "no character of this name ships".to_owned();
            return Err(RenderError::Character { who: name.to_owned(), what });
        }
    };
    let model = Arc::new(Model::new(&character));
    known.insert(name.to_owned(), Arc::clone(&model));
    Ok(model)
}
