//! Small statistics.

/// Points of a diagram: x and y.
pub type Points = Vec<(f64, f64)>;

/// The mean; not a number for none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean of something over all items.
pub fn mean_of<T>(items: &[T], f: impl Fn(&T) -> f64) -> f64 {
    items.iter().map(f).sum::<f64>() / items.len() as f64
}

/// The standard deviation of a sample.
pub fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values);
    let sum: f64 = values.iter().map(|v| (v - middle).powi(2)).sum();
    (sum / (values.len() as f64 - 1.0)).sqrt()
}

/// The value that a share of the sample is below, linear between its members.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = share.clamp(0.0, 1.0) * last as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64)
}

/// The middle of the sample.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Slope and intercept of the line of least squares.
pub fn slope_of(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let (mx, my) =
        (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let sxy: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let sxx: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    let slope = sxy / sxx;
    (slope, my - slope * mx)
}

/// Slope of the line of least squares through the origin.
pub fn slope_through_origin(points: &[(f64, f64)]) -> f64 {
    let sxy: f64 = points.iter().map(|(x, y)| x * y).sum();
    let sxx: f64 = points.iter().map(|(x, _)| x * x).sum();
    sxy / sxx
}

/// How far the second values rise with the first: Spearman's correlation of ranks, -1 to 1. Who is equal shares a rank.
pub fn rank_correlation(points: &[(f64, f64)]) -> f64 {
    let ranks = |of: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let below = |p: &(f64, f64)| {
            let less = points.iter().filter(|q| of(q) < of(p)).count();
            let equal = points.iter().filter(|q| of(q) == of(p)).count();
            less as f64 + 0.5 * equal as f64
        };
        points.iter().map(below).collect()
    };
    let (x, y) = (ranks(|p| p.0), ranks(|p| p.1));
    let (mx, my) = (mean(&x), mean(&y));
    let sum = |a: &[f64], ma: f64, b: &[f64], mb: f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum()
    };
    sum(&x, mx, &y, my) / (sum(&x, mx, &x, mx) * sum(&y, my, &y, my)).sqrt()
}

/// Second values by bins of the first: middle of the bin and its members, empty bins left out.
pub fn bins(points: &[(f64, f64)], width: f64) -> Vec<(f64, Vec<f64>)> {
    let mut by_bin = std::collections::BTreeMap::<i64, Vec<f64>>::new();
    for (x, y) in points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
        by_bin.entry((x / width).floor() as i64).or_default().push(*y);
    }
    by_bin.into_iter().map(|(bin, members)| ((bin as f64 + 0.5) * width, members)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::trajectory::{Track, Trajectories};
    use glam::DVec2;

    /// A track for tests.
    pub(crate) fn walk(first: usize, places: &[DVec2]) -> Track {
        Track { id: 0, group: 0, free_speed: None, first, places: places.to_vec() }
    }

    /// People who walk along x with constant speeds from x = 0, at ten frames a second.
    pub(crate) fn walkers(speeds: &[f64], frames: usize) -> Trajectories {
        let places = |speed: &f64, row: usize| {
            let at = |i: usize| DVec2::new(speed * 0.1 * i as f64, row as f64);
            (0..frames).map(at).collect::<Vec<_>>()
        };
        let tracks =
            speeds.iter().enumerate().map(|(row, speed)| walk(0, &places(speed, row))).collect();
        Trajectories { frame_seconds: 0.1, frames, tracks }
    }

    #[test]
    fn hand_values() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(mean(&values), 2.5);
        assert_eq!(mean_of(&values, |v| 2.0 * v), 5.0);
        assert!((deviation(&values) - (5.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(median(&values), 2.5);
        assert_eq!(quantile(&values, 0.9), 3.7);
        let line = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)];
        assert_eq!(slope_of(&line), (2.0, 1.0));
        assert_eq!(slope_through_origin(&[(1.0, 2.0), (2.0, 4.0)]), 2.0);
        // Ranks 0, 1 and 2, 3 that share 2.5; against 0, 1, 3, 2.
        let ranked = [(1.0, 10.0), (2.0, 20.0), (9.0, 90.0), (9.0, 30.0)];
        assert!((rank_correlation(&ranked) - 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12);
        assert_eq!(rank_correlation(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), -1.0);
        let binned = bins(&[(0.1, 1.0), (0.15, 3.0), (0.5, 2.0)], 0.2);
        assert_eq!(binned.len(), 2);
        assert!((binned[0].0 - 0.1).abs() < 1e-12 && binned[0].1 == vec![1.0, 3.0]);
    }
}
