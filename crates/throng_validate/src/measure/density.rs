//! Density by counting: so many people in an area (method C of Zhang 2012).

use super::Area;
use crate::trajectory::Trajectories;
use std::ops::Range;

/// People per square metre in an area, in one frame.
pub fn classic_density(ways: &Trajectories, frame: usize, area: &Area) -> f64 {
    ways.present(frame).filter(|(_, p)| area.contains(*p)).count() as f64 / area.size()
}

/// The same for every frame of a range.
pub fn density_series(ways: &Trajectories, frames: Range<usize>, area: &Area) -> Vec<f64> {
    let mut counts = vec![0u32; frames.len()];
    for track in &ways.tracks {
        let (from, to) = (track.first.max(frames.start), track.end().min(frames.end));
        for frame in from..to {
            if area.contains(track.places[frame - track.first]) {
                counts[frame - frames.start] += 1;
            }
        }
    }
    counts.into_iter().map(|n| f64::from(n) / area.size()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::stat::tests::walk;
    use glam::DVec2;

    #[test]
    fn one_of_two_people_on_four_square_metres_makes_a_quarter() {
        let still = |x: f64| walk(0, &[DVec2::new(x, 1.0); 3]);
        let mut ways = Trajectories::new(0.1);
        ways.frames = 3;
        ways.tracks = vec![still(0.5), still(2.0)];
        let area = Area::new(0.0, 0.0, 2.0, 2.0);
        // The one at x = 2 stands on the upper edge, which does not belong to the area.
        assert_eq!(classic_density(&ways, 1, &area), 0.25);
        assert_eq!(density_series(&ways, 0..3, &area), vec![0.25; 3]);
        assert_eq!(classic_density(&ways, 3, &area), 0.0);
    }
}
