//! Goals: kinds of place that people walk to.

use super::Shape;

/// A kind of goal, such as "exit" or "mushrooms", with all places of that kind.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Its name.
    pub name: String,
    /// Colour in maps (red, green, blue).
    pub color: [u8; 3],
    /// Where it is to be had.
    pub places: Vec<Place>,
    /// Whether those who arrive leave the simulation.
    pub exit: bool,
}

/// One place of a goal.
#[derive(Clone, Debug)]
pub struct Place {
    /// Outline on the ground.
    pub shape: Shape,
    /// Width of its fuzzy edge (metres): each person is content with a distance from the shape
    /// drawn once from 0 to this.
    pub fuzz: f32,
    /// How many can be busy there at once; the others queue. `None`: no limit.
    pub capacity: Option<u32>,
}
