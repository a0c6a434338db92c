//! The crowd on the GPU beside that on the CPU: the froblin valley, from one state, in turns, stage by stage.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;
use throng_crowd::{Crowd, CrowdError, CrowdOptions, GpuCrowd, StageTimes, StageTraffic};
use throng_gpu::{
    Adapters, Choice, Counts, Gpu, GpuError, Options as Opening, describe, is_software,
};
use throng_world::{BuildOptions, Scene, World};

use crate::BenchError;

const SCENE: &str = "froblins";

/// What a card is taken to move in a second for the estimates (bytes): 500 GB/s, the upper middle class.
pub const CARD_BYTES_PER_SECOND: f64 = 500e9;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// Numbers of people.
    pub agents: Vec<u32>,
    /// Turns that both sides take one after the other; the best of each counts.
    pub turns: usize,
    /// Steps of a turn.
    pub steps: usize,
    /// Simulated seconds before the first.
    pub from_seconds: f64,
    /// Part of an adapter's name.
    pub adapter: Option<String>,
    /// Threads of the CPU; `None`: as many as there are cores.
    pub threads: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agents: vec![65_536, 262_144, 1_048_576],
            turns: 10,
            steps: 5,
            from_seconds: 2.0,
            adapter: None,
            threads: None,
        }
    }
}

/// All that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct GpuBench {
    /// Name, driver and API.
    pub adapter: String,
    /// Whether it shares the cores with the other side.
    pub software: bool,
    /// Whether stages could be timed.
    pub timestamps: bool,
    /// Subgroups are used.
    pub subgroups: bool,
    /// What the estimates are made for (bytes per second).
    pub card_bytes_per_second: f64,
    /// One for each number of people.
    pub rows: Vec<Row>,
}

/// One number of people.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// People at the start.
    pub agents: usize,
    /// Steps on each side.
    pub steps: usize,
    /// A whole step, from the call to the last result (milliseconds).
    pub gpu_ms: f64,
    /// A whole step (milliseconds).
    pub cpu_ms: f64,
    /// How many times longer the GPU takes.
    pub gpu_to_cpu: f64,
    /// Processor time of a step by all threads of this program, on either side (milliseconds): what other
    /// programs on the machine disturb least. Of use with a software adapter; none where there is no such clock.
    pub processor_ms: Option<ProcessorTime>,
    /// Time per agent on the GPU (nanoseconds).
    pub gpu_ns_per_agent: f64,
    /// The same, as a share of that of the first row.
    pub per_agent_to_first: f64,
    /// Dispatches of a step.
    pub dispatches: f64,
    /// Buffers mapped in a step.
    pub maps: f64,
    /// Bytes sent to the GPU in a step.
    pub uploaded: f64,
    /// Bytes of device memory for an agent.
    pub bytes_per_agent: f64,
    /// Bytes read and written in a step, by the table of the stages.
    pub bytes_moved: u64,
    /// ESTIMATE: a step on a card that moves so many bytes and does nothing else (milliseconds).
    pub estimate_ms: f64,
    /// The instances of everybody for a renderer, written when they are asked for after a step (milliseconds).
    pub instances_ms: f64,
    /// Its parts.
    pub stages: Vec<Stage>,
}

/// Processor time of a step.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProcessorTime {
    /// While the GPU's side had its turns: that of a software adapter is in it.
    pub gpu: f64,
    /// While the CPU's side had its turns.
    pub cpu: f64,
    /// How many times more the GPU's side took.
    pub gpu_to_cpu: f64,
}

/// One stage.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Its name.
    pub stage: String,
    /// By timestamps of the device (milliseconds); none where it has none or does it elsewhere.
    pub gpu_ms: Option<f64>,
    /// On the CPU (milliseconds); none where it has no such stage.
    pub cpu_ms: Option<f64>,
    /// How many times longer the GPU takes.
    pub gpu_to_cpu: Option<f64>,
    /// Dispatches of a step.
    pub dispatches: usize,
    /// Bytes read, by the table.
    pub read: u64,
    /// Bytes written, by the table.
    pub written: u64,
    /// ESTIMATE, as of the whole step (milliseconds).
    pub estimate_ms: f64,
}

