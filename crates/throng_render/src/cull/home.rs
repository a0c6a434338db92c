//! The class of everybody, decided once a frame for all views, and slots for those who are skinned once.

use throng_gpu::compact::Compact;
use throng_gpu::{
    Buffer, Count, GROUP, GpuError, Kernel, Pass, Pool, Prepared, Program, groups_for,
};

use super::Filter;

/// Classes that have slots: all but the last.
pub(crate) const PACKED: usize = 3;

/// Kernels of it.
#[derive(Debug)]
pub(super) struct HomeKernels {
    rank: Kernel,
    assign: Kernel,
    write_skins: Kernel,
}

impl HomeKernels {
    pub(super) fn new(program: &Program) -> Result<Self, GpuError> {
        Ok(Self {
            rank: program.kernel("rank")?,
            assign: program.kernel("assign")?,
            write_skins: program.kernel("write_skins")?,
        })
    }
}

/// Where everybody of one of the cast belongs.
#[derive(Debug)]
pub(crate) struct Homes {
    work: Prepared,
    filter: Buffer,
    /// Views that see an agent, as bits.
    pub(crate) wanted: Buffer,
    /// Class in the low two bits, 1 + slot above.
    pub(crate) home: Buffer,
    /// Whom a slot belongs to, per class.
    pub(crate) lists: Vec<Buffer>,
    /// How many are near in any view, whether or not they have a slot: the first of two words.
    pub(crate) near: Buffer,
    /// Arguments of a dispatch of one workgroup per slot in use, per class.
    pub(crate) skins: Vec<Buffer>,
}

impl Homes {
    #[expect(clippy::too_many_arguments, reason = "everything it depends on")]
    pub(super) fn new(
        kernels: &HomeKernels,
        compact: &Compact,
        pool: &Pool,
        picture: wgpu::BindingResource<'_>,
        instances: &wgpu::Buffer,
        count: Count<'_>,
        count_buffer: &wgpu::Buffer,
        slots: [u32; PACKED],
    ) -> Result<Self, GpuError> {
        let most = count.at_most();
        let words = most.max(1) as usize;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let filter = pool.buffer("filter", size_of::<Filter>() as u64, uniform)?;
        let (wanted, home) =
            (pool.array::<u32>("wanted", words)?, pool.array::<u32>("home", words)?);
        let each = |label: &str, words: usize| -> Result<Vec<Buffer>, GpuError> {
            (0..PACKED).map(|_| pool.array::<u32>(label, words)).collect()
        };
        let flags = each("flags", words)?;
        let lists = each("skin list", words)?;
        let mut bindings = vec![
            (0, picture),
            (1, filter.as_entire_binding()),
            (2, instances.as_entire_binding()),
            (3, count_buffer.as_entire_binding()),
            (19, wanted.as_entire_binding()),
            (20, home.as_entire_binding()),
        ];
        bindings.extend((6..).zip(flags.iter().map(|f| f.as_entire_binding())));
        let mut work = Prepared::new();
        work.push(kernels.rank.step(&bindings, groups_for(most, GROUP))?);
        let mut skins = Vec::new();
        let near = pool.array_of("kept", &[0_u32, 0])?;
        for (class, slots) in slots.into_iter().enumerate() {
            let usage = wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::INDIRECT
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST;
            let arguments = pool.buffer("skins", 12, usage)?;
            if slots > 0 {
                let own = pool.array::<u32>("kept", 2)?;
                let kept = if class == 0 { &near } else { &own };
                let room = pool.buffer("room", 16, uniform)?;
                pool.gpu().write(&room, 0, &[class as u32, slots, 0, 0]);
                work.append(compact.bind(pool, &flags[class], None, &lists[class], kept, count)?);
                let bindings = [
                    (13, kept.as_entire_binding()),
                    (20, home.as_entire_binding()),
                    (21, lists[class].as_entire_binding()),
                    (22, room.as_entire_binding()),
                ];
                work.push(kernels.assign.step(&bindings, groups_for(slots, GROUP))?);
                let bindings = [
                    (13, kept.as_entire_binding()),
                    (17, arguments.as_entire_binding()),
                    (22, room.as_entire_binding()),
                ];
                work.push(kernels.write_skins.step(&bindings, [1, 1, 1])?);
                work.keep(own);
                work.keep(room);
            }
            skins.push(arguments);
        }
        flags.into_iter().for_each(|buffer| work.keep(buffer));
        Ok(Self { work, filter, wanted, home, lists, near, skins })
    }

    pub(crate) fn set(&self, gpu: &throng_gpu::Gpu, filter: Filter) {
        gpu.write(&self.filter, 0, &[filter]);
    }

    /// After all views have said whom they may see.
    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }
}
