//! What culling and detail are worth: frames of the froblin valley with all filters, beside the same frames
//! with everything drawn at full detail, in one run. People are stand-ins, unless characters are asked for.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;
use throng_crowd::{Crowd, CrowdOptions, Instance};
use throng_gpu::{Adapters, Choice, Gpu, Options as Opening, describe, is_software};
use throng_render::{
    BodyMeshes, CLASSES, Canvas, Cast, FORMAT, Filters, Frame, Hazard, Renderer, Shot,
};
use throng_world::{BuildOptions, Scene};

use crate::BenchError;

const SCENE: &str = "froblins";

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// People in the valley.
    pub agents: u32,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Simulated seconds before the picture.
    pub at: f64,
    /// Frames with filters; the best counts.
    pub frames: usize,
    /// Frames of everything at full detail; the best counts.
    pub full_frames: usize,
    /// Part of an adapter's name.
    pub adapter: Option<String>,
    /// Characters instead of stand-ins; at full detail they are a billion triangles.
    pub characters: bool,
    /// Where characters are kept once they are built.
    pub folder: Option<PathBuf>,
    /// Names of cameras.
    pub cameras: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agents: 65_536,
            size: [1280, 720],
            at: 10.0,
            frames: 3,
            full_frames: 1,
            adapter: None,
            characters: false,
            folder: None,
            cameras: ["birds-eye", "valley", "close-up"].map(str::to_owned).to_vec(),
        }
    }
}

/// All that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct RenderBench {
    /// Name, driver and API.
    pub adapter: String,
    /// Whether it draws on the CPU.
    pub software: bool,
    /// People in the valley.
    pub agents: usize,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// One for each camera.
    pub rows: Vec<Row>,
}

/// One camera.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub camera: String,
    /// A frame with all filters (milliseconds).
    pub filtered_ms: f64,
    /// A frame of everybody at full detail (milliseconds).
    pub full_ms: f64,
    /// How many times longer that takes.
    pub times_longer: f64,
    /// People drawn with filters, by class of detail from near to far.
    pub drawn: [u32; CLASSES],
    /// Triangles of people with filters, and without.
    pub triangles: [u64; 2],
    /// Draw calls with filters, and without.
    pub draws: [u32; 2],
}

/// Measures all cameras; calls back with what is done of how much.
///
/// # Errors
/// No GPU, or it fails.
pub fn run(
    options: &Options,
    mut progress: impl FnMut(usize, usize),
) -> Result<RenderBench, BenchError> {
    let failed = |error: &dyn std::fmt::Display| BenchError::Gpu(error.to_string());
    let choice = options.adapter.clone().map_or(Choice::Fast, Choice::Named);
    let adapters = Adapters::find_now();
    let adapter = adapters.choose(&choice).map_err(|e| failed(&e))?;
    let gpu = Gpu::open_on(adapter, &Opening::default()).map_err(|e| failed(&e))?;
    let build = BuildOptions { agents: Some(options.agents), ..BuildOptions::default() };
    let scene = Scene::builtin(SCENE).ok_or_else(|| failed(&"there is no valley"))?;
    let world = scene.build(&build).map_err(|_| failed(&"the valley cannot be built"))?;
    let dt = world.dt;
    let mut crowd = Crowd::new(world, CrowdOptions::default()).map_err(|e| failed(&e))?;
    while crowd.time() < options.at {
        crowd.step(dt).map_err(|e| failed(&e))?;
    }
    let mut instances: Vec<Instance> = Vec::new();
    crowd.instances(&mut instances);
    let mut renderer = Renderer::new(&gpu, FORMAT).map_err(|e| failed(&e))?;
    renderer.set_world(crowd.world(), Vec::new()).map_err(|e| failed(&e))?;
    let canvas = Canvas::new(&gpu, options.size).map_err(|e| failed(&e))?;
    let hazards = Hazard::of_world(crowd.world(), crowd.time());
    let mut triangles = BodyMeshes::stand_ins().triangles();
    if options.characters {
        let cast = Cast::load(crowd.world(), options.folder.as_deref()).map_err(|e| failed(&e))?;
        renderer.set_cast(crowd.world(), &cast).map_err(|e| failed(&e))?;
        triangles = cast.models().next().map_or(triangles, |model| model.triangles());
    }
    let total = options.cameras.len() * (options.frames + options.full_frames + 1);
    let mut done = 0;
    let mut rows = Vec::new();
    for name in &options.cameras {
        let shot = Shot::named(name);
        let shot = shot.ok_or_else(|| failed(&format!("no camera is called {name}")))?;
        let camera = shot.camera(crowd.world(), &instances);
        let camera = camera.ok_or_else(|| failed(&"nobody to look at"))?;
        let time = crowd.time() as f32;
        let frame = Frame { hazards: &hazards, time, ..Frame::new(camera, &instances) };
        let mut best = [Duration::MAX; 2];
        let (mut drawn, mut draws, mut sums) = ([0; CLASSES], [0; 2], [0; 2]);
        let all_on = Filters::default();
        let all_off = Filters { frustum: false, occlusion: false, detail: false, ..all_on };
        let turns = [(all_on, options.frames), (all_off, options.full_frames)];
        for (k, (filters, frames)) in turns.into_iter().enumerate() {
            renderer.options.filters = filters;
            // One more at the very beginning: whatever is made once is not counted.
            for turn in k..=frames {
                let began = Instant::now();
                canvas.draw(&mut renderer, &frame).map_err(|e| failed(&e))?;
                if turn > 0 {
                    best[k] = best[k].min(began.elapsed());
                }
                done += 1;
                progress(done, total);
            }
            let by_class = renderer.drawn().map_err(|e| failed(&e))?;
            let sum =
                |n: u64, (&people, &each): (&u32, &u32)| n + u64::from(people) * u64::from(each);
            sums[k] = by_class.iter().zip(&triangles).fold(0, sum);
            draws[k] = renderer.census().draws;
            if k == 0 {
                drawn = by_class;
            }
        }
        let [filtered_ms, full_ms] = best.map(|time| time.as_secs_f64() * 1e3);
        rows.push(Row {
            camera: name.to_owned(),
            filtered_ms,
            full_ms,
            times_longer: full_ms / filtered_ms,
            drawn,
            triangles: sums,
            draws,
        });
    }
    let info = gpu.info();
    Ok(RenderBench {
        adapter: describe(info),
        software: is_software(info),
        agents: instances.len(),
        size: options.size,
        rows,
    })
}
