//! `throng bench render`: pictures with filters beside pictures without.

pub(crate) const HELP: &str = "\
Examples:
  throng bench render
  throng bench render --agents 16384 --json > render.json
  throng bench render --camera valley --characters

Draws the froblin valley from three cameras, at 1280 x 720: with culling and levels of detail, and with
everything at full detail (people, who are stand-ins here, and props) and nothing culled. The best frame of each counts.";

/// What `throng bench render` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// People in the valley
    #[arg(long, default_value_t = 65_536, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    agents: u32,
    /// Part of the name of the GPU to take, its driver or API [default: the fastest]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// From this camera only [default: birds-eye, valley and close-up]
    #[arg(long, value_name = "NAME", value_parser = ["birds-eye", "valley", "close-up", "map"])]
    camera: Option<String>,
    /// Froblins instead of stand-ins: a billion triangles at full detail, which takes many minutes in software
    #[arg(long)]
    characters: bool,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(args: &Args) -> Result<(), crate::failure::Failure> {
    let Args { agents: _, adapter: _, camera: _, characters: _, json: _ } = args;
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
    use throng_bench::render::{Options, Row, run as measure};

    pub(crate) fn run(args: &Args) -> Result<(), Failure> {
        let usual = Options::default();
        let options = Options {
            cameras: args.camera.clone().map_or(usual.cameras.clone(), |name| vec![name]),
            characters: args.characters,
            agents: args.agents,
            adapter: args.adapter.clone(),
            folder: crate::cache::folder("characters"),
            ..usual
        };
        let bench = super::super::measured("frames", |told| measure(&options, told))?;
        if args.json {
            return say_json(&bench);
        }
        let [w, h] = bench.size;
        say(&format!("{}: {} people, {w} x {h}\n", bench.adapter, count(bench.agents as u64)))?;
        say(&format!(
            "{:<12}{:>12}{:>12}{:>8}{:>24}{:>26}{:>8}",
            "camera", "filtered ms", "full ms", "times", "near to far", "triangles", "draws"
        ))?;
        bench.rows.iter().try_for_each(|row| say(&line(row)))
    }

    fn line(row: &Row) -> String {
        let drawn = row.drawn.map(|n| count(u64::from(n))).join(", ");
        let [after, before] = row.triangles.map(count);
        format!(
            "{:<12}{:>12.0}{:>12.0}{:>8.1}{:>24}{:>26}{:>8}",
            row.camera,
            row.filtered_ms,
            row.full_ms,
            row.times_longer,
            drawn,
            format!("{after} of {before}"),
            row.draws[0]
        )
    }
}
