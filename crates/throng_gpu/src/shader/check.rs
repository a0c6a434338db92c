//! Checks of shaders, for the tests of this crate and of those that bring shaders of their own: that
//! all variants are valid, for naga and for Tint, and that Rust and WGSL mean the same struct.

use std::process::Command;

use wgpu::naga;

use super::{Library, Shader};
use crate::GpuError;

/// Where a struct has its fields, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Name of the struct in WGSL.
    pub name: &'static str,
    /// Size of the whole.
    pub size: usize,
    /// Names and offsets of the fields.
    pub fields: Vec<(String, usize)>,
}

/// The [`Layout`] of a `#[repr(C)]` struct of Rust.
///
/// ```
/// #[repr(C)]
/// struct Extent { at_most: u32, word: u32 }
/// let layout = throng_gpu::layout!(Extent { at_most, word });
/// assert_eq!((layout.size, layout.fields[1].1), (8, 4));
/// ```
#[macro_export]
macro_rules! layout {
    ($name:ident { $($field:ident),* $(,)? }) => {
        $crate::check::Layout {
            name: stringify!($name),
            size: ::core::mem::size_of::<$name>(),
            fields: vec![
                $((stringify!($field).to_owned(), ::core::mem::offset_of!($name, $field))),*
            ],
        }
    };
}

/// Composes and validates every variant of every shader. Gives the WGSL of each, as a browser would
/// get it, with a name for it.
///
/// # Errors
/// The first that is not valid.
pub fn all(library: &Library, shaders: &[Shader]) -> Result<Vec<(String, String)>, GpuError> {
    let mut texts = Vec::new();
    for shader in shaders {
        for defs in shader.variants {
            let name = format!("{} {defs:?}", shader.name);
            let module = library.compose(shader, defs)?;
            texts.push((name.clone(), text(&name, &module)?));
        }
    }
    Ok(texts)
}

/// A composed module as WGSL, in the words of the standard.
///
/// # Errors
/// The module is not valid.
pub fn text(name: &str, module: &naga::Module) -> Result<String, GpuError> {
    let failed = |reason: String| GpuError::Shader { shader: name.to_owned(), reason };
    let capabilities = naga::valid::Capabilities::default() | naga::valid::Capabilities::SUBGROUP;
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities)
        .validate(module)
        .map_err(|e| failed(format!("{e:?}")))?;
    let flags = naga::back::wgsl::WriterFlags::empty();
    let text =
        naga::back::wgsl::write_string(module, &info, flags).map_err(|e| failed(e.to_string()))?;
    // naga has subgroups without asking, the standard asks for this line.
    let enable = if text.contains("subgroup") { "enable subgroups;\n" } else { "" };
    Ok(format!("{enable}{text}"))
}

/// Whether Tint, the compiler of Chrome, takes this WGSL. `None` where there is no `tint` to ask.
///
/// # Errors
/// What Tint said.
pub fn tint(name: &str, wgsl: &str) -> Option<Result<(), GpuError>> {
    let file = std::env::temp_dir().join(format!(
        "throng-{}-{}.wgsl",
        std::process::id(),
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>()
    ));
    let failed = |reason: String| GpuError::Shader { shader: name.to_owned(), reason };
    if let Err(error) = std::fs::write(&file, wgsl) {
        return Some(Err(failed(error.to_string())));
    }
    let said = Command::new("tint").arg("--format").arg("wgsl").arg(&file).output();
    let _ = std::fs::remove_file(&file);
    let said = said.ok()?;
    Some(match said.status.success() {
        true => Ok(()),
        false => Err(failed(String::from_utf8_lossy(&said.stderr).into_owned())),
    })
}

/// The layout of a struct in a composed module. Imported structs are found by their own name.
#[must_use]
pub fn layout_in(module: &naga::Module, name: &'static str) -> Option<Layout> {
    let fields = module.types.iter().find_map(|(_, ty)| {
        let full = ty.name.as_deref()?;
        let same = full == name || full.strip_prefix(name)?.starts_with("X_naga_oil_");
        match &ty.inner {
            naga::TypeInner::Struct { members, span } if same => Some((members, *span)),
            _ => None,
        }
    });
    let (members, span) = fields?;
    let fields = members
        .iter()
        .map(|member| (member.name.clone().unwrap_or_default(), member.offset as usize))
        .collect();
    Some(Layout { name, size: span as usize, fields })
}
