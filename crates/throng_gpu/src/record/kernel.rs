//! Kernels and the steps made from them.
//!
//! A [`Step`] is a kernel, what it is bound to and how often it runs: everything is looked up and
//! checked when it is made, so that recording it is three calls and no allocation. A [`Prepared`] is a
//! row of steps with the buffers they need besides those of the caller.

use super::Pass;
use crate::{Buffer, Gpu, GpuError};

/// A compiled shader, from which kernels are taken by the name of their entry point.
#[derive(Debug)]
pub struct Program {
    pub(crate) gpu: Gpu,
    pub(crate) label: String,
    pub(crate) module: wgpu::ShaderModule,
}

impl Program {
    /// The kernel of an entry point. Workgroup memory is not cleared for it.
    ///
    /// # Errors
    /// No such entry point, or the driver does not take it.
    pub fn kernel(&self, entry: &str) -> Result<Kernel, GpuError> {
        self.kernel_with(entry, &[])
    }

    /// The kernel of an entry point, with values for its `override` constants.
    ///
    /// # Errors
    /// No such entry point or constant, or the driver does not take it.
    pub fn kernel_with(&self, entry: &str, constants: &[(&str, f64)]) -> Result<Kernel, GpuError> {
        let label = format!("{} {entry}", self.label);
        let (pipeline, layout) = self.gpu.scoped(&label, || {
            let descriptor = wgpu::ComputePipelineDescriptor {
                label: Some(&label),
                layout: None,
                module: &self.module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants,
                    zero_initialize_workgroup_memory: false,
                },
                cache: self.gpu.cache(),
            };
            let pipeline = self.gpu.device().create_compute_pipeline(&descriptor);
            let layout = pipeline.get_bind_group_layout(0);
            (pipeline, layout)
        })?;
        Ok(Kernel { gpu: self.gpu.clone(), label, pipeline, layout })
    }
}

/// A compute pipeline with one bind group.
#[derive(Clone, Debug)]
pub struct Kernel {
    gpu: Gpu,
    label: String,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

/// How many workgroups run.
#[derive(Clone, Debug)]
pub enum Groups {
    /// So many in x, y, z; see [`workgroups`](crate::workgroups).
    Direct([u32; 3]),
    /// As many as three words of this buffer say, from this byte on.
    Indirect(wgpu::Buffer, u64),
}

impl From<[u32; 3]> for Groups {
    fn from(groups: [u32; 3]) -> Self {
        Self::Direct(groups)
    }
}

/// A kernel with all it needs.
#[derive(Clone, Debug)]
pub struct Step {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) bind_group: wgpu::BindGroup,
    pub(super) groups: Groups,
}

impl Kernel {
    /// Binds the kernel. Bindings are those the entry point uses, by number, all of group 0.
    ///
    /// # Errors
    /// A storage buffer beyond the limit of bindings; bindings that are missing, too many or of the
    /// wrong kind.
    pub fn step(
        &self,
        bindings: &[(u32, wgpu::BindingResource<'_>)],
        groups: impl Into<Groups>,
    ) -> Result<Step, GpuError> {
        for (_, resource) in bindings {
            self.fits(resource)?;
        }
        let entries: Vec<_> = bindings
            .iter()
            .map(|(binding, resource)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: resource.clone(),
            })
            .collect();
        let bind_group = self.gpu.scoped(&self.label, || {
            self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(&self.label),
                layout: &self.layout,
                entries: &entries,
            })
        })?;
        self.gpu.counters().bind_groups.add(1);
        Ok(Step { pipeline: self.pipeline.clone(), bind_group, groups: groups.into() })
    }

    fn fits(&self, resource: &wgpu::BindingResource<'_>) -> Result<(), GpuError> {
        let wgpu::BindingResource::Buffer(binding) = resource else { return Ok(()) };
        let limits = self.gpu.device().limits();
        let bytes = match binding.size {
            Some(size) => size.get(),
            None => binding.buffer.size() - binding.offset,
        };
        let limit = limits.max_storage_buffer_binding_size;
        if binding.buffer.usage().contains(wgpu::BufferUsages::STORAGE) && bytes > limit {
            return Err(GpuError::TooLarge { what: self.label.clone(), bytes, limit });
        }
        Ok(())
    }

    /// The pipeline of wgpu.
    #[must_use]
    pub fn pipeline(&self) -> &wgpu::ComputePipeline {
        &self.pipeline
    }
}

/// A row of steps, made once and recorded as often as wanted.
#[derive(Debug, Default)]
pub struct Prepared {
    steps: Vec<Step>,
    /// Scratch memory and parameters, back to their pool when this is dropped.
    kept: Vec<Buffer>,
}

impl Prepared {
    /// Nothing to do.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a step.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Keeps a buffer as long as this.
    pub fn keep(&mut self, buffer: Buffer) {
        self.kept.push(buffer);
    }

    /// Adds all that other work does.
    pub fn append(&mut self, mut other: Self) {
        self.steps.append(&mut other.steps);
        self.kept.append(&mut other.kept);
    }

    /// Records all steps. Each sees what the one before has written.
    pub fn record(&self, pass: &mut Pass<'_>) {
        for step in &self.steps {
            pass.step(step);
        }
    }

    /// How many dispatches this is.
    #[must_use]
    pub fn dispatches(&self) -> usize {
        self.steps.len()
    }

    /// Bytes of memory besides the buffers of the caller.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.kept.iter().map(|buffer| buffer.size()).sum()
    }
}
