//! Light of the sun through clear air: the simple spectral model of Bird and Riordan (1986), as modified
//! by Kane (Game Engine Gems 1, chapter 15), with the chapter's misprints put right: the Rayleigh
//! constant 115.6406, the slope 0.04608 of the aerosol fit, `(2 λ)^-α`, `λ / 0.4`, the sign of the forward
//! fraction, and the air mass of Kasten and Young (1989).

use glam::DVec3;

use super::colour::{LUMENS_PER_WATT, matching};

/// How the aerosol fit `β = 0.04608 T - 0.04586` is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AerosolRule {
    /// As the chapter does: β is the optical depth at 500 nm.
    AtHalfMicron,
    /// As the fit was made: β is the optical depth at 1 µm with an exponent of 1.3, so that the depth at
    /// 500 nm is `β 2^1.3`. This is the turbidity that the sky models mean.
    AtOneMicron,
}

/// The air that light passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Turbidity: 1 is pure air, 2 to 3 a clear day, 6 haze. Trusted from 1.8 to 20.
    pub turbidity: f64,
    /// Height above the sea, m.
    pub altitude: f64,
    /// Ozone in atm-cm; 0.3 is usual, 0 leaves it out.
    pub ozone: f64,
    /// How turbidity becomes optical depth.
    pub aerosol: AerosolRule,
}

impl Default for Air {
    fn default() -> Self {
        Self { turbidity: 2.2, altitude: 0.0, ozone: 0.3, aerosol: AerosolRule::AtOneMicron }
    }
}

/// Light at the ground, CIE XYZ in lux.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Daylight {
    /// From the sun's disc, on a surface that faces it.
    pub direct: DVec3,
    /// From the whole sky, on level ground.
    pub scattered: DVec3,
}

/// What becomes of one wavelength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Transmittance of the air's molecules.
    pub rayleigh: f64,
    /// Transmittance of the aerosol.
    pub aerosol: f64,
    /// Transmittance of ozone.
    pub ozone: f64,
    /// Share scattered to the ground by molecules.
    pub scattered_rayleigh: f64,
    /// Share scattered to the ground by aerosol.
    pub scattered_aerosol: f64,
}

/// Wavelength in nm, irradiance above the atmosphere in W/m²/nm, ozone coefficient per atm-cm (Bird and
/// Riordan 1986).
const SPECTRUM: [(f64, f64, f64); 28] = [
    (380.0, 1.1038, 0.0),
    (390.0, 1.0338, 0.0),
    (400.0, 1.4791, 0.0),
    (410.0, 1.7013, 0.0),
    (420.0, 1.7404, 0.0),
    (430.0, 1.5872, 0.0),
    (440.0, 1.837, 0.0),
    (450.0, 2.005, 0.003),
    (460.0, 2.043, 0.006),
    (470.0, 1.987, 0.009),
    (480.0, 2.027, 0.014),
    (490.0, 1.896, 0.021),
    (500.0, 1.909, 0.03),
    (510.0, 1.927, 0.04),
    (520.0, 1.831, 0.048),
    (530.0, 1.891, 0.063),
    (540.0, 1.898, 0.075),
    (550.0, 1.892, 0.085),
    (570.0, 1.84, 0.12),
    (593.0, 1.768, 0.119),
    (610.0, 1.728, 0.12),
    (630.0, 1.658, 0.09),
    (656.0, 1.524, 0.065),
    (667.6, 1.531, 0.051),
    (690.0, 1.42, 0.028),
    (710.0, 1.399, 0.018),
    (718.0, 1.374, 0.015),
    (724.4, 1.373, 0.012),
];

/// First and last wavelength and the step between samples, nm.
const FROM: f64 = 380.0;
const STEP: f64 = 10.0;
const SAMPLES: u32 = 35;

