//! Maps of a run: a picture of its last moment, or a clip of all of it.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use throng::Waiting;
use throng::record::draw::Rgb;
use throng::world::world::{Rect, Seek};
use throng::{
    AgentFrame, Clip, ClipOptions, ColorBy, Crowd, CrowdMap, Heat, MapExtras, RecordError, World,
};

/// Frames a clip shows each second of the viewer's time.
const CLIP_FPS: f64 = 15.0;
/// Most frames of a clip: longer runs are shown faster.
const CLIP_FRAMES: f64 = 200.0;
/// Smaller changes of colour can wait: low enough that pale things leave no trail.
const CLIP_TOLERANCE: f32 = 20.0;
/// Widths in pixels.
const PICTURE_WIDTH: usize = 1200;
const CLIP_WIDTH: usize = 920;

/// What colours of people say.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    /// Who they are
    Group,
    /// How fast they are
    Speed,
    /// What they do
    Action,
}

/// What the ground shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum HeatChoice {
    /// People per square metre
    Density,
    /// Their mean speed
    Speed,
    /// How long they wanted to get on but could not
    Waiting,
    /// The way to the goal that most people start for
    Potential,
}

/// A map that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct MapRequest {
    pub(crate) path: PathBuf,
    pub(crate) color: Option<ColorChoice>,
    pub(crate) heat: Option<HeatChoice>,
    /// The part of the world that is shown.
    pub(crate) view: Option<Rect>,
    /// Instead of the scene's.
    pub(crate) title: Option<String>,
    /// Most frames of a clip.
    pub(crate) frames: Option<u32>,
}

impl MapRequest {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, color: None, heat: None, view: None, title: None, frames: None }
    }

    /// Whether it is a clip; refuses names that are neither clip nor picture.
    pub(super) fn is_clip(&self) -> Result<bool, Failure> {
        let extension = self.path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "gif" => Ok(true),
            "png" => Ok(false),
            _ => {
                let path = self.path.display();
                Err(Failure::Usage(format!(
                    "cannot write {path}: a map's name ends in .png or .gif"
                )))
            }
        }
    }
}

/// A map in the making.
pub(super) struct MapOutput<'w> {
    path: PathBuf,
    map: CrowdMap<'w>,
    clip: Option<Clip>,
    /// Steps between frames of the clip.
    every: u64,
    /// Last step drawn.
    drawn: Option<u64>,
    heat: Option<HeatChoice>,
    /// Group and goal whose potential is shown.
    way: Option<(u8, u16)>,
}

impl<'w> MapOutput<'w> {
    /// Begins a map of a run of so many steps.
    pub(super) fn create(
        request: &MapRequest,
        world: &'w World,
        (steps, dt): (u64, f32),
    ) -> Result<Self, Failure> {
        let is_clip = request.is_clip()?;
        let way = match request.heat {
            Some(HeatChoice::Potential) => Some(main_way(world)?),
            _ => None,
        };
        let mut map = CrowdMap::new(world)
            .width(if is_clip { CLIP_WIDTH } else { PICTURE_WIDTH })
            .color_by(color_by(request.color, world));
        if let Some(title) = &request.title {
            map = map.title(title.clone());
        }
        if let Some(view) = request.view {
            map = map.view(view);
        }
        if let Some(heat) = request.heat {
            map = map.heat(match heat {
                HeatChoice::Density => Heat::Density,
                HeatChoice::Speed => Heat::Speed,
                HeatChoice::Waiting => Heat::Waiting,
                HeatChoice::Potential => Heat::Potential,
            });
        }
        let frames = request.frames.map_or(CLIP_FRAMES, f64::from);
        let apart = (1.0 / CLIP_FPS / f64::from(dt)).round();
        let every = (steps as f64 / frames).ceil().max(apart).max(1.0) as u64;
        let colors: Vec<Rgb> = map.key_colors();
        let clip = match is_clip {
            true => {
                let options = ClipOptions { fps: CLIP_FPS, colors, tolerance: CLIP_TOLERANCE };
                Some(Clip::create(&request.path, options)?)
            }
            false => None,
        };
        let path = request.path.clone();
        Ok(Self { path, map, clip, every, drawn: None, heat: request.heat, way })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it needs to know who has waited how long.
    pub(super) fn wants_waiting(&self) -> bool {
        self.heat == Some(HeatChoice::Waiting)
    }

    /// Whether this step is drawn.
    pub(super) fn wants(&self, step: u64) -> bool {
        self.clip.is_some() && step.is_multiple_of(self.every)
    }

    /// Draws the crowd.
    pub(super) fn draw(
        &mut self,
        crowd: &Crowd,
        frame: &AgentFrame<'_>,
        waiting: &mut Waiting,
    ) -> Result<(), RecordError> {
        let waiting = self.wants_waiting().then(|| waiting.of(crowd));
        let potential = self.way.and_then(|(group, goal)| crowd.potential(group, goal));
        let image = self.map.render(frame, &MapExtras { potential, waiting, hazards: None })?;
        self.drawn = Some(frame.step);
        match &mut self.clip {
            Some(clip) => clip.frame(&image),
            None => image.write_png(&self.path),
        }
    }

    /// Draws the last moment and puts the file in its place.
    pub(super) fn finish(
        mut self,
        crowd: &Crowd,
        frame: &AgentFrame<'_>,
        waiting: &mut Waiting,
    ) -> Result<(), RecordError> {
        if self.drawn != Some(frame.step) {
            self.draw(crowd, frame, waiting)?;
        }
        self.clip.map_or(Ok(()), Clip::finish)
    }
}

/// The colours asked for, or those that say most.
fn color_by(choice: Option<ColorChoice>, world: &World) -> ColorBy {
    let goals = world.actions.iter().filter(|a| matches!(a.seek, Seek::Goal(_))).count();
    match choice {
        Some(ColorChoice::Group) => ColorBy::Group,
        Some(ColorChoice::Speed) => ColorBy::Speed,
        Some(ColorChoice::Action) => ColorBy::Action,
        None if goals > world.groups.len() => ColorBy::Action,
        None => ColorBy::Group,
    }
}

/// A group that starts for a goal, and the goal.
fn main_way(world: &World) -> Result<(u8, u16), Failure> {
    let starts = |group: usize| match world.actions[usize::from(world.groups[group].starts)].seek {
        Seek::Goal(goal) => Some((group as u8, goal)),
        _ => None,
    };
    (0..world.groups.len()).find_map(starts).ok_or_else(|| {
        let why = "nobody starts for a goal in this scene; there is no way to show";
        Failure::Usage(format!("--heat potential: {why}"))
    })
}
