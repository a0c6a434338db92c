//! Live edits: changing the crowd and its world between two steps.

use glam::Vec2;
use throng_world::world::{MovingHazard, Place, Polygon, Shape};

use crate::agents::{ARRIVED, DEAD, HIDDEN, NONE, TARGETED, WAITING};
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::event::{AgentId, EventKind};
use crate::navigate::Sites;

/// Names a hazard, to move or remove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HazardId(pub(crate) u64);

impl HazardId {
    /// The hazard of a number, as [`HazardId::number`] gave it.
    #[must_use]
    pub fn numbered(number: u64) -> Self {
        Self(number)
    }

    /// Its number: those of the scene come first, from 0, and none is given twice.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }
}

impl Crowd {
    /// Where an agent is in the slices; they are searched, so keep it for rare uses.
    pub fn index_of(&self, agent: AgentId) -> Option<usize> {
        let alive = |i: &usize| !self.agents.traits[*i].has(DEAD);
        self.ids().iter().position(|&id| id == agent.0).filter(alive)
    }

    fn find(&self, agent: AgentId) -> Result<usize, CrowdError> {
        self.index_of(agent).ok_or_else(|| CrowdError::Unknown {
            what: "agent",
            given: agent.0.to_string(),
            count: self.len(),
        })
    }

    /// Adds a person of a group (by index), with a target of its own or none. It joins in the next
    /// step.
    ///
    /// # Errors
    /// When there is no such group, or the place is in a wall or off the world.
    pub fn spawn(
        &mut self,
        group: usize,
        position: Vec2,
        target: Option<Vec2>,
    ) -> Result<AgentId, CrowdError> {
        if group >= self.world.groups.len() {
            return Err(CrowdError::Unknown {
                what: "group",
                given: group.to_string(),
                count: self.world.groups.len(),
            });
        }
        self.check_open("the place of a new agent", position)?;
        if let Some(target) = target {
            check_point("the target of a new agent", target)?;
        }
        self.unsorted = true;
        self.add_agent(group as u8, position, target, NONE)
    }

