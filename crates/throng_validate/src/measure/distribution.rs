//! Cumulated distributions that tests prescribe.

/// Even between two bounds.
pub fn uniform_cdf(x: f64, low: f64, high: f64) -> f64 {
    ((x - low) / (high - low)).clamp(0.0, 1.0)
}

/// Normal.
pub fn normal_cdf(x: f64, mean: f64, deviation: f64) -> f64 {
    0.5 * erfc((mean - x) / (deviation * std::f64::consts::SQRT_2))
}

/// Log-normal.
pub fn lognormal_cdf(x: f64, mu: f64, sigma: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { normal_cdf(x.ln(), mu, sigma) }
}

/// Weibull.
pub fn weibull_cdf(x: f64, scale: f64, shape: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { 1.0 - (-(x / scale).powf(shape)).exp() }
}

/// Gamma.
pub fn gamma_cdf(x: f64, shape: f64, scale: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { lower_gamma(shape, x / scale) }
}

/// 1 - erf, to 1.2e-7 (Numerical Recipes, section 6.2, after Chebyshev).
fn erfc(x: f64) -> f64 {
    const C: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let series = C.iter().rev().fold(0.0, |sum, c| sum * t + c);
    let tail = t * (-x * x + series).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

/// The regularised lower incomplete gamma function by its series (Numerical Recipes, section 6.2).
fn lower_gamma(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
    for _ in 0..10_000 {
        n += 1.0;
        term *= x / n;
        sum += term;
        if term < sum * 1e-14 {
            break;
        }
    }
    (sum.ln() - x + a * x.ln() - ln_gamma(a)).exp().min(1.0)
}

/// ln Γ by Lanczos (g = 5, six terms).
fn ln_gamma(x: f64) -> f64 {
    const C: [f64; 6] = [
        76.180_091_729_471_46,
        -86.505_320_329_416_77,
        24.014_098_240_830_91,
        -1.231_739_572_450_155,
        0.120_865_097_386_617_9e-2,
        -0.539_523_938_495_3e-5,
    ];
    let base = x + 5.5 - (x + 0.5) * (x + 5.5).ln();
    let mut series = 1.000_000_000_190_015;
    for (i, c) in C.iter().enumerate() {
        series += c / (x + 1.0 + i as f64);
    }
    -base + (2.506_628_274_631_000_5 * series / x).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-6, "{found} instead of {wanted}");
    }

    #[test]
    fn tabulated_values() {
        near(normal_cdf(0.0, 0.0, 1.0), 0.5);
        near(normal_cdf(1.96, 0.0, 1.0), 0.975_002_1);
        near(normal_cdf(-1.0, 0.0, 1.0), 0.158_655_3);
        near(lognormal_cdf(4.586f64.exp(), 4.586, 0.967), 0.5);
        near(weibull_cdf(139.285, 139.285, 1.195), 1.0 - (-1.0f64).exp());
        // Gamma with shape 1 is exponential; with shape 2, 1 - (1 + x) exp(-x).
        near(gamma_cdf(3.0, 1.0, 2.0), 1.0 - (-1.5f64).exp());
        near(gamma_cdf(5.0, 2.0, 1.0), 1.0 - 6.0 * (-5.0f64).exp());
        near(uniform_cdf(55.0, 10.0, 100.0), 0.5);
    }
}
