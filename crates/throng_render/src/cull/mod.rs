//! Cull: which of many things a view draws, decided on the GPU and never read back.
//!
//! Takes a view, spheres (agents, or clusters of props) and, for the picture, the depth of what is
//! already drawn. Gives lists of what is left, in order, one per class of detail, and the arguments of
//! indirect draws. Filters in a row: half spaces of the view; occlusion by a pyramid of farthest depth
//! (Hi-Z); class by size on the screen. Nothing that could be seen is ever removed.

mod crowd;
mod hiz;
mod home;
mod props;

pub(crate) use crowd::{AgentSource, CrowdCull, CrowdLists, DRAW};
pub(crate) use hiz::{Hiz, HizMaker};
pub(crate) use home::{Homes, PACKED};
pub(crate) use props::{PropCull, PropList, PropPart};

use throng_gpu::{Def, Defs, Module, Shader};

/// Classes of detail of the crowd.
pub const CLASSES: usize = 4;

/// Which filters work. All do, unless one wants to see what they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filters {
    /// By the half spaces of the view.
    pub frustum: bool,
    /// By what hides it.
    pub occlusion: bool,
    /// Detail by size on the screen; without it everything has the most.
    pub detail: bool,
    /// Pixels of height from which on a body is of each class but the last, which has the least detail.
    pub pixels: [f32; 3],
}

impl Default for Filters {
    fn default() -> Self {
        Self { frustum: true, occlusion: true, detail: true, pixels: [110.0, 52.0, 24.0] }
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
    /// Heights at which classes begin.
    pub(crate) classes: [f32; 3],
    /// Of the picture, to a unit at distance 1.
    pub(crate) pixels: f32,
    /// Greatest height of a body (metres).
    pub(crate) tallest: f32,
    /// How far a body gets from its middle, in its heights.
    pub(crate) reach: f32,
    pub(crate) at_most: u32,
    /// Which of the cast is listed.
    pub(crate) cast: u32,
    /// Bit of the view; 1 for the first to say what it wants; 1 for a split of the shadow.
    pub(crate) bit: u32,
    pub(crate) first: u32,
    pub(crate) casts: u32,
    pub(crate) unused: u32,
    /// Which of the cast plays a group: a byte each.
    pub(crate) casting: [[u32; 4]; 16],
}

pub(crate) const DEFS: Defs = &[
    ("CLASSES", Def::Number(CLASSES as u32)),
    ("BY_VERTICES", Def::Number(crate::props::BY_VERTICES)),
];

/// Imported as `throng_render::hiding`: what lies behind what is drawn already.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::hiding", source: include_str!("hiding.wgsl") };

/// Classifies.
pub(crate) const SHADER: Shader =
    Shader { name: "cull", source: include_str!("cull.wgsl"), variants: &[DEFS] };
/// Depth of several samples to a plain image.
pub(crate) const HIZ_SHADER: Shader =
    Shader { name: "hiz", source: include_str!("hiz.wgsl"), variants: &[&[]] };

pub(crate) fn defs() -> Defs {
    DEFS
}
