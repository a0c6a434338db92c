//! Random live edits: everything a host may do to a crowd between two steps, sensible or not.
//!
//! The tests of `throng_crowd` use this file too, so it knows nothing of the program.

use glam::Vec2;
use throng_crowd::{AgentId, Crowd, CrowdError, HazardId};
use throng_world::world::{MovingHazard, Place, Polygon, Rect, Shape};

/// Walls and hazards of its own that stand at a time.
const MOST_OWN: usize = 5;
/// Agents that edits may add to those of the scene, as a share.
const MOST_MORE: f32 = 0.25;

/// A stream of random edits, the same for the same seed.
#[derive(Debug)]
pub(crate) struct Fire {
    state: u64,
    hazards: Vec<HazardId>,
    /// Walls that were there before, and the most people there may be.
    scene_walls: usize,
    most_agents: usize,
}

impl Fire {
    /// Edits for a crowd as it is at the start.
    pub(crate) fn new(seed: u64, crowd: &Crowd) -> Self {
        Self {
            state: seed ^ 0x6a09_e667_f3bc_c909,
            hazards: Vec::new(),
            scene_walls: crowd.world().walls.len(),
            most_agents: (crowd.len() as f32 * (1.0 + MOST_MORE)) as usize + 64,
        }
    }

    /// Random bits (SplitMix64).
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 16) as usize % n.max(1)
    }

    /// A number between two.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 40) as f32 / 16_777_216.0)
    }

    fn point(&mut self, crowd: &Crowd) -> Vec2 {
        let bounds = crowd.world().bounds();
        let (u, v) = (self.between(0.0, 1.0), self.between(0.0, 1.0));
        bounds.min + bounds.size() * Vec2::new(u, v)
    }

    /// A point with room for a body, where one is found.
    fn open_point(&mut self, crowd: &Crowd) -> Option<Vec2> {
        (0..50).map(|_| self.point(crowd)).find(|&p| crowd.world().is_free(p, 0.5))
    }

    fn agent(&mut self, crowd: &Crowd) -> Option<AgentId> {
        let n = crowd.len();
        (n > 0).then(|| AgentId(crowd.ids()[self.below(n)]))
    }

    /// One edit. Its name; or what is wrong, when a sensible one was refused or a bad one was not.
    pub(crate) fn shoot(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        match self.below(16) {
            0..=3 => self.spawn(crowd),
            4 | 5 => self.remove(crowd),
            6 | 7 => self.retarget(crowd),
            8 => self.set_action(crowd),
            9 | 10 => self.hazard(crowd),
            11 => self.set_goal(crowd),
            12 | 13 => self.wall(crowd),
            14 => self.back(crowd),
            _ => self.nonsense(crowd),
        }
    }

    fn spawn(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        let burst = 1 + self.below(20);
        for _ in 0..burst {
            if crowd.len() >= self.most_agents {
                break;
            }
            let Some(p) = self.open_point(crowd) else { break };
            let group = self.below(crowd.world().groups.len());
            let target = if self.below(2) == 0 { Some(self.point(crowd)) } else { None };
            let id = crowd.spawn(group, p, target).map_err(|e| format!("spawn at {p}: {e}"))?;
            if self.below(4) == 0 {
                let action = self.below(crowd.world().actions.len());
                crowd.set_action(id, action).map_err(|e| format!("action of a new one: {e}"))?;
            }
        }
        Ok("spawn")
    }

    fn remove(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        for _ in 0..1 + self.below(4) {
            let Some(agent) = self.agent(crowd) else { break };
            crowd.remove(agent).map_err(|e| format!("remove: {e}"))?;
            if crowd.remove(agent).is_ok() {
                return Err(format!("agent {} was removed twice", agent.0));
            }
        }
        Ok("remove")
    }

    fn retarget(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        for _ in 0..1 + self.below(20) {
            let Some(agent) = self.agent(crowd) else { break };
            // Some lie in walls, some off the world.
            let target = self.point(crowd) * self.between(0.5, 1.5);
            crowd.retarget(agent, target).map_err(|e| format!("retarget: {e}"))?;
        }
        Ok("retarget")
    }

    fn set_action(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        for _ in 0..1 + self.below(20) {
            let Some(agent) = self.agent(crowd) else { break };
            let action = self.below(crowd.world().actions.len());
            crowd.set_action(agent, action).map_err(|e| format!("action: {e}"))?;
        }
        Ok("set_action")
    }

    fn hazard(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        let p = self.point(crowd);
        if self.hazards.len() < MOST_OWN && self.below(2) == 0 {
            let hazard = MovingHazard {
                name: "fright".into(),
                color: [0; 3],
                path: vec![p, self.point(crowd)],
                speed: self.between(0.0, 3.0),
                closed: false,
                radius: self.between(0.0, 8.0),
                strength: self.between(0.0, 12.0),
                fear_radius: self.between(0.0, 10.0),
                active: (0.0, f32::INFINITY),
            };
            self.hazards.push(crowd.place_hazard(hazard).map_err(|e| format!("hazard: {e}"))?);
            return Ok("place_hazard");
        }
        if self.hazards.is_empty() {
            return Ok("nothing");
        }
        let at = self.below(self.hazards.len());
        if self.below(2) == 0 {
            crowd.move_hazard(self.hazards[at], p).map_err(|e| format!("move hazard: {e}"))?;
            return Ok("move_hazard");
        }
        let id = self.hazards.swap_remove(at);
        crowd.remove_hazard(id).map_err(|e| format!("remove hazard: {e}"))?;
        if crowd.remove_hazard(id).is_ok() {
            return Err("a hazard was removed twice".into());
        }
        Ok("remove_hazard")
    }

    fn set_goal(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        if crowd.world().goals.is_empty() {
            return Ok("nothing");
        }
        let goal = self.below(crowd.world().goals.len());
        let mut places = crowd.world().goals[goal].places.clone();
        let at = self.below(places.len());
        if self.below(3) == 0 && places.len() > 1 {
            places.swap_remove(at);
        } else {
            let Some(centre) = self.open_point(crowd) else { return Ok("nothing") };
            let place = Place {
                shape: Shape::Disc { centre, radius: self.between(0.3, 3.0) },
                fuzz: self.between(0.0, 1.5),
                capacity: (self.below(2) == 0).then(|| 1 + self.below(30) as u32),
            };
            if at < places.len() {
                places[at] = place;
            } else {
                places.push(place);
            }
        }
        match crowd.set_goal(goal, places) {
            // What is left may stand where a wall was built.
            Ok(()) | Err(CrowdError::GoalBlocked { .. }) => Ok("set_goal"),
            Err(e) => Err(format!("goal: {e}")),
        }
    }

    fn wall(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        let own = crowd.world().walls.len() - self.scene_walls;
        if own > 0 && (own >= MOST_OWN || self.below(2) == 0) {
            let index = self.scene_walls + self.below(own);
            crowd.remove_wall(index).map_err(|e| format!("remove wall: {e}"))?;
            return Ok("remove_wall");
        }
        // Now and then right on somebody.
        let middle = match self.agent(crowd) {
            Some(agent) if self.below(2) == 0 => {
                crowd.index_of(agent).map(|i| Vec2::new(crowd.x()[i], crowd.y()[i]))
            }
            _ => None,
        };
        let middle = middle.unwrap_or_else(|| self.point(crowd));
        let half = Vec2::new(self.between(0.5, 2.5), self.between(0.5, 2.5));
        let rect = Rect { min: middle - half, max: middle + half };
        match crowd.add_wall(Polygon::rect(rect)) {
            Ok(()) | Err(CrowdError::GoalBlocked { .. }) => Ok("add_wall"),
            Err(e) => Err(format!("wall: {e}")),
        }
    }

    /// Saves the crowd, goes on for a step, and goes back.
    fn back(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        if self.below(4) > 0 {
            return Ok("nothing");
        }
        let (before, saved) = (crowd.hash(), crowd.snapshot());
        let dt = crowd.world().dt;
        crowd.step(dt).map_err(|e| format!("step: {e}"))?;
        crowd.restore(&saved).map_err(|e| format!("restore: {e}"))?;
        if crowd.hash() != before {
            return Err("a restored crowd is not as it was".into());
        }
        Ok("restore")
    }

    /// An edit that makes no sense: it must be refused, and change nothing.
    fn nonsense(&mut self, crowd: &mut Crowd) -> Result<&'static str, String> {
        let before = crowd.hash();
        let what = self.below(NONSENSE);
        let accepted = nonsense(crowd, what, self.scene_walls).is_ok();
        if accepted || crowd.hash() != before {
            return Err(format!("nonsense number {what} was accepted or changed something"));
        }
        Ok("nonsense")
    }
}

