//! `throng bench character`: characters skinned once beside characters skinned in every view.

pub(crate) const HELP: &str = "\
Examples:
  throng bench character
  throng bench character --agents 500 --many 3000 --json > character.json

Draws froblins on the valley's bare ground from its valley camera, at 1280 x 720, with shadows: skinned once
for all views, skinned in every view, and everybody at the finest. Then one whole frame of the valley with
as many as --many says. Of the first two the best of two frames counts; of the others, which take minutes in software,
there is one.";

/// What `throng bench character` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Characters of the comparison
    #[arg(long, default_value_t = 3000, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    agents: u32,
    /// Characters of the whole valley
    #[arg(long, default_value_t = 65_536, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    many: u32,
    /// Part of the name of the GPU to take, its driver or API [default: the fastest]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(args: &Args) -> Result<(), crate::failure::Failure> {
    let Args { agents: _, many: _, adapter: _, json: _ } = args;
    Err(throng::BackendError::NotBuilt.into())
}

#[cfg(feature = "gpu")]
pub(crate) use built::run;

#[cfg(feature = "gpu")]
mod built {
    use super::Args;
    use crate::failure::Failure;
    use crate::run::count;
    use crate::{say, say_json};
    use throng_bench::character::{Options, Row, run as measure};

    pub(crate) fn run(args: &Args) -> Result<(), Failure> {
        let options = Options {
            agents: args.agents,
            many: args.many,
            adapter: args.adapter.clone(),
            folder: crate::cache::folder("characters"),
            ..Options::default()
        };
        let bench = super::super::measured("ways", |told| measure(&options, told))?;
        if args.json {
            return say_json(&bench);
        }
        let [w, h] = bench.size;
        say(&format!("{}: {w} x {h}\n", bench.adapter))?;
        say(&format!(
            "{:<24}{:>10}{:>10}{:>8}{:>28}",
            "way", "people", "ms", "times", "drawn, near to far"
        ))?;
        bench.rows.iter().try_for_each(|row| say(&line(row)))
    }

    fn line(row: &Row) -> String {
        format!(
            "{:<24}{:>10}{:>10.0}{:>8.2}{:>28}",
            row.way,
            count(row.agents as u64),
            row.ms,
            row.times_longer,
            row.drawn.map(|n| count(u64::from(n))).join(", ")
        )
    }
}
