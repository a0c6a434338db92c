//! The map against paths traced one by one: a hundred times the rays, patch by patch, no strata, no coefficients,
//! no half floats, and light at points of the ground instead of texels.

use std::f32::consts::{PI, TAU};

use glam::Vec3;
use rayon::prelude::*;

use super::super::Options;
use super::super::terrain::Terrain;
use super::{Random, afternoon, baked, valley};
use crate::sky::colour::luminance;
use crate::sky::{SUN_RADIUS, Sky};

struct Tracer<'a> {
    terrain: Terrain,
    sky: &'a Sky,
    bounces: u32,
}

impl Tracer<'_> {
    /// Irradiance without the sun at a point above the ground.
    fn irradiance(&self, eye: Vec3, normal: Vec3, paths: u32, random: &mut Random) -> Vec3 {
        let mut sum = glam::DVec3::ZERO;
        for _ in 0..paths {
            sum += self.path(eye, normal, random).as_dvec3();
        }
        (sum * (f64::from(PI) / f64::from(paths))).as_vec3()
    }

    /// Radiance along one path, which begins in a direction chosen by the cosine.
    fn path(&self, mut eye: Vec3, mut normal: Vec3, random: &mut Random) -> Vec3 {
        let (mut share, mut light) = (Vec3::ONE, Vec3::ZERO);
        for bounce in 0..=self.bounces {
            let d = cosine(normal, random);
            let Some(hit) = self.terrain.march_plainly(eye, d) else {
                return light + share * self.sky.radiance(d);
            };
            if bounce == self.bounces {
                break;
            }
            normal = self.terrain.normal(hit.at);
            eye = hit.at.extend(self.terrain.height(hit.at) + 1e-3);
            share *= self.sky.ground_albedo();
            light += share * self.sun(eye, normal, random) / PI;
        }
        light
    }

    fn sun(&self, eye: Vec3, normal: Vec3, random: &mut Random) -> Vec3 {
        let to_sun = self.sky.sun_direction();
        let (a, b) = to_sun.any_orthonormal_pair();
        let (sin, cos) = (TAU * random.next()).sin_cos();
        let d = to_sun + (a * cos + b * sin) * (random.next().sqrt() * SUN_RADIUS);
        match self.terrain.march_plainly(eye, d.normalize()) {
            Some(_) => Vec3::ZERO,
            None => self.sky.sun_irradiance() * normal.dot(to_sun).max(0.0),
        }
    }
}

fn cosine(normal: Vec3, random: &mut Random) -> Vec3 {
    let (a, b) = normal.any_orthonormal_pair();
    let (radius, (sin, cos)) = (random.next(), (TAU * random.next()).sin_cos());
    let r = radius.sqrt();
    (a * (r * cos) + b * (r * sin) + normal * (1.0 - radius).sqrt()).normalize()
}

#[test]
fn the_map_agrees_with_paths_traced_one_by_one() {
    let (heights, sky, options) = (valley(96, 96, 2.0), afternoon(), Options::default());
    let map = baked(&heights, &sky, &options);
    let tracer = Tracer { terrain: Terrain::new(&heights), sky: &sky, bounces: options.bounces };
    let errors: Vec<(f32, f32)> = (0..64_u64)
        .into_par_iter()
        .map(|n| {
            let mut random = Random(1000 * n + 17);
            let (x, y) = ((random.next() * 96.0) as usize, (random.next() * 96.0) as usize);
            let at = tracer.terrain.to_cells(map.centre(x, y));
            let normal = tracer.terrain.normal(at);
            let up = tracer.terrain.length_to_cells(options.above_ground);
            let eye = at.extend(tracer.terrain.height(at) + up);
            let rays = 100 * options.rays;
            let wanted = tracer.irradiance(eye, normal, rays, &mut random);
            let texel = map.texel(x, y);
            let found = texel.light.irradiance(normal);
            let apart = (luminance(found) - luminance(wanted)).abs() / luminance(wanted);
            let cosine = normal.dot(sky.sun_direction()).max(0.0);
            let sun = luminance(sky.sun_irradiance()) * texel.sun * cosine;
            (apart, apart * luminance(wanted) / (luminance(wanted) + sun))
        })
        .collect();
    let mean = errors.iter().map(|e| e.0).sum::<f32>() / errors.len() as f32;
    let whole = errors.iter().map(|e| e.1).sum::<f32>() / errors.len() as f32;
    let worst = errors.iter().map(|e| e.0).fold(0.0, f32::max);
    println!(
        "off by {:.2} % in the mean, {:.2} % with the sun, {:.2} % at most",
        100.0 * mean,
        100.0 * whole,
        100.0 * worst
    );
    assert!(mean < 0.05, "{mean}");
    assert!(worst < 0.2, "{worst}");
}
