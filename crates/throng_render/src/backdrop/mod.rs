//! Backdrop: the sky where nothing else is.
//!
//! Takes the view and the light; draws into the picture, behind all that has depth.

use throng_gpu::draw::{Blend, Depth, Raster, Slots};
use throng_gpu::{Gpu, GpuError, Library, Shader};

use crate::targets::{COLOUR, DEPTH, SAMPLES};

pub(crate) const SHADER: Shader =
    Shader { name: "backdrop", source: include_str!("backdrop.wgsl"), variants: &[&[]] };

/// The pipeline; its second group is empty.
pub(crate) fn pipeline(
    gpu: &Gpu,
    library: &Library,
    view: &Slots,
    nothing: &Slots,
    light: &Slots,
) -> Result<wgpu::RenderPipeline, GpuError> {
    library.program(gpu, &SHADER, &[])?.raster(&Raster {
        vertex: "backdrop",
        fragment: Some("backdrop_colour"),
        groups: &[view, nothing, light],
        buffers: &[],
        targets: &[(COLOUR, Blend::Replace)],
        depth: Some(Depth {
            format: DEPTH,
            write: false,
            compare: wgpu::CompareFunction::GreaterEqual,
            bias: (0, 0.0),
        }),
        samples: SAMPLES,
        cull: None,
        unclipped: false,
    })
}
