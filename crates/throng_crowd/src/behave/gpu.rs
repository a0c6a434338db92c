//! The host side of behaviour on the GPU.

use throng_gpu::counting::CountingSort;
use throng_gpu::sort::Sorted;
use throng_gpu::{
    Count, Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, groups_for,
};

use super::cpu::{AT_TARGET, INSIDERS, MOST_COUNTED};
use super::draw::{SECOND, TRIES};
use crate::crowd::Crowd;
use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::{Named, wide};

pub(crate) const SHADER: Shader =
    Shader { name: "behave", source: include_str!("behave.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[];

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    let mut named: Named = vec![
        ("AT_TARGET", AT_TARGET.into()),
        ("INSIDERS", INSIDERS.into()),
        ("MOST_COUNTED", (MOST_COUNTED as u32).into()),
        ("TRIES", TRIES.into()),
    ];
    named.extend(wide("SECOND_LOW", "SECOND_HIGH", SECOND));
    named
}

/// The kernels of the stage.
#[derive(Debug)]
pub(crate) struct BehaveKernels {
    behave: Kernel,
    admit: Kernel,
    settle: Kernel,
    sort: CountingSort,
}

impl BehaveKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &SHADER, DEFS)?;
        Ok(Self {
            behave: program.kernel("behave")?,
            admit: program.kernel("admit")?,
            settle: program.kernel("settle")?,
            sort: CountingSort::new(gpu)?,
        })
    }

    /// Lets everybody act, and admits people to places with a capacity where there are any.
    pub(crate) fn bind(
        &self,
        b: &Buffers,
        side: usize,
        crowd: &Crowd,
    ) -> Result<Prepared, GpuError> {
        let state = &b.sides[side].state;
        let per_agent = groups_for(b.capacity, GROUP);
        let mut work = Prepared::new();
        // The memory of the sort by bin is free until then.
        let (asks, asked) = (&b.keys, &b.alive);
        work.push(self.behave.step(
            &[
                bind(0, &b.constants),
                bind(1, state),
                bind(3, &b.starts),
                bind(5, &b.tables),
                bind(6, &b.ground),
                bind(7, &b.busy),
                bind(8, &b.tally),
                bind(9, asks),
                bind(10, asked),
            ],
            per_agent,
        )?);
        if crowd.sites.sites.iter().all(|site| site.place.capacity.is_none()) {
            return Ok(work);
        }
        let ask_starts = b.pool.array::<u32>("starts of asks", b.sites as usize + 1)?;
        let count = Count::InBuffer { buffer: &b.starts, word: b.bins, at_most: b.capacity };
        let sorted = Sorted { keys: &b.sorted_keys, payload: &b.order };
        work.append(self.sort.bind(&b.pool, asks, None, sorted, b.sites, &ask_starts, count)?);
        let common =
            [bind(0, &b.constants), bind(5, &b.tables), bind(7, &b.busy), bind(11, &ask_starts)];
        let mut admitting = common.to_vec();
        admitting.extend([
            bind(1, state),
            bind(8, &b.tally),
            bind(10, asked),
            bind(12, &b.sorted_keys),
            bind(13, &b.order),
        ]);
        work.push(self.admit.step(&admitting, per_agent)?);
        work.push(self.settle.step(&common, groups_for(b.sites, GROUP))?);
        work.keep(ask_starts);
        Ok(work)
    }
}
