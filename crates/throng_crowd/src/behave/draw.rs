//! Drawing from distributions by hash.

use throng_world::world::Distribution;

use crate::random::{STREAM, mix, to_unit};

/// Tries to draw within bounds before a value is clamped.
pub(super) const TRIES: u32 = 16;
/// Makes a second hash of a first.
pub(super) const SECOND: u64 = 0x5851_f42d_4c95_7f2d;

/// A value drawn with the given random bits.
pub(crate) fn draw(distribution: &Distribution, bits: u64) -> f32 {
    match *distribution {
        Distribution::Fixed(v) => v,
        Distribution::Uniform(low, high) => low + (high - low) * to_unit(bits),
        Distribution::Normal { mean, deviation, min, max } => {
            cut(bits, min, max, |bits| mean + deviation * normal(bits))
        }
        Distribution::LogNormal { mu, sigma, min, max } => {
            cut(bits, min, max, |bits| (mu + sigma * normal(bits)).exp())
        }
    }
}

/// Draws until the value is within bounds; after some tries it is clamped.
fn cut(mut bits: u64, min: f32, max: f32, value: impl Fn(u64) -> f32) -> f32 {
    for _ in 0..TRIES {
        let v = value(bits);
        if (min..=max).contains(&v) {
            return v;
        }
        bits = mix(bits.wrapping_add(STREAM));
    }
    value(bits).clamp(min, max)
}

/// A standard normal number (Box and Muller).
pub(crate) fn normal(bits: u64) -> f32 {
    let u = to_unit(bits).max(1e-7);
    let v = to_unit(mix(bits ^ SECOND));
    (-2.0 * u.ln()).sqrt() * (std::f32::consts::TAU * v).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong mean or deviation would give every group the wrong speeds.
    #[test]
    fn normal_numbers_have_the_right_moments() {
        let d = Distribution::Normal { mean: 1.34, deviation: 0.26, min: 0.0, max: 3.0 };
        let n = 20_000;
        let values: Vec<f64> = (0..n).map(|i| f64::from(draw(&d, mix(i + 1)))).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
        assert!((mean - 1.34).abs() < 0.01, "{mean}");
        assert!((variance.sqrt() - 0.26).abs() < 0.01, "{}", variance.sqrt());
    }

    #[test]
    fn bounds_hold() {
        let d = Distribution::LogNormal { mu: 0.0, sigma: 2.0, min: 0.5, max: 2.0 };
        assert!((0..1000).map(|i| draw(&d, mix(i))).all(|v| (0.5..=2.0).contains(&v)));
    }
}
