//! The place and its crowd as pictures: culled, lit and drawn on the GPU, headless or into any texture
//! view of a host.
//!
//! A [`Renderer`] is made once, on a device of its own or of a host; [`Renderer::set_world`] brings a
//! place up; [`Renderer::render`] draws a [`Frame`] into any texture view. A frame is a list of passes,
//! each a folder with its shader: cull ▸ shadow ▸ terrain, props ▸ cull ▸ crowd, grass, backdrop ▸ tone.
//!
//! World axes: x and y are the ground in metres, z is up.

mod backdrop;
mod bloom;
mod bound;
mod camera;
mod character;
mod common;
mod crowd;
mod cull;
mod error;
mod frame;
mod frame_passes;
mod frame_record;
mod gas;
mod ghost;
mod grass;
mod light;
pub mod lightmap;
mod noise;
mod occlusion;
mod options;
mod overlay;
mod picture;
mod props;
mod quality;
mod renderer;
pub mod scenery;
mod shaders;
mod shadow;
mod shots;
pub mod sky;
mod targets;
mod terrain;
#[cfg(test)]
mod tests;
mod tone;
mod view;
mod water;

pub use camera::Camera;
pub use character::{Cast, Model, character_folder};
pub use crowd::{BodyMesh, BodyMeshes, BodyVertex, Paint, Part};
pub use cull::{CLASSES, Filters};
pub use error::RenderError;
pub use frame::{Agents, Frame, Hazard, HazardLook};
pub use frame_record::Census;
pub use grass::GrassCensus;
pub use light::Light;
pub use options::RenderOptions;
pub use overlay::{Drape, RAMP, Stroke, Tint};
pub use picture::{Canvas, FORMAT, write_png};
pub use props::{Mesh, PropInstance, Surface};
pub use quality::Quality;
pub use renderer::Renderer;
pub use shaders::{MODULES, SHADERS, library};
pub use shadow::{SPLITS, ShadowOptions};
pub use shots::{SHOTS, Shot};
pub use view::View;
