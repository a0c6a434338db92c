//! A compute pass that counts its dispatches and can be timed.

use super::timer::Marks;
use super::{Groups, Step};
use crate::Gpu;

/// A compute pass. Ends when it is dropped.
#[derive(Debug)]
pub struct Pass<'e> {
    raw: wgpu::ComputePass<'e>,
    gpu: Gpu,
    marks: Option<Marks<'e>>,
}

impl Gpu {
    /// Begins a compute pass that is not timed.
    #[must_use]
    pub fn pass<'e>(&self, encoder: &'e mut wgpu::CommandEncoder, label: &str) -> Pass<'e> {
        let raw = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: None,
        });
        Pass::new(raw, self, None)
    }
}

impl<'e> Pass<'e> {
    pub(super) fn new(raw: wgpu::ComputePass<'e>, gpu: &Gpu, marks: Option<Marks<'e>>) -> Self {
        Self { raw, gpu: gpu.clone(), marks }
    }

    /// Records a step.
    pub fn step(&mut self, step: &Step) {
        self.raw.set_pipeline(&step.pipeline);
        self.raw.set_bind_group(0, &step.bind_group, &[]);
        match &step.groups {
            Groups::Direct([x, y, z]) => self.raw.dispatch_workgroups(*x, *y, *z),
            Groups::Indirect(buffer, at) => self.raw.dispatch_workgroups_indirect(buffer, *at),
        }
        self.gpu.counters().dispatches.add(1);
    }

    /// Names what was recorded since the last mark, or since the pass began, so that a
    /// [`Timer`](crate::Timer) tells its time. Does nothing where places in passes cannot be timed.
    pub fn mark(&mut self, label: &'static str) {
        if let Some(marks) = &mut self.marks {
            marks.mark(&mut self.raw, label);
        }
    }

    /// The pass of wgpu, for work that is no [`Step`]; it is not counted.
    pub fn raw(&mut self) -> &mut wgpu::ComputePass<'e> {
        &mut self.raw
    }
}
