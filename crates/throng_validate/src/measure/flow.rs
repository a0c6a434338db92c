//! Lines that people pass: when, how many, how fast one after the other.

use crate::trajectory::{Track, Trajectories};
use glam::DVec2;

/// A line to pass (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// One end.
    pub a: DVec2,
    /// The other.
    pub b: DVec2,
}

/// Somebody passes a line for the first time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Who (index of the track).
    pub track: usize,
    /// When (seconds).
    pub time: f64,
}

impl Line {
    /// From (x1, y1) to (x2, y2).
    pub const fn new(x1: f64, y1: f64, x2: f64, y2: f64) -> Self {
        Self { a: DVec2::new(x1, y1), b: DVec2::new(x2, y2) }
    }

    /// When somebody first passes it, either way, in frames from its own first, linear between frames.
    fn passed(&self, track: &Track) -> Option<f64> {
        let along = self.b - self.a;
        let side = |p: DVec2| along.perp_dot(p - self.a);
        track.places.windows(2).enumerate().find_map(|(i, pair)| {
            let (s0, s1) = (side(pair[0]), side(pair[1]));
            if (s0 > 0.0) == (s1 > 0.0) {
                return None;
            }
            let share = s0 / (s0 - s1);
            let at = pair[0].lerp(pair[1], share) - self.a;
            let t = at.dot(along) / along.length_squared();
            (0.0..=1.0).contains(&t).then_some(i as f64 + share)
        })
    }
}

/// First crossings of a line by everybody who passes it, in the order of time.
pub fn crossings(ways: &Trajectories, line: &Line) -> Vec<Crossing> {
    let mut all: Vec<Crossing> = ways
        .tracks
        .iter()
        .enumerate()
        .filter_map(|(i, track)| {
            let time = (track.first as f64 + line.passed(track)?) * ways.frame_seconds;
            Some(Crossing { track: i, time })
        })
        .collect();
    all.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.track.cmp(&b.track)));
    all
}

/// The N-t curve: after each passage, its time and how many have passed by then.
pub fn count_over_time(passed: &[Crossing]) -> Vec<(f64, f64)> {
    passed.iter().enumerate().map(|(i, c)| (c.time, (i + 1) as f64)).collect()
}

/// Flow (people per second) from one share of all passages to another, such as 0.1 to 0.9: the slope
/// of the N-t curve where it is steady.
pub fn steady_flow(passed: &[Crossing], from: f64, to: f64) -> Option<f64> {
    let last = passed.len().checked_sub(1)? as f64;
    let (i, j) = ((from * last).round() as usize, (to * last).round() as usize);
    let seconds = passed.get(j)?.time - passed.get(i)?.time;
    (j > i && seconds > 0.0).then(|| (j - i) as f64 / seconds)
}

/// Times that people take from one line to another, for those who pass both in this order.
pub fn times_between(ways: &Trajectories, from: &Line, to: &Line) -> Vec<f64> {
    let frames = |track: &Track| Some(to.passed(track)? - from.passed(track)?);
    let all = ways.tracks.iter().filter_map(frames);
    all.map(|f| f * ways.frame_seconds).filter(|&t| t > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::stat::tests::walkers;

    #[test]
    fn walkers_pass_a_line_when_they_should() {
        // At 1 m/s and 2 m/s from x = 0: x = 3 after 3 s and 1.5 s.
        let ways = walkers(&[1.0, 2.0], 100);
        let passed = crossings(&ways, &Line::new(3.0, -1.0, 3.0, 2.0));
        assert_eq!(passed.iter().map(|c| c.track).collect::<Vec<_>>(), [1, 0]);
        assert!((passed[0].time - 1.5).abs() < 1e-9 && (passed[1].time - 3.0).abs() < 1e-9);
        assert_eq!(count_over_time(&passed).len(), 2);
        // One more person in a second and a half.
        let flow = steady_flow(&passed, 0.0, 1.0).expect("two passed");
        assert!((flow - 1.0 / 1.5).abs() < 1e-9);
        // A line that is too short is not passed by the one in row 0.
        assert_eq!(crossings(&ways, &Line::new(3.0, 0.5, 3.0, 2.0)).len(), 1);
    }

    #[test]
    fn time_between_lines_is_way_over_speed() {
        let ways = walkers(&[1.25], 200);
        let (from, to) = (Line::new(1.0, -1.0, 1.0, 1.0), Line::new(11.0, -1.0, 11.0, 1.0));
        let times = times_between(&ways, &from, &to);
        assert!((times[0] - 8.0).abs() < 1e-9, "{times:?}");
        assert!(times_between(&ways, &to, &from).is_empty());
    }
}
