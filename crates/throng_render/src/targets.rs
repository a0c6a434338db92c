//! Textures that a picture is made in, and their formats.

use throng_gpu::draw::{Blend, Depth, Raster, Slots, Texture2};
use throng_gpu::{Gpu, GpuError, Program};

/// Colour before the tone map: light without an upper end.
pub(crate) const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Depth of the picture.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples to a pixel.
pub(crate) const SAMPLES: u32 = 4;

/// What is in front of what was drawn passes: depth is 1 near and 0 at infinity.
pub(crate) fn in_front(write: bool) -> Depth {
    Depth { format: DEPTH, write, compare: wgpu::CompareFunction::Greater, bias: (0, 0.0) }
}

/// A pipeline for what is solid and seen from outside. Groups are the view's, its own and the light's.
pub(crate) fn solid(
    program: &Program,
    [vertex, fragment]: [&str; 2],
    groups: &[&Slots],
    buffers: &[wgpu::VertexBufferLayout<'_>],
) -> Result<wgpu::RenderPipeline, GpuError> {
    program.raster(&Raster {
        vertex,
        fragment: Some(fragment),
        groups,
        buffers,
        targets: &[(COLOUR, Blend::Replace)],
        depth: Some(in_front(true)),
        samples: SAMPLES,
        cull: Some(wgpu::Face::Back),
        unclipped: false,
    })
}

/// A pipeline for what casts shadows. Groups are the view's and its own.
pub(crate) fn casting(
    program: &Program,
    vertex: &str,
    groups: &[&Slots],
    buffers: &[wgpu::VertexBufferLayout<'_>],
) -> Result<wgpu::RenderPipeline, GpuError> {
    program.raster(&Raster {
        vertex,
        fragment: None,
        groups,
        buffers,
        targets: &[],
        depth: Some(crate::shadow::caster()),
        samples: 1,
        cull: None,
        unclipped: false,
    })
}

/// A texture with a view of all of it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) texture: wgpu::Texture,
    pub(crate) view: wgpu::TextureView,
}

impl Target {
    pub(crate) fn new(gpu: &Gpu, made: &Texture2<'_>) -> Result<Self, GpuError> {
        let texture = gpu.texture(made)?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Self { texture, view })
    }
}

/// Textures of one size of picture.
#[derive(Debug)]
pub(crate) struct Targets {
    pub(crate) size: [u32; 2],
    /// Several samples.
    pub(crate) colour: Target,
    pub(crate) depth: Target,
    /// One sample.
    pub(crate) resolved: Target,
}

impl Targets {
    pub(crate) fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, GpuError> {
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = wgpu::TextureUsages::TEXTURE_BINDING;
        let samples = |label, format, usage| Texture2 {
            samples: SAMPLES,
            ..Texture2::new(label, size, format, usage)
        };
        Ok(Self {
            size,
            colour: Target::new(gpu, &samples("colour", COLOUR, drawn))?,
            depth: Target::new(gpu, &samples("depth", DEPTH, drawn | read))?,
            resolved: Target::new(gpu, &Texture2::new("resolved", size, COLOUR, drawn | read))?,
        })
    }
}

/// A colour attachment; resolved into another if one is given, and then not kept.
pub(crate) fn colour<'a>(
    view: &'a wgpu::TextureView,
    resolve_target: Option<&'a wgpu::TextureView>,
    clear: bool,
) -> wgpu::RenderPassColorAttachment<'a> {
    let load = if clear { wgpu::LoadOp::Clear(wgpu::Color::BLACK) } else { wgpu::LoadOp::Load };
    let store =
        if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target,
        ops: wgpu::Operations { load, store },
    }
}

/// A depth attachment, cleared to a value or kept.
pub(crate) fn depth(
    view: &wgpu::TextureView,
    clear: Option<f32>,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: clear.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
            store: wgpu::StoreOp::Store,
        }),
        stencil_ops: None,
    }
}

/// A depth attachment that is only looked at, and may be read as a texture besides.
pub(crate) fn kept_depth(view: &wgpu::TextureView) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment { view, depth_ops: None, stencil_ops: None }
}
