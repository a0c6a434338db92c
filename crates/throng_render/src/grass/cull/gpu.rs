//! The host side of culling grass.

use throng_gpu::compact::Compact;
use throng_gpu::scan::{Scan, Sums};
use throng_gpu::{
    Buffer, GROUP, Gpu, GpuError, Groups, Kernel, Library, Pass, Pool, Prepared, groups_for,
};

use super::{DEFS, DRAW, SHADER};
use crate::cull::Hiz;

/// Culls grass.
#[derive(Debug)]
pub(crate) struct GrassCull {
    look: Kernel,
    groups: Kernel,
    list: Kernel,
    draws: Kernel,
    scan: Scan,
    compact: Compact,
}

/// What a picture draws of a field.
#[derive(Debug)]
pub(crate) struct GrassLists {
    work: Prepared,
    /// Clumps near and flat, and far.
    pub(crate) near: Buffer,
    pub(crate) far: Buffer,
    /// Arguments of the draws: flat, far, with a lattice.
    pub(crate) draws: Buffer,
}

/// The field as it lies on the GPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sown<'a> {
    pub(crate) uniform: &'a Buffer,
    pub(crate) tiles: &'a Buffer,
    pub(crate) tile_count: u32,
    pub(crate) clumps: u32,
    /// How many lattices there are.
    pub(crate) live: &'a Buffer,
}

impl GrassCull {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &SHADER, DEFS)?;
        Ok(Self {
            look: program.kernel("look")?,
            groups: program.kernel("write_groups")?,
            list: program.kernel("list")?,
            draws: program.kernel("write_draws")?,
            scan: Scan::new(gpu)?,
            compact: Compact::new(gpu)?,
        })
    }

    pub(crate) fn bind(
        &self,
        pool: &Pool,
        view: wgpu::BindingResource<'_>,
        hiz: &Hiz,
        sown: Sown<'_>,
    ) -> Result<GrassLists, GpuError> {
        let n = sown.tile_count as usize;
        let each = |label| pool.array::<u32>(label, n.max(1));
        let (flat, far, flags) = (each("flat counts")?, each("far counts")?, each("seen flags")?);
        let seen = each("seen tiles")?;
        let starts = |label| pool.array::<u32>(label, n + 1);
        let (flat_starts, far_starts) = (starts("flat starts")?, starts("far starts")?);
        let kept = pool.array::<u32>("seen kept", 2)?;
        let list = |label| pool.array::<u32>(label, sown.clumps.max(1) as usize);
        let (near_list, far_list) = (list("flat grass")?, list("far grass")?);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT;
        let groups = pool.buffer("tile groups", 12, usage)?;
        let usage = usage | wgpu::BufferUsages::COPY_SRC;
        let draws = pool.buffer("grass draws", u64::from(3 * DRAW * 4), usage)?;
        let all = wgpu::Buffer::as_entire_binding;
        let uniform = || (1, sown.uniform.as_entire_binding());
        let mut work = Prepared::new();
        let bindings = [
            (0, view),
            uniform(),
            (2, sown.tiles.as_entire_binding()),
            (3, all(&flat)),
            (4, hiz.image.as_entire_binding()),
            (5, hiz.levels.as_entire_binding()),
            (6, all(&far)),
            (7, all(&flags)),
        ];
        work.push(self.look.step(&bindings, groups_for(sown.tile_count, GROUP))?);
        let count = sown.tile_count.into();
        work.append(self.scan.bind(pool, Sums::Starts, &flat, &flat_starts, count)?);
        work.append(self.scan.bind(pool, Sums::Starts, &far, &far_starts, count)?);
        work.append(self.compact.bind(pool, &flags, None, &seen, &kept, count)?);
        work.push(self.groups.step(&[(13, all(&kept)), (14, all(&groups))], [1, 1, 1])?);
        let bindings = [
            (2, sown.tiles.as_entire_binding()),
            (8, all(&flat_starts)),
            (9, all(&far_starts)),
            (10, all(&seen)),
            (11, all(&near_list)),
            (12, all(&far_list)),
        ];
        work.push(self.list.step(&bindings, Groups::Indirect(groups.raw().clone(), 0))?);
        let bindings = [
            uniform(),
            (8, all(&flat_starts)),
            (9, all(&far_starts)),
            (15, all(&draws)),
            (16, sown.live.as_entire_binding()),
        ];
        work.push(self.draws.step(&bindings, [1, 1, 1])?);
        for buffer in [flat, far, flags, seen, flat_starts, far_starts, kept, groups] {
            work.keep(buffer);
        }
        Ok(GrassLists { work, near: near_list, far: far_list, draws })
    }
}

impl GrassLists {
    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }

    /// Bytes of lists.
    pub(crate) fn bytes(&self) -> u64 {
        self.near.bytes() + self.far.bytes() + self.work.bytes()
    }

    /// Clumps drawn flat, far, and with a lattice. Waits: for tools and tests.
    pub(crate) fn drawn(&self, gpu: &Gpu) -> Result<[u32; 3], GpuError> {
        let words = gpu.read::<u32>(&self.draws, 3 * DRAW as usize)?;
        Ok([0, 1, 2].map(|i| words[i * DRAW as usize + 1]))
    }
}
