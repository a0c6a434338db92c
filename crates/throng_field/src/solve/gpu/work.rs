//! The kernels of the fields, and what they are bound to.

use super::gpu::{CostKind, FieldShape, GpuFields, MOST_ROWS, Notice};
use super::{DEFS, MODULES, PUBLISH, RELAX, RENEW, TILE, TURN};
use crate::direction::stencil::PASSING;
use crate::solve::update::UNREACHED;
use throng_gpu::{Buffer, Gpu, GpuError, Groups, Kernel, Library, Pass, Pool, Step};

/// Sizes, as the kernels have them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) groups: u32,
    pub(super) tiles_across: u32,
    pub(super) tiles: u32,
    pub(super) row: u32,
    pub(super) costs: u32,
    pub(super) cell_size: f32,
    pub(super) unreached: f32,
    pub(super) asked_only: u32,
    pub(super) unused_a: u32,
    pub(super) unused_b: u32,
}

/// How directions turn at closed corners.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Turns {
    pub(super) passing: f32,
    pub(super) beside: f32,
    pub(super) unused_a: f32,
    pub(super) unused_b: f32,
}

/// The compiled kernels, for fields of any size.
#[derive(Debug)]
pub struct FieldKernels {
    call: Kernel,
    compare: Kernel,
    reset: Kernel,
    relax: Kernel,
    settle: Kernel,
    publish: Kernel,
}

impl FieldKernels {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// The driver refuses them.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let library = Library::new()?.with(MODULES)?;
        let renew = library.program(gpu, &RENEW, DEFS)?;
        Ok(Self {
            call: renew.kernel("call")?,
            compare: renew.kernel("compare")?,
            reset: renew.kernel("reset")?,
            settle: renew.kernel("settle")?,
            relax: library.program(gpu, &RELAX, DEFS)?.kernel("relax")?,
            publish: library.program(gpu, &PUBLISH, DEFS)?.kernel("publish")?,
        })
    }
}

impl GpuFields {
    /// Binds the kernels to these fields and to a cost buffer of the caller: `f32` per cell in row
    /// order, infinite where blocked. Whatever is no cost (zero, negative, no number) blocks too.
    ///
    /// # Errors
    /// A cost buffer that is too small; a buffer beyond the limits of bindings.
    pub fn bind(
        &self,
        pool: &Pool,
        kernels: &FieldKernels,
        cost: &wgpu::Buffer,
        kind: CostKind,
    ) -> Result<FieldWork, GpuError> {
        self.bind_with(pool, kernels, cost, kind, Notice::All)
    }

