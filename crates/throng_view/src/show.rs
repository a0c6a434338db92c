//! A device and the surface of a window that it draws into.

use std::sync::Arc;
use std::time::{Duration, Instant};

use throng_gpu::{Adapters, Choice, Gpu, Options};
use winit::dpi::PhysicalSize;
use winit::window::Window;

use crate::{Furnish, Picture, ViewError, Viewer};

/// A device that draws into the window.
pub(crate) struct Show {
    pub(crate) picture: Picture,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    blitter: wgpu::util::TextureBlitter,
}

/// A surface of a window and a device that can draw into it.
pub(crate) struct Opened {
    pub(crate) gpu: Gpu,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
}

pub(crate) fn open_device(
    window: &Arc<Window>,
    adapter: Option<&str>,
) -> Result<Opened, ViewError> {
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
    pub(crate) fn new(
        opened: Opened,
        viewer: &mut Viewer,
        furnish: &Furnish,
    ) -> Result<Self, ViewError> {
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

    /// One frame, drawn and shown.
    pub(crate) fn turn(
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
