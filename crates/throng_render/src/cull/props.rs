//! Lists of clusters of props.

use throng_gpu::compact::Compact;
use throng_gpu::{Buffer, GROUP, Gpu, GpuError, Kernel, Library, Pass, Pool, Prepared, groups_for};

use super::{Filter, Filters};
use crate::props::{CLUSTER, PropBuffers};

/// Culls clusters of props.
#[derive(Debug)]
pub(crate) struct PropCull {
    cast: Kernel,
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
    /// Of a split all casters; of the picture those lit by pixels, and those lit by vertices.
    pub(crate) parts: Vec<PropPart>,
}

/// What one draw draws.
#[derive(Debug)]
pub(crate) struct PropPart {
    /// Numbers of the pairs to draw.
    pub(crate) list: Buffer,
    /// Arguments of the draw.
    pub(crate) draw: Buffer,
}

impl PropCull {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &super::SHADER, super::defs())?;
        Ok(Self {
            cast: program.kernel("classify_casters")?,
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
        picture: bool,
    ) -> Result<PropList, GpuError> {
        let pairs = props.pair_count;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let filter = pool.buffer("filter", size_of::<Filter>() as u64, uniform)?;
        let vertices = pool.buffer("cluster vertices", 16, uniform)?;
        pool.gpu().write(&vertices, 0, &[3 * CLUSTER, 0, 0, 0]);
        let mut flags = Vec::new();
        for _ in 0..=usize::from(picture) {
            flags.push(pool.array::<u32>("flags", pairs.max(1) as usize)?);
        }
        let mut work = Prepared::new();
        let mut bindings = vec![
            (0, view),
            (1, filter.as_entire_binding()),
            (10, props.pairs.as_entire_binding()),
            (11, props.instances.as_entire_binding()),
            (12, props.clusters.as_entire_binding()),
        ];
        bindings.extend((6..).zip(flags.iter().map(|flags| flags.as_entire_binding())));
        let classify = if picture { &self.classify } else { &self.cast };
        work.push(classify.step(&bindings, groups_for(pairs, GROUP))?);
        let mut parts = Vec::new();
        for flags in flags {
            parts.push(self.part(pool, &mut work, &flags, &vertices, pairs)?);
            work.keep(flags);
        }
        work.keep(vertices);
        Ok(PropList { work, filter, pairs, parts })
    }

    /// The list of what is flagged, and its draw.
    fn part(
        &self,
        pool: &Pool,
        work: &mut Prepared,
        flags: &Buffer,
        vertices: &Buffer,
        pairs: u32,
    ) -> Result<PropPart, GpuError> {
        let list = pool.array::<u32>("list", pairs.max(1) as usize)?;
        let kept = pool.array::<u32>("kept", 2)?;
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let draw = pool.buffer("draws", 16, usage)?;
        work.append(self.compact.bind(pool, flags, None, &list, &kept, pairs.into())?);
        let bindings = [
            (13, kept.as_entire_binding()),
            (17, draw.as_entire_binding()),
            (18, vertices.as_entire_binding()),
        ];
        work.push(self.write.step(&bindings, [1, 1, 1])?);
        work.keep(kept);
        Ok(PropPart { list, draw })
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
