//! Sun and sky: light by time and place, on a clear day from noon to dusk.
//!
//! **Units.** Colours are linear sRGB. Radiance is scaled so that its luminance is in kcd/m², irradiance so that
//! its illuminance is in klx: a clear sky is 2 to 8, the sun at noon 100, a white wall in it 30. Everything fits
//! half floats but the sun's own disc, which is capped. What is shown needs an exposure: 0.1 or so by day.
//!
//! **Axes.** x is east, y north, z up.
//!
//! **Models.** The sky is that of Hosek and Wilkie (2012), fitted to path-traced spectral skies, with the light
//! that the ground throws back; it was chosen over the chapter's model (Preetham 1999, kept in [`preetham`] to
//! compare with), which is too bright around, pale, and turns yellow when the sun is low. To it come ozone, which
//! makes a dusk blue, and a twilight that follows measured illuminance after the model's end (`twilight.rs`). The sun's light is that of
//! Bird and Riordan (1986, [`bird`]), with ozone. Distant things fade by Rayleigh and aerosol extinction and
//! take on the sky behind them ([`Sky::aerial`]).
//!
//! ```
//! use throng_render::sky::{JulianDate, Sky, SunPosition};
//! let sun = SunPosition::new(JulianDate::new(2026, 6, 21, 15.0), 48.2, 16.4);
//! let sky = Sky::new(sun.direction(), 2.5, glam::Vec3::splat(0.2));
//! assert!(sky.sun_irradiance().min_element() > 10.0);
//! ```

pub mod bird;
pub mod colour;
mod ephemeris;
#[cfg(test)]
mod gpu_tests;
pub mod preetham;
pub mod sh;
#[cfg(test)]
mod tests;
mod twilight;
mod uniforms;

use std::f32::consts::PI;

use glam::{Vec2, Vec3};
use throng_gpu::Module;

pub use ephemeris::{JulianDate, SunPosition, direction};
pub use sh::{Dominant, Sh};
pub use uniforms::SkyUniforms;

use bird::{Air, aerosol_depth};
use hw_skymodel::rgb::{SkyParams, SkyState};

/// WGSL for others to import: `throng_render::sh`, then `throng_render::sky`.
pub const MODULES: &[Module] = &[
    Module { name: "throng_render::sh", source: include_str!("sh.wgsl") },
    Module { name: "throng_render::sky", source: include_str!("sky.wgsl") },
];

/// Half of the sun's width in the sky, radians.
pub const SUN_RADIUS: f32 = 0.266_5 * PI / 180.0;

/// The sun's disc is no brighter than this, so that it fits half floats with room for bloom.
pub const BRIGHTEST: f32 = 20_000.0;

/// Scattering of clean air at sea level, per metre, for red, green and blue (Bruneton and Neyret 2008).
const RAYLEIGH: Vec3 = Vec3::new(5.802e-6, 13.558e-6, 33.1e-6);
/// Wavelengths that stand for red, green and blue, µm.
const WAVELENGTHS: Vec3 = Vec3::new(0.680, 0.550, 0.440);
/// Heights over which air and aerosol thin out by e, m.
const RAYLEIGH_HEIGHT: f32 = 8000.0;
const AEROSOL_HEIGHT: f32 = 1200.0;
/// Below the horizon the ground comes through the haze at about this slope.
const GROUND_SLOPE: f32 = 0.05;
/// Light of a moonless night, kcd/m²: stars and airglow.
const NIGHT: Vec3 = Vec3::new(1.6e-7, 1.9e-7, 2.6e-7);
/// Rows and columns of directions for the projection to spherical harmonics.
const PROJECTION: (usize, usize) = (96, 192);

/// A clear sky with its sun.
#[derive(Clone, Debug, PartialEq)]
pub struct Sky {
    sun: Vec3,
    turbidity: f32,
    ground_albedo: Vec3,
    /// The nine parameters of Hosek and Wilkie's formula, each for three channels.
    parameters: [Vec3; 9],
    /// What the formula is multiplied by, in our units.
    scale: Vec3,
    /// Height below which the sky stays as it is there.
    lowest: f32,
    /// What the zenith is multiplied by besides.
    zenith: Vec3,
    sun_irradiance: Vec3,
    /// Radiance of level ground.
    ground: Vec3,
    /// Extinction at the ground per metre.
    rayleigh: Vec3,
    aerosol: Vec3,
    sh: Sh,
}

