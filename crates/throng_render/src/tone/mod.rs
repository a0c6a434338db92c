//! Tone: from light to the picture.
//!
//! Takes the resolved light and the bloom, gives colours in the format of the target. Exposure, then
//! AgX (Sobotka 2022; the sigmoid as the polynomial of Wrensch, *Minimal AgX implementation*, 2023),
//! which keeps bright colours from turning to a flat yellow or cyan as they reach white; a little more
//! contrast and saturation; dither of half a step against bands.

use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Def, Defs, Gpu, GpuError, Library, Shader};

pub(crate) const SHADER: Shader =
    Shader { name: "tone", source: include_str!("tone.wgsl"), variants: &[PLAIN, ENCODE] };

const LEVELS: Def = Def::Number(crate::bloom::LEVELS as u32);
const PLAIN: Defs = &[("BLOOM_LEVELS", LEVELS)];
/// The target does not encode by itself.
const ENCODE: Defs = &[("BLOOM_LEVELS", LEVELS), ("ENCODE", Def::Yes)];

/// The last pass.
#[derive(Debug)]
pub(crate) struct TonePass {
    pub(crate) slots: Slots,
    pub(crate) pipeline: wgpu::RenderPipeline,
}

impl TonePass {
    pub(crate) fn new(
        gpu: &Gpu,
        library: &Library,
        format: wgpu::TextureFormat,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let flat = Slot::Texture(wgpu::TextureViewDimension::D2);
        let slots = Slots::new(gpu, "tone", &[flat, flat, Slot::Sampler])?;
        let defs = if format.is_srgb() { PLAIN } else { ENCODE };
        let pipeline = library.program(gpu, &SHADER, defs)?.raster(&Raster {
            vertex: "whole",
            fragment: Some("tone"),
            groups: &[view, &slots, light],
            buffers: &[],
            targets: &[(format, Blend::Replace)],
            depth: None,
            samples: 1,
            cull: None,
            unclipped: false,
        })?;
        Ok(Self { slots, pipeline })
    }
}