/// How many kinds of [`nonsense`] there are.
pub(crate) const NONSENSE: usize = 17;

/// Tries an edit that makes no sense, by its number; gives what the crowd says. The answer must be an
/// error.
pub(crate) fn nonsense(
    crowd: &mut Crowd,
    what: usize,
    nobodys_wall: usize,
) -> Result<(), CrowdError> {
    let nobody = AgentId(u32::MAX - 7);
    let somebody = AgentId(crowd.ids().first().copied().unwrap_or(u32::MAX - 7));
    let world = crowd.world();
    let centre = world.bounds().centre();
    let (groups, actions, goals) = (world.groups.len(), world.actions.len(), world.goals.len());
    let outside = world.bounds().max + Vec2::splat(5.0);
    let ghost = |path: Vec<Vec2>, fear_radius: f32| MovingHazard {
        name: "nonsense".into(),
        color: [0; 3],
        path,
        speed: 0.0,
        closed: false,
        radius: 1.0,
        strength: 1.0,
        fear_radius,
        active: (0.0, f32::INFINITY),
    };
    let square = |half: f32| {
        Polygon::rect(Rect { min: centre - Vec2::splat(half), max: centre + Vec2::splat(half) })
    };
    match what {
        0 => crowd.spawn(0, Vec2::NAN, None).map(drop),
        1 => crowd.spawn(groups, centre, None).map(drop),
        2 => crowd.spawn(0, outside, None).map(drop),
        3 => crowd.spawn(0, centre, Some(Vec2::new(f32::INFINITY, 0.0))).map(drop),
        4 => crowd.remove(nobody),
        5 => crowd.retarget(nobody, centre),
        6 => crowd.retarget(somebody, Vec2::new(0.0, f32::NAN)),
        7 => crowd.set_action(nobody, 0),
        8 => crowd.set_action(somebody, actions),
        9 => crowd.place_hazard(ghost(vec![Vec2::NAN], 1.0)).map(drop),
        10 => crowd.place_hazard(ghost(vec![centre], f32::NAN)).map(drop),
        11 => crowd.place_hazard(ghost(Vec::new(), 1.0)).map(drop),
        12 => crowd.set_goal(goals, Vec::new()),
        13 if goals > 0 => crowd.set_goal(0, Vec::new()),
        14 => crowd.add_wall(Polygon { outer: vec![centre, outside], holes: Vec::new() }),
        15 => crowd.add_wall(square(f32::NAN)),
        _ => crowd.remove_wall(nobodys_wall + 1000),
    }
}
