//! From a spectrum over CIE XYZ to linear sRGB (Rec. 709 primaries, white D65).

use glam::{DVec3, Vec3};

/// Luminous efficacy of 555 nm light, lm/W.
pub const LUMENS_PER_WATT: f64 = 683.0;

/// Share of each linear sRGB channel in the luminance (Rec. 709).
pub const LUMA: Vec3 = Vec3::new(0.212_6, 0.715_2, 0.072_2);

/// Luminance (or illuminance) of a linear sRGB colour.
#[must_use]
pub fn luminance(colour: Vec3) -> f32 {
    colour.dot(LUMA)
}

/// CIE 1931 colour matching functions at a wavelength in nanometres, as a sum of lobes with different
/// widths on both sides (Wyman, Sloan and Shirley 2013, multi-lobe fit).
#[must_use]
pub fn matching(nm: f64) -> DVec3 {
    let lobe = |mean: f64, below: f64, above: f64| {
        let width = if nm < mean { below } else { above };
        (-0.5 * ((nm - mean) / width).powi(2)).exp()
    };
    DVec3::new(
        1.056 * lobe(599.8, 37.9, 31.0) + 0.362 * lobe(442.0, 16.0, 26.7)
            - 0.065 * lobe(501.1, 20.4, 26.2),
        0.821 * lobe(568.8, 46.9, 40.5) + 0.286 * lobe(530.9, 16.3, 31.1),
        1.217 * lobe(437.0, 11.8, 36.0) + 0.681 * lobe(459.0, 26.0, 13.8),
    )
}

/// Chromaticity (x, y) of XYZ.
#[must_use]
pub fn chromaticity(xyz: DVec3) -> (f64, f64) {
    let sum = xyz.element_sum();
    (xyz.x / sum, xyz.y / sum)
}

/// XYZ of a chromaticity and a luminance.
#[must_use]
pub fn from_chromaticity(x: f64, y: f64, luminance: f64) -> DVec3 {
    DVec3::new(x / y * luminance, luminance, (1.0 - x - y) / y * luminance)
}

/// XYZ in linear sRGB. What lies outside the gamut has negative channels; see [`in_gamut`].
#[must_use]
pub fn linear_srgb(xyz: DVec3) -> DVec3 {
    DVec3::new(
        DVec3::new(3.240_479, -1.537_15, -0.498_53).dot(xyz),
        DVec3::new(-0.969_256, 1.875_991, 0.041_556).dot(xyz),
        DVec3::new(0.055_648, -0.204_043, 1.057_311).dot(xyz),
    )
}

/// A linear sRGB colour without negative channels and with the luminance it had: the deep orange of a
/// setting sun lies outside sRGB.
#[must_use]
pub fn in_gamut(colour: DVec3) -> Vec3 {
    let before = colour.dot(LUMA.as_dvec3());
    let clamped = colour.max(DVec3::ZERO);
    let after = clamped.dot(LUMA.as_dvec3());
    if after > 0.0 { (clamped * (before.max(0.0) / after)).as_vec3() } else { Vec3::ZERO }
}
