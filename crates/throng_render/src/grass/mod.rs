//! Grass that yields: sown once, swaying, pressed down by the crowd, parting around bodies near the camera.
//!
//! A room of stages, each a folder: `sow` puts clumps into tiles; `atlas` has their looks; `bend` says how wind and
//! feet bend a blade; `trample` keeps what feet have pressed down, on a map; `lattice` lets blades near the camera
//! part around bodies; `ao` has the light that reaches the grass, `shade` what a blade makes of it; `cull` picks
//! what is drawn, `draw` draws it. A [`GrassPlace`] is the grass of one world on the GPU. Time goes on when a frame
//! is later than the one before: a moment that is drawn twice looks the same twice.

mod ao;
mod atlas;
mod bend;
mod cull;
mod draw;
mod hero;
mod lattice;
mod place;
mod shade;
mod sow;
#[cfg(test)]
mod tests;
mod trample;
mod uniform;

pub(crate) use cull::GrassLists;
pub(crate) use draw::Drawn;
pub(crate) use place::{GrassPlace, Grounds};
pub(crate) use trample::TrampleMap;

use throng_gpu::draw::Slots;
use throng_gpu::{Gpu, GpuError, Library, Module, Pool, Shader};

use cull::GrassCull;
use draw::GrassPass;
use lattice::LatticeKernels;
use trample::TrampleKernels;

/// Modules that stages share; each may import those before it.
pub(crate) const MODULES: [Module; 5] =
    [bend::MODULE, FORM, shade::MODULE, trample::MODULE, lattice::MODULE];

/// Imported as `throng_render::grass_form`.
const FORM: Module =
    Module { name: "throng_render::grass_form", source: include_str!("form.wgsl") };

pub(crate) const SHADERS: [Shader; 4] =
    [trample::SHADER, lattice::SHADER, cull::SHADER, draw::SHADER];

/// What the last frame had of grass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GrassCensus {
    /// Billboards that were sown.
    pub billboards: u32,
    /// Bytes on the GPU, without the trample map.
    pub bytes: u64,
    /// Bytes of the trample map.
    pub map_bytes: u64,
    /// Clumps drawn near, far, and by their lattice; of three billboards each.
    pub drawn: [u32; 3],
    /// Clumps that part around bodies, or recover from it.
    pub lattices: u32,
    /// Most of them at once since the world was brought up.
    pub most_lattices: u32,
    /// How many found the pool empty, and bent by the map alone; counted every step.
    pub denied: u32,
    /// Blocks of the trample map in which something happens.
    pub blocks: u32,
}

/// Kernels and pipelines of the grass.
#[derive(Debug)]
pub(crate) struct GrassPasses {
    pub(crate) draw: GrassPass,
    pub(crate) cull: GrassCull,
    pub(crate) trample: TrampleKernels,
    pub(crate) lattice: LatticeKernels,
}

impl GrassPasses {
    pub(crate) fn new(
        pool: &Pool,
        library: &Library,
        view: &Slots,
        light: &Slots,
    ) -> Result<Self, GpuError> {
        let gpu: &Gpu = pool.gpu();
        Ok(Self {
            draw: GrassPass::new(pool, library, view, light)?,
            cull: GrassCull::new(gpu, library)?,
            trample: TrampleKernels::new(gpu, library)?,
            lattice: LatticeKernels::new(gpu, library)?,
        })
    }
}
