//! The host side of the trample map.

use glam::{UVec2, Vec2};
use throng_gpu::compact::Compact;
use throng_gpu::draw::Texture2;
use throng_gpu::{
    Buffer, GROUP, Gpu, GpuError, Groups, Kernel, Library, Pass, Pool, Prepared, groups_for,
};

use super::{BLOCK, DEFS, MOST, SHADER, TEXEL};
use crate::targets::Target;

/// Kernels of the map.
#[derive(Debug)]
pub(crate) struct TrampleKernels {
    splat: Kernel,
    find: Kernel,
    arguments: Kernel,
    merge: Kernel,
    compact: Compact,
}

/// The map of a place.
#[derive(Debug)]
pub(crate) struct TrampleMap {
    pub(crate) origin: Vec2,
    pub(crate) cell: f32,
    pub(crate) size: UVec2,
    pub(crate) blocks: UVec2,
    pub(crate) texture: Target,
    prints: Buffer,
    touched: Buffer,
    state: Buffer,
}

/// Prints of one source of agents.
#[derive(Debug)]
pub(crate) struct Crowded {
    work: Prepared,
    tracks: Buffer,
    pub(crate) mask: u32,
    kept: Buffer,
}

/// Bytes of what is known of an agent.
const TRACK: usize = 16;

impl TrampleKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &SHADER, DEFS)?;
        Ok(Self {
            splat: program.kernel("splat")?,
            find: program.kernel("find_active")?,
            arguments: program.kernel("write_arguments")?,
            merge: program.kernel("merge")?,
            compact: Compact::new(gpu)?,
        })
    }

    /// The work of a step with these agents.
    pub(crate) fn bind(
        &self,
        pool: &Pool,
        uniform: &Buffer,
        (map, heroes): (&TrampleMap, &Buffer),
        (instances, count, at_most): (&wgpu::Buffer, &wgpu::Buffer, u32),
    ) -> Result<Crowded, GpuError> {
        let slots = (at_most.max(1) as usize * 2).next_power_of_two();
        let tracks = pool.storage("tracks", (slots * TRACK) as u64)?;
        pool.gpu().write(&tracks, 0, &vec![0_u8; slots * TRACK]);
        let blocks = map.blocks.x * map.blocks.y;
        let flags = pool.array::<u32>("active blocks", blocks as usize)?;
        let list = pool.array::<u32>("active list", blocks as usize)?;
        let kept = pool.array::<u32>("active kept", 2)?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT;
        let arguments = pool.buffer("merge arguments", 12, usage)?;
        let all = wgpu::Buffer::as_entire_binding;
        let mut work = Prepared::new();
        let bindings = [
            (0, uniform.as_entire_binding()),
            (1, all(instances)),
            (2, all(count)),
            (3, all(&tracks)),
            (4, all(&map.prints)),
            (5, all(&map.touched)),
            (12, heroes.as_entire_binding()),
        ];
        let each = at_most.max(super::super::hero::MOST as u32);
        work.push(self.splat.step(&bindings, groups_for(each, GROUP))?);
        let bindings = [(0, uniform.as_entire_binding()), (5, all(&map.touched)), (7, all(&flags))];
        work.push(self.find.step(&bindings, groups_for(blocks, GROUP))?);
        work.append(self.compact.bind(pool, &flags, None, &list, &kept, blocks.into())?);
        work.push(self.arguments.step(&[(10, all(&kept)), (11, all(&arguments))], [1, 1, 1])?);
        let bindings = [
            (0, uniform.as_entire_binding()),
            (4, all(&map.prints)),
            (6, all(&map.state)),
            (8, all(&list)),
            (9, wgpu::BindingResource::TextureView(&map.texture.view)),
        ];
        work.push(self.merge.step(&bindings, Groups::Indirect(arguments.raw().clone(), 0))?);
        [flags, list, arguments].into_iter().for_each(|buffer| work.keep(buffer));
        Ok(Crowded { work, tracks, mask: slots as u32 - 1, kept })
    }
}

impl TrampleMap {
    /// A map in which nobody has gone yet.
    pub(crate) fn new(pool: &Pool, min: Vec2, extent: Vec2) -> Result<Self, GpuError> {
        let mut cell = TEXEL;
        while extent.max_element() / cell > MOST as f32 {
            cell *= 2.0;
        }
        let size = (extent / cell).ceil().max(Vec2::ONE).as_uvec2();
        let blocks = UVec2::new(size.x.div_ceil(BLOCK), size.y.div_ceil(BLOCK));
        let usage = wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::COPY_SRC
            | wgpu::TextureUsages::COPY_DST;
        let format = wgpu::TextureFormat::Rgba16Float;
        let made = Texture2::new("trample map", size.to_array(), format, usage);
        let texels = (size.x * size.y) as usize;
        let map = Self {
            origin: min,
            cell,
            size,
            blocks,
            texture: Target::new(pool.gpu(), &made)?,
            prints: pool.array::<u32>("prints", texels)?,
            touched: pool.array::<u32>("touched", (blocks.x * blocks.y) as usize)?,
            state: pool.array::<[u32; 2]>("trodden", texels)?,
        };
        map.clear(pool.gpu());
        Ok(map)
    }

    /// As if nobody had ever gone there.
    pub(crate) fn clear(&self, gpu: &Gpu) {
        let mut encoder = gpu.encoder("untrodden");
        for buffer in [&self.prints, &self.touched, &self.state] {
            encoder.clear_buffer(buffer.raw(), 0, None);
        }
        let row = self.size.x as usize * 8;
        let bytes = vec![0_u8; row * self.size.y as usize];
        let _ = gpu.write_texture(&self.texture.texture, (0, 0), &bytes);
        gpu.submit(encoder);
    }

    /// Metres across and up.
    pub(crate) fn extent(&self) -> Vec2 {
        self.size.as_vec2() * self.cell
    }

    /// Bytes of all of it.
    pub(crate) fn bytes(&self) -> u64 {
        let texels = u64::from(self.size.x * self.size.y);
        texels * 20 + self.touched.bytes()
    }

    /// Direction times strength, strength and wear of every texel. Waits: for tools and tests.
    pub(crate) fn read(&self, gpu: &Gpu) -> Result<Vec<[f32; 4]>, GpuError> {
        let bytes = gpu.read_texture(&self.texture.texture)?.bytes;
        let half = |b: &[u8]| half::f16::from_le_bytes([b[0], b[1]]).to_f32();
        Ok(bytes
            .chunks_exact(8)
            .map(|t| [half(t), half(&t[2..]), half(&t[4..]), half(&t[6..])])
            .collect())
    }
}

impl Crowded {
    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }

    /// Forgets where everybody was.
    pub(crate) fn forget(&self, gpu: &Gpu) {
        let mut encoder = gpu.encoder("forget");
        encoder.clear_buffer(self.tracks.raw(), 0, None);
        gpu.submit(encoder);
    }

    /// Blocks that were looked at in the last step. Waits: for tools and tests.
    pub(crate) fn active(&self, gpu: &Gpu) -> Result<u32, GpuError> {
        Ok(gpu.read::<u32>(&self.kept, 1)?[0])
    }
}
