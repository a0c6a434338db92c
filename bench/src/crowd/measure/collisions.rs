//! How often discs run into each other.

use super::overlap::touching;
use crate::crowd::Bins;

/// How deep a collision is, as a share of the smaller radius of the two.
pub const DEEP: f32 = 0.05;

/// Counts collisions, fed step by step. One begins when two discs overlap by more than [`DEEP`] and is
/// over when they no longer touch, so two that tremble at that depth have collided once. What overlaps
/// at the first step fed was so before and does not count.
#[derive(Clone, Debug, Default)]
pub struct Collisions {
    bins: Bins,
    /// Collisions going on, as sorted pairs of ids.
    before: Vec<u64>,
    now: Vec<u64>,
    begun: u64,
    agent_seconds: f64,
    fed: bool,
}

impl Collisions {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next step, `dt` seconds after the last one. The lists may be in any order, new each
    /// step, as long as `ids` tells who is who.
    ///
    /// # Panics
    /// If a position is not finite, or lists differ in length.
    pub fn feed(&mut self, ids: &[u32], x: &[f32], y: &[f32], radius: &[f32], dt: f32) {
        assert!(ids.len() == x.len() && ids.len() == radius.len());
        let Self { bins, before, now, .. } = self;
        now.clear();
        let mut begun = 0;
        touching(bins, x, y, radius, |i, j, depth| {
            let (a, b) = (ids[i].min(ids[j]), ids[i].max(ids[j]));
            let pair = u64::from(a) << 32 | u64::from(b);
            if before.binary_search(&pair).is_ok() {
                now.push(pair);
            } else if depth > DEEP * radius[i].min(radius[j]) {
                now.push(pair);
                begun += 1;
            }
        });
        now.sort_unstable();
        std::mem::swap(before, now);
        if self.fed {
            self.begun += begun;
            self.agent_seconds += ids.len() as f64 * f64::from(dt);
        }
        self.fed = true;
    }

    /// Collisions begun.
    #[must_use]
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// Collisions begun per agent and minute; each has two agents and counts once.
    #[must_use]
    pub fn per_agent_minute(&self) -> f64 {
        if self.agent_seconds > 0.0 { self.begun as f64 * 60.0 / self.agent_seconds } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds two discs of radius 1 at each of these distances in turn.
    fn counted(distances: &[f32]) -> u64 {
        let mut collisions = Collisions::new();
        for &d in distances {
            collisions.feed(&[7, 3], &[0.0, d], &[0.0, 0.0], &[1.0, 1.0], 0.1);
        }
        collisions.begun()
    }

    #[test]
    fn a_collision_begins_deep_and_ends_apart() {
        assert_eq!(counted(&[3.0, 1.97, 1.96]), 0, "they only touch");
        assert_eq!(counted(&[3.0, 1.9, 1.8, 1.9]), 1);
        assert_eq!(counted(&[3.0, 1.9, 1.98, 1.9, 1.98, 1.9]), 1, "trembling is one");
        assert_eq!(counted(&[3.0, 1.9, 2.1, 1.9]), 2);
        assert_eq!(counted(&[1.5, 1.5, 1.4]), 0, "that was so from the start");
        assert_eq!(counted(&[1.5, 2.5, 1.5]), 1);
    }

    #[test]
    fn order_of_the_lists_does_not_matter() {
        let mut collisions = Collisions::new();
        collisions.feed(&[0, 1, 2], &[0.0, 5.0, 9.0], &[0.0; 3], &[1.0; 3], 0.5);
        collisions.feed(&[2, 0, 1], &[9.0, 0.0, 1.5], &[0.0; 3], &[1.0; 3], 0.5);
        collisions.feed(&[1, 2, 0], &[1.5, 9.0, 0.0], &[0.0; 3], &[1.0; 3], 0.5);
        assert_eq!(collisions.begun(), 1);
        // One in three agents' second.
        assert!((collisions.per_agent_minute() - 20.0).abs() < 1e-9);
    }
}
