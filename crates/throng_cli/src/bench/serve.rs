//! `throng bench serve`: what clients cost the crowd, and what they get.
//!
//! One crowd runs as fast as it can, by turns without clients and with some; the ratio of the two speeds is what
//! counts. Then one client stops reading, and the others should not notice.

use crate::failure::Failure;
use crate::run::count;
use crate::{say, say_json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use throng::world::scene::check_file;
use throng::{BuildOptions, Simulation, SimulationOptions};
use throng_remote::client::{Client, ClientOptions, News};
use throng_remote::engine::{Engine, Live, LiveOptions};
use throng_remote::protocol::Call;
use throng_remote::server::{ServeOptions, Server};

/// What `throng bench serve` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scene
    #[arg(default_value = "froblins")]
    scene: PathBuf,
    /// So many people instead of the scene's own number
    #[arg(long, value_name = "N")]
    agents: Option<u32>,
    /// Clients
    #[arg(long, value_name = "N", default_value_t = 4)]
    clients: usize,
    /// Seconds of each turn
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = crate::run::positive)]
    seconds: f64,
    /// Turns without and with clients
    #[arg(long, value_name = "N", default_value_t = 6)]
    turns: u32,
    /// Goes on with clients for so many minutes once the past that is remembered has filled its room, and tells
    /// the memory
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    minutes: f64,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// The past fills its room in about four minutes of simulated time.
const LONGEST_FILL: Duration = Duration::from_secs(900);

#[derive(Debug, Default, serde::Serialize)]
struct Figures {
    people: u32,
    clients: usize,
    /// Steps per second, turn by turn.
    alone: Vec<f64>,
    watched: Vec<f64>,
    /// Speed with clients, as a share of the speed without.
    kept: f64,
    /// Processor time of a step without clients, as a share of that with them: the same on a machine that does other
    /// things too. The clients' own work is in it.
    kept_by_cpu: Option<f64>,
    /// Frames per second of the slowest client.
    least_fps: f64,
    frames: u64,
    torn: u64,
    bytes_per_agent: f64,
    /// Frames that went to the client that took none in, and seconds until it was cut off.
    stalled_frames: u64,
    cut_off_after: Option<f64>,
    /// Frames per second of the slowest other client meanwhile.
    others_fps: f64,
    /// Resident memory (megabytes), minute by minute.
    memory_mb: Vec<f64>,
}

/// What a client has counted.
#[derive(Default)]
struct Tally {
    frames: AtomicU64,
    torn: AtomicU64,
    bytes: AtomicU64,
    agents: AtomicU64,
}

struct Watcher {
    tally: Arc<Tally>,
    stop: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Output(error.to_string())
}

