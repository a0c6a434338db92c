//! People of streams on their way in: who is due is sent up, and the GPU lets it in where there is room.
//!
//! Whether there is room only the GPU knows, so those who find none wait there. Each stream has a waiting
//! room, a ring in which the person of number `n` has place `n` modulo its size.

use throng_gpu::{Buffer, Gpu, GpuError, Kernel, Library, Pool, Prepared, Shader};
use throng_world::world::{Amount, Layout, Targets};

use super::buffers::{Buffers, bind};
use super::constants::{FIELDS, Named};
use super::outside::agent_words;
use super::sheet::lay;
use crate::agents::Agents;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::spawn::TRIES_OF_STREAMS;

pub(crate) const SHADER: Shader =
    Shader { name: "gate", source: include_str!("gate.wgsl"), variants: &[&[]] };

/// People of a stream who can wait: when half of the places are taken they are let in all the same.
const WAITING_ROOM: u32 = 1024;
const PLACES: u32 = TRIES_OF_STREAMS as u32;
/// Words of a stream: six, and how many places there are to try, and those.
const STREAM_WORDS: u32 = 7 + 2 * PLACES;
/// Words of a visitor: an agent's, and how many places it may try, and those.
const VISITOR_WORDS: u32 = FIELDS + 1 + 2 * PLACES;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("WAITING_ROOM", WAITING_ROOM.into()),
        ("STREAM_WORDS", STREAM_WORDS.into()),
        ("VISITOR_WORDS", VISITOR_WORDS.into()),
    ]
}

/// The kernel.
#[derive(Debug)]
pub(crate) struct GateKernel {
    gate: Kernel,
}

impl GateKernel {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        Ok(Self { gate: library.program(gpu, &SHADER, &[])?.kernel("gate")? })
    }

    /// Lets people in, before a sort.
    pub(crate) fn bind(&self, b: &Buffers, gate: &Gate, side: usize) -> Result<Prepared, GpuError> {
        let mut work = Prepared::new();
        if gate.streams.is_empty() {
            return Ok(work);
        }
        let bindings = [
            bind(0, &b.constants),
            bind(1, &b.sides[side].state),
            lay(3, &b.first),
            bind(8, &b.tally),
            bind(10, &b.let_in),
            bind(11, &gate.entered),
            bind(12, &gate.visitors),
        ];
        work.push(self.gate.step(&bindings, [1, 1, 1])?);
        Ok(work)
    }
}

/// The streams of a crowd.
#[derive(Debug)]
pub(crate) struct Gate {
    /// Their numbers among the spawns.
    pub(super) streams: Vec<usize>,
    pub(super) entered: Buffer,
    visitors: Buffer,
    /// Of each stream those who are taken to wait on this side, since the last look.
    waiting: Vec<u32>,
    words: Vec<u32>,
}

impl Gate {
    pub(crate) fn new(pool: &Pool, crowd: &Crowd) -> Result<Self, GpuError> {
        let spawns = crowd.world.spawns.iter().enumerate();
        let streams = spawns.filter(|(_, spawn)| matches!(spawn.amount, Amount::Rate { .. }));
        let streams: Vec<usize> = streams.map(|(index, _)| index).collect();
        let entered: Vec<u32> = streams.iter().map(|&index| crowd.spawner.made[index]).collect();
        let each = STREAM_WORDS + WAITING_ROOM * VISITOR_WORDS;
        Ok(Self {
            entered: pool
                .array_of("people let in", if entered.is_empty() { &[0] } else { &entered[..] })?,
            visitors: pool.array::<u32>("visitors", streams.len().max(1) * each as usize)?,
            waiting: vec![0; streams.len()],
            streams,
            words: Vec::new(),
        })
    }

    pub(crate) fn streams(&self) -> u32 {
        self.streams.len() as u32
    }

    /// Sends those up who are due, but not more than there is room for. Gives how many. The crowd must not
    /// have newcomers of its own any more.
    pub(crate) fn send(
        &mut self,
        gpu: &Gpu,
        crowd: &mut Crowd,
        most: u32,
    ) -> Result<u32, CrowdError> {
        let mut rows = Vec::with_capacity(self.streams.len() * STREAM_WORDS as usize);
        let mut all = 0;
        for (stream, &index) in (0u32..).zip(&self.streams) {
            let before = crowd.spawner.made[index];
            // Given places are the same in every step, and everybody has its own.
            let fresh = match crowd.world.spawns[index].layout {
                Layout::Scatter(_) => crowd.open_places(index),
                Layout::Positions(_) => Vec::new(),
            };
            let due = crowd.spawner.due(index, crowd.time).saturating_sub(before);
            for _ in 0..due.min(WAITING_ROOM / 2).min(most - all) {
                let places = crowd.open_places(index);
                let Some(&first) = places.first() else { break };
                let number = crowd.spawner.made[index];
                crowd.put_down(index, first)?;
                self.words.clear();
                self.words.extend(agent_words(&crowd.agents, 0));
                push_places(&mut self.words, &places);
                let place = stream * WAITING_ROOM + number % WAITING_ROOM;
                let at = self.streams.len() as u32 * STREAM_WORDS + place * VISITOR_WORDS;
                gpu.write(&self.visitors, u64::from(at) * 4, &self.words);
                crowd.agents = Agents::none(crowd.agents.extended);
                all += 1;
            }
            let spawn = &crowd.world.spawns[index];
            let radius = crowd.world.groups[usize::from(spawn.group)].radius.max();
            let centre = match &spawn.targets {
                Targets::Opposite(centre) => Some(*centre),
                _ => None,
            };
            let mirrored = u32::from(centre.is_some());
            let [x, y] = centre.unwrap_or_default().to_array().map(f32::to_bits);
            rows.extend([crowd.spawner.made[index], before, radius.to_bits(), mirrored, x, y]);
            push_places(&mut rows, &fresh);
        }
        gpu.write(&self.visitors, 0, &rows);
        Ok(all)
    }

    /// Looks who still waits: for the host they have not come yet.
    pub(crate) fn look(&mut self, gpu: &Gpu, crowd: &mut Crowd) -> Result<(), GpuError> {
        self.forget(crowd);
        let entered = gpu.read::<u32>(&self.entered, self.streams.len())?;
        for (k, &index) in self.streams.iter().enumerate() {
            let made = &mut crowd.spawner.made[index];
            self.waiting[k] = *made - entered[k];
            *made = entered[k];
            crowd.totals.spawned -= u64::from(self.waiting[k]);
        }
        Ok(())
    }

    /// The look is over: those who wait are on the GPU.
    pub(crate) fn forget(&mut self, crowd: &mut Crowd) {
        for (waiting, &index) in self.waiting.iter_mut().zip(&self.streams) {
            crowd.spawner.made[index] += *waiting;
            crowd.totals.spawned += u64::from(*waiting);
            *waiting = 0;
        }
    }

    /// How many wait, as of the look.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.iter().map(|&w| w as usize).sum()
    }
}

fn push_places(words: &mut Vec<u32>, places: &[glam::Vec2]) {
    words.push(places.len() as u32);
    words.extend(places.iter().flat_map(|p| [p.x.to_bits(), p.y.to_bits()]));
    words.resize(words.len() + 2 * (PLACES as usize - places.len()), 0);
}
