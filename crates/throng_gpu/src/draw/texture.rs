//! Textures, and their pixels on the CPU.

use crate::{Gpu, GpuError};

/// What a texture of two dimensions is made from.
#[derive(Clone, Copy, Debug)]
pub struct Texture2<'a> {
    /// What it is for.
    pub label: &'a str,
    /// Texels across and down.
    pub size: [u32; 2],
    /// Layers; 1 for a plain texture.
    pub layers: u32,
    /// Levels of detail.
    pub levels: u32,
    /// Samples to a texel.
    pub samples: u32,
    /// Format of a texel.
    pub format: wgpu::TextureFormat,
    /// What is done with it.
    pub usage: wgpu::TextureUsages,
}

impl<'a> Texture2<'a> {
    /// One layer, one level, one sample.
    #[must_use]
    pub fn new(
        label: &'a str,
        size: [u32; 2],
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> Self {
        Self { label, size, layers: 1, levels: 1, samples: 1, format, usage }
    }
}

/// Texels of a texture, row by row without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Texels across.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes of all texels, in the texture's format.
    pub bytes: Vec<u8>,
}

impl Gpu {
    /// A texture.
    ///
    /// # Errors
    /// A side of nothing or beyond the device's limit; out of memory.
    pub fn texture(&self, made: &Texture2<'_>) -> Result<wgpu::Texture, GpuError> {
        let most = u64::from(self.device().limits().max_texture_dimension_2d);
        for side in made.size {
            if side == 0 || u64::from(side) > most {
                let what = "side of a texture";
                return Err(GpuError::OutOfRange { what, value: side.into(), least: 1, most });
            }
        }
        self.scoped(made.label, || {
            self.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(made.label),
                size: wgpu::Extent3d {
                    width: made.size[0],
                    height: made.size[1],
                    depth_or_array_layers: made.layers,
                },
                mip_level_count: made.levels,
                sample_count: made.samples,
                dimension: wgpu::TextureDimension::D2,
                format: made.format,
                usage: made.usage,
                view_formats: &[],
            })
        })
    }

    /// Writes one level of one layer of a texture, rows without gaps.
    ///
    /// # Errors
    /// The bytes do not fill the level; a format that is not written by texels.
    pub fn write_texture(
        &self,
        texture: &wgpu::Texture,
        (layer, level): (u32, u32),
        bytes: &[u8],
    ) -> Result<(), GpuError> {
        let (width, height) = ((texture.width() >> level).max(1), (texture.height() >> level).max(1));
        let row = width * texel_bytes(texture)?;
        let needed = u64::from(row) * u64::from(height);
        if bytes.len() as u64 != needed {
            let what = "content of a texture".to_owned();
            return Err(GpuError::TooSmall { what, bytes: bytes.len() as u64, needed });
        }
        self.counters().uploaded.add(needed);
        self.queue().write_texture(
            wgpu::TexelCopyTextureInfo {
                texture,
                mip_level: level,
                origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                aspect: wgpu::TextureAspect::All,
            },
            bytes,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row),
                rows_per_image: Some(height),
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        Ok(())
    }

    /// Reads the first layer and level of a texture and waits for it. For stills, clips and tests.
    ///
    /// # Errors
    /// A format that cannot be copied by texels; the device is lost or out of memory.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_texture(&self, texture: &wgpu::Texture) -> Result<Pixels, GpuError> {
        self.read_layer(texture, 0)
    }

    /// Reads the first level of one layer of a texture and waits for it.
    ///
    /// # Errors
    /// As [`Gpu::read_texture`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_layer(&self, texture: &wgpu::Texture, layer: u32) -> Result<Pixels, GpuError> {
        let (width, height) = (texture.width(), texture.height());
        let row = width * texel_bytes(texture)?;
        // Rows of a copy begin at multiples of this.
        let stride = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let staging = self.scoped("reading a texture", || {
            let staging = self.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("reading a texture"),
                size: u64::from(stride) * u64::from(height),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            let mut encoder = self.encoder("reading a texture");
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo {
                    origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                    ..texture.as_image_copy()
                },
                wgpu::TexelCopyBufferInfo {
                    buffer: &staging,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(stride),
                        rows_per_image: Some(height),
                    },
                },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
            self.submit(encoder);
            staging
        })?;
        let padded = self.read::<u8>(&staging, stride as usize * height as usize)?;
        let rows = padded.chunks_exact(stride as usize).flat_map(|all| &all[..row as usize]);
        Ok(Pixels { width, height, bytes: rows.copied().collect() })
    }
}

fn texel_bytes(texture: &wgpu::Texture) -> Result<u32, GpuError> {
    texture.format().block_copy_size(None).ok_or_else(|| GpuError::Validation {
        what: "copying a texture".to_owned(),
        reason: format!("{:?} has no single size of a texel", texture.format()),
    })
}
