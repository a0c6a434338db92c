//! Live edits, in the same words on both backends.

use glam::Vec2;
use throng_crowd::{AgentId, CrowdError, HazardId};
use throng_world::Params;
use throng_world::world::{MovingHazard, Place, Polygon};

use super::Simulation;
use super::deed::{Deed, Outcome};

impl Simulation {
    /// Adds a person of a group (by index), with a target of its own or none. It joins in the next step.
    ///
    /// # Errors
    /// As [`Crowd::spawn`](crate::Crowd::spawn).
    pub fn spawn(
        &mut self,
        group: usize,
        position: Vec2,
        target: Option<Vec2>,
    ) -> Result<AgentId, CrowdError> {
        match self.act(Deed::Spawn { group, position, target })? {
            Outcome::Agent(agent) => Ok(agent),
            // Spawning gives an agent on both backends.
            Outcome::Done | Outcome::Hazard(_) => Err(CrowdError::Missing { what: "new agent" }),
        }
    }

    /// Removes an agent.
    ///
    /// # Errors
    /// On the CPU, when there is none with this number.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), CrowdError> {
        self.act(Deed::Remove(agent)).map(|_| ())
    }

    /// Gives an agent a target of its own.
    ///
    /// # Errors
    /// When the target is no point; on the CPU also when there is no such agent.
    pub fn retarget(&mut self, agent: AgentId, target: Vec2) -> Result<(), CrowdError> {
        self.act(Deed::Retarget(agent, target)).map(|_| ())
    }

    /// Lets an agent do something else.
    ///
    /// # Errors
    /// When there is no such action; on the CPU also when there is no such agent.
    pub fn set_action(&mut self, agent: AgentId, action: usize) -> Result<(), CrowdError> {
        self.act(Deed::SetAction(agent, action)).map(|_| ())
    }

    /// Places a hazard.
    ///
    /// # Errors
    /// As [`Crowd::place_hazard`](crate::Crowd::place_hazard); on the GPU also when there are too many.
    pub fn place_hazard(&mut self, hazard: MovingHazard) -> Result<HazardId, CrowdError> {
        match self.act(Deed::PlaceHazard(hazard))? {
            Outcome::Hazard(hazard) => Ok(hazard),
            // Placing gives a hazard on both backends.
            Outcome::Done | Outcome::Agent(_) => Err(CrowdError::Missing { what: "new hazard" }),
        }
    }

    /// Moves a hazard to a point, where it stands from then on.
    ///
    /// # Errors
    /// As [`Crowd::move_hazard`](crate::Crowd::move_hazard).
    pub fn move_hazard(&mut self, hazard: HazardId, to: Vec2) -> Result<(), CrowdError> {
        self.act(Deed::MoveHazard(hazard, to)).map(|_| ())
    }

    /// Removes a hazard.
    ///
    /// # Errors
    /// When there is no such hazard.
    pub fn remove_hazard(&mut self, hazard: HazardId) -> Result<(), CrowdError> {
        self.act(Deed::RemoveHazard(hazard)).map(|_| ())
    }

    /// Gives a goal other places.
    ///
    /// # Errors
    /// As [`Crowd::set_goal`](crate::Crowd::set_goal).
    pub fn set_goal(&mut self, goal: usize, places: Vec<Place>) -> Result<(), CrowdError> {
        self.act(Deed::SetGoal(goal, places)).map(|_| ())
    }

    /// Puts up a wall.
    ///
    /// # Errors
    /// As [`Crowd::add_wall`](crate::Crowd::add_wall).
    pub fn add_wall(&mut self, wall: Polygon) -> Result<(), CrowdError> {
        self.act(Deed::AddWall(wall)).map(|_| ())
    }

    /// Takes down a wall by its index.
    ///
    /// # Errors
    /// When there is no such wall.
    pub fn remove_wall(&mut self, index: usize) -> Result<(), CrowdError> {
        self.act(Deed::RemoveWall(index)).map(|_| ())
    }

    /// Lets other parameters hold from the next step on.
    ///
    /// # Errors
    /// As [`Crowd::set_params`](crate::Crowd::set_params).
    pub fn set_params(&mut self, params: Params) -> Result<(), CrowdError> {
        self.act(Deed::SetParams(Box::new(params))).map(|_| ())
    }
}
