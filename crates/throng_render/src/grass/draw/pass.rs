//! The host side of drawing grass.

use throng_gpu::draw::{Blend, Raster, Slot, Slots};
use throng_gpu::{Buffer, GpuError, Library, Pool};

use super::{DEFS, SHADER, lattices, quads};
use crate::grass::cull::GrassLists;
use crate::grass::lattice::Lattices;
use crate::grass::{atlas, sow::CROSSED};
use crate::targets::{COLOUR, SAMPLES, Target, in_front};

/// Draws grass.
#[derive(Debug)]
pub(crate) struct GrassPass {
    slots: Slots,
    /// Flat, far, with a lattice.
    pipelines: [wgpu::RenderPipeline; 3],
    indices: [Buffer; 2],
    atlas: [Target; 2],
    cut: wgpu::Sampler,
}

/// Groups of the three lists of a picture.
#[derive(Debug)]
pub(crate) struct Drawn {
    groups: [wgpu::BindGroup; 3],
}

/// What is drawn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grown<'a> {
    pub(crate) uniform: &'a Buffer,
    pub(crate) clumps: &'a Buffer,
    pub(crate) lattices: &'a Lattices,
    pub(crate) trampled: &'a wgpu::TextureView,
    pub(crate) surroundings: &'a wgpu::TextureView,
    pub(crate) smooth: &'a wgpu::Sampler,
}

impl GrassPass {
    pub(crate) fn new(
        pool: &Pool,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let array = Slot::Texture(wgpu::TextureViewDimension::D2Array);
        let slots = Slots::new(
            gpu,
            "grass",
            &[
                Slot::Uniform,
                Slot::Storage,
                Slot::Storage,
                Slot::Storage,
                Slot::Storage,
                Slot::Storage,
                Slot::Texture(wgpu::TextureViewDimension::D2),
                array,
                array,
                Slot::Texture(wgpu::TextureViewDimension::D3),
                Slot::Sampler,
                Slot::Sampler,
            ],
        )?;
        let program = library.program(gpu, &SHADER, DEFS)?;
        let pipeline = |vertex| {
            program.raster(&Raster {
                vertex,
                fragment: Some("grass_colour"),
                groups: &[view, &slots, light],
                buffers: &[],
                targets: &[(COLOUR, Blend::Coverage)],
                depth: Some(in_front(true)),
                samples: SAMPLES,
                cull: None,
                unclipped: false,
            })
        };
        let pipelines =
            [pipeline("flat_clump")?, pipeline("far_clump")?, pipeline("lattice_clump")?];
        let usage = wgpu::BufferUsages::INDEX | wgpu::BufferUsages::COPY_DST;
        let index = |label, all: Vec<u32>| -> Result<Buffer, GpuError> {
            let buffer = pool.buffer(label, size_of_val(&all[..]) as u64, usage)?;
            gpu.write(&buffer, 0, &all);
            Ok(buffer)
        };
        let indices = [index("grass quads", quads(CROSSED))?, index("grass lattices", lattices())?];
        let software = throng_gpu::is_software(gpu.info());
        let cut = gpu.device().create_sampler(&wgpu::SamplerDescriptor {
            label: Some("grass"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: if software { 1 } else { 4 },
            ..Default::default()
        });
        Ok(Self { slots, pipelines, indices, atlas: atlas::textures(gpu)?, cut })
    }

    pub(crate) fn bind(&self, lists: &GrassLists, from: Grown<'_>) -> Result<Drawn, GpuError> {
        let view = wgpu::BindingResource::TextureView;
        let group = |list: &Buffer| {
            self.slots.bind(&[
                from.uniform.as_entire_binding(),
                list.as_entire_binding(),
                from.clumps.as_entire_binding(),
                from.lattices.slots.as_entire_binding(),
                from.lattices.records.as_entire_binding(),
                from.lattices.offsets.as_entire_binding(),
                view(from.trampled),
                view(&self.atlas[0].view),
                view(&self.atlas[1].view),
                view(from.surroundings),
                wgpu::BindingResource::Sampler(&self.cut),
                wgpu::BindingResource::Sampler(from.smooth),
            ])
        };
        Ok(Drawn { groups: [group(&lists.near)?, group(&lists.far)?, group(&from.lattices.live)?] })
    }

    /// Groups 0 and 2 are set already. Gives the number of draws.
    pub(crate) fn draw(
        &self,
        drawn: &Drawn,
        lists: &GrassLists,
        render: &mut wgpu::RenderPass<'_>,
    ) -> u32 {
        for (i, (pipeline, group)) in self.pipelines.iter().zip(&drawn.groups).enumerate() {
            render.set_pipeline(pipeline);
            render.set_bind_group(1, group, &[]);
            let indices = &self.indices[usize::from(i == 2)];
            render.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            render.draw_indexed_indirect(&lists.draws, i as u64 * 20);
        }
        3
    }
}
