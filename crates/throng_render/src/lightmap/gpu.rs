//! A light map as a texture.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::{LAYERS, LightMap};

/// Where a light map lies; of the same name in `throng_render::lightmap`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct LightMapUniforms {
    /// World position of its corner, m.
    pub origin: Vec2,
    /// One over its extent, 1/m.
    pub inverse_extent: Vec2,
}

impl LightMap {
    /// Where it lies, for WGSL.
    #[must_use]
    pub fn uniforms(&self) -> LightMapUniforms {
        LightMapUniforms { origin: self.origin, inverse_extent: self.extent.recip() }
    }

    /// A texture of seven layers, `Rgba16Float`, to be viewed as an array and sampled with linear filtering.
    #[must_use]
    pub fn texture(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::Texture {
        let size = wgpu::Extent3d {
            width: self.width as u32,
            height: self.height as u32,
            depth_or_array_layers: LAYERS as u32,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("light map"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(8 * self.width as u32),
            rows_per_image: Some(self.height as u32),
        };
        queue.write_texture(
            texture.as_image_copy(),
            bytemuck::cast_slice(self.layers()),
            layout,
            size,
        );
        texture
    }
}
