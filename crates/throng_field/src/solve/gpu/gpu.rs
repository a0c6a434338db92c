//! The host side of the fields.

use super::{
    BLOCK, DEFS, GpuFieldError, IDLE, LIST_HEAD, MODULES, NO_WAY, PUBLISH, RELAX, RENEW, TILE, TURN,
};
use crate::direction::stencil::PASSING;
use crate::grid::{GridError, check_size};
use crate::solve::update::UNREACHED;
use crate::solve::{SolveError, Source};
use throng_gpu::{Buffer, Gpu, GpuError, Groups, Kernel, Library, Pass, Pool, Step, workgroups};

/// Cells and groups of some fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldShape {
    /// Cells across.
    pub width: u32,
    /// Cells down.
    pub height: u32,
    /// Goal groups.
    pub groups: u32,
    /// Side of a cell in metres.
    pub cell_size: f32,
}

/// How the cost buffer is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostKind {
    /// One cost for all groups.
    Shared,
    /// One after the other for each group.
    PerGroup,
}

/// How far a group is, as the first words of [`GpuFields::state`] say, group after group.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct GroupState {
    /// Tiles that are due.
    pub pending: u32,
    pub(super) phase: u32,
    pub(super) threshold: u32,
    pub(super) solving: u32,
    /// How many solutions were handed out. Zero: there is none yet.
    pub published: u32,
    /// Recordings the present solution has taken so far.
    pub steps: u32,
    /// Recordings the last solution took.
    pub took: u32,
    /// Tiles relaxed so far, in all solutions; wraps around.
    pub visits: u32,
}

impl GroupState {
    /// Whether the group is solved for the cost and goals that it last took over.
    #[must_use]
    pub fn is_converged(&self) -> bool {
        self.pending == 0 && self.solving == 0
    }
}

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
    pub(super) cost_stride: u32,
    pub(super) cell_size: f32,
    pub(super) unreached: f32,
    pub(super) unused_a: u32,
    pub(super) unused_b: u32,
    pub(super) unused_c: u32,
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

/// Bits of "no potential".
const NO_POTENTIAL: u32 = f32::INFINITY.to_bits();
/// No threshold.
const NONE: u32 = u32::MAX;
/// The most workgroups in one dimension, by WebGPU's default limits.
const MOST_ROWS: u32 = 65_535;
/// The compiled kernels, for fields of any size.
#[derive(Debug)]
pub struct FieldKernels {
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
            compare: renew.kernel("compare")?,
            reset: renew.kernel("reset")?,
            settle: renew.kernel("settle")?,
            relax: library.program(gpu, &RELAX, DEFS)?.kernel("relax")?,
            publish: library.program(gpu, &PUBLISH, DEFS)?.kernel("publish")?,
        })
    }
}

/// The potentials and directions of some goal groups on one grid.
#[derive(Debug)]
pub struct GpuFields {
    gpu: Gpu,
    shape: FieldShape,
    cells: usize,
    /// Start values as given; infinite where there is no goal.
    given_start: Buffer,
    /// What is being solved for.
    cost: Buffer,
    start: Buffer,
    /// What is being solved.
    work: Buffer,
    potential: Buffer,
    directions: Buffer,
    state: Buffer,
    lists: [Buffer; TURN as usize],
}

impl GpuFields {
    /// Fields without goals, in which nothing is reached.
    ///
    /// # Errors
    /// No cells or groups, more of them than a buffer of the device holds, or out of memory.
    pub fn new(pool: &Pool, shape: FieldShape) -> Result<Self, GpuFieldError> {
        let range = |what, value: u32, most| GpuError::OutOfRange {
            what,
            value: value.into(),
            least: 1,
            most,
        };
        let cells = match check_size(shape.width as usize, shape.height as usize) {
            Ok(cells) => cells,
            Err(GridError::Empty { .. }) => return Err(range("width or height", 0, 1 << 30).into()),
            Err(_) => return Err(range("width", shape.width, 1 << 15).into()),
        };
        if shape.groups == 0 || cells * shape.groups as usize > u32::MAX as usize {
            let most = u64::from(u32::MAX) / cells as u64;
            return Err(range("goal groups", shape.groups, most).into());
        }
        let tiles = shape.width.div_ceil(TILE) * shape.height.div_ceil(TILE) * shape.groups;
        let all = cells * shape.groups as usize;
        let infinite = vec![NO_POTENTIAL; all];
        let group = GroupState { phase: IDLE, threshold: NONE, ..GroupState::default() };
        let mut state: Vec<u32> = bytemuck::cast_vec(vec![group; shape.groups as usize]);
        state.resize(state.len() + 2 * tiles as usize, 0);
        let list = || -> Result<Buffer, GpuError> {
            let usage = wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::INDIRECT
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST;
            let bytes = 4 * (u64::from(LIST_HEAD) + u64::from(tiles));
            let list = pool.buffer("due tiles", bytes, usage)?;
            pool.gpu().write(&list, 0, &[tiles.div_ceil(MOST_ROWS), 1, 1, 0]);
            Ok(list)
        };
        Ok(Self {
            gpu: pool.gpu().clone(),
            shape,
            cells,
            given_start: pool.array_of("start values", &infinite)?,
            cost: pool.array_of("cost solved for", &infinite)?,
            start: pool.array_of("start values solved for", &infinite)?,
            work: pool.array_of("potential being solved", &infinite)?,
            potential: pool.array_of("potential", &infinite)?,
            directions: pool.array_of("directions", &vec![NO_WAY; all])?,
            state: pool.array_of("field state", &state)?,
            lists: [list()?, list()?, list()?, list()?],
        })
    }

