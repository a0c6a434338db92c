//! The host side of indirect dispatch.

use super::{DEFS, SHADER};
use crate::record::{Extents, Kernel, Prepared, apart, holds_words};
use crate::{Buffer, Count, Gpu, GpuError, Pool};

/// Writes the arguments of dispatches.
#[derive(Debug)]
pub struct Indirect {
    kernel: Kernel,
}

impl Indirect {
    /// Compiles the kernel.
    ///
    /// # Errors
    /// The driver refuses it.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self { kernel: gpu.program(&SHADER, DEFS)?.kernel("write_arguments")? })
    }

    /// A buffer for the arguments of so many dispatches, three words each.
    ///
    /// # Errors
    /// Out of memory.
    pub fn arguments(pool: &Pool, dispatches: u32) -> Result<Buffer, GpuError> {
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        pool.buffer("dispatch arguments", 12 * u64::from(dispatches), usage)
    }

    /// Workgroups for `count` elements, `per_group` each, to three words of `arguments`.
    ///
    /// # Errors
    /// A workgroup of nothing; buffers that are too small or one and the same; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        count: Count<'_>,
        per_group: u32,
        arguments: &wgpu::Buffer,
        word: u32,
    ) -> Result<Prepared, GpuError> {
        if per_group == 0 {
            let (least, most) = (1, u64::from(u32::MAX));
            let what = "elements of a workgroup";
            return Err(GpuError::OutOfRange { what, value: 0, least, most });
        }
        holds_words("dispatch arguments", arguments, u64::from(word) + 3)?;
        apart("indirect", Some(&count), &[], &[("arguments", arguments)])?;
        let extents = Extents::new(pool, "indirect", count, &[[per_group, word]])?;
        let bindings = [
            (0, extents.extent(0)),
            (1, extents.count(&count)),
            (2, arguments.as_entire_binding()),
        ];
        let mut work = Prepared::new();
        work.push(self.kernel.step(&bindings, [1, 1, 1])?);
        extents.into_buffers().for_each(|buffer| work.keep(buffer));
        Ok(work)
    }
}
