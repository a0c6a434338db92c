//! Random inputs for the tests: numbers, crowds in every kind of trouble, worlds with walls.

use glam::Vec2;
use throng_field::Grid;
use throng_world::World;
use throng_world::world::{Action, Distribution, FieldWeights, Group, MOST_IN_PARTY, Seek};

use crate::agents::{Agents, DEAD, MOVING, NewAgent, Traits};
use crate::bin::{BinFrame, Binning};
use crate::random::{mix, to_unit};

/// A stream of random numbers (SplitMix64): the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Evenly in 0..1.
    pub(crate) fn unit(&mut self) -> f32 {
        to_unit(self.bits())
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 32) as usize % n
    }

    pub(crate) fn chance(&mut self, p: f32) -> bool {
        self.unit() < p
    }

    /// A unit vector, every fourth along an axis.
    pub(crate) fn direction(&mut self) -> Vec2 {
        if self.chance(0.25) {
            [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y][self.below(4)]
        } else {
            Vec2::from_angle(self.between(0.0, std::f32::consts::TAU))
        }
    }

    pub(crate) fn point(&mut self, min: Vec2, max: Vec2) -> Vec2 {
        Vec2::new(self.between(min.x, max.x), self.between(min.y, max.y))
    }
}

/// Parties that people of random crowds may be in.
pub(crate) const PARTIES: usize = 32;

/// How the people of a random crowd stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Nobody,
    Alone,
    /// Evenly over the world.
    Scattered,
    /// Shoulder to shoulder, some overlapping.
    Dense,
    /// Several exactly on top of each other, in several places.
    Heaps,
    /// All exactly in one spot.
    OneSpot,
    /// On the edges of the world, in its corners and beyond.
    Edges,
    /// Everybody stands; all bodies alike.
    Standing,
    /// Two by two, about touching, with nobody else near; all bodies alike.
    Pairs,
}

impl Layout {
    pub(crate) const ALL: [Self; 9] = [
        Self::Nobody,
        Self::Alone,
        Self::Scattered,
        Self::Dense,
        Self::Heaps,
        Self::OneSpot,
        Self::Edges,
        Self::Standing,
        Self::Pairs,
    ];
}

/// Cells of the test world, each a metre wide, and where it lies.
const CELLS: (usize, usize) = (21, 15);
const ORIGIN: Vec2 = Vec2::new(-7.0, 4.0);

/// A world without people: two groups, one of which pushes harder and keeps smaller gaps, and a single action. With
/// `walls`, its edge is a wall and some pillars stand in it.
pub(crate) fn world(dice: &mut Dice, walls: bool) -> World {
    let mut world = World::open(CELLS, 1.0, ORIGIN).unwrap();
    for (aggression, time_gap, standing_gap) in [(1.0, 1.0, 1.0), (2.5, 0.6, 0.4)] {
        world.groups.push(Group {
            name: "people".into(),
            color: [0; 3],
            radius: Distribution::Uniform(0.1, 0.5),
            speed: Distribution::Fixed(1.3),
            climb: 0.4,
            descend: 0.6,
            premovement: Distribution::Fixed(0.0),
            aggression,
            time_gap,
            standing_gap,
            fear: 1.0,
            weights: FieldWeights::default(),
            starts: 0,
            character: None,
        });
    }
    world.actions.push(Action {
        name: "stand".into(),
        clip: String::new(),
        seek: Seek::Nothing,
        speed: 1.0,
        seconds: None,
        carries: 0,
        tires: 0.0,
        aggression: 1.0,
    });
    if walls {
        let bounds = world.bounds();
        let pillars: Vec<_> =
            (0..4).map(|_| (dice.point(bounds.min, bounds.max), dice.between(0.3, 2.0))).collect();
        let cell = 0.25;
        let (w, h) = (CELLS.0 * 4, CELLS.1 * 4);
        let clearance = (0..w * h).map(|i| {
            let p = bounds.min + (Vec2::new((i % w) as f32, (i / w) as f32) + 0.5) * cell;
            let edge = (p - bounds.min).min(bounds.max - p).min_element();
            pillars.iter().map(|(c, r)| c.distance(p) - r).fold(edge, f32::min).clamp(-8.0, 8.0)
        });
        let clearance = clearance.collect();
        world.clearance =
            Grid::from_vec(w, h, clearance).unwrap().placed(cell, bounds.min).unwrap();
    }
    world
}

