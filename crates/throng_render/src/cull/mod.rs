//! Cull: which of many things a view draws, decided on the GPU and never read back.
//!
//! Takes a view, spheres (agents, or clusters of props) and, for the picture, the depth of what is
//! already drawn. Gives lists of what is left, in order, one per class of detail, and the arguments of
//! indirect draws. Filters in a row: half spaces of the view; occlusion by a pyramid of farthest depth
//! (Hi-Z); class by size on the screen. Nothing that could be seen is ever removed.

mod crowd;
mod hiz;
mod props;

pub(crate) use crowd::{CrowdCull, CrowdLists};
pub(crate) use hiz::{Hiz, HizMaker};
pub(crate) use props::{PropCull, PropList};

use throng_gpu::{Def, Defs, Shader};

/// Classes of detail of the crowd.
pub const CLASSES: usize = 3;

/// Which filters work. All do, unless one wants to see what they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filters {
    /// By the half spaces of the view.
    pub frustum: bool,
    /// By what hides it.
    pub occlusion: bool,
    /// Detail by size on the screen; without it everything has the most.
    pub detail: bool,
    /// Pixels of height from which on a body has the most detail, and from which on it has some.
    pub pixels: [f32; 2],
}

impl Default for Filters {
    fn default() -> Self {
        Self { frustum: true, occlusion: true, detail: true, pixels: [110.0, 26.0] }
    }
}

/// `Filter` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Filter {
    pub(crate) frustum: u32,
    pub(crate) occlusion: u32,
    pub(crate) detail: u32,
    /// Which word of the count buffer holds the count.
    pub(crate) word: u32,
    pub(crate) near_pixels: f32,
    pub(crate) middle_pixels: f32,
    /// Greatest height of a body (metres).
    pub(crate) tallest: f32,
    pub(crate) at_most: u32,
}

const DEFS: Defs = &[("CLASSES", Def::Number(CLASSES as u32))];

/// Classifies.
pub(crate) const SHADER: Shader =
    Shader { name: "cull", source: include_str!("cull.wgsl"), variants: &[DEFS] };
/// Depth of several samples to a plain image.
pub(crate) const HIZ_SHADER: Shader =
    Shader { name: "hiz", source: include_str!("hiz.wgsl"), variants: &[&[]] };

pub(crate) fn defs() -> Defs {
    DEFS
}
