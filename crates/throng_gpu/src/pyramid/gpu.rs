//! The host side of the pyramid.

use super::{Level, SHADER, levels, texels};
use crate::record::{Kernel, Prepared, apart, groups_for, holds_words};
use crate::{GROUP, Gpu, GpuError, Pool};

/// One workgroup makes all levels from this many texels on.
const LAST: u32 = 128 * 128;

/// Bytes from one uniform to the next.
const STRIDE: u64 = 256;

/// Makes pyramids.
#[derive(Debug)]
pub struct Pyramid {
    first: Kernel,
    next: Kernel,
    last: Kernel,
}

/// `Stage` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Stage {
    pub(crate) from_width: u32,
    pub(crate) from_height: u32,
    pub(crate) from_at: u32,
    pub(crate) to_width: u32,
    pub(crate) to_height: u32,
    pub(crate) to_at: u32,
    pub(crate) unused_a: u32,
    pub(crate) unused_b: u32,
}

impl Stage {
    fn new(from: Level, to: Level) -> Self {
        Self {
            from_width: from.width,
            from_height: from.height,
            from_at: from.at,
            to_width: to.width,
            to_height: to.height,
            to_at: to.at,
            unused_a: 0,
            unused_b: 0,
        }
    }
}

impl Pyramid {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let program = gpu.program(&SHADER, &[])?;
        Ok(Self {
            first: program.kernel("first_level")?,
            next: program.kernel("next_level")?,
            last: program.kernel("last_levels")?,
        })
    }

    /// All levels above `image` to `output`, which holds [`texels`] of eight bytes.
    ///
    /// # Errors
    /// Buffers that are too small or one and the same; out of memory.
    pub fn bind(
        &self,
        pool: &Pool,
        image: &wgpu::Buffer,
        [width, height]: [u32; 2],
        output: &wgpu::Buffer,
    ) -> Result<Prepared, GpuError> {
        holds_words("image of the pyramid", image, u64::from(width) * u64::from(height))?;
        holds_words("pyramid", output, 2 * u64::from(texels(width, height)))?;
        apart("pyramid", None, &[("image", image)], &[("pyramid", output)])?;
        let mut stages = Vec::new();
        let mut from = Level { width, height, at: 0 };
        for to in levels(width, height) {
            stages.push(Stage::new(from, to));
            from = to;
        }
        let mut work = Prepared::new();
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = pool.buffer("pyramid", STRIDE * stages.len() as u64, usage)?;
        for (i, stage) in stages.iter().enumerate() {
            let offset = i as u64 * STRIDE;
            pool.gpu().write(&uniforms, offset, &[*stage]);
            let uniform = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &uniforms,
                offset,
                size: wgpu::BufferSize::new(size_of::<Stage>() as u64),
            });
            let to = output.as_entire_binding();
            let groups = groups_for(stage.to_width * stage.to_height, GROUP);
            if i == 0 {
                let bindings = [(0, uniform), (1, image.as_entire_binding()), (2, to)];
                work.push(self.first.step(&bindings, groups)?);
            } else if stage.from_width * stage.from_height > LAST {
                work.push(self.next.step(&[(0, uniform), (2, to)], groups)?);
            } else {
                work.push(self.last.step(&[(0, uniform), (2, to)], [1, 1, 1])?);
                break;
            }
        }
        work.keep(uniforms);
        Ok(work)
    }
}
