//! The crate dodgy_2d (ORCA, after RVO2), driven as fast as we can drive it.
//!
//! Its own simulator looks at all pairs, so each agent's velocity is asked for by itself. All agents
//! are kept sorted by cell; neighbours are read from a grid; every pass runs on all threads; nothing
//! is allocated in a step but what the crate allocates in its call. That is the row `dodgy_2d`.
//! [`Search::Tuned`] adds a trick that is neither the crate's nor any usual grid's.

use super::{Bins, Bodies, Contestant, Problem, Who};
use crate::problems::{hash, unit};
use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use rayon::prelude::*;
use std::borrow::Cow;
use std::time::Instant;

/// The most neighbours an agent can be given.
const MOST: usize = 16;
/// Agents that a thread takes at a time.
const CHUNK: usize = 256;
/// A share of the speed by which preferred velocities tremble, as in RVO2's own examples: exact
/// symmetry deadlocks it.
const TREMBLE: f32 = 1e-4;

/// How far neighbours are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// As far as they count, at every step.
    #[default]
    Plain,
    /// As far as the last step's neighbours can have come since.
    Tuned,
}

/// What ORCA needs to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DodgyParams {
    /// Neighbours looked at, nearest first; from 1 to 16.
    pub neighbours: usize,
    /// How far they are looked for, metres.
    pub reach: f32,
    /// How far ahead collisions are avoided, seconds.
    pub time_horizon: f32,
    /// How they are looked for; both ways find the same.
    pub search: Search,
    /// Side of a cell of the grid, metres.
    pub cell: f32,
}

impl Default for DodgyParams {
    fn default() -> Self {
        // Cells: about the fastest of 0.8 to 6 m for either search, at 0.3 agents per m².
        let search = Search::Plain;
        Self { neighbours: 10, reach: 5.0, time_horizon: 3.0, search, cell: 3.4 }
    }
}

/// What the crate does not know of an agent.
#[derive(Clone, Copy, Debug)]
struct Walker {
    goal: Vec2,
    speed: f32,
    id: u32,
    /// How far the neighbours wanted are to be looked for, metres. In a tuned search: as far as the
    /// last of them was, and as they and this one can have come since.
    reach: f32,
}

/// Neighbours of an agent: places in the sorted lists, nearest first.
#[derive(Clone, Copy, Debug, Default)]
struct Near {
    who: [u32; MOST],
    count: u32,
}

/// A crowd that dodgy_2d steers.
#[derive(Debug)]
pub struct Dodgy {
    pool: rayon::ThreadPool,
    crowd: Crowd,
}

#[derive(Debug)]
struct Crowd {
    params: DodgyParams,
    dt: f32,
    fastest: f32,
    bins: Bins,
    // In the order of the cells of the last step.
    x: Vec<f32>,
    y: Vec<f32>,
    agents: Vec<Agent>,
    walkers: Vec<Walker>,
    spare_agents: Vec<Agent>,
    spare_walkers: Vec<Walker>,
    near: Vec<Near>,
    preferred: Vec<Vec2>,
    chosen: Vec<Vec2>,
    steps: u64,
    stages: Vec<(&'static str, f64)>,
}

impl Dodgy {
    /// A crowd on threads of its own, at rest.
    ///
    /// # Panics
    /// If the threads cannot be started, or the number of neighbours is out of range.
    #[must_use]
    pub fn new(problem: &Problem, params: DodgyParams, threads: usize) -> Self {
        let possible = (1..=MOST).contains(&params.neighbours);
        assert!(possible, "from 1 to {MOST} neighbours");
        let count = problem.agents();
        let agent = |i: usize| Agent {
            position: Vec2::new(problem.x[i], problem.y[i]),
            velocity: Vec2::ZERO,
            radius: problem.radius[i],
            avoidance_responsibility: 1.0,
        };
        let walker = |i: usize| Walker {
            goal: Vec2::new(problem.goal_x[i], problem.goal_y[i]),
            speed: problem.speed[i],
            id: i as u32,
            reach: params.reach,
        };
        let agents: Vec<Agent> = (0..count).map(agent).collect();
        let walkers: Vec<Walker> = (0..count).map(walker).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let crowd = Crowd {
            params,
            dt: problem.dt,
            fastest: problem.speed.iter().copied().fold(0.0, f32::max),
            bins: Bins::default(),
            x: problem.x.clone(),
            y: problem.y.clone(),
            spare_agents: agents.clone(),
            spare_walkers: walkers.clone(),
            agents,
            walkers,
            near: vec![Near::default(); count],
            preferred: vec![Vec2::ZERO; count],
            chosen: vec![Vec2::ZERO; count],
            steps: 0,
            stages: Vec::with_capacity(5),
        };
        Self { pool: pool.expect("threads for dodgy_2d"), crowd }
    }
}

impl Crowd {
    /// Sorts all agents by cell.
    fn sort(&mut self) {
        self.bins.build(&self.x, &self.y, self.params.cell);
        let order = self.bins.order();
        let (agents, walkers) = (&self.agents, &self.walkers);
        let sorted = (self.spare_agents.par_iter_mut(), self.spare_walkers.par_iter_mut());
        let places = (self.x.par_iter_mut(), self.y.par_iter_mut());
        (order, sorted, places).into_par_iter().with_min_len(CHUNK).for_each(
            |(&from, (agent, walker), (x, y))| {
                agent.clone_from(&agents[from as usize]);
                *walker = walkers[from as usize];
                (*x, *y) = (agent.position.x, agent.position.y);
            },
        );
        std::mem::swap(&mut self.agents, &mut self.spare_agents);
        std::mem::swap(&mut self.walkers, &mut self.spare_walkers);
    }

