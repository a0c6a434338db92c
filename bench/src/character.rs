//! What skinning once and classes of detail are worth: frames of the valley's crowd on bare ground, each way beside
//! the other, in one run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;
use throng_crowd::{Crowd, CrowdOptions, Instance};
use throng_gpu::{Adapters, Choice, Gpu, Options as Opening, describe, is_software};
use throng_render::{CLASSES, Canvas, Cast, FORMAT, Filters, Frame, Renderer, Shot};
use throng_world::{BuildOptions, Scene};

use crate::BenchError;

const SCENE: &str = "froblins";
const CAMERA: &str = "valley";

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// Characters.
    pub agents: u32,
    /// Characters of the last row, which is one whole frame with everything in it.
    pub many: u32,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Simulated seconds before the picture.
    pub at: f64,
    /// Frames of the first two ways, after one that is not counted; the best counts. Of the others, which take
    /// minutes in software, there is one.
    pub frames: usize,
    /// Part of an adapter's name.
    pub adapter: Option<String>,
    /// Where characters are kept once they are built.
    pub folder: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agents: 3000,
            many: 65_536,
            size: [1280, 720],
            at: 4.0,
            frames: 2,
            adapter: None,
            folder: None,
        }
    }
}

/// All that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterBench {
    /// Name, driver and API.
    pub adapter: String,
    /// Whether it draws on the CPU.
    pub software: bool,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// One for each way of drawing.
    pub rows: Vec<Row>,
}

/// One way of drawing.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which.
    pub way: String,
    /// Characters in the scene.
    pub agents: usize,
    /// A frame (milliseconds).
    pub ms: f64,
    /// Drawn in the picture, by class of detail from near to far.
    pub drawn: [u32; CLASSES],
    /// How many times longer than the first row.
    pub times_longer: f64,
}

struct Stage {
    gpu: Gpu,
    crowd: Crowd,
    instances: Vec<Instance>,
    renderer: Renderer,
}

impl Stage {
    fn new(gpu: &Gpu, options: &Options, agents: u32, scenery: bool) -> Result<Self, BenchError> {
        let build = BuildOptions { agents: Some(agents), ..BuildOptions::default() };
        let scene = Scene::builtin(SCENE).ok_or_else(|| failed(&"there is no valley"))?;
        let world = scene.build(&build).map_err(|_| failed(&"the valley cannot be built"))?;
        let dt = world.dt;
        let mut crowd = Crowd::new(world, CrowdOptions::default()).map_err(|e| failed(&e))?;
        let mut renderer = Renderer::new(gpu, FORMAT).map_err(|e| failed(&e))?;
        renderer.options.scenery = scenery;
        renderer.set_world(crowd.world(), Vec::new()).map_err(|e| failed(&e))?;
        let cast = Cast::load(crowd.world(), options.folder.as_deref()).map_err(|e| failed(&e))?;
        renderer.set_cast(crowd.world(), &cast).map_err(|e| failed(&e))?;
        while crowd.time() < options.at {
            crowd.step(dt).map_err(|e| failed(&e))?;
        }
        let mut instances = Vec::new();
        crowd.instances(&mut instances);
        Ok(Self { gpu: gpu.clone(), crowd, instances, renderer })
    }

    /// Draws frames, the first `unmeasured` of which do not count: they make what is made once.
    fn row(
        &mut self,
        way: &str,
        options: &Options,
        (unmeasured, frames): (usize, usize),
    ) -> Result<Row, BenchError> {
        let shot = Shot::named(CAMERA).ok_or_else(|| failed(&"no such camera"))?;
        let camera = shot.camera(self.crowd.world(), &self.instances);
        let camera = camera.ok_or_else(|| failed(&"nobody to look at"))?;
        let time = self.crowd.time() as f32;
        let frame = Frame { time, ..Frame::new(camera, &self.instances) };
        let canvas = Canvas::new(&self.gpu, options.size).map_err(|e| failed(&e))?;
        let mut best = Duration::MAX;
        for turn in 0..unmeasured + frames {
            let began = Instant::now();
            canvas.draw(&mut self.renderer, &frame).map_err(|e| failed(&e))?;
            if turn >= unmeasured {
                best = best.min(began.elapsed());
            }
        }
        Ok(Row {
            way: way.to_owned(),
            agents: self.instances.len(),
            ms: best.as_secs_f64() * 1e3,
            drawn: self.renderer.drawn().map_err(|e| failed(&e))?,
            times_longer: 1.0,
        })
    }
}

fn failed(error: &dyn std::fmt::Display) -> BenchError {
    BenchError::Gpu(error.to_string())
}

/// Measures all ways; calls back with what is done of how much.
///
/// # Errors
/// No GPU, or it fails.
pub fn run(
    options: &Options,
    mut progress: impl FnMut(usize, usize),
) -> Result<CharacterBench, BenchError> {
    let choice = options.adapter.clone().map_or(Choice::Fast, Choice::Named);
    let adapters = Adapters::find_now();
    let adapter = adapters.choose(&choice).map_err(|e| failed(&e))?;
    let gpu = Gpu::open_on(adapter, &Opening::default()).map_err(|e| failed(&e))?;
    let mut stage = Stage::new(&gpu, options, options.agents, false)?;
    let mut rows = vec![stage.row("skinned once", options, (1, options.frames))?];
    progress(1, 4);
    stage.renderer.options.skin_once = false;
    rows.push(stage.row("skinned in every view", options, (1, options.frames))?);
    progress(2, 4);
    // Pipelines are there, and a frame takes so long that nothing else counts.
    stage.renderer.options.skin_once = true;
    stage.renderer.options.filters = Filters { detail: false, ..Filters::default() };
    rows.push(stage.row("everybody near", options, (0, 1))?);
    progress(3, 4);
    drop(stage);
    let mut whole = Stage::new(&gpu, options, options.many, true)?;
    rows.push(whole.row("whole valley", options, (0, 1))?);
    progress(4, 4);
    let first = rows[0].ms;
    rows.iter_mut().for_each(|row| row.times_longer = row.ms / first);
    let info = gpu.info();
    Ok(CharacterBench {
        adapter: describe(info),
        software: is_software(info),
        size: options.size,
        rows,
    })
}
