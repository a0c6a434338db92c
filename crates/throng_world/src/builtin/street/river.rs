//! A river that winds along one axis of the city, with quays on both sides.

use super::super::hash::{Chance, noise};
use glam::DVec2;

/// Half the width of the water, in cells.
const HALF_WIDTH: f64 = 11.0;
/// Width of each quay, in cells.
const QUAY: f64 = 6.0;
/// How far the river swings to either side, in cells, and over what length.
const SWING: f64 = 46.0;
const SWING_LENGTH: f64 = 170.0;

/// A winding band of water.
#[derive(Clone, Debug)]
pub(super) struct River {
    on: DVec2,
    along: DVec2,
    seed: u64,
}

impl River {
    /// A river that winds about the line through `on` along the unit vector `along`.
    pub(super) fn new(on: DVec2, along: DVec2, chance: &mut Chance) -> Self {
        let seed = chance.bits();
        Self { on, along, seed }
    }

    /// How far a point is along the river.
    pub(super) fn along(&self, at: DVec2) -> f64 {
        self.along.dot(at - self.on)
    }

    /// Distance to the near edge of the quay; negative on the quay and the water.
    pub(super) fn quay_distance(&self, at: DVec2) -> f64 {
        self.water_distance(at) - QUAY
    }

    /// Distance to the water; negative in it. Exact to first order in the bend of the river.
    pub(super) fn water_distance(&self, at: DVec2) -> f64 {
        let along = self.along(at);
        let across = self.along.perp_dot(at - self.on);
        let slope = (self.swing(along + 1.0) - self.swing(along - 1.0)) / 2.0;
        (across - self.swing(along)).abs() / (1.0 + slope * slope).sqrt() - HALF_WIDTH
    }

    fn swing(&self, along: f64) -> f64 {
        SWING * (noise(self.seed, along / SWING_LENGTH, 0.5) - 0.5) * 1.4
    }
}