/// People in a layout, `most` at most, in the order in which they came. IDs are unique and in
/// no order.
pub(crate) fn people(dice: &mut Dice, world: &World, layout: Layout, most: usize) -> Agents {
    let bounds = world.bounds();
    let count = match layout {
        Layout::Nobody => 0,
        Layout::Alone => 1,
        Layout::Pairs => most.min(2 * (1 + dice.below(12))),
        _ => 2 + dice.below(most - 1),
    };
    let middle = dice.point(bounds.min, bounds.max);
    let heaps: Vec<Vec2> = (0..1 + count / 6).map(|_| dice.point(bounds.min, bounds.max)).collect();
    let corners = [bounds.min, bounds.max];
    let mut agents = Agents::none(crate::crowd::is_extended(world));
    for i in 0..count {
        let position = match layout {
            Layout::Nobody | Layout::Alone | Layout::Scattered => {
                dice.point(bounds.min, bounds.max)
            }
            Layout::Dense | Layout::Standing => {
                let half = 0.25 * (count as f32).sqrt();
                middle + dice.point(Vec2::splat(-half), Vec2::splat(half))
            }
            Layout::Heaps => heaps[dice.below(heaps.len())],
            Layout::OneSpot => middle,
            Layout::Pairs if i % 2 == 1 => {
                agents.position(i - 1) + dice.direction() * dice.between(0.3, 0.8)
            }
            Layout::Pairs => dice.point(bounds.min, bounds.max),
            Layout::Edges => {
                let p = dice.point(bounds.min - 1.0, bounds.max + 1.0);
                match dice.below(4) {
                    0 => Vec2::new(corners[dice.below(2)].x, p.y),
                    1 => Vec2::new(p.x, corners[dice.below(2)].y),
                    2 => Vec2::new(corners[dice.below(2)].x, corners[dice.below(2)].y),
                    _ => p,
                }
            }
        };
        let alike = matches!(layout, Layout::Standing | Layout::Pairs);
        agents.push(NewAgent {
            // Multiplying by an odd number keeps IDs apart.
            id: (i as u32).wrapping_mul(0x9e37_79b1),
            position,
            heading: dice.direction(),
            radius: if alike { 0.25 } else { dice.between(0.1, 0.5) },
            speed: dice.between(0.5, 2.0),
            traits: Traits {
                group: dice.below(2) as u8,
                flags: if dice.chance(0.9) { MOVING } else { 0 },
                ..Traits::default()
            },
            left: 0.0,
            born: 0.0,
            target: position,
            party: crate::agents::NONE,
        });
        if layout != Layout::Standing && dice.chance(0.8) {
            let v = dice.direction() * dice.between(0.0, 1.8);
            (agents.vx[i], agents.vy[i]) = (v.x, v.y);
        }
        agents.frustration[i] = [0.0, 1.0, dice.unit(), dice.unit()][dice.below(4)];
        if agents.extended {
            agents.dose[i] = dice.between(0.0, 1.2);
            // Nobody has the place of another.
            let place = (dice.chance(0.7) && i < PARTIES * MOST_IN_PARTY as usize).then_some(i);
            agents.party[i] = place.map_or(crate::agents::NONE, |place| place as u32);
        }
    }
    agents
}

/// The same, sorted into bins. What lies behind the last agent is no number: who reads it and
/// does not throw it away is found out.
pub(crate) fn crowd(
    dice: &mut Dice,
    world: &World,
    layout: Layout,
    most: usize,
) -> (Agents, Binning) {
    let mut agents = people(dice, world, layout, most);
    let mut binning = Binning::new(BinFrame::over(world.bounds(), 2.0), &world.clearance);
    let mut scratch = vec![0; agents.len()];
    binning.sort(&mut agents, &mut scratch, [&mut Vec::new(), &mut Vec::new()]);
    let len = agents.len();
    for array in [
        &mut agents.x,
        &mut agents.y,
        &mut agents.vx,
        &mut agents.vy,
        &mut agents.radius,
        &mut agents.heading_x,
        &mut agents.heading_y,
    ] {
        if let Some(padding) = array.get_mut(len..) {
            padding.fill(f32::NAN);
        }
    }
    (agents, binning)
}

/// Marks some as dead.
pub(crate) fn kill_some(dice: &mut Dice, agents: &mut Agents, share: f32) {
    for i in 0..agents.len() {
        let dead = dice.chance(share);
        agents.traits[i].set(DEAD, dead);
    }
}