impl Sky {
    /// The sky for a sun in this direction (of any length; below the horizon it is dusk), a turbidity of 1.8
    /// (very clear) over 2.5 (clear) to 10 (hazy) and the albedo of the land around. What lies outside is
    /// held at the nearest; what is no number becomes noon, 2.5 and 0.2.
    #[must_use]
    pub fn new(sun_direction: Vec3, turbidity: f32, ground_albedo: Vec3) -> Self {
        let sun = sun_direction.try_normalize().unwrap_or(Vec3::Z);
        let turbidity = if turbidity.is_finite() { turbidity.clamp(1.8, 10.0) } else { 2.5 };
        let ground_albedo = if ground_albedo.is_finite() {
            ground_albedo.clamp(Vec3::ZERO, Vec3::ONE)
        } else {
            Vec3::splat(0.2)
        };
        let elevation = sun.z.clamp(-1.0, 1.0).asin();
        let (parameters, radiance) = hosek_wilkie(elevation, turbidity, ground_albedo);
        let degrees = elevation.to_degrees();
        let scale = radiance * (colour::LUMENS_PER_WATT as f32 / 1000.0) * twilight::sky(degrees);
        let air = Air { turbidity: f64::from(turbidity), ..Air::default() };
        let aerosol = WAVELENGTHS
            .to_array()
            .map(|um| aerosol_depth(f64::from(um), &air) as f32 / AEROSOL_HEIGHT);
        let mut sky = Self {
            sun,
            turbidity,
            ground_albedo,
            parameters,
            scale,
            lowest: twilight::lowest(degrees),
            zenith: twilight::zenith(degrees),
            sun_irradiance: twilight::sun(degrees, &air),
            ground: Vec3::ZERO,
            rayleigh: RAYLEIGH,
            aerosol: Vec3::from(aerosol),
            sh: Sh::default(),
        };
        // The ground is lit by the upper half alone, so it can be found before the lower half is.
        let (_, overhead) = sky.project(PROJECTION.0);
        sky.ground = ground_albedo * (overhead + sky.sun_irradiance * sun.z.max(0.0)) / PI;
        sky.sh = sky.project(2 * PROJECTION.0).0;
        sky
    }

    /// The same sky with its haze so many times as thick, for places that are too small for real air to show.
    /// Only [`Sky::aerial`] changes.
    #[must_use]
    pub fn with_haze(mut self, times: f32) -> Self {
        let times = if times.is_finite() { times.max(0.0) } else { 1.0 };
        self.rayleigh = RAYLEIGH * times;
        self.aerosol *= times;
        self
    }

    /// The same radiance from every direction above the horizon, another below, and no sun.
    #[cfg(test)]
    pub(crate) fn uniform(radiance: Vec3, below: Vec3, albedo: Vec3) -> Self {
        let mut sky = Self::new(Vec3::NEG_Z, 2.0, albedo);
        sky.parameters = [Vec3::ZERO; 9];
        sky.parameters[2] = Vec3::ONE;
        (sky.scale, sky.ground, sky.lowest, sky.zenith) = (radiance, below, 0.0, Vec3::ONE);
        sky.sh = sky.project(2 * PROJECTION.0).0;
        sky
    }

    /// Unit vector to the sun.
    #[must_use]
    pub fn sun_direction(&self) -> Vec3 {
        self.sun
    }

    /// Turbidity as it is used.
    #[must_use]
    pub fn turbidity(&self) -> f32 {
        self.turbidity
    }

    /// Albedo of the land around as it is used.
    #[must_use]
    pub fn ground_albedo(&self) -> Vec3 {
        self.ground_albedo
    }

