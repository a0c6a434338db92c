//! What a crowd on the GPU lets its host see without waiting, and what a renderer needs.

use std::sync::atomic::Ordering;

use throng_gpu::{Gpu, Timer, Timing};

use super::GpuCrowd;
use crate::error::CrowdError;
use crate::instance::Instance;

impl GpuCrowd {
    /// The [`Instance`]s of all agents after the last step, for a renderer on the same device. They are
    /// written when they are first asked for after a step, so that steps nobody draws go without.
    pub fn instances(&self) -> &wgpu::Buffer {
        if self.stale.swap(false, Ordering::Relaxed) {
            self.stages.run(|work, pass| work.instances.record(pass));
        }
        &self.stages.buffers.instances
    }

    /// The buffer and the word in it that tells how many instances there are.
    pub fn instance_count(&self) -> (&wgpu::Buffer, u32) {
        (&self.stages.buffers.starts, self.stages.buffers.bins)
    }

    /// The instances, read back. Waits.
    ///
    /// # Errors
    /// The device is lost.
    pub fn read_instances(&self) -> Result<Vec<Instance>, CrowdError> {
        let buffers = &self.stages.buffers;
        let starts = self.stages.gpu.read::<u32>(&buffers.starts, buffers.bins as usize + 1)?;
        Ok(self.stages.gpu.read(self.instances(), starts[buffers.bins as usize] as usize)?)
    }

    /// Number of steps so far.
    pub fn steps(&self) -> u64 {
        self.crowd.step
    }

    /// Simulated time (seconds).
    pub fn time(&self) -> f64 {
        self.crowd.time
    }

    /// The device it lives on.
    pub fn gpu(&self) -> &Gpu {
        &self.stages.gpu
    }

    /// Times stages from now on, where the device can; times come back some steps later.
    ///
    /// # Errors
    /// Out of memory.
    pub fn time_stages(&mut self) -> Result<(), CrowdError> {
        self.timer = Some(Timer::new(&self.pool, 16)?);
        Ok(())
    }

    /// What the stages took in the latest step of which the times have come back.
    pub fn times(&mut self) -> &[Timing] {
        self.timer.as_mut().map_or(&[], Timer::latest)
    }
}
