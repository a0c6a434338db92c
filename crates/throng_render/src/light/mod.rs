//! Light: the sun, the sky, the air between, the baked light of the ground, and what glows. The one place
//! that passes know light from; group 2, together with the shadow maps.
//!
//! A [`Light`] says which sun and sky; [`Lit`] is what follows from it, made anew when it changes. Sun and
//! sky are those of [`sky`](crate::sky), in its units. What falls on things is the sun's light, as far as
//! terrain (baked) and shadow maps both leave it, and the light map's light from all around. Where nothing is
//! baked the map is one texel, the open sky.

mod bake;
mod map;

pub(crate) use bake::Relief;
pub(crate) use map::MapTexture;

use glam::{Vec3, Vec4};
use throng_gpu::Module;
use throng_world::World;

use crate::lightmap::LightMapUniforms;
use crate::sky::{JulianDate, Sky, SkyUniforms, SunPosition, colour, direction};

/// Imported as `throng_render::light`, after those of `sky` and `lightmap`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::light", source: include_str!("light.wgsl") };

/// The most things that glow in one picture.
pub(crate) const GLOWS: usize = 4;

/// Where scenes lie that do not say it, degrees north.
const LATITUDE: f64 = 47.0;
/// Albedo of meadows.
const MEADOW: Vec3 = Vec3::new(0.105, 0.115, 0.045);
/// Illuminance on level ground that is shown as bright as it is, klx. Darker scenes are brightened, but not
/// all the way: a dusk stays a dusk.
const USUAL: f32 = 70.0;
/// How much lighter than middle grey is shown what reflects a fifth of the light: meadows are darker.
const LIFTED: f32 = 1.75;
/// Share of the stops by which a darker scene is brightened.
const ADAPTED: f32 = 0.85;

/// Sun and sky of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Towards the sun; x is east, y north, z up. Below the horizon it is dusk.
    pub sun_direction: Vec3,
    /// From 1.8 (very clear) over 2.5 (clear) to 10 (hazy).
    pub turbidity: f32,
    /// Albedo of the land around, which lights the sky from below.
    pub albedo: Vec3,
    /// How many times as thick as real air the air looks between the eye and things: places are small.
    pub haze: f32,
    /// Lightness of the picture: 1 is usual.
    pub brightness: f32,
}

impl Default for Light {
    /// A clear afternoon.
    fn default() -> Self {
        Self {
            sun_direction: direction(305.0, 37.0),
            turbidity: 2.6,
            albedo: MEADOW,
            haze: 2.0,
            brightness: 1.0,
        }
    }
}

impl Light {
    /// What suits a place: a valley lies in the light of a later afternoon than a town.
    #[must_use]
    pub fn of_world(world: &World) -> Self {
        let usual = Self::default();
        if world.heights.is_some() {
            return Self { sun_direction: direction(305.0, 31.0), ..usual };
        }
        Self { albedo: Vec3::new(0.16, 0.155, 0.11), ..usual }
    }

    /// The sun at so many hours of local solar time (12 is noon), in the middle of June at 47° north.
    #[must_use]
    pub fn at_hour(self, hours: f32) -> Self {
        let hours = if hours.is_finite() { f64::from(hours) } else { 12.0 };
        // The sun is on the meridian of Greenwich two minutes past twelve then.
        let when = JulianDate::new(2026, 6, 21, hours + 2.0 / 60.0);
        Self { sun_direction: SunPosition::new(when, LATITUDE, 0.0).direction(), ..self }
    }

    /// The sun at an azimuth (clockwise from north, which is the y axis) and an elevation, in degrees.
    #[must_use]
    pub fn with_sun(self, azimuth: f32, elevation: f32) -> Self {
        Self { sun_direction: direction(azimuth, elevation), ..self }
    }

    /// The sky there is then.
    #[must_use]
    pub fn sky(&self) -> Sky {
        Sky::new(self.sun_direction, self.turbidity, self.albedo).with_haze(self.haze)
    }
}

/// A light, and what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct Lit {
    pub(crate) light: Light,
    pub(crate) sky: Sky,
    /// Factor from radiance to the tone map, where 0.18 is middle grey.
    pub(crate) exposure: f32,
    /// Direction of the light that casts shadows: that of the sun, and from a little above the horizon when it
    /// has set.
    pub(crate) casts: Vec3,
}