    /// Radiance from a unit direction, without the sun's disc. Below the horizon lies lit ground in haze.
    #[must_use]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        if direction.z >= 0.0 {
            return self.above(direction);
        }
        let level = Vec2::new(direction.x, direction.y);
        let level = level / level.length().max(1e-4);
        let horizon = self.above(level.extend(0.0));
        horizon.lerp(self.ground, (GROUND_SLOPE / direction.z).exp())
    }

    /// The formula of Hosek and Wilkie 2012, with our ozone and dusk (`twilight.rs`).
    fn above(&self, direction: Vec3) -> Vec3 {
        let [a, b, c, d, e, f, g, h, i] = self.parameters;
        let cos_gamma = direction.dot(self.sun).clamp(-1.0, 1.0);
        let gamma = cos_gamma.acos();
        let squared = cos_gamma * cos_gamma;
        let cos_theta = direction.z.max(self.lowest);
        let spread = (Vec3::ONE + i * i - i * (2.0 * cos_gamma)).max(Vec3::splat(1e-6));
        let mie = (1.0 + squared) / (spread * spread.map(f32::sqrt));
        let gradient = Vec3::ONE + a * (b / (cos_theta + 0.01)).exp();
        let glow = c + d * (e * gamma).exp() + f * squared + g * mie + h * cos_theta.sqrt();
        let tint = Vec3::ONE.lerp(self.zenith, cos_theta.sqrt());
        let sky = (self.scale * tint * gradient * glow).max(Vec3::ZERO);
        // No clear sky is green; the fit is, a little, low over a high sun.
        sky.with_y(sky.y.min(sky.x.max(sky.z))) + NIGHT
    }

    /// Irradiance of the sun on a surface that faces it, at the ground, as far as its disc is above the
    /// horizon of flat land.
    #[must_use]
    pub fn sun_irradiance(&self) -> Vec3 {
        self.sun_irradiance
    }

    /// Irradiance of the sky, and of the ground below, on a surface with this normal, in the open; without
    /// the sun.
    #[must_use]
    pub fn irradiance(&self, normal: Vec3) -> Vec3 {
        self.sh.irradiance(normal)
    }

    /// Sky and ground, without the sun, as spherical harmonics: see [`sh`](mod@sh) for basis and order.
    #[must_use]
    pub fn sh(&self) -> [Vec3; 9] {
        self.sh.0
    }

    /// What is left of a colour after `distance` metres of air in a unit direction, and the light that the air
    /// adds: `colour T + S (1 - T) / (1 - T∞)`, where T is the transmittance to the thing, T∞ that to
    /// the end of the air and S the sky in that direction. So what is far becomes the sky behind it.
    #[must_use]
    pub fn aerial(&self, colour: Vec3, distance: f32, direction: Vec3) -> Vec3 {
        let slope = direction.z.max(0.0);
        let passed = self.rayleigh * path(distance, slope, RAYLEIGH_HEIGHT)
            + self.aerosol * path(distance, slope, AEROSOL_HEIGHT);
        let whole = self.rayleigh * path(f32::MAX, slope, RAYLEIGH_HEIGHT)
            + self.aerosol * path(f32::MAX, slope, AEROSOL_HEIGHT);
        let left = (-passed).exp();
        let full = (Vec3::ONE - (-whole).exp()).max(Vec3::splat(1e-6));
        let level = Vec2::new(direction.x, direction.y);
        let behind = if direction.z < 0.0 {
            (level / level.length().max(1e-4)).extend(0.0)
        } else {
            direction
        };
        colour * left + self.above(behind) * ((Vec3::ONE - left) / full).min(Vec3::ONE)
    }

    /// Everything that the WGSL twin needs.
    #[must_use]
    pub fn uniforms(&self) -> SkyUniforms {
        SkyUniforms::of(self)
    }

    /// The uppermost rows of a sphere of directions of equal size, projected, and their irradiance on level ground.
    fn project(&self, uppermost: usize) -> (Sh, Vec3) {
        let (rows, columns) = PROJECTION;
        let height = 1.0 / rows as f32;
        let solid = height * 2.0 * PI / columns as f32;
        let (mut sh, mut level) = (Sh::default(), Vec3::ZERO);
        for row in 0..uppermost {
            let z = 1.0 - (row as f32 + 0.5) * height;
            let radius = (1.0 - z * z).sqrt();
            // Summed row by row: a long sum of small floats loses digits.
            let (mut part, mut sum) = (Sh::default(), Vec3::ZERO);
            for column in 0..columns {
                let angle = (column as f32 + 0.5) * 2.0 * PI / columns as f32;
                let d = Vec3::new(radius * angle.cos(), radius * angle.sin(), z);
                let radiance = self.radiance(d);
                part.put(d, radiance, solid);
                sum += radiance;
            }
            sh += part;
            level += sum * (solid * z.max(0.0));
        }
        (sh, level)
    }
}

/// Metres of ground-level air along a way of this length and slope, where air thins out by e over a height.
fn path(distance: f32, slope: f32, height: f32) -> f32 {
    // A level way ends too: the earth is round.
    let slope = slope.max(0.01);
    height / slope * (1.0 - (-distance.max(0.0) * slope / height).exp())
}

fn hosek_wilkie(elevation: f32, turbidity: f32, albedo: Vec3) -> ([Vec3; 9], Vec3) {
    let elevation = elevation.clamp(0.0, PI / 2.0);
    let state = SkyState::new(&SkyParams { elevation, turbidity, albedo: albedo.to_array() });
    // The arguments were held inside the model's bounds.
    let Ok(state) = state else { return ([Vec3::ZERO; 9], Vec3::ZERO) };
    let (parameters, radiances) = state.raw();
    let of = |i: usize| Vec3::new(parameters[i], parameters[9 + i], parameters[18 + i]);
    // The crate has them in the order of the published code, where the ninth is the shape of the aureole.
    (std::array::from_fn(of), Vec3::from(radiances))
}
