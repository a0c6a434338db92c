//! The host side of the fields.

use super::{GpuFieldError, IDLE, LIST_HEAD, NO_WAY, TILE, TURN};
use crate::grid::{GridError, check_size};
use crate::solve::update::UNREACHED;
use crate::solve::{SolveError, Source};
use std::mem::offset_of;
use throng_gpu::{Buffer, Gpu, GpuError, Pool, workgroups};

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
    /// One after the other for the first groups, and one more for all others.
    First(u32),
}

/// Which groups take over cost and goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// All that wait: whatever changes is noticed.
    All,
    /// Those that were asked for, by [`GpuFields::place`], [`GpuFields::ask`] or a kernel that sets
    /// [`ASKED_WORD`](super::ASKED_WORD). A group that is busy takes over when it is done.
    Asked,
}

/// A group's field that was solved elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Solution<'a> {
    /// The cost it was solved for.
    pub cost: &'a [f32],
    /// Its goals.
    pub sources: &'a [Source],
    /// The potential.
    pub potential: &'a [f32],
    /// Packed directions, as of [`pack`](super::cpu::pack).
    pub directions: &'a [[i16; 2]],
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
    pub(super) asked: u32,
}

impl GroupState {
    /// Whether the group is solved for the cost and goals that it last took over.
    #[must_use]
    pub fn is_converged(&self) -> bool {
        self.pending == 0 && self.solving == 0 && self.asked == 0
    }
}

/// Bits of "no potential".
const NO_POTENTIAL: u32 = f32::INFINITY.to_bits();
/// No threshold.
const NONE: u32 = u32::MAX;
/// The most workgroups in one dimension, by WebGPU's default limits.
pub(super) const MOST_ROWS: u32 = 65_535;

/// The potentials and directions of some goal groups on one grid.
#[derive(Debug)]
pub struct GpuFields {
    pub(super) gpu: Gpu,
    pub(super) shape: FieldShape,
    pub(super) cells: usize,
    /// Start values as given; infinite where there is no goal.
    pub(super) given_start: Buffer,
    /// What is being solved for.
    pub(super) cost: Buffer,
    pub(super) start: Buffer,
    /// What is being solved.
    pub(super) work: Buffer,
    pub(super) potential: Buffer,
    pub(super) directions: Buffer,
    /// The cost that `potential` solves.
    pub(super) solved_cost: Buffer,
    pub(super) state: Buffer,
    /// Groups that take over, and groups that are done, as dispatches.
    pub(super) agendas: [Buffer; 2],
    pub(super) lists: [Buffer; TURN as usize],
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
        let agenda = |[across, down, _]: [u32; 3]| -> Result<Buffer, GpuError> {
            let usage = wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::INDIRECT
                | wgpu::BufferUsages::COPY_DST;
            let bytes = 4 * (u64::from(LIST_HEAD) + u64::from(shape.groups));
            let agenda = pool.buffer("groups to look at", bytes, usage)?;
            pool.gpu().write(&agenda, 0, &[across, down, 0, 0]);
            Ok(agenda)
        };
        let by_tile = workgroups(tiles / shape.groups);
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
            solved_cost: pool.array_of("cost that is solved", &infinite)?,
            agendas: [agenda(by_tile)?, agenda(by_tile)?],
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
        let start = self.start_values(group, sources)?;
        self.gpu.write(&self.given_start, self.part(group), &start);
        self.ask(group)?;
        Ok(())
    }

    /// Lets a group take over cost and goals with what is recorded next, where it waits to be asked.
    ///
    /// # Errors
    /// No such group.
    pub fn ask(&self, group: u32) -> Result<(), GpuError> {
        self.check(group)?;
        let at = u64::from(group) * size_of::<GroupState>() as u64;
        self.gpu.write(&self.state, at + offset_of!(GroupState, asked) as u64, &[1u32]);
        Ok(())
    }

    /// Takes over a field that was solved elsewhere, to go on from there. To be called before anything is
    /// recorded.
    ///
    /// # Errors
    /// As [`GpuFields::place`]; or arrays that have not one value for each cell.
    pub fn load(&self, group: u32, solution: &Solution<'_>) -> Result<(), GpuFieldError> {
        let Solution { cost, sources, potential, directions } = *solution;
        for len in [cost.len(), potential.len(), directions.len()] {
            if len != self.cells {
                let (value, cells) = (len as u64, self.cells as u64);
                let what = "values of a field";
                return Err(GpuError::OutOfRange { what, value, least: cells, most: cells }.into());
            }
        }
        let mut start = self.start_values(group, sources)?;
        let at = self.part(group);
        self.gpu.write(&self.given_start, at, &start);
        for (start, cost) in start.iter_mut().zip(cost) {
            *start = if *cost < f32::INFINITY { *start } else { f32::INFINITY };
        }
        let words: Vec<u32> = directions.iter().map(|&code| word_of(code)).collect();
        self.gpu.write(&self.start, at, &start);
        self.gpu.write(&self.cost, at, cost);
        self.gpu.write(&self.solved_cost, at, cost);
        self.gpu.write(&self.work, at, potential);
        self.gpu.write(&self.potential, at, potential);
        self.gpu.write(&self.directions, at, &words);
        let state =
            GroupState { phase: IDLE, threshold: NONE, published: 1, ..GroupState::default() };
        let at = u64::from(group) * size_of::<GroupState>() as u64;
        self.gpu.write(&self.state, at, &[state]);
        Ok(())
    }

    fn check(&self, group: u32) -> Result<(), GpuError> {
        let groups = self.shape.groups;
        if group < groups {
            return Ok(());
        }
        let (what, value, most) = ("goal group", u64::from(group), u64::from(groups) - 1);
        Err(GpuError::OutOfRange { what, value, least: 0, most })
    }

    /// Where the cells of a group begin, in bytes.
    fn part(&self, group: u32) -> u64 {
        u64::from(group) * self.cells as u64 * 4
    }

    fn start_values(&self, group: u32, sources: &[Source]) -> Result<Vec<f32>, GpuFieldError> {
        self.check(group)?;
        let FieldShape { width, height, .. } = self.shape;
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
        Ok(start)
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

    /// The costs that the last solutions were solved for, `f32`, group after group.
    #[must_use]
    pub fn solved_cost(&self) -> &Buffer {
        &self.solved_cost
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

/// Two halves as a word, x low.
fn word_of(code: [i16; 2]) -> u32 {
    u32::from(code[0] as u16) | u32::from(code[1] as u16) << 16
}
