//! The host side of the terrain.

use glam::{Vec2, Vec3, Vec4};
use throng_gpu::draw::{Blend, Depth, Raster, Slot, Slots};
use throng_gpu::{Buffer, Gpu, GpuError, Library, Pool};
use throng_world::World;

use super::ground::Ground;
use super::materials::{LAYERS, materials};
use super::plainness::{Plainness, VARIANTS, indices};
use super::{ANISOTROPIC, DEFS, Patch, PatchList, SHADER, quadtree, textures};
use crate::targets::{COLOUR, DEPTH, SAMPLES, Target, Targets, casting, in_front};

/// `GroundUniform` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct GroundUniform {
    root: Vec2,
    cell: f32,
    band: f32,
    near_min: Vec2,
    near_max: Vec2,
    far_cell: f32,
    morph_from: f32,
    morph_to: f32,
    wild: f32,
    near_size: Vec2,
    far_size: Vec2,
    flat_colour: Vec4,
    sharpen: f32,
    /// 1 where grass is trodden down, else 0.
    trodden: f32,
    /// Of the map of that, per metre.
    trample_scale: Vec2,
    means: [Vec4; LAYERS],
}

/// Draws terrain.
#[derive(Debug)]
pub(crate) struct TerrainPass {
    slots: Slots,
    depths: Slots,
    /// Shades what is seen.
    colour: wgpu::RenderPipeline,
    /// Depth in the picture.
    seen: wgpu::RenderPipeline,
    /// Depth in a split.
    cast: wgpu::RenderPipeline,
    indices: Buffer,
    /// Those of each variant.
    variants: [std::ops::Range<u32>; VARIANTS],
    materials: [Target; 2],
    means: [Vec4; LAYERS],
    tiled: wgpu::Sampler,
    clamped: wgpu::Sampler,
}

/// The ground of one world on the GPU.
#[derive(Debug)]
pub(crate) struct TerrainPlace {
    pub(crate) ground: Ground,
    pub(crate) plainness: Plainness,
    pub(crate) masks: textures::Masks,
    trample_scale: Option<Vec2>,
    uniform: Buffer,
    group: wgpu::BindGroup,
    /// Kept for the group, and the masks to be written anew.
    _textures: [Target; 5],
    patches: Buffer,
}

impl TerrainPass {
    pub(crate) fn new(
        pool: &Pool,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let flat = Slot::Texture(wgpu::TextureViewDimension::D2);
        let layers = Slot::Texture(wgpu::TextureViewDimension::D2Array);
        let slots = Slots::new(
            gpu,
            "terrain",
            &[
                Slot::Uniform,
                Slot::Texels,
                Slot::Texels,
                flat,
                flat,
                flat,
                layers,
                layers,
                Slot::Sampler,
                Slot::Sampler,
                flat,
            ],
        )?;
        let depths = Slots::new(gpu, "ground depth", &[Slot::DepthSamples])?;
        let defs = if software(gpu) { DEFS } else { ANISOTROPIC };
        let program = library.program(gpu, &SHADER, defs)?;
        let patches = patch_layout(&PATCH_ATTRIBUTES);
        let colour = program.raster(&Raster {
            vertex: "whole",
            fragment: Some("ground_colour"),
            groups: &[view, &slots, light, &depths],
            buffers: &[],
            targets: &[(COLOUR, Blend::Replace)],
            // Samples that no ground covers stay as they are.
            depth: Some(Depth {
                format: DEPTH,
                write: false,
                compare: wgpu::CompareFunction::Less,
                bias: (0, 0.0),
            }),
            samples: SAMPLES,
            cull: None,
            unclipped: false,
        })?;
        // The entry point of the drape, so that depths are the same to the bit.
        let seen = program.raster(&Raster {
            vertex: "terrain",
            fragment: None,
            groups: &[view, &slots],
            buffers: std::slice::from_ref(&patches),
            targets: &[],
            depth: Some(in_front(true)),
            samples: SAMPLES,
            cull: Some(wgpu::Face::Back),
            unclipped: false,
        })?;
        let cast =
            casting(&program, "terrain_depth", &[view, &slots], std::slice::from_ref(&patches))?;
        let usage = wgpu::BufferUsages::INDEX | wgpu::BufferUsages::COPY_DST;
        let (triangles, variants) = indices();
        let indices = pool.buffer("patch indices", size_of_val(&triangles[..]) as u64, usage)?;
        gpu.write(&indices, 0, &triangles);
        let all = materials();
        let sampler = |mode, anisotropy_clamp| {
            gpu.device().create_sampler(&wgpu::SamplerDescriptor {
                label: Some("ground"),
                address_mode_u: mode,
                address_mode_v: mode,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp,
                ..Default::default()
            })
        };
        Ok(Self {
            slots,
            depths,
            colour,
            seen,
            cast,
            indices,
            variants,
            materials: textures::materials(gpu, &all)?,
            means: std::array::from_fn(|i| all[i].mean.max(Vec3::splat(0.01)).extend(1.0)),
            // In software one anisotropic sample costs as much as the rest of the picture.
            tiled: sampler(wgpu::AddressMode::Repeat, if software(gpu) { 1 } else { 8 }),
            clamped: sampler(wgpu::AddressMode::ClampToEdge, 1),
        })
    }

    /// Group 3 of the shading: the depth it shades by.
    pub(crate) fn bind(&self, targets: &Targets) -> Result<wgpu::BindGroup, GpuError> {
        self.depths.bind(&[wgpu::BindingResource::TextureView(&targets.depth.view)])
    }

