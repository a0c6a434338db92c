//! Spawns: where people come from, how many, and when.

use glam::Vec2;

use super::Shape;

/// How many people a spawn makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// So many at the start.
    Count(u32),
    /// So many per square metre of free ground at the start.
    Density(f32),
    /// A stream over time.
    Rate {
        /// People per second.
        per_second: f32,
        /// Start of the stream (seconds).
        from: f32,
        /// End of the stream (seconds).
        until: f32,
        /// At most so many in all.
        at_most: u32,
    },
}

/// Where the people of a spawn stand.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Scattered over free ground of these shapes, without touching each other while there is room.
    Scatter(Vec<Shape>),
    /// At these points, in this order; a count above their number starts again at the first.
    Positions(Vec<Vec2>),
}

/// Private targets of the people of a spawn.
#[derive(Clone, Debug, Default)]
pub enum Targets {
    /// None.
    #[default]
    None,
    /// Each one's own place mirrored at a point.
    Opposite(Vec2),
    /// These points, in the order of the people, starting again at the first.
    At(Vec<Vec2>),
    /// A point drawn from free ground of these shapes.
    Random(Vec<Shape>),
}

/// Most people of a party.
pub const MOST_IN_PARTY: u32 = 16;

/// Who stays together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Party {
    /// Everybody is alone.
    #[default]
    None,
    /// Parties of so many, in the order of the people.
    Of(u32),
    /// All in the party of this number, which other spawns may share.
    Shared(u32),
}

/// A source of people.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// Its name.
    pub name: String,
    /// The group of its people (index).
    pub group: u16,
    /// How many.
    pub amount: Amount,
    /// Where.
    pub layout: Layout,
    /// Their own targets.
    pub targets: Targets,
    /// Who of them stays together.
    pub party: Party,
}
