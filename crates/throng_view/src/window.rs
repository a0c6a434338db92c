//! The window: winit's, with a surface that shows what the [`Viewer`] draws.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use throng_gpu::Gpu;
use throng_render::Camera;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use crate::script::{Player, Script, Stage};
use crate::show::{Show, open_device};
use crate::viewer::Files;
use crate::{Furnish, Input, Session, ViewError, Viewer};

/// Time between two looks at a clock while nobody sees the window.
const UNSEEN: Duration = Duration::from_millis(30);

/// How a window is opened.
#[derive(Debug)]
pub struct WindowOptions {
    /// What stands in its title bar.
    pub title: String,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Part of the name of the adapter to draw with; `None`: the fastest.
    pub adapter: Option<String>,
    /// Where files go that its buttons write.
    pub files: Files,
    /// Input from a file, besides that from hands.
    pub script: Option<Script>,
}

/// What a window needs to begin.
pub struct Made {
    /// The crowd and its clock.
    pub session: Session,
    /// Where to look from.
    pub camera: Camera,
    /// Brings the world up in a renderer; again after a device was lost.
    pub furnish: Furnish,
}

/// Makes the session once there is a device, on which the crowd may live too.
pub type Make = Box<dyn FnOnce(&Gpu) -> Result<Made, ViewError>>;

