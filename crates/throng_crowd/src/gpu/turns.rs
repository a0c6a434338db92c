//! Who decides in a step, on the GPU.

use throng_gpu::{Def, Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, groups_for};

use super::buffers::{Buffers, bind};
use super::sheet::lay;
use crate::navigate::gpu::Ways;

pub(crate) const SHADER: Shader =
    Shader { name: "turns", source: include_str!("turns.wgsl"), variants: &[READS] };

const READS: Defs = &[("STATE_READ", Def::Yes)];

/// The kernel.
#[derive(Debug)]
pub(crate) struct TurnKernels {
    find_turns: Kernel,
}

impl TurnKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        Ok(Self { find_turns: library.program(gpu, &SHADER, READS)?.kernel("find_turns")? })
    }

    /// Lists those who decide, and counts who wants fields to private targets.
    pub(crate) fn bind(&self, b: &Buffers, ways: &Ways) -> Result<Prepared, GpuError> {
        let bindings = [
            bind(0, &b.constants),
            bind(2, &b.scratch),
            lay(3, &b.first),
            lay(4, &b.walls),
            bind(8, &ways.targets),
            lay(16, &b.mirror),
            bind(21, &b.deciding.words),
        ];
        let mut work = Prepared::new();
        work.push(self.find_turns.step(&bindings, groups_for(b.capacity, GROUP))?);
        Ok(work)
    }
}
