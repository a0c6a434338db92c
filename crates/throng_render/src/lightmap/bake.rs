//! The baking of a light map.

use std::f32::consts::PI;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::strata::{Stratum, strata};
use super::terrain::Terrain;
use super::{LightMap, LightMapError, MOST_RAYS, MOST_TEXELS, Options, Place, Texel};
use crate::sky::Sh;

/// Light that is only reflected on is gathered with so many times fewer rays, and no fewer than these.
const FEWER: u32 = 4;
const FEWEST: u32 = 64;

/// Bakes the light of a place. `progress` is called from any thread, with the share done, 0 to 1.
///
/// # Errors
/// Heights or albedo that are no numbers or do not go together; options out of range.
pub fn bake(
    place: &Place<'_>,
    options: &Options,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<LightMap, LightMapError> {
    check(place, options)?;
    let baker = Baker::new(place, options);
    let texels = baker.bake(progress);
    Ok(LightMap::new(baker.width, baker.height, place.heights, &texels))
}

/// Everything that the light of one texel depends on.
pub(super) struct Baker<'a> {
    place: Place<'a>,
    options: Options,
    pub(super) terrain: Terrain,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// What the ground at a texel gives back.
pub(super) struct Ground {
    normal: Vec3,
    albedo: Vec3,
    sun: f32,
}

impl<'a> Baker<'a> {
    pub(super) fn new(place: &Place<'a>, options: &Options) -> Self {
        let [width, height] = match options.texels {
            Some(texels) => texels.map(|n| n as usize),
            None => [place.heights.width(), place.heights.height()],
        };
        let terrain = Terrain::new(place.heights);
        Self { place: *place, options: *options, terrain, width, height }
    }

    fn bake(&self, progress: &(dyn Fn(f32) + Sync)) -> Vec<Texel> {
        let cells = self.width * self.height;
        let fewer = (self.options.rays / FEWER).max(FEWEST).min(self.options.rays);
        let (bounces, rays) = (self.options.bounces as usize, self.options.rays as usize);
        // Work in rays: the sun's, those of each bounce, the last.
        let whole = self.options.sun_rays as usize + bounces * fewer as usize + rays;
        let done = AtomicUsize::new(0);
        let count = |rays: usize| {
            let before = done.fetch_add(rays * self.width, Ordering::Relaxed);
            progress(((before + rays * self.width) as f32 / (whole * cells) as f32).min(1.0));
        };
        let ground: Vec<Ground> =
            self.rows(|index| self.ground(index), || count(self.options.sun_rays as usize));
        let mut reflected = vec![Vec3::ZERO; cells];
        let few = strata(fewer, self.place.sky);
        for _ in 0..bounces {
            let next = self.rows(
                |index| {
                    let light = self.gather(index, &few, &reflected);
                    self.reflect(&ground[index], &light)
                },
                || count(fewer as usize),
            );
            reflected = next;
        }
        let many = strata(self.options.rays, self.place.sky);
        self.rows(
            |index| Texel { light: self.gather(index, &many, &reflected), sun: ground[index].sun },
            || count(rays),
        )
    }

    /// One value for every texel, row by row on all threads.
    fn rows<T: Send>(&self, of: impl Fn(usize) -> T + Sync, row_done: impl Fn() + Sync) -> Vec<T> {
        let rows: Vec<Vec<T>> = (0..self.height)
            .into_par_iter()
            .map(|y| {
                let row = (0..self.width).map(|x| of(y * self.width + x)).collect();
                row_done();
                row
            })
            .collect();
        rows.into_iter().flatten().collect()
    }

    /// A point of a texel, in cells of the terrain; (0.5, 0.5) is its centre.
    fn point(&self, index: usize, within: Vec2) -> Vec2 {
        let texel = Vec2::new((index % self.width) as f32, (index / self.width) as f32);
        let size = Vec2::new(self.width as f32, self.height as f32);
        let heights = self.place.heights;
        self.terrain.to_cells(heights.origin() + (texel + within) / size * heights.extent())
    }

    /// Where light is gathered above a point.
    fn eye(&self, at: Vec2) -> Vec3 {
        at.extend(self.terrain.height(at) + self.terrain.length_to_cells(self.options.above_ground))
    }

    /// The ground at a texel, and how much of the sun is seen from above it: a bundle of rays from places all over
    /// the texel to places all over the disc.
    pub(super) fn ground(&self, index: usize) -> Ground {
        let centre = self.point(index, Vec2::splat(0.5));
        let sky = self.place.sky;
        let to_sun = sky.sun_direction();
        let (across, up) = to_sun.any_orthonormal_pair();
        let rays = self.options.sun_rays;
        let above_horizon = to_sun.z > -self.options.sun_radius;
        let free = (0..rays).filter(|_| above_horizon).filter(|&ray| {
            // Two additive sequences with irrational steps (Roberts' R4), turned for each texel.
            let at =
                |step: f32, salt: u32| (ray as f32 * step + random(index as u32, salt)).fract();
            let within = Vec2::new(at(0.856_674_9, 1), at(0.733_891_86, 2));
            let (radius, angle) = (at(0.628_707, 3).sqrt(), at(0.538_597_3, 4) * 2.0 * PI);
            let (sin, cos) = angle.sin_cos();
            let off = (across * cos + up * sin) * (radius * self.options.sun_radius.tan());
            let eye = self.eye(self.point(index, within));
            self.terrain.march(eye, (to_sun + off).normalize()).is_none()
        });
        let sun = free.count() as f32 / rays as f32;
        Ground { normal: self.terrain.normal(centre), albedo: self.albedo(index), sun }
    }

    fn albedo(&self, index: usize) -> Vec3 {
        let Some(albedo) = self.place.albedo else { return self.place.sky.ground_albedo() };
        let x = (index % self.width) * albedo.width() / self.width;
        let y = (index / self.width) * albedo.height() / self.height;
        albedo.row(y)[x]
    }

    /// Radiance that leaves the ground.
    fn reflect(&self, ground: &Ground, light: &Sh) -> Vec3 {
        let sky = self.place.sky;
        let cosine = ground.normal.dot(sky.sun_direction()).max(0.0);
        let irradiance =
            light.irradiance(ground.normal) + sky.sun_irradiance() * (ground.sun * cosine);
        ground.albedo * irradiance / PI
    }

    /// Light from all around a texel, without the sun: one ray into every stratum.
    pub(super) fn gather(&self, index: usize, strata: &[Stratum], reflected: &[Vec3]) -> Sh {
        let eye = self.eye(self.point(index, Vec2::splat(0.5)));
        let mut light = Sh::default();
        for (ray, stratum) in strata.iter().enumerate() {
            let salt = 16 + 2 * ray as u32;
            let (across, up) = (random(index as u32, salt), random(index as u32, salt + 1));
            match self.terrain.march(eye, stratum.direction(across, up)) {
                None => light += stratum.sky,
                Some(hit) => {
                    let radiance = reflected[self.texel_at(hit.at)];
                    for (sum, basis) in light.0.iter_mut().zip(stratum.basis) {
                        *sum += radiance * basis;
                    }
                }
            }
        }
        light
    }

    /// The texel at a point in cells of the terrain.
    pub(super) fn texel_at(&self, at: Vec2) -> usize {
        let heights = self.place.heights;
        let along = |at: f32, cells: usize, texels: usize| {
            (((at - 0.5) / cells as f32 * texels as f32).max(0.0) as usize).min(texels - 1)
        };
        let x = along(at.x, heights.width(), self.width);
        along(at.y, heights.height(), self.height) * self.width + x
    }
}

/// A number from 0 to 1 that depends on a texel and a use, and on nothing else (the finaliser of MurmurHash3 over
/// both).
fn random(texel: u32, salt: u32) -> f32 {
    let mut x = texel.wrapping_mul(0x9e37_79b1) ^ salt.wrapping_mul(0x85eb_ca77);
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    x ^= x >> 16;
    (x >> 8) as f32 / 16_777_216.0
}

fn check(place: &Place<'_>, options: &Options) -> Result<(), LightMapError> {
    let heights = place.heights;
    let cell = |index: usize, what, value: String, wanted| {
        let cell = heights.cell_at(index);
        Err(LightMapError::BadCell { what, x: cell.x, y: cell.y, value, wanted })
    };
    if let Some(bad) = heights.as_slice().iter().position(|h| !h.is_finite()) {
        let value = heights.as_slice()[bad].to_string();
        return cell(bad, "height", value, "heights must be finite");
    }
    if let Some(albedo) = place.albedo {
        if !albedo.same_shape(heights) {
            let (w, h) = (albedo.width(), albedo.height());
            return Err(LightMapError::Shape(w, h, heights.width(), heights.height()));
        }
        let valid = |a: &Vec3| a.cmpge(Vec3::ZERO).all() && a.cmple(Vec3::ONE).all();
        if let Some(bad) = albedo.as_slice().iter().position(|a| !valid(a)) {
            let value = albedo.as_slice()[bad].to_string();
            return cell(bad, "albedo", value, "albedo must be from 0 to 1");
        }
    }
    let option = |option, good: bool, value: String, wanted| match good {
        true => Ok(()),
        false => Err(LightMapError::BadOption { option, value, wanted }),
    };
    let [width, height] =
        options.texels.unwrap_or([heights.width() as u32, heights.height() as u32]);
    let sides = 1..=MOST_TEXELS;
    let fits = sides.contains(&width) && sides.contains(&height);
    option("texels", fits, format!("{width} x {height}"), "from 1 to 8192 each way")?;
    let rays = (2..=MOST_RAYS).contains(&options.rays);
    option("rays", rays, options.rays.to_string(), "from 2 to 1048576")?;
    let sun_rays = (1..=MOST_RAYS).contains(&options.sun_rays);
    option("sun_rays", sun_rays, options.sun_rays.to_string(), "from 1 to 1048576")?;
    option("bounces", options.bounces <= 64, options.bounces.to_string(), "at most 64")?;
    let radius = (0.0..=0.5).contains(&options.sun_radius);
    option("sun_radius", radius, options.sun_radius.to_string(), "from 0 to 0.5 radians")?;
    let above = options.above_ground > 0.0 && options.above_ground.is_finite();
    option("above_ground", above, options.above_ground.to_string(), "more than 0 and finite")
}
