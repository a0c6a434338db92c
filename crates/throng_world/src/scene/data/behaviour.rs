//! Actions and rules of a scene.

use super::DistributionData;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stop of a group's way: a goal, or a goal and how long to stay there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum VisitData {
    /// A goal to reach.
    Reach(String),
    /// A goal to stay at.
    Stay {
        /// The goal.
        goal: String,
        /// How long, in seconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<DistributionData>,
    },
}

impl VisitData {
    /// The goal's name.
    pub fn goal(&self) -> &str {
        match self {
            Self::Reach(goal) | Self::Stay { goal, .. } => goal,
        }
    }
}

/// One name or several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum NamesData {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl NamesData {
    /// All of them.
    pub fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

/// Something people do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionData {
    /// Its name.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
    /// The clip that shows it. Without it `walk` for those that go somewhere, else `stand`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Where it goes: the name of a goal, `"target"` (each one's own), `"away"` (from what it
    /// fears) or `"nothing"`.
    #[serde(default = "nothing")]
    pub seek: String,
    /// Factor on the walking speed.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub speed: f32,
    /// How long it takes in seconds. Without it until a rule ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<DistributionData>,
    /// What is in hand while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carries: Option<String>,
    /// Tiredness (0 to 1) gained per second; negative: rest.
    #[serde(default)]
    #[schemars(range(min = -10.0, max = 10.0))]
    pub tires: f32,
    /// Factor on how hard the group pushes.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub aggression: f32,
}

fn nothing() -> String {
    "nothing".into()
}

fn unit() -> f32 {
    1.0
}

/// From one action to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleData {
    /// Actions it applies to. Without it all but `to`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<NamesData>,
    /// Groups it applies to. Without it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<NamesData>,
    /// When: everything named must hold.
    #[serde(default)]
    pub when: WhenData,
    /// Probability that it applies when everything else fits: drawn each second while an action
    /// lasts, and once when its time is up.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub chance: f32,
    /// The action that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Whether it goes back to what was done before, instead of `to`.
    #[serde(default)]
    pub resume: bool,
}

/// What must hold for a rule to apply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WhenData {
    /// It is at the goal or target it seeks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrived: Option<bool>,
    /// The action's time is up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<bool>,
    /// The nearest place of the goal sought is at its capacity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<bool>,
    /// The goal or target sought is nearer than this, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 100_000.0))]
    pub distance_below: Option<f32>,
    /// At least so many others are near.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100_000))]
    pub neighbours_at_least: Option<u32>,
    /// At most so many others are near.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100_000))]
    pub neighbours_at_most: Option<u32>,
    /// Fear is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fear_at_least: Option<f32>,
    /// Fear is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fear_at_most: Option<f32>,
    /// Tiredness is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub tired_at_least: Option<f32>,
    /// Tiredness is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub tired_at_most: Option<f32>,
    /// It has been at the action for this long, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub after: Option<f32>,
}
