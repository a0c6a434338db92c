//! `throng validate`: the crowd judged by tests that others wrote.

use crate::Failure;
use crate::run::BackendChoice;
use clap::Args as ClapArgs;
use std::path::PathBuf;
use throng::{Backend, Model};
use throng_validate::scene::Placement;
use throng_validate::suite::{self, Suite, Test, TestResult};
use throng_validate::{Label, Seeds, Settings, Verdict, experiments, report};

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  throng validate                             all suites, a table
  throng validate rimea nist-2.8 --seeds 3
  throng validate bottleneck-width --json
  throng validate rimea-6 --turn 17
  throng validate --report out/validation
  throng validate experiments                 THRONG_DATA names the folder that holds `trajectories`
  throng validate nist --invariance --seeds 3
  throng validate throng --set avoid.time_gap=0.9   with another parameter than the default

Exit code 1 when a test labelled pass/fail fails.")]
pub(crate) struct Args {
    /// Suites (rimea, nist, iso, imo, throng) or tests; none: all
    tests: Vec<String>,
    /// Avoidance model
    #[arg(long, value_parser = ["throng", "froblins"])]
    model: Option<String>,
    /// Seeds of every test, instead of its own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,
    /// Writes a report with pictures and plots into this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Prints JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Where crowds live
    #[arg(long, value_enum, default_value_t = BackendChoice::Cpu)]
    backend: BackendChoice,
    /// Turns every scene by so many degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f64,
    /// Shifts every scene by so many metres in x and y
    #[arg(long, value_name = "METRES", default_value_t = 0.0, allow_negative_numbers = true)]
    shift: f64,
    /// Length of a step in seconds, instead of the scene's
    #[arg(long, value_name = "S")]
    dt: Option<f32>,
    /// Side of a navigation cell in metres, instead of the scene's
    #[arg(long, value_name = "M")]
    cell: Option<f64>,
    /// Sets a parameter of a stage, as a scene file would; may be given more than once
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Lists all tests and what has to hold
    #[arg(long)]
    list: bool,
    /// Runs tests labelled pass/fail also turned, shifted, with half the step and half the cell, and lists what
    /// changes; with twice as many seeds, unless `--seeds` says how many
    #[arg(long, conflicts_with_all = ["report", "turn", "shift", "dt", "cell"])]
    invariance: bool,
}

impl Args {
    fn settings(&self) -> Result<Settings, Failure> {
        Ok(Settings {
            model: self.model.as_deref().map(|name| match name {
                "froblins" => Model::Froblins,
                _ => Model::Throng,
            }),
            seeds: self.seeds.map_or_else(Seeds::default, Seeds::Exactly),
            backend: Backend::from(self.backend),
            placement: Placement { turn: self.turn, shift: self.shift },
            dt: self.dt,
            cell: self.cell,
            params: sections(&self.set)?,
            ..Default::default()
        })
    }
}

/// The sections of a scene file that set these parameters.
fn sections(set: &[String]) -> Result<String, Failure> {
    let mut sections = std::collections::BTreeMap::<&str, String>::new();
    for one in set {
        let parts =
            one.split_once('=').and_then(|(key, value)| Some((key.split_once('.')?, value)));
        let Some(((section, key), value)) = parts else {
            let what = format!("`--set {one}` is not of the form SECTION.KEY=VALUE");
            return Err(Failure::Usage(format!("{what}; say e.g. `--set avoid.time_gap=0.9`")));
        };
        *sections.entry(section).or_default() += &format!("{key} = {value}\n");
    }
    Ok(sections.iter().map(|(section, keys)| format!("[{section}]\n{keys}")).collect())
}

