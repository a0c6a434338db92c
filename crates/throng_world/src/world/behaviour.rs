//! Behaviour as data: actions, and rules that lead from one to the next.

use super::Distribution;

/// Where an action takes its walker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// Nowhere: it stands.
    Nothing,
    /// To the nearest place of a goal (index into the goals of the world).
    Goal(u16),
    /// To the person's own target point.
    Target,
    /// Away from what it fears.
    Away,
}

/// Something people do.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// The clip that shows it.
    pub clip: String,
    /// Where it goes.
    pub seek: Seek,
    /// Factor on the walking speed.
    pub speed: f32,
    /// How long it takes; `None`: until a rule ends it.
    pub seconds: Option<Distribution>,
    /// What is in hand while it goes on: 0 nothing, else 1 + index into the items of the world.
    pub carries: u8,
    /// Tiredness gained per second (negative: rest). Tiredness is kept within 0 and 1.
    pub tires: f32,
    /// How hard someone busy with it pushes in contact: factor on the group's aggression.
    pub aggression: f32,
}

/// What must hold for a rule to apply. Everything left open always holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Condition {
    /// Within its own achievement distance of the goal or target sought.
    pub arrived: Option<bool>,
    /// The action's time is up.
    pub finished: Option<bool>,
    /// The nearest place of the goal sought is at its capacity.
    pub full: Option<bool>,
    /// Distance to the goal or target sought is below this (metres).
    pub distance_below: Option<f32>,
    /// At least as many others within [`crate::params::BehaveParams::crowd_radius`].
    pub neighbours_at_least: Option<u32>,
    /// At most as many others there.
    pub neighbours_at_most: Option<u32>,
    /// Fear (0 to 1) is at least this.
    pub fear_at_least: Option<f32>,
    /// Fear is at most this.
    pub fear_at_most: Option<f32>,
    /// Tiredness (0 to 1) is at least this.
    pub tired_at_least: Option<f32>,
    /// Tiredness is at most this.
    pub tired_at_most: Option<f32>,
    /// Has been at the present action for at least this long (seconds).
    pub after: Option<f32>,
}

/// From one action to the next.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Actions it applies to (indices); empty: all but `to` itself.
    pub from: Vec<u16>,
    /// Groups it applies to (indices); empty: all.
    pub groups: Vec<u16>,
    /// When.
    pub when: Condition,
    /// Probability that it applies when everything else fits: drawn anew each second of simulated
    /// time while an action lasts, and once when an action's time is up.
    pub chance: f32,
    /// How much others count: somebody in sight who is at `to` adds this many times `share` to it. Where it
    /// is above 0, `chance` follows from the shares of this rule and of those after it.
    pub influence: f32,
    /// The share of this choice, in proportion to the others.
    pub share: f32,
    /// The action that follows.
    pub to: u16,
    /// Where it goes back to what was done before `from` (fear passed), instead of `to`.
    pub resume: bool,
}
