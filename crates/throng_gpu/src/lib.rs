//! Device, buffers, shaders in modules and data-parallel primitives on wgpu.
//!
//! A [`Gpu`] is opened once; a [`Pool`] gives buffers; a primitive such as [`scan::Scan`] is made once,
//! bound to buffers once and recorded into the passes of every step. Recording allocates nothing,
//! submits nothing and reads nothing back. All works within the default limits of WebGPU; what a device
//! has beyond them is probed for ([`Capabilities`]) and never needed.
//!
//! Those who draw find render pipelines and textures in [`draw`].
//!
//! Each primitive is a folder: `mod.rs` says what it takes and gives, `gpu.rs` is the host side, the
//! `.wgsl` the device's, and `cpu.rs` the plain twin that tests compare with, bit for bit.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod device;
mod error;
mod memory;
mod record;
mod spine;
mod variant;

pub mod compact;
pub mod counting;
pub mod draw;
pub mod histogram;
pub mod indirect;
pub mod pyramid;
pub mod reduce;
pub mod scan;
pub mod segmented;
pub mod shader;
pub mod sort;
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod testing;
pub mod wide;

pub use device::{
    AdapterSummary, Adapters, Capabilities, Choice, Counts, Gpu, Options, describe, is_software,
};
pub use error::GpuError;
pub use memory::{Buffer, Pool, PoolBytes, ReadBack, ReadRing};
pub use record::{
    Count, GROUP, Groups, Kernel, Pass, Prepared, Program, Step, Timer, Timing, groups_for,
    workgroups,
};
pub use shader::{Def, Defs, Library, Module, Shader, check};
pub use variant::Variant;