    /// Sets the goals of a group; none is allowed. Takes effect with what is recorded later. A goal in a
    /// blocked cell is no goal until the cell is free.
    ///
    /// # Errors
    /// A goal outside the grid or with a start value that is no potential; no such group.
    pub fn place(&self, group: u32, sources: &[Source]) -> Result<(), GpuFieldError> {
        let FieldShape { width, height, groups, .. } = self.shape;
        if group >= groups {
            let (what, value, most) = ("goal group", u64::from(group), u64::from(groups) - 1);
            return Err(GpuError::OutOfRange { what, value, least: 0, most }.into());
        }
        let mut start = vec![f32::INFINITY; self.cells];
        for source in sources {
            let cell = source.cell;
            if cell.x >= width || cell.y >= height {
                let (width, height) = (width as usize, height as usize);
                return Err(SolveError::SourceOutside { cell, width, height }.into());
            }
            if !(source.start >= 0.0 && source.start < UNREACHED) {
                return Err(SolveError::BadStart { cell, start: source.start }.into());
            }
            let value = &mut start[cell.y as usize * width as usize + cell.x as usize];
            // Not minus zero, whose bits are no potential's.
            *value = value.min(source.start).abs();
        }
        let at = u64::from(group) * self.cells as u64 * 4;
        self.gpu.write(&self.given_start, at, &start);
        Ok(())
    }

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
        let FieldShape { width, height, groups, cell_size } = self.shape;
        let (costs, cost_stride) = match kind {
            CostKind::Shared => (1, 0),
            CostKind::PerGroup => (u64::from(groups), self.cells as u32),
        };
        let needed = 4 * costs * self.cells as u64;
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
            cost_stride,
            cell_size,
            unreached: UNREACHED,
            ..Frame::default()
        };
        let beside = (1.0 - PASSING * PASSING).sqrt();
        let turns = Turns { passing: PASSING, beside, ..Turns::default() };
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let sizes = pool.buffer("field sizes", size_of::<Frame>() as u64, uniform)?;
        let corners = pool.buffer("field turns", size_of::<Turns>() as u64, uniform)?;
        self.gpu.write(&sizes, 0, &[frame]);
        self.gpu.write(&corners, 0, &[turns]);

        let by_tile = workgroups(tiles * groups);
        let blocks = width.div_ceil(BLOCK) * height.div_ceil(BLOCK) * groups;
        let [even, odd, ..] = &self.lists;
        let compare = [
            (0, sizes.as_entire_binding()),
            (1, cost.as_entire_binding()),
            (2, self.given_start.as_entire_binding()),
            (3, self.cost.as_entire_binding()),
            (4, self.start.as_entire_binding()),
            (5, self.potential.as_entire_binding()),
            (7, self.state.as_entire_binding()),
        ];
        let reset = [
            (0, sizes.as_entire_binding()),
            (4, self.start.as_entire_binding()),
            (5, self.potential.as_entire_binding()),
            (6, self.work.as_entire_binding()),
            (7, self.state.as_entire_binding()),
            (8, even.as_entire_binding()),
            (9, odd.as_entire_binding()),
        ];
        let settle = [(0, sizes.as_entire_binding()), (7, self.state.as_entire_binding())];
        let publish = [
            (0, sizes.as_entire_binding()),
            (1, corners.as_entire_binding()),
            (2, self.work.as_entire_binding()),
            (3, self.start.as_entire_binding()),
            (4, self.state.as_entire_binding()),
            (5, self.potential.as_entire_binding()),
            (6, self.directions.as_entire_binding()),
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
            begin: [kernels.compare.step(&compare, by_tile)?, kernels.reset.step(&reset, by_tile)?],
            rounds: [relax(0)?, relax(1)?, relax(2)?, relax(3)?],
            end: [
                kernels.settle.step(&settle, [1, 1, 1])?,
                kernels.publish.step(&publish, workgroups(blocks))?,
            ],
            _kept: [sizes, corners],
        })
    }

    /// Cells and groups.
    #[must_use]
    pub fn shape(&self) -> FieldShape {
        self.shape
    }

    /// Potentials of the last solutions, `f32`, group after group; infinite where there is no way.
    #[must_use]
    pub fn potential(&self) -> &Buffer {
        &self.potential
    }

    /// Directions of the last solutions, one `u32` a cell, group after group: the 16 bits of x low, of
    /// y high, as `cpu::pack` makes them.
    #[must_use]
    pub fn directions(&self) -> &Buffer {
        &self.directions
    }

    /// Start values as given, `f32`, group after group, infinite where there is no goal: for those who
    /// place goals on the GPU.
    #[must_use]
    pub fn given_start(&self) -> &Buffer {
        &self.given_start
    }

    /// Begins with one [`GroupState`] per group, for a [`throng_gpu::ReadRing`].
    #[must_use]
    pub fn state(&self) -> &Buffer {
        &self.state
    }

    /// How far the groups are, for those who can wait.
    ///
    /// # Errors
    /// The device is lost or out of memory.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_state(&self) -> Result<Vec<GroupState>, GpuError> {
        self.gpu.read(&self.state, self.shape.groups as usize)
    }
}

/// Kernels bound to fields.
#[derive(Debug)]
pub struct FieldWork {
    begin: [Step; 2],
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
