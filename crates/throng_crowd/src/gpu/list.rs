//! Lists that kernels write and others are dispatched over.

use throng_gpu::{Buffer, GROUP, Gpu, GpuError, Groups, Pool};

/// Words before the elements: the workgroups of a dispatch over them, and their number.
const HEAD: [u32; 4] = [0, 1, 1, 0];

/// Workgroups in a row, by WebGPU's default limits.
const MOST_GROUPS: u32 = 65_535;

/// A list of agents, in no order.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) words: Buffer,
}

impl List {
    /// An empty list with room for so many.
    pub(crate) fn new(pool: &Pool, label: &str, capacity: u32) -> Result<Self, GpuError> {
        if capacity.div_ceil(GROUP) > MOST_GROUPS {
            let most = u64::from(MOST_GROUPS * GROUP);
            let (what, value) = ("elements of a list", u64::from(capacity));
            return Err(GpuError::OutOfRange { what, value, least: 0, most });
        }
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let bytes = 4 * (HEAD.len() as u64 + u64::from(capacity));
        Ok(Self { words: pool.buffer(label, bytes, usage)? })
    }

    /// Empties the list before all that is submitted later.
    pub(crate) fn clear(&self, gpu: &Gpu) {
        gpu.write(&self.words, 0, &HEAD);
    }

    /// One invocation to an element.
    pub(crate) fn groups(&self) -> Groups {
        Groups::Indirect(wgpu::Buffer::clone(&self.words), 0)
    }
}
