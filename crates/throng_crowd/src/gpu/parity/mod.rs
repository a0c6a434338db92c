//! Each stage on both backends, alone, on the same input: random scenes in every kind of trouble.

mod avoid;
mod behave;
mod bin;
mod fields;
mod movement;
mod navigate;
mod shaders;
mod world;

use std::sync::OnceLock;

use glam::Vec2;
use throng_gpu::{Pool, testing};

use super::constants::WANT_X;
use super::{Kernels, Stages};
use crate::agents::Agents;
use crate::crowd::{Crowd, CrowdOptions};
use crate::dice::{self, Dice, Layout};

/// Random scenes in a test.
const SCENES: usize = 100;

/// The kernels, compiled once for all tests, and the pool they work in.
fn kernels(extended: bool) -> &'static (Pool, Kernels) {
    static KERNELS: [OnceLock<(Pool, Kernels)>; 2] = [OnceLock::new(), OnceLock::new()];
    KERNELS[usize::from(extended)].get_or_init(|| {
        let gpu = testing::gpu();
        (Pool::new(gpu), Kernels::new(gpu, extended).unwrap())
    })
}

/// A crowd of a test: people in a layout, in a world with or without walls.
fn crowd_in(world: throng_world::World, people: Agents) -> Crowd {
    let options = CrowdOptions { threads: Some(1), seed: Some(7), ..CrowdOptions::default() };
    let mut crowd = Crowd::new(world, options).unwrap();
    crowd.next_id = u32::MAX;
    crowd.agents = people;
    crowd.spawner.widest = 0.5;
    crowd.spawner.fastest_speed = 2.0;
    crowd.sort();
    crowd
}

/// The random scene of a number.
fn scene(dice: &mut Dice, k: usize) -> Crowd {
    let world = dice::world(dice, k.is_multiple_of(2));
    let layout = Layout::ALL[k % Layout::ALL.len()];
    let people = dice::people(dice, &world, layout, 400);
    crowd_in(world, people)
}

/// The crowd on the GPU, with the constants of a step.
fn stages(crowd: &Crowd, dt: f32) -> Stages {
    let (pool, kernels) = kernels(crowd.agents.extended);
    let mut stages = Stages::new(pool, kernels, crowd, 0).unwrap();
    let constants = stages.constants(crowd, dt);
    stages.prepare(crowd, constants);
    stages
}

/// Puts velocities where the stages look for them.
fn write_velocities(stages: &Stages, velocity: &[Vec2]) {
    let velocity: Vec<[f32; 2]> = velocity.iter().map(Vec2::to_array).collect();
    let at = u64::from(WANT_X * stages.buffers.capacity) * 4;
    stages.gpu.write(&stages.buffers.scratch, at, &velocity);
}

fn read_velocities(stages: &Stages, len: usize) -> Vec<Vec2> {
    let capacity = stages.buffers.capacity as usize;
    let all = stages.gpu.read::<f32>(&stages.buffers.scratch, 2 * capacity).unwrap();
    (0..len).map(|i| Vec2::new(all[2 * i], all[2 * i + 1])).collect()
}

/// The agents of a side.
fn agents_of(stages: &Stages, crowd: &mut Crowd, side: usize) -> Agents {
    stages.buffers.download(crowd, side).unwrap();
    assert_eq!(stages.gpu.take_errors(), []);
    crowd.agents.clone()
}

/// The agents as the sheet has them.
fn agents_on_sheet(stages: &Stages, crowd: &mut Crowd) -> Agents {
    let b = &stages.buffers;
    let (len, capacity) = (crowd.len(), b.capacity as usize);
    let mut words = Vec::new();
    for layer in 0..b.fours {
        let four = b.mirror.read(&stages.gpu, layer);
        words.extend_from_slice(&four[..4 * capacity]);
    }
    crate::gpu::buffers::unpack(&words, capacity, len, crowd);
    crowd.agents.clone()
}

/// Counts how many of many are near enough.
#[derive(Debug, Default)]
struct Share {
    all: usize,
    good: usize,
    worst: f32,
}

impl Share {
    fn add(&mut self, difference: f32, allowed: f32) {
        self.all += 1;
        self.good += usize::from(difference <= allowed);
        self.worst = self.worst.max(if difference.is_nan() { f32::INFINITY } else { difference });
    }

    /// At least this share is good.
    fn expect(&self, what: &str, share: f64) {
        let good = self.good as f64 / self.all as f64;
        eprintln!("{what}: {:.4} % of {}, worst {:e}", 100.0 * good, self.all, self.worst);
        assert!(self.all > 1000 && good >= share, "{what}: {self:?}");
    }
}
