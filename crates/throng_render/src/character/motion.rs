//! What everybody plays, frame by frame, on the GPU.

use glam::Vec4;
use throng_gpu::{Buffer, GROUP, Gpu, GpuError, Pass, Pool, Prepared, groups_for};

use super::actor::Actor;
use super::model::LOOKS;
use super::pass::CharacterPass;

/// Bytes of `Memory` in WGSL, and of `Played`.
const MEMORY: usize = 36;
const PLAYED: usize = 64;

/// `Motion` in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct MotionUniform {
    time: f32,
    dt: f32,
    word: u32,
    at_most: u32,
    mask: u32,
    cast: u32,
    clips: u32,
    gaits: u32,
    looks: u32,
    unused: [u32; 3],
    casting: [[u32; 4]; 16],
    look: [Vec4; LOOKS],
}

/// Seconds between frames.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MotionClock {
    last: Option<f32>,
}

impl MotionClock {
    /// Time since the last frame; none for the first, and none where time went back.
    pub(crate) fn tick(&mut self, now: f32) -> f32 {
        let last = self.last.replace(now).unwrap_or(now);
        (now - last).max(0.0)
    }
}

/// What is kept of the agents, and what they play now.
#[derive(Debug)]
pub(crate) struct MotionBuffers {
    /// By place among the instances.
    pub(crate) played: Buffer,
    members: Vec<(Buffer, MotionUniform)>,
    work: Prepared,
    from: (wgpu::Buffer, wgpu::Buffer, u32, u32),
}

/// What motion is worked out from.
pub(crate) struct Source<'a> {
    pub(crate) instances: &'a wgpu::Buffer,
    pub(crate) count: &'a wgpu::Buffer,
    pub(crate) word: u32,
    pub(crate) at_most: u32,
    pub(crate) tables: &'a wgpu::Buffer,
    /// Which of the cast plays a group.
    pub(crate) casting: [[u32; 4]; 16],
}

impl MotionBuffers {
    /// For the members of a cast, numbered from 1.
    pub(crate) fn new(
        pool: &Pool,
        pass: &CharacterPass,
        actors: &[Actor],
        from: &Source<'_>,
    ) -> Result<Self, GpuError> {
        let people = from.at_most.max(1) as usize;
        let slots = (people * 2).next_power_of_two();
        let memory = pool.storage("motion", (slots * MEMORY) as u64)?;
        // Nobody is known, whatever a buffer was used for before.
        pool.gpu().write(&memory, 0, &vec![0_u8; slots * MEMORY]);
        let played = pool.storage("played", (people * PLAYED) as u64)?;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let mut work = Prepared::new();
        let mut members = Vec::new();
        for (number, actor) in (1_u32..).zip(actors) {
            let mut look = [Vec4::new(1.0, 0.0, 0.0, 0.0); LOOKS];
            for (slot, own) in look.iter_mut().zip(&actor.model.looks) {
                *slot = Vec4::new(own.size, f32::from_bits(own.missing), 0.0, 0.0);
            }
            let values = MotionUniform {
                time: 0.0,
                dt: 0.0,
                word: from.word,
                at_most: from.at_most,
                mask: slots as u32 - 1,
                cast: number,
                clips: actor.table.clips,
                gaits: actor.table.gaits,
                looks: actor.model.looks.len().clamp(1, LOOKS) as u32,
                unused: [0; 3],
                casting: from.casting,
                look,
            };
            let buffer = pool.buffer("motion now", size_of::<MotionUniform>() as u64, uniform)?;
            let bindings = [
                (0, buffer.as_entire_binding()),
                (1, from.instances.as_entire_binding()),
                (2, from.count.as_entire_binding()),
                (3, actor.play.as_entire_binding()),
                (4, from.tables.as_entire_binding()),
                (5, memory.as_entire_binding()),
                (6, played.as_entire_binding()),
            ];
            work.push(pass.advance.step(&bindings, groups_for(from.at_most, GROUP))?);
            members.push((buffer, values));
        }
        work.keep(memory);
        let from = (from.instances.clone(), from.count.clone(), from.word, from.at_most);
        Ok(Self { played, members, work, from })
    }

    /// Whether it is worked out from this source of agents.
    pub(crate) fn is_of(
        &self,
        instances: &wgpu::Buffer,
        count: &wgpu::Buffer,
        (word, at_most): (u32, u32),
    ) -> bool {
        self.from == (instances.clone(), count.clone(), word, at_most)
    }

    pub(crate) fn set(&self, gpu: &Gpu, time: f32, dt: f32) {
        for (buffer, values) in &self.members {
            gpu.write(buffer, 0, &[MotionUniform { time, dt, ..*values }]);
        }
    }

    pub(crate) fn record(&self, pass: &mut Pass<'_>) {
        self.work.record(pass);
    }
}

/// Plays with everybody at a moment of a clip, for tests.
#[cfg(test)]
pub(super) fn held(
    pool: &Pool,
    hold: &throng_gpu::Kernel,
    actor: &Actor,
    moments: &[(u32, f32)],
) -> Result<Buffer, GpuError> {
    let people = moments.iter().map(|&(action, clip_time)| throng_crowd::Instance {
        action,
        clip_time,
        ..Default::default()
    });
    let people: Vec<_> = people.collect();
    let instances = pool.array_of("instances", &people)?;
    let count = pool.array_of("count", &[people.len() as u32])?;
    let played = pool.storage("played", (people.len() * PLAYED) as u64)?;
    let mut values: MotionUniform = bytemuck::Zeroable::zeroed();
    (values.at_most, values.clips) = (people.len() as u32, actor.table.clips);
    let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let buffer = pool.buffer("motion now", size_of::<MotionUniform>() as u64, uniform)?;
    pool.gpu().write(&buffer, 0, &[values]);
    let bindings = [
        (0, buffer.as_entire_binding()),
        (1, instances.as_entire_binding()),
        (2, count.as_entire_binding()),
        (3, actor.play.as_entire_binding()),
        (6, played.as_entire_binding()),
    ];
    let mut work = Prepared::new();
    work.push(hold.step(&bindings, groups_for(people.len() as u32, GROUP))?);
    throng_gpu::testing::run(&work);
    Ok(played)
}
