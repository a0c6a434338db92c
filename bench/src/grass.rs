//! What grass costs: the meadow swaying alone, trodden by 4,096 people, parting near the camera, and after they
//! have gone, in one run at one size.

use std::time::Instant;

use serde::Serialize;
use throng_crowd::{Crowd, CrowdOptions, Instance};
use throng_gpu::{Adapters, Choice, Gpu, Options as Opening, describe, is_software};
use throng_render::{Camera, Canvas, FORMAT, Frame, GrassCensus, Renderer};
use throng_world::{BuildOptions, Scene, World};

use crate::BenchError;

const SCENE: &str = "meadow";

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// People in the meadow.
    pub agents: u32,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Simulated seconds before people are looked at.
    pub at: f64,
    /// Frames of each kind; the median counts.
    pub frames: usize,
    /// Part of an adapter's name.
    pub adapter: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { agents: 4096, size: [640, 360], at: 30.0, frames: 9, adapter: None }
    }
}

/// All that was measured; times in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub struct GrassBench {
    /// Name, driver and API.
    pub adapter: String,
    /// Whether it draws on the CPU.
    pub software: bool,
    /// People in the meadow.
    pub agents: usize,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Billboards that were sown, and bytes to each, without the trample map and with it.
    pub billboards: u32,
    /// Bytes to a billboard, without the trample map.
    pub bytes_per_billboard: f64,
    /// Bytes of the trample map.
    pub map_bytes: u64,
    /// A frame of the meadow without its grass and without people.
    pub bare_ms: f64,
    /// A frame of it with grass that sways, without people.
    pub idle_ms: f64,
    /// The grass of it.
    pub grass_ms: f64,
    /// A step of the trample map with everybody walking.
    pub trample_ms: f64,
    /// That, as a share of the grass.
    pub trample_share: f64,
    /// A frame in which lattices near the camera are bent, without people to be drawn.
    pub parted_ms: f64,
    /// Clumps with a lattice in it.
    pub lattices: u32,
    /// That, in frames of swaying grass measured beside it.
    pub parted_times: f64,
    /// A frame after all have gone and all has recovered.
    pub after_ms: f64,
    /// That, in frames of swaying grass measured beside it.
    pub after_times: f64,
    /// Lattices that are left then.
    pub lattices_after: u32,
    /// Most lattices at once, and how often a clump found the pool empty.
    pub most_lattices: u32,
    /// How often a clump found the pool empty, counted every step.
    pub denied: u32,
}

struct Bench {
    canvas: Canvas,
    camera: Camera,
    gpu: Gpu,
}

impl Bench {
    /// One frame of a renderer, without people.
    fn frame(&self, renderer: &mut Renderer, time: f32) -> Result<f64, BenchError> {
        let frame = Frame { time, ..Frame::new(self.camera, &[]) };
        let began = Instant::now();
        self.canvas.draw(renderer, &frame).map_err(|e| failed(&e))?;
        Ok(began.elapsed().as_secs_f64() * 1e3)
    }

    /// Frames of two renderers in turn, so that both see the same machine: the median of each, and that of the first
    /// in terms of the second, pair by pair.
    fn side_by_side(
        &self,
        [one, other]: [&mut Renderer; 2],
        (time, dt): (f32, f32),
        frames: usize,
    ) -> Result<[f64; 3], BenchError> {
        let (mut first, mut second, mut times) = (Vec::new(), Vec::new(), Vec::new());
        for turn in 0..=frames {
            let at = time + dt * turn as f32;
            let (a, b) = (self.frame(one, at)?, self.frame(other, at)?);
            if turn > 0 {
                first.push(a);
                second.push(b);
                times.push(a / b);
            }
        }
        Ok([median(first), median(second), median(times)])
    }

    /// Lets a renderer look at a moment, and waits for it.
    fn look(
        &self,
        renderer: &mut Renderer,
        camera: Camera,
        time: f32,
        people: &[Instance],
    ) -> Result<f64, BenchError> {
        let frame = Frame { time, ..Frame::new(camera, people) };
        let began = Instant::now();
        renderer.observe(&frame, self.canvas.size()).map_err(|e| failed(&e))?;
        self.gpu.wait().map_err(|e| failed(&e))?;
        Ok(began.elapsed().as_secs_f64() * 1e3)
    }
}

