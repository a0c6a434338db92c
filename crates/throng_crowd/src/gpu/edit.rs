//! Live edits of a crowd on the GPU: they go up as commands, before the next step.

use glam::Vec2;
use throng_world::world::MovingHazard;

use super::GpuCrowd;
use super::outside::{ACT, REMOVE, RETARGET};
use crate::edit::HazardId;
use crate::error::CrowdError;
use crate::event::AgentId;

impl GpuCrowd {
    /// Adds a person of a group; it joins in the next step. See [`Crowd::spawn`](crate::Crowd::spawn).
    ///
    /// # Errors
    /// As [`Crowd::spawn`](crate::Crowd::spawn).
    pub fn spawn(
        &mut self,
        group: usize,
        position: Vec2,
        target: Option<Vec2>,
    ) -> Result<AgentId, CrowdError> {
        self.leave();
        if self.crowd.agents.len() == self.stages.buffers.most_newcomers as usize {
            self.make_room()?;
            self.welcome()?;
        }
        self.crowd.spawn(group, position, target)
    }

    /// Removes an agent, before the next step. Nothing happens if there is none of this number.
    pub fn remove(&mut self, agent: AgentId) {
        self.commands.push([REMOVE, agent.0, 0, 0]);
    }

    /// Gives an agent a target of its own, before the next step.
    pub fn retarget(&mut self, agent: AgentId, target: Vec2) {
        self.commands.push([RETARGET, agent.0, target.x.to_bits(), target.y.to_bits()]);
    }

    /// Lets an agent do something else from the next step on.
    ///
    /// # Errors
    /// When there is no such action.
    pub fn set_action(&mut self, agent: AgentId, action: usize) -> Result<(), CrowdError> {
        let row = self.crowd.tables.actions.get(action).ok_or_else(|| CrowdError::Unknown {
            what: "action",
            given: action.to_string(),
            count: self.crowd.tables.actions.len(),
        })?;
        let seconds = row.seconds.map_or(f32::INFINITY, |s| 0.5 * (s.min() + s.max()));
        self.commands.push([ACT, agent.0, action as u32, seconds.to_bits()]);
        Ok(())
    }

    /// Places a hazard; see [`Crowd::place_hazard`](crate::Crowd::place_hazard).
    ///
    /// # Errors
    /// When its numbers make no sense, or there are too many.
    pub fn place_hazard(&mut self, hazard: MovingHazard) -> Result<HazardId, CrowdError> {
        let most = self.stages.buffers.packed.most_hazards;
        if self.crowd.hazards.len() >= most {
            return Err(CrowdError::TooMany { what: "hazards", most });
        }
        self.crowd.place_hazard(hazard)
    }

    /// Moves a hazard; see [`Crowd::move_hazard`](crate::Crowd::move_hazard).
    ///
    /// # Errors
    /// When there is no such hazard, or the point is none.
    pub fn move_hazard(&mut self, hazard: HazardId, to: Vec2) -> Result<(), CrowdError> {
        self.crowd.move_hazard(hazard, to)
    }

    /// Removes a hazard; see [`Crowd::remove_hazard`](crate::Crowd::remove_hazard).
    ///
    /// # Errors
    /// When there is no such hazard.
    pub fn remove_hazard(&mut self, hazard: HazardId) -> Result<(), CrowdError> {
        self.crowd.remove_hazard(hazard)
    }
}
