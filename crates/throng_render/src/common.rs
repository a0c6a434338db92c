//! What all passes of a renderer share: views, light, shadow maps, and the bind groups of them.

use throng_gpu::draw::{Slot, Slots, Texture2};
use throng_gpu::{Buffer, Gpu, GpuError, Pool};

use crate::View;
use crate::light::MapTexture;
use crate::renderer::{VIEW_STRIDE, VIEWS};
use crate::shadow::SPLITS;
use crate::targets::Target;

/// Bind groups that passes share.
#[derive(Debug)]
pub(crate) struct CommonSlots {
    pub(crate) view: Slots,
    pub(crate) nothing: Slots,
    pub(crate) light: Slots,
}

impl CommonSlots {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let array = wgpu::TextureViewDimension::D2Array;
        let light = [
            Slot::Uniform,
            Slot::Uniform,
            Slot::Depth(array),
            Slot::Comparison,
            Slot::Texture(array),
            Slot::Sampler,
        ];
        Ok(Self {
            view: Slots::new(gpu, "view", &[Slot::Uniform])?,
            nothing: Slots::new(gpu, "nothing", &[])?,
            light: Slots::new(gpu, "light", &light)?,
        })
    }
}

/// Uniforms and textures that every frame has.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) views: Buffer,
    pub(crate) view_groups: Vec<wgpu::BindGroup>,
    pub(crate) parts: LightParts,
    pub(crate) light_group: wgpu::BindGroup,
    pub(crate) nothing: wgpu::BindGroup,
    pub(crate) shadow_layers: Vec<wgpu::TextureView>,
    pub(crate) shadow_side: u32,
    pub(crate) smooth: wgpu::Sampler,
}

/// What the group of the light holds.
#[derive(Debug)]
pub(crate) struct LightParts {
    pub(crate) light: Buffer,
    pub(crate) shadow: Buffer,
    pub(crate) shadow_maps: Target,
    comparison: wgpu::Sampler,
    pub(crate) map: MapTexture,
}

impl Common {
    pub(crate) fn new(
        pool: &Pool,
        slots: &CommonSlots,
        side: u32,
        map: MapTexture,
    ) -> Result<Self, GpuError> {
        let gpu = pool.gpu();
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let views = pool.buffer("views", VIEW_STRIDE * VIEWS as u64, usage)?;
        let view_groups = (0..VIEWS as u64)
            .map(|i| slots.view.bind(&[view_binding(&views, i)]))
            .collect::<Result<_, _>>()?;
        let light = pool.buffer("light", 1024, usage)?;
        let shadow = pool.buffer("shadow", 512, usage)?;
        let maps = Texture2 {
            layers: SPLITS as u32,
            ..Texture2::new(
                "shadow maps",
                [side; 2],
                crate::shadow::FORMAT,
                wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
            )
        };
        let maps = Target::new(gpu, &maps)?;
        let shadow_layers = (0..SPLITS as u32)
            .map(|layer| {
                maps.texture.create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(wgpu::TextureViewDimension::D2),
                    base_array_layer: layer,
                    array_layer_count: Some(1),
                    ..Default::default()
                })
            })
            .collect();
        let comparison = gpu.device().create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let smooth = gpu.device().create_sampler(&wgpu::SamplerDescriptor {
            label: Some("smooth"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let parts = LightParts { light, shadow, shadow_maps: maps, comparison, map };
        Ok(Self {
            views,
            view_groups,
            light_group: parts.bind(slots, &smooth)?,
            parts,
            nothing: slots.nothing.bind(&[])?,
            shadow_layers,
            shadow_side: side,
            smooth,
        })
    }

    /// Another light map from now on.
    pub(crate) fn set_map(&mut self, slots: &CommonSlots, map: MapTexture) -> Result<(), GpuError> {
        self.parts.map = map;
        self.light_group = self.parts.bind(slots, &self.smooth)?;
        Ok(())
    }
}

impl LightParts {
    fn bind(
        &self,
        slots: &CommonSlots,
        smooth: &wgpu::Sampler,
    ) -> Result<wgpu::BindGroup, GpuError> {
        slots.light.bind(&[
            self.light.as_entire_binding(),
            self.shadow.as_entire_binding(),
            wgpu::BindingResource::TextureView(&self.shadow_maps.view),
            wgpu::BindingResource::Sampler(&self.comparison),
            wgpu::BindingResource::TextureView(&self.map.view),
            wgpu::BindingResource::Sampler(smooth),
        ])
    }
}

/// A view in the buffer of views.
pub(crate) fn view_binding(views: &wgpu::Buffer, number: u64) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: views,
        offset: number * VIEW_STRIDE,
        size: wgpu::BufferSize::new(size_of::<View>() as u64),
    })
}