    /// Removes an agent.
    ///
    /// # Errors
    /// When there is none with this number.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        let site = std::mem::replace(&mut self.agents.site[i], NONE);
        if site != NONE {
            self.busy[site as usize] = self.busy[site as usize].saturating_sub(1);
        }
        self.agents.traits[i].set(DEAD, true);
        self.totals.removed += 1;
        self.tell(i as u32, EventKind::Removed);
        let pool = self.pool.clone();
        pool.install(|| self.sort());
        Ok(())
    }

    /// Gives an agent a target of its own, for actions that seek one.
    ///
    /// # Errors
    /// When there is no such agent, or the target is no point.
    pub fn retarget(&mut self, agent: AgentId, target: Vec2) -> Result<(), CrowdError> {
        check_point("a target", target)?;
        let i = self.find(agent)?;
        (self.agents.target_x[i], self.agents.target_y[i]) = (target.x, target.y);
        self.agents.traits[i].set(TARGETED, true);
        self.agents.traits[i].set(ARRIVED, false);
        self.agents.traits[i].set(HIDDEN, false);
        Ok(())
    }

    /// Lets an agent do something else at once.
    ///
    /// # Errors
    /// When there is no such agent or action.
    pub fn set_action(&mut self, agent: AgentId, action: usize) -> Result<(), CrowdError> {
        if action >= self.world.actions.len() {
            return Err(CrowdError::Unknown {
                what: "action",
                given: action.to_string(),
                count: self.world.actions.len(),
            });
        }
        let i = self.find(agent)?;
        let site = std::mem::replace(&mut self.agents.site[i], NONE);
        if site != NONE {
            self.busy[site as usize] = self.busy[site as usize].saturating_sub(1);
        }
        let from = std::mem::replace(&mut self.agents.traits[i].action, action as u8);
        // At once: also for somebody who has not begun to move yet.
        self.agents.traits[i].set(WAITING, false);
        self.agents.clip[i] = 0.0;
        let seconds = &self.tables.actions[action].seconds;
        self.agents.left[i] = seconds.map_or(f32::INFINITY, |s| 0.5 * (s.min() + s.max()));
        self.tell(i as u32, EventKind::ActionChanged { from, to: action as u8 });
        Ok(())
    }

    /// Places a hazard; it works from the next step on.
    ///
    /// # Errors
    /// When its numbers make no sense.
    pub fn place_hazard(&mut self, hazard: MovingHazard) -> Result<HazardId, CrowdError> {
        for p in &hazard.path {
            check_point("the place of a hazard", *p)?;
        }
        if hazard.path.is_empty() {
            return Err(CrowdError::Missing { what: "place for the hazard" });
        }
        let numbers = [
            ("the radius of a hazard", hazard.radius),
            ("the strength of a hazard", hazard.strength),
            ("the fear radius of a hazard", hazard.fear_radius),
            ("the speed of a hazard", hazard.speed),
        ];
        for (what, value) in numbers {
            if !(0.0..1e6).contains(&value) {
                let value = f64::from(value);
                return Err(CrowdError::BadNumber { what, value, must: "from 0 to a million" });
            }
        }
        self.tables.allow_fleeing();
        let id = self.next_hazard;
        self.next_hazard += 1;
        self.hazards.push((id, hazard));
        Ok(HazardId(id))
    }

    /// Moves a hazard to a point, where it stands from then on.
    ///
    /// # Errors
    /// When there is no such hazard, or the point is none.
    pub fn move_hazard(&mut self, hazard: HazardId, to: Vec2) -> Result<(), CrowdError> {
        check_point("the place of a hazard", to)?;
        let i = self.find_hazard(hazard)?;
        self.hazards[i].1.path = vec![to];
        Ok(())
    }

    /// Removes a hazard.
    ///
    /// # Errors
    /// When there is no such hazard.
    pub fn remove_hazard(&mut self, hazard: HazardId) -> Result<(), CrowdError> {
        let i = self.find_hazard(hazard)?;
        self.hazards.remove(i);
        Ok(())
    }

    /// Numbers of the hazards, those of the scene first.
    pub fn hazard_ids(&self) -> impl Iterator<Item = HazardId> + '_ {
        self.hazards.iter().map(|(id, _)| HazardId(*id))
    }

    /// The hazards with their numbers, those of the scene first; also those that are away at present.
    pub fn hazards_by_id(&self) -> impl Iterator<Item = (HazardId, &MovingHazard)> {
        self.hazards.iter().map(|(id, hazard)| (HazardId(*id), hazard))
    }

    fn find_hazard(&self, hazard: HazardId) -> Result<usize, CrowdError> {
        self.hazards.iter().position(|(id, _)| *id == hazard.0).ok_or_else(|| CrowdError::Unknown {
            what: "hazard",
            given: hazard.0.to_string(),
            count: self.hazards.len(),
        })
    }

    /// Gives a goal other places. Its fields are solved at once.
    ///
    /// # Errors
    /// When there is no such goal, or no place of it is on open ground; nothing is changed then.
    pub fn set_goal(&mut self, goal: usize, places: Vec<Place>) -> Result<(), CrowdError> {
        if goal >= self.world.goals.len() {
            return Err(CrowdError::Unknown {
                what: "goal",
                given: goal.to_string(),
                count: self.world.goals.len(),
            });
        }
        for place in &places {
            let bounds = place.shape.bounds();
            check_point("the place of a goal", bounds.min)?;
            check_point("the place of a goal", bounds.max)?;
            if !(0.0..1e6).contains(&place.fuzz) {
                let value = f64::from(place.fuzz);
                return Err(CrowdError::BadNumber {
                    what: "the fuzz of a goal",
                    value,
                    must: "from 0 to a million metres",
                });
            }
            if let Shape::Point(p) = place.shape
                && self.world.clearance_at(p) < 0.0
            {
                return Err(CrowdError::GoalBlocked { goal: self.world.goals[goal].name.clone() });
            }
        }
        self.place_goal(goal, places)?;
        self.forget_hours(goal);
        Ok(())
    }

    /// Puts a goal elsewhere; nothing is changed if that fails.
    pub(crate) fn place_goal(&mut self, goal: usize, places: Vec<Place>) -> Result<(), CrowdError> {
        let before = std::mem::replace(&mut self.world.goals[goal].places, places);
        let pool = self.pool.clone();
        let done = pool.install(|| -> Result<(), CrowdError> {
            let sites = Sites::new(&self.world)?;
            self.survey_hazards()?;
            self.fields.place_goals(&self.world, Some(goal))?;
            self.sites = sites;
            Ok(())
        });
        if let Err(error) = done {
            self.world.goals[goal].places = before;
            return Err(error);
        }
        self.forget_sites();
        Ok(())
    }

    /// Puts up a wall. Whoever stands where it comes is put aside, and the ways are found anew.
    ///
    /// # Errors
    /// When the polygon is none, or a goal would be left without open ground; nothing is changed then.
    pub fn add_wall(&mut self, wall: Polygon) -> Result<(), CrowdError> {
        self.world.add_wall(wall)?;
        // The sources of all fields are found before anything of the crowd is touched.
        if let Err(error) = self.fields.resettle(&self.world) {
            self.world.remove_wall(self.world.walls.len() - 1)?;
            return Err(error);
        }
        let pool = self.pool.clone();
        pool.install(|| self.ground_changed())
    }

    /// Takes down a wall by its index; those behind it move up by one.
    ///
    /// # Errors
    /// When there is no such wall.
    pub fn remove_wall(&mut self, index: usize) -> Result<(), CrowdError> {
        self.world.remove_wall(index)?;
        let pool = self.pool.clone();
        pool.install(|| self.ground_changed())
    }

    fn ground_changed(&mut self) -> Result<(), CrowdError> {
        self.walled = crate::crowd::is_walled(&self.world);
        self.binning.survey(&self.world.clearance);
        self.targets.clear();
        self.survey_hazards()?;
        self.fields.place_goals(&self.world, None)?;
        self.displace();
        Ok(())
    }

    /// Puts those aside who stand in a wall.
    fn displace(&mut self) {
        for i in 0..self.len() {
            let from = self.agents.position(i);
            let radius = self.agents.radius[i];
            if self.world.clearance_at(from) >= 0.5 * radius {
                continue;
            }
            let Some(to) = self.open_ground_near(from, radius) else { continue };
            (self.agents.x[i], self.agents.y[i]) = (to.x, to.y);
            (self.agents.vx[i], self.agents.vy[i]) = (0.0, 0.0);
            self.totals.displaced += 1;
            self.unsorted = true;
            self.tell(i as u32, EventKind::Displaced { from });
        }
    }

    /// The nearest open ground, looked for in growing circles.
    fn open_ground_near(&self, p: Vec2, radius: f32) -> Option<Vec2> {
        let step = (0.5 * self.world.clearance.cell_size()).max(0.1);
        let most = (self.world.bounds().size().max_element() / step) as usize;
        let bounds = self.world.bounds();
        for ring in 1..=most {
            let away = ring as f32 * step;
            let points = (8 * ring).min(64);
            for k in 0..points {
                let turn = k as f32 / points as f32 * std::f32::consts::TAU;
                let to = p + Vec2::from_angle(turn) * away;
                if bounds.contains(to) && self.world.clearance_at(to) >= radius {
                    return Some(to);
                }
            }
        }
        None
    }

    /// Sites were renumbered: whoever is busy finishes where it is.
    pub(crate) fn forget_sites(&mut self) {
        self.agents.site.fill(NONE);
        // The clocks of doors and lifts go on.
        let clocks = self.passages.clocks();
        let clocks = self.busy.len().checked_sub(clocks).map(|at| self.busy.split_off(at));
        self.busy.clear();
        self.busy.resize(self.sites.sites.len(), 0);
        self.busy.extend(clocks.unwrap_or_else(|| self.passages.fresh().collect()));
    }

    fn check_open(&self, what: &'static str, p: Vec2) -> Result<(), CrowdError> {
        check_point(what, p)?;
        let open = self.world.bounds().contains(p)
            && (!self.walled || crate::walls::Walls::new(&self.world.clearance).distance(p) > 0.0);
        if open {
            return Ok(());
        }
        Err(CrowdError::BadNumber { what, value: f64::from(p.x), must: "on open ground" })
    }
}

pub(crate) fn check_point(what: &'static str, p: Vec2) -> Result<(), CrowdError> {
    if p.is_finite() && p.abs().max_element() < 1e6 {
        return Ok(());
    }
    let value = f64::from(if p.x.is_finite() { p.y } else { p.x });
    Err(CrowdError::BadNumber { what, value, must: "a point within a million metres" })
}
