//! `throng bench field`: the solvers against the peers.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{say, say_json};
use throng_bench::field::{FieldBench, Options, Row, run as measure};

pub(crate) const HELP: &str = "\
Examples:
  throng bench field                     the full table, a few minutes
  throng bench field --sizes 256 --quick  a first impression
  throng bench field --json > field.json

Times are the best of several rounds in which all contestants take turns (those in Python follow in a
process of their own); the ratios are what counts.
The peers in Python need `cargo xtask bench` once, which installs them into bench/.venv.";

/// What `throng bench field` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Sides of the grids
    #[arg(long, value_delimiter = ',', default_values_t = [256, 512, 1024],
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(16..=8192))]
    sizes: Vec<usize>,
    /// Fewer rounds, no large grids, no Python
    #[arg(long)]
    quick: bool,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut options = Options { sizes: args.sizes.clone(), ..Options::default() };
    if args.quick {
        options = Options { rounds: 3, scale: Vec::new(), spots: 10, python: false, ..options };
    }
    let progress = std::cell::OnceCell::new();
    let bench = measure(&options, |done, total| {
        progress.get_or_init(|| Progress::new("problems", total as u64)).at(done as u64);
    })?;
    drop(progress);
    if args.json {
        return say_json(&bench);
    }
    print(&bench)
}

fn print(bench: &FieldBench) -> Result<(), Failure> {
    let mut shown: Vec<(&str, usize)> = Vec::new();
    for row in &bench.rows {
        if !shown.contains(&(row.problem, row.size)) {
            shown.push((row.problem, row.size));
        }
    }
    for (problem, size) in shown {
        say(&format!(
            "\n{problem} {size}²{:>36}{:>9}{:>12}{:>11}{:>13}",
            "threads", "groups", "ms/field", "x eikonal", "max error"
        ))?;
        for row in bench.rows.iter().filter(|r| (r.problem, r.size) == (problem, size)) {
            say(&line(row))?;
        }
    }
    say("\nscale: time per cell and field")?;
    for row in &bench.scale {
        say(&format!(
            "  {:<10}{:<12}{:>5}²{:>10.2} ns  {:>5.2} x the smallest",
            row.problem, row.solver, row.size, row.ns_per_cell, row.times_slower
        ))?;
    }
    say("\nwarm start against cold start")?;
    for row in &bench.warm {
        say(&format!(
            "  {} spots of 1 % of {}², cost {}: {:.3} ms instead of {:.3} ms, {:.0} %",
            row.spots,
            row.size,
            row.edit,
            row.warm_ms,
            row.cold_ms,
            100.0 * row.share
        ))?;
    }
    for missing in &bench.missing {
        say(&format!("\nnot measured: {}: {}", missing.peer, missing.reason))?;
    }
    Ok(())
}

fn line(row: &Row) -> String {
    let name = row.solver.as_deref().or(row.peer.as_deref()).unwrap_or_default();
    let ours = if row.solver.is_some() { "ours: " } else { "" };
    let error = row.error_max.map_or_else(String::new, |e| format!("{e:.4} cells"));
    format!(
        "  {:<34}{:>9}{:>9}{:>12.3}{:>11.1}{:>13}",
        format!("{ours}{name}"),
        row.threads,
        row.groups,
        row.ms_per_field,
        row.times_faster,
        error
    )
}
