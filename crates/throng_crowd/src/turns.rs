//! Who decides in a step. People decide once in a reaction time and take turns, by their numbers.

use throng_world::params::{AvoidParams, Model};

/// The turn of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    period: u32,
    phase: u32,
    /// 2⁶⁴ / period, rounded up: tells multiples of the period without dividing (Lemire, Kaser and Kurz,
    /// "Faster remainder by direct computation", 2019, section 3.2).
    inverse: u64,
}

impl Turn {
    /// The turn of a step of `dt` seconds.
    pub(crate) fn new(params: &AvoidParams, dt: f32, step: u64) -> Self {
        let period = match params.model {
            Model::Throng => ((params.reaction / dt).round() as u32).max(1),
            Model::Froblins => 1,
        };
        let inverse = (u64::MAX / u64::from(period)).wrapping_add(1);
        Self { period, phase: (step % u64::from(period)) as u32, inverse }
    }

    /// Steps from one decision of an agent to its next.
    pub(crate) fn period(self) -> u32 {
        self.period
    }

    /// The place of the step in the period.
    #[cfg(feature = "gpu")]
    pub(crate) fn phase(self) -> u32 {
        self.phase
    }

    /// Whether an agent decides now.
    #[inline(always)]
    pub(crate) fn is_for(self, id: u32) -> bool {
        let n = u64::from(id) + u64::from(self.phase);
        self.period == 1 || n.wrapping_mul(self.inverse) < self.inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong turn would leave somebody who never decides.
    #[test]
    fn everybody_decides_once_in_a_period() {
        for (reaction, dt) in
            [(0.15, 0.05), (0.15, 1.0 / 30.0), (0.2, 0.01), (0.1, 0.5), (0.35, 0.05)]
        {
            let params = AvoidParams { reaction, ..AvoidParams::default() };
            let period = u64::from(Turn::new(&params, dt, 0).period());
            for id in [0, 1, 2, 3, 5, 100, 65_537, u32::MAX - 8, u32::MAX] {
                for step in 0..3 * period {
                    let expected = (u64::from(id) + step % period).is_multiple_of(period);
                    assert_eq!(Turn::new(&params, dt, step).is_for(id), expected, "{id} {step}");
                }
            }
        }
    }
}
