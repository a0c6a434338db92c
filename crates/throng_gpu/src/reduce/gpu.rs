//! The host side of reduce.

use super::{Fold, ITEMS, SHADER, WHOLE};
use crate::record::{Extents, Kernel, Prepared, apart, groups_for, holds_words};
use crate::{Count, GROUP, Gpu, GpuError, Pool, Variant};

const BLOCK: u32 = GROUP * ITEMS;

/// A fold of many elements to one.
#[derive(Debug)]
pub struct Reduce {
    blocks: Kernel,
    rest: Kernel,
    whole: Kernel,
}

impl Reduce {
    /// Compiles the kernels of one fold, the better ones for this device.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu, fold: Fold) -> Result<Self, GpuError> {
        Self::with(gpu, fold, Variant::best(gpu))
    }

    /// Compiles the kernels of one fold and kind.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn with(gpu: &Gpu, fold: Fold, variant: Variant) -> Result<Self, GpuError> {
        let program = gpu.program(&SHADER, fold.defs(variant))?;
        Ok(Self {
            blocks: program.kernel("reduce_blocks")?,
            rest: program.kernel("reduce_rest")?,
            whole: program.kernel("reduce_whole")?,
        })
    }

    /// The fold of `input` to the given word of `output`, which must be two buffers.
    ///
    /// # Errors
    /// Buffers that are too small or one and the same; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        input: &wgpu::Buffer,
        output: &wgpu::Buffer,
        word: u32,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        let most = count.at_most();
        holds_words("input of reduce", input, u64::from(most))?;
        holds_words("output of reduce", output, u64::from(word) + 1)?;
        apart("reduce", Some(&count), &[("input", input)], &[("output", output)])?;
        let extents = Extents::new(pool, "reduce", count, &[[word, 0]])?;
        let (extent, n) = (extents.extent(0), extents.count(&count));
        let (from, to) = (input.as_entire_binding(), output.as_entire_binding());
        let mut work = Prepared::new();
        if most <= WHOLE {
            let bindings = [(0, extent), (1, n), (2, from), (4, to)];
            work.push(self.whole.step(&bindings, [1, 1, 1])?);
        } else {
            let partial = pool.array::<u32>("reduce partial", most.div_ceil(BLOCK) as usize)?;
            let kept = partial.as_entire_binding();
            let bindings = [(0, extent.clone()), (1, n.clone()), (2, from), (3, kept.clone())];
            work.push(self.blocks.step(&bindings, groups_for(most, BLOCK))?);
            let bindings = [(0, extent), (1, n), (3, kept), (4, to)];
            work.push(self.rest.step(&bindings, [1, 1, 1])?);
            work.keep(partial);
        }
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}
