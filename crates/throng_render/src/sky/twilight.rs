//! Light when the sun is about to set, or has.

use glam::Vec3;

use super::bird::{Air, daylight};
use super::colour::{in_gamut, linear_srgb};

/// Elevation in degrees and illuminance of level ground in lux under a clear sky after sunset.
const DUSK: [(f32, f32); 4] = [(0.0, 500.0), (-6.0, 3.0), (-12.0, 0.008), (-18.0, 0.0006)];

/// Share of the sky's light and change of its colour at an elevation in degrees, against the horizon's.
/// Ozone takes green and orange from the long slant paths of twilight: the sky turns blue (Hulburt 1953).
pub(super) fn sky(elevation: f32) -> Vec3 {
    if elevation >= 0.0 {
        return Vec3::ONE;
    }
    let upto = DUSK.partition_point(|row| row.0 > elevation).clamp(1, DUSK.len() - 1);
    let (high, low) = (DUSK[upto - 1], DUSK[upto]);
    let t = ((elevation - high.0) / (low.0 - high.0)).min(4.0);
    let light = (high.1.ln() + (low.1.ln() - high.1.ln()) * t).exp() / DUSK[0].1;
    let deep = (-elevation / 6.0).min(1.0);
    Vec3::ONE.lerp(Vec3::new(0.72, 0.86, 1.4), deep) * light
}

/// The sun's light at the ground, klx on a surface that faces it, with as much of its disc as is above the
/// horizon.
pub(super) fn sun(elevation: f32, air: &Air) -> Vec3 {
    let radius = super::SUN_RADIUS.to_degrees();
    let up = (elevation / radius).clamp(-1.0, 1.0);
    // Share of a disc above a line at this height of its centre.
    let share = 0.5 + (up * (1.0 - up * up).sqrt() + up.asin()) / std::f32::consts::PI;
    // The part above the horizon has its own middle; what is cut off does not redden it further.
    let zenith = 90.0 - f64::from(elevation.max(0.0));
    in_gamut(linear_srgb(daylight(zenith, air).direct)) * (share / 1000.0)
}