    /// What group 1 holds.
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Brings the ground of a world up.
    pub(crate) fn place(
        &self,
        pool: &Pool,
        world: &World,
        ground: Ground,
        damp: impl Fn(Vec2) -> f32 + Sync,
        trampled: Option<(&wgpu::TextureView, Vec2)>,
    ) -> Result<TerrainPlace, GpuError> {
        let gpu = pool.gpu();
        let copy = wgpu::BufferUsages::COPY_DST;
        let bytes = size_of::<GroundUniform>() as u64;
        let uniform = pool.buffer("ground", bytes, wgpu::BufferUsages::UNIFORM | copy)?;
        let near = textures::heights(gpu, &ground.near)?;
        let far = textures::heights(gpu, &ground.far)?;
        let near_slopes = textures::slopes(gpu, &ground.near, 5.0)?;
        let far_slopes = textures::slopes(gpu, &ground.far, 60.0)?;
        let (mask, masks) = textures::masks(gpu, world, damp)?;
        let textures = [near, far, near_slopes, far_slopes, mask];
        let view = wgpu::BindingResource::TextureView;
        let group = self.slots.bind(&[
            uniform.as_entire_binding(),
            view(&textures[0].view),
            view(&textures[1].view),
            view(&textures[2].view),
            view(&textures[3].view),
            view(&textures[4].view),
            view(&self.materials[0].view),
            view(&self.materials[1].view),
            wgpu::BindingResource::Sampler(&self.tiled),
            wgpu::BindingResource::Sampler(&self.clamped),
            // Any texture will do where nothing is trodden down.
            view(trampled.map_or(&textures[2].view, |(view, _)| view)),
        ])?;
        let patches = pool.buffer("patches", 1 << 16, wgpu::BufferUsages::VERTEX | copy)?;
        Ok(TerrainPlace {
            ground,
            plainness: Plainness::default(),
            masks,
            trample_scale: trampled.map(|(_, extent)| extent.recip()),
            uniform,
            group,
            _textures: textures,
            patches,
        })
    }
}

/// A patch as vertex shaders take it.
pub(crate) const PATCH_ATTRIBUTES: [wgpu::VertexAttribute; 1] =
    wgpu::vertex_attr_array![0 => Uint32x4];

pub(crate) fn patch_layout(attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<Patch>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}

impl TerrainPlace {
    /// Writes the uniform; a colour with alpha 1 covers all others, for tests.
    pub(crate) fn paint(&self, gpu: &Gpu, pass: &TerrainPass, flat_colour: Vec4) {
        let g = &self.ground;
        let uniform = GroundUniform {
            root: g.root,
            cell: g.near.cell,
            band: g.band,
            near_min: g.min,
            near_max: g.max,
            far_cell: g.far.cell,
            morph_from: quadtree::MORPH[0],
            morph_to: quadtree::MORPH[1],
            wild: f32::from(u8::from(g.wild)),
            near_size: g.near.size.as_vec2(),
            far_size: g.far.size.as_vec2(),
            flat_colour,
            sharpen: if software(gpu) { -0.8 } else { 0.0 },
            trodden: f32::from(u8::from(self.trample_scale.is_some())),
            trample_scale: self.trample_scale.unwrap_or(Vec2::ZERO),
            means: pass.means,
        };
        gpu.write(&self.uniform, 0, &[uniform]);
    }

    /// Brings the patches of all views up.
    pub(crate) fn write(&mut self, pool: &Pool, patches: &[Patch]) -> Result<(), GpuError> {
        pool.grow(&mut self.patches, size_of_val(patches) as u64)?;
        pool.gpu().write(&self.patches, 0, patches);
        Ok(())
    }

    /// Draws the depth of patches, of the picture or of a split. Group 0 is set already. Gives the number of draws.
    pub(crate) fn draw(
        &self,
        pass: &TerrainPass,
        render: &mut wgpu::RenderPass<'_>,
        patches: &PatchList,
        picture: bool,
    ) -> u32 {
        let pipeline = if picture { &pass.seen } else { &pass.cast };
        self.draw_with(pipeline, pass, render, patches)
    }

    /// Shades what is seen of the ground, by its depths. Groups 0 and 2 are set already.
    pub(crate) fn shade(
        &self,
        pass: &TerrainPass,
        depths: &wgpu::BindGroup,
        render: &mut wgpu::RenderPass<'_>,
    ) {
        render.set_pipeline(&pass.colour);
        render.set_bind_group(1, &self.group, &[]);
        render.set_bind_group(3, depths, &[]);
        render.draw(0..3, 0..1);
    }

    /// Draws patches by another pipeline.
    pub(crate) fn draw_with(
        &self,
        pipeline: &wgpu::RenderPipeline,
        pass: &TerrainPass,
        render: &mut wgpu::RenderPass<'_>,
        patches: &PatchList,
    ) -> u32 {
        render.set_pipeline(pipeline);
        render.set_bind_group(1, &self.group, &[]);
        // By offset rather than by first instance, which is the same on every backend.
        let stride = size_of::<Patch>() as u64;
        render.set_index_buffer(pass.indices.slice(..), wgpu::IndexFormat::Uint32);
        let mut draws = 0;
        for (variant, range) in patches.by_variant() {
            render.set_vertex_buffer(0, self.patches.slice(u64::from(range.start) * stride..));
            render.draw_indexed(pass.variants[variant].clone(), 0, 0..range.len() as u32);
            draws += 1;
        }
        draws
    }
}

fn software(gpu: &Gpu) -> bool {
    gpu.info().device_type == wgpu::DeviceType::Cpu
}
