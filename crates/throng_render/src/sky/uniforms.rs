//! What the WGSL twin of a sky reads.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};

use super::{AEROSOL_HEIGHT, BRIGHTEST, GROUND_SLOPE, NIGHT, RAYLEIGH_HEIGHT, SUN_RADIUS, Sky};

/// A sky as a uniform; of the same name in `throng_render::sky`. Fields are `vec4`: three channels and one number besides.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct SkyUniforms {
    /// Unit vector to the sun; cosine of its disc's radius.
    pub sun: Vec4,
    /// Irradiance of the sun on what faces it; the brightest that its disc is drawn.
    pub sun_irradiance: Vec4,
    /// Radiance of the ground around; slope below the horizon at which it comes through the haze.
    pub ground: Vec4,
    /// Extinction per metre by air; the height over which it thins out, m.
    pub rayleigh: Vec4,
    /// Extinction per metre by aerosol; the height over which it thins out, m.
    pub aerosol: Vec4,
    /// What the formula is multiplied by; height below which the sky stays as it is there.
    pub scale: Vec4,
    /// What the zenith is multiplied by besides; nothing.
    pub zenith: Vec4,
    /// Light of the night; solid angle of the sun's disc.
    pub night: Vec4,
    /// Parameters of the formula.
    pub parameters: [Vec4; 9],
    /// Sky and ground as spherical harmonics.
    pub sh: [Vec4; 9],
}

impl SkyUniforms {
    pub(super) fn of(sky: &Sky) -> Self {
        let spare = |v: Vec3| v.extend(0.0);
        Self {
            sun: sky.sun.extend(SUN_RADIUS.cos()),
            sun_irradiance: sky.sun_irradiance.extend(BRIGHTEST),
            ground: sky.ground.extend(GROUND_SLOPE),
            rayleigh: sky.rayleigh.extend(RAYLEIGH_HEIGHT),
            aerosol: sky.aerosol.extend(AEROSOL_HEIGHT),
            scale: sky.scale.extend(sky.lowest),
            zenith: spare(sky.zenith),
            night: NIGHT.extend(std::f32::consts::PI * SUN_RADIUS * SUN_RADIUS),
            parameters: sky.parameters.map(spare),
            sh: sky.sh.0.map(spare),
        }
    }
}
