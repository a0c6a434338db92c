//! Numbers on the ground: a grid as colours, with contours or cells, over the patches of the terrain.

use glam::{Vec2, Vec4};
use throng_field::Grid;
use throng_gpu::draw::{Blend, Depth, Raster, Slot, Slots, Texture2};
use throng_gpu::{Buffer, Gpu, GpuError, Library, Pool, Shader};

use crate::crowd::linear;
use crate::targets::{COLOUR, DEPTH, SAMPLES, Target};
use crate::terrain::{self, TerrainPass};

/// The terrain's own shader with one more way to colour it: vertices must come out bit by bit the same.
pub(super) const SHADER: Shader = Shader {
    name: "drape",
    source: concat!(include_str!("../terrain/terrain.wgsl"), include_str!("drape.wgsl")),
    variants: &[terrain::DEFS],
};

/// Colours of a ramp.
pub const RAMP: usize = 5;

/// Stands for cells without a number; WGSL knows it by being below half of it.
const NONE: f32 = -1e30;

/// A grid to be seen on the ground.
#[derive(Clone, Copy, Debug)]
pub struct Drape<'a> {
    /// The numbers; cells that are not finite stay bare.
    pub values: &'a Grid<f32>,
    /// Numbers of the first and the last colour.
    pub range: [f32; 2],
    /// Colours, evenly over the range: sRGB and opacity.
    pub ramp: [[u8; 4]; RAMP],
    /// Lines of equal value, so far apart; 0: none.
    pub contour: f32,
    /// Each cell in one colour and with a border, instead of a smooth surface.
    pub cells: bool,
}

/// `Drape` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct DrapeUniform {
    origin: Vec2,
    cell: f32,
    gain: f32,
    size: Vec2,
    low: f32,
    high: f32,
    contour: f32,
    cells: f32,
    unused: Vec2,
    ramp: [Vec4; RAMP],
}

/// Draws drapes.
#[derive(Debug)]
pub(super) struct DrapePass {
    slots: Slots,
    pub(super) pipeline: wgpu::RenderPipeline,
}

/// A grid on the GPU.
#[derive(Debug)]
pub(super) struct Draped {
    uniform: Buffer,
    values: Target,
    pub(super) group: wgpu::BindGroup,
}

impl DrapePass {
    pub(super) fn new(
        gpu: &Gpu,
        library: &Library,
        view: &Slots,
        terrain: &TerrainPass,
    ) -> Result<Self, GpuError> {
        let slots = Slots::new(gpu, "drape", &[Slot::Uniform, Slot::Texels])?;
        let attributes = terrain::PATCH_ATTRIBUTES;
        let pipeline = library.program(gpu, &SHADER, terrain::DEFS)?.raster(&Raster {
            vertex: "terrain",
            fragment: Some("drape_colour"),
            groups: &[view, terrain.slots(), &slots],
            buffers: &[terrain::patch_layout(&attributes)],
            targets: &[(COLOUR, Blend::Over)],
            depth: Some(Depth {
                format: DEPTH,
                write: false,
                compare: wgpu::CompareFunction::GreaterEqual,
                bias: (0, 0.0),
            }),
            samples: SAMPLES,
            cull: Some(wgpu::Face::Back),
            unclipped: false,
        })?;
        Ok(Self { slots, pipeline })
    }

    /// Brings a grid up, into the textures of the last one where they fit.
    pub(super) fn lay(
        &self,
        pool: &Pool,
        old: Option<Draped>,
        drape: &Drape<'_>,
        gain: f32,
    ) -> Result<Draped, GpuError> {
        let gpu = pool.gpu();
        let grid = drape.values;
        let size = [grid.width() as u32, grid.height() as u32];
        let fits = |d: &Draped| [d.values.texture.width(), d.values.texture.height()] == size;
        let draped = match old.filter(fits) {
            Some(draped) => draped,
            None => self.make(pool, size)?,
        };
        let number = |v: &f32| if v.is_finite() { *v } else { NONE };
        let numbers: Vec<f32> = grid.as_slice().iter().map(number).collect();
        gpu.write_texture(&draped.values.texture, (0, 0), bytemuck::cast_slice(&numbers))?;
        let colour = |[r, g, b, a]: [u8; 4]| linear([r, g, b]).extend(f32::from(a) / 255.0);
        let uniform = DrapeUniform {
            origin: grid.origin(),
            cell: grid.cell_size(),
            gain,
            size: Vec2::new(grid.width() as f32, grid.height() as f32),
            low: drape.range[0],
            high: drape.range[1].max(drape.range[0] + 1e-6),
            contour: drape.contour.max(0.0),
            cells: f32::from(u8::from(drape.cells)),
            unused: Vec2::ZERO,
            ramp: drape.ramp.map(colour),
        };
        gpu.write(&draped.uniform, 0, &[uniform]);
        Ok(draped)
    }

    fn make(&self, pool: &Pool, size: [u32; 2]) -> Result<Draped, GpuError> {
        let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let format = wgpu::TextureFormat::R32Float;
        let values = Target::new(pool.gpu(), &Texture2::new("drape", size, format, usage))?;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniform = pool.buffer("drape", size_of::<DrapeUniform>() as u64, usage)?;
        let group = self.slots.bind(&[
            uniform.as_entire_binding(),
            wgpu::BindingResource::TextureView(&values.view),
        ])?;
        Ok(Draped { uniform, values, group })
    }
}
