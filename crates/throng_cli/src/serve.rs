//! `throng serve`: a scene or a recording in the browser.

use crate::failure::Failure;
use crate::run::{BackendChoice, Interrupt};
use crate::say;
use crate::session::SessionArgs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use throng::record::{Columns, FileOptions};
use throng::world::scene::check_file;
use throng::{BuildOptions, CrowdOptions, Simulation, SimulationOptions};
use throng_remote::engine::{Engine, Live, LiveOptions, Recording, RecordingOptions, Source};
use throng_remote::server::{ServeError, ServeOptions, Server, new_token};

/// Endings of recordings.
const RECORDINGS: [&str; 6] = ["sqlite", "txt", "parquet", "csv", "h5", "hdf5"];
/// How often Ctrl-C is looked for.
const GLANCE: Duration = Duration::from_millis(100);

/// What `throng serve` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng serve froblins --open
  throng serve square --agents 500 --commands evening.jsonl   writes down all that is done to the crowd
  throng run square --commands evening.jsonl                  … and does it again, to the same hash
  throng serve run.sqlite                                     a recording: ours, JuPedSim's, PedPy's
  throng serve uo-050-180-180.txt --fps 16 --unit cm --geometry walkable_area.wkt
  throng serve obsmat.txt --fps 25 --columns frame,id,x,z,y
  throng serve froblins --bind 0.0.0.0                        for others, who need the token it tells

The page is part of the program. It can be reached from this machine alone, unless --bind says otherwise; then
clients need a token, and the connection is not encrypted: put a proxy with TLS before it where others listen.
Ctrl-C ends it. Exit codes: 0 ended, 1 no port, 2 the scene or the command line is wrong.")]
pub(crate) struct Args {
    /// Scene file, name of a scene that ships, or a recording (.sqlite, .txt, .parquet, .csv, .h5)
    what: PathBuf,
    /// Port; 0: any that is free
    #[arg(long, value_name = "N", default_value_t = 8017)]
    port: u16,
    /// Address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// What clients must know [default: none on this machine alone, else one that nobody can guess]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// A name that the server goes by, besides localhost and its address; may be given several times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Clients at once
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=200))]
    clients: u32,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    session: SessionArgs,
    /// Where the crowd lives
    #[arg(long, value_enum, default_value_t = BackendChoice::Cpu)]
    backend: BackendChoice,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Of a recording: frames per second, if it does not tell
    #[arg(long, value_name = "F", value_parser = crate::run::positive)]
    fps: Option<f64>,
    /// Of a recording: its unit of length, if it does not tell
    #[arg(long, value_enum)]
    unit: Option<Unit>,
    /// Of a recording: names of its columns, such as frame,id,x,z,y
    #[arg(long, value_name = "NAMES", value_parser = Columns::parse)]
    columns: Option<Columns>,
    /// Of a recording: the walkable area as WKT, in metres [default: in the file, or walkable_area.wkt beside it]
    #[arg(long, value_name = "FILE")]
    geometry: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Unit {
    /// Metres
    M,
    /// Centimetres
    Cm,
    /// Millimetres
    Mm,
}

impl Unit {
    fn metres(self) -> f32 {
        match self {
            Self::M => 1.0,
            Self::Cm => 0.01,
            Self::Mm => 0.001,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let ending = args.what.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let recorded = RECORDINGS.contains(&ending.to_ascii_lowercase().as_str());
    let source: Box<dyn Source> = match recorded {
        true => Box::new(args.recording()?),
        false => Box::new(args.live()?),
    };
    let token = match (&args.token, args.bind.is_loopback()) {
        (Some(token), _) => Some(token.clone()),
        (None, true) => None,
        (None, false) => Some(new_token().map_err(Failure::Output)?),
    };
    let options = ServeOptions {
        bind: args.bind,
        port: args.port,
        token,
        names: args.host.clone(),
        most_clients: args.clients,
        ..ServeOptions::default()
    };
    let interrupt = Interrupt::watch()?;
    let (engine, thread) = Engine::start(source).map_err(|e| Failure::Output(e.text))?;
    let server = Server::bind(engine, options).map_err(|error| match error {
        ServeError::BadToken(_) | ServeError::NeedsToken(_) => Failure::Usage(error.to_string()),
        error => Failure::Output(error.to_string()),
    })?;
    let (url, stop) = (server.url(), server.stopper());
    say(&format!("{} at {url}", args.what.display()))?;
    if args.open {
        open_browser(&url);
    }
    std::thread::spawn(move || {
        while interrupt.seen().is_none() {
            std::thread::sleep(GLANCE);
        }
        stop.stop();
    });
    server.run().map_err(|error| Failure::Output(error.to_string()))?;
    // The log ends with a hash, and files are whole.
    let _ = thread.join();
    Ok(())
}

impl Args {
    fn live(&self) -> Result<Live, Failure> {
        let options =
            BuildOptions { agents: self.session.agents, seed: self.session.seed, assets: None };
        let problems = |e| crate::run::Job::new(&self.what.to_string_lossy()).problems(&e);
        let (_, world) = check_file(&self.what, &options).map_err(problems)?;
        let threads = self.threads.map(usize::from);
        let crowd = CrowdOptions { seed: self.session.seed, threads, ..CrowdOptions::default() };
        let backend = self.backend.into();
        let options = SimulationOptions { backend, crowd, ..SimulationOptions::default() };
        let made = Simulation::new(world, options);
        let simulation = made.map_err(|error| Failure::Usage(error.to_string()))?;
        let options = LiveOptions {
            agents: self.session.agents,
            seed: self.session.seed,
            commands: self.session.commands.clone(),
            paused: self.session.paused,
            speed: self.session.speed as f32,
        };
        Live::new(simulation, options).map_err(|error| Failure::Output(error.to_string()))
    }

    fn recording(&self) -> Result<Recording, Failure> {
        for (option, given) in [
            ("agents", self.session.agents.is_some()),
            ("seed", self.session.seed.is_some()),
            ("commands", self.session.commands.is_some()),
        ] {
            if given {
                return Err(Failure::Usage(format!(
                    "--{option} is for scenes; this is a recording"
                )));
            }
        }
        let read = |path: &Path| {
            std::fs::read_to_string(path)
                .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
        };
        let beside = self.what.with_file_name("walkable_area.wkt");
        let geometry = match &self.geometry {
            Some(path) => Some(read(path)?),
            None => beside.is_file().then(|| read(&beside)).transpose()?,
        };
        let unit = self.unit.map(Unit::metres);
        let options = RecordingOptions {
            file: FileOptions { fps: self.fps, unit, columns: self.columns },
            geometry,
            paused: self.session.paused,
            speed: self.session.speed as f32,
        };
        let recording = Recording::open(&self.what, &options);
        let recording = recording.map_err(|error| Failure::Usage(error.to_string()))?;
        for notice in recording.notices() {
            eprintln!("throng: {notice}");
        }
        Ok(recording)
    }
}

/// Shows the page; where there is no browser the address has been told.
fn open_browser(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let null = std::process::Stdio::null;
    let opened = std::process::Command::new(program).arg(url).stdout(null()).stderr(null()).spawn();
    if opened.is_err() {
        eprintln!("throng: no browser could be opened; the address is above");
    }
}
