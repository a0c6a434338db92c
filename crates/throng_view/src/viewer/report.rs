//! What is told of a viewer, for scripts and tests.

use glam::{Vec2, Vec3};
use serde::Serialize;
use throng::AgentId;

use super::Viewer;
use crate::pick::pixel_of;
use crate::{RigMode, ViewError};

/// A viewer as numbers.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    step: u64,
    time: f64,
    playing: bool,
    speed: f32,
    people: usize,
    hash: String,
    hazards: Vec<HazardReport>,
    walls: usize,
    selected: Option<u32>,
    goal: Option<String>,
    way_metres: Option<f32>,
    tool: &'static str,
    layer: &'static str,
    camera: &'static str,
    eye: [f32; 3],
    size: [u32; 2],
    commands: usize,
    recorded: Option<u32>,
    frames: u64,
    pictures: u64,
    device_losses: u32,
    backend: &'static str,
    notices: Vec<String>,
    spots: Vec<String>,
    /// Where the pointer is (pixels).
    pointer: Option<[f32; 2]>,
    /// A pixel that shows somebody.
    somebody: Option<[f32; 2]>,
}

#[derive(Debug, Serialize)]
struct HazardReport {
    number: u64,
    name: String,
    at: [f32; 2],
}

impl Viewer {
    /// All there is to tell.
    pub(crate) fn report(&mut self) -> Result<Report, ViewError> {
        let hazards = self.session.hazards()?;
        let hash = format!("{:016x}", self.session.crowd()?.hash());
        let walls = self.session.world()?.walls.len();
        let somebody = self.pixel_of_agent(None)?.map(|p| p.to_array());
        let told = self.model.selected.as_ref();
        Ok(Report {
            step: self.session.steps(),
            time: self.session.time(),
            playing: self.session.playing(),
            speed: self.session.speed(),
            people: self.session.crowd()?.len(),
            hash,
            hazards: hazards
                .into_iter()
                .map(|(id, name, h)| HazardReport {
                    number: id.number(),
                    name,
                    at: h.position.to_array(),
                })
                .collect(),
            walls,
            selected: self.state.selected.map(|agent| agent.0),
            goal: told.map(|told| told.goal.clone()),
            way_metres: told.map(|told| told.way_length()),
            tool: self.state.tool.name(),
            layer: self.state.layer.name(),
            camera: match self.state.rig.mode() {
                RigMode::Orbit => "orbit",
                RigMode::Fly => "fly",
                RigMode::Follow => "follow",
            },
            eye: self.state.rig.camera().eye.to_array(),
            size: self.size,
            commands: self.session.log().commands(),
            recorded: self.reel.as_ref().map(crate::reel::Reel::frames),
            frames: self.frames,
            pictures: self.pictures,
            device_losses: self.losses,
            backend: self.session.simulation().backend().name(),
            notices: self.session.notices().map(str::to_owned).collect(),
            spots: self.spots.names().map(str::to_owned).collect(),
            pointer: self.pointer.map(|p| p.to_array()),
            somebody,
        })
    }

    /// The middle of something of the panel, in pixels.
    pub(crate) fn spot(&self, name: &str) -> Option<Vec2> {
        let middle = self.spots.get(name)?.center();
        Some(Vec2::new(middle.x, middle.y) * self.scale)
    }

    /// The pixel that shows a place on the ground.
    pub(crate) fn pixel_of_ground(&mut self, at: Vec2) -> Result<Option<Vec2>, ViewError> {
        let height = self.session.world()?.ground_height(at);
        Ok(pixel_of(&self.state.rig.camera(), at.extend(height), self.size))
    }

    /// The pixel that shows somebody; of the first who is in the free part of the picture, if nobody is named.
    pub(crate) fn pixel_of_agent(&mut self, agent: Option<u32>) -> Result<Option<Vec2>, ViewError> {
        let (camera, size) = (self.state.rig.camera(), self.size);
        if let Some(agent) = agent {
            let found = self.session.place_of(AgentId(agent))?;
            let chest = found.map(|a| Vec3::from_array(a.position) + Vec3::Z);
            return Ok(chest.and_then(|chest| pixel_of(&camera, chest, size)));
        }
        let (width, height) = (size[0] as f32, size[1] as f32);
        let free = |p: &Vec2| {
            p.x > 0.45 * width && p.x < 0.75 * width && p.y > 0.3 * height && p.y < 0.8 * height
        };
        let agents = self.session.instances()?.iter();
        let chests = agents.map(|a| Vec3::from_array(a.position) + Vec3::Z);
        Ok(chests.filter_map(|chest| pixel_of(&camera, chest, size)).find(free))
    }
}