    /// As [`GpuFields::bind`], with a say in which groups look for changes.
    ///
    /// # Errors
    /// As [`GpuFields::bind`].
    pub fn bind_with(
        &self,
        pool: &Pool,
        kernels: &FieldKernels,
        cost: &wgpu::Buffer,
        kind: CostKind,
        notice: Notice,
    ) -> Result<FieldWork, GpuError> {
        let FieldShape { width, height, groups, cell_size } = self.shape;
        let costs = match kind {
            CostKind::Shared => 1,
            CostKind::PerGroup => groups,
            CostKind::First(own) => groups.min(own.saturating_add(1)),
        };
        let needed = 4 * u64::from(costs) * self.cells as u64;
        if cost.size() < needed {
            let what = "cost of the fields".to_owned();
            return Err(GpuError::TooSmall { what, bytes: cost.size(), needed });
        }
        let (tiles_across, tiles_down) = (width.div_ceil(TILE), height.div_ceil(TILE));
        let tiles = tiles_across * tiles_down;
        let frame = Frame {
            width,
            height,
            groups,
            tiles_across,
            tiles,
            row: (tiles * groups).div_ceil(MOST_ROWS),
            costs,
            cell_size,
            unreached: UNREACHED,
            asked_only: u32::from(notice == Notice::Asked),
            ..Frame::default()
        };
        let beside = (1.0 - PASSING * PASSING).sqrt();
        let turns = Turns { passing: PASSING, beside, ..Turns::default() };
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let sizes = pool.buffer("field sizes", size_of::<Frame>() as u64, uniform)?;
        let corners = pool.buffer("field turns", size_of::<Turns>() as u64, uniform)?;
        self.gpu.write(&sizes, 0, &[frame]);
        self.gpu.write(&corners, 0, &[turns]);

        let [even, odd, ..] = &self.lists;
        let [called, done] = &self.agendas;
        let call = [
            (0, sizes.as_entire_binding()),
            (7, self.state.as_entire_binding()),
            (10, called.as_entire_binding()),
        ];
        let compare = [
            (0, sizes.as_entire_binding()),
            (1, cost.as_entire_binding()),
            (2, self.given_start.as_entire_binding()),
            (3, self.cost.as_entire_binding()),
            (4, self.start.as_entire_binding()),
            (5, self.potential.as_entire_binding()),
            (7, self.state.as_entire_binding()),
            (11, called.as_entire_binding()),
        ];
        let reset = [
            (0, sizes.as_entire_binding()),
            (4, self.start.as_entire_binding()),
            (5, self.potential.as_entire_binding()),
            (6, self.work.as_entire_binding()),
            (7, self.state.as_entire_binding()),
            (8, even.as_entire_binding()),
            (9, odd.as_entire_binding()),
            (11, called.as_entire_binding()),
        ];
        let settle = [
            (0, sizes.as_entire_binding()),
            (7, self.state.as_entire_binding()),
            (10, done.as_entire_binding()),
        ];
        let publish = [
            (0, sizes.as_entire_binding()),
            (1, corners.as_entire_binding()),
            (2, self.work.as_entire_binding()),
            (3, self.start.as_entire_binding()),
            (4, done.as_entire_binding()),
            (5, self.potential.as_entire_binding()),
            (6, self.directions.as_entire_binding()),
            (7, self.cost.as_entire_binding()),
            (8, self.solved_cost.as_entire_binding()),
            (9, self.state.as_entire_binding()),
        ];
        let relax = |turn: usize| {
            let list = |later: usize| &self.lists[(turn + later) % self.lists.len()];
            let bindings = [
                (0, sizes.as_entire_binding()),
                (1, list(0).as_entire_binding()),
                (2, list(1).as_entire_binding()),
                (3, list(2).as_entire_binding()),
                (4, list(3).as_entire_binding()),
                (5, self.cost.as_entire_binding()),
                (6, self.work.as_entire_binding()),
                (7, self.state.as_entire_binding()),
            ];
            kernels.relax.step(&bindings, Groups::Indirect(list(0).raw().clone(), 0))
        };
        Ok(FieldWork {
            begin: [
                kernels.call.step(&call, [1, 1, 1])?,
                kernels.compare.step(&compare, Groups::Indirect(called.raw().clone(), 0))?,
                kernels.reset.step(&reset, Groups::Indirect(called.raw().clone(), 0))?,
            ],
            rounds: [relax(0)?, relax(1)?, relax(2)?, relax(3)?],
            end: [
                kernels.settle.step(&settle, [1, 1, 1])?,
                kernels.publish.step(&publish, Groups::Indirect(done.raw().clone(), 0))?,
            ],
            _kept: [sizes, corners],
        })
    }
}

/// Kernels bound to fields.
#[derive(Debug)]
pub struct FieldWork {
    begin: [Step; 3],
    rounds: [Step; TURN as usize],
    end: [Step; 2],
    _kept: [Buffer; 2],
}

impl FieldWork {
    /// Records one step: changes are taken over, `rounds` rounds (rounded up to a multiple of [`TURN`])
    /// go on where the last step ended, and groups that are done are handed out.
    pub fn record(&self, pass: &mut Pass<'_>, rounds: u32) {
        self.begin.iter().for_each(|step| pass.step(step));
        for _ in 0..rounds.div_ceil(TURN).max(1) {
            self.rounds.iter().for_each(|step| pass.step(step));
        }
        self.end.iter().for_each(|step| pass.step(step));
    }

    /// How many dispatches so many rounds are.
    #[must_use]
    pub fn dispatches(&self, rounds: u32) -> usize {
        let turns = rounds.div_ceil(TURN).max(1) as usize;
        self.begin.len() + turns * self.rounds.len() + self.end.len()
    }
}
