//! `throng render`: stills and clips of a scene, drawn on the GPU without a display.
//!
//! `camera` reads where to look from, `light` by which sun, `studio` draws, `output` writes what was drawn.

mod camera;
mod light;
mod output;
mod studio;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::say;
pub(crate) use camera::CameraChoice;
pub(crate) use light::LightArgs;
pub(crate) use output::Output;
use std::path::PathBuf;
pub(crate) use studio::Studio;
use throng::BuildOptions;

/// What `throng render` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  throng render froblins --at 20 --out valley.png
  throng render square --camera close-up --at 60 --size 1920x1080 --out square.png
  throng render stadium --camera birds-eye --at 30 --seconds 10 --fps 12 --out stadium.gif
  throng render bottleneck --camera 2,-6,5,60,-25 --at 8 --out door.png
  throng render froblins --camera follow:17 --seconds 5 --fps 30 --out frames/
  throng render froblins --camera valley --time 20:10 --out evening.png

SCENE is one of those that `throng scenes` lists, or a file. Cameras: birds-eye, valley, close-up,
follow:N (behind agent N), map (straight down), or x,y,z,yaw,pitch in metres and degrees; z counts from
the ground, yaw from the x axis towards the y axis. North is the y axis.

OUT is a .png (one still), a .gif, an .mp4 (needs the program ffmpeg), or a directory for numbered
.png files. Works without a display; in
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
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = crate::run::size)]
    size: [u32; 2],
    /// Seed of every random choice [default: the scene's]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// File or directory: .png, .gif, .mp4, or a directory for .png files
    #[arg(long, value_name = "FILE|DIR")]
    out: PathBuf,
    #[command(flatten)]
    light: LightArgs,
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

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut output = Output::create(&args.out, args.fps)?;
    let options = BuildOptions { agents: args.agents, seed: args.seed, assets: None };
    let mut studio = Studio::new(&args.scene, &options, &args.light, args.quiet)?;
    let canvas = studio.canvas(args.size)?;
    let frames =
        if output.is_still() { 1 } else { (args.seconds * args.fps).round().max(1.0) as u64 };
    let last = studio.steps_at(args.at) + studio.steps_at((frames - 1) as f64 / args.fps);
    let progress = (!args.quiet).then(|| {
        Progress::new(&format!("{}: to {} s", args.scene.display(), args.at), last + frames)
    });
    let mut fixed = None;
    for number in 0..frames {
        let until = studio.steps_at(args.at + number as f64 / args.fps);
        studio.live_until(until, |step| {
            if let Some(progress) = &progress {
                progress.at(step + number);
            }
        })?;
        if let Some(progress) = &progress {
            progress.retitle(format!("{}: frame {} of {frames}", args.scene.display(), number + 1));
        }
        // A named place stays where it was in the first frame; only who follows moves.
        let camera = match fixed {
            Some(camera) if !args.camera.follows() => camera,
            _ => studio.camera(args.camera)?,
        };
        fixed = Some(camera);
        output.frame(number, &studio.draw(&canvas, camera)?)?;
    }
    drop(progress);
    let written = output.finish()?;
    let (people, time) = (studio.crowd.len(), studio.crowd.time());
    say(&format!("{written}: {people} people after {time:.1} s"))
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
