//! Stances at times, with smooth ways between.

use super::stance::Stance;

/// A row of stances, times rising from 0.
#[derive(Clone, Debug)]
pub struct Keys {
    keys: Vec<(f32, Stance)>,
    duration: f32,
    looping: bool,
}

impl Keys {
    /// Goes round: after `duration` comes the first stance again.
    #[must_use]
    pub fn looping(duration: f32, keys: Vec<(f32, Stance)>) -> Self {
        Self { keys, duration, looping: true }
    }

    /// From the first to the last, whose time is the duration.
    #[must_use]
    pub fn once(keys: Vec<(f32, Stance)>) -> Self {
        let duration = keys.last().map_or(0.0, |(time, _)| *time);
        Self { keys, duration, looping: false }
    }

    /// Seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Whether it goes round.
    #[must_use]
    pub fn is_looping(&self) -> bool {
        self.looping
    }

    /// Key by any number, with its time: before the first and after the last it goes round or stays.
    fn key(&self, i: isize) -> (f32, &Stance) {
        let n = self.keys.len() as isize;
        if self.looping {
            let round = i.div_euclid(n);
            let (time, stance) = &self.keys[i.rem_euclid(n) as usize];
            (time + round as f32 * self.duration, stance)
        } else {
            let (time, stance) = &self.keys[i.clamp(0, n - 1) as usize];
            (*time, stance)
        }
    }

    /// The stance at a time within the duration: a cubic through the keys that comes to rest at the ends of
    /// what does not go round, and does not overshoot where neighbours are alike.
    #[must_use]
    pub fn at(&self, time: f32) -> Stance {
        let after = self.keys.partition_point(|(t, _)| *t <= time) as isize;
        let (t0, p) = self.key(after - 1);
        let (t1, q) = self.key(after);
        let span = t1 - t0;
        if span <= 1e-6 {
            return *p;
        }
        let slope = |i: isize| {
            let ((ta, a), (tb, b)) = (self.key(i - 1), self.key(i + 1));
            let inner = self.looping || (i > 0 && i < self.keys.len() as isize - 1);
            let factor = if inner && tb > ta { 0.7 * span / (tb - ta) } else { 0.0 };
            Stance::slope(a, b, factor)
        };
        Stance::hermite(p, &slope(after - 1), q, &slope(after), (time - t0) / span)
    }
}
