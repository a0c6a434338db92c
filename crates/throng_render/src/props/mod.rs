//! Props: everything that stands still. Rocks and trees, walls and houses: meshes with many places
//! each.
//!
//! Takes [`Mesh`]es with their [`PropInstance`]s; cuts the meshes in clusters of [`CLUSTER`] triangles,
//! culls those per view and draws what is left with one draw per view, two in the picture, whatever the number of meshes:
//! vertices are fetched by the shader.

mod buffers;
mod mesh;
mod simplify;
mod walls;

pub(crate) use buffers::PropBuffers;
pub use mesh::{Mesh, PropInstance, Surface};
pub(crate) use walls::{houses, walls};

use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Def, Defs, Gpu, GpuError, Library, Shader};

use crate::targets::{COLOUR, SAMPLES, casting, in_front};

/// Triangles of a cluster.
pub(crate) const CLUSTER: u32 = 48;

/// A bit beside the number of a cluster's triangles: it is lit by vertices.
pub(crate) const BY_VERTICES: u32 = 1 << 31;

const DEFS: Defs = &[("CLUSTER", Def::Number(CLUSTER)), ("BY_VERTICES", Def::Number(BY_VERTICES))];

pub(crate) const SHADER: Shader =
    Shader { name: "props", source: include_str!("props.wgsl"), variants: &[DEFS] };

/// Draws props.
#[derive(Debug)]
pub(crate) struct PropPass {
    pub(crate) slots: Slots,
    /// For the lists of the picture: lit by pixels, and by vertices.
    pub(crate) colour: [wgpu::RenderPipeline; 2],
    pub(crate) depth: wgpu::RenderPipeline,
}

impl PropPass {
    pub(crate) fn new(
        gpu: &Gpu,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let program = library.program(gpu, &SHADER, DEFS)?;
        let slots = Slots::new(gpu, "props", &[Slot::Storage; 6])?;
        let colour = |vertex, fragment| {
            program.raster(&Raster {
                vertex,
                fragment: Some(fragment),
                groups: &[view, &slots, light],
                buffers: &[],
                targets: &[(COLOUR, Blend::Replace)],
                depth: Some(in_front(true)),
                samples: SAMPLES,
                cull: None,
                unclipped: false,
            })
        };
        let colour = [colour("prop", "prop_colour")?, colour("far_prop", "far_prop_colour")?];
        let depth = casting(&program, "prop_depth", &[view, &slots], &[])?;
        Ok(Self { slots, colour, depth })
    }

    /// The group of a view's list.
    pub(crate) fn bind(
        &self,
        buffers: &PropBuffers,
        list: &wgpu::Buffer,
    ) -> Result<wgpu::BindGroup, GpuError> {
        self.slots.bind(&[
            list.as_entire_binding(),
            buffers.pairs.as_entire_binding(),
            buffers.instances.as_entire_binding(),
            buffers.clusters.as_entire_binding(),
            buffers.indices.as_entire_binding(),
            buffers.vertices.as_entire_binding(),
        ])
    }
}