impl Args {
    /// How the tests were run, for the report.
    fn how(&self) -> String {
        let model = self.model.as_deref().unwrap_or("throng");
        let mut how = format!("Model {model}, backend {}.", Backend::from(self.backend).name());
        if self.turn != 0.0 || self.shift != 0.0 {
            how += &format!(" Turned by {} degrees, shifted by {} m.", self.turn, self.shift);
        }
        if let Some(dt) = self.dt {
            how += &format!(" Steps of {dt} s.");
        }
        if let Some(cell) = self.cell {
            how += &format!(" Cells of {cell} m.");
        }
        for set in &self.set {
            how += &format!(" {set}.");
        }
        how
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.list {
        return list();
    }
    let tests = suite::select(&args.tests).map_err(|e| Failure::Usage(e.to_string()))?;
    if tests.iter().any(|t| t.suite == Suite::Experiments) {
        experiments::folder().map_err(|e| Failure::Usage(e.to_string()))?;
    }
    let settings = args.settings()?;
    if args.invariance {
        return invariance(args, &tests, &settings);
    }
    let mut done = 0;
    let results = suite::run(&tests, &settings, |result| {
        done += 1;
        let verdict = result.verdict().name();
        eprintln!(
            "[{done}/{}] {}: {verdict} ({:.1} s)",
            tests.len(),
            result.test.id,
            result.seconds
        );
    });
    if args.json {
        crate::say_json(&report::json(&results))?;
    } else {
        crate::say(&report::table(&results))?;
        crate::say(&summary(&results))?;
    }
    if let Some(folder) = &args.report {
        let page = report::write(&results, folder, &args.how())
            .map_err(|e| Failure::Output(e.to_string()))?;
        eprintln!("wrote {}", page.display());
    }
    if tests.iter().any(|t| t.suite == Suite::Experiments) {
        for (file, why) in experiments::NOT_COMPARED {
            eprintln!("not compared: {file}: {why}");
        }
    }
    if results.iter().any(TestResult::is_failure) { Err(Failure::Told(1)) } else { Ok(()) }
}

/// Tests labelled pass/fail as they are and in all variants.
fn invariance(args: &Args, tests: &[&'static Test], settings: &Settings) -> Result<(), Failure> {
    let tests: Vec<_> = tests.iter().copied().filter(|t| t.label == Label::PassFail).collect();
    // What changes is told at once: all of it takes an hour.
    let mut told = Ok(());
    let (results, changes) =
        suite::invariance::compare(&tests, settings, |variant, result, changes| {
            let (id, verdict) = (result.test.id, result.verdict().name());
            eprintln!("{id}, {variant}: {verdict} ({:.1} s)", result.seconds);
            if !args.json && told.is_ok() {
                told = changes.iter().try_for_each(|change| crate::say(&change.to_string()));
            }
        });
    told?;
    let verdicts = changes.iter().filter(|c| c.by.is_none()).count();
    if args.json {
        let mut value = report::json(&results);
        value["changes"] = serde_json::to_value(&changes).map_err(Failure::Json)?;
        crate::say_json(&value)?;
    } else {
        crate::say(&format!(
            "{} tests in 5 variants: {verdicts} verdicts and {} figures changed (by more than 5 %)",
            tests.len(),
            changes.len() - verdicts
        ))?;
    }
    if changes.is_empty() { Ok(()) } else { Err(Failure::Told(1)) }
}

fn summary(results: &[TestResult]) -> String {
    let count = |verdict| results.iter().filter(|r| r.verdict() == verdict).count();
    let failures = results.iter().filter(|r| r.is_failure()).count();
    format!(
        "\n{} tests: {} pass, {} fail ({failures} of them pass/fail tests), {} report, {:.0} s",
        results.len(),
        count(Verdict::Pass),
        count(Verdict::Fail),
        count(Verdict::Report),
        results.iter().map(|r| r.seconds).sum::<f64>(),
    )
}

fn list() -> Result<(), Failure> {
    for test in suite::all() {
        let only = if test.by_name_only { " (only by name)" } else { "" };
        crate::say(&format!(
            "{:<26} {:<15} {}: {}{only}",
            test.id,
            test.label.name(),
            test.title,
            test.criterion
        ))?;
    }
    Ok(())
}
