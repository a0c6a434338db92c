//! Textures of the ground: heights, slopes, masks, materials.

use glam::{IVec2, Vec2};
use half::f16;
use rayon::prelude::*;
use throng_field::Edge;
use throng_gpu::draw::Texture2;
use throng_gpu::{Gpu, GpuError};
use throng_world::World;

use super::ground::Heights;
use super::materials::{LAYERS, Material, SIDE};
use crate::targets::Target;

fn usage() -> wgpu::TextureUsages {
    wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST
}

/// Heights, to be loaded.
pub(super) fn heights(gpu: &Gpu, heights: &Heights) -> Result<Target, GpuError> {
    let size = heights.size.to_array();
    let made = Texture2::new("heights", size, wgpu::TextureFormat::R32Float, usage());
    let target = Target::new(gpu, &made)?;
    gpu.write_texture(&target.texture, (0, 0), bytemuck::cast_slice(&heights.values))?;
    Ok(target)
}

/// Slopes along x and y, and how much a place stands out of its surroundings (negative in hollows),
/// with levels.
pub(super) fn slopes(gpu: &Gpu, heights: &Heights, metres: f32) -> Result<Target, GpuError> {
    let (w, h) = (heights.size.x as usize, heights.size.y as usize);
    let over = ((metres / heights.cell).round() as i32).max(1);
    let texel = |i: usize| {
        let at = IVec2::new((i % w) as i32, (i / w) as i32);
        let slope = heights.slope(at, 1);
        let here = heights.sample(heights.origin + at.as_vec2() * heights.cell);
        let mut around = 0.0;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let p = (at + IVec2::new(dx, dy) * over).as_vec2() * heights.cell;
            around += heights.sample(heights.origin + p) * 0.25;
        }
        let out = ((here - around) / metres).clamp(-1.0, 1.0);
        [slope.x, slope.y, out, 0.0]
    };
    let first: Vec<[f32; 4]> = (0..w * h).into_par_iter().map(texel).collect();
    let levels = 1 + w.max(h).ilog2();
    let format = wgpu::TextureFormat::Rgba16Float;
    let made =
        Texture2 { levels, ..Texture2::new("slopes", [w as u32, h as u32], format, usage()) };
    let target = Target::new(gpu, &made)?;
    write_levels(gpu, &target, 0, (w, h), first, levels, |texels| {
        let halves: Vec<f16> = texels.iter().flatten().map(|&x| f16::from_f32(x)).collect();
        halves.iter().flat_map(|x| x.to_le_bytes()).collect()
    })?;
    Ok(target)
}

/// Texels of the masks along a side, at most.
const MOST_MASKS: f32 = 1024.0;
/// Texels of the masks of wild land are no wider than this (metres): paths are narrow.
const NARROW: f32 = 0.75;

/// The masks as the CPU knows them.
#[derive(Clone, Debug)]
pub(crate) struct Masks {
    origin: Vec2,
    cell: f32,
    size: glam::UVec2,
    texels: Vec<[u8; 4]>,
}

impl Masks {
    /// Wear, damp, zones and paving at a place, 0 to 1 each, between texels.
    pub(crate) fn at(&self, p: Vec2) -> [f32; 4] {
        let q = ((p - self.origin) / self.cell - 0.5).clamp(Vec2::ZERO, self.size.as_vec2() - 1.0);
        let low = q.floor();
        let t = q - low;
        let texel = |dx: u32, dy: u32| {
            let at = (low.as_uvec2() + glam::UVec2::new(dx, dy)).min(self.size - 1);
            self.texels[(at.y * self.size.x + at.x) as usize]
        };
        let all = [texel(0, 0), texel(1, 0), texel(0, 1), texel(1, 1)];
        let weights = [(1.0 - t.x) * (1.0 - t.y), t.x * (1.0 - t.y), (1.0 - t.x) * t.y, t.x * t.y];
        std::array::from_fn(|c| {
            all.iter().zip(weights).map(|(texel, w)| f32::from(texel[c]) * w).sum::<f32>() / 255.0
        })
    }
}

