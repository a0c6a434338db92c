//! The crowd on the GPU: the memory it lives in, and the stages recorded one after the other.
//!
//! Each stage has its kernels in its own folder, beside its twin on the CPU; here they are bound to one
//! another. A step is one submission of compute passes, with copies between them; nothing is read back unless it is asked for.

pub(crate) mod buffers;
pub(crate) mod constants;
mod crowd;
mod edit;
mod events;
pub(crate) mod gate;
pub(crate) mod ground;
pub(crate) mod list;
mod outside;
#[cfg(test)]
mod parity;
pub(crate) mod sheet;
mod stages;
mod step;
pub(crate) mod tables;
mod turns;
mod view;

pub use crowd::{FieldCounts, GpuCrowd, Keeper, Keepsake, StageTraffic};
pub(crate) use stages::{Kernels, Stages};

use throng_gpu::Module;
#[cfg(test)]
use throng_gpu::Shader;

/// WGSL that the stages share.
pub(crate) fn modules(extended: bool) -> Vec<Module> {
    vec![
        Module { name: "throng_crowd::constants", source: constants::source(extended) },
        Module { name: "throng_crowd::sheet", source: include_str!("wgsl/sheet.wgsl") },
        Module { name: "throng_crowd::mirror", source: include_str!("wgsl/mirror.wgsl") },
        Module { name: "throng_crowd::random", source: include_str!("wgsl/random.wgsl") },
        Module { name: "throng_crowd::events", source: include_str!("wgsl/events.wgsl") },
        Module { name: "throng_crowd::state", source: include_str!("wgsl/state.wgsl") },
        Module { name: "throng_crowd::scratch", source: include_str!("wgsl/scratch.wgsl") },
        Module { name: "throng_crowd::bins", source: include_str!("wgsl/bins.wgsl") },
        Module { name: "throng_crowd::places", source: include_str!("wgsl/places.wgsl") },
        Module { name: "throng_crowd::walls", source: include_str!("wgsl/walls.wgsl") },
        Module { name: "throng_crowd::turns", source: include_str!("wgsl/turns.wgsl") },
        Module { name: "throng_crowd::tables", source: include_str!("wgsl/tables.wgsl") },
        Module { name: "throng_crowd::duration", source: include_str!("wgsl/duration.wgsl") },
        Module { name: "throng_crowd::shape", source: include_str!("wgsl/shape.wgsl") },
        Module { name: "throng_crowd::cells", source: include_str!("wgsl/cells.wgsl") },
        Module { name: "throng_crowd::ground", source: include_str!("wgsl/ground.wgsl") },
        Module { name: "throng_crowd::flows", source: include_str!("wgsl/flows.wgsl") },
        Module { name: "throng_crowd::slots", source: include_str!("wgsl/slots.wgsl") },
        Module { name: "throng_crowd::party", source: include_str!("wgsl/party.wgsl") },
        Module { name: "throng_crowd::list", source: include_str!("wgsl/list.wgsl") },
    ]
}

/// The shaders of all stages.
#[cfg(test)]
pub(crate) const SHADERS: &[Shader] = &[
    outside::COMMANDS,
    outside::INSTANCES,
    gate::SHADER,
    turns::SHADER,
    crate::bin::gpu::SHADER,
    crate::avoid::gpu::SHADER,
    crate::behave::gpu::SHADER,
    crate::behave::gpu::GLANCE,
    crate::behave::gpu::ADMIT,
    crate::navigate::gpu::SHADER,
    crate::navigate::gpu::MEET,
    crate::navigate::gpu::BRINKS,
    crate::navigate::gpu::SURVEY,
    crate::navigate::gpu::TARGETS,
    crate::movement::gpu::CONTACT,
    crate::movement::gpu::MOVE,
    crate::movement::gpu::PASSAGE,
];
