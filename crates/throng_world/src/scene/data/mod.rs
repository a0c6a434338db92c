//! A scene file as data: what its keys are, their units, ranges and defaults.
//!
//! These types are the format. The JSON Schema is made from them, and the checker that finds every
//! problem of a file works by that schema.

mod behaviour;
mod grass;
mod ground;
mod people;
mod place;

pub use behaviour::{ActionData, NamesData, RuleData, VisitData, WhenData};
pub use grass::GrassData;
pub use ground::{FrameData, GroundData};
pub use people::{
    CharacterData, ChoiceData, DistributionData, GroupData, PartyData, SpawnData, TargetData,
    WeightsData, pedestrian_radius, pedestrian_speed,
};
pub(crate) use people::{climb, descend};
pub use place::{
    DoorData, GoalData, HazardData, LiftData, PlaceData, RepeatData, ScatterData, SelectData,
    ShapeData, StairsData, WallData, ZoneData,
};

use crate::params::{AvoidParams, BehaveParams, BinParams, MoveParams, NavigateParams};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the format that this library reads.
pub const VERSION: u32 = 1;

/// Everything a scene file says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Throng scene")]
pub struct SceneData {
    /// Version of the format: 1.
    #[schemars(range(min = 1, max = 1))]
    pub version: u32,
    /// One line for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Seed of every random choice.
    #[serde(default = "one")]
    #[schemars(range(max = 9_007_199_254_740_991_i64))]
    pub seed: u64,
    /// Length of a step in seconds.
    #[serde(default = "default_dt")]
    #[schemars(range(min = 0.001, max = 0.5))]
    pub dt: f32,
    /// How long the scene is meant to run, in seconds.
    #[serde(default = "default_seconds")]
    #[schemars(range(min = 0.1, max = 1_000_000.0))]
    pub seconds: f32,
    /// Whether `--agents` also scales the place, so that the density of people stays what it is.
    #[serde(default)]
    pub grow: bool,
    /// The ground: how large it is and what it is made of.
    pub ground: GroundData,
    /// How coordinates of files are placed, and how finely walls are resolved.
    #[serde(default)]
    pub frame: FrameData,
    /// The grass, where there is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grass: Option<GrassData>,
    /// Where people may walk at all. None: everywhere on the ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub area: Vec<WallData>,
    /// Walls and other solid things.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wall: Vec<WallData>,
    /// Stairs, mud and other places where walking is slower or dearer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zone: Vec<ZoneData>,
    /// Doors that let only so many through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub door: Vec<DoorData>,
    /// Lifts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub lift: Vec<LiftData>,
    /// Kinds of goal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal: Vec<GoalData>,
    /// How people are drawn, unless their group says otherwise: `"froblin"`, `"stand-in"`, a .glb file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<CharacterData>,
    /// Kinds of people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: Vec<GroupData>,
    /// Where people come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spawn: Vec<SpawnData>,
    /// What people fear or walk around.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hazard: Vec<HazardData>,
    /// What people do, where the short form (`goal` or `visit` of a group) does not suffice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action: Vec<ActionData>,
    /// When they do something else. The first rule that fits wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rule: Vec<RuleData>,
    /// Parameters of the navigate stage.
    #[serde(default)]
    pub navigate: NavigateParams,
    /// Parameters of the bin stage.
    #[serde(default)]
    pub bin: BinParams,
    /// Parameters of the avoid stage.
    #[serde(default)]
    pub avoid: AvoidParams,
    /// Parameters of the behave stage.
    #[serde(default)]
    pub behave: BehaveParams,
    /// Parameters of the move stage.
    #[serde(default, rename = "move")]
    pub movement: MoveParams,
}

fn one() -> u64 {
    1
}

fn default_dt() -> f32 {
    0.05
}

fn default_seconds() -> f32 {
    60.0
}
