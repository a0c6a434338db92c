//! Crowd: bodies where the agents are.
//!
//! Takes the instances of a crowd and the lists of [`crate::cull`]; draws them into the picture and the
//! shadow splits, one indirect draw per class of detail. Bodies are stand-ins that walk by rule;
//! [`BodyMeshes`] is where others take their place.

mod body;
mod stand_in;
mod tables;

pub(crate) use body::BodyBuffers;
pub use body::{BodyMesh, BodyMeshes, BodyVertex, Paint, Part};
pub(crate) use tables::{Tables, linear};

use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Gpu, GpuError, Library, Module, Shader};

use crate::targets::{COLOUR, SAMPLES, in_front};

/// Imported as `throng_render::instance`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::instance", source: include_str!("instance.wgsl") };

pub(crate) const SHADER: Shader =
    Shader { name: "crowd", source: include_str!("crowd.wgsl"), variants: &[crate::cull::DEFS] };

/// Draws bodies.
#[derive(Debug)]
pub(crate) struct CrowdPass {
    pub(crate) slots: Slots,
    pub(crate) colour: wgpu::RenderPipeline,
    pub(crate) depth: wgpu::RenderPipeline,
}

impl CrowdPass {
    pub(crate) fn new(
        gpu: &Gpu,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let program = library.program(gpu, &SHADER, crate::cull::defs())?;
        let kinds = [Slot::Storage, Slot::Storage, Slot::Storage, Slot::Storage];
        let slots = Slots::new(gpu, "crowd", &kinds)?;
        let colour = program.raster(&Raster {
            vertex: "body",
            fragment: Some("body_colour"),
            groups: &[view, &slots, light],
            buffers: &[BodyVertex::layout()],
            targets: &[(COLOUR, Blend::Replace)],
            depth: Some(in_front(true)),
            samples: SAMPLES,
            cull: Some(wgpu::Face::Back),
            unclipped: false,
        })?;
        let depth = program.raster(&Raster {
            vertex: "body_depth",
            fragment: None,
            groups: &[view, &slots],
            buffers: &[BodyVertex::layout()],
            targets: &[],
            depth: Some(crate::shadow::caster()),
            samples: 1,
            cull: None,
            unclipped: false,
        })?;
        Ok(Self { slots, colour, depth })
    }
}
