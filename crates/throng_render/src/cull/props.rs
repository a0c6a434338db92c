//! Lists of clusters of props.

use throng_gpu::compact::Compact;
use throng_gpu::{Buffer, GROUP, Gpu, GpuError, Kernel, Library, Pass, Pool, Prepared, groups_for};

use super::{Filter, Filters};
use crate::props::{CLUSTER, PropBuffers};

/// Culls clusters of props.
#[derive(Debug)]
pub(crate) struct PropCull {
    classify: Kernel,
    write: Kernel,
    compact: Compact,
}

/// What one view draws of the props.
#[derive(Debug)]
pub(crate) struct PropList {
    work: Prepared,
    filter: Buffer,
    pairs: u32,
    /// Numbers of the pairs to draw.
    pub(crate) list: Buffer,
    /// Arguments of the draw.
    pub(crate) draw: Buffer,
}

impl PropCull {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &super::SHADER, super::defs())?;
        Ok(Self {
            classify: program.kernel("classify_clusters")?,
            write: program.kernel("write_plain_draw")?,
            compact: Compact::new(gpu)?,
        })
    }

    pub(crate) fn bind(
        &self,
        pool: &Pool,
        view: wgpu::BindingResource<'_>,
        props: &PropBuffers,
    ) -> Result<PropList, GpuError> {
        let pairs = props.pair_count;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let filter = pool.buffer("filter", size_of::<Filter>() as u64, uniform)?;
        let vertices = pool.buffer("cluster vertices", 16, uniform)?;
        pool.gpu().write(&vertices, 0, &[3 * CLUSTER, 0, 0, 0]);
        let flags = pool.array::<u32>("flags", pairs.max(1) as usize)?;
        let list = pool.array::<u32>("list", pairs.max(1) as usize)?;
        let kept = pool.array::<u32>("kept", 2)?;
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let draw = pool.buffer("draws", 16, usage)?;
        let mut work = Prepared::new();
        let bindings = [
            (0, view),
            (1, filter.as_entire_binding()),
            (6, flags.as_entire_binding()),
            (10, props.pairs.as_entire_binding()),
            (11, props.instances.as_entire_binding()),
            (12, props.clusters.as_entire_binding()),
        ];
        work.push(self.classify.step(&bindings, groups_for(pairs, GROUP))?);
        work.append(self.compact.bind(pool, &flags, None, &list, &kept, pairs.into())?);
        let bindings = [
            (13, kept.as_entire_binding()),
            (17, draw.as_entire_binding()),
            (18, vertices.as_entire_binding()),
        ];
        work.push(self.write.step(&bindings, [1, 1, 1])?);
        for buffer in [flags, kept, vertices] {
            work.keep(buffer);
        }
        Ok(PropList { work, filter, pairs, list, draw })
    }
}

impl PropList {
    /// `pixels`: of the picture, to a unit at distance 1.
    pub(crate) fn set(&self, gpu: &Gpu, filters: &Filters, pixels: f32) {
        let filter = Filter {
            frustum: filters.frustum.into(),
            detail: filters.detail.into(),
            pixels,
            at_most: self.pairs,
            ..bytemuck::Zeroable::zeroed()
        };
        gpu.write(&self.filter, 0, &[filter]);
    }

    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }
}
