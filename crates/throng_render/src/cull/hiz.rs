//! The pyramid of farthest depth.

use throng_gpu::pyramid::{Pyramid, texels};
use throng_gpu::{Buffer, Gpu, GpuError, Kernel, Library, Pass, Pool, Prepared};

/// Makes pyramids of depth.
#[derive(Debug)]
pub(crate) struct HizMaker {
    flatten: Kernel,
    pyramid: Pyramid,
}

/// The pyramid of one depth texture.
#[derive(Debug)]
pub(crate) struct Hiz {
    work: Prepared,
    /// Farthest depth per pixel.
    pub(crate) image: Buffer,
    /// Levels above, as pairs of least and greatest.
    pub(crate) levels: Buffer,
}

impl Hiz {
    pub(crate) fn maker(gpu: &Gpu, library: &Library) -> Result<HizMaker, GpuError> {
        let program = library.program(gpu, &super::HIZ_SHADER, &[])?;
        Ok(HizMaker { flatten: program.kernel("farthest")?, pyramid: Pyramid::new(gpu)? })
    }

    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }
}

impl HizMaker {
    /// For a depth texture of several samples.
    pub(crate) fn bind(
        &self,
        pool: &Pool,
        depth: &wgpu::TextureView,
        size: [u32; 2],
    ) -> Result<Hiz, GpuError> {
        let [width, height] = size;
        let image = pool.array::<f32>("farthest depth", (width * height) as usize)?;
        let levels =
            pool.array::<[f32; 2]>("depth pyramid", texels(width, height).max(1) as usize)?;
        let mut work = Prepared::new();
        let bindings =
            [(0, wgpu::BindingResource::TextureView(depth)), (1, image.as_entire_binding())];
        work.push(self.flatten.step(&bindings, [width.div_ceil(16), height.div_ceil(16), 1])?);
        work.append(self.pyramid.bind(pool, &image, size, &levels)?);
        Ok(Hiz { work, image, levels })
    }
}