impl Lit {
    pub(crate) fn new(light: Light) -> Self {
        let sky = light.sky();
        let sun = sky.sun_direction();
        let casts = sun.with_z(sun.z.max(0.02)).normalize();
        Self { light, exposure: exposure(&sky) * light.brightness.max(0.0), sky, casts }
    }

    /// Whether light that was baked under this one is right under another: all but its haze and brightness
    /// is the same.
    pub(crate) fn lights_as(&self, other: &Light) -> bool {
        Light { haze: other.haze, brightness: other.brightness, ..self.light } == *other
    }

    pub(crate) fn uniform(&self, map: LightMapUniforms, glows: &[Glow]) -> LightUniform {
        let mut all = [Glow::default(); GLOWS];
        for (slot, glow) in all.iter_mut().zip(glows) {
            *slot = *glow;
        }
        LightUniform {
            sky: self.sky.uniforms(),
            map,
            exposure: Vec4::splat(self.exposure),
            glows: all,
        }
    }
}

/// Level ground that reflects a fifth of the light comes out a little above middle grey by day, and darker by
/// dusk.
fn exposure(sky: &Sky) -> f32 {
    let level = sky.irradiance(Vec3::Z) + sky.sun_irradiance() * sky.sun_direction().z.max(0.0);
    let share = (colour::luminance(level) / USUAL).max(1e-7);
    let adapted = share.powf(-ADAPTED);
    LIFTED * 0.18 * std::f32::consts::PI / (0.2 * USUAL) * adapted
}

/// A light that shines around itself.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Glow {
    pub(crate) position: Vec3,
    pub(crate) radius: f32,
    pub(crate) colour: Vec3,
    pub(crate) unused: f32,
}

/// `LightUniform` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct LightUniform {
    sky: SkyUniforms,
    map: LightMapUniforms,
    /// Four times the same.
    exposure: Vec4,
    glows: [Glow; GLOWS],
}

#[cfg(test)]
mod tests {
    use super::{Light, LightUniform, Lit, exposure};
    use throng_gpu::{check, layout};

    /// If this fails, shaders read other numbers than Rust writes.
    #[test]
    fn rust_and_wgsl_mean_the_same_light() {
        let module =
            crate::library().unwrap().compose(&crate::terrain::SHADER, crate::terrain::DEFS);
        let rust = layout!(LightUniform { sky, map, exposure, glows });
        assert_eq!(check::layout_in(&module.unwrap(), "LightUniform"), Some(rust));
    }

    /// If this fails, the sun rises in the west, or noon is not when it is highest.
    #[test]
    fn the_hours_of_a_day() {
        let sun = |hours| Light::default().at_hour(hours).sun_direction;
        assert!(sun(7.0).x > 0.8 && sun(17.0).x < -0.8);
        assert!((0..240).all(|h| sun(h as f32 * 0.1).z <= sun(12.0).z + 1e-4));
        assert!((sun(12.0).z.asin().to_degrees() - (90.0 - 47.0 + 23.44)).abs() < 0.1);
        assert!(sun(0.0).z < 0.0 && sun(f32::NAN) == sun(12.0));
    }

    /// If this fails, pictures are black at dusk, or a dusk looks like noon.
    #[test]
    fn dusk_is_shown_darker_than_day_but_is_shown() {
        let shown = |elevation: f32| {
            let sky = Light::default().with_sun(290.0, elevation).sky();
            let level = sky.irradiance(glam::Vec3::Z)
                + sky.sun_irradiance() * sky.sun_direction().z.max(0.0);
            exposure(&sky) * level.y
        };
        let (noon, low, dusk) = (shown(60.0), shown(10.0), shown(-4.0));
        assert!(noon > low && low > 0.6 * noon, "{noon} {low}");
        assert!(low > dusk && dusk > 0.15 * noon, "{noon} {dusk}");
    }

    /// If this fails, a baked map is thrown away for nothing, or kept for another sun.
    #[test]
    fn haze_and_brightness_need_no_other_map() {
        let lit = Lit::new(Light::default());
        let light = lit.light;
        assert!(lit.lights_as(&Light { haze: 1.0, brightness: 2.0, ..light }));
        assert!(!lit.lights_as(&Light { turbidity: 3.0, ..light }));
        assert!(!lit.lights_as(&light.with_sun(10.0, 10.0)));
    }
}
