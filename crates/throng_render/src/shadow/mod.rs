//! Shadows of the sun: parallel-split shadow maps (Zhang et al. 2006), four splits.
//!
//! Takes the picture's view and the sun; gives a view per split, and a map of depth from the sun for
//! each. Splits are spheres around slices of the picture's view, moved in whole texels only: a map of
//! what stands still is then the same whatever the camera does, and shadows do not shimmer.

mod casters;
mod splits;

use glam::{Mat4, Vec4};
use throng_gpu::Module;

pub(crate) use casters::Casters;
pub use splits::ShadowOptions;
pub(crate) use splits::{Split, splits};

/// Imported as `throng_render::shadow`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::shadow", source: include_str!("shadow.wgsl") };

/// How many maps there are.
pub const SPLITS: usize = 4;

/// Share of the length of a split over which it gives way to the next.
const BLEND: f32 = 0.12;

/// Format of the maps.
pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// `Shadows` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct ShadowUniform {
    clip_from_world: [Mat4; SPLITS],
    /// Distance along the camera's axis to which each reaches.
    ends: Vec4,
    /// Metres to a texel.
    texels: Vec4,
    /// Softness in texels; on or off; texels along a side; [`BLEND`].
    softness: f32,
    strength: f32,
    side: f32,
    blend: f32,
    /// Towards the light that casts.
    to_sun: Vec4,
}

impl ShadowUniform {
    /// Distance along the camera's axis to which each split reaches.
    pub(crate) fn ends(&self) -> [f32; SPLITS] {
        self.ends.to_array()
    }

    pub(crate) fn new(splits: &[Split; SPLITS], options: &ShadowOptions) -> Self {
        Self {
            clip_from_world: splits.each_ref().map(|split| split.view.clip_from_world),
            ends: Vec4::from_array(splits.each_ref().map(|split| split.end)),
            texels: Vec4::from_array(splits.each_ref().map(|split| split.texel)),
            softness: options.softness,
            strength: f32::from(u8::from(options.on)),
            side: options.side as f32,
            blend: BLEND,
            to_sun: (-splits[0].view.forward).extend(0.0),
        }
    }
}

/// How casters are drawn: a little behind where they are, so that they do not shadow themselves.
pub(crate) fn caster() -> throng_gpu::draw::Depth {
    throng_gpu::draw::Depth {
        format: FORMAT,
        write: true,
        compare: wgpu::CompareFunction::LessEqual,
        bias: (2, 1.9),
    }
}
