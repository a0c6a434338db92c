//! `throng bench crowd`: the open plane, the valley, how crowded it gets, and the circle.
//!
//! Timed contestants take turns, and the best turn of each counts; JuPedSim follows in a process of
//! its own. A turn in the valley is as long as it takes to refresh all fields once, so that no turn is
//! cheap for lack of them.

use super::jupedsim::{self, Outcome};
use super::ratios::{Ratio, ratios};
use super::{
    Arrival, Contestant, Crowding, Dodgy, DodgyParams, Ours, Problem, Row, Search, Turns, arrive,
    circle, crowding, open_plane, side_by_side,
};
use crate::BenchError;
use crate::field::Missing;
use serde::Serialize;
use throng_crowd::Model;

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The open plane, with the peers.
    Plane,
    /// The froblin valley.
    Valley,
    /// Overlaps and collisions.
    Crowding,
    /// The circle until all arrive.
    Circle,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plane, Self::Valley, Self::Crowding, Self::Circle];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plane => "plane",
            Self::Valley => "valley",
            Self::Crowding => "crowding",
            Self::Circle => "circle",
        }
    }
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which parts.
    pub parts: Vec<Part>,
    /// Agents on the plane and, watched for crowding, in the valley.
    pub agents: usize,
    /// Threads of all but the rows on one thread, and JuPedSim.
    pub threads: usize,
    /// How long to measure on the plane.
    pub plane: Turns,
    /// How long to run JuPedSim there; not at all if `None`.
    pub jupedsim: Option<Turns>,
    /// Numbers of agents in the valley, and how long to measure each.
    pub valleys: Vec<(usize, Turns)>,
    /// When the first valley is measured again, simulated seconds.
    pub crowded_after: f64,
    /// Simulated seconds before the valley is watched, and while it is.
    pub valley_watch: (f64, f64),
    /// Simulated seconds for which plane and bottleneck are watched.
    pub watch: (f64, f64),
    /// Agents on the circle.
    pub circle: usize,
    /// Circles.
    pub seeds: u64,
    /// Simulated seconds to wait for the last one there; for the froblins model.
    pub limit: (f64, f64),
}

impl Default for Options {
    fn default() -> Self {
        let many = |turns, warm_up| Turns { warm_up, turns, ..Turns::default() };
        Self {
            parts: Part::ALL.to_vec(),
            agents: 65_536,
            threads: 2,
            plane: Turns::default(),
            jupedsim: Some(Turns { turns: 5, steps: 4, ..Turns::default() }),
            valleys: vec![(65_536, many(12, 60)), (262_144, many(5, 60)), (1_048_576, many(3, 30))],
            crowded_after: 30.0,
            valley_watch: (20.0, 10.0),
            watch: (10.0, 60.0),
            circle: 1000,
            seeds: 3,
            limit: (1200.0, 600.0),
        }
    }
}

impl Options {
    /// A short version: a first impression, and for tests.
    #[must_use]
    pub fn quick() -> Self {
        let turns = Turns { warm_up: 5, turns: 3, steps: 3, settle: 1 };
        Self {
            agents: 2048,
            plane: turns,
            jupedsim: None,
            valleys: vec![(2048, turns), (8192, turns)],
            crowded_after: 2.0,
            valley_watch: (1.0, 1.0),
            watch: (1.0, 2.0),
            circle: 40,
            seeds: 1,
            limit: (60.0, 30.0),
            ..Self::default()
        }
    }

    /// The same with another number of agents on the plane, and in the valleys in proportion.
    #[must_use]
    pub fn with_agents(mut self, agents: usize) -> Self {
        let before = self.agents.max(1);
        for (valley, _) in &mut self.valleys {
            *valley = (*valley as u128 * agents as u128 / before as u128) as usize;
        }
        self.agents = agents;
        self
    }

    fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// Steps of the way, for who reports progress.
    fn jobs(&self) -> usize {
        let count = |part, jobs| if self.has(part) { jobs } else { 0 };
        count(Part::Plane, 2)
            + count(Part::Valley, self.valleys.len() + 1)
            + count(Part::Crowding, 6)
            + count(Part::Circle, 3 * self.seeds as usize)
    }
}

/// What was measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CrowdBench {
    /// Times.
    pub rows: Vec<Row>,
    /// What they come to.
    pub ratios: Vec<Ratio>,
    /// Overlaps and collisions.
    pub collisions: Vec<Crowding>,
    /// The circle until the last one is there.
    pub circle: Vec<Arrival>,
    /// Who could not be measured.
    pub missing: Vec<Missing>,
}

/// Measures; calls `progress(done, of)` on the way.
///
/// # Errors
/// If a crowd cannot be made, or a file for a peer not be written or read.
pub fn run(
    options: &Options,
    mut progress: impl FnMut(usize, usize),
) -> Result<CrowdBench, BenchError> {
    let (mut done, all) = (0, options.jobs());
    progress(0, all);
    let mut tick = || {
        done += 1;
        progress(done, all);
    };
    let mut bench = CrowdBench::default();
    if options.has(Part::Plane) {
        plane(options, &mut bench, &mut tick)?;
    }
    if options.has(Part::Valley) {
        valley(options, &mut bench, &mut tick)?;
    }
    if options.has(Part::Crowding) {
        crowds(options, &mut bench, &mut tick)?;
    }
    if options.has(Part::Circle) {
        circles(options, &mut bench, &mut tick)?;
    }
    bench.ratios = ratios(&bench.rows, options.threads);
    Ok(bench)
}

/// The issue of who is faster: 0.3 agents per m², radius 0.3 m, 1.3 m/s.
fn plane_of(agents: usize) -> Problem {
    open_plane(agents, 0.3, 0.3, 1.3, 1)
}

