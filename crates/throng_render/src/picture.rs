//! Pictures without a window: a texture to draw into, read back and written as PNG.

use std::path::Path;

use throng_gpu::Gpu;
use throng_gpu::draw::{Pixels, Texture2};

use crate::targets::Target;
use crate::{Frame, RenderError, Renderer};

/// Format of headless pictures.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A texture that can be read back.
#[derive(Debug)]
pub struct Canvas {
    gpu: Gpu,
    target: Target,
    size: [u32; 2],
}

impl Canvas {
    /// A canvas of so many pixels.
    ///
    /// # Errors
    /// Sides of nothing or beyond what the device can do; out of memory.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, RenderError> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let target = Target::new(gpu, &Texture2::new("canvas", size, FORMAT, usage))?;
        Ok(Self { gpu: gpu.clone(), target, size })
    }

    /// Draws a frame and gives its pixels: sRGB and alpha, top row first.
    ///
    /// # Errors
    /// As [`Renderer::render`]; or the device is lost.
    pub fn draw(&self, renderer: &mut Renderer, frame: &Frame<'_>) -> Result<Pixels, RenderError> {
        renderer.render(frame, &self.target.view, self.size)?;
        Ok(self.gpu.read_texture(&self.target.texture)?)
    }

    /// What is drawn into.
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.target.view
    }

    /// Pixels across and down.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }
}

/// Writes pixels of [`FORMAT`] as PNG that says it is sRGB.
///
/// # Errors
/// The file cannot be written.
pub fn write_png(path: &Path, pixels: &Pixels) -> Result<(), RenderError> {
    let failed = |reason: String| RenderError::Write { path: path.display().to_string(), reason };
    let file = std::fs::File::create(path).map_err(|e| failed(e.to_string()))?;
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::High);
    let rgb: Vec<u8> = pixels.bytes.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut writer = encoder.write_header().map_err(|e| failed(e.to_string()))?;
    writer.write_image_data(&rgb).map_err(|e| failed(e.to_string()))?;
    writer.finish().map_err(|e| failed(e.to_string()))
}
