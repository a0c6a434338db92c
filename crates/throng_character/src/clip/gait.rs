//! Walking and running: feet that stand while they stand, and a body that follows them.
//!
//! A foot on the ground moves back in the body's frame exactly as fast as the body goes forward, so that in the
//! world it does not move. In the air it follows a cubic with the same speed at both ends: no jerk at touch-down.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::stance::{Arm, Foot, HANGING, Stance};
use crate::rig::bones::LEG;

/// A way of walking. Lengths in body heights, angles in radians.
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    /// Distance in one round: two steps. Negative walks backwards.
    pub stride: f32,
    /// Seconds of one round at its natural speed.
    pub duration: f32,
    /// Share of the round that a foot is on the ground; below one half there is flight.
    pub duty: f32,
    /// How high the foot is lifted.
    pub lift: f32,
    /// Hips lowered.
    pub crouch: f32,
    /// Hips up and down.
    pub bob: f32,
    /// Hips to the standing side.
    pub sway: f32,
    /// Body forward.
    pub lean: f32,
    /// Arms to and fro.
    pub swing: f32,
    /// Heel up before the foot leaves, toes up before it lands.
    pub roll: [f32; 2],
    /// Feet apart, added to rest; negative is narrower.
    pub width: f32,
    /// How the rest of the body is held.
    pub base: Stance,
}

impl Default for Gait {
    fn default() -> Self {
        Self {
            stride: 0.42,
            duration: 0.74,
            duty: 0.60,
            lift: 0.055,
            crouch: 0.012,
            bob: 0.010,
            sway: 0.018,
            lean: 0.07,
            swing: 0.085,
            roll: [0.42, 0.28],
            width: -0.020,
            base: Stance::default(),
        }
    }
}

impl Gait {
    /// Crouched as far as the stride needs: a leg that is quite straight snaps, and one that is too short slides.
    #[must_use]
    pub fn settled(mut self) -> Self {
        let [hip, knee, ankle, _] = LEG.map(Vec3::from);
        let usable = (hip.distance(knee) + knee.distance(ankle)) * 0.965;
        let ahead = self.stride.abs() * self.duty * 0.5 + (hip.x - ankle.x).abs();
        let highest = (usable * usable - ahead * ahead).max(0.01).sqrt();
        let stands = hip.z - ankle.z + self.base.hips[2] + self.bob;
        self.crouch = self.crouch.max(stands - highest);
        self
    }

    /// The stance at a phase of the round, 0 to 1; the left foot lands at 0.
    #[must_use]
    pub fn at(&self, phase: f32) -> Stance {
        let mut stance = self.base;
        let wave = |shift: f32| ((phase + shift) * TAU).sin();
        let middle = self.duty * 0.5;
        for side in 0..2 {
            let own = (phase + 0.5 * side as f32).rem_euclid(1.0);
            stance.feet[side] = self.foot(own, side);
        }
        // Highest over the standing foot in a walk; in a run lowest there, highest in flight.
        let up = ((phase - middle) * 2.0 * TAU).cos() * if self.duty >= 0.5 { 1.0 } else { -1.0 };
        let over = ((phase - middle) * TAU).cos();
        stance.hips[2] += -self.crouch + self.bob * up;
        stance.hips[1] += self.sway * over;
        stance.hips[0] += 0.35 * self.bob * ((phase - middle) * 2.0 * TAU).sin();
        let turn = self.stride * 0.32;
        // The hip of the leg that goes forward comes along, and the chest answers.
        stance.hips_turn[2] += -turn * over_forward(phase, middle);
        stance.hips_turn[0] += self.sway * 2.2 * over;
        stance.hips_turn[1] += self.lean * 0.4;
        stance.spine[1] += self.lean * 0.6;
        stance.spine[0] -= self.sway * 1.6 * over;
        stance.spine[2] += turn * over_forward(phase, middle);
        stance.chest[2] += turn * 0.9 * over_forward(phase, middle);
        stance.head[2] -= turn * 0.7 * over_forward(phase, middle);
        stance.head[1] -= self.lean * 0.8 + 0.02 * up;
        stance.belly += 0.025 * wave(0.1).powi(2);
        for side in 0..2 {
            let sign = [1.0, -1.0][side];
            // Against the leg of its side.
            let fore = -over_forward(phase, middle) * sign;
            swing(&mut stance.arms[side], self.swing * fore);
            stance.ears[side][1] +=
                0.10 * ((phase * 2.0 + 0.1) * TAU).sin() * (self.bob * 60.0).min(1.5);
            stance.ears[side][0] += 0.08 * up * (self.bob * 60.0).min(1.5);
        }
        stance
    }

    fn foot(&self, phase: f32, side: usize) -> Foot {
        let sign = [1.0, -1.0][side];
        let base = self.base.feet[side];
        let reach = self.stride * self.duty * 0.5;
        let [heel, toes] = self.roll;
        let mut foot = Foot { at: base.at, yaw: base.yaw * 0.6, ..Foot::default() };
        foot.at[1] += self.width * sign;
        if phase < self.duty {
            foot.at[0] += reach - self.stride * phase;
            let s = phase / self.duty;
            foot.pitch = -toes * ease(1.0 - s / 0.16) + heel * ease((s - 0.62) / 0.38);
        } else {
            let s = (phase - self.duty) / (1.0 - self.duty);
            let slope = -self.stride * (1.0 - self.duty);
            let (s2, s3) = (s * s, s * s * s);
            let hermite = -reach * (2.0 * s3 - 3.0 * s2 + 1.0)
                + slope * (s3 - 2.0 * s2 + s)
                + reach * (3.0 * s2 - 2.0 * s3)
                + slope * (s3 - s2);
            foot.at[0] += hermite;
            foot.at[2] += self.lift * (PI * s.powf(0.85)).sin().powf(1.3);
            // The heel goes on rising for a moment, then the toes come up to land.
            foot.pitch =
                heel * (1.0 - ease(s / 0.62)) * (1.0 + 0.9 * s) - toes * ease((s - 0.45) / 0.55);
            foot.toes = -foot.pitch.max(0.0) * 0.35 * ease(s / 0.35);
        }
        foot
    }
}

/// 1 when the left foot is foremost, -1 when the right one is.
fn over_forward(phase: f32, middle: f32) -> f32 {
    // It is foremost where it lands; swings and turns lag a little.
    ((phase + 0.03) * TAU).cos() * (0.8 + 0.4 * middle)
}

fn swing(arm: &mut Arm, by: f32) {
    arm.at[0] += by;
    // A pendulum rises at its ends; bent elbows bring it in front. Round at the middle, where hands are fastest.
    let far = by.hypot(0.03) - 0.03;
    let fore = (far + by) * 0.5;
    arm.at[2] += far * 0.35 + fore * 0.30;
    arm.at[1] -= fore * 0.30;
}

/// 0 to 1 smoothly.
pub(super) fn ease(s: f32) -> f32 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// An arm bent for running.
#[must_use]
pub fn running_arm() -> Arm {
    Arm { at: [0.085, 0.060, -0.155], elbow: [-1.0, 0.5, -0.2], curl: 0.8, ..HANGING }
}