fn plane(
    options: &Options,
    bench: &mut CrowdBench,
    tick: &mut dyn FnMut(),
) -> Result<(), BenchError> {
    let problem = plane_of(options.agents);
    let threads = options.threads;
    let mut throng = Ours::new(&problem, Model::Throng, threads)?;
    let mut alone = Ours::new(&problem, Model::Throng, 1)?;
    let mut froblins = Ours::new(&problem, Model::Froblins, threads)?;
    let mut dodgy = Dodgy::new(&problem, DodgyParams::default(), threads);
    let params = DodgyParams { search: Search::Tuned, ..DodgyParams::default() };
    let mut tuned = Dodgy::new(&problem, params, threads);
    let mut all: Vec<&mut dyn Contestant> = vec![&mut throng];
    if threads > 1 {
        all.push(&mut alone);
    }
    all.extend([&mut froblins as &mut dyn Contestant, &mut dodgy, &mut tuned]);
    bench.rows.extend(side_by_side(&problem.scene, &mut all, &options.plane));
    tick();
    if let Some(turns) = &options.jupedsim {
        match jupedsim::run(&problem, turns)? {
            Outcome::Measured(row) => bench.rows.push(row),
            Outcome::Missing(missing) => bench.missing.push(missing),
        }
    }
    tick();
    Ok(())
}

fn valley(
    options: &Options,
    bench: &mut CrowdBench,
    tick: &mut dyn FnMut(),
) -> Result<(), BenchError> {
    let crowd = |agents, threads| Ours::in_scene("froblins", Some(agents), Model::Throng, threads);
    for (i, (agents, turns)) in options.valleys.iter().enumerate() {
        let mut throng = crowd(*agents, options.threads)?;
        if i > 0 {
            bench.rows.extend(side_by_side("froblins", &mut [&mut throng], turns));
            tick();
            continue;
        }
        let mut alone = crowd(*agents, 1)?;
        let mut both: Vec<&mut dyn Contestant> = vec![&mut throng];
        if options.threads > 1 {
            both.push(&mut alone);
        }
        bench.rows.extend(side_by_side("froblins", &mut both, turns));
        tick();
        while throng.seconds() < options.crowded_after {
            throng.step();
        }
        let turns = Turns { warm_up: 0, ..*turns };
        bench.rows.extend(side_by_side("froblins", &mut [&mut throng], &turns));
        tick();
    }
    Ok(())
}

fn crowds(
    options: &Options,
    bench: &mut CrowdBench,
    tick: &mut dyn FnMut(),
) -> Result<(), BenchError> {
    let threads = options.threads;
    let mut watch = |scene: &str, crowd: &mut dyn Contestant, (settle, seconds): (f64, f64)| {
        bench.collisions.push(crowding(scene, crowd, settle, seconds));
        tick();
    };
    for model in [Model::Throng, Model::Froblins] {
        let mut crowd = Ours::in_scene("froblins", Some(options.agents), model, threads)?;
        watch("froblins", &mut crowd, options.valley_watch);
    }
    let (on_plane, in_bottleneck) = options.watch;
    for model in [Model::Throng, Model::Froblins] {
        let mut crowd = Ours::in_scene("bottleneck", None, model, threads)?;
        watch("bottleneck", &mut crowd, (0.0, in_bottleneck));
    }
    let problem = plane_of(options.agents);
    let mut crowd = Ours::new(&problem, Model::Throng, threads)?;
    watch(&problem.scene, &mut crowd, (0.0, on_plane));
    let mut crowd = Dodgy::new(&problem, DodgyParams::default(), threads);
    watch(&problem.scene, &mut crowd, (0.0, on_plane));
    Ok(())
}

fn circles(
    options: &Options,
    bench: &mut CrowdBench,
    tick: &mut dyn FnMut(),
) -> Result<(), BenchError> {
    let (limit, froblins_limit) = options.limit;
    for seed in 1..=options.seeds {
        let problem = circle(options.circle, 0.3, 1.3, seed);
        let throng = Ours::new(&problem, Model::Throng, options.threads)?;
        let froblins = Ours::new(&problem, Model::Froblins, options.threads)?;
        let dodgy = Dodgy::new(&problem, DodgyParams::default(), options.threads);
        let all: [(Box<dyn Contestant>, f64); 3] = [
            (Box::new(throng), limit),
            (Box::new(froblins), froblins_limit),
            (Box::new(dodgy), limit),
        ];
        for (mut crowd, limit) in all {
            bench.circle.push(arrive(&problem, &mut *crowd, limit));
            tick();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reaches_its_end_whatever_is_asked_for() {
        for parts in [&[Part::Circle][..], &[Part::Plane, Part::Crowding]] {
            let turns = Turns { warm_up: 1, turns: 1, steps: 1, settle: 0 };
            let options = Options {
                parts: parts.to_vec(),
                plane: turns,
                watch: (0.1, 0.1),
                valley_watch: (0.0, 0.1),
                limit: (1.0, 1.0),
                ..Options::quick().with_agents(512)
            };
            let mut last = (0, 0);
            let bench = run(&options, |done, of| last = (done, of)).expect("all can be made");
            assert_eq!(last.0, last.1);
            assert_eq!(bench.rows.is_empty(), !parts.contains(&Part::Plane));
            assert_eq!(bench.collisions.len(), if parts.contains(&Part::Crowding) { 6 } else { 0 });
            assert_eq!(bench.circle.len(), if parts.contains(&Part::Circle) { 3 } else { 0 });
        }
    }

    #[test]
    fn valleys_grow_with_the_agents() {
        let options = Options::default().with_agents(32_768);
        let sizes: Vec<usize> = options.valleys.iter().map(|v| v.0).collect();
        assert_eq!(sizes, [32_768, 131_072, 524_288]);
    }
}
