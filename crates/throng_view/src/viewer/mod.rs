//! The viewer: input in, picture out. Knows no window: a window, a script or a test feeds it.
//!
//! `hands` is what input does, `wishes` what the panel asks for, `overlay` what is laid over the picture,
//! `report` what is told of it all.

mod hands;
mod overlay;
mod report;
mod wishes;

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use glam::{Vec2, Vec3};
use throng::Backend;
use throng_render::{Agents, Camera, Frame, Hazard};

use crate::model::Figures;
use crate::panel::{self, Shown, Spots};
use crate::picture::Painting;
use crate::reel::Reel;
use crate::{Button, Key, Model, Picture, Rig, Session, ViewError, ViewState};

/// How long what is told of a crowd on the GPU may be old: it has to be fetched.
const STALE: Duration = Duration::from_millis(250);

/// Where files go that the panel's buttons write.
#[derive(Clone, Debug)]
pub struct Files {
    /// Recordings: a `.gif`, or a directory for stills.
    pub clip: PathBuf,
    /// Stills.
    pub still: PathBuf,
    /// Logs of commands.
    pub log: PathBuf,
}

/// A button that is held.
#[derive(Clone, Copy, Debug)]
struct Drag {
    button: Button,
    from: Vec2,
    /// Where on the ground it began.
    ground: Option<Vec2>,
    /// Whether it went farther than a click does.
    far: bool,
}

/// What a frame took (milliseconds), smoothed.
#[derive(Clone, Debug, Default)]
struct Stopwatch(Figures);

impl Stopwatch {
    fn note(&mut self, name: &'static str, took: Duration) {
        let ms = took.as_secs_f32() * 1e3;
        match self.0.iter_mut().find(|(other, _)| *other == name) {
            Some((_, mean)) => *mean += (ms - *mean) * 0.15,
            None => self.0.push((name, ms)),
        }
    }
}

/// A session that is looked at.
pub struct Viewer {
    session: Session,
    state: ViewState,
    files: Files,
    context: egui::Context,
    spots: Spots,
    events: Vec<egui::Event>,
    pointer: Option<Vec2>,
    shift: bool,
    control: bool,
    keys: HashSet<Key>,
    drag: Option<Drag>,
    size: [u32; 2],
    scale: f32,
    hidden: bool,
    closing: bool,
    began: Instant,
    model: Model,
    modelled: Option<Instant>,
    laid: overlay::Laid,
    /// What the picture shows.
    drawn: Option<overlay::Seen>,
    reel: Option<Reel>,
    /// A still was asked for.
    still: bool,
    watch: Stopwatch,
    frames: u64,
    /// Frames whose picture was drawn anew.
    pictures: u64,
    losses: u32,
}

impl Viewer {
    /// Looks at a session from a camera, in a window of so many pixels.
    ///
    /// # Errors
    /// The crowd cannot be looked at.
    pub fn new(
        mut session: Session,
        camera: Camera,
        files: Files,
        size: [u32; 2],
    ) -> Result<Self, ViewError> {
        let state = ViewState::new(Rig::new(camera, session.world()?));
        let model = Model::of(&mut session, &state)?;
        Ok(Self {
            session,
            state,
            files,
            context: dressed(),
            spots: Spots::default(),
            events: Vec::new(),
            pointer: None,
            shift: false,
            control: false,
            keys: HashSet::new(),
            drag: None,
            size,
            scale: 1.0,
            hidden: false,
            closing: false,
            began: Instant::now(),
            model,
            modelled: None,
            laid: overlay::Laid::default(),
            drawn: None,
            reel: None,
            still: false,
            watch: Stopwatch::default(),
            frames: 0,
            pictures: 0,
            losses: 0,
        })
    }

    /// The session that is looked at.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// How it is looked at.
    pub fn state(&mut self) -> &mut ViewState {
        &mut self.state
    }

    /// Pixels across and down.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Whether there is anything to draw into.
    #[must_use]
    pub fn visible(&self) -> bool {
        !self.hidden && self.size[0] > 0 && self.size[1] > 0
    }

    /// Whether the window is to be closed.
    #[must_use]
    pub fn closing(&self) -> bool {
        self.closing
    }

    /// Whether the next frame would be another than the last.
    #[must_use]
    pub fn restless(&self) -> bool {
        self.session.playing()
            || !self.events.is_empty()
            || self.drag.is_some()
            || self.flying() != Vec3::ZERO
            || self.context.has_requested_repaint()
    }

    /// A device was lost: what it held must be brought up anew.
    pub fn device_lost(&mut self) {
        self.losses += 1;
        self.laid = overlay::Laid::default();
        self.drawn = None;
        // The painter's textures are gone; a new context sends them again.
        self.context = dressed();
        self.session.tell("the GPU was lost and another one taken".into());
    }

    /// Lets time pass without drawing, for windows that nobody sees.
    ///
    /// # Errors
    /// The crowd cannot go on.
    pub fn idle(&mut self, elapsed: Duration) -> Result<(), ViewError> {
        self.events.clear();
        self.session.advance(elapsed)?;
        Ok(())
    }

    /// What a window adds to the time of a frame.
    pub fn note(&mut self, name: &'static str, took: Duration) {
        self.watch.note(name, took);
    }

