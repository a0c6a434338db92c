//! Lines over the picture, as wide as they are told in pixels.

use glam::Vec3;
use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Buffer, Def, Defs, GpuError, Library, Pool, Shader};

/// For targets that do not encode by themselves.
const PLAIN: Defs = &[("ENCODE", Def::Yes)];

pub(super) const SHADER: Shader =
    Shader { name: "strokes", source: include_str!("strokes.wgsl"), variants: &[PLAIN, &[]] };

/// A straight line in the world. `Stroke` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Stroke {
    /// Where it begins.
    pub from: Vec3,
    /// Width (pixels).
    pub width: f32,
    /// Where it ends.
    pub to: Vec3,
    /// sRGB and opacity.
    pub colour: [u8; 4],
}

/// Draws lines.
#[derive(Debug)]
pub(crate) struct StrokePass {
    slots: Slots,
    pipeline: wgpu::RenderPipeline,
    strokes: Buffer,
    count: u32,
}

impl StrokePass {
    pub(super) fn new(
        pool: &Pool,
        library: &Library,
        format: wgpu::TextureFormat,
        view: &Slots,
    ) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let slots = Slots::new(gpu, "strokes", &[Slot::Storage, Slot::DepthSamples])?;
        let defs = if format.is_srgb() { &[] } else { PLAIN };
        let pipeline = library.program(gpu, &SHADER, defs)?.raster(&Raster {
            vertex: "stroke",
            fragment: Some("stroke_colour"),
            groups: &[view, &slots],
            buffers: &[],
            targets: &[(format, Blend::Over)],
            depth: None,
            samples: 1,
            cull: None,
            unclipped: false,
        })?;
        let strokes = pool.storage("strokes", size_of::<Stroke>() as u64)?;
        Ok(Self { slots, pipeline, strokes, count: 0 })
    }

    pub(super) fn any(&self) -> bool {
        self.count > 0
    }

    pub(super) fn write(&mut self, pool: &Pool, strokes: &[Stroke]) -> Result<(), GpuError> {
        pool.grow(&mut self.strokes, size_of_val(strokes) as u64)?;
        pool.gpu().write(&self.strokes, 0, strokes);
        self.count = strokes.len() as u32;
        Ok(())
    }

    /// Draws them with the depth of the picture; group 0 is set already.
    pub(crate) fn draw(
        &self,
        depth: &wgpu::TextureView,
        render: &mut wgpu::RenderPass<'_>,
    ) -> Result<(), GpuError> {
        let group = self
            .slots
            .bind(&[self.strokes.as_entire_binding(), wgpu::BindingResource::TextureView(depth)])?;
        render.set_pipeline(&self.pipeline);
        render.set_bind_group(1, &group, &[]);
        render.draw(0..6, 0..self.count);
        Ok(())
    }
}
