//! A close look at one agent, its way and the fields: for tools that explain a crowd.

use glam::Vec2;
use throng_field::Grid;
use throng_field::solve::Source;
use throng_field::trace::{Path, TraceError};
use throng_world::world::Seek;

use crate::agents::{NONE, STUCK, TARGETED, WAITING};
use crate::bin::BinFrame;
use crate::crowd::Crowd;
use crate::event::AgentId;
use crate::navigate::unpacked;

/// All that is known of one agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentState {
    /// Its number.
    pub id: AgentId,
    /// Its group (index into the groups of the world).
    pub group: u8,
    /// What it does (index into the actions of the world).
    pub action: u8,
    /// Since when it does that (seconds).
    pub action_seconds: f32,
    /// How much longer, if that is known (seconds).
    pub seconds_left: Option<f32>,
    /// Where it stands (metres).
    pub position: Vec2,
    /// How it moves (metres per second).
    pub velocity: Vec2,
    /// Where it looks, a unit vector.
    pub heading: Vec2,
    /// Radius of its body (metres).
    pub radius: f32,
    /// Free walking speed (metres per second).
    pub free_speed: f32,
    /// Fear, 0 to 1.
    pub fear: f32,
    /// Tiredness, 0 to 1.
    pub tired: f32,
    /// How long it has been there (seconds).
    pub age: f32,
    /// What it seeks.
    pub seek: Seek,
    /// Its own target, if it has one.
    pub target: Option<Vec2>,
    /// Whether it is busy at a place of a goal.
    pub at_work: bool,
    /// Whether it has not begun to move yet.
    pub waiting: bool,
    /// Whether it gets nowhere though the way is free.
    pub stuck: bool,
}

/// A field as it was last solved.
#[derive(Clone, Copy, Debug)]
pub struct FieldView<'a> {
    /// Cost of walking, infinite where nobody can.
    pub cost: &'a Grid<f32>,
    /// Cost of the way to the goal.
    pub potential: &'a Grid<f32>,
    sources: &'a [Source],
    codes: &'a [[i16; 2]],
}

impl FieldView<'_> {
    /// Where the field leads from the middle of a cell, by its place in the grid: a unit vector. `None` where
    /// one has arrived, and where no way leads to the goal.
    #[must_use]
    pub fn direction(&self, cell: usize) -> Option<Vec2> {
        self.codes.get(cell).and_then(|code| unpacked(*code)).and_then(Vec2::try_normalize)
    }

    /// The way down the field.
    ///
    /// # Errors
    /// The place is no open ground, or no way leads from it to the goal.
    pub fn way(&self, from: Vec2) -> Result<Path, TraceError> {
        throng_field::trace::trace(self.cost, self.potential, self.sources, from)
    }
}

impl Crowd {
    /// All that is known of an agent, if it is there.
    #[must_use]
    pub fn agent(&self, agent: AgentId) -> Option<AgentState> {
        let i = self.index_of(agent)?;
        let (a, t) = (&self.agents, self.agents.traits[i]);
        Some(AgentState {
            id: agent,
            group: t.group,
            action: t.action,
            action_seconds: a.clip[i],
            seconds_left: Some(a.left[i]).filter(|left| left.is_finite()),
            position: a.position(i),
            velocity: Vec2::new(a.vx[i], a.vy[i]),
            heading: Vec2::new(a.heading_x[i], a.heading_y[i]),
            radius: a.radius[i],
            free_speed: a.speed[i],
            fear: a.fear[i],
            tired: a.tired[i],
            age: self.time as f32 - a.born[i],
            seek: self.world.actions[usize::from(t.action)].seek,
            target: t.has(TARGETED).then(|| Vec2::new(a.target_x[i], a.target_y[i])),
            at_work: a.site[i] != NONE,
            waiting: t.has(WAITING),
            stuck: t.has(STUCK),
        })
    }

    /// The field of a group's way to a goal, as of its last refresh.
    #[must_use]
    pub fn field(&self, group: u8, goal: u16) -> Option<FieldView<'_>> {
        let field = self.fields.field(group, goal)?;
        let (cost, potential, codes) = field.state();
        Some(FieldView { cost, potential, sources: field.sources(), codes })
    }

    /// The way an agent has before it: along its field, or straight to its own target. Empty for those who
    /// go nowhere.
    #[must_use]
    pub fn way_of(&self, agent: &AgentState) -> Vec<Vec2> {
        match (agent.seek, agent.target) {
            (Seek::Goal(goal), _) => self
                .field(agent.group, goal)
                .and_then(|field| field.way(agent.position).ok())
                .map_or_else(Vec::new, |path| path.points),
            (Seek::Target, Some(target)) => vec![agent.position, target],
            _ => Vec::new(),
        }
    }

    /// The bins, and how many are in each, row by row.
    pub fn bins(&self) -> (BinFrame, impl Iterator<Item = u32> + '_) {
        let bins = self.binning.bins();
        let frame = bins.frame;
        (frame, (0..frame.bins()).map(move |bin| (bins.start(bin + 1) - bins.start(bin)) as u32))
    }
}

#[cfg(test)]
mod tests {
    use crate::{AgentId, Crowd, CrowdOptions};
    use throng_world::{BuildOptions, Scene};

    /// If this fails, a tool tells of somebody else, or leads a way into a wall or nowhere.
    #[test]
    fn an_agent_is_told_of_with_its_way() {
        let world = Scene::open("bottleneck").unwrap().build(&BuildOptions::default()).unwrap();
        let dt = world.dt;
        let mut crowd = Crowd::new(world, CrowdOptions::default()).unwrap();
        for _ in 0..40 {
            crowd.step(dt).unwrap();
        }
        let mut walked = 0;
        for i in 0..crowd.len() {
            let agent = crowd.agent(AgentId(crowd.ids()[i])).unwrap();
            assert_eq!(agent.position.to_array(), [crowd.x()[i], crowd.y()[i]]);
            assert_eq!(agent.velocity.to_array(), [crowd.vx()[i], crowd.vy()[i]]);
            let way = crowd.way_of(&agent);
            let Some(end) = way.last() else { continue };
            walked += 1;
            assert!(way[0].distance(agent.position) < 0.01, "{agent:?}");
            let goals = crowd.world().goals.iter().flat_map(|g| &g.places);
            let nearest = goals.map(|p| p.shape.distance(*end)).fold(f32::INFINITY, f32::min);
            assert!(nearest < crowd.world().terrain.cell_size(), "{agent:?} ends {nearest} m off");
        }
        assert!(walked > crowd.len() / 2, "{walked} of {} have a way", crowd.len());
        assert_eq!(crowd.agent(AgentId(1 << 30)), None);
        let (frame, counts) = crowd.bins();
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts.len(), frame.columns * frame.rows);
        assert_eq!(counts.iter().sum::<u32>() as usize, crowd.len());
    }
}
