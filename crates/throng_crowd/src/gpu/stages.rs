//! The stages, compiled once and bound to the memory of a crowd.

use throng_gpu::{Gpu, GpuError, Library, Pass, Pool, Prepared};

use super::buffers::Buffers;
use super::constants::Constants;
use super::outside::OutsideKernels;
use super::tables::hazard_words;
use super::turns::TurnKernels;
use crate::avoid::gpu::AvoidKernels;
use crate::behave::gpu::BehaveKernels;
use crate::bin::gpu::BinKernels;
use crate::crowd::{Crowd, LONGEST_STEP};
use crate::movement::gpu::MoveKernels;
use crate::navigate::gpu::NavigateKernels;

/// The kernels of all stages.
#[derive(Debug)]
pub(crate) struct Kernels {
    turns: TurnKernels,
    navigate: NavigateKernels,
    avoid: AvoidKernels,
    behave: BehaveKernels,
    bin: BinKernels,
    movement: MoveKernels,
    outside: OutsideKernels,
}

impl Kernels {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let library = Library::new()?.with(&super::modules())?;
        Ok(Self {
            turns: TurnKernels::new(gpu, &library)?,
            navigate: NavigateKernels::new(gpu, &library)?,
            avoid: AvoidKernels::new(gpu, &library)?,
            behave: BehaveKernels::new(gpu, &library)?,
            bin: BinKernels::new(gpu, &library)?,
            movement: MoveKernels::new(gpu, &library)?,
            outside: OutsideKernels::new(gpu, &library)?,
        })
    }
}

/// The work of a step that begins on one side.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) turns: Prepared,
    pub(crate) navigate: Prepared,
    pub(crate) avoid: Prepared,
    pub(crate) behave: Prepared,
    pub(crate) contact: Prepared,
    pub(crate) movement: Prepared,
    pub(crate) bin: Prepared,
    pub(crate) commands: Prepared,
    pub(crate) reflect: Prepared,
    pub(crate) join: Prepared,
    pub(crate) instances: Prepared,
}

/// A crowd's memory and the stages bound to it.
#[derive(Debug)]
pub(crate) struct Stages {
    pub(crate) gpu: Gpu,
    pub(crate) buffers: Buffers,
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
    ) -> Result<Self, GpuError> {
        let buffers = Buffers::new(pool, crowd, room)?;
        let work = |side: usize| -> Result<Work, GpuError> {
            Ok(Work {
                turns: kernels.turns.bind(&buffers)?,
                navigate: kernels.navigate.bind(&buffers, side)?,
                avoid: kernels.avoid.bind(&buffers, side, crowd.params.avoid.model)?,
                behave: kernels.behave.bind(&buffers, side, crowd)?,
                contact: kernels.movement.bind_contacts(&buffers, side, crowd)?,
                movement: kernels.movement.bind_move(&buffers, side)?,
                bin: kernels.bin.bind(&buffers, side)?,
                commands: kernels.outside.bind_commands(&buffers, side)?,
                reflect: kernels.outside.bind_reflect(&buffers, side)?,
                join: kernels.outside.bind_join(&buffers, side)?,
                instances: kernels.outside.bind_instances(&buffers)?,
            })
        };
        let work = [work(0)?, work(1)?];
        buffers.upload(crowd, 0);
        let mut stages =
            Self { gpu: pool.gpu().clone(), buffers, work, side: 0, hazards: Vec::new() };
        let constants = Constants::new(crowd, &stages.buffers, LONGEST_STEP);
        stages.prepare(crowd, constants);
        stages.run(|work, pass| work.reflect.record(pass));
        Ok(stages)
    }

    /// Tells the GPU what changes from step to step. Hazards must be in their places.
    pub(crate) fn prepare(&mut self, crowd: &Crowd, constants: Constants) {
        let buffers = &self.buffers;
        self.gpu.write(&buffers.constants, 0, &[constants]);
        hazard_words(&crowd.scratch.hazards, &mut self.hazards);
        buffers.tables.write(&self.gpu, &self.hazards);
        buffers.clear_lists();
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