    /// One frame: time passes, input counts, the picture is drawn.
    ///
    /// # Errors
    /// The crowd cannot go on; the device is lost; a file cannot be written.
    pub fn frame(&mut self, picture: &mut Picture, elapsed: Duration) -> Result<(), ViewError> {
        let clock = Instant::now();
        self.session.advance(elapsed)?;
        self.watch.note("simulate", clock.elapsed());
        if !self.visible() {
            self.events.clear();
            return Ok(());
        }
        if picture.fit(self.size)? {
            self.drawn = None;
        }
        self.move_camera(elapsed)?;
        let clock = Instant::now();
        if self.session.take_ground_changed() {
            picture.renderer().set_walls(self.session.world()?)?;
            self.laid.forget_ground();
            self.drawn = None;
        }
        self.tell_model()?;
        let painting = self.panel(picture.adapter());
        let seen = self.seen()?;
        if self.drawn.as_ref() != Some(&seen) {
            self.lay(picture, &seen)?;
            self.watch.note("prepare", clock.elapsed());
            let clock = Instant::now();
            self.draw(picture)?;
            self.watch.note("picture", clock.elapsed());
            self.drawn = Some(seen);
            self.pictures += 1;
        }
        self.film(picture)?;
        let clock = Instant::now();
        picture.paint(&self.context, painting)?;
        self.watch.note("panel", clock.elapsed());
        self.frames += 1;
        Ok(())
    }

    fn tell_model(&mut self) -> Result<(), ViewError> {
        // On the CPU looking costs little; on the GPU everybody has to come back for it.
        let on_gpu = self.session.simulation().backend() == Backend::Gpu;
        let fresh = self.modelled.is_some_and(|at| at.elapsed() < STALE);
        if on_gpu && fresh && self.session.playing() && self.state.selected.is_none() {
            self.model.step = self.session.steps();
            self.model.time = self.session.time();
            return Ok(());
        }
        self.model = Model::of(&mut self.session, &self.state)?;
        self.modelled = Some(Instant::now());
        if self.model.selected.is_none() {
            // Whoever it was has left.
            self.state.selected = None;
        }
        Ok(())
    }

    /// Runs the panel on the input since the last frame, and does what it asks for.
    fn panel(&mut self, adapter: &str) -> Painting {
        let points = Vec2::new(self.size[0] as f32, self.size[1] as f32) / self.scale;
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                egui::vec2(points.x, points.y),
            )),
            time: Some(self.began.elapsed().as_secs_f64()),
            events: std::mem::take(&mut self.events),
            focused: true,
            ..Default::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        let shown = Shown {
            model: &self.model,
            playing: self.session.playing(),
            speed: self.session.speed(),
            behind: self.session.behind(),
            frame: &self.watch.0,
            step_ms: self.session.step_ms(),
            legend: self.laid.legend(self.state.layer),
            notices: self.session.notices().collect(),
            commands: self.session.log().commands(),
            recorded: self.reel.as_ref().map(Reel::frames),
            adapter,
        };
        let (mut asks, context) = (Vec::new(), self.context.clone());
        let (state, spots) = (&mut self.state, &mut self.spots);
        let painting = Painting::from(context.run_ui(input, |ui| {
            // The panel may run twice for a frame; what counts is the last time.
            asks.clear();
            panel::show(ui, &shown, state, &mut asks, spots);
        }));
        for ask in asks {
            self.grant(ask);
        }
        painting
    }

    fn move_camera(&mut self, elapsed: Duration) -> Result<(), ViewError> {
        let (keys, fast) = (self.flying(), self.shift);
        if keys != Vec3::ZERO {
            let seconds = elapsed.as_secs_f32().min(0.2);
            self.state.rig.fly(keys, seconds, fast, self.session.world()?);
        }
        if self.state.rig.mode() == crate::RigMode::Follow
            && let Some(agent) = self.state.selected
            && let Some(it) = self.session.place_of(agent)?
        {
            let at = Vec3::from_array(it.position);
            self.state.rig.follow(at, self.session.world()?);
        }
        Ok(())
    }

    fn draw(&mut self, picture: &mut Picture) -> Result<(), ViewError> {
        let hazards: Vec<Hazard> =
            self.session.hazards()?.into_iter().map(|(_, _, hazard)| hazard).collect();
        let time = self.session.time() as f32;
        let camera = self.state.rig.camera();
        let same_device = self
            .session
            .simulation()
            .gpu_crowd()
            .filter(|c| c.gpu().device() == picture.gpu().device());
        if let Some(crowd) = same_device {
            let (count, word) = crowd.instance_count();
            let instances = crowd.instances();
            let at_most = (instances.size() / 32) as u32;
            let agents = Agents::Buffer { instances, count, word, at_most };
            return picture.draw(&Frame { camera, agents, hazards: &hazards, time });
        }
        let agents = Agents::Slice(self.session.instances()?);
        picture.draw(&Frame { camera, agents, hazards: &hazards, time })
    }

    /// Takes a still and a frame for the recording where they are wanted, without the panel.
    fn film(&mut self, picture: &Picture) -> Result<(), ViewError> {
        if std::mem::take(&mut self.still)
            && let Some(pixels) = picture.plain_pixels()?
        {
            let path = wishes::unused(&self.files.still);
            let told = match throng_render::write_png(&path, &pixels) {
                Ok(()) => format!("wrote {}", path.display()),
                Err(error) => error.to_string(),
            };
            self.session.tell(told);
        }
        let time = self.session.time();
        let Some(reel) = self.reel.as_mut().filter(|reel| reel.wants(time)) else { return Ok(()) };
        let Some(pixels) = picture.plain_pixels()? else { return Ok(()) };
        if let Err(error) = reel.frame(time, &pixels) {
            self.reel = None;
            self.session.tell(error.to_string());
        }
        Ok(())
    }

    /// Ends what is under way: the recording, the log.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(&mut self) -> Result<(), ViewError> {
        if let Some(reel) = self.reel.take() {
            reel.finish()?;
        }
        self.session.checkpoint()?;
        Ok(())
    }
}

fn dressed() -> egui::Context {
    let context = egui::Context::default();
    panel::dress(&context);
    context
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").field("state", &self.state).finish_non_exhaustive()
    }
}
