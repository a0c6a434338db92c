//! Lane order of a two-way stream: Rex and Löwen, Physical Review E 75 (2007) 051402; Nowak and
//! Schadschneider, Physical Review E 85 (2012) 066128.

/// Order of lanes, 0 for the level of chance and 1 for perfect lanes: for everybody, same- and
/// opposite-way people in the band of half-width `band` about its lateral place,
/// φ = ((same - other) / (same + other))², its mean Φ, and the mean Φ₀ over shuffled directions;
/// (Φ - Φ₀) / (1 - Φ₀). `None` where there are not both directions.
pub fn lane_order(lateral: &[f64], forward: &[bool], band: f64) -> Option<f64> {
    let ahead = forward.iter().filter(|f| **f).count();
    if lateral.len() != forward.len() || ahead == 0 || ahead == forward.len() {
        return None;
    }
    let found = mean_order(lateral, forward, band);
    let mut shuffled = forward.to_vec();
    let (mut state, mut chance) = (1u64, 0.0);
    const SHUFFLES: u32 = 20;
    for _ in 0..SHUFFLES {
        for i in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(i, ((state >> 33) % (i as u64 + 1)) as usize);
        }
        chance += mean_order(lateral, &shuffled, band) / f64::from(SHUFFLES);
    }
    Some((found - chance) / (1.0 - chance))
}

fn mean_order(lateral: &[f64], forward: &[bool], band: f64) -> f64 {
    let of = |i: usize| {
        let (mut same, mut other) = (0.0, 0.0);
        for (y, way) in lateral.iter().zip(forward) {
            if (y - lateral[i]).abs() <= band {
                if *way == forward[i] { same += 1.0 } else { other += 1.0 }
            }
        }
        f64::powi((same - other) / (same + other), 2)
    };
    (0..lateral.len()).map(of).sum::<f64>() / lateral.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separate_lanes_are_perfect_and_a_mixture_is_not() {
        let lateral: Vec<f64> = (0..40).map(|i| f64::from(i % 4)).collect();
        let lanes: Vec<bool> = (0..40).map(|i| i % 4 < 2).collect();
        let mixed: Vec<bool> = (0..40).map(|i| (i / 4) % 2 == 0).collect();
        assert!((lane_order(&lateral, &lanes, 0.4).expect("both ways") - 1.0).abs() < 1e-9);
        assert!(lane_order(&lateral, &mixed, 0.4).expect("both ways") < 0.1);
        assert_eq!(lane_order(&lateral, &[true; 40], 0.4), None);
    }
}
