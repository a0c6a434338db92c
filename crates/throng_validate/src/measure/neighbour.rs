//! How near people are to each other.

use super::Area;
use crate::trajectory::Trajectories;
use glam::DVec2;
use std::ops::Range;

/// Distances from everybody in an area to the nearest other person anywhere, in every `every`-th frame.
pub fn nearest_distances(
    ways: &Trajectories,
    frames: Range<usize>,
    every: usize,
    area: &Area,
) -> Vec<f64> {
    let mut distances = Vec::new();
    for frame in frames.step_by(every.max(1)) {
        let all: Vec<DVec2> = ways.present(frame).map(|(_, p)| p).collect();
        for (i, p) in all.iter().enumerate().filter(|(_, p)| area.contains(**p)) {
            let others = all.iter().enumerate().filter(|(j, _)| *j != i);
            let nearest = others.map(|(_, q)| q.distance_squared(*p)).min_by(f64::total_cmp);
            distances.extend(nearest.map(f64::sqrt));
        }
    }
    distances
}

/// People one behind the other on a closed way of some length, by their place along it: for each, in
/// the given order, half the way to the one ahead and half the way to the one behind. Its inverse is
/// the Voronoi density in one dimension.
pub fn headways_on_ring(along: &[f64], length: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..along.len()).collect();
    order.sort_by(|&a, &b| along[a].total_cmp(&along[b]));
    let n = order.len();
    let mut headways = vec![length; n];
    if n < 2 {
        return headways;
    }
    for (k, &i) in order.iter().enumerate() {
        let (ahead, behind) = (along[order[(k + 1) % n]], along[order[(k + n - 1) % n]]);
        headways[i] =
            0.5 * ((ahead - along[i]).rem_euclid(length) + (along[i] - behind).rem_euclid(length));
    }
    headways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::stat::tests::walkers;

    #[test]
    fn three_in_a_column_are_a_metre_apart() {
        let ways = walkers(&[1.0, 1.0, 1.0], 10);
        let all = nearest_distances(&ways, 0..10, 5, &Area::new(-9.0, -9.0, 9.0, 9.0));
        assert_eq!(all, vec![1.0; 6]);
        let lowest = nearest_distances(&ways, 0..1, 1, &Area::new(-1.0, -1.0, 1.0, 0.5));
        assert_eq!(lowest, vec![1.0]);
    }

    #[test]
    fn headways_on_a_ring_go_round_it() {
        // Gaps of 2, 3 and 5 metres on a ring of 10.
        let headways = headways_on_ring(&[9.0, 1.0, 4.0], 10.0);
        assert_eq!(headways, vec![3.5, 2.5, 4.0]);
        assert!((headways.iter().sum::<f64>() - 10.0).abs() < 1e-12);
        assert_eq!(headways_on_ring(&[3.0], 10.0), vec![10.0]);
    }
}
