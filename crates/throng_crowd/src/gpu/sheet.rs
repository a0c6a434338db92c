//! Sheets: words or fours of words as textures, for what kernels read in no order. Units for textures gather
//! where plain loads of storage are taken apart lane by lane. Kernels read them as storage textures and have
//! them written by copies from buffers; see `wgsl/sheet.wgsl`.

use throng_gpu::{Gpu, GpuError};

use super::constants::{SHEET_MASK, SHEET_SHIFT};

/// Rows of a texture, by WebGPU's default limits.
const MOST_ROWS: u64 = 8192;

/// A texture of so many elements in rows, in one or more layers.
#[derive(Debug)]
pub(crate) struct Sheet {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    element: Element,
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Word,
    Four,
}

impl Element {
    fn words(self) -> usize {
        match self {
            Self::Word => 1,
            Self::Four => 4,
        }
    }
}

impl Sheet {
    /// A sheet of zeros.
    pub(crate) fn new(
        gpu: &Gpu,
        label: &str,
        element: Element,
        elements: usize,
        layers: u32,
    ) -> Result<Self, GpuError> {
        let width = SHEET_MASK + 1;
        let rows = (elements as u64).div_ceil(u64::from(width)).max(1);
        if rows > MOST_ROWS {
            let (what, value) = ("elements of a sheet", elements as u64);
            let most = MOST_ROWS * u64::from(width);
            return Err(GpuError::OutOfRange { what, value, least: 0, most });
        }
        let format = match element {
            Element::Word => wgpu::TextureFormat::R32Uint,
            Element::Four => wgpu::TextureFormat::Rgba32Uint,
        };
        gpu.scoped(label, || {
            let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height: rows as u32, depth_or_array_layers: layers },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::STORAGE_BINDING
                    | wgpu::TextureUsages::COPY_DST
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let dimension = match layers {
                1 => wgpu::TextureViewDimension::D2,
                _ => wgpu::TextureViewDimension::D2Array,
            };
            let view = texture.create_view(&wgpu::TextureViewDescriptor {
                label: Some(label),
                dimension: Some(dimension),
                ..Default::default()
            });
            Self { texture, view, element }
        })
    }

    /// The words of a layer.
    #[cfg(test)]
    pub(crate) fn read(&self, gpu: &Gpu, layer: u32) -> Vec<u32> {
        let bytes = gpu.read_layer(&self.texture, layer).unwrap().bytes;
        bytemuck::pod_collect_to_vec(&bytes)
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        let size = self.texture.size();
        let elements = u64::from(size.width) * u64::from(size.height);
        elements * u64::from(size.depth_or_array_layers) * 4 * self.element.words() as u64
    }

    /// A sheet of words, whole elements of them.
    pub(crate) fn of(
        gpu: &Gpu,
        label: &str,
        element: Element,
        words: &[u32],
    ) -> Result<Self, GpuError> {
        let sheet = Self::new(gpu, label, element, words.len() / element.words(), 1)?;
        sheet.write(gpu, words);
        Ok(sheet)
    }

    /// Writes whole elements from the first on.
    pub(crate) fn write(&self, gpu: &Gpu, words: &[u32]) {
        let per_row = self.element.words() << SHEET_SHIFT;
        let whole = words.len() / per_row * per_row;
        let (rows, rest) = words.split_at(whole);
        for (row, words, across) in [(0, rows, per_row), (whole / per_row, rest, rest.len())] {
            if words.is_empty() {
                continue;
            }
            let target = wgpu::TexelCopyTextureInfo {
                texture: &self.texture,
                mip_level: 0,
                origin: wgpu::Origin3d { x: 0, y: row as u32, z: 0 },
                aspect: wgpu::TextureAspect::All,
            };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(across as u32 * 4),
                rows_per_image: None,
            };
            let extent = wgpu::Extent3d {
                width: (across / self.element.words()) as u32,
                height: (words.len() / across) as u32,
                depth_or_array_layers: 1,
            };
            gpu.queue().write_texture(target, bytemuck::cast_slice(words), layout, extent);
        }
    }
}

impl Sheet {
    /// Records a copy of so many elements of a buffer, from a byte on, to a layer.
    pub(crate) fn copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        from: &wgpu::Buffer,
        offset: u64,
        elements: u32,
        layer: u32,
    ) {
        let width = SHEET_MASK + 1;
        let bytes = 4 * self.element.words() as u32;
        let (rows, rest) = (elements / width, elements % width);
        for (row, across, down) in [(0, width, rows), (rows, rest, 1)] {
            if across * down == 0 {
                continue;
            }
            let source = wgpu::TexelCopyBufferInfo {
                buffer: from,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: offset + u64::from(row) * u64::from(width * bytes),
                    bytes_per_row: Some(width * bytes),
                    rows_per_image: None,
                },
            };
            let target = wgpu::TexelCopyTextureInfo {
                texture: &self.texture,
                mip_level: 0,
                origin: wgpu::Origin3d { x: 0, y: row, z: layer },
                aspect: wgpu::TextureAspect::All,
            };
            let extent = wgpu::Extent3d { width: across, height: down, depth_or_array_layers: 1 };
            encoder.copy_buffer_to_texture(source, target, extent);
        }
    }
}

/// A sheet at a binding.
pub(crate) fn lay(binding: u32, sheet: &Sheet) -> (u32, wgpu::BindingResource<'_>) {
    (binding, wgpu::BindingResource::TextureView(&sheet.view))
}
