//! The light map that passes see: a baked one, or one texel of open sky.

use crate::lightmap::{LightMap, LightMapUniforms};
use crate::sky::Sky;

/// A light map on the GPU.
#[derive(Debug)]
pub(crate) struct MapTexture {
    pub(crate) view: wgpu::TextureView,
    pub(crate) uniforms: LightMapUniforms,
    /// Whether it was baked, rather than the open sky.
    pub(crate) baked: bool,
}

impl MapTexture {
    pub(crate) fn new(gpu: &throng_gpu::Gpu, map: &LightMap) -> Self {
        let texture = map.texture(gpu.device(), gpu.queue());
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        Self { view, uniforms: map.uniforms(), baked: true }
    }

    /// Nothing is between any place and the sky.
    pub(crate) fn open(gpu: &throng_gpu::Gpu, sky: &Sky) -> Self {
        let made = Self::new(gpu, &LightMap::open(sky));
        // Every place is in its one texel.
        let uniforms = LightMapUniforms { inverse_extent: glam::Vec2::ZERO, ..made.uniforms };
        Self { uniforms, baked: false, ..made }
    }
}
