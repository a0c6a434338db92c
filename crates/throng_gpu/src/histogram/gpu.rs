//! The host side of the histogram.

use super::{DEFS, ITEMS, SHADER, SMALL};
use crate::record::{Extents, Kernel, Prepared, apart, groups_for, holds_words};
use crate::{Count, GROUP, Gpu, GpuError, Pool};

/// Counts keys.
#[derive(Debug)]
pub struct Histogram {
    clear: Kernel,
    few: Kernel,
    many: Kernel,
}

impl Histogram {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let program = gpu.program(&SHADER, DEFS)?;
        Ok(Self {
            clear: program.kernel("clear")?,
            few: program.kernel("count_few")?,
            many: program.kernel("count_many")?,
        })
    }

    /// Counts of `keys` to the first `bins` words of `output`, and of keys that are no bin to the
    /// word behind.
    ///
    /// # Errors
    /// Buffers that are too small or one and the same; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        keys: &wgpu::Buffer,
        bins: u32,
        output: &wgpu::Buffer,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        let most = count.at_most();
        holds_words("keys of the histogram", keys, u64::from(most))?;
        holds_words("bins of the histogram", output, u64::from(bins) + 1)?;
        apart("histogram", Some(&count), &[("keys", keys)], &[("output", output)])?;
        let extents = Extents::new(pool, "histogram", count, &[[bins, 0]])?;
        let (extent, to) = (extents.extent(0), output.as_entire_binding());
        let mut work = Prepared::new();
        let bindings = [(0, extent.clone()), (3, to.clone())];
        work.push(self.clear.step(&bindings, groups_for(bins + 1, GROUP))?);
        let kernel = if bins < SMALL { &self.few } else { &self.many };
        let bindings =
            [(0, extent), (1, extents.count(&count)), (2, keys.as_entire_binding()), (3, to)];
        work.push(kernel.step(&bindings, groups_for(most, GROUP * ITEMS))?);
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}
