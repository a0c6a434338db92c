//! The sky of Preetham, Shirley and Smits (1999), as Kane draws it (Game Engine Gems 1, chapter 16), with the
//! chapter's misprints put right: the `e` of the Perez term and the sign of D for the chromaticity y.
//!
//! Kept to compare with: [`Sky`](super::Sky) draws by Hosek and Wilkie (2012). At noon and in the afternoon
//! both agree in colour, though Preetham's is paler and brighter all around; it has no term for the light that the
//! ground throws back, and whitens and yellows when the sun is low (`cargo run -p throng_render --example sky` draws both, one above the other).

use glam::{DVec3, Vec3};

use super::colour::{from_chromaticity, in_gamut, linear_srgb};

/// The Perez function's A to E for one channel.
pub type Coefficients = [f64; 5];

/// A clear sky by Preetham's model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preetham {
    /// For x, y and Y.
    coefficients: [Coefficients; 3],
    /// Chromaticity x and y and luminance Y in kcd/m² at the zenith, each over the Perez function there.
    scale: DVec3,
    sun: Vec3,
}

/// A to E for x, y and Y at a turbidity.
#[must_use]
pub fn coefficients(t: f64) -> [Coefficients; 3] {
    [
        [
            -0.0193 * t - 0.2592,
            -0.0665 * t + 0.0008,
            -0.0004 * t + 0.2125,
            -0.0641 * t - 0.8989,
            -0.0033 * t + 0.0452,
        ],
        [
            -0.0167 * t - 0.2608,
            -0.0950 * t + 0.0092,
            -0.0079 * t + 0.2102,
            -0.0441 * t - 1.6537,
            -0.0109 * t + 0.0529,
        ],
        [
            0.1787 * t - 1.4630,
            -0.3554 * t + 0.4275,
            -0.0227 * t + 5.3251,
            0.1206 * t - 2.5771,
            -0.0670 * t + 0.3703,
        ],
    ]
}

/// The Perez function; the cosine of the angle from the zenith is held above the horizon.
#[must_use]
pub fn perez(c: &Coefficients, cos_theta: f64, gamma: f64) -> f64 {
    let [a, b, c, d, e] = *c;
    let cos_gamma = gamma.cos();
    (1.0 + a * (b / cos_theta.max(0.01)).exp())
        * (1.0 + c * (d * gamma).exp() + e * cos_gamma * cos_gamma)
}

/// Chromaticity x, y and luminance Y in kcd/m² at the zenith, for a sun at this angle from it, in radians.
#[must_use]
pub fn zenith(t: f64, theta: f64) -> DVec3 {
    let cubic = |c: [f64; 4]| ((c[0] * theta + c[1]) * theta + c[2]) * theta + c[3];
    let chi = (4.0 / 9.0 - t / 120.0) * (std::f64::consts::PI - 2.0 * theta);
    DVec3::new(
        t * t * cubic([0.00166, -0.00375, 0.00209, 0.0])
            + t * cubic([-0.02903, 0.06377, -0.03202, 0.00394])
            + cubic([0.11693, -0.21196, 0.06052, 0.25886]),
        t * t * cubic([0.00275, -0.00610, 0.00317, 0.0])
            + t * cubic([-0.04214, 0.08970, -0.04153, 0.00516])
            + cubic([0.15346, -0.26756, 0.06670, 0.26688]),
        (4.0453 * t - 4.9710) * chi.tan() - 0.2155 * t + 2.4192,
    )
}

impl Preetham {
    /// The sky for a sun in this direction (held above the horizon) and a turbidity of 1.8 to 20.
    #[must_use]
    pub fn new(sun: Vec3, turbidity: f64) -> Self {
        let turbidity = if turbidity.is_finite() { turbidity.clamp(1.8, 20.0) } else { 2.2 };
        let sun = sun.try_normalize().unwrap_or(Vec3::Z);
        let theta = f64::from(sun.z.clamp(0.0, 1.0)).acos();
        let coefficients = coefficients(turbidity);
        let at_zenith = zenith(turbidity, theta).max(DVec3::ZERO);
        let under = |channel: usize| perez(&coefficients[channel], 1.0, theta);
        let scale = at_zenith / DVec3::new(under(0), under(1), under(2));
        Self { coefficients, scale, sun }
    }

    /// Chromaticity x, y and luminance Y in kcd/m² in a direction; below the horizon that of the horizon.
    #[must_use]
    pub fn chromaticity(&self, direction: Vec3) -> DVec3 {
        let gamma = f64::from(direction.dot(self.sun).clamp(-1.0, 1.0)).acos();
        let there =
            |channel: usize| perez(&self.coefficients[channel], f64::from(direction.z), gamma);
        self.scale * DVec3::new(there(0), there(1), there(2))
    }

    /// Radiance in linear sRGB, whose luminance is in kcd/m².
    #[must_use]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let c = self.chromaticity(direction);
        in_gamut(linear_srgb(from_chromaticity(c.x, c.y, c.z.max(0.0))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sky::ephemeris::direction;

    fn close(found: DVec3, wanted: [f64; 3]) {
        let wanted = DVec3::from(wanted);
        let within = DVec3::new(1e-4, 1e-4, 1e-3 * wanted.z.max(1.0));
        assert!((found - wanted).abs().cmple(within).all(), "{found}, not {wanted}");
    }

    #[test]
    fn the_model_is_that_of_the_references() {
        let [x, y, luminance] = coefficients(2.2);
        for (found, wanted) in [
            (luminance, [-1.06986, -0.35438, 5.27516, -2.31178, 0.22290]),
            (x, [-0.30166, -0.14550, 0.21162, -1.03992, 0.03794]),
            (y, [-0.29754, -0.19980, 0.19282, -1.75072, 0.02892]),
        ] {
            found.iter().zip(wanted).for_each(|(f, w)| assert!((f - w).abs() < 1e-5, "{f} {w}"));
        }
        // A sun in the north, 60 degrees from the zenith.
        let sky = Preetham::new(direction(0.0, 30.0), 2.2);
        close(sky.chromaticity(Vec3::Z), [0.2394, 0.2441, 3.825]);
        close(sky.chromaticity(direction(0.0, 45.0)), [0.2705, 0.2771, 14.471]);
        close(sky.chromaticity(direction(180.0, 45.0)), [0.2338, 0.2436, 3.863]);
        close(sky.chromaticity(direction(0.0, 5.0)), [0.3295, 0.3359, 30.685]);
        let noon = Preetham::new(Vec3::Z, 2.2).chromaticity(Vec3::Z);
        assert!((noon.z - 18.565).abs() < 0.02, "{noon}");
    }

    #[test]
    fn the_model_is_finite_and_symmetric_about_the_sun() {
        for turbidity in [1.8, 2.2, 6.0, 20.0] {
            for elevation in [0.0, 1.0, 20.0, 90.0] {
                let sky = Preetham::new(direction(90.0, elevation), turbidity);
                for azimuth in 0..18 {
                    for height in [-90.0, -10.0, 0.0, 0.1, 30.0, 90.0] {
                        let away = azimuth as f32 * 10.0;
                        let left = sky.radiance(direction(90.0 - away, height));
                        let right = sky.radiance(direction(90.0 + away, height));
                        assert!(left.is_finite() && left.min_element() >= 0.0);
                        assert!((left - right).length() <= 1e-3 * (left.length() + 1e-3));
                    }
                }
            }
        }
    }
}
