//! The host side of the scan.

use super::{ITEMS, PORTABLE, SHADER, SUBGROUPS, Sums, WHOLE};
use crate::record::{Extents, Kernel, Prepared, apart, groups_for, holds_words};
use crate::spine::Spine;
use crate::{Count, GROUP, Gpu, GpuError, Pool, Variant};

const BLOCK: u32 = GROUP * ITEMS;

/// Sums of u32.
#[derive(Debug)]
pub struct Scan {
    sum_blocks: Kernel,
    scan_blocks: Kernel,
    scan_whole: Kernel,
    spine: Spine,
}

impl Scan {
    /// Compiles the kernels, the better ones for this device.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Self::with(gpu, Variant::best(gpu))
    }

    /// Compiles the kernels of one kind.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn with(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        let program = gpu.program(&SHADER, variant.of(PORTABLE, SUBGROUPS))?;
        Ok(Self {
            sum_blocks: program.kernel("sum_blocks")?,
            scan_blocks: program.kernel("scan_blocks")?,
            scan_whole: program.kernel("scan_whole")?,
            spine: Spine::new(gpu, variant)?,
        })
    }

    /// Sums of `input` to `output`, which must be two buffers.
    ///
    /// # Errors
    /// Buffers that are too small or one and the same; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        sums: Sums,
        input: &wgpu::Buffer,
        output: &wgpu::Buffer,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        let most = count.at_most();
        holds_words("input of the scan", input, u64::from(most))?;
        let behind = u32::from(sums == Sums::Starts);
        holds_words("output of the scan", output, u64::from(most) + u64::from(behind))?;
        apart("scan", Some(&count), &[("input", input)], &[("output", output)])?;
        let own = [u32::from(sums == Sums::Inclusive), behind];
        let extents = Extents::new(pool, "scan", count, &[own, [BLOCK, 1]])?;
        let (extent, n) = (extents.extent(0), extents.count(&count));
        let mut work = Prepared::new();
        let (from, to) = (input.as_entire_binding(), output.as_entire_binding());
        if most <= WHOLE {
            let bindings = [(0, extent), (1, n), (2, from), (4, to)];
            work.push(self.scan_whole.step(&bindings, [1, 1, 1])?);
        } else {
            let scratch = pool.array::<u32>("scan sums", Spine::words(most, BLOCK, 1))?;
            let kept = || scratch.as_entire_binding();
            let groups = groups_for(most, BLOCK);
            let bindings = [(0, extent.clone()), (1, n.clone()), (2, from.clone()), (3, kept())];
            work.push(self.sum_blocks.step(&bindings, groups)?);
            work.push(self.spine.step(&extents, 1, &count, &scratch)?);
            let bindings = [(0, extent), (1, n), (2, from), (3, kept()), (4, to)];
            work.push(self.scan_blocks.step(&bindings, groups)?);
            work.keep(scratch);
        }
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}
