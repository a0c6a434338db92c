//! What the tests of the renderer share: scenes with few people, small pictures, dice.

#![allow(dead_code, reason = "each test uses its part")]

use glam::{Vec2, Vec3};
use throng_crowd::{Crowd, CrowdOptions, Instance};
use throng_gpu::draw::Pixels;
use throng_gpu::testing;
use throng_render::{Camera, Canvas, FORMAT, Frame, Renderer};
use throng_world::{BuildOptions, Scene, World};

/// A scene after some steps, and a renderer that knows it.
pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) instances: Vec<Instance>,
    pub(crate) renderer: Renderer,
}

impl Stage {
    pub(crate) fn new(scene: &str, agents: Option<u32>, steps: u32) -> Self {
        let options = BuildOptions { agents, ..BuildOptions::default() };
        let world = Scene::builtin(scene).unwrap().build(&options).unwrap();
        let dt = world.dt;
        let mut crowd = Crowd::new(world.clone(), CrowdOptions::default()).unwrap();
        for _ in 0..steps {
            crowd.step(dt).unwrap();
        }
        let mut instances = Vec::new();
        crowd.instances(&mut instances);
        let mut renderer = Renderer::new(testing::gpu(), FORMAT).unwrap();
        renderer.set_world(&world, Vec::new()).unwrap();
        renderer.options.shadow.side = 256;
        Self { world, instances, renderer }
    }

    pub(crate) fn draw(&mut self, camera: Camera, size: [u32; 2]) -> Pixels {
        let canvas = Canvas::new(testing::gpu(), size).unwrap();
        let frame = Frame::new(camera, &self.instances);
        let pixels = canvas.draw(&mut self.renderer, &frame).unwrap();
        assert_eq!(testing::gpu().take_errors(), []);
        pixels
    }

    /// The place with this height above the ground.
    pub(crate) fn on(&self, p: Vec2, z: f32) -> Vec3 {
        p.extend(self.world.ground_height(p) + z)
    }
}

/// The greatest difference of any channel of any pixel.
pub(crate) fn difference(a: &Pixels, b: &Pixels) -> u8 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    a.bytes.iter().zip(&b.bytes).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Random numbers that are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (throng_gpu::wide::mix(self.0) >> 40) as f32 / (1 << 24) as f32
    }

    pub(crate) fn between(&mut self, a: f32, b: f32) -> f32 {
        a + (b - a) * self.next()
    }
}
