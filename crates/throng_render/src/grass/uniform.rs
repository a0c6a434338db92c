//! What shaders of the grass are told, written once a frame.

use glam::{Vec2, Vec3};

use super::bend::Wind;

/// `GrassUniform` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct GrassUniform {
    pub(crate) wind: Wind,
    /// Seconds; since the last step; the same as a tick of a millisecond, and that of the last step.
    pub(crate) time: f32,
    pub(crate) dt: f32,
    pub(crate) now: u32,
    pub(crate) before: u32,
    /// Angle of what is trodden down wholly, and the greatest of all.
    pub(crate) bend: f32,
    pub(crate) farthest: f32,
    /// Seconds.
    pub(crate) recovery: f32,
    pub(crate) regrowth: f32,
    pub(crate) foot: f32,
    pub(crate) edge: f32,
    pub(crate) wear: f32,
    /// Nobody walks that far between two steps (metres).
    pub(crate) leap: f32,
    pub(crate) map_origin: Vec2,
    pub(crate) map_cell: f32,
    pub(crate) map_columns: u32,
    pub(crate) map_rows: u32,
    pub(crate) block_columns: u32,
    pub(crate) blocks: u32,
    /// Slots of the memory of agents, less one.
    pub(crate) mask: u32,
    pub(crate) tile_origin: Vec2,
    pub(crate) tile_side: f32,
    pub(crate) tile_columns: u32,
    pub(crate) tile_rows: u32,
    pub(crate) tiles: u32,
    pub(crate) clumps: u32,
    pub(crate) fullest: u32,
    /// Where the picture is seen from, and how far blades part.
    pub(crate) eye: Vec3,
    pub(crate) near: f32,
    pub(crate) stiffness: f32,
    pub(crate) sweeps: u32,
    pub(crate) pool: u32,
    /// Seconds in which one form gives way to the other.
    pub(crate) fade: f32,
    /// Clumps are thinned from here on, one billboard from here on, and none from here on (metres).
    pub(crate) thin_from: f32,
    pub(crate) far_from: f32,
    pub(crate) gone: f32,
    pub(crate) widest: f32,
    pub(crate) word: u32,
    pub(crate) at_most: u32,
    pub(crate) frustum: u32,
    pub(crate) occlusion: u32,
    pub(crate) detail: u32,
    /// Cells in which bodies are found.
    pub(crate) cell_columns: u32,
    pub(crate) cell_rows: u32,
    pub(crate) cells: u32,
    pub(crate) body_radius: f32,
    pub(crate) body_height: f32,
    pub(crate) heroes: u32,
    /// What is shown instead of colour; see `GrassLook`.
    pub(crate) show: u32,
    /// Greatest width of a billboard.
    pub(crate) broad: f32,
    /// Room for tiles near the camera.
    pub(crate) near_tiles: u32,
    /// Height above the ground up to which the volume of light reaches, and its place.
    pub(crate) volume_high: f32,
    pub(crate) unused: f32,
    pub(crate) volume_origin: Vec2,
    pub(crate) volume_extent: Vec2,
}
