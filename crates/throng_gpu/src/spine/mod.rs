//! The exclusive scan of block sums, shared by scan, compaction and sort.

use crate::record::{Extents, Kernel, Step};
use crate::shader::Shader;
use crate::{Count, Gpu, GpuError, Variant};

pub(crate) const SHADER: Shader =
    Shader { name: "spine", source: include_str!("spine.wgsl"), variants: Variant::BOTH };

/// The kernel, for whoever has sums in a buffer.
#[derive(Debug)]
pub(crate) struct Spine {
    kernel: Kernel,
}

impl Spine {
    pub(crate) fn new(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        Ok(Self { kernel: gpu.program(&SHADER, variant.defs())?.kernel("spine")? })
    }

    /// Words of the buffer for the sums: one more than there are, for the sum of all.
    pub(crate) fn words(elements: u32, block: u32, per_block: u32) -> usize {
        elements.div_ceil(block) as usize * per_block as usize + 1
    }

    /// `extents` has at `uniform` the size of a block and the sums per block.
    pub(crate) fn step(
        &self,
        extents: &Extents,
        uniform: usize,
        count: &Count<'_>,
        sums: &wgpu::Buffer,
    ) -> Result<Step, GpuError> {
        let bindings = [
            (0, extents.extent(uniform)),
            (1, extents.count(count)),
            (2, sums.as_entire_binding()),
        ];
        self.kernel.step(&bindings, [1, 1, 1])
    }
}