    /// Straight to the goal, and no further than it.
    fn steer(&mut self) {
        let (dt, steps) = (self.dt, self.steps);
        (&mut self.preferred, &self.agents, &self.walkers)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(preferred, agent, walker)| {
                let way = walker.goal - agent.position;
                let length = way.length();
                let speed = walker.speed.min(length / dt);
                let die = hash(steps << 32 | u64::from(walker.id));
                let tremble = Vec2::new(unit(die) - 0.5, unit(die ^ 1) - 0.5);
                *preferred = way * (speed / length.max(1e-6)) + tremble * (TREMBLE * walker.speed);
            });
    }

    fn find_neighbours(&mut self) {
        let Self { near, walkers, bins, x, y, params, .. } = self;
        // No two can have come closer by more; a little more for rounding.
        let closer = 2.0 * self.fastest * self.dt * 1.01 + 1e-3;
        (near, walkers).into_par_iter().enumerate().with_min_len(CHUNK).for_each(
            |(i, (near, walker))| {
                let last = nearest(bins, (x, y), i, walker.reach, params.neighbours, near);
                if params.search == Search::Tuned {
                    walker.reach = last.map_or(params.reach, |d| (d + closer).min(params.reach));
                }
            },
        );
    }

    fn avoid(&mut self) {
        let options = AvoidanceOptions {
            obstacle_margin: 0.0,
            time_horizon: self.params.time_horizon,
            obstacle_time_horizon: self.params.time_horizon,
        };
        let (agents, dt) = (&self.agents, self.dt);
        (&mut self.chosen, agents, &self.walkers, &self.near, &self.preferred)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each_init(
                || Vec::with_capacity(MOST),
                |around, (chosen, agent, walker, near, &preferred)| {
                    around.clear();
                    let who = &near.who[..near.count as usize];
                    around.extend(who.iter().map(|&j| Cow::Borrowed(&agents[j as usize])));
                    *chosen = agent.compute_avoiding_velocity(
                        around,
                        &[],
                        preferred,
                        walker.speed,
                        dt,
                        &options,
                    );
                },
            );
    }

    fn advance(&mut self) {
        let dt = self.dt;
        let places = (&mut self.x, &mut self.y);
        (&mut self.agents, &self.chosen, places).into_par_iter().with_min_len(CHUNK).for_each(
            |(agent, &chosen, (x, y))| {
                agent.velocity = chosen;
                agent.position += chosen * dt;
                (*x, *y) = (agent.position.x, agent.position.y);
            },
        );
    }

