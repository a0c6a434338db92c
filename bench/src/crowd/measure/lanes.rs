//! Whether two streams against each other have sorted themselves into lanes.

use crate::problems::hash;
use serde::Serialize;

/// How many times labels are shuffled to find the level of pure chance.
const SHUFFLES: u64 = 32;

/// The order parameter of lanes (Rex and Löwen 2007; Nowak and Schadschneider 2012): the mean over
/// agents of ((same - opposite) / (same + opposite))², counted in a band of one body's width around
/// the agent, itself with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LaneOrder {
    /// Of the crowd as it is.
    pub raw: f64,
    /// With the directions dealt out anew at random.
    pub chance: f64,
    /// (raw - chance) / (1 - chance): 0 is chance, 1 is perfect lanes; lanes when above 0.8.
    pub order: f64,
}

/// Measures the order of lanes among the agents of a window (pass only those inside). `lateral` is the
/// coordinate across the streams, `forward` who belongs to which, `body` the width of a band, metres.
/// `None` where the question has no meaning: one stream only, or no two agents in any band.
///
/// # Panics
/// If the lists differ in length.
#[must_use]
pub fn lane_order(lateral: &[f32], forward: &[bool], body: f32, seed: u64) -> Option<LaneOrder> {
    assert_eq!(lateral.len(), forward.len());
    let mut by_place: Vec<usize> = (0..lateral.len()).collect();
    by_place.sort_by(|&a, &b| lateral[a].total_cmp(&lateral[b]));
    let place: Vec<f32> = by_place.iter().map(|&i| lateral[i]).collect();
    let mut labels: Vec<bool> = by_place.iter().map(|&i| forward[i]).collect();
    if labels.iter().all(|&f| f) || !labels.contains(&true) {
        return None;
    }
    let bands = bands(&place, body);
    let raw = phi(&bands, &labels);
    let mut chance = 0.0;
    let mut die = hash(seed);
    for _ in 0..SHUFFLES {
        for i in (1..labels.len()).rev() {
            die = die.wrapping_add(1);
            labels.swap(i, (hash(die) % (i as u64 + 1)) as usize);
        }
        chance += phi(&bands, &labels) / SHUFFLES as f64;
    }
    (chance < 1.0 - 1e-9).then(|| LaneOrder { raw, chance, order: (raw - chance) / (1.0 - chance) })
}

/// For each of the sorted places, which are within half a body of it.
fn bands(place: &[f32], body: f32) -> Vec<(usize, usize)> {
    let (mut low, mut high) = (0, 0);
    let mut band = |p: f32| {
        while place[low] < p - body / 2.0 {
            low += 1;
        }
        while place.get(high).is_some_and(|&q| q <= p + body / 2.0) {
            high += 1;
        }
        (low, high)
    };
    place.iter().map(|&p| band(p)).collect()
}

fn phi(bands: &[(usize, usize)], forward: &[bool]) -> f64 {
    // Sums of +1 and -1 from the first on; the difference of two is that of the streams in a band.
    let mut sums = vec![0_i64];
    for &f in forward {
        sums.push(sums[sums.len() - 1] + if f { 1 } else { -1 });
    }
    let of = |&(low, high): &(usize, usize)| {
        ((sums[high] - sums[low]) as f64 / (high - low) as f64).powi(2)
    };
    bands.iter().map(of).sum::<f64>() / bands.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::unit;

    fn places(count: u64, width: f32) -> Vec<f32> {
        (0..count).map(|i| width * unit(3 * i)).collect()
    }

    #[test]
    fn lanes_are_one_and_chance_is_none() {
        let lateral = places(400, 10.0);
        let lanes: Vec<bool> = lateral.iter().map(|y| (y / 2.5) as i32 % 2 == 0).collect();
        let found = lane_order(&lateral, &lanes, 0.6, 1).expect("two streams");
        assert!(found.order > 0.85, "{found:?}");
        let mixed: Vec<bool> = (0..400).map(|i| unit(3 * i + 1) < 0.5).collect();
        let found = lane_order(&lateral, &mixed, 0.6, 1).expect("two streams");
        assert!(found.order.abs() < 0.1, "{found:?}");
    }

    #[test]
    fn lanes_far_apart_are_perfect() {
        let lateral: Vec<f32> = (0..100).map(|i| if i % 2 == 0 { 0.0 } else { 5.0 }).collect();
        let forward: Vec<bool> = (0..100).map(|i| i % 2 == 0).collect();
        let found = lane_order(&lateral, &forward, 0.6, 1).expect("two streams");
        assert_eq!((found.raw, found.order), (1.0, 1.0));
    }

    #[test]
    fn agrees_with_brute_force() {
        let lateral = places(150, 6.0);
        let forward: Vec<bool> = (0..150).map(|i| unit(3 * i + 2) < 0.6).collect();
        let of = |n: usize| {
            let band = |m: &usize| (lateral[*m] - lateral[n]).abs() <= 0.3;
            let (same, other): (Vec<usize>, _) =
                (0..150).filter(band).partition(|m| forward[*m] == forward[n]);
            let (same, other) = (same.len() as f64, other.len() as f64);
            ((same - other) / (same + other)).powi(2)
        };
        let expected = (0..150).map(of).sum::<f64>() / 150.0;
        let found = lane_order(&lateral, &forward, 0.6, 1).expect("two streams");
        assert!((found.raw - expected).abs() < 1e-12, "{found:?} {expected}");
    }

    #[test]
    fn one_stream_has_no_lanes() {
        assert_eq!(lane_order(&[1.0, 2.0], &[true, true], 0.6, 1), None);
        assert_eq!(lane_order(&[1.0, 9.0], &[true, false], 0.6, 1), None, "none beside another");
        assert_eq!(lane_order(&[], &[], 0.6, 1), None);
    }
}
