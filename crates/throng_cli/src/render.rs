//! `throng render`: stills and clips of a scene, drawn on the GPU without a display.
//!
//! `camera` reads where to look from, `output` writes what was drawn.

mod camera;
mod output;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::say;
pub(crate) use camera::CameraChoice;
use output::Output;
use std::path::PathBuf;
use throng::world::scene::check_file;
use throng::{BuildOptions, Crowd, CrowdOptions};
use throng_gpu::{Gpu, Options};
use throng_render::{Canvas, FORMAT, Frame, Hazard, Renderer};

/// What `throng render` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng render froblins --at 20 --out valley.png
  throng render square --camera close-up --at 60 --size 1920x1080 --out square.png
  throng render stadium --camera birds-eye --at 30 --seconds 10 --fps 12 --out stadium.gif
  throng render bottleneck --camera 2,-6,5,60,-25 --at 8 --out door.png
  throng render froblins --camera follow:17 --seconds 5 --fps 30 --out frames/

SCENE is one of those that `throng scenes` lists, or a file. Cameras: birds-eye, valley, close-up,
follow:N (behind agent N), map (straight down), or x,y,z,yaw,pitch in metres and degrees; z counts from
the ground, yaw from the x axis towards the y axis.

OUT is a .png (one still), a .gif, or a directory for numbered .png files. Works without a display; in
software where there is no GPU (Mesa's llvmpipe).")]
pub(crate) struct Args {
    /// Scene file, or name of a scene that ships
    scene: PathBuf,
    /// So many people instead of the scene's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    agents: Option<u32>,
    /// Simulated time of the still, or of the first frame of a clip, in seconds
    #[arg(long, value_name = "T", default_value_t = 10.0, value_parser = not_negative)]
    at: f64,
    /// Length of a clip, in seconds
    #[arg(long, value_name = "S", default_value_t = 6.0, value_parser = crate::run::positive)]
    seconds: f64,
    /// Frames per second of a clip
    #[arg(long, value_name = "F", default_value_t = 12.0, value_parser = crate::run::positive)]
    fps: f64,
    /// Where to look from: birds-eye, valley, close-up, follow:N, map, or x,y,z,yaw,pitch
    #[arg(
        long,
        value_name = "NAME|X,Y,Z,YAW,PITCH",
        default_value = "birds-eye",
        allow_hyphen_values = true
    )]
    camera: CameraChoice,
    /// Pixels across and down
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Seed of every random choice [default: the scene's]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// File or directory: .png, .gif, or a directory for .png files
    #[arg(long, value_name = "FILE|DIR")]
    out: PathBuf,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("must be a number of at least 0".into()),
    }
}

/// The most pixels along a side, by WebGPU's default limits.
const LARGEST: u32 = 8192;

pub(crate) fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |part: &str| part.parse().ok().filter(|side| (1..=LARGEST).contains(side));
    let sides = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| format!("must be pixels as 1280x720, sides of 1 to {LARGEST}"))
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut output = Output::create(&args.out, args.fps)?;
    let options = BuildOptions { agents: args.agents, seed: args.seed, assets: None };
    let problems = |e| crate::run::Job::new(&args.scene.to_string_lossy()).problems(&e);
    let (_, world) = check_file(&args.scene, &options).map_err(problems)?;
    let dt = world.dt;
    let scene = args.scene.display().to_string();
    let crowd = Crowd::new(world, CrowdOptions { seed: args.seed, ..CrowdOptions::default() });
    let mut crowd = crowd.map_err(|error| Failure::Crowd { scene, error })?;
    let gpu = Gpu::open(&Options::default()).map_err(gpu_failed)?;
    let mut renderer = Renderer::new(&gpu, FORMAT).map_err(failed)?;
    renderer.set_world(crowd.world(), Vec::new()).map_err(failed)?;
    let canvas = Canvas::new(&gpu, args.size).map_err(failed)?;
    let frames =
        if output.is_still() { 1 } else { (args.seconds * args.fps).round().max(1.0) as u64 };
    let steps_at = |time: f64| (time / f64::from(dt)).round() as u64;
    let total = steps_at(args.at) + steps_at((frames - 1) as f64 / args.fps) + frames;
    let progress = (!args.quiet)
        .then(|| Progress::new(&format!("{}: to {} s", args.scene.display(), args.at), total));
    let mut instances = Vec::new();
    let mut fixed = None;
    for number in 0..frames {
        let until = steps_at(args.at + number as f64 / args.fps);
        while crowd.steps() < until {
            let step = crowd.steps();
            crowd.step(dt).map_err(|error| Failure::Step { step, error })?;
            if let Some(progress) = &progress {
                progress.at(step + number);
            }
        }
        if let Some(progress) = &progress {
            progress.retitle(format!("{}: frame {} of {frames}", args.scene.display(), number + 1));
        }
        crowd.instances(&mut instances);
        // A named place stays where it was in the first frame; only who follows moves.
        let camera = match fixed {
            Some(camera) if !args.camera.follows() => camera,
            _ => args.camera.camera(crowd.world(), &instances)?,
        };
        fixed = Some(camera);
        let hazards = Hazard::of_world(crowd.world(), crowd.time());
        let time = crowd.time() as f32;
        let frame = Frame { hazards: &hazards, time, ..Frame::new(camera, &instances) };
        let pixels = canvas.draw(&mut renderer, &frame).map_err(failed)?;
        output.frame(number, &pixels)?;
    }
    if let Some(error) = gpu.take_errors().into_iter().next() {
        return Err(gpu_failed(error));
    }
    drop(progress);
    let written = output.finish()?;
    say(&format!("{written}: {} people after {:.1} s", crowd.len(), crowd.time()))
}

fn failed(error: throng_render::RenderError) -> Failure {
    match error {
        throng_render::RenderError::Camera { .. } => Failure::Usage(error.to_string()),
        _ => Failure::Output(error.to_string()),
    }
}

fn gpu_failed(error: throng_gpu::GpuError) -> Failure {
    Failure::Output(error.to_string())
}
