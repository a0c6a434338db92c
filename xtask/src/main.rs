//! `cargo xtask …`: demo, test, bench, soak, fuzz, page, scenarios. Sets up what it needs, and says so.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program speaks")]

mod run;
mod setup;

use clap::{Parser, Subcommand};
use run::{Failure, cargo, step};
use std::process::ExitCode;

/// Jobs around Throng.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    job: Job,
}

#[derive(Debug, Subcommand)]
enum Job {
    /// Runs the froblin valley and small scenes; leaves maps, clips and pictures in out/
    Demo,
    /// Runs every check: formatting, lints, documentation, dependencies, tests
    Test,
    /// Measures against the peers, with those in Python; arguments go to `throng bench`
    Bench {
        /// As for `throng bench`; both benchmarks by default, with --quick and --json
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Checks everybody of a billion agent-steps under random edits, then that the same seed gives the
    /// same bits; with arguments: `throng soak` as told
    Soak {
        /// As for `throng soak`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Runs the parsers' fuzz tests at length
    Fuzz {
        /// Cases for each parser
        #[arg(default_value_t = 1_000_000)]
        cases: u64,
    },
    /// Drives the page of `throng serve` in Chromium, by WebGPU and without; leaves pictures in out/page
    Page,
    /// Runs all MovingAI scenarios found in the test data (`THRONG_DATA`, or ../shared/data)
    Scenarios,
}

fn main() -> ExitCode {
    let done = match Cli::parse().job {
        Job::Demo => setup::graphics()
            .and_then(|()| cargo(&["run", "--release", "-p", "throng_cli", "--", "demo"])),
        Job::Test => test(),
        Job::Bench { args } => bench(args),
        Job::Soak { args } => soak(&args),
        Job::Fuzz { cases } => run::cargo_with(
            &["test", "--release", "-p", "throng_world", "--test", "fuzz", "--", "--nocapture"],
            &[("THRONG_FUZZ_CASES", &cases.to_string())],
        ),
        Job::Page => page(),
        Job::Scenarios => run::cargo_with(
            &[
                "test",
                "--release",
                "-p",
                "throng_field",
                "--test",
                "scenarios",
                "--",
                "--nocapture",
            ],
            &[("THRONG_ALL_SCENARIOS", "1")],
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// What is built only when asked for.
const FEATURES: [&str; 2] = ["--features", "throng_field/gpu,throng_crowd/gpu,throng/gpu"];

fn test() -> Result<(), Failure> {
    setup::components()?;
    setup::graphics()?;
    setup::display()?;
    step("formatting");
    cargo(&["fmt", "--all", "--check"])?;
    step("lints");
    let lints = ["--workspace", "--all-targets", "--quiet"];
    let deny: &[&str] = &["--", "-D", "warnings"];
    cargo(&[&["clippy"], &lints[..], &FEATURES, deny].concat())?;
    step("documentation");
    run::cargo_with(
        &[
            &["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"],
            &FEATURES[..],
        ]
        .concat(),
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    step("the CPU-only build pulls no graphics crate");
    run::no_graphics_crates()?;
    step("tests");
    run::cargo_test(&[&["--workspace"], &FEATURES[..]].concat())?;
    page()
}

/// The page as people use it. The program itself needs neither Node nor a browser.
fn page() -> Result<(), Failure> {
    step("the page");
    setup::browser()?;
    // The program as the tests have it: after them nothing is left to build.
    cargo(
        &[&["test", "--quiet", "--workspace", "--test", "serve", "--no-run"], &FEATURES[..]]
            .concat(),
    )?;
    run::node("web/tests/page.mjs", &["target/debug/throng", "--pictures", "out/page"])
}

fn bench(args: Vec<String>) -> Result<(), Failure> {
    let named = args.first().is_some_and(|first| !first.starts_with('-'));
    if !named && let Some(own) = args.iter().find(|a| !["--quick", "--json"].contains(&a.as_str()))
    {
        let cure =
            format!("`cargo xtask bench field {own} …` or `cargo xtask bench crowd {own} …`");
        return Err(Failure(format!("{own} is not for both benchmarks; {cure}")));
    }
    setup::python_peers();
    let runs: &[&[&str]] = if named { &[&[]] } else { &[&["field"], &["crowd"]] };
    for name in runs {
        let mut all = vec!["run", "--release", "-p", "throng_cli", "--", "bench"];
        all.extend(*name);
        all.extend(args.iter().map(String::as_str));
        cargo(&all)?;
    }
    Ok(())
}

fn soak(args: &[String]) -> Result<(), Failure> {
    let own: Vec<&str> = args.iter().map(String::as_str).collect();
    let runs: &[&[&str]] = if own.is_empty() { &[&[], &["--determinism"]] } else { &[&own] };
    for run in runs {
        let program = ["run", "--release", "-p", "throng_cli", "--", "soak"];
        cargo(&[&program, *run].concat())?;
    }
    Ok(())
}
