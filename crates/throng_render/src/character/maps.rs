//! Maps of a character as textures, with smaller and smaller levels.

use throng_character::Maps;
use throng_gpu::draw::Texture2;
use throng_gpu::{Gpu, GpuError};

use crate::targets::Target;

/// Levels after the first: beyond, charts of an atlas run into each other.
const LEVELS: u32 = 6;

/// Colour, and relief with what hangs on it.
#[derive(Debug)]
pub(crate) struct MapTextures {
    albedo: Target,
    relief: Target,
    sampler: wgpu::Sampler,
}

impl MapTextures {
    pub(crate) fn new(gpu: &Gpu, maps: &Maps) -> Result<Self, GpuError> {
        let most = gpu.device().limits().max_texture_dimension_2d;
        let maps = if maps.width == 0 || maps.height == 0 || maps.width.max(maps.height) > most {
            &Maps::flat(1, 1, vec![[160, 160, 160, 0]])
        } else {
            maps
        };
        let size = [maps.width, maps.height];
        let albedo = texture(gpu, size, &maps.albedo, wgpu::TextureFormat::Rgba8UnormSrgb)?;
        let relief = texture(gpu, size, &maps.normal, wgpu::TextureFormat::Rgba8Unorm)?;
        let sampler = gpu.device().create_sampler(&wgpu::SamplerDescriptor {
            label: Some("maps of a character"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        Ok(Self { albedo, relief, sampler })
    }

    pub(crate) fn resources(&self) -> [wgpu::BindingResource<'_>; 3] {
        [
            wgpu::BindingResource::TextureView(&self.albedo.view),
            wgpu::BindingResource::TextureView(&self.relief.view),
            wgpu::BindingResource::Sampler(&self.sampler),
        ]
    }
}

fn texture(
    gpu: &Gpu,
    size: [u32; 2],
    texels: &[[u8; 4]],
    format: wgpu::TextureFormat,
) -> Result<Target, GpuError> {
    let levels = (size[0].min(size[1]).max(1).ilog2() + 1).min(LEVELS);
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    let made = Texture2 { levels, ..Texture2::new("maps of a character", size, format, usage) };
    let target = Target::new(gpu, &made)?;
    let mut now = texels.to_vec();
    let mut size = size;
    for level in 0..levels {
        gpu.write_texture(&target.texture, (0, level), bytemuck::cast_slice(&now))?;
        (now, size) = halved(&now, size);
    }
    Ok(target)
}

/// Means of two by two. Colours are meant as they are stored: a little darker than by light, and nobody sees it.
fn halved(texels: &[[u8; 4]], [width, height]: [u32; 2]) -> (Vec<[u8; 4]>, [u32; 2]) {
    let size = [(width / 2).max(1), (height / 2).max(1)];
    let at = |x: u32, y: u32| texels[(y.min(height - 1) * width + x.min(width - 1)) as usize];
    let mut out = Vec::with_capacity((size[0] * size[1]) as usize);
    for y in 0..size[1] {
        for x in 0..size[0] {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| at(2 * x + i, 2 * y + j));
            out.push([0, 1, 2, 3].map(|c| {
                let sum: u32 = four.iter().map(|t| u32::from(t[c])).sum();
                ((sum + 2) / 4) as u8
            }));
        }
    }
    (out, size)
}
