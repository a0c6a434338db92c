//! Terrain: the ground from under the camera to the horizon.
//!
//! Takes the heights of a world; draws patches of a quadtree into the picture and the shadow splits,
//! a draw for each of three variants. What lies on the ground is decided per pixel by slope, hollow, damp and wear; masks
//! have a channel each for wear by feet, damp, zones and paving.

mod ground;
mod materials;
mod pass;
mod plainness;
mod quadtree;
mod textures;
mod wear;

pub(crate) use ground::Ground;
pub(crate) use pass::{PATCH_ATTRIBUTES, TerrainPass, TerrainPlace, patch_layout};
pub(crate) use quadtree::{Fineness, Patch, PatchList, focus_height, patches};

use throng_gpu::{Def, Defs, Shader};

pub(crate) const DEFS: Defs = &[("QUADS", Def::Number(ground::QUADS))];

pub(crate) const SHADER: Shader =
    Shader { name: "terrain", source: include_str!("terrain.wgsl"), variants: &[DEFS] };
