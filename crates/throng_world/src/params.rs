//! Parameters of the stages of a step, with units and defaults, as a scene file may set them.
//!
//! The stages themselves live in `throng_crowd`; their parameters live here because they are part
//! of a scene. A scene gives them as the sections `[navigate]`, `[bin]`, `[avoid]`, `[behave]` and
//! `[move]`.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// Numbers of a section may not be negative, unless a field's own range says otherwise.
fn not_negative(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(|p| p.as_object_mut());
    for field in properties.into_iter().flat_map(|p| p.values_mut()) {
        let Some(field) = field.as_object_mut() else { continue };
        let number = field.get("type").is_some_and(|t| t == "number" || t == "integer");
        if number && !field.contains_key("minimum") && !field.contains_key("exclusiveMinimum") {
            field.insert("minimum".into(), 0.into());
        }
    }
}

/// Parameters of all stages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params {
    /// Fields and the directions read from them.
    pub navigate: NavigateParams,
    /// Neighbour search.
    pub bin: BinParams,
    /// Local avoidance.
    pub avoid: AvoidParams,
    /// Actions and rules.
    pub behave: BehaveParams,
    /// Integration, contacts and walls.
    pub movement: MoveParams,
}

/// Which rule people avoid each other by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// The default model: both sides, continuous directions, speed from headway, contacts.
    #[default]
    Throng,
    /// The 2008 chapter's model as written: five right-hand directions.
    Froblins,
}

/// Parameters of the navigate stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = not_negative)]
pub struct NavigateParams {
    /// Every field is refreshed once in this time (seconds); fields take turns.
    pub refresh_seconds: f32,
    /// Fields kept for private targets that are out of sight; more where the ground is small. 0: none.
    pub target_fields: u32,
    /// A navigation cell is open to the fields when its centre is farther from walls than this
    /// (metres).
    pub wall_margin: f32,
    /// What the ground right at a wall beside a door costs more, as a share: people queue before a door, not along the
    /// wall on either side of it.
    pub door_side: f32,
    /// It costs the less the farther from the wall, and no more than elsewhere from here on (metres).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub door_side_reach: f32,
    /// How far from the door it does (metres).
    #[schemars(range(min = 0.0, max = 3.0))]
    pub door_side_span: f32,
}

impl Default for NavigateParams {
    fn default() -> Self {
        Self {
            refresh_seconds: 0.5,
            target_fields: 16,
            wall_margin: 0.15,
            door_side: 6.0,
            door_side_reach: 0.7,
            door_side_span: 2.0,
        }
    }
}

/// Parameters of the bin stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = not_negative)]
pub struct BinParams {
    /// Side of a bin (metres).
    pub size: f32,
}

impl Default for BinParams {
    fn default() -> Self {
        Self { size: 2.0 }
    }
}

/// Parameters of the avoid stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = not_negative)]
pub struct AvoidParams {
    /// The model.
    pub model: Model,
    /// Farthest that people look ahead (metres).
    pub reach: f32,
    /// Nearest range that everybody looks at, ahead and to the sides, however dense the crowd
    /// (metres).
    pub least_reach: f32,
    /// Between the two, the range is chosen by local density so that about so many neighbours are
    /// looked at.
    pub neighbours: f32,
    /// Time between two decisions of one person (seconds), in whole steps; people take turns.
    pub reaction: f32,
    /// The same in a dense crowd (seconds), where there is less room for error.
    pub dense_reaction: f32,
    /// Density from which on a crowd is dense (people per square metre, over three by three bins).
    pub dense: f32,
    /// How far ahead in time collisions matter (seconds).
    pub horizon: f32,
    /// Time gap kept to whoever walks ahead (seconds).
    pub time_gap: f32,
    /// Time gap kept to a wall that one walks into (seconds).
    pub wall_gap: f32,
    /// Who walks off faster than oneself counts as so much farther on (seconds).
    pub anticipation: f32,
    /// Distance kept to whoever stands ahead (metres); half of it at the end of patience.
    pub standing_gap: f32,
    /// Speed at which somebody who pushes twice as hard as usual goes on without a gap ahead (metres
    /// per second).
    pub creep: f32,
    /// Highest speed of going on without a gap ahead (metres per second).
    pub most_creep: f32,
    /// Share of that speed that those give up who touch somebody right before them near a wall: who is first at a door
    /// pushes on.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub hold_back: f32,
    /// Factor on that speed for those who touch somebody who faces another way: they have to get past.
    pub squeeze: f32,
    /// Share of the two radii within which somebody ahead is in the way.
    pub lane: f32,
    /// Largest turn away from the preferred direction (radians).
    pub spread: f32,
    /// The same for somebody who has got nowhere for a while (radians).
    pub wide_spread: f32,
    /// How much better another direction must be than the present one.
    pub hysteresis: f32,
    /// Bonus of passing on the right over passing on the left; only breaks ties.
    pub side: f32,
    /// Tangent of the largest turn towards the side where others go along.
    pub keep_side: f32,
    /// Who heads against one's own direction by more than this (cosine) comes towards one; others cross, or
    /// close in on the same door.
    #[schemars(range(min = 0.0, max = 0.9))]
    pub oncoming: f32,
    /// Tangent of the turn to the right where all come towards one.
    pub keep_right: f32,
    /// Half the width of the band in which others decide on a side (metres).
    pub side_band: f32,
    /// How much somebody to follow counts for it, against somebody who comes towards one.
    pub follow: f32,
    /// Tangent of the turn to the right, at the end of patience, for those who get nowhere against
    /// others.
    pub give_way: f32,
    /// Time in which the direction of walking follows the one chosen (seconds).
    pub turn_time: f32,
    /// Time in which speed is gained; it is lost at once (seconds).
    pub speed_up_time: f32,
    /// Without progress for so long, patience is at its end (seconds).
    pub patience: f32,
    /// Time in which impatience passes once there is progress (seconds).
    pub calm: f32,
    /// Share of the time gap that those give up who have had to wait and get on again.
    #[schemars(range(min = 0.0, max = 0.9))]
    pub urge: f32,
    /// Share of their pace from which on they begin to.
    pub urge_from: f32,
    /// Share of their pace from which on they do so wholly.
    pub urge_full: f32,
    /// How much better than straight on another direction must be for those who have had to wait.
    pub queue: f32,
    /// Share of the time gap and of the lane that those give up who flee.
    #[schemars(range(min = 0.0, max = 0.9))]
    pub haste: f32,
    /// Model `froblins`: weight of the time to collision in the fitness (per second).
    pub froblins_weight: f32,
    /// Model `froblins`: angle between two of its five directions (radians).
    pub froblins_angle: f32,
}

