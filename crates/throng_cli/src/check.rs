//! `throng check`: all problems of scene files, or how large they are.

use crate::failure::Failure;
use crate::{say, say_json};
use std::path::PathBuf;
use throng_world::scene::{self, BuildOptions, Problem, Scene};
use throng_world::world::{Amount, World};

/// What `throng check` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng check my-station.toml       all problems, each with line, column, key and cure
  throng check froblins --agents 1000000
  throng check --schema > throng-scene.schema.json    for editors that complete and check

Exit code 2 when a scene has a problem.")]
pub(crate) struct Args {
    /// Scene files, or names of scenes that ship
    #[arg(required_unless_present = "schema")]
    scenes: Vec<PathBuf>,
    /// Build for so many people instead of the scene's own number
    #[arg(long, value_name = "N")]
    agents: Option<u32>,
    /// Print the JSON Schema of scene files
    #[arg(long)]
    schema: bool,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// What was found in one scene.
#[derive(serde::Serialize)]
struct Answer {
    scene: String,
    ok: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Fault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Figures>,
}

/// One problem, as JSON.
#[derive(serde::Serialize)]
struct Fault {
    file: String,
    line: usize,
    column: usize,
    key: String,
    what: String,
    cure: String,
}

/// How large a scene is.
#[derive(serde::Serialize)]
struct Figures {
    agents: u64,
    width_m: f32,
    height_m: f32,
    cells: [usize; 2],
    cell_m: f32,
    walls: usize,
    goals: usize,
    places: usize,
    groups: usize,
    streams_per_s: f32,
    hazards: usize,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.schema {
        return say(&Scene::schema_json());
    }
    let options = BuildOptions { agents: args.agents, ..BuildOptions::default() };
    let mut answers = Vec::new();
    for path in &args.scenes {
        let name = path.display().to_string();
        let answer = match scene::check_file(path, &options) {
            Ok((scene, world)) => {
                let agents = args.agents.map_or_else(|| scene.agents(), u64::from);
                let figures = Some(Figures::of(&world, agents));
                Answer { scene: name, ok: true, problems: Vec::new(), figures }
            }
            Err(errors) => {
                let problems = errors.0.into_iter().map(fault).collect();
                Answer { scene: name, ok: false, problems, figures: None }
            }
        };
        if !args.json {
            tell(&answer)?;
        }
        answers.push(answer);
    }
    if args.json {
        say_json(&answers)?;
    }
    let problems: usize = answers.iter().map(|a| a.problems.len()).sum();
    if problems == 0 {
        return Ok(());
    }
    let faulty = answers.iter().filter(|a| !a.ok).count();
    let scenes = if answers.len() == 1 { "scene" } else { "scenes" };
    let s = if problems == 1 { "" } else { "s" };
    let total = answers.len();
    Err(Failure::Usage(format!("{problems} problem{s} in {faulty} of {total} {scenes}")))
}

fn fault(problem: Problem) -> Fault {
    let Problem { file, line, column, key, what, cure } = problem;
    Fault { file, line, column, key, what, cure }
}

fn tell(answer: &Answer) -> Result<(), Failure> {
    for Fault { file, line, column, key, what, cure } in &answer.problems {
        let place = if *line > 0 { format!(":{line}:{column}") } else { String::new() };
        let key = if key.is_empty() { String::new() } else { format!("{key}: ") };
        eprintln!("{file}{place}: {key}{what}\n    {cure}");
    }
    match &answer.figures {
        Some(figures) => say(&format!("{}: ok, {}", answer.scene, figures.line())),
        None => Ok(()),
    }
}

impl Figures {
    fn of(world: &World, agents: u64) -> Self {
        let size = world.bounds().size();
        let rate = |amount: &Amount| match amount {
            Amount::Rate { per_second, .. } => *per_second,
            _ => 0.0,
        };
        Self {
            agents,
            width_m: size.x,
            height_m: size.y,
            cells: [world.terrain.width(), world.terrain.height()],
            cell_m: world.terrain.cell_size(),
            walls: world.walls.len(),
            goals: world.goals.len(),
            places: world.goals.iter().map(|g| g.places.len()).sum(),
            groups: world.groups.len(),
            streams_per_s: world.spawns.iter().map(|s| rate(&s.amount)).sum(),
            hazards: world.hazards.len(),
        }
    }

    /// "400 people, 22 x 10 m, 110 x 50 cells of 0.2 m, 2 walls, 1 goal, 1 group"
    fn line(&self) -> String {
        let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
        let mut parts = vec![
            format!("{} people", self.agents),
            format!("{:.0} x {:.0} m", self.width_m, self.height_m),
            format!("{} x {} cells of {} m", self.cells[0], self.cells[1], self.cell_m),
            count(self.walls, "wall"),
            format!("{} with {}", count(self.goals, "goal"), count(self.places, "place")),
            count(self.groups, "group"),
        ];
        if self.streams_per_s > 0.0 {
            parts.push(format!("{:.1} arriving per second", self.streams_per_s));
        }
        if self.hazards > 0 {
            parts.push(count(self.hazards, "hazard"));
        }
        parts.join(", ")
    }
}
