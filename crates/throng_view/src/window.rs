//! The window: winit's, with a surface that shows what the [`Viewer`] draws.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use throng_gpu::{Adapters, Choice, Gpu, Options};
use throng_render::Camera;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

use crate::script::{Player, Script, Stage};
use crate::viewer::Files;
use crate::{Furnish, Input, Picture, Session, ViewError, Viewer};

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

/// A device that draws into the window.
struct Show {
    picture: Picture,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    blitter: wgpu::util::TextureBlitter,
}

/// A surface of a window and a device that can draw into it.
struct Opened {
    gpu: Gpu,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
}

fn open_device(window: &Arc<Window>, adapter: Option<&str>) -> Result<Opened, ViewError> {
    // A second door to the same hardware comes second: it has fewer limits, and complains on stderr.
    let doors = [wgpu::Backends::PRIMARY, wgpu::Backends::SECONDARY];
    let mut found = Err(ViewError::NoGpu("there is no driver for one".into()));
    for door in doors {
        found = open_by(door, window, adapter);
        if found.is_ok() {
            break;
        }
    }
    found
}

fn open_by(
    door: wgpu::Backends,
    window: &Arc<Window>,
    adapter: Option<&str>,
) -> Result<Opened, ViewError> {
    let no_gpu = |e: String| ViewError::NoGpu(e);
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends &= door;
    let backends = descriptor.backends;
    if backends.is_empty() {
        return Err(no_gpu("WGPU_BACKEND leaves none".into()));
    }
    let instance = wgpu::Instance::new(descriptor);
    let surface = instance.create_surface(window.clone()).map_err(|e| no_gpu(e.to_string()))?;
    let mut all = pollster::block_on(instance.enumerate_adapters(backends));
    all.retain(|adapter| adapter.is_surface_supported(&surface));
    let adapters = Adapters::of(all);
    let choice = adapter.map_or(Choice::Fast, |name| Choice::Named(name.to_owned()));
    let adapter = adapters.choose(&choice).map_err(|e| no_gpu(e.to_string()))?;
    let gpu = Gpu::open_on(adapter, &Options::default())?;
    let size = window.inner_size();
    let config = surface.get_default_config(adapter, size.width.max(1), size.height.max(1));
    let mut config = config.ok_or_else(|| no_gpu("the surface has no format".into()))?;
    // The picture is encoded already: the target must not do it again.
    let formats = surface.get_capabilities(adapter).formats;
    if let Some(plain) = formats.iter().find(|f| **f == config.format.remove_srgb_suffix()) {
        config.format = *plain;
    } else if config.format.is_srgb() {
        config.view_formats = vec![config.format.remove_srgb_suffix()];
    }
    Ok(Opened { gpu, surface, config })
}

impl Show {
    fn new(opened: Opened, viewer: &mut Viewer, furnish: &Furnish) -> Result<Self, ViewError> {
        let Opened { gpu, surface, config } = opened;
        let mut picture = Picture::new(&gpu)?;
        furnish(picture.renderer())?;
        // What was built since the world was made.
        picture.renderer().set_walls(viewer.session().world()?)?;
        let plain = config.format.remove_srgb_suffix();
        let blitter = wgpu::util::TextureBlitter::new(gpu.device(), plain);
        gpu.scoped("surface", || surface.configure(gpu.device(), &config))?;
        Ok(Self { picture, surface, config, blitter })
    }

    /// Shows what was drawn.
    fn present(&mut self, size: PhysicalSize<u32>) -> Result<(), ViewError> {
        if size.width == 0 || size.height == 0 {
            return Ok(());
        }
        let gpu = self.picture.gpu().clone();
        let configure = |config: &wgpu::SurfaceConfiguration| {
            gpu.scoped("surface", || self.surface.configure(gpu.device(), config))
        };
        if [self.config.width, self.config.height] != [size.width, size.height] {
            (self.config.width, self.config.height) = (size.width, size.height);
            configure(&self.config)?;
        }
        let Some(from) = self.picture.view() else { return Ok(()) };
        let next = gpu.scoped("surface", || self.surface.get_current_texture())?;
        let texture = match next {
            wgpu::CurrentSurfaceTexture::Success(texture)
            | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            wgpu::CurrentSurfaceTexture::Outdated | wgpu::CurrentSurfaceTexture::Lost => {
                // The next frame is shown again.
                configure(&self.config)?;
                return Ok(());
            }
            wgpu::CurrentSurfaceTexture::Timeout
            | wgpu::CurrentSurfaceTexture::Occluded
            | wgpu::CurrentSurfaceTexture::Validation => return Ok(()),
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.config.format.remove_srgb_suffix()),
            ..Default::default()
        });
        let mut encoder = gpu.encoder("show");
        self.blitter.copy(gpu.device(), &mut encoder, from, &view);
        gpu.submit(encoder);
        gpu.queue().present(texture);
        Ok(())
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

impl Show {
    fn turn(
        &mut self,
        viewer: &mut Viewer,
        size: PhysicalSize<u32>,
        elapsed: Duration,
    ) -> Result<(), ViewError> {
        viewer.frame(&mut self.picture, elapsed)?;
        let clock = Instant::now();
        self.present(size)?;
        viewer.note("show", clock.elapsed());
        for error in self.picture.gpu().take_errors() {
            viewer.session().tell(format!("GPU: {error}"));
        }
        Ok(())
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
