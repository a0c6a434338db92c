//! The host side of compact.

use super::{ITEMS, SHADER, WHOLE, defs};
use crate::record::{Extents, Kernel, Prepared, apart, groups_for, holds_words};
use crate::spine::Spine;
use crate::{Count, GROUP, Gpu, GpuError, Pool, Variant};

const BLOCK: u32 = GROUP * ITEMS;

/// Keeps flagged elements.
#[derive(Debug)]
pub struct Compact {
    count: Kernel,
    /// Of places, and of values.
    write: [Kernel; 2],
    whole: [Kernel; 2],
    spine: Spine,
}

impl Compact {
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
        let places = gpu.program(&SHADER, defs(variant, false))?;
        let values = gpu.program(&SHADER, defs(variant, true))?;
        Ok(Self {
            count: places.kernel("count_blocks")?,
            write: [places.kernel("write_blocks")?, values.kernel("write_blocks")?],
            whole: [places.kernel("write_whole")?, values.kernel("write_whole")?],
            spine: Spine::new(gpu, variant)?,
        })
    }

    /// What `flags` keeps of `values`, or of the places 0, 1, 2, … without values, goes to `output`,
    /// no more than it can hold; how many that are and should have been to the first two words of
    /// `kept`.
    ///
    /// # Errors
    /// Buffers that are too small, or read and written; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        flags: &wgpu::Buffer,
        values: Option<&wgpu::Buffer>,
        output: &wgpu::Buffer,
        kept: &wgpu::Buffer,
        count: Count<'_>,
    ) -> Result<Prepared, GpuError> {
        let most = count.at_most();
        holds_words("flags of compact", flags, u64::from(most))?;
        holds_words("number kept of compact", kept, 2)?;
        let mut read = vec![("flags", flags)];
        if let Some(values) = values {
            holds_words("values of compact", values, u64::from(most))?;
            read.push(("values", values));
        }
        apart("compact", Some(&count), &read, &[("output", output), ("kept", kept)])?;
        let capacity = u32::try_from(output.size() / 4).unwrap_or(u32::MAX);
        let extents = Extents::new(pool, "compact", count, &[[capacity, 0], [BLOCK, 1]])?;
        let mut bindings = vec![
            (0, extents.extent(0)),
            (1, extents.count(&count)),
            (2, flags.as_entire_binding()),
        ];
        let sums = pool.array::<u32>("compact sums", Spine::words(most, BLOCK, 1))?;
        let mut work = Prepared::new();
        let kind = usize::from(values.is_some());
        let groups = groups_for(most, BLOCK);
        if most > WHOLE {
            bindings.push((3, sums.as_entire_binding()));
            work.push(self.count.step(&bindings, groups)?);
            work.push(self.spine.step(&extents, 1, &count, &sums)?);
        }
        bindings.extend(values.map(|values| (4, values.as_entire_binding())));
        bindings.push((5, output.as_entire_binding()));
        bindings.push((6, kept.as_entire_binding()));
        work.push(match most > WHOLE {
            true => self.write[kind].step(&bindings, groups)?,
            false => self.whole[kind].step(&bindings, [1, 1, 1])?,
        });
        work.keep(sums);
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}
