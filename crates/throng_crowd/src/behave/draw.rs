//! Drawing from distributions by hash.

use throng_world::world::Distribution;

use crate::random::{STREAM, mix, to_unit};

/// Tries to draw within bounds before a value is clamped.
pub(super) const TRIES: u32 = 16;
/// Makes a second hash of a first.
pub(super) const SECOND: u64 = 0x5851_f42d_4c95_7f2d;
pub(super) const THIRD: u64 = 0xa076_1d64_78bd_642f;
pub(super) const FOURTH: u64 = 0xe703_7ed1_a0b4_28db;

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
        Distribution::Gamma { shape, scale, min, max } => {
            cut(bits, min.max(0.0), max, |bits| scale * gamma(bits, shape))
        }
        Distribution::Weibull { shape, scale, min, max } => {
            cut(bits, min, max, |bits| scale * weibull(bits, shape))
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

/// A number with a gamma distribution of scale 1; below 0 where another draw is needed (Marsaglia and Tsang
/// 2000).
fn gamma(bits: u64, shape: f32) -> f32 {
    let (whole, small) = if shape < 1.0 { (shape + 1.0, true) } else { (shape, false) };
    let d = whole - 1.0 / 3.0;
    let x = normal(bits);
    let v = 1.0 + x / (9.0 * d).sqrt();
    let v = v * v * v;
    let u = to_unit(mix(bits ^ THIRD)).max(1e-7);
    if v <= 0.0 || u.ln() >= 0.5 * x * x + d - d * v + d * v.ln() {
        return -1.0;
    }
    // A shape below 1 is that of one above, shrunk by a power of another number.
    let by = to_unit(mix(bits ^ FOURTH)).max(1e-7);
    if small { d * v * by.powf(1.0 / shape) } else { d * v }
}

/// A number with a Weibull distribution of scale 1, by its inverse.
fn weibull(bits: u64, shape: f32) -> f32 {
    (-to_unit(bits).max(1e-7).ln()).powf(1.0 / shape)
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

    /// Wrong moments would make people start too early or too late.
    #[test]
    fn gamma_and_weibull_numbers_have_the_right_moments() {
        let wide = (0.0, f32::INFINITY);
        let gamma = |shape, scale| Distribution::Gamma { shape, scale, min: wide.0, max: wide.1 };
        let weibull =
            |shape, scale| Distribution::Weibull { shape, scale, min: wide.0, max: wide.1 };
        // Mean and variance: kθ and kθ² of gamma; λΓ(1 + 1/k) and so on of Weibull.
        let cases = [
            (gamma(1.291, 103.901), 134.14, 13_937.0),
            (gamma(0.5, 2.0), 1.0, 2.0),
            (gamma(9.0, 0.5), 4.5, 2.25),
            (weibull(2.0, 1.0), 0.886_23, 0.214_6),
            (weibull(1.0, 3.0), 3.0, 9.0),
        ];
        for (d, mean, variance) in cases {
            let n = 40_000;
            let values: Vec<f64> = (0..n).map(|i| f64::from(draw(&d, mix(i + 1)))).collect();
            let m = values.iter().sum::<f64>() / n as f64;
            let v = values.iter().map(|v| (v - m).powi(2)).sum::<f64>() / n as f64;
            assert!((m / mean - 1.0).abs() < 0.02, "{d:?}: mean {m}, {mean} wanted");
            assert!((v / variance - 1.0).abs() < 0.08, "{d:?}: variance {v}, {variance} wanted");
        }
    }

    #[test]
    fn bounds_hold() {
        let d = Distribution::LogNormal { mu: 0.0, sigma: 2.0, min: 0.5, max: 2.0 };
        assert!((0..1000).map(|i| draw(&d, mix(i))).all(|v| (0.5..=2.0).contains(&v)));
    }
}
