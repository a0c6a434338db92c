//! `throng bench crowd`: the crowd against the peers, and in the valley.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{say, say_json};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use throng_bench::crowd::{
    Arrival, CrowdBench, Crowding, Options, Part, Ratio, Row, Who, run as measure,
};

pub(crate) const HELP: &str = "\
Examples:
  throng bench crowd                          all tables, about ten minutes
  throng bench crowd --quick                  a first impression with few agents
  throng bench crowd --only plane,valley      times and ratios alone
  throng bench crowd --agents 16384 --json > crowd.json

Times are the best of several turns that all contestants take one after the other; JuPedSim follows in
a process of its own. Overlaps are shares of the radius. A collision begins when two overlap by more
than 5 % of the radius, and is over when they no longer touch.
dodgy_2d's avoidance is what it takes to look up 10 neighbours within 5 m in a grid and to call it.
JuPedSim needs `cargo xtask bench` once, which installs it into bench/.venv.";

/// What `throng bench crowd` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Few agents, few steps, no JuPedSim
    #[arg(long)]
    quick: bool,
    /// Agents on the open plane and in the smallest valley; the others hold 4 and 16 times as many
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(64..=262_144))]
    agents: Option<usize>,
    /// Threads; one thread is measured beside it
    #[arg(long, default_value_t = 2,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=256))]
    threads: usize,
    /// Only these parts
    #[arg(long, value_delimiter = ',', value_name = "PART",
          value_parser = PossibleValuesParser::new(Part::ALL.map(Part::name)).map(|n| part(&n)))]
    only: Vec<Part>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

fn part(name: &str) -> Part {
    Part::ALL.into_iter().find(|part| part.name() == name).unwrap_or(Part::Plane)
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut options = if args.quick { Options::quick() } else { Options::default() };
    if let Some(agents) = args.agents {
        options = options.with_agents(agents);
    }
    options.threads = args.threads;
    if !args.only.is_empty() {
        options.parts.clone_from(&args.only);
    }
    let progress = std::cell::OnceCell::new();
    let bench = measure(&options, |done, total| {
        progress.get_or_init(|| Progress::new("parts", total as u64)).at(done as u64);
    })?;
    drop(progress);
    if args.json {
        return say_json(&bench);
    }
    print(&bench)
}

fn print(bench: &CrowdBench) -> Result<(), Failure> {
    print_rows(&bench.rows)?;
    if !bench.ratios.is_empty() {
        say("\nhow many times")?;
    }
    for ratio in &bench.ratios {
        say(&ratio_line(ratio))?;
    }
    if !bench.collisions.is_empty() {
        say(&format!(
            "\n{:<36}{:>8}{:>14}{:>12}{:>12}{:>14}{:>12}",
            "crowding", "agents", "seconds", "overlap", "deepest", "collisions", "speed"
        ))?;
    }
    for crowding in &bench.collisions {
        say(&crowding_line(crowding))?;
    }
    if !bench.circle.is_empty() {
        say(&format!(
            "\n{:<36}{:>8}{:>14}{:>12}{:>12}{:>14}{:>12}",
            "circle", "arrived", "last", "median", "deepest", "collisions", "turns"
        ))?;
    }
    for arrival in &bench.circle {
        say(&arrival_line(arrival))?;
    }
    for missing in &bench.missing {
        say(&format!("\nnot measured: {}: {}", missing.peer, missing.reason))?;
    }
    Ok(())
}

fn print_rows(rows: &[Row]) -> Result<(), Failure> {
    let mut last = None;
    for row in rows {
        if last != Some((&row.scene, row.agents)) {
            last = Some((&row.scene, row.agents));
            say(&format!(
                "\n{:<30}{:>8}{:>8}{:>11}{:>9}{:>10}{:>10}{:>12}{:>10}{:>10}",
                format!("{}, {} agents", row.scene, row.agents),
                "from",
                "threads",
                "ms/step",
                "median",
                "steps/s",
                "ns/agent",
                "bytes/agent",
                "overlap",
                "deepest"
            ))?;
        }
        say(&row_line(row))?;
        if !row.stages.is_empty() {
            let stages = row.stages.iter().map(|(name, ms)| format!("{name} {ms:.2}"));
            say(&format!("      {}", stages.collect::<Vec<_>>().join("  ")))?;
        }
    }
    Ok(())
}

fn named(who: &Who) -> String {
    match who {
        Who::Model(name) => format!("ours: {name}"),
        Who::Peer(name) => name.clone(),
    }
}

fn row_line(row: &Row) -> String {
    let bytes = row.bytes_per_agent.map_or_else(String::new, |b| format!("{b:.0}"));
    format!(
        "  {:<28}{:>8}{:>8}{:>11.2}{:>9.2}{:>10.1}{:>10.0}{bytes:>12}{:>10}{:>10}",
        named(&row.who),
        format!("{:.0} s", row.from_seconds),
        row.threads,
        row.ms_per_step,
        row.ms_median,
        row.steps_per_s,
        row.ns_per_agent,
        percent(row.overlap_mean),
        percent(row.overlap_max)
    )
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

fn ratio_line(ratio: &Ratio) -> String {
    let asked = match (ratio.at_least, ratio.at_most) {
        (Some(least), _) => format!("at least {least}"),
        (_, Some(most)) => format!("at most {most}"),
        _ => String::new(),
    };
    let verdict = match ratio.holds() {
        Some(true) => "holds",
        Some(false) => "MISSED",
        None => "",
    };
    format!("  {:<70}{:>8.2} x  {asked:<13}{verdict}", ratio.name, ratio.value)
}

fn crowding_line(crowding: &Crowding) -> String {
    let from = crowding.from_seconds;
    format!(
        "  {:<34}{:>8}{:>14}{:>12}{:>12}{:>10.3}/min{:>8.2} m/s",
        format!("{}, {}", crowding.scene, named(&crowding.who)),
        crowding.agents,
        format!("{from:.0} to {:.0}", from + crowding.seconds),
        percent(crowding.overlap_mean),
        percent(crowding.overlap_max),
        crowding.collisions_per_agent_minute,
        crowding.mean_speed
    )
}

fn arrival_line(arrival: &Arrival) -> String {
    let seconds = |s: Option<f64>| s.map_or_else(|| "never".to_owned(), |s| format!("{s:.1} s"));
    format!(
        "  {:<34}{:>8}{:>14}{:>12}{:>12}{:>10.3}/min{:>10.2}/s",
        format!("seed {}, {}", arrival.seed, named(&arrival.who)),
        format!("{}/{}", arrival.arrived, arrival.agents),
        seconds(arrival.seconds),
        seconds(arrival.median_seconds),
        percent(arrival.overlap_max),
        arrival.collisions_per_agent_minute,
        arrival.turn_changes_per_agent_second
    )
}
