//! The Kolmogorov-Smirnov distance: how far two distributions differ at most.
//!
//! Press and others, "Numerical Recipes" (1992), section 14.3, for the probability (Stephens 1970).

/// Distance, and how probable one at least so large would be by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KsTest {
    /// Largest difference of the cumulated distributions, 0 to 1.
    pub distance: f64,
    /// Probability under the hypothesis that both are the same.
    pub p: f64,
}

/// Of two samples.
pub fn ks_two_samples(one: &[f64], other: &[f64]) -> KsTest {
    let (a, b) = (sorted(one), sorted(other));
    let (na, nb) = (a.len() as f64, b.len() as f64);
    let (mut i, mut j, mut distance) = (0, 0, 0.0f64);
    while i < a.len() && j < b.len() {
        let v = a[i].min(b[j]);
        while i < a.len() && a[i] <= v {
            i += 1;
        }
        while j < b.len() && b[j] <= v {
            j += 1;
        }
        distance = distance.max((i as f64 / na - j as f64 / nb).abs());
    }
    KsTest { distance, p: probability(distance, na * nb / (na + nb)) }
}

/// Of a sample and a cumulated distribution.
pub fn ks_one_sample(sample: &[f64], cdf: impl Fn(f64) -> f64) -> KsTest {
    let sample = sorted(sample);
    let n = sample.len() as f64;
    let distance = sample.iter().enumerate().fold(0.0f64, |most, (i, &v)| {
        let f = cdf(v);
        most.max((f - i as f64 / n).abs()).max(((i + 1) as f64 / n - f).abs())
    });
    KsTest { distance, p: probability(distance, n) }
}

fn sorted(sample: &[f64]) -> Vec<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Q(λ) = 2 Σ (-1)^(j-1) exp(-2 j² λ²) with λ = (√n + 0.12 + 0.11/√n) D.
fn probability(distance: f64, n: f64) -> f64 {
    let root = n.sqrt();
    let lambda = (root + 0.12 + 0.11 / root) * distance;
    if lambda < 0.2 {
        return 1.0; // The series has not converged there; the probability is 1 to 12 digits.
    }
    let mut sum = 0.0;
    for j in 1..=100 {
        let j = f64::from(j);
        let sign = if j % 2.0 == 1.0 { 1.0 } else { -1.0 };
        let term = (-2.0 * j * j * lambda * lambda).exp();
        sum += sign * term;
        if term < 1e-12 {
            break;
        }
    }
    (2.0 * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        let a = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(ks_two_samples(&a, &a).distance, 0.0);
        assert_eq!(ks_two_samples(&a, &[5.0, 6.0]).distance, 1.0);
        // Below 2.5: half of the one, all of the other.
        assert_eq!(ks_two_samples(&a, &[0.0, 2.0, 2.0]).distance, 0.5);
        // Quarters of [0, 1] against the even distribution: off by an eighth everywhere.
        let quarters = [0.125, 0.375, 0.625, 0.875];
        assert!((ks_one_sample(&quarters, |x| x).distance - 0.125).abs() < 1e-12);
    }

    #[test]
    fn the_usual_critical_value_has_five_percent() {
        // For large n the critical distance at 5 % is 1.358 / √n (Smirnov 1948).
        let p = probability(1.358 / 1e4f64.sqrt(), 1e4);
        assert!((p - 0.05).abs() < 1e-3, "{p}");
        assert_eq!(probability(0.0, 100.0), 1.0);
    }
}
