//! Light: the sun, the sky, the air between, and what glows. The one place that passes know light
//! from; group 2, together with the shadow maps.

use glam::{Vec3, Vec4};
use throng_gpu::Module;

/// Imported as `throng_render::light`.
pub(crate) const MODULE: Module =
    Module { name: "throng_render::light", source: include_str!("light.wgsl") };

/// The most things that glow in one picture.
pub(crate) const GLOWS: usize = 4;

/// Sun and sky of a picture. Radiance and irradiance are relative: [`Light::exposure`] brings them to
/// the range of the tone map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Towards the sun, of length 1.
    pub sun_direction: Vec3,
    /// Irradiance of the sun on a surface that faces it.
    pub sun: Vec3,
    /// Radiance of the sky overhead.
    pub zenith: Vec3,
    /// Radiance of the sky at the horizon.
    pub horizon: Vec3,
    /// Share of light the air takes away per metre.
    pub haze: f32,
    /// Lightness of the picture: 1 is usual.
    pub brightness: f32,
}

impl Default for Light {
    /// A clear afternoon.
    fn default() -> Self {
        Self {
            sun_direction: Vec3::new(-0.60, 0.42, 0.60).normalize(),
            sun: Vec3::new(3.1, 2.60, 1.95) * 1.7,
            zenith: Vec3::new(0.16, 0.30, 0.62),
            horizon: Vec3::new(0.62, 0.70, 0.80),
            haze: 3.2e-4,
            brightness: 1.55,
        }
    }
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

/// `Light` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct LightUniform {
    sun_direction: Vec4,
    sun: Vec4,
    zenith: Vec4,
    horizon: Vec4,
    haze: f32,
    exposure: f32,
    unused: [f32; 2],
    glows: [Glow; GLOWS],
}

impl Light {
    /// Factor from radiance to the tone map, where 0.18 is middle grey: chosen so that level ground
    /// that reflects a fifth of the light comes out as middle grey.
    #[must_use]
    pub fn exposure(&self) -> f32 {
        let luminance = |c: Vec3| c.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        let sky = luminance(self.zenith.lerp(self.horizon, 0.4)) * std::f32::consts::PI;
        let sun = luminance(self.sun) * self.sun_direction.z.max(0.0);
        self.brightness * 0.18 / ((sun + sky).max(1e-4) * 0.2 / std::f32::consts::PI)
    }

    pub(crate) fn uniform(&self, glows: &[Glow]) -> LightUniform {
        let mut all = [Glow::default(); GLOWS];
        for (slot, glow) in all.iter_mut().zip(glows) {
            *slot = *glow;
        }
        LightUniform {
            sun_direction: self.sun_direction.extend(0.0),
            sun: self.sun.extend(0.0),
            zenith: self.zenith.extend(0.0),
            horizon: self.horizon.extend(0.0),
            haze: self.haze,
            exposure: self.exposure(),
            unused: [0.0; 2],
            glows: all,
        }
    }
}
