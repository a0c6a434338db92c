//! Cull: which clumps a picture draws, and in which form, decided on the GPU.
//!
//! Takes the tiles of a field, the view and the depth of what is drawn already; gives three lists, of clumps near
//! and flat, of clumps far away that are one billboard each, and of those with a lattice, with the arguments of
//! their draws. Tiles go by the half spaces of the view and by the pyramid of depth; within a tile clumps go by
//! rank: the farther away, the fewer, each the wider. Lists are in the order of the field, by prefix sums.

mod gpu;

pub(crate) use gpu::{GrassCull, GrassLists, Sown};

use throng_gpu::{Def, Defs, Shader};

/// Invocations that write the clumps of a tile.
const WRITERS: u32 = 64;
/// Words of the arguments of an indexed draw.
const DRAW: u32 = 5;

pub(crate) const DEFS: Defs = &[
    ("CROSSED", Def::Number(super::sow::CROSSED)),
    ("SIZE_UNIT", Def::Number(super::sow::SIZE_UNIT)),
    ("OFFSET_UNIT", Def::Number(super::sow::OFFSET_UNIT)),
    ("WRITERS", Def::Number(WRITERS)),
    ("DRAW", Def::Number(DRAW)),
    ("FLAT_INDICES", Def::Number(super::draw::FLAT_INDICES)),
    ("FAR_INDICES", Def::Number(super::draw::FAR_INDICES)),
    ("LATTICE_INDICES", Def::Number(super::draw::LATTICE_INDICES)),
];

pub(crate) const SHADER: Shader =
    Shader { name: "grass cull", source: include_str!("cull.wgsl"), variants: &[DEFS] };
