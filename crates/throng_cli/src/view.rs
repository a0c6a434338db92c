//! `throng view`: a window on a scene.

use crate::failure::Failure;
use crate::render::{CameraChoice, LightArgs};
use crate::run::size;
use crate::session::SessionArgs;
use std::path::PathBuf;
use throng::command::{CommandLog, Replay};
use throng::world::scene::check_file;
use throng::{Backend, BuildOptions, CrowdOptions, Simulation, SimulationOptions};
use throng_render::{Quality, RenderOptions};
use throng_view::{
    Files, Furnish, Made, Script, Session, SessionOptions, ViewError, WindowOptions, open,
};

/// What `throng view` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng view froblins
  throng view square --agents 500 --camera close-up
  throng view froblins --commands evening.jsonl     writes down all that you do
  throng run froblins --commands evening.jsonl      … and does it again, to the same hash
  throng view froblins --replay evening.jsonl       … for you to watch

SCENE is one of those that `throng scenes` lists, or a file.

Drag to turn, drag with the right button to shift, wheel to zoom; W A S D Q E fly (shift: fast). Space: pause;
full stop: one step; F: follow whoever is selected; O: orbit; R: record; P: a still; H: hide the panel;
escape: look away; delete: remove whoever is selected. A click tells of somebody, or uses the tool that is chosen.

Needs a display and a device that can draw on it. Exit codes: 0 closed, 1 no window, 2 the scene or the command
line is wrong.")]
pub(crate) struct Args {
    /// Scene file, or name of a scene that ships
    scene: PathBuf,
    #[command(flatten)]
    session: SessionArgs,
    /// Where the crowd lives; on the GPU it is drawn from there
    #[arg(long, value_enum, default_value_t = crate::run::BackendChoice::Cpu)]
    backend: crate::run::BackendChoice,
    /// Part of the name of the GPU to draw with [default: the fastest]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Pixels of the window across and down
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Where to look from at first: birds-eye, valley, close-up, follow:N, map, or x,y,z,yaw,pitch
    #[arg(
        long,
        value_name = "NAME|X,Y,Z,YAW,PITCH",
        default_value = "birds-eye",
        allow_hyphen_values = true
    )]
    camera: CameraChoice,
    /// How much a picture may cost
    #[arg(long, value_enum, default_value_t = QualityChoice::Auto)]
    quality: QualityChoice,
    #[command(flatten)]
    light: LightArgs,
    /// Do again what such a file says
    #[arg(long, value_name = "LOG", conflicts_with_all = ["agents", "seed"])]
    replay: Option<PathBuf>,
    /// Where the record button writes: a .gif, or a directory for .png files
    #[arg(long, value_name = "FILE|DIR", default_value = "throng-view.gif")]
    record: PathBuf,
    /// Input from a file, for tests
    #[arg(long, value_name = "FILE", hide = true)]
    script: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum QualityChoice {
    /// Draft on a device made of software, else full
    Auto,
    /// Plain shadows, no dark corners
    Draft,
    /// As `throng render`
    Full,
}

impl QualityChoice {
    fn on(self, gpu: &throng_gpu::Gpu) -> Quality {
        match self {
            Self::Auto if throng_gpu::is_software(gpu.info()) => Quality::Draft,
            Self::Draft => Quality::Draft,
            Self::Auto | Self::Full => Quality::Full,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let usage = |error: ViewError| Failure::Usage(error.to_string());
    let script = args.script.as_deref().map(Script::read).transpose().map_err(usage)?;
    let replay = args.replay.as_deref().map(CommandLog::read).transpose();
    let replay = replay.map_err(|e| Failure::Usage(e.to_string()))?.map(Replay::new);
    let (agents, seed) = match &replay {
        Some(replay) => (replay.head().agents, replay.head().seed),
        None => (args.session.agents, args.session.seed),
    };
    let options = BuildOptions { agents, seed, assets: None };
    let problems = |e| crate::run::Job::new(&args.scene.to_string_lossy()).problems(&e);
    let (_, world) = check_file(&args.scene, &options).map_err(problems)?;
    if let Some(replay) = &replay {
        crate::run::check_scene(replay, &world)?;
    }
    let window = WindowOptions {
        title: format!("throng: {}", world.title),
        size: args.size,
        adapter: args.adapter.clone(),
        files: Files {
            clip: args.record.clone(),
            still: format!("{}.png", world.name).into(),
            log: format!("{}-commands.jsonl", world.name).into(),
        },
        script,
    };
    let session = SessionOptions {
        agents,
        seed,
        commands: args.session.commands.clone(),
        replay,
        paused: args.session.paused,
        speed: args.session.speed as f32,
        ..SessionOptions::default()
    };
    let (backend, choice) = (Backend::from(args.backend), args.camera);
    let (quality, light) = (args.quality, args.light.clone());
    let make = move |gpu: &throng_gpu::Gpu| {
        let quality = quality.on(gpu);
        let as_made = world.clone();
        let furnish: Furnish = Box::new(move |renderer| {
            renderer.options = RenderOptions::of(quality);
            let furnished = light.furnish(renderer, &as_made, false);
            furnished.map_err(|e| ViewError::NoPicture(e.to_string()))
        });
        let crowd = CrowdOptions { seed, ..CrowdOptions::default() };
        let options = SimulationOptions { crowd, ..SimulationOptions::default() };
        let simulation = match backend {
            Backend::Gpu => Simulation::on_gpu(gpu, world, options),
            backend => Simulation::new(world, SimulationOptions { backend, ..options }),
        };
        let simulation = simulation.map_err(|e| ViewError::NoCrowd(e.to_string()))?;
        let mut session = Session::new(simulation, session)?;
        let agents = session.instances()?.to_vec();
        let camera = choice.camera(session.world()?, &agents);
        let camera = camera.map_err(|e| ViewError::NoCrowd(e.to_string()))?;
        Ok(Made { session, camera, furnish })
    };
    open(window, Box::new(make)).map_err(|error| match error {
        ViewError::NoCrowd(_) => Failure::Usage(error.to_string()),
        ViewError::NoDisplay(_) | ViewError::NoGpu(_) => Failure::NoWindow(error.to_string()),
        error => Failure::Output(error.to_string()),
    })
}