/// Wear, damp, zones and paving, over the cells of the world.
pub(super) fn masks(
    gpu: &Gpu,
    world: &World,
    damp: impl Fn(Vec2) -> f32 + Sync,
) -> Result<(Target, Masks), GpuError> {
    let frame = &world.terrain;
    let (origin, extent) = (frame.origin(), frame.extent());
    let mut cell = frame.cell_size();
    while world.heights.is_some()
        && cell > NARROW
        && extent.max_element() / cell <= MOST_MASKS / 2.0
    {
        cell *= 0.5;
    }
    let size = (extent / cell).round().as_uvec2().max(glam::UVec2::ONE);
    let (w, h) = (size.x as usize, size.y as usize);
    let worn = super::wear::wear(world, origin, cell, size);
    let texel = |i: usize| {
        let p = origin + (Vec2::new((i % w) as f32, (i / w) as f32) + 0.5) * cell;
        let slow = world.speed.as_ref().map_or(1.0, |speed| speed.sample(p, Edge::Clamp));
        // A floor, unless grass grows there.
        let paved = if world.heights.is_none() && world.grass.is_none() { 1.0 } else { 0.0 };
        [worn[i], damp(p), 1.0 - slow.clamp(0.0, 1.0), paved]
            .map(|x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8)
    };
    let texels: Vec<[u8; 4]> = (0..w * h).into_par_iter().map(texel).collect();
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let target = Target::new(gpu, &Texture2::new("masks", [w as u32, h as u32], format, usage()))?;
    gpu.write_texture(&target.texture, (0, 0), texels.as_flattened())?;
    Ok((target, Masks { origin, cell, size, texels }))
}

/// Colours and reliefs of all materials.
pub(super) fn materials(gpu: &Gpu, all: &[Material]) -> Result<[Target; 2], GpuError> {
    let levels = 1 + SIDE.ilog2();
    let array = |label, format| -> Result<Target, GpuError> {
        let size = [SIDE as u32; 2];
        let layers = LAYERS as u32;
        let texture = gpu.texture(&Texture2 {
            levels,
            layers,
            ..Texture2::new(label, size, format, usage())
        })?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        });
        Ok(Target { texture, view })
    };
    let albedos = array("ground colours", wgpu::TextureFormat::Rgba8UnormSrgb)?;
    let reliefs = array("ground reliefs", wgpu::TextureFormat::Rgba8Unorm)?;
    for (layer, material) in (0..).zip(all) {
        let first = material.albedo.clone();
        write_levels(gpu, &albedos, layer, (SIDE, SIDE), first, levels, |texels| {
            texels.iter().flat_map(|c| [srgb(c[0]), srgb(c[1]), srgb(c[2]), byte(c[3])]).collect()
        })?;
        let first = material.relief.iter().map(|s| [s[0], s[1], 0.0, 0.0]).collect();
        write_levels(gpu, &reliefs, layer, (SIDE, SIDE), first, levels, |texels| {
            texels
                .iter()
                .flat_map(|s| [byte(s[0] * 0.5 + 0.5), byte(s[1] * 0.5 + 0.5), 0, 255])
                .collect()
        })?;
    }
    Ok([albedos, reliefs])
}

fn byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn srgb(c: f32) -> u8 {
    byte(if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 })
}

/// Writes a level and all above it, each the mean of the one below.
fn write_levels(
    gpu: &Gpu,
    target: &Target,
    layer: u32,
    size: (usize, usize),
    first: Vec<[f32; 4]>,
    levels: u32,
    encode: impl Fn(&[[f32; 4]]) -> Vec<u8>,
) -> Result<(), GpuError> {
    let (mut texels, (mut w, mut h)) = (first, size);
    for level in 0..levels {
        if level > 0 {
            let (below, bw, bh) = (texels, w, h);
            (w, h) = ((bw / 2).max(1), (bh / 2).max(1));
            texels = (0..w * h)
                .map(|i| {
                    let (x, y) = ((i % w) * 2, (i / w) * 2);
                    let v = |dx: usize, dy: usize| {
                        below[(y + dy).min(bh - 1) * bw + (x + dx).min(bw - 1)]
                    };
                    let all = [v(0, 0), v(1, 0), v(0, 1), v(1, 1)];
                    std::array::from_fn(|c| all.iter().map(|t| t[c]).sum::<f32>() * 0.25)
                })
                .collect();
        }
        gpu.write_texture(&target.texture, (layer, level), &encode(&texels))?;
    }
    Ok(())
}