/// A client that takes in whatever comes.
fn watch(address: SocketAddr) -> Result<Watcher, Failure> {
    let mut client = Client::connect(address, &ClientOptions::default()).map_err(failed)?;
    client.call(&Call::Frames { fps: 30.0, rect: None, most: None }).map_err(failed)?;
    let (tally, stop) = (Arc::new(Tally::default()), Arc::new(AtomicBool::new(false)));
    let (counted, stopped) = (tally.clone(), stop.clone());
    let thread = std::thread::spawn(move || {
        while !stopped.load(Ordering::Relaxed) {
            match client.next_news(Instant::now() + Duration::from_millis(200)) {
                Ok(Some(News::Frame(frame, bytes))) => {
                    counted.frames.fetch_add(1, Ordering::Relaxed);
                    counted.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
                    counted.agents.fetch_add(frame.ids.len() as u64, Ordering::Relaxed);
                }
                Ok(_) => {}
                // A frame whose checksum is wrong, or an end that nobody asked for.
                Err(_) => {
                    counted.torn.fetch_add(1, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
    Ok(Watcher { tally, stop, thread })
}

/// The step the crowd is at.
fn step(engine: &Engine) -> u64 {
    let status = engine.feed.status().borrow().clone();
    let value: serde_json::Value = serde_json::from_str(&status).unwrap_or_default();
    value["status"]["step"].as_u64().unwrap_or(0)
}

/// Steps per second over some time.
fn pace(engine: &Engine, seconds: f64) -> f64 {
    // A whole number of counters: wait for one, count to another.
    let edge = |last: u64| {
        let end = Instant::now() + Duration::from_secs(20);
        while step(engine) == last && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
        (step(engine), Instant::now())
    };
    let (from, began) = edge(step(engine));
    std::thread::sleep(Duration::from_secs_f64(seconds));
    let (to, ended) = edge(step(engine));
    (to - from) as f64 / (ended - began).as_secs_f64()
}

/// Steps per second over some time; the processor time of a step, where the system tells.
fn costed(engine: &Engine, seconds: f64, costs: &mut Vec<f64>) -> f64 {
    let (from, before) = (step(engine), cpu_seconds());
    let pace = pace(engine, seconds);
    if let (Some(before), Some(after)) = (before, cpu_seconds()) {
        costs.push((after - before) / (step(engine) - from).max(1) as f64);
    }
    pace
}

/// Processor time of this program so far (seconds): a hundredth each, as Linux counts.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let mut fields = after_name.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// What clients leave of the speed: each turn with them beside those without, before and after it. What else
/// the machine does comes and goes, and is on both sides.
fn kept(alone: &[f64], watched: &[f64]) -> f64 {
    let beside = alone.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let ratios: Vec<f64> =
        watched.iter().zip(beside).map(|(with, without)| with / without).collect();
    median(&ratios)
}

/// Resident memory (megabytes), where the system tells.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kb| kb / 1024.0)
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let options = BuildOptions { agents: args.agents, ..BuildOptions::default() };
    let problems = |e| crate::run::Job::new(&args.scene.to_string_lossy()).problems(&e);
    let (_, world) = check_file(&args.scene, &options).map_err(problems)?;
    let simulation = Simulation::new(world, SimulationOptions::default()).map_err(failed)?;
    let live = LiveOptions { agents: args.agents, speed: 32.0, ..LiveOptions::default() };
    let live = Live::new(simulation, live).map_err(failed)?;
    let (engine, thread) = Engine::start(Box::new(live)).map_err(failed)?;
    let server = Server::bind(engine.clone(), ServeOptions::default()).map_err(failed)?;
    let (address, stop) = (server.address(), server.stopper());
    let serving = std::thread::spawn(move || server.run());
    let figures = measure(args, &engine, address);
    stop.stop();
    drop(engine);
    let _ = (serving.join(), thread.join());
    let figures = figures?;
    if args.json { say_json(&figures) } else { say(&text(&figures)) }
}

fn measure(args: &Args, engine: &Engine, address: SocketAddr) -> Result<Figures, Failure> {
    let mut figures = Figures { clients: args.clients, ..Figures::default() };
    // The first steps find their memory.
    pace(engine, args.seconds.min(3.0));
    figures.least_fps = f64::INFINITY;
    let (mut alone, mut watched) = (Vec::new(), Vec::new());
    for _ in 0..args.turns.max(1) {
        figures.alone.push(costed(engine, args.seconds, &mut alone));
        let watchers: Vec<_> =
            (0..args.clients).map(|_| watch(address)).collect::<Result<_, _>>()?;
        let before: Vec<u64> = frames(&watchers);
        let began = Instant::now();
        figures.watched.push(costed(engine, args.seconds, &mut watched));
        let seconds = began.elapsed().as_secs_f64();
        let after = frames(&watchers);
        let fps = after.iter().zip(&before).map(|(a, b)| (a - b) as f64 / seconds);
        figures.least_fps = fps.fold(figures.least_fps, f64::min);
        end(watchers, &mut figures);
    }
    figures.alone.push(pace(engine, args.seconds));
    figures.kept_by_cpu = (!alone.is_empty()).then(|| median(&alone) / median(&watched));
    figures.kept = kept(&figures.alone, &figures.watched);
    stall(args, address, &mut figures)?;
    if args.minutes > 0.0 {
        let watchers: Vec<_> =
            (0..args.clients).map(|_| watch(address)).collect::<Result<_, _>>()?;
        fill(engine);
        let minutes = args.minutes.ceil() as u32;
        for _ in 0..=minutes {
            figures.memory_mb.extend(memory());
            std::thread::sleep(Duration::from_secs_f64(60.0 * args.minutes / f64::from(minutes)));
        }
        end(watchers, &mut figures);
    }
    Ok(figures)
}

/// Waits until the past that is remembered has filled its room: from then on memory has no reason to grow.
fn fill(engine: &Engine) {
    let began = Instant::now();
    while began.elapsed() < LONGEST_FILL && !engine.feed.history().is_full() {
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn frames(watchers: &[Watcher]) -> Vec<u64> {
    watchers.iter().map(|w| w.tally.frames.load(Ordering::Relaxed)).collect()
}

fn end(watchers: Vec<Watcher>, figures: &mut Figures) {
    let (mut bytes, mut agents) = (0, 0);
    for watcher in watchers {
        watcher.stop.store(true, Ordering::Relaxed);
        let _ = watcher.thread.join();
        let tally = &watcher.tally;
        let frames = tally.frames.load(Ordering::Relaxed);
        figures.frames += frames;
        figures.torn += tally.torn.load(Ordering::Relaxed);
        bytes += tally.bytes.load(Ordering::Relaxed);
        agents += tally.agents.load(Ordering::Relaxed);
        figures.people = (tally.agents.load(Ordering::Relaxed) / frames.max(1)) as u32;
    }
    figures.bytes_per_agent = bytes as f64 / agents.max(1) as f64;
}

/// One client stops to take frames in; the others go on.
fn stall(args: &Args, address: SocketAddr, figures: &mut Figures) -> Result<(), Failure> {
    let watchers: Vec<_> =
        (1..args.clients.max(2)).map(|_| watch(address)).collect::<Result<_, _>>()?;
    let mut stalled = Client::connect(address, &ClientOptions::default()).map_err(failed)?;
    stalled.acknowledges = false;
    let (before, began) = (frames(&watchers), Instant::now());
    while began.elapsed() < Duration::from_secs(30) {
        match stalled.next_news(Instant::now() + Duration::from_millis(100)) {
            Ok(Some(News::Frame(..))) => figures.stalled_frames += 1,
            Ok(_) => {}
            Err(_) => {
                figures.cut_off_after = Some(began.elapsed().as_secs_f64());
                break;
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let fps = frames(&watchers).into_iter().zip(before).map(|(a, b)| (a - b) as f64 / seconds);
    figures.others_fps = fps.fold(f64::INFINITY, f64::min);
    end(watchers, figures);
    Ok(())
}

fn text(f: &Figures) -> String {
    let cut = f.cut_off_after.map_or_else(|| "never".into(), |s| format!("after {s:.1} s"));
    let mut text = format!(
        "{} people, {} clients\n\
         steps per second      {:.1} alone, {:.1} watched: {:.0} % kept ({} by processor time)\n\
         frames per second     {:.1} for the slowest client\n\
         frames                {}, {} torn\n\
         bytes                 {:.2} per agent and frame\n\
         who takes nothing in  {} frames, cut off {cut}; others {:.1} frames per second meanwhile",
        count(f.people.into()),
        f.clients,
        median(&f.alone),
        median(&f.watched),
        100.0 * f.kept,
        f.kept_by_cpu.map_or_else(|| "not known".into(), |part| format!("{:.0} %", 100.0 * part)),
        f.least_fps,
        f.frames,
        f.torn,
        f.bytes_per_agent,
        f.stalled_frames,
        f.others_fps,
    );
    if !f.memory_mb.is_empty() {
        let minutes: Vec<String> = f.memory_mb.iter().map(|mb| format!("{mb:.0}")).collect();
        text += &format!("\nmemory                {} MB, minute by minute", minutes.join(" "));
    }
    text
}
