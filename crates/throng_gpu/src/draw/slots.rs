//! Layouts of bind groups.

use crate::{Gpu, GpuError};

/// One thing in a bind group; numbered by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A uniform buffer.
    Uniform,
    /// A uniform buffer of so many bytes that is bound with an offset at the time of drawing.
    UniformAt(u64),
    /// A storage buffer that is read.
    Storage,
    /// A texture that is filtered.
    Texture(wgpu::TextureViewDimension),
    /// A texture of floats that is loaded texel by texel.
    Texels,
    /// A depth texture of one sample to a texel.
    Depth(wgpu::TextureViewDimension),
    /// A depth texture of several samples to a texel.
    DepthSamples,
    /// A sampler that filters.
    Sampler,
    /// A sampler that compares.
    Comparison,
}

impl Slot {
    fn ty(self) -> wgpu::BindingType {
        let buffer = |ty, dynamic: bool, bytes| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: dynamic,
            min_binding_size: wgpu::BufferSize::new(bytes),
        };
        let texture = |sample_type, view_dimension, multisampled| wgpu::BindingType::Texture {
            sample_type,
            view_dimension,
            multisampled,
        };
        let flat = wgpu::TextureViewDimension::D2;
        match self {
            Self::Uniform => buffer(wgpu::BufferBindingType::Uniform, false, 0),
            Self::UniformAt(bytes) => buffer(wgpu::BufferBindingType::Uniform, true, bytes),
            Self::Storage => buffer(wgpu::BufferBindingType::Storage { read_only: true }, false, 0),
            Self::Texture(dimension) => {
                texture(wgpu::TextureSampleType::Float { filterable: true }, dimension, false)
            }
            Self::Texels => {
                texture(wgpu::TextureSampleType::Float { filterable: false }, flat, false)
            }
            Self::Depth(dimension) => texture(wgpu::TextureSampleType::Depth, dimension, false),
            Self::DepthSamples => texture(wgpu::TextureSampleType::Depth, flat, true),
            Self::Sampler => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            Self::Comparison => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
        }
    }
}

/// What a bind group of vertex and fragment shaders holds.
#[derive(Clone, Debug)]
pub struct Slots {
    gpu: Gpu,
    label: String,
    layout: wgpu::BindGroupLayout,
}

impl Slots {
    /// Slots 0, 1, 2, … for both stages.
    ///
    /// # Errors
    /// More than the device allows.
    pub fn new(gpu: &Gpu, label: &str, slots: &[Slot]) -> Result<Self, GpuError> {
        let entries: Vec<_> = (0..)
            .zip(slots)
            .map(|(binding, slot)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: slot.ty(),
                count: None,
            })
            .collect();
        let layout = gpu.scoped(label, || {
            gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries: &entries,
            })
        })?;
        Ok(Self { gpu: gpu.clone(), label: label.to_owned(), layout })
    }

    /// A group that fills the slots in their order.
    ///
    /// # Errors
    /// Too few, too many, or of the wrong kind.
    pub fn bind(
        &self,
        resources: &[wgpu::BindingResource<'_>],
    ) -> Result<wgpu::BindGroup, GpuError> {
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
            .collect();
        let group = self.gpu.scoped(&self.label, || {
            self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(&self.label),
                layout: &self.layout,
                entries: &entries,
            })
        })?;
        self.gpu.counters().bind_groups.add(1);
        Ok(group)
    }

    /// The layout of wgpu.
    #[must_use]
    pub fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }
}
