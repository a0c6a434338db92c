//! Groups and spawns of a scene.

use super::{ShapeData, VisitData};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A quality that differs between people: `1.3` for all, `[1.0, 1.6]` evenly between,
/// `{ mean = 1.34, deviation = 0.26, min = 0.5, max = 2.2 }` normal,
/// `{ mu = 0.3, sigma = 0.2, min = 0.5, max = 2.2 }` log-normal, `{ gamma = 1.3, scale = 100 }` or
/// `{ weibull = 1.2, scale = 140 }` by their shape and scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum DistributionData {
    /// The same for all.
    Fixed(f32),
    /// Evenly between two bounds.
    Uniform([f32; 2]),
    /// Normal, cut to the bounds.
    Normal {
        /// Mean.
        mean: f32,
        /// Standard deviation.
        #[schemars(range(min = 0.0))]
        deviation: f32,
        /// Smallest value. Without it three deviations below the mean, at most down to 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f32>,
        /// Largest value. Without it three deviations above the mean.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f32>,
    },
    /// Log-normal, cut to the bounds.
    LogNormal {
        /// Mean of the logarithm.
        mu: f32,
        /// Deviation of the logarithm.
        #[schemars(range(min = 0.0, max = 10.0))]
        sigma: f32,
        /// Smallest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f32>,
        /// Largest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f32>,
    },
    /// Gamma, cut to the bounds.
    Gamma {
        /// Its shape.
        #[schemars(range(min = 0.1, max = 1000.0))]
        gamma: f32,
        /// Its scale.
        #[schemars(range(min = 0.000_001, max = 1_000_000.0))]
        scale: f32,
        /// Smallest value. Without it 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f32>,
        /// Largest value. Without it one that is exceeded once in a million.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f32>,
    },
    /// Weibull, cut to the bounds.
    Weibull {
        /// Its shape.
        #[schemars(range(min = 0.1, max = 1000.0))]
        weibull: f32,
        /// Its scale.
        #[schemars(range(min = 0.000_001, max = 1_000_000.0))]
        scale: f32,
        /// Smallest value. Without it 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f32>,
        /// Largest value. Without it one that is exceeded once in a million.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f32>,
    },
}

/// The walking speed of pedestrians: normal(1.34, 0.26), cut to 0.5 to 2.2 m/s.
pub fn pedestrian_speed() -> DistributionData {
    DistributionData::Normal { mean: 1.34, deviation: 0.26, min: Some(0.5), max: Some(2.2) }
}

/// The body radius of pedestrians: about 0.16 m, a disc of the ground that a body covers (0.085 m², Weidmann 1993), and
/// not the same for all: in rows of equal discs a passage lets through no more until there is room for one row more.
pub fn pedestrian_radius() -> DistributionData {
    DistributionData::Normal { mean: 0.164, deviation: 0.015, min: Some(0.135), max: Some(0.17) }
}

fn none() -> DistributionData {
    DistributionData::Fixed(0.0)
}

fn unit() -> f32 {
    1.0
}

/// How fast people climb stairs, as a share of their walking speed.
pub(crate) fn climb() -> f32 {
    0.455
}

/// How fast people descend stairs, as a share of their walking speed.
pub(crate) fn descend() -> f32 {
    0.515
}

