//! What the panel and keys ask for, granted.

use std::path::{Path, PathBuf};

use throng::Command;
use throng_render::Shot;

use super::Viewer;
use crate::panel::Ask;
use crate::reel::Reel;
use crate::{RigMode, ViewError};

impl Viewer {
    /// Does what was asked for; what cannot be done is told.
    pub fn grant(&mut self, ask: Ask) {
        if let Err(error) = self.try_grant(ask) {
            self.session.tell(error.to_string());
        }
    }

    fn try_grant(&mut self, ask: Ask) -> Result<(), ViewError> {
        match ask {
            Ask::Play(playing) => self.session.play(playing),
            Ask::Step => {
                self.session.play(false);
                self.session.step()?;
            }
            Ask::Speed(speed) => self.session.set_speed(speed),
            Ask::Mode(RigMode::Follow) if self.state.selected.is_none() => {
                self.session.tell("click somebody first, to follow them".into());
            }
            Ask::Mode(mode) => self.state.rig.set_mode(mode, self.session.world()?),
            Ask::Shot(name) => {
                let agents = self.session.instances()?.to_vec();
                let world = self.session.world()?;
                if let Some(camera) = Shot::named(name).and_then(|s| s.camera(world, &agents)) {
                    self.state.rig.jump(camera, world);
                }
            }
            Ask::Layer(layer) => self.state.set_layer(layer),
            Ask::Freeze => self.state.frozen = Some(self.state.rig.camera()),
            Ask::Deselect => {
                self.state.selected = None;
                if self.state.rig.mode() == RigMode::Follow {
                    self.state.rig.set_mode(RigMode::Orbit, self.session.world()?);
                }
            }
            Ask::RemoveSelected => {
                if let Some(agent) = self.state.selected.take() {
                    self.session.command(&Command::Remove { agent: agent.0 })?;
                }
            }
            Ask::Record => match self.reel.take() {
                Some(reel) => {
                    let written = reel.finish()?;
                    self.session.tell(written);
                }
                None => {
                    let path = unused(&self.files.clip);
                    self.reel = Some(Reel::create(&path, self.session.time())?);
                }
            },
            Ask::Still => self.still = true,
            Ask::SaveLog => {
                let path = unused(&self.files.log);
                self.session.save_log(&path)?;
                self.session.tell(format!("wrote {}", path.display()));
            }
        }
        Ok(())
    }
}

/// A name like this one that nothing has yet.
pub(super) fn unused(path: &Path) -> PathBuf {
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let extension = path.extension().map(|e| format!(".{}", e.to_string_lossy()));
    let extension = extension.unwrap_or_default();
    let numbered = (2..10_000).map(|n| path.with_file_name(format!("{stem}-{n}{extension}")));
    std::iter::once(path.to_owned())
        .chain(numbered)
        .find(|path| !path.exists())
        .unwrap_or_else(|| path.to_owned())
}
