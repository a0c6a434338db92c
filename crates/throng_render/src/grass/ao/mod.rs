//! Light that reaches the grass: how much of the sky is free at places of a volume over the field, and where its
//! middle lies (ambient occlusion with bent normals).
//!
//! Takes the land with what stands on it as heights; gives a texture of three dimensions that follows the ground: its
//! layers lie at heights above it. For each voxel and each of many directions around it the horizon is found once;
//! what lies above it is free. The sky itself is not in the volume: its light is evaluated where grass is drawn, from
//! its spherical harmonics, so that another hour needs no other volume.

mod bake;

pub(crate) use bake::{Horizon, voxels};

use glam::Vec3;
use half::f16;
use throng_gpu::{Gpu, GpuError};

use crate::targets::Target;

/// Voxels along x and y, and layers.
pub(crate) const SIZE: [u32; 3] = [64, 64, 4];
/// Height of the last layer above the ground (metres).
pub(crate) const HIGH: f32 = 1.2;

/// Makes the texture: the mean of the free directions, and the share of the sky that is free.
pub(crate) fn texture(gpu: &Gpu, voxels: &[(Vec3, f32)]) -> Result<Target, GpuError> {
    let [width, height, depth] = SIZE;
    let extent = wgpu::Extent3d { width, height, depth_or_array_layers: depth };
    let texture = gpu.scoped("surroundings", || {
        gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("surroundings"),
            size: extent,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D3,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        })
    })?;
    let numbers = voxels.iter().flat_map(|(b, a)| [b.x, b.y, b.z, *a]);
    let bytes: Vec<u8> = numbers.flat_map(|x| f16::from_f32(x).to_le_bytes()).collect();
    gpu.queue().write_texture(
        texture.as_image_copy(),
        &bytes,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * 8),
            rows_per_image: Some(height),
        },
        extent,
    );
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    Ok(Target { texture, view })
}
