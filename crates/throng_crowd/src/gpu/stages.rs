//! The stages, compiled once and bound to the memory of a crowd.

use throng_gpu::{Gpu, GpuError, Library, Pass, Pool, Prepared};

use super::buffers::Buffers;
use super::constants::Constants;
use super::gate::{Gate, GateKernel};
use super::outside::OutsideKernels;
use super::tables::hazard_words;
use super::turns::TurnKernels;
use crate::avoid::gpu::AvoidKernels;
use crate::behave::gpu::BehaveKernels;
use crate::bin::gpu::BinKernels;
use crate::crowd::{Crowd, LONGEST_STEP};
use crate::error::CrowdError;
use crate::movement::gpu::MoveKernels;
use crate::navigate::gpu::{NavigateKernels, WayKernels, Ways};

/// The kernels of all stages.
#[derive(Debug)]
pub(crate) struct Kernels {
    ways: WayKernels,
    turns: TurnKernels,
    navigate: NavigateKernels,
    avoid: AvoidKernels,
    behave: BehaveKernels,
    bin: BinKernels,
    movement: MoveKernels,
    outside: OutsideKernels,
    gate: GateKernel,
}

impl Kernels {
    /// For crowds with or without what is extended.
    pub(crate) fn new(gpu: &Gpu, extended: bool) -> Result<Self, GpuError> {
        let library = Library::new()?.with(&super::modules(extended))?;
        Ok(Self {
            ways: WayKernels::new(gpu, &library)?,
            turns: TurnKernels::new(gpu, &library)?,
            navigate: NavigateKernels::new(gpu, &library, extended)?,
            avoid: AvoidKernels::new(gpu, &library)?,
            behave: BehaveKernels::new(gpu, &library)?,
            bin: BinKernels::new(gpu, &library)?,
            movement: MoveKernels::new(gpu, &library)?,
            outside: OutsideKernels::new(gpu, &library)?,
            gate: GateKernel::new(gpu, &library)?,
        })
    }
}

/// The work of a step that begins on one side.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) survey: Prepared,
    pub(crate) targets: Prepared,
    pub(crate) turns: Prepared,
    pub(crate) navigate: Prepared,
    pub(crate) avoid: Prepared,
    pub(crate) behave: Prepared,
    pub(crate) contact: [Prepared; 2],
    pub(crate) movement: Prepared,
    pub(crate) passages: Prepared,
    /// Places in bins of all, and of newcomers alone.
    pub(crate) ranks: [Prepared; 2],
    pub(crate) bin: Prepared,
    pub(crate) commands: Prepared,
    pub(crate) join: Prepared,
    pub(crate) gate: Prepared,
    pub(crate) instances: Prepared,
}

/// A crowd's memory and the stages bound to it.
#[derive(Debug)]
pub(crate) struct Stages {
    pub(crate) gpu: Gpu,
    pub(crate) buffers: Buffers,
    pub(crate) ways: Ways,
    pub(crate) gate: Gate,
    pub(crate) work: [Work; 2],
    /// The side the agents are on.
    pub(crate) side: usize,
    /// Hazards of a step.
    hazards: Vec<u32>,
}

impl Stages {
    /// Memory for a crowd and for at least `room` agents, with the crowd in it.
    pub(crate) fn new(
        pool: &Pool,
        kernels: &Kernels,
        crowd: &Crowd,
        room: usize,
    ) -> Result<Self, CrowdError> {
        let ways = Ways::new(pool, &kernels.ways, crowd)?;
        let gate = Gate::new(pool, crowd)?;
        let (buffers, work) = bound(pool, kernels, crowd, room, (&ways, &gate))?;
        let gpu = pool.gpu().clone();
        let mut stages = Self { gpu, buffers, ways, gate, work, side: 0, hazards: Vec::new() };
        stages.begin(crowd);
        Ok(stages)
    }

    /// Memory for more agents. The fields stay where they are, and go on.
    pub(crate) fn grow(
        &mut self,
        pool: &Pool,
        kernels: &Kernels,
        crowd: &Crowd,
        room: usize,
    ) -> Result<(), CrowdError> {
        let (buffers, work) = bound(pool, kernels, crowd, room, (&self.ways, &self.gate))?;
        (self.buffers, self.work, self.side) = (buffers, work, 0);
        self.begin(crowd);
        Ok(())
    }

    /// Makes the rest fit the agents that were uploaded.
    fn begin(&mut self, crowd: &Crowd) {
        let constants = self.constants(crowd, LONGEST_STEP);
        self.prepare(crowd, constants);
        self.reflect();
    }

    /// Brings the sheets in line with agents that were changed from outside.
    pub(crate) fn reflect(&self) {
        let mut encoder = self.gpu.encoder("sheets");
        self.buffers.reflect(&mut encoder, self.side, self.buffers.capacity);
        self.gpu.submit(encoder);
    }

    /// The constants of the next step of the crowd.
    pub(crate) fn constants(&self, crowd: &Crowd, dt: f32) -> Constants {
        let mut constants = Constants::new(crowd, &self.buffers, dt);
        (constants.fields, constants.targets) = (self.ways.fields, self.ways.slots);
        constants.streams = self.gate.streams();
        constants
    }

    /// Tells the GPU what changes from step to step. Hazards must be in their places.
    pub(crate) fn prepare(&mut self, crowd: &Crowd, constants: Constants) {
        let buffers = &self.buffers;
        self.gpu.write(&buffers.constants, 0, &[constants]);
        hazard_words(&crowd.scratch.hazards, &mut self.hazards);
        buffers.tables.write(&self.gpu, &self.hazards);
        buffers.clear();
    }

    /// Records something and carries it out.
    pub(crate) fn run(&self, record: impl FnOnce(&Work, &mut Pass<'_>)) {
        let mut encoder = self.gpu.encoder("crowd");
        let mut pass = self.gpu.pass(&mut encoder, "crowd");
        record(&self.work[self.side], &mut pass);
        drop(pass);
        self.gpu.submit(encoder);
    }
}

/// Memory for agents with the crowd in it, and the stages bound to it.
fn bound(
    pool: &Pool,
    kernels: &Kernels,
    crowd: &Crowd,
    room: usize,
    (ways, gate): (&Ways, &Gate),
) -> Result<(Buffers, [Work; 2]), GpuError> {
    let buffers = Buffers::new(pool, crowd, room)?;
    let work = |side: usize| -> Result<Work, GpuError> {
        Ok(Work {
            survey: kernels.ways.bind_survey(&buffers, ways)?,
            targets: kernels.ways.bind_targets(&buffers, ways)?,
            turns: kernels.turns.bind(&buffers, ways)?,
            navigate: kernels.navigate.bind(&buffers, ways, side, crowd)?,
            avoid: kernels.avoid.bind(&buffers, side, crowd.params.avoid.model)?,
            behave: kernels.behave.bind(&buffers, side, crowd)?,
            contact: kernels.movement.bind_contacts(&buffers, side, crowd)?,
            movement: kernels.movement.bind_move(&buffers, side, crowd)?,
            passages: kernels.movement.bind_passages(&buffers, side, crowd)?,
            ranks: kernels.bin.bind_ranks(&buffers, side)?,
            bin: kernels.bin.bind(&buffers, side)?,
            commands: kernels.outside.bind_commands(&buffers, side)?,
            join: kernels.outside.bind_join(&buffers, side)?,
            gate: kernels.gate.bind(&buffers, gate, side)?,
            instances: kernels.outside.bind_instances(&buffers)?,
        })
    };
    let work = [work(0)?, work(1)?];
    buffers.upload(crowd, 0);
    Ok((buffers, work))
}
