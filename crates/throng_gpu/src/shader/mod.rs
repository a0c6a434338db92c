//! WGSL in modules: what is shared is imported, never pasted.
//!
//! Composition is done by `naga_oil`: `#import throng_gpu::order::ordered_bits` at the head of a file,
//! `#ifdef SUBGROUPS … #else … #endif` for variants, `#{NAME}` for values given by Rust. It was chosen
//! over WESL, whose releases since summer 2026 need a newer compiler than this workspace asks for;
//! `naga_oil` 0.23 is built on the very naga of wgpu 30, so a composed module goes to wgpu as it is.
//!
//! Other crates bring modules and shaders of their own: [`Library::with`], [`Library::program`],
//! [`check`].

pub mod check;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use naga_oil::compose::{
    ComposableModuleDescriptor, Composer, NagaModuleDescriptor, ShaderDefValue,
};

use crate::record::Program;
use crate::{GROUP, Gpu, GpuError};

/// A piece of WGSL that shaders import by its name.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// The path it is imported by, such as `throng_gpu::group`. Names of items in it must not end in
    /// a digit: naga writes them anew.
    pub name: &'static str,
    /// The text.
    pub source: &'static str,
}

/// A WGSL file with entry points.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// Label of what is made from it.
    pub name: &'static str,
    /// The text.
    pub source: &'static str,
    /// All definitions it is compiled with, so that [`check`] can try them.
    pub variants: &'static [Defs],
}

/// Values for `#ifdef`, `#if` and `#{NAME}`.
pub type Defs = &'static [(&'static str, Def)];

/// A value given to a shader when it is composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// Defined, for `#ifdef`.
    Yes,
    /// A whole number, `#{NAME}` and `#{NAME}u`.
    Number(u32),
}

/// What is for all to import from this crate.
pub const MODULES: &[Module] = &[
    Module { name: "throng_gpu::group", source: include_str!("../wgsl/group.wgsl") },
    Module { name: "throng_gpu::extent", source: include_str!("../wgsl/extent.wgsl") },
    Module { name: "throng_gpu::order", source: include_str!("../wgsl/order.wgsl") },
    Module { name: "throng_gpu::wide", source: include_str!("../wgsl/wide.wgsl") },
    Module { name: "throng_gpu::group_scan", source: include_str!("../wgsl/group_scan.wgsl") },
];

/// The shaders of this crate.
pub const SHADERS: &[Shader] = &[
    crate::spine::SHADER,
    crate::scan::SHADER,
    crate::reduce::SHADER,
    crate::compact::SHADER,
    crate::histogram::SHADER,
    crate::sort::SHADER,
    crate::counting::SHADER,
    crate::segmented::SHADER,
    crate::pyramid::SHADER,
    crate::indirect::SHADER,
];

/// Modules, ready to be imported.
pub struct Library {
    composer: Mutex<Composer>,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Library")
    }
}

impl Library {
    /// A library with the modules of this crate.
    ///
    /// # Errors
    /// Never, as long as this crate's tests pass.
    pub fn new() -> Result<Self, GpuError> {
        Self { composer: Mutex::new(composer()) }.with(MODULES)
    }

    /// Adds modules; each may import those before it.
    ///
    /// # Errors
    /// A module that imports what is not there, or is no WGSL.
    pub fn with(self, modules: &[Module]) -> Result<Self, GpuError> {
        let mut composer = self.composer.into_inner().unwrap_or_else(PoisonError::into_inner);
        for module in modules {
            let added = composer.add_composable_module(ComposableModuleDescriptor {
                source: module.source,
                file_path: module.name,
                as_name: Some(module.name.to_owned()),
                ..Default::default()
            });
            if let Err(error) = added {
                let reason = error.emit_to_string(&composer);
                return Err(GpuError::Shader { shader: module.name.to_owned(), reason });
            }
        }
        Ok(Self { composer: Mutex::new(composer) })
    }

    /// A shader with all it imports, validated by naga.
    ///
    /// # Errors
    /// It imports what is not there, or is no valid WGSL; with the place in the text.
    pub fn compose(
        &self,
        shader: &Shader,
        defs: &[(&str, Def)],
    ) -> Result<wgpu::naga::Module, GpuError> {
        let mut composer = self.composer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut shader_defs: HashMap<_, _> =
            [("GROUP".to_owned(), ShaderDefValue::UInt(GROUP))].into();
        shader_defs.extend(defs.iter().map(|&(name, def)| {
            let value = match def {
                Def::Yes => ShaderDefValue::Bool(true),
                Def::Number(number) => ShaderDefValue::UInt(number),
            };
            (name.to_owned(), value)
        }));
        let made = composer.make_naga_module(NagaModuleDescriptor {
            source: shader.source,
            file_path: shader.name,
            shader_defs,
            ..Default::default()
        });
        made.map_err(|error| GpuError::Shader {
            shader: shader.name.to_owned(),
            reason: error.emit_to_string(&composer),
        })
    }

    /// A shader compiled for the device.
    ///
    /// # Errors
    /// As [`Library::compose`]; or the device does not take it.
    pub fn program(
        &self,
        gpu: &Gpu,
        shader: &Shader,
        defs: &[(&str, Def)],
    ) -> Result<Program, GpuError> {
        let composed = self.compose(shader, defs)?;
        let module = gpu.scoped(shader.name, || {
            gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(shader.name),
                source: wgpu::ShaderSource::Naga(std::borrow::Cow::Owned(composed)),
            })
        })?;
        Ok(Program { gpu: gpu.clone(), label: shader.name.to_owned(), module })
    }
}

fn composer() -> Composer {
    Composer::default().with_capabilities(
        wgpu::naga::valid::Capabilities::default() | wgpu::naga::valid::Capabilities::SUBGROUP,
    )
}
