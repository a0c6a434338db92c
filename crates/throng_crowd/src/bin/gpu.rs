//! The host side of the bins on the GPU.

use throng_gpu::scan::{Scan, Sums};
use throng_gpu::{
    Count, Def, Defs, GROUP, Gpu, GpuError, Groups, Kernel, Library, Prepared, Shader, Variant,
    groups_for,
};

use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::Named;
use crate::gpu::sheet::lay;

pub(crate) const SHADER: Shader =
    Shader { name: "bin", source: include_str!("bin.wgsl"), variants: &[PORTABLE, SUBGROUPS] };

const PORTABLE: Defs = &[("STATE_READ", Def::Yes)];
const SUBGROUPS: Defs = &[("STATE_READ", Def::Yes), ("SUBGROUPS", Def::Yes)];

/// More agents than this in a bin are put in order by a workgroup; fewer count those before them.
pub(crate) const CROWD: u32 = 128;
/// Workgroups that take crowded bins in turn.
const CROWD_GROUPS: u32 = 16;
/// Bits of a digit in the sort of a crowded bin, and passes over it: an even number, for all 32 bits.
const CROWD_BITS: u32 = 3;
const CROWD_TURNS: u32 = 12;

/// What is said of crowded bins while there are none: workgroups that put them in order, and how many there
/// are. The bins follow.
pub(crate) const NO_CROWDS: [u32; 4] = [0, 1, 1, 0];

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
    rank_newcomers: Kernel,
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
            rank_newcomers: program.kernel("rank_newcomers")?,
            spread: program.kernel("spread")?,
            order_crowds: program.kernel("order_crowds")?,
            carry: program.kernel("carry")?,
            scan: Scan::new(gpu)?,
        })
    }

    /// Gives places in bins to all, and to newcomers alone.
    pub(crate) fn bind_ranks(&self, b: &Buffers, side: usize) -> Result<[Prepared; 2], GpuError> {
        let bindings = [
            bind(0, &b.constants),
            bind(1, &b.sides[side].state),
            lay(3, &b.first),
            bind(10, &b.counts),
            bind(11, &b.places),
            bind(24, &b.let_in),
        ];
        let (mut all, mut newcomers) = (Prepared::new(), Prepared::new());
        all.push(self.rank.step(&bindings, groups_for(b.capacity, GROUP))?);
        let most = groups_for(b.most_newcomers, GROUP);
        newcomers.push(self.rank_newcomers.step(&bindings, most)?);
        Ok([all, newcomers])
    }

    /// Sorts the agents of a side, who have their places, into the other.
    pub(crate) fn bind(&self, b: &Buffers, side: usize) -> Result<Prepared, GpuError> {
        let groups = groups_for(b.capacity, GROUP);
        let mut work = Prepared::new();
        // The sum before the word behind the last bin is that of all bins.
        let all = Count::Known(b.bins + 1);
        work.append(self.scan.bind(&b.pool, Sums::Exclusive, &b.counts, &b.starts, all)?);
        let common = [
            bind(0, &b.constants),
            bind(1, &b.sides[side].state),
            lay(3, &b.first),
            bind(10, &b.counts),
            bind(11, &b.places),
            bind(12, &b.starts),
            bind(22, &b.members),
            bind(24, &b.let_in),
        ];
        work.push(self.spread.step(&common, groups)?);
        if b.capacity > CROWD {
            let crowds = u64::from(b.bins + 1) * 4;
            work.push(self.order_crowds.step(
                &[
                    bind(0, &b.constants),
                    bind(12, &b.starts),
                    bind(18, &b.counts),
                    bind(22, &b.members),
                    bind(23, &b.spare_members),
                ],
                Groups::Indirect(wgpu::Buffer::clone(&b.counts), crowds),
            )?);
        }
        let mut carrying = common.to_vec();
        carrying.push(bind(21, &b.sides[1 - side].state));
        work.push(self.carry.step(&carrying, groups)?);
        Ok(work)
    }
}