/// Air mass at a zenith angle in degrees up to 90 (Kasten and Young 1989), at a height in metres.
#[must_use]
pub fn air_mass(zenith: f64, altitude: f64) -> f64 {
    let zenith = zenith.clamp(0.0, 90.0);
    let at_sea = 1.0 / (zenith.to_radians().cos() + 0.50572 * (96.07995 - zenith).powf(-1.6364));
    at_sea * (-altitude / 8435.0).exp()
}

/// Optical depth of the aerosol overhead at a wavelength in µm.
#[must_use]
pub fn aerosol_depth(micrometres: f64, air: &Air) -> f64 {
    let beta = (0.04608 * air.turbidity - 0.04586).max(0.0);
    let at_half_micron = match air.aerosol {
        AerosolRule::AtHalfMicron => beta,
        AerosolRule::AtOneMicron => beta * 2.0_f64.powf(1.3),
    };
    let alpha = if micrometres < 0.5 { 1.0274 } else { 1.2060 };
    at_half_micron * (2.0 * micrometres).powf(-alpha)
}

/// The model at one wavelength in µm, with its ozone coefficient.
#[must_use]
pub fn terms(micrometres: f64, ozone_coefficient: f64, zenith: f64, air: &Air) -> Terms {
    let cos = zenith.clamp(0.0, 90.0).to_radians().cos();
    let mass = air_mass(zenith, air.altitude);
    let squared = micrometres * micrometres;
    let rayleigh = (-mass / (squared * squared * (115.6406 - 1.335 / squared))).exp();
    let depth = aerosol_depth(micrometres, air) * mass;
    let albedo = 0.945 * (-0.095 * (micrometres / 0.4).ln().powi(2)).exp();
    let scattered = (-albedo * depth).exp();
    let absorbed = ((albedo - 1.0) * depth).exp();
    // Ozone lies in a layer 22 km up.
    let ozone_mass = (1.0 + 22.0 / 6370.0) / (cos * cos + 2.0 * 22.0 / 6370.0).sqrt();
    let ozone = (-ozone_coefficient * air.ozone * ozone_mass).exp();
    // Share of the aerosol's scattering that goes forward, for an asymmetry of 0.65.
    let a = 0.35_f64.ln();
    let afs = 1.459 * a + 0.1595 * a * a + 0.4129 * a * a * a;
    let bfs = 0.0783 * a - 0.3824 * a * a - 0.5874 * a * a * a;
    let forward = 1.0 - 0.5 * ((afs + bfs * cos) * cos).exp();
    let common = absorbed * ozone * cos;
    Terms {
        rayleigh,
        aerosol: (-depth).exp(),
        ozone,
        scattered_rayleigh: common * (1.0 - rayleigh.powf(0.95)) / 2.0,
        scattered_aerosol: common * rayleigh.powf(1.5) * (1.0 - scattered) * forward,
    }
}

/// Light of a sun at this zenith angle, in degrees. The model ends at 90: greater angles count as 90.
#[must_use]
pub fn daylight(zenith: f64, air: &Air) -> Daylight {
    let (mut direct, mut scattered) = (DVec3::ZERO, DVec3::ZERO);
    for sample in 0..SAMPLES {
        let nm = FROM + STEP * f64::from(sample);
        let (irradiance, ozone) = above(nm);
        let terms = terms(nm / 1000.0, ozone, zenith, air);
        let ends = if sample == 0 || sample == SAMPLES - 1 { 0.5 } else { 1.0 };
        let lumens = matching(nm) * (LUMENS_PER_WATT * irradiance * STEP * ends);
        direct += lumens * (terms.rayleigh * terms.aerosol * terms.ozone);
        scattered += lumens * (terms.scattered_rayleigh + terms.scattered_aerosol);
    }
    Daylight { direct, scattered }
}

