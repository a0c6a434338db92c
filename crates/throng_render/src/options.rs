//! How pictures are made.

use crate::Light;
use crate::character::FINEST;
use crate::cull::Filters;
use crate::shadow::ShadowOptions;

/// How pictures are made. Everything has a good default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Sun and sky.
    pub light: Light,
    /// Shadows of the sun.
    pub shadow: ShadowOptions,
    /// What is not drawn.
    pub filters: Filters,
    /// Whether corners and feet are darker.
    pub occlusion: bool,
    /// Whether a world that is brought up gets [`crate::scenery`].
    pub scenery: bool,
    /// Whether a world that is brought up gets its grass.
    pub grass: bool,
    /// Whether near, middle and far characters are skinned once for all views, as far as there is room; without it
    /// in every view.
    pub skin_once: bool,
    /// How finely the cage of a near character is cut at most, along an edge: 1 (not at all) to 17, which makes one
    /// and a half million triangles of a froblin. What is shared by several: twice that for all of them.
    pub close_up: f32,
    /// Covers the ground with one colour, alpha 1, to find gaps in it.
    pub flat_ground: Option<[f32; 3]>,
    /// Draws the sky. Without it there is nothing behind the ground.
    pub sky: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            light: Light::default(),
            shadow: ShadowOptions::default(),
            filters: Filters::default(),
            occlusion: true,
            scenery: true,
            grass: true,
            skin_once: true,
            close_up: FINEST as f32,
            flat_ground: None,
            sky: true,
        }
    }
}
