//! `throng bench grass`: the meadow swaying alone, trodden, parting, and afterwards.

pub(crate) const HELP: &str = "\
Examples:
  throng bench grass
  throng bench grass --frames 5 --json > grass.json

Draws the meadow in one run at 640 x 360: without its grass, with grass that sways alone, trodden by 4,096 people,
with blades that part near the camera, and after all have gone. Medians count.";

/// What `throng bench grass` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// People in the meadow
    #[arg(long, default_value_t = 4096, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    agents: u32,
    /// Frames of each kind
    #[arg(long, default_value_t = 9, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..1000))]
    frames: u32,
    /// Part of the name of the GPU to take, its driver or API [default: the fastest]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn run(args: &Args) -> Result<(), crate::failure::Failure> {
    let Args { agents: _, frames: _, adapter: _, json: _ } = args;
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
    use throng_bench::grass::{Options, run as measure};

    pub(crate) fn run(args: &Args) -> Result<(), Failure> {
        let options = Options {
            agents: args.agents,
            frames: args.frames as usize,
            adapter: args.adapter.clone(),
            ..Options::default()
        };
        let b = super::super::measured("parts", |told| measure(&options, told))?;
        if args.json {
            return say_json(&b);
        }
        let [w, h] = b.size;
        say(&format!(
            "{}: {} billboards of {:.1} bytes, {} people, {w} x {h}\n",
            b.adapter,
            count(u64::from(b.billboards)),
            b.bytes_per_billboard,
            count(b.agents as u64)
        ))?;
        let row = |what: &str, ms: f64, beside: String| {
            say(&format!("{what:<34}{ms:>10.1} ms   {beside}"))
        };
        row("without grass", b.bare_ms, String::new())?;
        row("swaying", b.idle_ms, format!("the grass of it {:.1} ms", b.grass_ms))?;
        row(
            "treading down, a step",
            b.trample_ms,
            format!("{:.1} % of the grass", 100.0 * b.trample_share),
        )?;
        let lattices = format!(
            "{:.2} times swaying, {} clumps parted",
            b.parted_times,
            count(u64::from(b.lattices))
        );
        row("parting near the camera", b.parted_ms, lattices)?;
        let after =
            format!("{:.3} times swaying, {} clumps parted", b.after_times, b.lattices_after);
        row("after all have gone", b.after_ms, after)
    }
}