fn failed(error: &dyn std::fmt::Display) -> BenchError {
    BenchError::Gpu(error.to_string())
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

fn renderer_of(gpu: &Gpu, world: &World, grass: bool) -> Result<Renderer, BenchError> {
    let mut renderer = Renderer::new(gpu, FORMAT).map_err(|e| failed(&e))?;
    renderer.options.grass = grass;
    renderer.set_world(world, Vec::new()).map_err(|e| failed(&e))?;
    Ok(renderer)
}

/// Measures; calls back with what is done of how much.
///
/// # Errors
/// No GPU, or it fails.
pub fn run(
    options: &Options,
    mut progress: impl FnMut(usize, usize),
) -> Result<GrassBench, BenchError> {
    let choice = options.adapter.clone().map_or(Choice::Fast, Choice::Named);
    let adapters = Adapters::find_now();
    let adapter = adapters.choose(&choice).map_err(|e| failed(&e))?;
    let gpu = Gpu::open_on(adapter, &Opening::default()).map_err(|e| failed(&e))?;
    let build = BuildOptions { agents: Some(options.agents), ..BuildOptions::default() };
    let scene = Scene::builtin(SCENE).ok_or_else(|| failed(&"there is no meadow"))?;
    let world = scene.build(&build).map_err(|_| failed(&"the meadow cannot be built"))?;
    let dt = world.dt;
    let mut crowd = Crowd::new(world.clone(), CrowdOptions::default()).map_err(|e| failed(&e))?;
    while crowd.time() < options.at {
        crowd.step(dt).map_err(|e| failed(&e))?;
    }
    // In the way of the people, at the height of their eyes.
    let mut instances: Vec<Instance> = Vec::new();
    crowd.instances(&mut instances);
    let busy = instances.get(instances.len() / 2).map_or([60.0, 60.0, 0.0], |i| i.position);
    let eye = glam::Vec3::from(busy) + glam::Vec3::new(9.0, -3.0, 2.4);
    let bench = Bench {
        canvas: Canvas::new(&gpu, options.size).map_err(|e| failed(&e))?,
        camera: Camera::looking_at(eye, glam::Vec3::from(busy)),
        gpu: gpu.clone(),
    };
    let total = 6;
    let mut bare = renderer_of(&gpu, &world, false)?;
    let mut grown = renderer_of(&gpu, &world, true)?;
    // A meadow that nobody is ever in.
    let mut fresh = renderer_of(&gpu, &world, true)?;
    let n = options.frames;
    progress(1, total);
    let [bare_ms, idle_ms, _] = bench.side_by_side([&mut bare, &mut fresh], (0.0, dt), n)?;
    progress(2, total);
    // Everybody walks; the camera is far away, so that nothing parts.
    let away = Camera { eye: glam::Vec3::new(-5000.0, 0.0, 10.0), ..bench.camera };
    let (mut empty, mut full) = (Vec::new(), Vec::new());
    let start = n as f32 * dt + 1.0;
    let mut time = start;
    for _ in 0..2 * n + 4 {
        crowd.step(dt).map_err(|e| failed(&e))?;
        crowd.instances(&mut instances);
        time += dt;
        full.push(bench.look(&mut grown, away, time, &instances)?);
        // What a look costs that has nothing to do: the same moment again.
        empty.push(bench.look(&mut grown, away, time, &instances)?);
    }
    let trample_ms = (median(full.split_off(4)) - median(empty.split_off(4))).max(0.0);
    progress(3, total);
    // Now near the camera; then nobody is drawn any more.
    for _ in 0..12 {
        crowd.step(dt).map_err(|e| failed(&e))?;
        crowd.instances(&mut instances);
        time += dt;
        bench.look(&mut grown, bench.camera, time, &instances)?;
    }
    let pair = [&mut grown, &mut fresh];
    let [parted_ms, _, parted_times] = bench.side_by_side(pair, (time + dt, dt), n)?;
    let parted: GrassCensus = grown.grass_census().map_err(|e| failed(&e))?;
    progress(4, total);
    // All have gone, all stands again.
    time += dt * (n as f32 + 2.0);
    let recovery = world.grass.as_ref().map_or(4.0, |grass| grass.params.recovery);
    for _ in 0..((recovery + 2.0) / 0.1) as usize {
        time += 0.1;
        bench.look(&mut grown, bench.camera, time, &[])?;
    }
    let pair = [&mut grown, &mut fresh];
    let [after_ms, _, after_times] = bench.side_by_side(pair, (time + dt, dt), 2 * n)?;
    progress(5, total);
    let left: GrassCensus = grown.grass_census().map_err(|e| failed(&e))?;
    progress(6, total);
    let grass_ms = idle_ms - bare_ms;
    let info = gpu.info();
    Ok(GrassBench {
        adapter: describe(info),
        software: is_software(info),
        agents: instances.len(),
        size: options.size,
        billboards: left.billboards,
        bytes_per_billboard: left.bytes as f64 / f64::from(left.billboards.max(1)),
        map_bytes: left.map_bytes,
        bare_ms,
        idle_ms,
        grass_ms,
        trample_ms,
        trample_share: trample_ms / grass_ms,
        parted_ms,
        lattices: parted.lattices,
        parted_times,
        after_ms,
        after_times,
        lattices_after: left.lattices,
        most_lattices: left.most_lattices,
        denied: left.denied,
    })
}
