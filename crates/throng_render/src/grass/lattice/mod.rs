//! Lattice: near the camera blades part around bodies.
//!
//! Takes bodies near the camera and the field; keeps, for the clumps that are touched, how far each of the nine free
//! points of each billboard is from where wind and map have it. A step: bodies are sorted into cells; tiles with
//! bodies near by are *colliding*, those that were so lately *recovering*; clumps that are touched get a slot of
//! the pool, in the order of the field, as long as there are any; points within a body are moved out of it, one
//! body after the other; 27 springs hold the lengths, those at the ground first (Gauss-Seidel); what is not
//! touched recovers by a factor that comes to the same at any frame rate. A clump that stands again gives its slot
//! back. Offsets rather than places are kept: wind goes on.

#[cfg(test)]
pub(crate) mod cpu;
mod gpu;

pub(crate) use gpu::{LatticeKernels, Lattices, Parted, Standing};

use throng_gpu::{Def, Defs, Module, Shader};

/// Rows and columns of points.
pub(crate) const ROWS: u32 = 4;
pub(crate) const COLUMNS: u32 = 3;
/// Points that move: all but the lowest row.
pub(crate) const FREE: u32 = (ROWS - 1) * COLUMNS;
/// Seconds in which one form gives way to the other.
pub(crate) const FADE: f32 = 0.2;
/// Side of a cell in which bodies are found (metres): no less than a body and a clump reach.
pub(crate) const CELL: u32 = 2;
/// Invocations that take the clumps of a tile in turn.
const WORKERS: u32 = 64;
/// Milliseconds that a tile is looked after once its last clump has recovered.
pub(crate) const AFTER: u32 = 600;
/// How high the body reaches that blades part around (metres).
pub(crate) const BODY_HEIGHT: f32 = 1.5;

/// Imported as `throng_render::grass_lattice`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::grass_lattice", source: include_str!("springs.wgsl") };

pub(crate) const DEFS: Defs = &[
    ("CROSSED", Def::Number(super::sow::CROSSED)),
    ("SIZE_UNIT", Def::Number(super::sow::SIZE_UNIT)),
    ("OFFSET_UNIT", Def::Number(super::sow::OFFSET_UNIT)),
    ("FREE", Def::Number(FREE)),
    ("WORKERS", Def::Number(WORKERS)),
    ("AFTER", Def::Number(AFTER)),
    ("CELL", Def::Number(CELL)),
];

pub(crate) const SHADER: Shader =
    Shader { name: "grass lattice", source: include_str!("lattice.wgsl"), variants: &[DEFS] };
