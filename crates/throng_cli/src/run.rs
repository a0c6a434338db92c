//! `throng run`: a scene with its people, for a while, with everything it leaves behind.
//!
//! `job` steps the crowd, `outputs` writes files while it goes on, `watch` and `gauge` take measures,
//! `summary` says what came of it.

mod commands;
mod gauge;
mod interrupt;
mod job;
mod maps;
mod outputs;
mod summary;
mod watch;

#[cfg(feature = "view")]
pub(crate) use commands::check_scene;
pub(crate) use interrupt::Interrupt;
pub(crate) use job::Job;
pub(crate) use maps::{ColorChoice, HeatChoice, MapRequest};
pub(crate) use summary::count;

use crate::failure::Failure;
use crate::{say, say_json};
use std::path::PathBuf;
use throng::{Backend, Model};

/// What `throng run` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng run bottleneck                              a summary
  throng run froblins --agents 10000 --seconds 60 --map valley.gif --color action
  throng run my-station.toml --trajectory run.sqlite --trajectory run.txt --fps 25
  throng run square --map square.png --heat waiting --json
  throng run bottleneck --line 14.2,4.4,14.2,5.6 --area 11,3,14,7
  throng run froblins --commands evening.jsonl       what was done in `throng view`, again
  throng run froblins --backend gpu                  on the fastest GPU (`throng gpu` lists them)

SCENE is one of those that `throng scenes` lists, or a file (`throng new` makes one).
Trajectories: .sqlite (JuPedSim), .txt (PedPy), .parquet or .csv. Maps: .png shows the last moment,
.gif the whole run. Both options may be given several times.

--area measures density and speed in a rectangle, at every step, --line counts who crosses it; both as
PedPy defines them. Overlaps, speed and crowding are measured once a simulated second and at the end. `wall_seconds` and
`steps_per_s` count the stepping alone, without pictures and files.

--backend cpu, the default, gives the same bits on every machine and any number of threads. gpu runs on a GPU,
if only a software one, and fails where there is none; its crowd is the same but for rounding. auto takes a
graphics card where there is one with room for the crowd, and the CPU, with a line of notice, where not; a
software adapter only if --adapter names it. On the GPU everybody is read back only for what is written or
measured, and once a simulated second. If the device is lost the run goes on on the CPU.

--commands repeats a log: people, seed and step length are those of the log, every command is done at its step,
the run ends with the log unless it is told otherwise, and where it comes to another hash than the log has,
that is an error.

Ctrl-C ends the run after the step at hand; all files are whole. Exit codes: 0 done, 1 an output could
not be made (the others are), 2 the scene or the command line is wrong, 130 ended by Ctrl-C.")]
pub(crate) struct Args {
    /// Scene file, or name of a scene that ships
    scene: PathBuf,
    /// So many people instead of the scene's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    agents: Option<u32>,
    /// Simulated time, in seconds [default: the scene's]
    #[arg(long, value_name = "S", value_parser = positive)]
    seconds: Option<f64>,
    /// Number of steps, instead of --seconds
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Length of a step, in seconds; at most 0.5 [default: the scene's]
    #[arg(long, value_name = "S", value_parser = step_length)]
    dt: Option<f32>,
    /// Seed of every random choice [default: the scene's]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How people avoid each other [default: the scene's]
    #[arg(long, value_enum)]
    model: Option<ModelChoice>,
    /// Where the crowd lives
    #[arg(long, value_enum, default_value_t = BackendChoice::Cpu)]
    backend: BackendChoice,
    /// Part of the name of the GPU to take, its driver or API [default: the fastest]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Takes the device away before this step, to try what happens then
    #[arg(long, value_name = "STEP", hide = true)]
    lose_device: Option<u64>,
    /// File for everybody's ways: .sqlite, .txt, .parquet or .csv
    #[arg(long, value_name = "FILE")]
    trajectory: Vec<PathBuf>,
    /// Frames per simulated second of trajectories
    #[arg(long, value_name = "F", default_value_t = 10.0, value_parser = positive)]
    fps: f64,
    /// Map of the last moment (.png) or of the whole run (.gif)
    #[arg(long, value_name = "FILE")]
    map: Vec<PathBuf>,
    /// What colours of people say on maps [default: action where people do several things, else
    /// group]
    #[arg(long, value_enum)]
    color: Option<ColorChoice>,
    /// What the ground of maps shows
    #[arg(long, value_enum)]
    heat: Option<HeatChoice>,
    /// Measure density and speed in a rectangle: two corners, in metres
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = four, allow_hyphen_values = true)]
    area: Vec<[f32; 4]>,
    /// Measure the flow over a line: its two ends, in metres
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = four, allow_hyphen_values = true)]
    line: Vec<[f32; 4]>,
    /// Repeat what was done to another run: a log that `throng view --commands` has written
    #[arg(long, value_name = "LOG")]
    commands: Option<PathBuf>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

