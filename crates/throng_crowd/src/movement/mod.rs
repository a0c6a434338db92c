//! Move: bodies that touch push each other apart, walls hold, and everybody takes a step.
//!
//! Takes positions, the velocities of the avoid stage, radii, bins and walls; gives new positions,
//! velocities and headings. Parameters: [`MoveParams`]. Three passes:
//!
//! 1. `contact`: each pair of discs that would overlap after the step shares out the correction by
//!    how hard each of the two pushes (position-based dynamics, one Jacobi pass: the same result in
//!    any order). The `froblins` model has none.
//! 2. `cpu`: velocity changes by no more than the largest jolt, speed stays below the
//!    maximum, bodies are kept out of walls, and the heading turns after the velocity no faster than
//!    the turn rate. An impact on a wall may stop somebody at once.
//! 3. `passage`: doors hold those whom they let through no more, lifts carry off those who are in them.

mod contact;
mod cpu;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
mod passage;
#[cfg(test)]
mod reference;

pub(crate) use contact::{Contact, Prediction, Pushed, contacts, left_over, predict, surge_at};
pub(crate) use cpu::{MoveInput, move_all};
pub(crate) use passage::{PassageInput, Passages, pass};

/// Parts of a second in which doors, lifts and travel are timed.
pub(crate) const TICKS: f32 = 1024.0;

/// A time (seconds) in ticks, on a clock that goes round.
pub(crate) fn ticks(time: f64) -> u32 {
    (time * f64::from(TICKS)) as u64 as u32
}

pub use throng_world::params::MoveParams;
