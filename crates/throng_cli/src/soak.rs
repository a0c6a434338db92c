//! `throng soak`: crowds of all scenes under random edits, with a look at everybody after every step;
//! and the same bits on any number of threads.
//!
//! `plan` says which crowds, `fire` shoots at them, `slice` steps them, `ledger` looks at everybody,
//! `report` says what came of it; `determinism` compares hashes.

mod determinism;
mod fire;
mod ledger;
mod plan;
mod report;
mod slice;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::run::{Interrupt, ModelChoice};
use crate::{say, say_json};
use plan::{Plan, Slice, Stage};
use report::Report;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::{Scene, scene_names};

/// Time between two changes of the words beside the progress bar.
const RETITLE: Duration = Duration::from_millis(200);

/// What `throng soak` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng soak                                        a billion agent-steps over all scenes
  throng soak --agent-steps 2e7 --scenes two-way,city --seed 5
  throng soak --determinism                          hashes on 1, 2 and 8 threads and after a snapshot

After every step everybody is looked at: no NaN, nobody in a wall or off the world, nobody lost or
doubled, speed, acceleration and turn within their limits (a wall may stop somebody at once). Scenes
take turns in slices, with small and large crowds, several step lengths and both models; edits come at
random: people, targets, actions, hazards, goals, walls, snapshots, and nonsense that must be refused.

What is wrong is told with scene, seed, step and agent, the crowd before that step is saved, and the
command that finds it again is named. Exit codes: 0 nothing wrong, 1 something is, 2 the command line
is wrong, 130 ended by Ctrl-C (with what was seen so far).")]
pub(crate) struct Args {
    /// Agent-steps to look at; 1e9 is a billion
    #[arg(long, value_name = "N", default_value = "1e9", value_parser = whole)]
    agent_steps: u64,
    /// Seed of crowds and edits
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only these scenes
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = scene)]
    scenes: Vec<&'static str>,
    /// Only this model [default: both take turns, three times in four the default one]
    #[arg(long, value_enum)]
    model: Option<ModelChoice>,
    /// Only this slice, by its number
    #[arg(long, value_name = "N")]
    slice: Option<u64>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder for the crowd before a step that went wrong
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
    /// Instead: compare hashes on 1, 2 and 8 threads, after a snapshot, and of another seed
    #[arg(long, conflicts_with_all = ["agent_steps", "scenes", "model", "slice", "threads", "out"])]
    determinism: bool,
    /// Steps of each run of --determinism
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "determinism",
          value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// A whole number, also as 1e9.
fn whole(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(number) if (1.0..=1e15).contains(&number) => Ok(number as u64),
        _ => Err("must be a number from 1 to 1e15".into()),
    }
}

fn scene(text: &str) -> Result<&'static str, String> {
    scene_names()
        .find(|name| *name == text)
        .ok_or_else(|| format!("no such scene; there are {}", names().join(", ")))
}

fn names() -> Vec<&'static str> {
    scene_names().collect()
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.determinism {
        return determinism::run(args.steps, args.seed, args.json);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::Output(format!("threads cannot be started: {error}")))?;
    let soak =
        Soak { args, plan: plan(args), pool: Arc::new(pool), interrupt: Interrupt::watch()? };
    let (report, code) = soak.run();
    if args.json {
        say_json(&report)?;
    } else {
        say(&report.text())?;
    }
    match (report.wrong, code) {
        (Some(_), _) => Err(Failure::Told(1)),
        (None, Some(code)) => Err(Failure::Told(code)),
        (None, None) => Ok(()),
    }
}

fn plan(args: &Args) -> Plan {
    let chosen = if args.scenes.is_empty() { names() } else { args.scenes.clone() };
    let stages = chosen.into_iter().filter_map(|name| {
        let scene = Scene::builtin(name)?;
        let (people, dt, seconds) = (scene.agents(), scene.data.dt, scene.data.seconds);
        Some(Stage { name, people, dt, seconds })
    });
    Plan {
        seed: args.seed,
        scenes: stages.collect(),
        model: args.model.map(Into::into),
        total: args.agent_steps,
    }
}

/// A soak under way.
struct Soak<'a> {
    args: &'a Args,
    plan: Plan,
    pool: Arc<rayon::ThreadPool>,
    interrupt: Interrupt,
}

impl Soak<'_> {
    /// Runs slices until enough was seen, something is wrong or somebody pressed Ctrl-C; gives the
    /// exit code of the latter.
    fn run(&self) -> (Report, Option<u8>) {
        let began = Instant::now();
        let wanted = self.args.agent_steps;
        let scenes = self.plan.scenes.iter().map(|stage| stage.name);
        let mut report = Report::new(self.plan.seed, wanted, scenes);
        let progress = Progress::new("soak", wanted);
        let (first, last) = self.args.slice.map_or((0, u64::MAX), |only| (only, only));
        for number in first..=last {
            let slice = self.plan.slice(number);
            let before = report.agent_steps;
            let mut titled = began;
            let go_on = |done: u64, people: usize| {
                if titled.elapsed() >= RETITLE {
                    titled = Instant::now();
                    progress.retitle(format!("soak: {}, {people} people", slice.scene));
                    progress.at((before + done).min(wanted));
                }
                before + done < wanted && self.interrupt.seen().is_none()
            };
            let (outcome, finding) = slice::run(&slice, &self.pool, go_on);
            report.add(slice.scene, &outcome);
            if let Some(finding) = finding {
                let snapshot = self.save(&slice, finding.step, &progress);
                report.found(&slice, finding, snapshot, self.again(&slice));
                break;
            }
            report.interrupted = self.interrupt.seen().is_some();
            if report.agent_steps >= wanted || report.interrupted {
                break;
            }
        }
        report.took(began.elapsed());
        (report, self.interrupt.seen())
    }

    /// Saves the crowd before a step; its file.
    fn save(&self, slice: &Slice, step: u64, progress: &Progress) -> Option<String> {
        progress.retitle(format!("soak: {}, once more up to step {step}", slice.scene));
        let bytes = match slice::snapshot_before(slice, step, &self.pool) {
            Ok(bytes) => bytes,
            Err(why) => {
                progress.say(&format!("throng: the crowd before it cannot be had: {why}"));
                return None;
            }
        };
        let name = format!("soak-{}-{}-{step}.snapshot", slice.scene, slice.seed);
        let path = self.args.out.join(name);
        match std::fs::write(&path, bytes) {
            Ok(()) => Some(path.display().to_string()),
            Err(error) => {
                progress.say(&format!("throng: cannot write {}: {error}", path.display()));
                None
            }
        }
    }

    /// The command that runs a slice again.
    fn again(&self, slice: &Slice) -> String {
        let args = self.args;
        let mut text = format!(
            "throng soak --seed {} --agent-steps {} --slice {}",
            args.seed, args.agent_steps, slice.number
        );
        if !args.scenes.is_empty() {
            text.push_str(&format!(" --scenes {}", args.scenes.join(",")));
        }
        if let Some(model) = args.model {
            text.push_str(&format!(" --model {model}"));
        }
        text
    }
}