/// How people avoid each other.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ModelChoice {
    /// Both sides, speed from headway, contacts
    Throng,
    /// The chapter of 2008 as written: five directions to the right
    Froblins,
}

impl From<ModelChoice> for Model {
    fn from(choice: ModelChoice) -> Self {
        match choice {
            ModelChoice::Throng => Self::Throng,
            ModelChoice::Froblins => Self::Froblins,
        }
    }
}

impl std::fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Throng => "throng",
            Self::Froblins => "froblins",
        })
    }
}

/// Where the crowd lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum BackendChoice {
    /// All cores
    Cpu,
    /// A GPU, or an error
    Gpu,
    /// A graphics card if there is one, else the CPU
    Auto,
}

impl From<BackendChoice> for Backend {
    fn from(choice: BackendChoice) -> Self {
        match choice {
            BackendChoice::Cpu => Self::Cpu,
            BackendChoice::Gpu => Self::Gpu,
            BackendChoice::Auto => Self::Auto,
        }
    }
}

/// What a crowd takes at most (seconds).
const LONGEST_STEP: f32 = 0.5;

/// The most pixels along a side, by WebGPU's default limits.
const LARGEST: u32 = 8192;

/// Pixels across and down.
pub(crate) fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |part: &str| part.parse().ok().filter(|side| (1..=LARGEST).contains(side));
    let sides = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| format!("must be pixels as 1280x720, sides of 1 to {LARGEST}"))
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("must be a positive number".into()),
    }
}

fn step_length(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number > 0.0 && number <= LONGEST_STEP => Ok(number),
        _ => Err("must be above 0 and at most 0.5 seconds".into()),
    }
}

/// Two points that are not one.
fn four(text: &str) -> Result<[f32; 4], String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let numbers = numbers.ok().and_then(|numbers| <[f32; 4]>::try_from(numbers).ok());
    let apart = |n: &[f32; 4]| n.iter().all(|n| n.is_finite()) && n[..2] != n[2..];
    numbers.filter(apart).ok_or_else(|| "must be two points as X0,Y0,X1,Y1".into())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.adapter.is_some() && args.backend == BackendChoice::Cpu {
        let cure = "add `--backend gpu` or `--backend auto`";
        return Err(Failure::Usage(format!(
            "--adapter names a GPU, but the run is on the CPU; {cure}"
        )));
    }
    let maps = args.map.iter().map(|path| MapRequest {
        color: args.color,
        heat: args.heat,
        ..MapRequest::new(path.clone())
    });
    let job = Job {
        scene: args.scene.clone(),
        agents: args.agents,
        seconds: args.seconds,
        steps: args.steps,
        dt: args.dt,
        seed: args.seed,
        threads: args.threads.map(usize::from),
        model: args.model.map(Model::from),
        backend: args.backend.into(),
        adapter: args.adapter.clone(),
        lose_device: args.lose_device,
        trajectories: args.trajectory.clone(),
        fps: args.fps,
        maps: maps.collect(),
        areas: args.area.clone(),
        lines: args.line.clone(),
        commands: args.commands.clone(),
        quiet: args.quiet,
    };
    let done = job.run()?;
    if args.json {
        say_json(&done.summary)?;
    } else {
        say(&done.summary.text())?;
    }
    done.end()
}
