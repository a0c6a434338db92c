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

use throng_gpu::draw::{Slot, Slots};
use throng_gpu::{Gpu, GpuError, Library, Module, Shader};

use crate::targets::{casting, solid};

/// Imported as `throng_render::instance`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::instance", source: include_str!("instance.wgsl") };

pub(crate) const SHADER: Shader =
    Shader { name: "crowd", source: include_str!("crowd.wgsl"), variants: &[crate::cull::DEFS] };

/// Draws bodies.
#[derive(Debug)]
pub(crate) struct CrowdPass {
    pub(crate) slots: Slots,
    /// Lit by pixels; and, where they are far, by vertices.
    pub(crate) colour: [wgpu::RenderPipeline; 2],
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
        let colour =
            |entries| solid(&program, entries, &[view, &slots, light], &[BodyVertex::layout()]);
        let colour = [colour(["body", "body_colour"])?, colour(["speck", "speck_colour"])?];
        let depth = casting(&program, "body_depth", &[view, &slots], &[BodyVertex::layout()])?;
        Ok(Self { slots, colour, depth })
    }
}
