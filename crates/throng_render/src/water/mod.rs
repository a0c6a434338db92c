//! Water: streams where the land has channels for them.
//!
//! Takes the heights of a place; gives a surface in narrow, long hollows, drawn over what lies below
//! by how deep it is.

mod find;

pub(crate) use find::Water;

use throng_gpu::draw::{Blend, Raster, Slots};
use throng_gpu::{Buffer, Gpu, GpuError, Library, Pool, Shader};

use crate::targets::{COLOUR, SAMPLES, in_front};

pub(crate) const SHADER: Shader =
    Shader { name: "water", source: include_str!("water.wgsl"), variants: &[&[]] };

/// The pipeline; its second group is empty.
pub(crate) fn pipeline(
    gpu: &Gpu,
    library: &Library,
    view: &Slots,
    nothing: &Slots,
    light: &Slots,
) -> Result<wgpu::RenderPipeline, GpuError> {
    let attributes = wgpu::vertex_attr_array![0 => Float32x4];
    library.program(gpu, &SHADER, &[])?.raster(&Raster {
        vertex: "water",
        fragment: Some("water_colour"),
        groups: &[view, nothing, light],
        buffers: &[wgpu::VertexBufferLayout {
            array_stride: 16,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        }],
        targets: &[(COLOUR, Blend::Over)],
        depth: Some(in_front(false)),
        samples: SAMPLES,
        cull: None,
        unclipped: false,
    })
}

/// The surface of a place's water.
#[derive(Debug)]
pub(crate) struct WaterBuffers {
    vertices: Buffer,
    indices: Buffer,
    count: u32,
}

impl WaterBuffers {
    /// `None` where there is no water.
    pub(crate) fn new(pool: &Pool, water: &Water) -> Result<Option<Self>, GpuError> {
        if water.indices.is_empty() {
            return Ok(None);
        }
        let copy = wgpu::BufferUsages::COPY_DST;
        let bytes = size_of_val(water.vertices.as_slice()) as u64;
        let vertices = pool.buffer("water", bytes, wgpu::BufferUsages::VERTEX | copy)?;
        pool.gpu().write(&vertices, 0, &water.vertices);
        let bytes = size_of_val(water.indices.as_slice()) as u64;
        let indices = pool.buffer("water", bytes, wgpu::BufferUsages::INDEX | copy)?;
        pool.gpu().write(&indices, 0, &water.indices);
        Ok(Some(Self { vertices, indices, count: water.indices.len() as u32 }))
    }

    pub(crate) fn draw(&self, render: &mut wgpu::RenderPass<'_>) {
        render.set_vertex_buffer(0, self.vertices.slice(..));
        render.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        render.draw_indexed(0..self.count, 0, 0..1);
    }
}
