//! One of the cast on the GPU.

use std::sync::Arc;

use glam::Vec4;
use throng_gpu::{Buffer, Gpu, GpuError, Pool};
use throng_world::World;

use super::cast::Member;
use super::close::CloseParts;
use super::maps::MapTextures;
use super::model::{LOOKS, Model, ZONES};
use super::pass::CharacterPass;
use super::play::Play;
use crate::cull::CLASSES;

/// How much of a group's colour cloth takes on.
const LIVERY: f32 = 0.25;

/// `Kind` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Kind {
    skin: [Vec4; LOOKS],
    cloth: [Vec4; LOOKS],
    zones: [Vec4; ZONES],
    places: [[u32; 4]; CLASSES],
    low: [f32; 3],
    joints: u32,
    size: [f32; 3],
    livery: f32,
    uv_box: [f32; 4],
}

/// A character on the GPU.
#[derive(Debug)]
pub(crate) struct Actor {
    pub(crate) model: Arc<Model>,
    /// Vertices and indices per class.
    pub(crate) meshes: Vec<(Buffer, Buffer)>,
    pub(crate) indices: [u32; CLASSES],
    /// The greatest height that any of them has (metres).
    pub(crate) tallest: f32,
    pub(crate) kind: Buffer,
    pub(crate) rows: Buffer,
    /// What it plays for which action.
    pub(crate) play: Buffer,
    pub(crate) table: Play,
    pub(crate) maps: MapTextures,
    /// What close-ups need, where there is something to displace.
    pub(crate) close: Option<CloseParts>,
}

impl Actor {
    /// `height` is the greatest that a group of them has.
    pub(crate) fn new(
        pool: &Pool,
        member: &Member,
        world: &World,
        height: f32,
    ) -> Result<Self, GpuError> {
        let model = &member.model;
        let gpu = pool.gpu();
        let copy = wgpu::BufferUsages::COPY_DST;
        let mut meshes = Vec::new();
        for level in &model.levels {
            let bytes = size_of_val(level.vertices.as_slice()) as u64;
            let vertices = pool.buffer(
                "skin vertices",
                bytes,
                wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE | copy,
            )?;
            gpu.write(&vertices, 0, &level.vertices);
            let bytes = size_of_val(level.indices.as_slice()) as u64;
            let indices = pool.buffer("skin indices", bytes, wgpu::BufferUsages::INDEX | copy)?;
            gpu.write(&indices, 0, &level.indices);
            meshes.push((vertices, indices));
        }
        let bytes = size_of::<Kind>() as u64;
        let kind = pool.buffer("kind", bytes, wgpu::BufferUsages::UNIFORM | copy)?;
        let largest = model.looks.iter().map(|look| look.size).fold(0.1, f32::max);
        let table = Play::new(&model.clips, world, &member.clips);
        Ok(Self {
            meshes,
            indices: model.levels.each_ref().map(|level| level.indices.len() as u32),
            tallest: height * largest * 1.05,
            kind,
            rows: pool.array_of("clips", &model.clips.rows)?,
            play: pool.array_of("play", &table.words)?,
            table,
            maps: MapTextures::new(gpu, &model.maps)?,
            close: CloseParts::new(pool, &model.facets, &model.maps)?,
            model: Arc::clone(model),
        })
    }

    /// Says where skinned vertices are: `places`.
    pub(crate) fn settle(&self, gpu: &Gpu, places: [[u32; 4]; CLASSES]) {
        gpu.write(&self.kind, 0, &[Kind::new(&self.model, places)]);
    }

    /// What a draw of a list takes.
    pub(crate) fn bind(
        &self,
        pass: &CharacterPass,
        shared: [&wgpu::Buffer; 4],
        own: [&wgpu::Buffer; 3],
    ) -> Result<wgpu::BindGroup, GpuError> {
        self.bind_with(pass, &self.rows, shared, own)
    }

    /// The same with something else in the place of the clips.
    pub(super) fn bind_with(
        &self,
        pass: &CharacterPass,
        fifth: &wgpu::Buffer,
        [instances, list, tables, tints]: [&wgpu::Buffer; 4],
        [played, home, skinned]: [&wgpu::Buffer; 3],
    ) -> Result<wgpu::BindGroup, GpuError> {
        let mut resources: Vec<_> = [instances, list, tables, tints, played, fifth, &self.kind]
            .map(|buffer: &wgpu::Buffer| buffer.as_entire_binding())
            .into();
        resources.extend(self.maps.resources());
        resources.extend([home.as_entire_binding(), skinned.as_entire_binding()]);
        pass.slots.bind(&resources)
    }
}

impl Kind {
    fn new(model: &Model, places: [[u32; 4]; CLASSES]) -> Self {
        let bounds = &model.bounds;
        let mut kind = Self {
            skin: [Vec4::ONE; LOOKS],
            cloth: [Vec4::ONE; LOOKS],
            zones: [Vec4::ZERO; ZONES],
            places,
            low: bounds.low.to_array(),
            joints: model.clips.joints,
            size: bounds.size.to_array(),
            livery: LIVERY,
            uv_box: [bounds.uv_low.x, bounds.uv_low.y, bounds.uv_size.x, bounds.uv_size.y],
        };
        for (i, look) in model.looks.iter().enumerate().take(LOOKS) {
            kind.skin[i] = look.skin.extend(1.0);
            kind.cloth[i] = look.cloth.extend(1.0);
        }
        for (slot, (place, joint)) in kind.zones.iter_mut().zip(&model.zones) {
            *slot = place.extend(f32::from_bits(*joint));
        }
        kind
    }
}