/// Opens a window and stays until it is closed.
///
/// # Errors
/// There is no display, no device that can draw into a window, or the crowd cannot go on.
pub fn open(options: WindowOptions, make: Make) -> Result<(), ViewError> {
    let events = EventLoop::new().map_err(|_| ViewError::NoDisplay(no_display()))?;
    let player = options.script.clone().map(Player::new);
    let mut app = App {
        options,
        make: Some(make),
        furnish: None,
        window: None,
        show: None,
        viewer: None,
        last: Instant::now(),
        player,
        error: None,
    };
    events.run_app(&mut app).map_err(|e| ViewError::NoDisplay(e.to_string()))?;
    match app.error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn no_display() -> String {
    let named = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    match (named("DISPLAY"), named("WAYLAND_DISPLAY")) {
        (None, None) if cfg!(target_os = "linux") => {
            "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)".into()
        }
        (x, wayland) => {
            let name = wayland.or(x).unwrap_or_default();
            format!("the display {name:?} does not answer")
        }
    }
}

struct App {
    options: WindowOptions,
    make: Option<Make>,
    furnish: Option<Furnish>,
    window: Option<Arc<Window>>,
    show: Option<Show>,
    viewer: Option<Viewer>,
    last: Instant,
    player: Option<Player>,
    error: Option<ViewError>,
}

impl App {
    fn start(&mut self, events: &ActiveEventLoop) -> Result<(), ViewError> {
        let [width, height] = self.options.size;
        let attributes = Window::default_attributes()
            .with_title(&self.options.title)
            .with_inner_size(PhysicalSize::new(width, height));
        let window =
            events.create_window(attributes).map_err(|e| ViewError::NoDisplay(e.to_string()))?;
        let window = Arc::new(window);
        let opened = open_device(&window, self.options.adapter.as_deref())?;
        if let Some(make) = self.make.take() {
            let Made { session, camera, furnish } = make(&opened.gpu)?;
            let size = window.inner_size();
            let files = self.options.files.clone();
            let mut viewer = Viewer::new(session, camera, files, [size.width, size.height])?;
            viewer.input(&Input::Scale(window.scale_factor() as f32))?;
            self.show = Some(Show::new(opened, &mut viewer, &furnish)?);
            self.furnish = Some(furnish);
            self.viewer = Some(viewer);
        }
        window.request_redraw();
        self.window = Some(window);
        self.last = Instant::now();
        Ok(())
    }

    /// One frame, seen or not, and what the script does after it.
    fn turn(&mut self) -> Result<(), ViewError> {
        let (Some(viewer), Some(window)) = (&mut self.viewer, &self.window) else { return Ok(()) };
        let elapsed = self.last.elapsed();
        self.last = Instant::now();
        if viewer.visible() {
            let drawn = match &mut self.show {
                Some(show) => show.turn(viewer, window.inner_size(), elapsed),
                None => Ok(()),
            };
            match drawn {
                Err(error) if error.is_lost() => self.start_over()?,
                other => other?,
            }
        } else {
            viewer.idle(elapsed)?;
        }
        self.play_script()
    }

    /// Takes another device after one was lost.
    fn start_over(&mut self) -> Result<(), ViewError> {
        let (Some(viewer), Some(window)) = (&mut self.viewer, &self.window) else { return Ok(()) };
        // All of the old one must be gone before the window gets a new surface.
        self.show = None;
        viewer.device_lost();
        let opened = open_device(window, self.options.adapter.as_deref())?;
        if let Some(furnish) = &self.furnish {
            self.show = Some(Show::new(opened, viewer, furnish)?);
        }
        Ok(())
    }

    fn play_script(&mut self) -> Result<(), ViewError> {
        let (Some(player), Some(viewer)) = (&mut self.player, &mut self.viewer) else {
            return Ok(());
        };
        let mut stage =
            OnWindow { viewer, window: self.window.as_deref(), show: self.show.as_ref() };
        player.turn(&mut stage)
    }

    /// Whether the next frame would be another one.
    fn restless(&self) -> bool {
        self.player.as_ref().is_some_and(|player| !player.is_over())
            || self.viewer.as_ref().is_some_and(Viewer::restless)
    }

    fn end(&mut self, events: &ActiveEventLoop, error: Option<ViewError>) {
        if let Some(viewer) = &mut self.viewer {
            let ended = viewer.finish();
            self.error = error.or(ended.err());
        } else {
            self.error = error;
        }
        // Before the window, whose surface it holds.
        self.show = None;
        events.exit();
    }

    fn after(&mut self, events: &ActiveEventLoop, done: Result<(), ViewError>) {
        match done {
            Err(error) => self.end(events, Some(error)),
            Ok(()) if self.viewer.as_ref().is_some_and(Viewer::closing) => self.end(events, None),
            Ok(()) => {}
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.window.is_none() {
            let started = self.start(events);
            self.after(events, started);
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let done = match (&event, &mut self.viewer) {
            (WindowEvent::RedrawRequested, _) => self.turn(),
            (event, Some(viewer)) => {
                let inputs = Input::of_winit(event);
                if !inputs.is_empty()
                    && let Some(window) = &self.window
                {
                    window.request_redraw();
                }
                inputs.iter().try_for_each(|input| viewer.input(input))
            }
            _ => Ok(()),
        };
        self.after(events, done);
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if events.exiting() {
            return;
        }
        let seen = self.viewer.as_ref().is_some_and(Viewer::visible);
        if !seen && self.viewer.is_some() {
            // Nobody asks an unseen window to draw; its clock goes on.
            if self.last.elapsed() >= UNSEEN {
                let done = self.turn();
                self.after(events, done);
            }
            events.set_control_flow(ControlFlow::WaitUntil(Instant::now() + UNSEEN));
            return;
        }
        events.set_control_flow(ControlFlow::Wait);
        if self.restless()
            && let Some(window) = &self.window
        {
            window.request_redraw();
        }
    }
}

/// What a script plays on.
struct OnWindow<'a> {
    viewer: &'a mut Viewer,
    window: Option<&'a Window>,
    show: Option<&'a Show>,
}

impl Stage for OnWindow<'_> {
    fn viewer(&mut self) -> &mut Viewer {
        self.viewer
    }

    fn resize(&mut self, size: [u32; 2]) -> Result<(), ViewError> {
        if let Some(window) = self.window {
            // The answer comes as an event, if the window system likes the size.
            let _ = window.request_inner_size(PhysicalSize::new(size[0], size[1]));
        }
        self.viewer.input(&Input::Resized(size))
    }

    fn minimise(&mut self, hidden: bool) -> Result<(), ViewError> {
        if let Some(window) = self.window {
            window.set_minimized(hidden);
        }
        self.viewer.input(&Input::Hidden(hidden))
    }

    fn lose_device(&mut self) {
        if let Some(show) = self.show {
            show.picture.gpu().destroy();
        }
    }

    fn shot(&mut self, path: &Path) -> Result<(), ViewError> {
        match self.show.map(|show| show.picture.pixels()).transpose()?.flatten() {
            Some(pixels) => Ok(throng_render::write_png(path, &pixels)?),
            None => Err(ViewError::file(path, "nothing was drawn yet")),
        }
    }
}
