//! The picture: the renderer, the painter of the panel, and the texture that both draw into. A window shows
//! that texture, stills and clips are read from it.

use throng_gpu::Gpu;
use throng_gpu::draw::{Pixels, Texture2};
use throng_render::{Canvas, Cast, FORMAT, Frame, Renderer, character_folder};
use throng_world::World;

use crate::ViewError;

/// Draws crowd and panel.
pub struct Picture {
    gpu: Gpu,
    renderer: Renderer,
    painter: egui_wgpu::Renderer,
    sheet: Option<Sheet>,
    /// For frames that nobody sees.
    hidden: Option<Canvas>,
    adapter: String,
}

/// A pass of the panel, to be painted: what egui gives out, in a form that may also be dropped unpainted.
pub struct Painting {
    shapes: Vec<egui::epaint::ClippedShape>,
    pixels_per_point: f32,
    textures: Vec<(egui::TextureId, egui::epaint::ImageDelta)>,
    gone: Vec<egui::TextureId>,
}

impl From<egui::FullOutput> for Painting {
    fn from(mut output: egui::FullOutput) -> Self {
        let deltas = &mut output.textures_delta;
        let textures = deltas.set.drain();
        let textures = textures.flat_map(|(id, all)| all.into_iter().map(move |one| (id, one)));
        Self {
            textures: textures.collect(),
            gone: deltas.free.drain().collect(),
            shapes: std::mem::take(&mut output.shapes),
            pixels_per_point: output.pixels_per_point,
        }
    }
}

/// What is drawn into.
struct Sheet {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    size: [u32; 2],
}

impl Picture {
    /// Brings a world up on a device.
    ///
    /// # Errors
    /// The device refuses.
    pub fn new(gpu: &Gpu, world: &World) -> Result<Self, ViewError> {
        let mut renderer = Renderer::new(gpu, FORMAT)?;
        renderer.set_world(world, Vec::new())?;
        renderer.set_cast(world, &Cast::load(world, character_folder().as_deref())?)?;
        let options = egui_wgpu::RendererOptions::default();
        let painter =
            gpu.scoped("panel", || egui_wgpu::Renderer::new(gpu.device(), FORMAT, options))?;
        let adapter = throng_gpu::describe(gpu.info());
        Ok(Self { gpu: gpu.clone(), renderer, painter, sheet: None, hidden: None, adapter })
    }

    /// The device.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The device in words.
    #[must_use]
    pub fn adapter(&self) -> &str {
        &self.adapter
    }

    /// The renderer.
    pub fn renderer(&mut self) -> &mut Renderer {
        &mut self.renderer
    }

    /// Makes room for so many pixels.
    ///
    /// # Errors
    /// Sides of nothing or beyond what the device can do.
    pub fn fit(&mut self, size: [u32; 2]) -> Result<(), ViewError> {
        if self.sheet.as_ref().is_some_and(|sheet| sheet.size == size) {
            return Ok(());
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC;
        let texture = self.gpu.texture(&Texture2::new("sheet", size, FORMAT, usage))?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.sheet = Some(Sheet { texture, view, size });
        self.hidden = None;
        Ok(())
    }

    /// Draws a frame of the crowd.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn draw(&mut self, frame: &Frame<'_>) -> Result<(), ViewError> {
        if let Some(sheet) = &self.sheet {
            self.renderer.render(frame, &sheet.view, sheet.size)?;
        }
        Ok(())
    }

    /// Draws a frame that nobody sees, and gives the places of those who were drawn in it. Waits.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn who_is_drawn(&mut self, frame: &Frame<'_>) -> Result<Vec<u32>, ViewError> {
        let Some(size) = self.sheet.as_ref().map(|sheet| sheet.size) else { return Ok(Vec::new()) };
        if self.hidden.is_none() {
            self.hidden = Some(Canvas::new(&self.gpu, size)?);
        }
        let Some(canvas) = &self.hidden else { return Ok(Vec::new()) };
        self.renderer.render(frame, canvas.view(), size)?;
        Ok(self.renderer.drawn_agents()?)
    }

    /// Paints the panel over the crowd.
    ///
    /// # Errors
    /// The device refuses.
    pub fn paint(&mut self, context: &egui::Context, painting: Painting) -> Result<(), ViewError> {
        let Some(sheet) = &self.sheet else { return Ok(()) };
        let (device, queue) = (self.gpu.device(), self.gpu.queue());
        let (painter, gpu) = (&mut self.painter, &self.gpu);
        let Painting { shapes, pixels_per_point, textures, gone } = painting;
        let jobs = context.tessellate(shapes, pixels_per_point);
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: sheet.size, pixels_per_point };
        gpu.scoped("panel", || {
            for (id, delta) in &textures {
                painter.update_texture(device, queue, *id, delta);
            }
            let mut encoder = gpu.encoder("panel");
            let own = painter.update_buffers(device, queue, &mut encoder, &jobs, &screen);
            queue.submit(own);
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panel"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &sheet.view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            painter.render(&mut pass.forget_lifetime(), &jobs, &screen);
            gpu.submit(encoder);
            for id in &gone {
                painter.free_texture(id);
            }
        })?;
        Ok(())
    }

    /// What was drawn, for those who show it.
    #[must_use]
    pub fn view(&self) -> Option<&wgpu::TextureView> {
        self.sheet.as_ref().map(|sheet| &sheet.view)
    }

    /// What was drawn. Waits.
    ///
    /// # Errors
    /// The device is lost; nothing was drawn yet.
    pub fn pixels(&self) -> Result<Option<Pixels>, ViewError> {
        match &self.sheet {
            Some(sheet) => Ok(Some(self.gpu.read_texture(&sheet.texture)?)),
            None => Ok(None),
        }
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}