    fn all_stages(&mut self) {
        type Stage = (&'static str, fn(&mut Crowd));
        const STAGES: [Stage; 5] = [
            ("grid", Crowd::sort),
            ("steer", Crowd::steer),
            ("neighbours", Crowd::find_neighbours),
            ("avoid", Crowd::avoid),
            ("move", Crowd::advance),
        ];
        self.stages.clear();
        for (name, stage) in STAGES {
            let started = Instant::now();
            stage(self);
            self.stages.push((name, started.elapsed().as_secs_f64() * 1e3));
        }
        self.steps += 1;
    }
}

/// The nearest few of agent `i` within reach; how far the last is, if there are as many as wanted.
/// Candidates are gathered without branches as distance and place in one number, then sorted.
fn nearest(
    bins: &Bins,
    (x, y): (&[f32], &[f32]),
    i: usize,
    reach: f32,
    wanted: usize,
    near: &mut Near,
) -> Option<f32> {
    const BATCH: usize = 32;
    let (xi, yi) = (x[i], y[i]);
    let mut found = [0_u64; 2 * BATCH];
    let mut count = 0;
    let mut limit = reach * reach;
    for row in bins.row(yi - reach)..=bins.row(yi + reach) {
        let (low, high) = bins.row_span(row);
        let off = (low - yi).max(yi - high).max(0.0);
        let across = (limit - off * off).max(0.0).sqrt();
        let run = bins.run(row, xi - across, xi + across);
        for start in run.clone().step_by(BATCH) {
            for j in start..(start + BATCH).min(run.end) {
                let (dx, dy) = (x[j] - xi, y[j] - yi);
                let square = dx * dx + dy * dy;
                // Numbers of one sign are in the order of their bits.
                found[count] = u64::from(square.to_bits()) << 32 | j as u64;
                count += usize::from((square < limit) & (j != i));
            }
            if count > BATCH {
                found[..count].sort_unstable();
                count = wanted;
                limit = f32::from_bits((found[wanted - 1] >> 32) as u32);
            }
        }
    }
    found[..count].sort_unstable();
    count = count.min(wanted);
    for (who, found) in near.who.iter_mut().zip(&found[..count]) {
        *who = *found as u32;
    }
    near.count = count as u32;
    (count == wanted).then(|| f32::from_bits((found[wanted - 1] >> 32) as u32).sqrt())
}

impl Contestant for Dodgy {
    fn who(&self) -> Who {
        Who::Peer(match self.crowd.params.search {
            Search::Plain => "dodgy_2d".into(),
            Search::Tuned => "dodgy_2d (tuned search)".into(),
        })
    }

    fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    fn agents(&self) -> usize {
        self.crowd.agents.len()
    }

    fn dt(&self) -> f32 {
        self.crowd.dt
    }

    fn seconds(&self) -> f64 {
        self.crowd.steps as f64 * f64::from(self.crowd.dt)
    }

    fn step(&mut self) {
        let Self { pool, crowd } = self;
        pool.install(|| crowd.all_stages());
    }

    fn bodies(&self, bodies: &mut Bodies) {
        bodies.clear();
        for (agent, walker) in self.crowd.agents.iter().zip(&self.crowd.walkers) {
            let (at, velocity) = (agent.position, agent.velocity);
            bodies.push(walker.id, [at.x, at.y], [velocity.x, velocity.y], agent.radius);
        }
    }

    fn stages(&self) -> &[(&'static str, f64)] {
        &self.crowd.stages
    }

    fn bytes(&self) -> usize {
        let per_agent = 2 * size_of::<Agent>()
            + 2 * size_of::<Walker>()
            + size_of::<Near>()
            + 2 * size_of::<Vec2>()
            + 2 * size_of::<f32>();
        self.crowd.agents.len() * per_agent + self.crowd.bins.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{circle, open_plane};

    #[test]
    fn neighbours_are_those_of_brute_force() {
        for (density, search) in [
            (0.05, Search::Tuned),
            (0.3, Search::Plain),
            (0.3, Search::Tuned),
            (1.2, Search::Tuned),
        ] {
            let problem = open_plane(700, density, 0.3, 1.3, 3);
            let params = DodgyParams { search, ..DodgyParams::default() };
            let mut dodgy = Dodgy::new(&problem, params, 1);
            // From the second step on the last one may tell how far to look.
            (0..30).for_each(|_| dodgy.step());
            dodgy.crowd.sort();
            dodgy.crowd.find_neighbours();
            let Crowd { x, y, near, .. } = &dodgy.crowd;
            for i in 0..700 {
                let square = |j: usize| (x[j] - x[i]).powi(2) + (y[j] - y[i]).powi(2);
                let mut expected: Vec<usize> =
                    (0..700).filter(|&j| j != i && square(j) < 25.0).collect();
                expected.sort_by(|&a, &b| square(a).total_cmp(&square(b)));
                expected.truncate(10);
                let found = near[i].who[..near[i].count as usize].iter().map(|&j| j as usize);
                assert_eq!(found.collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn walks_to_the_goals_without_deep_overlaps_on_any_number_of_threads() {
        let problem = circle(100, 0.3, 1.3, 1);
        let mut crowds = [1, 2].map(|t| Dodgy::new(&problem, DodgyParams::default(), t));
        let mut bodies = [Bodies::default(), Bodies::default()];
        for _ in 0..1500 {
            for (crowd, bodies) in crowds.iter_mut().zip(&mut bodies) {
                crowd.step();
                crowd.bodies(bodies);
            }
            assert!(bodies[0].overlap().worst < 0.5);
        }
        assert_eq!(bodies[0].places(), bodies[1].places());
        for (i, at) in bodies[0].places().into_iter().enumerate() {
            let off = (at[0] - problem.goal_x[i]).hypot(at[1] - problem.goal_y[i]);
            assert!(off < 0.5, "agent {i} is {off} m from its goal");
        }
    }
}
