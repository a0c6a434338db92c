//! Light when the sun is about to set, or has.

use glam::Vec3;

use super::bird::{Air, daylight};
use super::colour::{in_gamut, linear_srgb};

/// Elevation in degrees and illuminance of level ground in lux under a clear sky after sunset.
const DUSK: [(f32, f32); 4] = [(0.0, 500.0), (-6.0, 3.0), (-12.0, 0.008), (-18.0, 0.0006)];

/// Absorption by the ozone of the whole atmosphere, straight down, for red, green and blue. Between what 0.3 atm-cm do
/// averaged over the sRGB channels (0.030, 0.023, 0.002) and at 680, 550 and 440 nm (0.010, 0.028, 0.001: Bruneton
/// 2017): three numbers cannot hold the Chappuis band, whose peak lies between red and green. The first alone leaves
/// a dusk teal, the second violet.
const OZONE: Vec3 = Vec3::new(0.020, 0.025_5, 0.001_5);
/// The published model lights the ground with 2 to 3 klx when the sun is on the horizon, four times what is measured;
/// it is led down to that over these last degrees.
const LAST_DEGREES: f32 = 5.0;
const AT_HORIZON: f32 = 0.25;

/// What the sky's light is multiplied by, against that of Hosek and Wilkie with the sun at this elevation in
/// degrees, or on the horizon if it is lower.
///
/// Their simulation has no ozone. By day it does little, but light of a low sun comes a long way through it, and
/// it is ozone that makes the zenith of a dusk blue rather than a greenish grey (Hulburt 1953).
pub(super) fn sky(elevation: f32) -> Vec3 {
    let sin = elevation.to_radians().sin().max(0.0);
    // Air mass of a layer at 22 km (as in `bird`); light that comes from below the horizon crosses it twice.
    let mass = (1.0 + 22.0 / 6370.0) / (sin * sin + 2.0 * 22.0 / 6370.0).sqrt();
    let twice = (-elevation / 4.0).clamp(0.0, 1.0);
    let ozone = (-OZONE * mass * (1.0 + twice)).exp();
    let high = (elevation / LAST_DEGREES).clamp(0.0, 1.0);
    let led = AT_HORIZON + (1.0 - AT_HORIZON) * high * high * (3.0 - 2.0 * high);
    ozone * (led * dusk(elevation))
}

/// Height (cosine from the zenith) below which the sky stays as it is there. Near the horizon and away from a low sun
/// the published fit falls to a dark red line that no sky has.
pub(super) fn lowest(elevation: f32) -> f32 {
    let low = ((20.0 - elevation) / 15.0).clamp(0.0, 1.0);
    0.08 * low * low * (3.0 - 2.0 * low)
}

/// What the zenith is multiplied by besides, fading to nothing at the horizon. Light overhead has grazed the ozone layer
/// along its whole length, light near the horizon was scattered again and again below it: a dusk is deep blue above
/// and orange below. One tint for all is a grey between them; how far they part is set by eye.
pub(super) fn zenith(elevation: f32) -> Vec3 {
    let low = ((12.0 - elevation) / 12.0).clamp(0.0, 1.0);
    Vec3::ONE.lerp(Vec3::new(0.62, 0.84, 1.3), low * low * (3.0 - 2.0 * low))
}

/// Share of light that is left after sunset.
fn dusk(elevation: f32) -> f32 {
    if elevation >= 0.0 {
        return 1.0;
    }
    let upto = DUSK.partition_point(|row| row.0 > elevation).clamp(1, DUSK.len() - 1);
    let (high, low) = (DUSK[upto - 1], DUSK[upto]);
    let t = ((elevation - high.0) / (low.0 - high.0)).min(4.0);
    (high.1.ln() + (low.1.ln() - high.1.ln()) * t).exp() / DUSK[0].1
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