impl Default for AvoidParams {
    fn default() -> Self {
        Self {
            model: Model::Throng,
            reach: 4.0,
            least_reach: 1.2,
            neighbours: 10.0,
            reaction: 0.2,
            dense_reaction: 0.15,
            dense: 0.4,
            horizon: 3.0,
            time_gap: 0.95,
            wall_gap: 0.1,
            anticipation: 1.0,
            standing_gap: 0.28,
            creep: 0.054,
            most_creep: 0.6,
            hold_back: 0.6,
            squeeze: 1.7,
            lane: 0.86,
            spread: 1.3,
            wide_spread: 2.0,
            hysteresis: 0.25,
            side: 0.01,
            keep_side: 1.1,
            oncoming: 0.6,
            keep_right: 0.35,
            side_band: 2.0,
            follow: 0.7,
            give_way: 1.0,
            turn_time: 0.45,
            speed_up_time: 0.16,
            patience: 6.0,
            calm: 4.4,
            urge: 0.23,
            urge_from: 0.15,
            urge_full: 0.6,
            queue: 1.0,
            haste: 0.35,
            froblins_weight: 0.3,
            froblins_angle: 0.4,
        }
    }
}

/// Parameters of the behave stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = not_negative)]
pub struct BehaveParams {
    /// Radius within which neighbours are counted for rules (metres). At most the side of a bin.
    pub crowd_radius: f32,
    /// How far people see whom others follow, where that counts for a choice (metres).
    pub influence_radius: f32,
    /// Slower than `stuck_speed` with a free way for this long counts as stuck (seconds).
    pub stuck_seconds: f32,
    /// See `stuck_seconds` (metres per second).
    pub stuck_speed: f32,
    /// Fear (0 at the fear radius, 1 at the hazard) at which people begin to turn away.
    pub flee_from: f32,
    /// Fear at which they do nothing but flee.
    pub flee_full: f32,
    /// Factor on their speed while they flee.
    pub flee_speed: f32,
    /// Share of their speed lost in smoke, per unit of its extinction coefficient (metres).
    pub smoke_slows: f32,
    /// What is left of it in the thickest smoke.
    pub smoke_least: f32,
    /// Share of their speed lost when wholly tired.
    pub tired_slows: f32,
}

impl Default for BehaveParams {
    fn default() -> Self {
        Self {
            crowd_radius: 1.5,
            influence_radius: 10.0,
            stuck_seconds: 30.0,
            stuck_speed: 0.05,
            flee_from: 0.03,
            flee_full: 0.15,
            flee_speed: 1.5,
            smoke_slows: 0.5,
            smoke_least: 0.24,
            tired_slows: 0.3,
        }
    }
}

/// Parameters of the move stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = not_negative)]
pub struct MoveParams {
    /// Largest change of velocity at once, by a decision or by being pushed (metres per second). Not by the second:
    /// people decide from time to time, and what they decide must not depend on how long a step is.
    pub jolt: f32,
    /// Largest turn of the body (radians per second).
    pub turn_rate: f32,
    /// Share of an overlap that is undone in one pass.
    pub stiffness: f32,
    /// Distance between bodies that contact tries to keep, softly (metres).
    pub comfort: f32,
    /// Time in which bodies that overlap come apart (seconds).
    pub settle: f32,
    /// Passes over all contacts in a step.
    pub contact_passes: u32,
}

impl Default for MoveParams {
    fn default() -> Self {
        Self {
            jolt: 0.5,
            turn_rate: 6.0,
            stiffness: 1.55,
            comfort: 0.034,
            settle: 0.05,
            contact_passes: 4,
        }
    }
}
