//! Lists of agents, for the picture and for shadow splits.

use throng_gpu::compact::Compact;
use throng_gpu::{
    Buffer, Count, GROUP, Gpu, GpuError, Kernel, Library, Pass, Pool, Prepared, groups_for,
};

use super::home::{HomeKernels, Homes, PACKED};
use super::{CLASSES, Filter, Hiz};

/// Bytes of the arguments of an indexed draw.
pub(crate) const DRAW: u64 = 20;

/// Culls agents.
#[derive(Debug)]
pub(crate) struct CrowdCull {
    look: Kernel,
    hide: Kernel,
    sort: Kernel,
    write_draws: Kernel,
    homes: HomeKernels,
    compact: Compact,
}

/// Where agents are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentSource<'a> {
    pub(crate) instances: &'a wgpu::Buffer,
    pub(crate) count: Count<'a>,
    pub(crate) count_buffer: &'a wgpu::Buffer,
}

/// What one view draws of the crowd.
#[derive(Debug)]
pub(crate) struct CrowdLists {
    look: Prepared,
    work: Prepared,
    filter: Buffer,
    /// Numbers of the agents to draw, per class.
    pub(crate) lists: Vec<Buffer>,
    /// Arguments of the draws, one after the other.
    pub(crate) draws: Buffer,
    /// How many are kept, per class: the first of two words each.
    pub(crate) kept: Vec<Buffer>,
}

impl CrowdCull {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let program = library.program(gpu, &super::SHADER, super::defs())?;
        Ok(Self {
            look: program.kernel("look")?,
            hide: program.kernel("hide")?,
            sort: program.kernel("sort")?,
            write_draws: program.kernel("write_draws")?,
            homes: HomeKernels::new(&program)?,
            compact: Compact::new(gpu)?,
        })
    }

    /// Classes and slots for all views; so many slots per class.
    pub(crate) fn homes(
        &self,
        pool: &Pool,
        picture: wgpu::BindingResource<'_>,
        agents: AgentSource<'_>,
        slots: [u32; PACKED],
    ) -> Result<Homes, GpuError> {
        let AgentSource { instances, count, count_buffer } = agents;
        let (kernels, compact) = (&self.homes, &self.compact);
        Homes::new(kernels, compact, pool, picture, instances, count, count_buffer, slots)
    }

    /// Lists for a view, of all classes, of `indices` each. With a pyramid: the picture. Without: casters of a
    /// shadow split.
    pub(crate) fn bind(
        &self,
        pool: &Pool,
        view: &wgpu::BindingResource<'_>,
        agents: AgentSource<'_>,
        homes: &Homes,
        hiz: Option<&Hiz>,
        indices: [u32; CLASSES],
    ) -> Result<CrowdLists, GpuError> {
        let AgentSource { instances, count, count_buffer } = agents;
        let most = count.at_most();
        let groups = groups_for(most, GROUP);
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let filter = pool.buffer("filter", size_of::<Filter>() as u64, uniform)?;
        let index_counts = pool.buffer("index counts", 16, uniform)?;
        pool.gpu().write(&index_counts, 0, &indices);
        let each = |label: &str, words: usize| -> Result<Vec<Buffer>, GpuError> {
            (0..CLASSES).map(|_| pool.array::<u32>(label, words)).collect()
        };
        let flags = each("flags", most.max(1) as usize)?;
        let lists = each("list", most.max(1) as usize)?;
        let kept = each("kept", 2)?;
        let usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::INDIRECT
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        let draws = pool.buffer("draws", DRAW * CLASSES as u64, usage)?;
        let seen = || {
            vec![
                (0, view.clone()),
                (1, filter.as_entire_binding()),
                (2, instances.as_entire_binding()),
                (3, count_buffer.as_entire_binding()),
                (19, homes.wanted.as_entire_binding()),
            ]
        };
        let mut look = Prepared::new();
        look.push(self.look.step(&seen(), groups)?);
        let mut work = Prepared::new();
        if let Some(hiz) = hiz {
            let mut bindings = seen();
            bindings.push((4, hiz.image.as_entire_binding()));
            bindings.push((5, hiz.levels.as_entire_binding()));
            work.push(self.hide.step(&bindings, groups)?);
        }
        let mut bindings = vec![
            (1, filter.as_entire_binding()),
            (3, count_buffer.as_entire_binding()),
            (19, homes.wanted.as_entire_binding()),
            (20, homes.home.as_entire_binding()),
        ];
        bindings.extend((6..).zip(flags.iter().map(|f| f.as_entire_binding())));
        work.push(self.sort.step(&bindings, groups)?);
        for i in 0..CLASSES {
            work.append(self.compact.bind(pool, &flags[i], None, &lists[i], &kept[i], count)?);
        }
        let mut bindings: Vec<_> = (13..).zip(kept.iter().map(|k| k.as_entire_binding())).collect();
        bindings.push((17, draws.as_entire_binding()));
        bindings.push((18, index_counts.as_entire_binding()));
        work.push(self.write_draws.step(&bindings, [1, 1, 1])?);
        flags.into_iter().for_each(|buffer| work.keep(buffer));
        work.keep(index_counts);
        Ok(CrowdLists { look, work, filter, lists, draws, kept })
    }
}

impl CrowdLists {
    pub(crate) fn set(&self, gpu: &Gpu, filter: Filter) {
        gpu.write(&self.filter, 0, &[filter]);
    }

    /// Whom the view may see.
    pub(crate) fn look(&self, pass: &mut Pass<'_>) {
        self.look.record(pass);
    }

    /// Whom it draws, after classes are known.
    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }
}