/// Irradiance and ozone coefficient at a wavelength, between those of the table.
fn above(nm: f64) -> (f64, f64) {
    let after = SPECTRUM.partition_point(|row| row.0 <= nm).clamp(1, SPECTRUM.len() - 1);
    let (low, high) = (SPECTRUM[after - 1], SPECTRUM[after]);
    let t = (nm - low.0) / (high.0 - low.0);
    (low.1 + (high.1 - low.1) * t, low.2 + (high.2 - low.2) * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sky::colour::chromaticity;

    const CHAPTER: Air =
        Air { turbidity: 2.2, altitude: 0.0, ozone: 0.0, aerosol: AerosolRule::AtHalfMicron };

    fn close(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() <= within, "{found}, not {wanted}");
    }

    #[test]
    fn air_mass_and_terms_are_those_of_the_references() {
        for (zenith, mass) in
            [(0.0, 1.0), (60.0, 1.994), (75.0, 3.813), (85.0, 10.306), (90.0, 37.92)]
        {
            close(air_mass(zenith, 0.0), mass, 1e-3 * mass);
        }
        for (um, rayleigh, aerosol, by_rayleigh, by_aerosol) in [
            (0.45, 0.6402, 0.8839, 0.0857, 0.0221),
            (0.55, 0.8221, 0.9060, 0.0422, 0.0258),
            (0.65, 0.9054, 0.9225, 0.0224, 0.0243),
        ] {
            let found = terms(um, 0.0, 60.0, &CHAPTER);
            close(found.rayleigh, rayleigh, 1e-4);
            close(found.aerosol, aerosol, 1e-4);
            close(found.scattered_rayleigh, by_rayleigh, 1e-4);
            close(found.scattered_aerosol, by_aerosol, 1e-4);
        }
    }

    #[test]
    fn daylight_is_that_of_the_references() {
        let at_60 = daylight(60.0, &CHAPTER);
        close(at_60.direct.y, 99_958.0, 100.0);
        close(at_60.scattered.y, 8_973.0, 10.0);
        let ((x, y), (sx, sy)) = (chromaticity(at_60.direct), chromaticity(at_60.scattered));
        close(x, 0.3509, 1e-4);
        close(y, 0.3621, 1e-4);
        close(sx, 0.2681, 1e-4);
        close(sy, 0.2784, 1e-4);
        let overhead = daylight(0.0, &CHAPTER);
        close(overhead.direct.y, 115_457.0, 100.0);
        close(overhead.scattered.y, 10_521.0, 10.0);
        let low = daylight(85.0, &CHAPTER);
        close(low.direct.y, 31_252.0, 50.0);
        let (x, y) = chromaticity(low.direct);
        close(x, 0.453, 5e-4);
        close(y, 0.428, 5e-4);
    }

    /// More air, less light and redder; more haze, less light; nothing breaks far outside.
    #[test]
    fn daylight_is_monotone_and_finite() {
        let air = Air::default();
        let mut before = daylight(0.0, &air);
        for tenth in 1..=900 {
            let now = daylight(f64::from(tenth) / 10.0, &air);
            assert!(now.direct.y < before.direct.y);
            assert!(chromaticity(now.direct).0 > chromaticity(before.direct).0);
            if tenth < 880 {
                assert!(chromaticity(now.scattered).0 < chromaticity(now.direct).0, "{tenth}");
            }
            before = now;
        }
        let hazy = daylight(40.0, &Air { turbidity: 5.0, ..air });
        assert!(hazy.direct.y < daylight(40.0, &air).direct.y);
        for zenith in [-5.0, 0.0, 89.9, 90.0, 120.0, 180.0] {
            for turbidity in [0.0, 1.0, 1.8, 20.0] {
                for altitude in [0.0, 80_000.0] {
                    let found = daylight(zenith, &Air { turbidity, altitude, ..air });
                    assert!(found.direct.is_finite() && found.direct.min_element() >= 0.0);
                    assert!(found.scattered.is_finite() && found.scattered.min_element() >= 0.0);
                }
            }
        }
    }
}
