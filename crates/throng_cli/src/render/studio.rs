//! A crowd before a renderer: it is brought to a moment, and pictures are taken of it.

use super::camera::CameraChoice;
use super::light::LightArgs;
use super::{failed, gpu_failed};
use crate::failure::Failure;
use std::path::Path;
use throng::world::scene::check_file;
use throng::{BuildOptions, Crowd, CrowdOptions};
use throng_crowd::Instance;
use throng_gpu::draw::Pixels;
use throng_gpu::{Gpu, Options};
use throng_render::{Camera, Canvas, FORMAT, Frame, Hazard, Renderer};

/// The crowd, and what draws it.
pub(crate) struct Studio {
    gpu: Gpu,
    pub(super) crowd: Crowd,
    renderer: Renderer,
    dt: f32,
    size: [u32; 2],
    instances: Vec<Instance>,
    /// Moments just before a picture, to be looked at from where it is taken.
    lately: Vec<(f32, Vec<Instance>)>,
    /// When the crowd was watched last (seconds).
    watched: f64,
}

/// Steps before a picture in which the crowd is watched.
const WATCHED: u64 = 20;
/// Before that it is watched so often, for what it treads down (seconds).
const GLANCE: f64 = 0.1;

impl Studio {
    /// Opens the GPU, builds the scene, and bakes its light.
    pub(crate) fn new(
        scene: &Path,
        options: &BuildOptions,
        light: &LightArgs,
        quiet: bool,
    ) -> Result<Self, Failure> {
        let gpu = Gpu::open(&Options::default()).map_err(gpu_failed)?;
        let problems = |e| crate::run::Job::new(&scene.to_string_lossy()).problems(&e);
        let (_, world) = check_file(scene, options).map_err(problems)?;
        let dt = world.dt;
        let name = scene.display().to_string();
        let crowd =
            Crowd::new(world, CrowdOptions { seed: options.seed, ..CrowdOptions::default() });
        let crowd = crowd.map_err(|error| Failure::Crowd { scene: name, error })?;
        let mut renderer = Renderer::new(&gpu, FORMAT).map_err(failed)?;
        light.furnish(&mut renderer, crowd.world(), quiet)?;
        Ok(Self {
            gpu,
            crowd,
            renderer,
            dt,
            size: [64, 36],
            instances: Vec::new(),
            lately: Vec::new(),
            watched: 0.0,
        })
    }

    /// Steps until so many seconds.
    pub(crate) fn steps_at(&self, time: f64) -> u64 {
        (time / f64::from(self.dt)).round() as u64
    }

    /// Lets the crowd live until a step; `told` gets every step.
    pub(crate) fn live_until(
        &mut self,
        step_at: u64,
        mut told: impl FnMut(u64),
    ) -> Result<(), Failure> {
        while self.crowd.steps() < step_at {
            let step = self.crowd.steps();
            self.crowd.step(self.dt).map_err(|error| Failure::Step { step, error })?;
            told(step);
            // Whoever is drawn later has been seen walking, and what was trodden on lies down.
            if self.crowd.steps() + WATCHED >= step_at {
                self.crowd.instances(&mut self.instances);
                self.lately.push((self.crowd.time() as f32, self.instances.clone()));
            } else if self.renderer.has_grass() && self.crowd.time() >= self.watched + GLANCE {
                self.watched = self.crowd.time();
                self.crowd.instances(&mut self.instances);
                let camera = Camera::default();
                self.observe(camera, self.crowd.time() as f32, None)?;
            }
        }
        self.crowd.instances(&mut self.instances);
        Ok(())
    }

    /// Looks at a moment: at these people, or at those there are now.
    fn observe(
        &mut self,
        camera: Camera,
        time: f32,
        people: Option<&[Instance]>,
    ) -> Result<(), Failure> {
        let frame = Frame { time, ..Frame::new(camera, people.unwrap_or(&self.instances)) };
        self.renderer.observe(&frame, self.size).map_err(failed)
    }

    /// A canvas of so many pixels.
    pub(crate) fn canvas(&mut self, size: [u32; 2]) -> Result<Canvas, Failure> {
        self.size = size;
        Canvas::new(&self.gpu, size).map_err(failed)
    }

    /// Where a choice looks from now.
    pub(crate) fn camera(&self, choice: CameraChoice) -> Result<Camera, Failure> {
        choice.camera(self.crowd.world(), &self.instances)
    }

    /// A picture of the moment.
    pub(crate) fn draw(&mut self, canvas: &Canvas, camera: Camera) -> Result<Pixels, Failure> {
        for (time, people) in std::mem::take(&mut self.lately) {
            self.observe(camera, time, Some(&people))?;
        }
        let hazards = Hazard::of_world(self.crowd.world(), self.crowd.time());
        let time = self.crowd.time() as f32;
        let frame = Frame { hazards: &hazards, time, ..Frame::new(camera, &self.instances) };
        let pixels = canvas.draw(&mut self.renderer, &frame).map_err(failed)?;
        match self.gpu.take_errors().into_iter().next() {
            Some(error) => Err(gpu_failed(error)),
            None => Ok(pixels),
        }
    }
}
