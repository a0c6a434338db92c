//! What a frame is made of, as its host gives it.

use glam::{Vec2, Vec3};
use throng_crowd::Instance;

use crate::Camera;

/// The agents of a frame.
#[derive(Clone, Copy, Debug)]
pub enum Agents<'a> {
    /// From the CPU: brought up once per frame.
    Slice(&'a [Instance]),
    /// On the GPU, where they stay.
    Buffer {
        /// Storage buffer of [`Instance`]s.
        instances: &'a wgpu::Buffer,
        /// Storage buffer with their number.
        count: &'a wgpu::Buffer,
        /// Which word of it.
        word: u32,
        /// There are never more.
        at_most: u32,
    },
}

/// What hazards look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HazardLook {
    /// A cloud near the ground.
    Gas,
    /// A pale figure that glows.
    Ghost,
    /// A rock that rolls.
    Boulder,
}

/// A hazard where it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hazard {
    /// Where on the ground.
    pub position: Vec2,
    /// How far it reaches (metres).
    pub radius: f32,
    /// Colour as sRGB bytes.
    pub colour: [u8; 3],
    /// What it looks like.
    pub look: HazardLook,
    /// Where it goes (metres per second); for a figure's face, for what it treads down.
    pub heading: Vec2,
}

/// A frame to draw.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Seen from here.
    pub camera: Camera,
    /// Who is there.
    pub agents: Agents<'a>,
    /// What is feared.
    pub hazards: &'a [Hazard],
    /// Seconds, for what moves by itself.
    pub time: f32,
}

impl<'a> Frame<'a> {
    /// A frame without hazards at time 0.
    #[must_use]
    pub fn new(camera: Camera, agents: &'a [Instance]) -> Self {
        Self { camera, agents: Agents::Slice(agents), hazards: &[], time: 0.0 }
    }
}

impl Hazard {
    /// All hazards of a world at a time; see [`Hazard::seen`].
    #[must_use]
    pub fn of_world(world: &throng_world::World, time: f64) -> Vec<Self> {
        world.hazards.iter().filter_map(|hazard| Self::seen(hazard, time)).collect()
    }

    /// A hazard at a time, if it is there then. One that is called a boulder is one; one that moves, or is called so,
    /// is a ghost.
    #[must_use]
    pub fn seen(h: &throng_world::world::MovingHazard, time: f64) -> Option<Self> {
        let position = h.position(time)?;
        let moving = h.path.len() > 1 && h.speed > 0.0;
        let name = h.name.to_lowercase();
        let look = if name.contains("boulder") {
            HazardLook::Boulder
        } else if moving || name.contains("ghost") {
            HazardLook::Ghost
        } else {
            HazardLook::Gas
        };
        let soon = 0.2;
        let ahead = h.position(time + soon).unwrap_or(position);
        Some(Self {
            position,
            radius: h.radius,
            colour: h.color,
            look,
            heading: (ahead - position) / soon as f32,
        })
    }

    /// Radius of a boulder: it is feared from farther off than it reaches (metres).
    pub(crate) fn boulder_radius(&self) -> f32 {
        (0.4 * self.radius).clamp(0.3, 2.5)
    }

    /// Where it floats.
    pub(crate) fn place(&self, ground: f32) -> Vec3 {
        self.position.extend(ground)
    }
}
