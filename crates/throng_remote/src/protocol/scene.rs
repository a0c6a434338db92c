//! What a client must know of a place before it can draw it.

use glam::Vec2;
use serde::{Deserialize, Serialize};
use throng::world::World;
use throng::world::world::{Polygon, Shape};

/// A ring of corners.
pub type Lines = Vec<[f32; 2]>;

/// A polygon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Its outer ring.
    pub outer: Lines,
    /// Rings cut out of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Lines>,
}

/// Something with a name and a colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedColor {
    /// Its name.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
}

/// What people do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionNote {
    /// Its name.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// The clip that shows it; empty in a recording.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clip: String,
}

impl From<NamedColor> for ActionNote {
    fn from(NamedColor { name, color }: NamedColor) -> Self {
        Self { name, color, clip: String::new() }
    }
}

/// A goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoalNote {
    /// Its name.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Outlines of its places; a point has one corner, a line two.
    pub places: Vec<Outline>,
}

/// A place, its people's kinds, and what of it can be steered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneNote {
    /// Counts changes of walls and goals.
    pub revision: u64,
    /// Whether it is alive; else it is a recording.
    pub live: bool,
    /// Short name.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Least x and y, greatest x and y (metres): also the ground of the frames' 16 bits.
    pub bounds: [f32; 4],
    /// Length of a step, or of a frame of a recording (seconds).
    pub dt: f64,
    /// Steps of the whole recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<[u64; 2]>,
    /// Whether heights come by a message of their own.
    pub heights: bool,
    /// Where people may walk; empty: wherever there is no wall.
    pub walkable: Vec<Outline>,
    /// Walls.
    pub walls: Vec<Outline>,
    /// Goals.
    pub goals: Vec<GoalNote>,
    /// Kinds of people.
    pub groups: Vec<NamedColor>,
    /// What people do.
    pub actions: Vec<ActionNote>,
}

fn ring(points: &[Vec2]) -> Lines {
    points.iter().map(|p| [p.x, p.y]).collect()
}

impl From<&Polygon> for Outline {
    fn from(polygon: &Polygon) -> Self {
        let holes = polygon.holes.iter().map(|hole| ring(hole)).collect();
        Self { outer: ring(&polygon.outer), holes }
    }
}

impl From<&Shape> for Outline {
    fn from(shape: &Shape) -> Self {
        let outer = match shape {
            Shape::Point(p) => vec![[p.x, p.y]],
            Shape::Line(a, b) => vec![[a.x, a.y], [b.x, b.y]],
            Shape::Disc { centre, radius } => {
                let corner = |i: u16| {
                    let turn = std::f32::consts::TAU * f32::from(i) / 24.0;
                    let p = *centre + Vec2::from_angle(turn) * *radius;
                    [p.x, p.y]
                };
                (0..24).map(corner).collect()
            }
            Shape::Polygon(polygon) => return polygon.into(),
        };
        Self { outer, holes: Vec::new() }
    }
}

/// Colours that differ, for what has none of its own.
const COLORS: [[u8; 3]; 10] = [
    [78, 121, 167],
    [242, 142, 43],
    [89, 161, 79],
    [225, 87, 89],
    [176, 122, 161],
    [237, 201, 72],
    [118, 183, 178],
    [255, 157, 167],
    [156, 117, 95],
    [186, 176, 172],
];

/// Names with colours that differ.
pub(crate) fn colored(names: impl Iterator<Item = String>) -> Vec<NamedColor> {
    let colors = COLORS.iter().copied().cycle();
    names.zip(colors).map(|(name, color)| NamedColor { name, color }).collect()
}

impl SceneNote {
    /// A world as it is now.
    #[must_use]
    pub fn of(world: &World, revision: u64) -> Self {
        let bounds = world.bounds();
        let goal = |goal: &throng::world::world::Goal| GoalNote {
            name: goal.name.clone(),
            color: goal.color,
            places: goal.places.iter().map(|place| (&place.shape).into()).collect(),
        };
        let group = |group: &throng::world::world::Group| NamedColor {
            name: group.name.clone(),
            color: group.color,
        };
        Self {
            revision,
            live: true,
            name: world.name.clone(),
            title: world.title.clone(),
            bounds: [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y],
            dt: f64::from(world.dt),
            steps: None,
            heights: world.heights.is_some(),
            walkable: world.walkable.iter().map(Into::into).collect(),
            walls: world.walls.iter().map(Into::into).collect(),
            goals: world.goals.iter().map(goal).collect(),
            groups: world.groups.iter().map(group).collect(),
            actions: colored(world.actions.iter().map(|action| action.name.clone()))
                .into_iter()
                .zip(&world.actions)
                .map(|(named, action)| ActionNote { clip: action.clip.clone(), ..named.into() })
                .collect(),
        }
    }
}
