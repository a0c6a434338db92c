//! Yardsticks of a crowd on plain slices: overlaps, collisions, lanes, turning to and fro, speed.
//!
//! They know nothing of who made the positions. Lists belong together by index; where a measure
//! follows agents through time it takes their ids, so that the order of the lists may change.

mod collisions;
mod lanes;
mod overlap;
mod turns;

pub use collisions::{Collisions, DEEP};
pub use lanes::{LaneOrder, lane_order};
pub use overlap::{Overlap, overlaps};
pub use turns::{SLOWEST, TURN_THRESHOLD, Turns};

/// Mean speed, metres per second; 0 for nobody.
#[must_use]
pub fn mean_speed(vx: &[f32], vy: &[f32]) -> f64 {
    let sum: f64 = vx.iter().zip(vy).map(|(x, y)| f64::from(*x).hypot(f64::from(*y))).sum();
    sum / vx.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    #[test]
    fn mean_speed_is_of_lengths() {
        assert_eq!(super::mean_speed(&[3.0, 0.0, -1.0], &[4.0, 0.0, 0.0]), 2.0);
        assert_eq!(super::mean_speed(&[], &[]), 0.0);
    }
}
