//! `throng demo`: the froblin valley and a few small scenes as maps and clips, the valley drawn from three
//! cameras, and the fields of three built-in maps.

mod fields;
#[cfg(feature = "gpu")]
mod pictures;

use crate::failure::Failure;
use crate::run::{ColorChoice, HeatChoice, Job, MapRequest, count};
use crate::say;
use std::path::{Path, PathBuf};
use std::time::Instant;
use throng::glam::Vec2;
use throng::world::world::Rect;

/// What `throng demo` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng demo                 maps, clips and pictures in out/
  throng demo --out /tmp/demo

Takes a few minutes on two cores, most of it for pictures without a GPU. `throng run` makes the same of any scene.")]
pub(crate) struct Args {
    /// Folder for the pictures; made if missing
    #[arg(long, default_value = "out", value_name = "DIR")]
    out: PathBuf,

    /// People in the valley
    #[arg(long, default_value_t = 65_536, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    agents: u32,

    /// Seconds of the valley to simulate; the small scenes take no longer either
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = crate::run::positive)]
    seconds: f64,

    /// Pixels of the valley's stills across and down
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = crate::run::size)]
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "nothing is drawn"))]
    size: [u32; 2],

    /// Seconds of the valley's clip
    #[arg(long, value_name = "S", default_value_t = 3.0, value_parser = crate::run::positive)]
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "nothing is drawn"))]
    clip: f64,
}

impl Default for Args {
    fn default() -> Self {
        Self { out: "out".into(), agents: 65_536, seconds: 60.0, size: [1280, 720], clip: 3.0 }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let started = Instant::now();
    let out = args.out.as_path();
    std::fs::create_dir_all(out).map_err(|error| {
        Failure::Output(format!("cannot make the folder {}: {error}", out.display()))
    })?;
    fields::draw(out)?;
    for job in small_scenes(out, args.seconds) {
        show(&job)?;
    }
    let lives = count(u64::from(args.agents));
    say(&format!("the froblin valley, {:.0} seconds of {lives} lives:", args.seconds))?;
    show(&valley(args))?;
    #[cfg(feature = "gpu")]
    pictures::draw(args)?;
    let seconds = started.elapsed().as_secs();
    say(&format!("done in {seconds} s; look into {}", out.display()))
}

/// Runs a job and says in one line what came of it.
fn show(job: &Job) -> Result<(), Failure> {
    let done = job.run()?;
    let s = &done.summary;
    say(&format!(
        "wrote {}: {} people for {:.0} s, {} arrivals, {:.0} steps/s",
        s.written.join(", "),
        count(s.agents),
        s.sim_seconds,
        count(s.arrived),
        s.steps_per_s
    ))?;
    done.end()
}

/// The valley: everybody by what they do, where it is crowded, and the ghost's way seen from near.
fn valley(args: &Args) -> Job {
    let out = args.out.as_path();
    let map = |name: &str| MapRequest {
        color: Some(ColorChoice::Action),
        ..MapRequest::new(out.join(name))
    };
    Job {
        agents: Some(args.agents),
        seconds: Some(args.seconds),
        maps: vec![
            map("froblins.png"),
            MapRequest { heat: Some(HeatChoice::Density), ..map("froblins-density.png") },
            MapRequest { frames: Some(120), ..map("froblins.gif") },
            MapRequest {
                frames: Some(120),
                view: Some(Rect { min: Vec2::new(85.0, 50.0), max: Vec2::new(225.0, 170.0) }),
                title: Some("The ghost takes a walk".into()),
                ..map("froblins-ghost.gif")
            },
        ],
        ..Job::new("froblins")
    }
}

/// Small scenes, each with the map that tells most about it.
fn small_scenes(out: &Path, most: f64) -> [Job; 3] {
    let map = |name: &str| MapRequest::new(out.join(name));
    [
        Job {
            seconds: Some(most.min(60.0)),
            maps: vec![MapRequest { frames: Some(150), ..map("two-way.gif") }],
            ..Job::new("two-way")
        },
        Job {
            seconds: Some(most.min(45.0)),
            maps: vec![MapRequest { heat: Some(HeatChoice::Waiting), ..map("bottleneck.png") }],
            ..Job::new("bottleneck")
        },
        Job { seconds: Some(most.min(60.0)), maps: vec![map("square.png")], ..Job::new("square") },
    ]
}
