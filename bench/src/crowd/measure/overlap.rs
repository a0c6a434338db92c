//! How deep discs stand in each other at one moment.

use crate::crowd::Bins;
use serde::Serialize;

/// Overlaps of discs. Two overlap by the sum of their radii less their distance; an agent by its
/// deepest one, as a share of its own radius (two equal discs in one place: 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Overlap {
    /// Mean over all agents; one that touches nobody counts 0.
    pub mean: f64,
    /// The deepest.
    pub worst: f64,
    /// Pairs that overlap.
    pub pairs: usize,
}

/// Measures overlaps among discs.
///
/// # Panics
/// If a position is not finite, or lists differ in length.
#[must_use]
pub fn overlaps(x: &[f32], y: &[f32], radius: &[f32]) -> Overlap {
    assert_eq!(x.len(), radius.len());
    let mut deepest = vec![0.0_f32; x.len()];
    let mut pairs = 0;
    touching(&mut Bins::default(), x, y, radius, |i, j, depth| {
        pairs += 1;
        deepest[i] = deepest[i].max(depth / radius[i]);
        deepest[j] = deepest[j].max(depth / radius[j]);
    });
    summary(&deepest, pairs)
}

fn summary(deepest: &[f32], pairs: usize) -> Overlap {
    let sum: f64 = deepest.iter().copied().map(f64::from).sum();
    let worst = deepest.iter().copied().fold(0.0, f32::max);
    Overlap { mean: sum / deepest.len().max(1) as f64, worst: f64::from(worst), pairs }
}

/// Calls `see(i, j, depth)` once for each pair of discs that overlap.
pub(super) fn touching(
    bins: &mut Bins,
    x: &[f32],
    y: &[f32],
    radius: &[f32],
    mut see: impl FnMut(usize, usize, f32),
) {
    let widest = radius.iter().copied().fold(0.0, f32::max);
    if widest <= 0.0 {
        return;
    }
    bins.build(x, y, 2.0 * widest);
    bins.pairs(x, y, 2.0 * widest, |i, j, distance| {
        let depth = radius[i] + radius[j] - distance;
        if depth > 0.0 {
            see(i, j, depth);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::unit;

    fn brute_force(x: &[f32], y: &[f32], radius: &[f32]) -> Overlap {
        let mut deepest = vec![0.0_f32; x.len()];
        let mut pairs = 0;
        for i in 0..x.len() {
            for j in 0..x.len() {
                let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
                let depth = radius[i] + radius[j] - (dx * dx + dy * dy).sqrt();
                if i != j && depth > 0.0 {
                    pairs += usize::from(i < j);
                    deepest[i] = deepest[i].max(depth / radius[i]);
                }
            }
        }
        summary(&deepest, pairs)
    }

    #[test]
    fn grid_and_brute_force_agree() {
        for seed in 0..20 {
            let die = |k: u64| (0..400).map(move |i| unit(seed * 10_000 + 4 * i + k));
            let x: Vec<f32> = die(0).map(|u| 30.0 * u).collect();
            let y: Vec<f32> = die(1).map(|u| 12.0 * u - 6.0).collect();
            let radius: Vec<f32> = die(2).map(|u| 0.15 + 0.4 * u).collect();
            let found = overlaps(&x, &y, &radius);
            assert!(found.pairs > 50, "{found:?}");
            assert_eq!(found, brute_force(&x, &y, &radius));
        }
    }

    #[test]
    fn depth_is_a_share_of_the_agents_own_radius() {
        let found = overlaps(&[0.0, 0.7, 9.0], &[0.0; 3], &[0.5, 0.25, 0.5]);
        assert_eq!(found.pairs, 1);
        assert!((found.worst - 0.05 / 0.25).abs() < 1e-6, "{found:?}");
        assert!((found.mean - (0.05 / 0.25 + 0.05 / 0.5) / 3.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn two_in_one_place_and_nobody() {
        assert_eq!(overlaps(&[1.0, 1.0], &[2.0, 2.0], &[0.3, 0.3]).worst, 2.0);
        assert_eq!(overlaps(&[], &[], &[]), Overlap::default());
    }
}
