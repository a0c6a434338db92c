//! Behave: what everybody does, and does next.
//!
//! Takes positions, actions and their remaining times, fear, tiredness, goals and the rules of the
//! scene; gives new actions, removals and notes of what happened. Parameters: [`BehaveParams`].
//!
//! Each action has a list of rules in the order of the scene; the first whose conditions hold leads to
//! the next action. A place with a capacity admits people in a fixed order, whoever computes first.

mod cpu;
mod draw;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;

pub(crate) use cpu::{BehaveInput, Note, behave};
pub(crate) use draw::draw;

pub use throng_world::params::BehaveParams;
