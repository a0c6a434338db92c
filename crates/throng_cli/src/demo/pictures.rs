//! The valley as the renderer shows it: stills from three cameras and a short clip.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::render::{CameraChoice, LightArgs, Output, Studio};
use crate::say;
use std::path::Path;
use throng::BuildOptions;
use throng_gpu::{Adapters, Choice};

/// Stills: camera, and file.
const STILLS: [(&str, &str); 3] = [
    ("birds-eye", "valley-birds-eye.png"),
    ("valley", "valley.png"),
    ("close-up", "valley-close-up.png"),
];
/// When they are taken, in seconds of the valley.
const AT: f64 = 12.0;
/// The clip: file, camera, pixels as a share of a still's, frames a second.
const CLIP: &str = "valley.gif";
const CLIP_CAMERA: &str = "close-up";
const CLIP_SHARE: f32 = 0.375;
const CLIP_FPS: f64 = 10.0;

/// Draws them, or says why not: the rest of the demo needs no graphics.
pub(super) fn draw(args: &super::Args) -> Result<(), Failure> {
    let (out, at) = (args.out.as_path(), AT.min(args.seconds));
    if Adapters::find_now().choose(&Choice::Fast).is_err() {
        return say("no GPU and no software one (Mesa's llvmpipe): the valley is not drawn in 3D");
    }
    let options = BuildOptions { agents: Some(args.agents), ..BuildOptions::default() };
    let mut studio = Studio::new(Path::new("froblins"), &options, &LightArgs::default(), false)?;
    let first = studio.steps_at(at);
    let frames = (args.clip * CLIP_FPS).round().max(1.0) as u64;
    let total = first + STILLS.len() as u64 + frames;
    let progress = Progress::new("pictures of the valley", total);
    studio.live_until(first, |step| progress.at(step))?;
    let canvas = studio.canvas(args.size)?;
    for (k, (camera, file)) in (0..).zip(STILLS) {
        let mut output = Output::create(&out.join(file), CLIP_FPS)?;
        let camera = studio.camera(named(camera)?)?;
        output.frame(0, &studio.draw(&canvas, camera)?)?;
        output.finish()?;
        progress.at(first + k);
    }
    let canvas = studio.canvas(args.size.map(|side| ((side as f32 * CLIP_SHARE) as u32).max(1)))?;
    let mut output = Output::create(&out.join(CLIP), CLIP_FPS)?;
    let camera = studio.camera(named(CLIP_CAMERA)?)?;
    for number in 0..frames {
        let until = studio.steps_at(at + number as f64 / CLIP_FPS);
        studio.live_until(until, |_| {})?;
        output.frame(number, &studio.draw(&canvas, camera)?)?;
        progress.at(first + STILLS.len() as u64 + number);
    }
    output.finish()?;
    drop(progress);
    let files = STILLS.map(|(_, file)| file).join(", ");
    say(&format!("wrote {files}, {CLIP}: the valley after {at:.0} s, from three cameras"))
}

fn named(camera: &str) -> Result<CameraChoice, Failure> {
    camera.parse().map_err(Failure::Usage)
}
