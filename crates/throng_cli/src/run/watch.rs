//! Measures taken while a run goes on: once a simulated second, and at its end.

use throng::Crowd;

/// What was seen so far.
#[derive(Default)]
pub(super) struct Watch {
    /// Whole seconds that have been looked at.
    seconds: u64,
    samples: u32,
    last: u64,
    speed: f64,
    overlap: f64,
    /// Worst of each.
    pub(super) overlap_max: f32,
    pub(super) in_wall: usize,
    pub(super) densest: f32,
}

impl Watch {
    /// Whether another second has passed at a time.
    pub(super) fn is_due(&self, time: f64) -> bool {
        whole_seconds(time) > self.seconds
    }

    /// Looks at the crowd if another second has passed, or it is the end.
    pub(super) fn look(&mut self, crowd: &Crowd, end: bool) {
        let seconds = whole_seconds(crowd.time());
        let due = self.is_due(crowd.time()) || (end && self.last < crowd.steps());
        self.seconds = seconds;
        if !due || crowd.is_empty() {
            return;
        }
        let m = crowd.measures();
        self.last = crowd.steps();
        self.samples += 1;
        self.speed += f64::from(m.mean_speed);
        self.overlap += f64::from(m.overlap_mean);
        self.overlap_max = self.overlap_max.max(m.overlap_max);
        self.in_wall = self.in_wall.max(m.in_wall);
        self.densest = self.densest.max(m.densest);
    }

    /// Mean over all looks (metres per second).
    pub(super) fn mean_speed(&self) -> f64 {
        self.speed / f64::from(self.samples.max(1))
    }

    /// Mean over all looks, as a share of the radius.
    pub(super) fn overlap_mean(&self) -> f64 {
        self.overlap / f64::from(self.samples.max(1))
    }
}

fn whole_seconds(time: f64) -> u64 {
    (time + 1e-6) as u64
}
