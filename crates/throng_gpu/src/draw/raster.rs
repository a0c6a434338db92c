//! Render pipelines.

use super::Slots;
use crate::{GpuError, Program};

/// How a fragment meets what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// It replaces it.
    Replace,
    /// Over it, its colour already times its alpha.
    Over,
    /// Added to it.
    Add,
    /// Times it; alpha stays.
    Multiply,
    /// It replaces the colour in as many samples as its alpha says; alpha stays.
    Coverage,
}

/// What is done with depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// Format of the attachment.
    pub format: wgpu::TextureFormat,
    /// Whether it is written.
    pub write: bool,
    /// What passes.
    pub compare: wgpu::CompareFunction,
    /// Pushes surfaces away from the light, by a constant and by their slope.
    pub bias: (i32, f32),
}

/// What a render pipeline is made from besides its shader.
#[derive(Clone, Debug)]
pub struct Raster<'a> {
    /// Entry point of the vertex stage.
    pub vertex: &'a str,
    /// Entry point of the fragment stage; none where only depth is drawn.
    pub fragment: Option<&'a str>,
    /// Bind groups, in their order.
    pub groups: &'a [&'a Slots],
    /// Vertex buffers, in their order.
    pub buffers: &'a [wgpu::VertexBufferLayout<'a>],
    /// Formats of the colour attachments, and how each is blended.
    pub targets: &'a [(wgpu::TextureFormat, Blend)],
    /// Depth, if there is any.
    pub depth: Option<Depth>,
    /// Samples to a pixel.
    pub samples: u32,
    /// Which faces are left out.
    pub cull: Option<wgpu::Face>,
    /// Keeps what lies before the near plane, as if it lay on it. Needs
    /// `wgpu::Features::DEPTH_CLIP_CONTROL`.
    pub unclipped: bool,
}

impl Program {
    /// A render pipeline of this shader.
    ///
    /// # Errors
    /// No such entry point, groups that do not fit it, or the driver does not take it.
    pub fn raster(&self, raster: &Raster<'_>) -> Result<wgpu::RenderPipeline, GpuError> {
        let label = format!("{} {}", self.label, raster.fragment.unwrap_or(raster.vertex));
        let groups: Vec<_> = raster.groups.iter().map(|slots| Some(slots.layout())).collect();
        let buffers: Vec<_> = raster.buffers.iter().cloned().map(Some).collect();
        let targets: Vec<_> =
            raster.targets.iter().map(|&target| Some(target_of(target))).collect();
        let device = self.gpu.device();
        self.gpu.scoped(&label, || {
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(&label),
                bind_group_layouts: &groups,
                immediate_size: 0,
            });
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &self.module,
                    entry_point: Some(raster.vertex),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &buffers,
                },
                primitive: wgpu::PrimitiveState {
                    cull_mode: raster.cull,
                    unclipped_depth: raster.unclipped,
                    ..Default::default()
                },
                depth_stencil: raster.depth.map(depth_of),
                multisample: wgpu::MultisampleState {
                    count: raster.samples,
                    alpha_to_coverage_enabled: raster
                        .targets
                        .iter()
                        .any(|(_, blend)| *blend == Blend::Coverage),
                    ..Default::default()
                },
                fragment: raster.fragment.map(|entry| wgpu::FragmentState {
                    module: &self.module,
                    entry_point: Some(entry),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &targets,
                }),
                multiview_mask: None,
                cache: self.gpu.cache(),
            })
        })
    }
}

fn target_of((format, blend): (wgpu::TextureFormat, Blend)) -> wgpu::ColorTargetState {
    let write_mask = match blend {
        Blend::Coverage => wgpu::ColorWrites::COLOR,
        _ => wgpu::ColorWrites::ALL,
    };
    let one = wgpu::BlendFactor::One;
    let add = |dst_factor| wgpu::BlendComponent {
        src_factor: one,
        dst_factor,
        operation: wgpu::BlendOperation::Add,
    };
    let both = |component| Some(wgpu::BlendState { color: component, alpha: component });
    let blend = match blend {
        Blend::Replace | Blend::Coverage => None,
        Blend::Over => both(add(wgpu::BlendFactor::OneMinusSrcAlpha)),
        Blend::Add => both(add(one)),
        Blend::Multiply => Some(wgpu::BlendState {
            color: wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::Zero,
                dst_factor: wgpu::BlendFactor::Src,
                operation: wgpu::BlendOperation::Add,
            },
            alpha: wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::Zero,
                dst_factor: one,
                operation: wgpu::BlendOperation::Add,
            },
        }),
    };
    wgpu::ColorTargetState { format, blend, write_mask }
}

fn depth_of(depth: Depth) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: depth.format,
        depth_write_enabled: Some(depth.write),
        depth_compare: Some(depth.compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState {
            constant: depth.bias.0,
            slope_scale: depth.bias.1,
            clamp: 0.0,
        },
    }
}