/// Measures. `progress` gets turns done and turns in all.
///
/// # Errors
/// No adapter, or it has no room for so many.
pub fn run(
    options: &Options,
    mut progress: impl FnMut(usize, usize),
) -> Result<GpuBench, BenchError> {
    let adapters = Adapters::find_now();
    let choice = options.adapter.clone().map_or(Choice::Fast, Choice::Named);
    let no_gpu = |error: GpuError| BenchError::Gpu(error.to_string());
    let adapter = adapters.choose(&choice).map_err(no_gpu)?;
    let gpu = Gpu::open_on(adapter, &Opening::default()).map_err(no_gpu)?;
    let most = GpuCrowd::most_agents(&gpu);
    if let Some(agents) = options.agents.iter().find(|agents| **agents as usize > most) {
        let adapter = describe(gpu.info());
        return Err(BenchError::Gpu(format!(
            "{agents} agents are too many for {adapter}: {most} fit"
        )));
    }
    let mut bench = GpuBench {
        adapter: describe(gpu.info()),
        software: is_software(gpu.info()),
        timestamps: gpu.capabilities().timestamps_in_passes,
        subgroups: gpu.capabilities().subgroups,
        card_bytes_per_second: CARD_BYTES_PER_SECOND,
        rows: Vec::new(),
    };
    let all = options.agents.len() * options.turns;
    for &agents in &options.agents {
        let done = bench.rows.len() * options.turns;
        let mut row = measure(&gpu, agents, options, |turn| progress(done + turn, all))
            .map_err(|e| BenchError::Crowd { scene: SCENE.into(), cause: e.to_string() })?;
        let first = bench.rows.first().map_or(row.gpu_ns_per_agent, |first| first.gpu_ns_per_agent);
        row.per_agent_to_first = row.gpu_ns_per_agent / first;
        bench.rows.push(row);
    }
    Ok(bench)
}

fn valley(agents: u32) -> Result<World, CrowdError> {
    let options = BuildOptions { agents: Some(agents), ..BuildOptions::default() };
    let scene = Scene::builtin(SCENE).ok_or(CrowdError::Missing { what: "valley" })?;
    scene.build(&options).map_err(|_| CrowdError::Missing { what: "valley that can be built" })
}

/// A turn: time of a step, and of its stages.
struct Turn {
    step: Duration,
    /// What a picture of it would take besides.
    instances: Duration,
    processor: Option<Duration>,
    stages: BTreeMap<&'static str, Duration>,
}

fn measure(
    gpu: &Gpu,
    agents: u32,
    options: &Options,
    mut progress: impl FnMut(usize),
) -> Result<Row, CrowdError> {
    let world = valley(agents)?;
    let dt = world.dt;
    let own = CrowdOptions { threads: options.threads, ..CrowdOptions::default() };
    let mut cpu = Crowd::new(world.clone(), own.clone())?;
    while cpu.time() < options.from_seconds {
        cpu.step(dt)?;
    }
    let mut same = Crowd::new(world, own)?;
    same.restore(&cpu.snapshot())?;
    let people = same.len();
    let mut there = GpuCrowd::new(gpu, same)?;
    // Untimed, so that timers map nothing.
    let before = gpu.counts();
    for _ in 0..options.steps {
        there.step(dt)?;
    }
    let asked = gpu.counts().since(&before);
    let fields = there.field_counts()?;
    there.time_stages()?;
    let (mut on_cpu, mut on_gpu) = (Vec::new(), Vec::new());
    for turn in 0..options.turns {
        progress(turn);
        on_cpu.push(cpu_turn(&mut cpu, options.steps, dt)?);
        on_gpu.push(gpu_turn(&mut there, options.steps, dt)?);
    }
    let bytes_per_agent = there.bytes() as f64 / people as f64;
    let traffic = there.traffic(&fields, (options.steps * options.turns) as u64)?;
    let steps = options.steps * (options.turns + 1);
    Ok(row(
        people,
        steps,
        &best(&on_cpu),
        &best(&on_gpu),
        &asked,
        &traffic,
        options,
        bytes_per_agent,
    ))
}

fn cpu_turn(crowd: &mut Crowd, steps: usize, dt: f32) -> Result<Turn, CrowdError> {
    let (began, before) = (Instant::now(), *crowd.times());
    let worked = Worked::since_now();
    for _ in 0..steps {
        crowd.step(dt)?;
    }
    let (step, processor) = (began.elapsed() / steps as u32, worked.a_step(steps));
    let stages = stages_since(crowd.times(), &before, steps);
    Ok(Turn { step, instances: Duration::ZERO, processor, stages })
}

fn stages_since(
    now: &StageTimes,
    before: &StageTimes,
    steps: usize,
) -> BTreeMap<&'static str, Duration> {
    let pairs = now.named().into_iter().zip(before.named());
    pairs.map(|((name, now), (_, before))| (name, (now - before) / steps as u32)).collect()
}

