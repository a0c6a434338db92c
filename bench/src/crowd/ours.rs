//! Our own crowd as a contestant: on a problem of plain data, or in a scene that ships.

use super::{Bodies, Contestant, Problem, Who};
use crate::BenchError;
use glam::Vec2;
use throng_crowd::{Crowd, CrowdOptions, Model, StageTimes};
use throng_world::World;
use throng_world::scene::{BuildOptions, Scene};
use throng_world::world::{
    Action, Amount, Distribution, FieldWeights, Group, Layout, Party, Seek, Spawn, Targets,
};

/// Side of a cell of the open world, metres.
const CELL: f32 = 2.0;
/// Open ground around all who start, metres: more than anybody walks here in half a minute.
const ROOM: f32 = 40.0;

/// Throng, with one of its avoidance models.
#[derive(Debug)]
pub struct Ours {
    crowd: Crowd,
    model: Model,
    threads: usize,
    dt: f32,
    stages: Vec<(&'static str, f64)>,
}

impl Ours {
    /// The crowd of a problem on open ground, at rest; agent `i` of the problem has the id `i`.
    ///
    /// # Errors
    /// If the crowd cannot be made.
    pub fn new(problem: &Problem, model: Model, threads: usize) -> Result<Self, BenchError> {
        let world = world(problem).map_err(|e| failure(&problem.scene, &e))?;
        Self::in_world(world, model, threads, problem.dt)
    }

    /// The crowd of a scene that ships, with that many agents or its own number.
    ///
    /// # Errors
    /// If there is no such scene, or the crowd cannot be made.
    pub fn in_scene(
        name: &str,
        agents: Option<usize>,
        model: Model,
        threads: usize,
    ) -> Result<Self, BenchError> {
        let scene = Scene::builtin(name).ok_or_else(|| failure(name, &"does not ship"))?;
        let agents = agents.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let world = scene.build(&BuildOptions { agents, ..BuildOptions::default() });
        let world = world.map_err(|e| failure(name, &e))?;
        let dt = world.dt;
        Self::in_world(world, model, threads, dt)
    }

    fn in_world(world: World, model: Model, threads: usize, dt: f32) -> Result<Self, BenchError> {
        let name = world.name.clone();
        let options =
            CrowdOptions { model: Some(model), threads: Some(threads), ..CrowdOptions::default() };
        let crowd = Crowd::new(world, options).map_err(|e| failure(&name, &e))?;
        Ok(Self { crowd, model, threads, dt, stages: Vec::with_capacity(8) })
    }

    /// The crowd itself.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }
}

fn failure(scene: &str, cause: &dyn std::fmt::Display) -> BenchError {
    BenchError::Crowd { scene: scene.to_owned(), cause: cause.to_string() }
}

/// Open ground with everybody where the problem has them; who follow each other in its lists with the
/// same radius and speed are a group.
fn world(problem: &Problem) -> Result<World, throng_field::GridError> {
    let places: Vec<Vec2> = points(&problem.x, &problem.y);
    let low = places.iter().copied().fold(Vec2::ZERO, Vec2::min) - ROOM;
    let high = places.iter().copied().fold(Vec2::ZERO, Vec2::max) + ROOM;
    let cells = ((high - low) / CELL).ceil();
    let mut world = World::open((cells.x as usize, cells.y as usize), CELL, low)?;
    world.name.clone_from(&problem.scene);
    world.dt = problem.dt;
    world.actions.push(walk());
    let goals = points(&problem.goal_x, &problem.goal_y);
    let alike = |i: &usize, j: &usize| {
        (problem.radius[*i], problem.speed[*i]) == (problem.radius[*j], problem.speed[*j])
    };
    let all: Vec<usize> = (0..problem.agents()).collect();
    for (group, run) in all.chunk_by(alike).enumerate() {
        let (first, end) = (run[0], run[0] + run.len());
        world.groups.push(walkers(problem.radius[first], problem.speed[first]));
        world.spawns.push(Spawn {
            name: "problem".into(),
            group: group as u16,
            amount: Amount::Count(run.len() as u32),
            layout: Layout::Positions(places[first..end].to_vec()),
            targets: Targets::At(goals[first..end].to_vec()),
            party: Party::None,
        });
    }
    Ok(world)
}

fn points(x: &[f32], y: &[f32]) -> Vec<Vec2> {
    x.iter().zip(y).map(|(&x, &y)| Vec2::new(x, y)).collect()
}

fn walkers(radius: f32, speed: f32) -> Group {
    Group {
        name: "walkers".into(),
        color: [0; 3],
        radius: Distribution::Fixed(radius),
        speed: Distribution::Fixed(speed),
        climb: 1.0,
        descend: 1.0,
        premovement: Distribution::Fixed(0.0),
        aggression: 1.0,
        time_gap: 1.0,
        standing_gap: 1.0,
        fear: 1.0,
        weights: FieldWeights::default(),
        starts: 0,
        character: None,
    }
}

fn walk() -> Action {
    Action {
        name: "walk".into(),
        clip: "walk".into(),
        seek: Seek::Target,
        speed: 1.0,
        seconds: None,
        carries: 0,
        tires: 0.0,
        aggression: 1.0,
    }
}

/// What the tables call a model.
fn name(model: Model) -> &'static str {
    match model {
        Model::Throng => "throng",
        Model::Froblins => "froblins",
    }
}

