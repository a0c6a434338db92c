//! Speeds from places: displacement over a time window, as PedPy does, and never from what an engine
//! says of itself.

use super::Area;
use crate::trajectory::{Track, Trajectories};
use glam::DVec2;
use std::ops::Range;

/// The velocity of somebody in a frame: displacement from `window` seconds before to `window` seconds
/// after, as far as it was there.
pub fn velocity_at(track: &Track, frame: usize, window: f64, frame_seconds: f64) -> Option<DVec2> {
    let reach = (window / frame_seconds).round().max(1.0) as usize;
    let from = frame.saturating_sub(reach).max(track.first);
    let to = (frame + reach).min(track.end().checked_sub(1)?);
    if to <= from || track.at(frame).is_none() {
        return None;
    }
    let way = track.at(to)? - track.at(from)?;
    Some(way / ((to - from) as f64 * frame_seconds))
}

/// The speed of somebody in a frame.
pub fn speed_at(track: &Track, frame: usize, window: f64, frame_seconds: f64) -> Option<f64> {
    velocity_at(track, frame, window, frame_seconds).map(DVec2::length)
}

/// Speeds of everybody in an area, in every `every`-th frame of a range.
pub fn individual_speeds(
    ways: &Trajectories,
    frames: Range<usize>,
    every: usize,
    window: f64,
    area: &Area,
) -> Vec<f64> {
    let mut speeds = Vec::new();
    for frame in frames.step_by(every.max(1)) {
        for (i, place) in ways.present(frame) {
            if area.contains(place)
                && let Some(v) = speed_at(&ways.tracks[i], frame, window, ways.frame_seconds)
            {
                speeds.push(v);
            }
        }
    }
    speeds
}

/// Mean speed of everybody in an area over a range of frames; not a number where nobody was.
pub fn mean_speed_in(ways: &Trajectories, frames: Range<usize>, window: f64, area: &Area) -> f64 {
    super::mean(&individual_speeds(ways, frames, 1, window, area))
}

/// When somebody began to walk (seconds): from then on it is faster than `speed`, and gets away by half a
/// second at that speed. Somebody who is brushed past and stands again has not begun.
pub fn start_of_motion(track: &Track, speed: f64, frame_seconds: f64) -> Option<f64> {
    let half = (0.5 / frame_seconds).round().max(1.0) as usize;
    let way =
        |from: usize, to: usize| Some(track.places.get(to)?.distance(*track.places.get(from)?));
    let leaves =
        (0..track.places.len()).find(|&i| way(i, i + half).is_some_and(|d| d > 0.5 * speed))?;
    let moves = |i: &usize| way(*i, i + 1).is_some_and(|d| d > speed * frame_seconds);
    let first = (leaves..leaves + half).find(moves).unwrap_or(leaves);
    Some((track.first + first) as f64 * frame_seconds)
}

/// Mean speed along x between two places (metres per second), for those who pass both.
pub fn walked_speed(track: &Track, from: f64, to: f64, frame_seconds: f64) -> Option<f64> {
    let pass = |x: f64| {
        let i = track.places.windows(2).position(|p| p[0].x <= x && p[1].x > x)?;
        let share = (x - track.places[i].x) / (track.places[i + 1].x - track.places[i].x);
        Some((i as f64 + share) * frame_seconds)
    };
    Some((to - from) / (pass(to)? - pass(from)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::stat::tests::{walk, walkers};

    #[test]
    fn a_walker_of_one_metre_a_second_has_that_speed_at_every_frame() {
        let ways = walkers(&[1.0], 50);
        for frame in 0..50 {
            let v = speed_at(&ways.tracks[0], frame, 0.4, 0.1).expect("it is there");
            assert!((v - 1.0).abs() < 1e-12);
        }
        assert_eq!(speed_at(&ways.tracks[0], 50, 0.4, 0.1), None);
        let area = Area::new(1.0, -1.0, 2.0, 1.0);
        // From x = 1.0 to x = 1.9, a tenth of a metre apart: ten frames.
        assert_eq!(individual_speeds(&ways, 0..50, 1, 0.4, &area).len(), 10);
        assert!((mean_speed_in(&ways, 0..50, 0.4, &area) - 1.0).abs() < 1e-12);
        let walked = walked_speed(&ways.tracks[0], 1.0, 3.0, 0.1).expect("it passes");
        assert!((walked - 1.0).abs() < 1e-9);
    }

    #[test]
    fn motion_starts_when_the_place_is_left() {
        let mut places = vec![DVec2::ZERO; 20];
        places[10] = DVec2::new(0.05, 0.0); // Brushed past.
        places.extend((1..9).map(|i| DVec2::new(0.1 * f64::from(i), 0.0)));
        let start = start_of_motion(&walk(0, &places), 0.3, 0.1).expect("it walks");
        assert!((start - 1.9).abs() < 1e-12, "{start}");
        assert_eq!(start_of_motion(&walk(0, &places[..20]), 0.3, 0.1), None);
    }
}
