//! The host side of the bins on the GPU.

use throng_gpu::scan::{Scan, Sums};
use throng_gpu::{
    Count, Def, Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, Variant, groups_for,
};

use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::Named;
use crate::gpu::sheet::lay;

pub(crate) const SHADER: Shader =
    Shader { name: "bin", source: include_str!("bin.wgsl"), variants: &[PORTABLE, SUBGROUPS] };

const PORTABLE: Defs = &[];
const SUBGROUPS: Defs = &[("SUBGROUPS", Def::Yes)];

/// More agents than this in a bin are put in order by a workgroup; fewer count those before them.
pub(crate) const CROWD: u32 = 128;
/// Workgroups that take crowded bins in turn.
const CROWD_GROUPS: u32 = 16;
/// Bits of a digit in the sort of a crowded bin, and passes over it: an even number, for all 32 bits.
const CROWD_BITS: u32 = 3;
const CROWD_TURNS: u32 = 12;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("CROWD", CROWD.into()),
        ("CROWD_GROUPS", CROWD_GROUPS.into()),
        ("CROWD_BITS", CROWD_BITS.into()),
        ("CROWD_TURNS", CROWD_TURNS.into()),
    ]
}

/// The kernels of the stage.
#[derive(Debug)]
pub(crate) struct BinKernels {
    rank: Kernel,
    spread: Kernel,
    order_crowds: Kernel,
    carry: Kernel,
    scan: Scan,
}

impl BinKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let defs = Variant::best(gpu).of(PORTABLE, SUBGROUPS);
        let program = library.program(gpu, &SHADER, defs)?;
        Ok(Self {
            rank: program.kernel("rank")?,
            spread: program.kernel("spread")?,
            order_crowds: program.kernel("order_crowds")?,
            carry: program.kernel("carry")?,
            scan: Scan::new(gpu)?,
        })
    }

    /// Sorts the agents as they are when a step ends into the other side.
    pub(crate) fn bind(&self, b: &Buffers, side: usize) -> Result<Prepared, GpuError> {
        let groups = groups_for(b.capacity, GROUP);
        let crowds = b.capacity / CROWD;
        let counts = vec![0u32; (b.bins + 2 + crowds) as usize];
        let counts = b.pool.array_of("bin counts", &counts)?;
        let crowded = b.pool.array::<[u32; 2]>("crowded", b.capacity as usize)?;
        let spare = b.pool.array::<[u32; 2]>("spare slots", b.capacity as usize)?;
        let mut work = Prepared::new();
        work.push(self.rank.step(
            &[
                bind(0, &b.constants),
                lay(3, &b.first),
                bind(9, &counts),
                lay(10, &b.ranks),
                lay(20, &b.next),
                bind(24, &b.let_in),
            ],
            groups,
        )?);
        // The sum before the word behind the last bin is that of all bins.
        let all = Count::Known(b.bins + 1);
        work.append(self.scan.bind(&b.pool, Sums::Exclusive, &counts, &b.starts, all)?);
        work.push(self.spread.step(
            &[
                bind(0, &b.constants),
                bind(9, &counts),
                lay(11, &b.ranks),
                bind(12, &b.starts),
                lay(13, &b.first),
                lay(14, &b.slots),
                bind(22, &crowded),
            ],
            groups,
        )?);
        if crowds > 0 {
            work.push(self.order_crowds.step(
                &[
                    bind(0, &b.constants),
                    lay(3, &b.first),
                    lay(14, &b.slots),
                    bind(18, &counts),
                    bind(22, &crowded),
                    bind(23, &spare),
                ],
                [crowds.min(CROWD_GROUPS), 1, 1],
            )?);
        }
        work.push(self.carry.step(
            &[
                bind(0, &b.constants),
                lay(3, &b.first),
                lay(15, &b.slots),
                lay(17, &b.mirror),
                lay(20, &b.next),
                bind(21, &b.sides[1 - side].state),
            ],
            groups,
        )?);
        work.keep(crowded);
        work.keep(counts);
        work.keep(spare);
        Ok(work)
    }
}