/// Waits after every step, so that each is timed by itself.
fn gpu_turn(crowd: &mut GpuCrowd, steps: usize, dt: f32) -> Result<Turn, CrowdError> {
    let mut stages: BTreeMap<&'static str, Duration> = BTreeMap::new();
    let mut spent = Duration::ZERO;
    let worked = Worked::since_now();
    for _ in 0..steps {
        let began = Instant::now();
        crowd.step(dt)?;
        crowd.gpu().wait()?;
        spent += began.elapsed();
        for timing in crowd.times().iter().filter(|timing| timing.label != "step") {
            *stages.entry(timing.label).or_default() += timing.duration / steps as u32;
        }
    }
    let processor = worked.a_step(steps);
    let began = Instant::now();
    crowd.instances();
    crowd.gpu().wait()?;
    Ok(Turn { step: spent / steps as u32, instances: began.elapsed(), processor, stages })
}

/// Processor time of all threads, from a moment on.
struct Worked(Option<Duration>);

impl Worked {
    fn since_now() -> Self {
        Self(processor_time())
    }

    fn a_step(&self, steps: usize) -> Option<Duration> {
        let (from, to) = self.0.zip(processor_time())?;
        Some(to.saturating_sub(from) / steps as u32)
    }
}

#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(now).ok()
}

#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}

/// The turn in which a step took least, with the stages of that turn; and the least processor time of any.
fn best(turns: &[Turn]) -> Turn {
    let best = turns.iter().min_by_key(|turn| turn.step);
    let processor = turns.iter().filter_map(|turn| turn.processor).min();
    let instances = turns.iter().map(|turn| turn.instances).min().unwrap_or_default();
    let (step, stages) =
        best.map_or_else(Default::default, |turn| (turn.step, turn.stages.clone()));
    Turn { step, instances, processor, stages }
}

#[expect(clippy::too_many_arguments, reason = "each is a result of its own")]
fn row(
    agents: usize,
    steps: usize,
    cpu: &Turn,
    gpu: &Turn,
    asked: &Counts,
    traffic: &[StageTraffic],
    options: &Options,
    bytes_per_agent: f64,
) -> Row {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let estimate = |bytes: u64| bytes as f64 / CARD_BYTES_PER_SECOND * 1e3;
    let mut names: Vec<&str> = traffic.iter().map(|t| t.stage).collect();
    let more: Vec<&str> =
        gpu.stages.keys().filter(|name| !names.contains(*name)).copied().collect();
    names.extend(more);
    let stages = names.iter().map(|name| {
        let moved = traffic.iter().find(|t| t.stage == *name).copied().unwrap_or_default();
        let (gpu_ms, cpu_ms) =
            (gpu.stages.get(name).copied().map(ms), cpu.stages.get(name).copied().map(ms));
        Stage {
            stage: (*name).to_owned(),
            gpu_ms,
            cpu_ms,
            gpu_to_cpu: gpu_ms.zip(cpu_ms.filter(|ms| *ms > 0.0)).map(|(gpu, cpu)| gpu / cpu),
            dispatches: moved.dispatches,
            read: moved.read,
            written: moved.written,
            estimate_ms: estimate(moved.read + moved.written),
        }
    });
    let stages: Vec<Stage> = stages.collect();
    let bytes_moved = stages.iter().map(|stage| stage.read + stage.written).sum();
    let processor_ms = gpu.processor.zip(cpu.processor).map(|(gpu, cpu)| ProcessorTime {
        gpu: ms(gpu),
        cpu: ms(cpu),
        gpu_to_cpu: ms(gpu) / ms(cpu).max(1e-9),
    });
    let per_step = |count: u64| count as f64 / options.steps as f64;
    Row {
        agents,
        steps,
        gpu_ms: ms(gpu.step),
        cpu_ms: ms(cpu.step),
        gpu_to_cpu: ms(gpu.step) / ms(cpu.step).max(1e-9),
        processor_ms,
        gpu_ns_per_agent: ms(gpu.step) * 1e6 / agents as f64,
        per_agent_to_first: 1.0,
        dispatches: per_step(asked.dispatches),
        maps: per_step(asked.maps),
        uploaded: per_step(asked.uploaded),
        bytes_per_agent,
        bytes_moved,
        estimate_ms: estimate(bytes_moved),
        instances_ms: ms(gpu.instances),
        stages,
    }
}
