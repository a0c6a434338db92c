//! Atlas: what clumps look like, drawn by code: colour with coverage, and how much light comes through.
//!
//! A layer each for grasses and flowers ([`LOOKS`]). Coarser levels keep the share of a layer that is covered, so
//! that far grass does not thin out, and colour reaches beyond the edge of blades, so that no dark rim shows.

mod brush;
mod looks;

use rayon::prelude::*;
use std::sync::OnceLock;
use throng_gpu::draw::Texture2;
use throng_gpu::{Gpu, GpuError};

use crate::targets::Target;
use brush::Sheet;
pub(crate) use looks::{FLOWERS, GRASSES, LOOKS};

/// Texels along a side of a layer.
pub(crate) const SIDE: usize = 256;
/// Coarser levels than this are a few blades wide: they are not needed.
const LEVELS: u32 = 8;

/// All layers, drawn once for a process.
fn sheets() -> &'static [Vec<Sheet>] {
    static SHEETS: OnceLock<Vec<Vec<Sheet>>> = OnceLock::new();
    SHEETS.get_or_init(|| {
        LOOKS.par_iter().map(|look| look.draw(SIDE).levels(LEVELS as usize)).collect()
    })
}

/// The atlas on the GPU: colours with coverage, and translucency.
pub(crate) fn textures(gpu: &Gpu) -> Result<[Target; 2], GpuError> {
    let array = |label, format| -> Result<Target, GpuError> {
        let texture = gpu.texture(&Texture2 {
            levels: LEVELS,
            layers: LOOKS.len() as u32,
            ..Texture2::new(
                label,
                [SIDE as u32; 2],
                format,
                wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            )
        })?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        Ok(Target { texture, view })
    };
    let colours = array("grass colours", wgpu::TextureFormat::Rgba8UnormSrgb)?;
    let through = array("grass translucency", wgpu::TextureFormat::R8Unorm)?;
    for (layer, levels) in (0..).zip(sheets()) {
        for (level, sheet) in (0..).zip(levels) {
            gpu.write_texture(&colours.texture, (layer, level), &sheet.colour_bytes())?;
            gpu.write_texture(&through.texture, (layer, level), &sheet.through_bytes())?;
        }
    }
    Ok([colours, through])
}

#[cfg(test)]
mod tests {
    use super::{LOOKS, sheets};

    /// If this fails, a clump is invisible, a solid card, or thins out with distance.
    #[test]
    fn looks_are_drawn_and_keep_their_coverage() {
        assert!(LOOKS.len() >= 8);
        let names: std::collections::HashSet<_> = LOOKS.iter().map(|look| look.name).collect();
        assert_eq!(names.len(), LOOKS.len());
        for (look, levels) in LOOKS.iter().zip(sheets()) {
            let first = levels[0].covered(0.5);
            assert!((0.08..0.75).contains(&first), "{}: {first}", look.name);
            for (i, level) in levels.iter().enumerate().take(6) {
                let own = level.covered(0.5);
                assert!(
                    (own - first).abs() < 0.25 * first + 0.02,
                    "{} {i}: {own} {first}",
                    look.name
                );
            }
            let bottom = levels[0].covered_rows(0.9..1.0);
            let top = levels[0].covered_rows(0.0..0.08);
            assert!(bottom > top, "{}: roots are below", look.name);
        }
        let bytes: Vec<_> = sheets().iter().map(|levels| levels[0].colour_bytes()).collect();
        assert!((1..bytes.len()).all(|i| bytes[i] != bytes[i - 1]));
    }
}
