//! Occlusion: places that see little of the sky are darker, above all where feet meet the ground.
//!
//! Takes the depth of the finished picture; multiplies the resolved light. Obscurance from depth
//! (McGuire et al., *The Alchemy screen-space ambient obscurance algorithm*, 2011), then a blur that
//! stops at edges.

use throng_gpu::draw::{Blend, Raster, Slot, Slots, Texture2};
use throng_gpu::{Gpu, GpuError, Library, Shader};

use crate::targets::{COLOUR, Target, Targets};

pub(crate) const SHADER: Shader =
    Shader { name: "occlusion", source: include_str!("occlusion.wgsl"), variants: &[&[]] };

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Both steps.
#[derive(Debug)]
pub(crate) struct OcclusionPass {
    slots: Slots,
    measure: wgpu::RenderPipeline,
    apply: wgpu::RenderPipeline,
}

/// For one size of picture.
#[derive(Debug)]
pub(crate) struct OcclusionTargets {
    pub(crate) raw: Target,
    measure: wgpu::BindGroup,
    apply: wgpu::BindGroup,
}

impl OcclusionPass {
    pub(crate) fn new(gpu: &Gpu, library: &Library, view: &Slots) -> Result<Self, GpuError> {
        let slots = Slots::new(
            gpu,
            "occlusion",
            &[Slot::DepthSamples, Slot::Texture(wgpu::TextureViewDimension::D2)],
        )?;
        let program = library.program(gpu, &SHADER, &[])?;
        let step = |fragment, target| {
            program.raster(&Raster {
                vertex: "whole",
                fragment: Some(fragment),
                groups: &[view, &slots],
                buffers: &[],
                targets: &[target],
                depth: None,
                samples: 1,
                cull: None,
                unclipped: false,
            })
        };
        let measure = step("measure", (FORMAT, Blend::Replace))?;
        let apply = step("apply", (COLOUR, Blend::Multiply))?;
        Ok(Self { slots, measure, apply })
    }

    /// `unused` stands where the first step has no texture to read.
    pub(crate) fn bind(
        &self,
        gpu: &Gpu,
        targets: &Targets,
        unused: &wgpu::TextureView,
    ) -> Result<OcclusionTargets, GpuError> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let raw = Target::new(gpu, &Texture2::new("occlusion", targets.size, FORMAT, usage))?;
        let bind = |texture| {
            self.slots.bind(&[
                wgpu::BindingResource::TextureView(&targets.depth.view),
                wgpu::BindingResource::TextureView(texture),
            ])
        };
        Ok(OcclusionTargets { measure: bind(unused)?, apply: bind(&raw.view)?, raw })
    }

    /// Group 0 is set already.
    pub(crate) fn measure(&self, targets: &OcclusionTargets, render: &mut wgpu::RenderPass<'_>) {
        render.set_pipeline(&self.measure);
        render.set_bind_group(1, &targets.measure, &[]);
        render.draw(0..3, 0..1);
    }

    /// Group 0 is set already.
    pub(crate) fn apply(&self, targets: &OcclusionTargets, render: &mut wgpu::RenderPass<'_>) {
        render.set_pipeline(&self.apply);
        render.set_bind_group(1, &targets.apply, &[]);
        render.draw(0..3, 0..1);
    }
}
