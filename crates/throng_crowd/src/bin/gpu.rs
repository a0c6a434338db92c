//! The host side of the bins on the GPU.

use throng_gpu::compact::Compact;
use throng_gpu::counting::CountingSort;
use throng_gpu::sort::Sorted;
use throng_gpu::{
    Count, Def, Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, groups_for,
};

use crate::gpu::buffers::{Buffers, bind};

pub(crate) const SHADER: Shader =
    Shader { name: "bin", source: include_str!("bin.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[("STATE_READ", Def::Yes)];

/// The kernels of the stage.
#[derive(Debug)]
pub(crate) struct BinKernels {
    find_bins: Kernel,
    carry: Kernel,
    sort: CountingSort,
    compact: Compact,
}

impl BinKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &SHADER, DEFS)?;
        Ok(Self {
            find_bins: program.kernel("find_bins")?,
            carry: program.kernel("carry")?,
            sort: CountingSort::new(gpu)?,
            compact: Compact::new(gpu)?,
        })
    }

    /// Sorts the agents of one side into the other.
    pub(crate) fn bind(&self, b: &Buffers, side: usize) -> Result<Prepared, GpuError> {
        let (from, to) = (&b.sides[side], &b.sides[1 - side]);
        let groups = groups_for(b.capacity, GROUP);
        let mut work = Prepared::new();
        work.push(self.find_bins.step(
            &[
                bind(0, &b.constants),
                bind(1, &from.state),
                bind(9, &from.roster),
                bind(10, &from.enrolled),
                bind(11, &b.keys),
                bind(12, &b.alive),
            ],
            groups,
        )?);
        let count = Count::InBuffer { buffer: &from.enrolled, word: 0, at_most: b.capacity };
        let sorted = Sorted { keys: &b.sorted_keys, payload: &b.order };
        work.append(self.sort.bind(&b.pool, &b.keys, None, sorted, b.bins, &b.starts, count)?);
        work.push(self.carry.step(
            &[
                bind(0, &b.constants),
                bind(1, &from.state),
                bind(3, &b.starts),
                bind(9, &from.roster),
                bind(13, &b.order),
                bind(14, &to.state),
                bind(15, &b.places),
            ],
            groups,
        )?);
        work.append(self.compact.bind(
            &b.pool,
            &b.alive,
            Some(&b.places),
            &to.roster,
            &to.enrolled,
            count,
        )?);
        Ok(work)
    }
}
