//! `throng bench replay`: how long a large recording takes to open and to seek in, as a client feels it.
//!
//! People walk on circles: what counts is how many rows there are, not how they came about.

use crate::failure::Failure;
use crate::run::count;
use crate::{say, say_json};
use glam::Vec2;
use std::f32::consts::TAU;
use std::path::Path;
use std::time::{Duration, Instant};
use throng::record::{AgentFrame, Geometry, TrajectoryOptions, TrajectoryWriter};
use throng::world::world::Rect;
use throng_remote::client::{Client, ClientOptions};
use throng_remote::engine::{Engine, Recording, RecordingOptions};
use throng_remote::protocol::Call;
use throng_remote::server::{ServeOptions, Server};

pub(super) const HELP: &str = "\
Examples:
  throng bench replay                              ten minutes of 10,000 people as JuPedSim's SQLite
  throng bench replay --format parquet --json

The file is written to the system's folder for such files (2 GB for SQLite) and removed again.";

/// What `throng bench replay` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// People
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    agents: u32,
    /// Length of the recording
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = crate::run::positive)]
    minutes: f64,
    /// Format of the file
    #[arg(long, value_enum, default_value_t = Format::Sqlite)]
    format: Format,
    /// Times that another moment is sought
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    seeks: u32,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Sqlite,
    Parquet,
    Txt,
    Csv,
}

#[derive(Debug, serde::Serialize)]
struct Figures {
    people: u32,
    frames: u64,
    megabytes: f64,
    write_s: f64,
    /// From the start of the server to its first frame at a client.
    open_s: f64,
    /// From a call to the frame it asks for.
    median_seek_ms: f64,
    slowest_seek_ms: f64,
}

const FPS: f64 = 10.0;

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Output(error.to_string())
}

fn write(path: &Path, people: u32, frames: u64) -> Result<(), Failure> {
    let n = people as usize;
    let side = (f64::from(people) * 4.0).sqrt() as f32;
    let area = Rect { min: Vec2::ZERO, max: Vec2::splat(side) };
    let options = TrajectoryOptions::every_step(1.0 / FPS);
    let mut writer =
        TrajectoryWriter::create(path, &options, &Geometry::of_rect(area)).map_err(failed)?;
    let ids: Vec<u32> = (0..people).collect();
    let group: Vec<u8> = ids.iter().map(|id| (id % 4) as u8).collect();
    let (action, radius) = (vec![0_u8; n], vec![0.2_f32; n]);
    let mut columns = [vec![0.0_f32; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    for frame in 0..frames {
        let time = frame as f64 / FPS;
        let [x, y, vx, vy] = &mut columns;
        for (i, id) in ids.iter().enumerate() {
            let around = 0.5 + (id % 40) as f32 * 0.1;
            let turn = (1.2 / around) * time as f32 + *id as f32;
            let (sin, cos) = (turn % TAU).sin_cos();
            let middle = |k: u32| 5.0 + (k as f32 * 0.618_034).fract() * (side - 10.0).max(0.0);
            (x[i], y[i]) = (middle(*id) + around * cos, middle(id * 7 + 3) + around * sin);
            (vx[i], vy[i]) = (-1.2 * sin, 1.2 * cos);
        }
        let frame = AgentFrame {
            step: frame,
            time,
            ids: &ids,
            x,
            y,
            vx,
            vy,
            group: &group,
            action: &action,
            radius: &radius,
        };
        writer.write(&frame).map_err(failed)?;
    }
    writer.finish().map_err(failed)
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(failed)?;
    let ending = format!("{:?}", args.format).to_lowercase();
    let path = folder.path().join(format!("recording.{ending}"));
    let frames = (args.minutes * 60.0 * FPS).ceil() as u64 + 1;
    let began = Instant::now();
    write(&path, args.agents, frames)?;
    let write_s = began.elapsed().as_secs_f64();
    let megabytes = path.metadata().map_err(failed)?.len() as f64 / 1e6;
    let began = Instant::now();
    let options = RecordingOptions { paused: true, ..RecordingOptions::default() };
    let recording = Recording::open(&path, &options).map_err(failed)?;
    let (engine, thread) = Engine::start(Box::new(recording)).map_err(failed)?;
    let server = Server::bind(engine, ServeOptions::default()).map_err(failed)?;
    let (address, stop) = (server.address(), server.stopper());
    let serving = std::thread::spawn(move || server.run());
    let mut client = Client::connect(address, &ClientOptions::default()).map_err(failed)?;
    let soon = Duration::from_secs(60);
    client.wait_for(soon, |c| c.frame.is_some()).map_err(failed)?;
    let open_s = began.elapsed().as_secs_f64();
    let mut seeks = Vec::new();
    for i in 1..=u64::from(args.seeks) {
        // Here and there, never where it just was.
        let step = (i * 0x9e37_79b9 + i * i * 7919) % frames;
        let began = Instant::now();
        client.call(&Call::Seek { step }).map_err(failed)?;
        let there = |c: &Client| c.frame.as_ref().is_some_and(|frame| frame.head.step == step);
        client.wait_for(soon, there).map_err(failed)?;
        seeks.push(began.elapsed().as_secs_f64() * 1e3);
    }
    drop(client);
    stop.stop();
    let _ = (serving.join(), thread.join());
    seeks.sort_by(f64::total_cmp);
    let figures = Figures {
        people: args.agents,
        frames,
        megabytes,
        write_s,
        open_s,
        median_seek_ms: seeks[seeks.len() / 2],
        slowest_seek_ms: seeks[seeks.len() - 1],
    };
    if args.json { say_json(&figures) } else { say(&text(&figures, &ending)) }
}

fn text(f: &Figures, format: &str) -> String {
    format!(
        "{} people, {} frames, {:.0} MB of {format} (written in {:.0} s)\n\
         first frame at a client  {:.2} s\n\
         another moment           {:.0} ms, at most {:.0} ms",
        count(f.people.into()),
        count(f.frames),
        f.megabytes,
        f.write_s,
        f.open_s,
        f.median_seek_ms,
        f.slowest_seek_ms,
    )
}
