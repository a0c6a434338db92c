//! Directions over the whole sphere in strata, and what each weighs.
//!
//! A texel sends one ray into each stratum, to a place that is random within it. The sky's part in the
//! coefficients is integrated over each stratum beforehand, so a ray only has to say whether the sky is seen
//! there: in the open the map is exact and without noise, whatever the sun's aureole does.

use std::f32::consts::PI;

use glam::Vec3;

use crate::sky::sh::{COEFFICIENTS, basis};
use crate::sky::{Sh, Sky};

/// A patch of the sphere of directions between two heights and two azimuths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stratum {
    low: f32,
    high: f32,
    first: f32,
    last: f32,
    /// The basis over the stratum.
    pub(super) basis: [f32; COEFFICIENTS],
    /// The sky over the stratum.
    pub(super) sky: Sh,
}

/// Share of the rays that go up.
const UPWARD: f32 = 0.75;
/// Least number of places, across and up, at which a stratum is integrated; for a sphere of this many in all.
const PLACES: f32 = 20_000.0;

impl Stratum {
    /// A direction in the stratum, by two numbers from 0 to 1.
    pub(super) fn direction(&self, across: f32, up: f32) -> Vec3 {
        let z = self.low + (self.high - self.low) * up;
        let (sin, cos) = (self.first + (self.last - self.first) * across).sin_cos();
        let radius = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(radius * cos, radius * sin, z)
    }

    fn weigh(&mut self, sky: &Sky, side: usize) {
        let solid = (self.high - self.low) * (self.last - self.first) / (side * side) as f32;
        for row in 0..side {
            for column in 0..side {
                let place = |n: usize| (n as f32 + 0.5) / side as f32;
                let d = self.direction(place(column), place(row));
                self.sky.put(d, sky.radiance(d), solid);
                self.basis.iter_mut().zip(basis(d)).for_each(|(sum, b)| *sum += b * solid);
            }
        }
    }
}

/// Strata for so many rays, three quarters of them above the horizon.
pub(super) fn strata(rays: u32, sky: &Sky) -> Vec<Stratum> {
    let upward = ((rays as f32 * UPWARD).round() as u32).clamp(1, rays.max(2) - 1);
    let side = ((PLACES / rays as f32).sqrt().ceil() as usize).max(4);
    let mut all = Vec::with_capacity(rays as usize);
    half(upward, 1.0, &mut all);
    half(rays.max(2) - upward, -1.0, &mut all);
    all.iter_mut().for_each(|stratum| stratum.weigh(sky, side));
    all
}

/// Half a sphere in strata of equal size, in rings about as high as their strata are wide.
fn half(count: u32, sign: f32, all: &mut Vec<Stratum>) {
    let rings = ((count as f32 / PI * 2.0).sqrt() * PI / 4.0).round().max(1.0) as u32;
    let mut before = 0;
    for ring in 1..=rings {
        // Rings of equal height in angle, from the pole to the horizon, rounded to whole strata.
        let angle = ring as f32 / rings as f32 * PI / 2.0;
        let upto =
            if ring == rings { count } else { ((1.0 - angle.cos()) * count as f32).round() as u32 };
        let here = upto.saturating_sub(before);
        let height = |strata: u32| sign * (1.0 - strata as f32 / count as f32);
        let turn = ring as f32 * 2.399_963_2;
        for n in 0..here {
            let azimuth = |n: u32| turn + n as f32 * 2.0 * PI / here as f32;
            all.push(Stratum {
                low: height(upto),
                high: height(before),
                first: azimuth(n),
                last: azimuth(n + 1),
                basis: [0.0; COEFFICIENTS],
                sky: Sh::default(),
            });
        }
        before = before.max(upto);
    }
    for stratum in all.iter_mut().filter(|s| s.low > s.high) {
        std::mem::swap(&mut stratum.low, &mut stratum.high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, part of the sphere is left out or counted twice.
    #[test]
    fn strata_cover_the_sphere() {
        let sky = Sky::new(Vec3::new(0.3, 0.2, 0.6), 3.0, Vec3::splat(0.3));
        for rays in [2, 3, 16, 64, 100, 256, 800, 4000] {
            let strata = strata(rays, &sky);
            assert_eq!(strata.len(), rays as usize);
            let mut basis = [0.0_f64; COEFFICIENTS];
            let mut whole = Sh::default();
            for stratum in &strata {
                assert!(stratum.low < stratum.high && stratum.first < stratum.last);
                basis.iter_mut().zip(stratum.basis).for_each(|(sum, b)| *sum += f64::from(b));
                whole += stratum.sky;
            }
            assert!((basis[0] - 2.0 * std::f64::consts::PI.sqrt()).abs() < 1e-3, "{rays}");
            assert!(basis[1..].iter().all(|b| b.abs() < 2e-3), "{rays}: {basis:?}");
            let wanted = Sh(sky.sh());
            for (found, wanted) in whole.0.iter().zip(wanted.0) {
                let apart = (*found - wanted).length();
                assert!(apart < 0.01 * sky.sh()[0].length(), "{rays}: {found} {wanted}");
            }
        }
    }
}
