//! Pipelines of characters.

use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Gpu, GpuError, Kernel, Library};

use super::model::SkinVertex;
use crate::cull::defs;
use crate::targets::{COLOUR, SAMPLES, in_front};

/// Draws characters, skinned where they are drawn.
#[derive(Debug)]
pub(crate) struct CharacterPass {
    pub(crate) slots: Slots,
    /// With maps, and of a few pixels.
    pub(crate) colour: [wgpu::RenderPipeline; 2],
    pub(crate) depth: [wgpu::RenderPipeline; 2],
    pub(crate) advance: Kernel,
    pub(crate) skin: Kernel,
}

impl CharacterPass {
    pub(crate) fn new(
        gpu: &Gpu,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let program = library.program(gpu, &super::SHADER, defs())?;
        let flat = Slot::Texture(wgpu::TextureViewDimension::D2);
        let mut kinds = vec![Slot::Storage; 6];
        kinds.extend([Slot::Uniform, flat, flat, Slot::Sampler, Slot::Storage, Slot::Storage]);
        let slots = Slots::new(gpu, "character", &kinds)?;
        let colour = |vertex, fragment| {
            program.raster(&Raster {
                vertex,
                fragment: Some(fragment),
                groups: &[view, &slots, light],
                buffers: &[SkinVertex::layout()],
                targets: &[(COLOUR, Blend::Replace)],
                depth: Some(in_front(true)),
                samples: SAMPLES,
                cull: Some(wgpu::Face::Back),
                unclipped: false,
            })
        };
        let colour = [colour("body", "body_colour")?, colour("speck", "speck_colour")?];
        let depth = |vertex| {
            program.raster(&Raster {
                vertex,
                fragment: None,
                groups: &[view, &slots],
                buffers: &[SkinVertex::layout()],
                targets: &[],
                depth: Some(crate::shadow::caster()),
                samples: 1,
                cull: None,
                unclipped: false,
            })
        };
        let depth = [depth("body_depth")?, depth("speck_depth")?];
        let advance = library.program(gpu, &super::MOTION, &[])?.kernel("advance")?;
        let skin = library.program(gpu, &super::SKIN, &[])?.kernel("skin")?;
        Ok(Self { slots, colour, depth, advance, skin })
    }
}
