//! Fields on the GPU: the potentials of all goal groups, and the directions down them, kept up to date
//! by a fixed number of dispatches a step and without reading anything back.
//!
//! Takes a cost buffer, shared by all groups or with one part each, and the goals of each group. Gives
//! potentials (`f32`, infinite where there is no way) and packed directions ([`cpu::pack`]), one group
//! after the other. The scheme is that of [`super::update`], the method the fast iterative one of Jeong
//! and Whitaker (2008) with tiles in workgroup memory:
//!
//! 1. *call, compare, reset* (three dispatches): groups that wait take over cost and goals if they
//!    changed. The caller may say which groups have something new ([`Notice::Asked`]); the others then
//!    cost nothing at all.
//! 2. *relax* (one dispatch a round, indirect): the due tiles of one colour of a chess board are iterated
//!    until nothing in them changes, and wake the neighbours that have something to gain. A list of due
//!    tiles per colour and turn stays on the GPU, from step to step.
//! 3. *settle, publish* (two dispatches): groups without due tiles are solved, by test; their potential
//!    is copied out and their directions are made, where anything has changed.
//!
//! # Changes
//! A group is solved in a field of its own and for the cost as it was when it began, while the last
//! solution stays in use; so nobody ever follows half a field, and a cost that changes every step
//! cannot keep a group from ending. A warm start keeps what surely still holds: all values if no
//! cell became dearer, otherwise those below the lowest potential of a dearer cell. This is less than
//! what `FastIterative::update` keeps, but it is exact (no rounding decides whether a value is still
//! supported) and takes one dispatch instead of rounds of its own.
//!
//! # Same bits
//! Neighbouring tiles are never computed at the same time, and within a tile nothing is read while it is
//! written, so results do not depend on how a device orders its work. Between devices they may differ by the
//! rounding of square roots.
//!
//! ```no_run
//! use throng_field::solve::gpu::{CostKind, FieldKernels, FieldShape, GpuFields};
//! use throng_field::Cell;
//! use throng_gpu::{Gpu, Options, Pool};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let gpu = Gpu::open(&Options::default())?;
//! let pool = Pool::new(&gpu);
//! let cost = pool.array_of("cost", &vec![1.0_f32; 256 * 256])?;
//!
//! // Once: 256 x 256 cells of 1 m, two groups, each with a goal.
//! let kernels = FieldKernels::new(&gpu)?;
//! let shape = FieldShape { width: 256, height: 256, groups: 2, cell_size: 1.0 };
//! let fields = GpuFields::new(&pool, shape)?;
//! fields.place(0, &[Cell::new(250, 128).into()])?;
//! fields.place(1, &[Cell::new(5, 128).into()])?;
//! let work = fields.bind(&pool, &kernels, &cost, CostKind::Shared)?;
//!
//! // Every step: 17 dispatches, whatever is in the fields.
//! let mut encoder = gpu.encoder("step");
//! work.record(&mut gpu.pass(&mut encoder, "step"), 12);
//! gpu.submit(encoder);
//!
//! // Whoever walks reads `fields.directions()`. For those who can wait:
//! for group in fields.read_state()? {
//!     println!("{} solutions, {} tiles due", group.published, group.pending);
//! }
//! # Ok(())
//! # }
//! ```

pub mod cpu;
#[allow(clippy::module_inception, reason = "the host side of a stage is `gpu.rs`")]
mod gpu;
#[cfg(test)]
mod tests;
mod work;

pub use gpu::{CostKind, FieldShape, GpuFields, GroupState, Notice, Solution};
pub use work::{FieldKernels, FieldWork};

use super::SolveError;
use std::mem::offset_of;
use throng_gpu::{Def, Defs, GpuError, Module, Shader};

/// Why fields on the GPU could not be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuFieldError {
    /// The device refuses.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The goals are none.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Cells across a tile. Each invocation of its workgroup has four of them.
pub const TILE: u32 = 16;
/// Each invocation of a workgroup hands out one of them.
const _: () = assert!(TILE * TILE == throng_gpu::GROUP);
/// Iterations between two looks at whether a tile still changes.
const ITERATIONS: u32 = 2;
/// The most looks at a tile in one visit; then it has to wait for its next turn. Enough for a front to
/// cross the tile twice from corner to corner.
const LOOKS: u32 = 16;
/// Rounds in which all lists have had their turn. Recorded rounds are a multiple of this.
pub const TURN: u32 = 4;

/// A byte of [`GroupState`] as the word it is in.
const fn word(bytes: usize) -> Def {
    Def::Number((bytes / 4) as u32)
}

/// The phase of a group that waits for a change.
const IDLE: u32 = 1;
/// Words of a list of tiles before the tiles.
const LIST_HEAD: u32 = 4;
/// Packed direction of a cell without a way.
const NO_WAY: u32 = cpu::UNREACHABLE[0] as u16 as u32 | (cpu::UNREACHABLE[1] as u16 as u32) << 16;

const DEFS: Defs = &[
    ("TILE", Def::Number(TILE)),
    ("ITERATIONS", Def::Number(ITERATIONS)),
    ("LOOKS", Def::Number(LOOKS)),
    ("APRON", Def::Number(cpu::APRON as u32)),
    ("UNIT", Def::Number(cpu::UNIT as u32)),
    ("NO_WAY", Def::Number(NO_WAY)),
    ("IDLE", Def::Number(IDLE)),
    ("LIST_HEAD", Def::Number(LIST_HEAD)),
    ("WORDS", word(size_of::<GroupState>())),
    ("PENDING", word(offset_of!(GroupState, pending))),
    ("PHASE", word(offset_of!(GroupState, phase))),
    ("THRESHOLD", word(offset_of!(GroupState, threshold))),
    ("SOLVING", word(offset_of!(GroupState, solving))),
    ("PUBLISHED", word(offset_of!(GroupState, published))),
    ("STEPS", word(offset_of!(GroupState, steps))),
    ("TOOK", word(offset_of!(GroupState, took))),
    ("VISITS", word(offset_of!(GroupState, visits))),
    ("ASKED", word(offset_of!(GroupState, asked))),
];

/// Words of a [`GroupState`], for kernels of others that read or ask on the GPU.
pub const STATE_WORDS: u32 = (size_of::<GroupState>() / 4) as u32;
/// The word that is not zero while a group is asked for and has not yet taken over cost and goals.
pub const ASKED_WORD: u32 = (offset_of!(GroupState, asked) / 4) as u32;
/// The word that is [`BUSY_PHASE`] while a group is being solved.
pub const PHASE_WORD: u32 = (offset_of!(GroupState, phase) / 4) as u32;
/// See [`PHASE_WORD`].
pub const BUSY_PHASE: u32 = 0;

/// What the shaders share.
pub const MODULES: &[Module] =
    &[Module { name: "throng_field::frame", source: include_str!("frame.wgsl") }];

const RELAX: Shader =
    Shader { name: "field relax", source: include_str!("relax.wgsl"), variants: &[DEFS] };
const RENEW: Shader =
    Shader { name: "field renew", source: include_str!("renew.wgsl"), variants: &[DEFS] };
const PUBLISH: Shader =
    Shader { name: "field publish", source: include_str!("publish.wgsl"), variants: &[DEFS] };

/// The shaders of the fields, for checks.
pub const SHADERS: &[Shader] = &[RELAX, RENEW, PUBLISH];
