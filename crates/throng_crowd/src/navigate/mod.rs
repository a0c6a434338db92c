//! Navigate: where everybody would like to go, and how fast.
//!
//! Takes positions, actions, goals, hazards and the world's static cost; gives each agent a preferred
//! velocity, as if nobody else were near. Ways to goals come from potential fields, one for each goal
//! and set of weights (`fields`), which take turns to be refreshed so that the step time stays flat:
//! F = aT + bD + cA ("March of the Froblins", section 3.2.1), terrain, density of others
//! (`crowding`) and hazards. An agent with a point of its own as target walks straight where it sees it,
//! and by a field kept for that point otherwise (`targets`). Where the scene says so, worn ground is easier
//! to walk on (`trails`). Beside slanted walls and in passages that a body fills ways go along the walls (`brink`,
//! `narrow`). Fear overrides all: inside a hazard's fear radius people turn away.

pub(crate) mod brink;
mod cpu;
mod crowding;
mod fields;
mod flow;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
mod lift;
pub(crate) mod narrow;
mod place;
#[cfg(test)]
mod reference;
mod targets;
mod trails;

pub(crate) use cpu::{NavigateInput, hidden_targets, mark_danger, navigate};
pub(crate) use fields::Fields;
pub(crate) use flow::unpacked;
pub(crate) use place::{Sites, deepest, depth};
pub(crate) use targets::TargetFields;
#[cfg(all(test, feature = "gpu"))]
pub(crate) use trails::FULL as WORN;

use glam::Vec2;

/// A hazard at its place of this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlacedHazard {
    pub(crate) position: Vec2,
    pub(crate) radius: f32,
    pub(crate) strength: f32,
    pub(crate) fear_radius: f32,
}