impl Contestant for Ours {
    fn who(&self) -> Who {
        Who::Model(name(self.model).into())
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn agents(&self) -> usize {
        self.crowd.len()
    }

    fn dt(&self) -> f32 {
        self.dt
    }

    fn seconds(&self) -> f64 {
        self.crowd.time()
    }

    /// # Panics
    /// If a field cannot be solved.
    fn step(&mut self) {
        let report = self.crowd.step(self.dt).expect("a crowd that was made can be stepped");
        self.stages.clear();
        let times: &StageTimes = &report.times;
        let named = times.named();
        self.stages.extend(named.iter().map(|(name, time)| (*name, time.as_secs_f64() * 1e3)));
    }

    fn bodies(&self, bodies: &mut Bodies) {
        let Bodies { ids, x, y, vx, vy, radius } = bodies;
        ids.clear();
        ids.extend_from_slice(self.crowd.ids());
        for (list, from) in [
            (x, self.crowd.x()),
            (y, self.crowd.y()),
            (vx, self.crowd.vx()),
            (vy, self.crowd.vy()),
            (radius, self.crowd.radius()),
        ] {
            list.clear();
            list.extend_from_slice(from);
        }
    }

    fn stages(&self) -> &[(&'static str, f64)] {
        &self.stages
    }

    fn bytes(&self) -> usize {
        self.crowd.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{arrive, circle, open_plane};

    /// Else rows of ours and of a peer would not be about the same crowd.
    #[test]
    fn starts_as_the_problem_says() {
        let mut problem = open_plane(300, 0.3, 0.3, 1.3, 5);
        problem.radius[100..].fill(0.2);
        problem.speed[200..].fill(0.9);
        let ours = Ours::new(&problem, Model::Throng, 1).expect("open ground");
        let mut bodies = Bodies::default();
        ours.bodies(&mut bodies);
        let expected: Vec<[f32; 2]> =
            problem.x.iter().zip(&problem.y).map(|(&x, &y)| [x, y]).collect();
        assert_eq!(bodies.places(), expected);
        for (i, &id) in bodies.ids.iter().enumerate() {
            assert_eq!(bodies.radius[i], problem.radius[id as usize]);
            assert_eq!(ours.crowd().free_speed()[i], problem.speed[id as usize]);
        }
    }

    /// Everybody comes to a goal of its own, though not all have to stay there.
    #[test]
    fn comes_to_the_goals_and_tells_its_stages() {
        let mut problem = open_plane(200, 0.05, 0.3, 1.3, 5);
        for i in 0..200 {
            (problem.goal_x[i], problem.goal_y[i]) = (problem.x[i] + 8.0, problem.y[i]);
        }
        let mut ours = Ours::new(&problem, Model::Throng, 2).expect("open ground");
        let found = arrive(&problem, &mut ours, 20.0);
        let seconds = found.seconds.expect("all arrive");
        assert!(seconds > 7.5 / 1.3, "nobody is faster than its speed: {found:?}");
        assert!((ours.seconds() - seconds).abs() < 1e-3);
        assert!(ours.stages().iter().any(|(name, ms)| *name == "avoid" && *ms > 0.0));
        assert!(ours.bytes() > 50 * ours.agents());
    }

    #[test]
    fn models_differ_and_unknown_scenes_are_said() {
        let problem = circle(60, 0.3, 1.3, 1);
        let after = |model| {
            let mut ours = Ours::new(&problem, model, 1).expect("open ground");
            (0..300).for_each(|_| ours.step());
            let mut bodies = Bodies::default();
            ours.bodies(&mut bodies);
            bodies.places()
        };
        assert_ne!(after(Model::Throng), after(Model::Froblins));
        let error = Ours::in_scene("nowhere", None, Model::Throng, 1).expect_err("no such scene");
        assert!(error.to_string().contains("nowhere"), "{error}");
    }
}
