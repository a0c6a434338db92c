//! If one of these fails, the ground is lit by light that is not there, or dark where light is.

mod cache;
mod gpu;
mod light;
mod march;
mod reference;

use glam::{Vec2, Vec3};
use throng_field::Grid;

use super::{LightMap, Options, Place, bake};
use crate::sky::{Sky, direction};

/// Numbers from 0 to 1, the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (throng_gpu::wide::mix(self.0) >> 40) as f32 / 16_777_216.0
    }

    /// All directions alike.
    pub(super) fn direction(&mut self) -> Vec3 {
        let z = 2.0 * self.next() - 1.0;
        let (sin, cos) = (self.next() * std::f32::consts::TAU).sin_cos();
        let r = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(r * cos, r * sin, z)
    }
}

/// A valley between two ridges, with hills in it.
pub(super) fn valley(width: usize, height: usize, cell: f32) -> Grid<f32> {
    Grid::from_fn(width, height, |c| {
        let p = Vec2::new(c.x as f32 / width as f32, c.y as f32 / height as f32);
        let ridge = 40.0 * (2.0 * p.x - 1.0).abs().powi(2);
        let hills =
            6.0 * ((p.x * 17.0).sin() * (p.y * 13.0).cos() + (p.x * 5.0 + p.y * 31.0).sin());
        ridge + hills + 3.0 * (p.x * 61.0 + p.y * 47.0).sin()
    })
    .unwrap()
    .placed(cell, Vec2::new(-30.0, 12.0))
    .unwrap()
}

pub(super) fn afternoon() -> Sky {
    Sky::new(direction(245.0, 28.0), 2.5, Vec3::new(0.25, 0.3, 0.15))
}

pub(super) fn baked(heights: &Grid<f32>, sky: &Sky, options: &Options) -> LightMap {
    bake(&Place { heights, albedo: None, sky }, options, &|_| {}).unwrap()
}
