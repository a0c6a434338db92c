//! The `throng` program: crowds, and the fields that lead them, from the command line.
//!
//! Exit codes: 0 done, 1 an output could not be made, 2 the input or the command line is wrong,
//! 130 ended by Ctrl-C.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program speaks")]

mod bench;
mod cache;
mod character;
mod check;
mod demo;
mod failure;
mod gpu;
mod map;
mod new;
mod path;
mod progress;
#[cfg(feature = "gpu")]
mod render;
mod run;
mod scenarios;
mod scenes;
mod serve;
mod session;
mod soak;
mod solve;
mod validate;
#[cfg(feature = "view")]
mod view;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Simulates massive crowds. Without a command: makes the demonstration pictures in `out/`.
#[derive(Debug, Parser)]
#[command(
    name = "throng",
    version,
    after_help = "\
Examples:
  throng                                            the demonstration, into out/
  throng run bottleneck --map bottleneck.gif
  throng solve street --goal 256,256 --out field.png
  throng path cave --from 42,60 --to 300,200 --out path.png
  throng run froblins --backend gpu
  throng bench field

`throng COMMAND --help` has more examples."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solves the navigation field of a map: the cost of the way to the nearest goal, from every cell
    Solve(solve::Args),
    /// Finds ways on a map by following its field: one, or all scenarios of a MovingAI file
    Path(path::Args),
    /// Measures this program against others in one run
    #[command(subcommand)]
    Bench(bench::Command),
    /// Runs a scene: a summary, trajectories, maps
    Run(run::Args),
    /// Draws a scene: a still or a clip, without a display
    #[cfg(feature = "gpu")]
    Render(render::Args),
    /// Opens a window on a scene: watch it, ask it, steer it
    #[cfg(feature = "view")]
    View(Box<view::Args>),
    /// Serves a scene or a recording to browsers: watch it, steer it, replay it
    Serve(Box<serve::Args>),
    /// Runs all scenes under random edits and checks everybody after every step
    Soak(soak::Args),
    /// Judges the crowd by the tests of RiMEA, NIST, ISO and IMO, and by experiments
    Validate(validate::Args),
    /// Shows a character on a sheet, and bakes it
    Character(character::Args),
    /// Lists the scenes that ship
    Scenes(scenes::Args),
    /// Finds all problems of scene files, each with line, column, key and cure
    Check(check::Args),
    /// Makes a commented scene file to start from
    New(new::Args),
    /// Lists the GPUs of this machine, and which one a run would take
    Gpu(gpu::Args),
    /// Makes the demonstration: the froblin valley, small scenes and fields as pictures and clips
    Demo(demo::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        None => demo::run(&demo::Args::default()),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Path(args)) => path::run(&args),
        Some(Command::Bench(command)) => bench::run(&command),
        Some(Command::Run(args)) => run::run(&args),
        #[cfg(feature = "gpu")]
        Some(Command::Render(args)) => render::run(&args),
        #[cfg(feature = "view")]
        Some(Command::View(args)) => view::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Soak(args)) => soak::run(&args),
        Some(Command::Validate(args)) => validate::run(&args),
        Some(Command::Character(args)) => character::run(&args),
        Some(Command::Scenes(args)) => scenes::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Gpu(args)) => gpu::run(&args),
        Some(Command::Demo(args)) => demo::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Told(code)) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("throng: {failure}");
            if let Some(hint) = failure.hint() {
                eprintln!("        {hint}");
            }
            failure.code()
        }
    }
}

/// Prints a line on standard output. A reader that went away (`throng … | head`) ends the program quietly.
fn say(line: &str) -> Result<(), Failure> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        other => other.map_err(Failure::Stdout),
    }
}

/// Prints a value as one JSON document.
fn say_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::Json)?;
    say(&text)
}
