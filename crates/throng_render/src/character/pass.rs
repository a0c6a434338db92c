//! Pipelines of characters.

use throng_gpu::draw::{Slot, Slots};
use throng_gpu::{Gpu, GpuError, Kernel, Library};

use super::model::SkinVertex;
use crate::cull::defs;
use crate::targets::{casting, solid};

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
            solid(&program, [vertex, fragment], &[view, &slots, light], &[SkinVertex::layout()])
        };
        let colour = [colour("body", "body_colour")?, colour("speck", "speck_colour")?];
        let depth = |vertex| casting(&program, vertex, &[view, &slots], &[SkinVertex::layout()]);
        let depth = [depth("body_depth")?, depth("speck_depth")?];
        let advance = library.program(gpu, &super::MOTION, &[])?.kernel("advance")?;
        let skin = library.program(gpu, &super::SKIN, &[])?.kernel("skin")?;
        Ok(Self { slots, colour, depth, advance, skin })
    }
}
