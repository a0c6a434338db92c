//! The host side of segmented extremes.

use super::{Extreme, ITEMS, SHADER};
use crate::record::{Extents, Kernel, Prepared, apart, groups_for, holds_words};
use crate::{Count, GROUP, Gpu, GpuError, Pool};

/// An extreme of each segment.
#[derive(Debug)]
pub struct Segmented {
    clear: Kernel,
    gather: Kernel,
    finish: Option<Kernel>,
}

impl Segmented {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu, extreme: Extreme) -> Result<Self, GpuError> {
        let program = gpu.program(&SHADER, extreme.defs())?;
        let finish = extreme.is_float().then(|| program.kernel("finish")).transpose()?;
        Ok(Self { clear: program.kernel("clear")?, gather: program.kernel("gather")?, finish })
    }

    /// The extremes of `input` to the first `segments` words of `output`. `starts` has `segments` + 1
    /// words.
    ///
    /// # Errors
    /// Buffers that are too small, or read and written; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        input: &wgpu::Buffer,
        starts: &wgpu::Buffer,
        segments: u32,
        output: &wgpu::Buffer,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        let most = count.at_most();
        holds_words("input of segments", input, u64::from(most))?;
        holds_words("starts of segments", starts, u64::from(segments) + 1)?;
        holds_words("output of segments", output, u64::from(segments))?;
        apart(
            "segmented",
            Some(&count),
            &[("input", input), ("starts", starts)],
            &[("output", output)],
        )?;
        let mut work = Prepared::new();
        if segments == 0 {
            return Ok(work);
        }
        let extents = Extents::new(pool, "segmented", count, &[[segments, 0]])?;
        let (extent, to) = (extents.extent(0), output.as_entire_binding());
        let each = [(0, extent.clone()), (4, to.clone())];
        work.push(self.clear.step(&each, groups_for(segments, GROUP))?);
        let bindings = [
            (0, extent),
            (1, extents.count(&count)),
            (2, input.as_entire_binding()),
            (3, starts.as_entire_binding()),
            (4, to),
        ];
        work.push(self.gather.step(&bindings, groups_for(most, GROUP * ITEMS))?);
        if let Some(finish) = &self.finish {
            work.push(finish.step(&each, groups_for(segments, GROUP))?);
        }
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}
