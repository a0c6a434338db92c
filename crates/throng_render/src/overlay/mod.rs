//! Overlay: what explains a picture, drawn into it: numbers on the ground, lines, tints of bodies.
//!
//! Takes grids, lines and colours from a host, which stay until they are replaced. A [`Drape`] lies on the
//! terrain, under crowd and water, and fades nothing else; [`Stroke`]s are drawn over the finished picture,
//! faint where something solid is before them; a [`Tint`] colours bodies.

mod drape;
mod strokes;
mod tint;

pub use drape::{Drape, RAMP};
pub use strokes::Stroke;
pub use tint::Tint;

use throng_gpu::draw::Slots;
use throng_gpu::{GpuError, Library, Pool, Shader};

use crate::terrain::TerrainPass;
use crate::{RenderError, Renderer};
use drape::{DrapePass, Draped};
use strokes::StrokePass;
pub(crate) use tint::TintBuffer;

pub(crate) const SHADERS: [Shader; 2] = [drape::SHADER, strokes::SHADER];

/// What hosts have laid over the picture, and how it is drawn.
#[derive(Debug)]
pub(crate) struct Overlay {
    drape: DrapePass,
    draped: Option<Draped>,
    strokes: StrokePass,
    pub(crate) tint: TintBuffer,
}

impl Overlay {
    pub(crate) fn new(
        pool: &Pool,
        library: &Library,
        format: wgpu::TextureFormat,
        view: &Slots,
        terrain: &TerrainPass,
    ) -> Result<Self, GpuError> {
        Ok(Self {
            drape: DrapePass::new(pool.gpu(), library, view, terrain)?,
            draped: None,
            strokes: StrokePass::new(pool, library, format, view)?,
            tint: TintBuffer::new(pool)?,
        })
    }

    /// What lies on the ground, if anything does: a pipeline for patches of terrain, and its group 2.
    pub(crate) fn on_ground(&self) -> Option<(&wgpu::RenderPipeline, &wgpu::BindGroup)> {
        self.draped.as_ref().map(|draped| (&self.drape.pipeline, &draped.group))
    }

    pub(crate) fn strokes(&self) -> Option<&StrokePass> {
        self.strokes.any().then_some(&self.strokes)
    }
}

impl Renderer {
    /// Lays numbers on the ground, or takes them away.
    ///
    /// # Errors
    /// A grid too large for a texture; the device refuses.
    pub fn set_drape(&mut self, drape: Option<&Drape<'_>>) -> Result<(), RenderError> {
        let gain = 1.0 / self.lit.exposure;
        self.overlay.draped = match drape {
            None => None,
            Some(drape) => {
                let old = self.overlay.draped.take();
                Some(self.overlay.drape.lay(&self.pool, old, drape, gain)?)
            }
        };
        Ok(())
    }

    /// Draws these lines over the picture from now on.
    ///
    /// # Errors
    /// Out of memory.
    pub fn set_strokes(&mut self, strokes: &[Stroke]) -> Result<(), RenderError> {
        Ok(self.overlay.strokes.write(&self.pool, strokes)?)
    }

    /// Colours bodies from now on.
    ///
    /// # Errors
    /// Out of memory.
    pub fn set_tint(&mut self, tint: Tint<'_>) -> Result<(), RenderError> {
        if self.overlay.tint.write(&self.pool, tint)? {
            // The groups hold the old buffer.
            self.bound = None;
        }
        Ok(())
    }
}
