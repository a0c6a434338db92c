//! The model: what a session tells of itself for one frame. The panel reads it and nothing else.

use glam::Vec2;
use throng::{AgentState, Crowd, CrowdError};
use throng_world::world::Seek;

use crate::{GrassTuning, Session, ViewState};

/// A row of figures that are shown together.
pub type Figures = Vec<(&'static str, f32)>;

/// What is told of a session.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Name of the scene.
    pub scene: String,
    /// What it is, in a line.
    pub title: String,
    /// Steps so far.
    pub step: u64,
    /// Simulated seconds.
    pub time: f64,
    /// People there now.
    pub people: usize,
    /// Mean speed of those who walk or stand (metres per second).
    pub mean_speed: f32,
    /// What people do, and how many of them; most first.
    pub actions: Vec<(String, usize)>,
    /// Names and colours of the goals.
    pub goals: Vec<(String, [u8; 3])>,
    /// Names and colours of the groups.
    pub groups: Vec<(String, [u8; 3])>,
    /// Hazards that are there.
    pub hazards: usize,
    /// Walls that stand.
    pub walls: usize,
    /// Where the crowd lives.
    pub backend: &'static str,
    /// Stages of a step (milliseconds).
    pub stages: Figures,
    /// Whom one has clicked, if they are still there.
    pub selected: Option<Told>,
    /// Wind and recovery of the grass as the scene has them; `None` where none grows.
    pub grass: Option<GrassTuning>,
}

/// What is told of one agent.
#[derive(Clone, Debug)]
pub struct Told {
    /// All that is known of it.
    pub state: AgentState,
    /// Its group.
    pub group: String,
    /// What it does.
    pub action: String,
    /// Where it goes, in words.
    pub goal: String,
    /// Hazards within their fear radius: name and distance (metres).
    pub fears: Vec<(String, f32)>,
    /// The way before it.
    pub way: Vec<Vec2>,
}

impl Told {
    /// Length of the way before it (metres).
    #[must_use]
    pub fn way_length(&self) -> f32 {
        self.way.windows(2).map(|p| p[0].distance(p[1])).sum()
    }
}

impl Model {
    /// What there is to tell now. On the GPU this waits.
    ///
    /// # Errors
    /// As [`throng::Simulation::crowd`].
    pub fn of(session: &mut Session, state: &ViewState) -> Result<Self, CrowdError> {
        let backend = session.simulation().backend().name();
        let crowd = session.crowd()?;
        let world = crowd.world();
        let named = |name: &String, color: [u8; 3]| (name.clone(), color);
        let mut counts = vec![0; world.actions.len()];
        crowd.traits().iter().for_each(|t| counts[usize::from(t.action)] += 1);
        let names = world.actions.iter().map(|action| action.name.clone());
        let mut actions: Vec<_> = names.zip(counts).filter(|(_, n)| *n > 0).collect();
        actions.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let speeds = crowd.vx().iter().zip(crowd.vy()).map(|(x, y)| x.hypot(*y));
        let steps = crowd.steps().max(1) as f32;
        let stages = crowd.times().named();
        let stage = |(name, time): &(&'static str, std::time::Duration)| {
            (*name, time.as_secs_f32() * 1e3 / steps)
        };
        Ok(Self {
            scene: world.name.clone(),
            title: world.title.clone(),
            step: crowd.steps(),
            time: crowd.time(),
            people: crowd.len(),
            mean_speed: speeds.sum::<f32>() / crowd.len().max(1) as f32,
            actions,
            goals: world.goals.iter().map(|goal| named(&goal.name, goal.color)).collect(),
            groups: world.groups.iter().map(|group| named(&group.name, group.color)).collect(),
            hazards: crowd.hazards().count(),
            walls: world.walls.len(),
            backend,
            stages: stages.iter().filter(|(_, time)| !time.is_zero()).map(stage).collect(),
            selected: state.selected.and_then(|agent| crowd.agent(agent)).map(|a| told(crowd, a)),
            grass: world.grass.as_ref().map(|grass| GrassTuning {
                strength: grass.params.wind.strength,
                speed: grass.params.wind.speed,
                recovery: grass.params.recovery,
            }),
        })
    }
}

fn told(crowd: &Crowd, state: AgentState) -> Told {
    let world = crowd.world();
    let goal = match state.seek {
        Seek::Nothing => "stays here".to_owned(),
        Seek::Away => "away from danger".to_owned(),
        Seek::Target => match state.target {
            Some(target) => {
                format!("its own target, {:.0} m away", target.distance(state.position))
            }
            None => "its own target".to_owned(),
        },
        Seek::Goal(goal) => {
            world.goals.get(usize::from(goal)).map_or_else(String::new, |goal| goal.name.clone())
        }
    };
    let fears = crowd.hazards().filter_map(|(at, hazard)| {
        let away = at.distance(state.position);
        (away < hazard.fear_radius).then(|| (hazard.name.clone(), away))
    });
    let mut fears: Vec<_> = fears.collect();
    fears.sort_by(|a, b| a.1.total_cmp(&b.1));
    let name = |names: Option<&String>| names.cloned().unwrap_or_default();
    Told {
        group: name(world.groups.get(usize::from(state.group)).map(|g| &g.name)),
        action: name(world.actions.get(usize::from(state.action)).map(|a| &a.name)),
        goal,
        fears,
        way: crowd.way_of(&state),
        state,
    }
}
