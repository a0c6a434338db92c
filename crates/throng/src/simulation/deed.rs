//! What a host does to a crowd, as values: done on either backend, and written down to be repeated.

use glam::Vec2;
use throng_crowd::{AgentId, Crowd, CrowdError, HazardId};
use throng_world::Params;
use throng_world::world::{MovingHazard, Place, Polygon};

/// Something done to a crowd.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    Step(f32),
    Spawn { group: usize, position: Vec2, target: Option<Vec2> },
    Remove(AgentId),
    Retarget(AgentId, Vec2),
    SetAction(AgentId, usize),
    PlaceHazard(MovingHazard),
    MoveHazard(HazardId, Vec2),
    RemoveHazard(HazardId),
    SetGoal(usize, Vec<Place>),
    AddWall(Polygon),
    RemoveWall(usize),
    SetParams(Box<Params>),
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Done,
    Agent(AgentId),
    Hazard(HazardId),
}

impl Deed {
    /// Does it to a crowd on the CPU.
    pub(super) fn on_cpu(self, crowd: &mut Crowd) -> Result<Outcome, CrowdError> {
        match self {
            Self::Step(dt) => crowd.step(dt).map(|_| Outcome::Done),
            Self::Spawn { group, position, target } => {
                crowd.spawn(group, position, target).map(Outcome::Agent)
            }
            Self::Remove(agent) => crowd.remove(agent).map(|()| Outcome::Done),
            Self::Retarget(agent, to) => crowd.retarget(agent, to).map(|()| Outcome::Done),
            Self::SetAction(agent, action) => {
                crowd.set_action(agent, action).map(|()| Outcome::Done)
            }
            Self::PlaceHazard(hazard) => crowd.place_hazard(hazard).map(Outcome::Hazard),
            Self::MoveHazard(hazard, to) => crowd.move_hazard(hazard, to).map(|()| Outcome::Done),
            Self::RemoveHazard(hazard) => crowd.remove_hazard(hazard).map(|()| Outcome::Done),
            Self::SetGoal(goal, places) => crowd.set_goal(goal, places).map(|()| Outcome::Done),
            Self::AddWall(wall) => crowd.add_wall(wall).map(|()| Outcome::Done),
            Self::RemoveWall(index) => crowd.remove_wall(index).map(|()| Outcome::Done),
            Self::SetParams(params) => crowd.set_params(*params).map(|()| Outcome::Done),
        }
    }
}
