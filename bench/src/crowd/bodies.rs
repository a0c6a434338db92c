//! A crowd at one moment, as the yardsticks take it.

use super::measure::{Overlap, mean_speed, overlaps};

/// Who stands where. Lists belong together by index; `ids` tells who is who.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bodies {
    /// Numbers of the agents; in a problem, their places in its lists.
    pub ids: Vec<u32>,
    /// Positions, metres.
    pub x: Vec<f32>,
    /// Positions, metres.
    pub y: Vec<f32>,
    /// Velocities, metres per second.
    pub vx: Vec<f32>,
    /// Velocities, metres per second.
    pub vy: Vec<f32>,
    /// Radii, metres.
    pub radius: Vec<f32>,
}

impl Bodies {
    /// Forgets everybody, keeps the memory.
    pub fn clear(&mut self) {
        self.ids.clear();
        for list in [&mut self.x, &mut self.y, &mut self.vx, &mut self.vy, &mut self.radius] {
            list.clear();
        }
    }

    /// Adds one.
    pub fn push(&mut self, id: u32, at: [f32; 2], velocity: [f32; 2], radius: f32) {
        self.ids.push(id);
        self.x.push(at[0]);
        self.y.push(at[1]);
        self.vx.push(velocity[0]);
        self.vy.push(velocity[1]);
        self.radius.push(radius);
    }

    /// How deep they stand in each other.
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        overlaps(&self.x, &self.y, &self.radius)
    }

    /// Mean speed, metres per second.
    #[must_use]
    pub fn mean_speed(&self) -> f64 {
        mean_speed(&self.vx, &self.vy)
    }

    /// Positions by ascending id.
    #[must_use]
    pub fn places(&self) -> Vec<[f32; 2]> {
        let mut order: Vec<usize> = (0..self.ids.len()).collect();
        order.sort_unstable_by_key(|&i| self.ids[i]);
        order.into_iter().map(|i| [self.x[i], self.y[i]]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_pushed_and_sorts_by_id() {
        let mut bodies = Bodies::default();
        bodies.push(7, [1.0, 0.0], [3.0, 4.0], 0.5);
        bodies.push(2, [0.1, 0.0], [0.0, 0.0], 0.5);
        assert_eq!(bodies.places(), [[0.1, 0.0], [1.0, 0.0]]);
        assert_eq!(bodies.mean_speed(), 2.5);
        assert!((bodies.overlap().worst - 0.2).abs() < 1e-6);
        bodies.clear();
        assert_eq!(bodies, Bodies::default());
    }
}
