//! Terrain: the ground from under the camera to the horizon.
//!
//! Takes the heights of a world; draws the depth of patches of a quadtree into the picture and the shadow splits, a draw
//! for each variant. Then the picture's ground is shaded by its depth, once a pixel, however small triangles are. What lies
//! there is decided by slope, hollow, damp and wear; masks have a channel each for wear by feet, damp, zones and paving.

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

pub(crate) const DEFS: Defs =
    &[("QUADS", Def::Number(ground::QUADS)), ("SIDE", Def::Number(materials::SIDE as u32))];

/// Where anisotropic filters cost little.
const ANISOTROPIC: Defs = &[
    ("QUADS", Def::Number(ground::QUADS)),
    ("SIDE", Def::Number(materials::SIDE as u32)),
    ("ANISOTROPIC", Def::Yes),
];

pub(crate) const SHADER: Shader = Shader {
    name: "terrain",
    source: concat!(include_str!("terrain.wgsl"), include_str!("ground.wgsl")),
    variants: &[DEFS, ANISOTROPIC],
};