/// A kind of people. What they do: `goal`, `visit`, `choose` or `starts`, exactly one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupData {
    /// Its name.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
    /// Colour in maps, such as `"#3070c0"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Body radius in metres.
    #[serde(default = "pedestrian_radius")]
    pub radius: DistributionData,
    /// Free walking speed in metres per second.
    #[serde(default = "pedestrian_speed")]
    pub speed: DistributionData,
    /// Factor on the walking speed up stairs (Weidmann 1993: 0.61 of 1.34 m/s).
    #[serde(default = "climb")]
    #[schemars(range(min = 0.01, max = 3.0))]
    pub climb: f32,
    /// Factor on the walking speed down stairs (Weidmann 1993: 0.69 of 1.34 m/s).
    #[serde(default = "descend")]
    #[schemars(range(min = 0.01, max = 3.0))]
    pub descend: f32,
    /// How long a person stands before it does anything, in seconds.
    #[serde(default = "none")]
    pub premovement: DistributionData,
    /// How hard it pushes in contact: 0 gives way to all, 1 is usual.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub aggression: f32,
    /// Factor on the time gap that it keeps to whoever walks ahead: who is in a hurry follows more closely.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.1, max = 10.0))]
    pub time_gap: f32,
    /// Factor on the distance that it keeps to whoever stands ahead.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub standing_gap: f32,
    /// How strongly hazards frighten it: factor on their fear.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub fear: f32,
    /// Weights of its ways.
    #[serde(default)]
    pub weights: WeightsData,
    /// The goal it walks to, or `"target"` for each one's own target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Goals it visits one after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub visit: Option<Vec<VisitData>>,
    /// Goals of which each person walks to one, by their shares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100))]
    pub choose: Vec<ChoiceData>,
    /// How much others count in that: somebody in sight who walks to a goal of `choose` adds this many times
    /// the goal's own share to it.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub influence: f32,
    /// Whether it starts the visits again after the last.
    #[serde(default)]
    pub again: bool,
    /// What it does first, where `[[action]]` and `[[rule]]` say what follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<String>,
    /// How it is drawn. Without it as the scene says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub character: Option<CharacterData>,
}

/// One of several goals that a person may choose: exits it knows, for instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceData {
    /// The goal.
    pub goal: String,
    /// How many choose it, in proportion to the shares of the others.
    #[serde(default = "unit")]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub share: f32,
}

/// A body: `"froblin"`, `"ghost"`, `"stand-in"` or the path of a .glb or .gltf file; or one with particulars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum CharacterData {
    /// Whose body.
    Body(String),
    /// Whose body, and how it is used.
    Cast {
        /// Whose body.
        body: String,
        /// Height of a usual one, in metres.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.05, max = 20.0))]
        height: Option<f32>,
        /// Which of its clips shows a clip of the scene's actions, such as `{ walk = "Walking_A" }`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        clips: BTreeMap<String, String>,
    },
}

/// Weights of the cost of a way: F = terrain·T + density·D + hazard·A.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WeightsData {
    /// Weight of the static cost.
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub terrain: f32,
    /// Weight of the density of people (cost per person and square metre).
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub density: f32,
    /// Weight of hazards.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub hazard: f32,
}

impl Default for WeightsData {
    fn default() -> Self {
        let weights = crate::world::FieldWeights::default();
        Self { terrain: weights.terrain, density: weights.density, hazard: weights.hazard }
    }
}

/// Where people come from. How many: `count`, `density` or `rate`. Where: a shape, `places`,
/// `positions`, `ring` or `anywhere`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct SpawnData {
    /// Its name. Without it the group's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The group of its people.
    pub group: String,
    /// So many at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000_000))]
    pub count: Option<u32>,
    /// So many per square metre of free ground at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.000_001, max = 20.0))]
    pub density: Option<f32>,
    /// So many per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.000_001, max = 100_000.0))]
    pub rate: Option<f32>,
    /// When a stream starts, in seconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub from: f32,
    /// When a stream ends, in seconds. Without it: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub until: Option<f32>,
    /// At most so many of a stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000_000))]
    pub at_most: Option<u32>,
    /// Where, as one shape.
    #[serde(flatten)]
    pub shape: ShapeData,
    /// Where, as several shapes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<ShapeData>,
    /// Exact points, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<[f64; 2]>,
    /// Evenly on a circle: x, y and radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ring: Option<[f64; 3]>,
    /// Anywhere on free ground.
    #[serde(default)]
    pub anywhere: bool,
    /// Each one's own target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetData>,
    /// Who stays together: a number lets them come in parties of that size, a name makes one party of all
    /// people of spawns with it. A party walks as fast as its slowest, and waits for those behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<PartyData>,
}

/// Who stays together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum PartyData {
    /// Parties of so many.
    Size(#[schemars(range(min = 1, max = 16))] u32),
    /// All of a name.
    Named(String),
}

/// Private targets: exactly one of the keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TargetData {
    /// Each one's own place mirrored at this point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opposite: Option<[f64; 2]>,
    /// These points, in the order of the people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<[f64; 2]>,
    /// A point of free ground in this shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random: Option<ShapeData>,
}
