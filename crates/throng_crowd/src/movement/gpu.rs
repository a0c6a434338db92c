//! The host side of contacts and of the step on the GPU.

use throng_gpu::{
    Buffer, Def, Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, groups_for,
};

use super::contact::{
    CRUSHED, CRUSHED_LEAST, CRUSHED_SHIFT, MIX, NEAR, SAME_SPOT, SOFTNESS, SURGE,
};
use super::cpu::{PROGRESS, SQUEEZED, STANDING};
use super::passage::{AT_DOOR, JUST_BEFORE, LIFT_CLOCKS, NEAR_PASSAGE};
use crate::crowd::Crowd;
use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::Named;
use crate::gpu::list::List;
use crate::gpu::sheet::lay;

pub(crate) const CONTACT: Shader =
    Shader { name: "contact", source: include_str!("contact.wgsl"), variants: &[READS] };
pub(crate) const MOVE: Shader =
    Shader { name: "move", source: include_str!("move.wgsl"), variants: &[RANKS, LATER] };

pub(crate) const PASSAGE: Shader =
    Shader { name: "passage", source: include_str!("passage.wgsl"), variants: &[&[]] };

const READS: Defs = &[("STATE_READ", Def::Yes)];
/// Whoever has taken its step takes its place in a bin; or later, when doors and lifts have seen to it.
const RANKS: Defs = &[("RANKS", Def::Yes)];
const LATER: Defs = &[];

/// A bit of a word says whether a pass looks at somebody; the first looks at all.
const MOST_PASSES: u32 = u32::BITS - 1;

/// Distance between two uniforms in one buffer, by WebGPU's default limits.
const STRIDE: u64 = 256;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("CRUSHED", (CRUSHED as u32).into()),
        ("CRUSHED_LEAST", (CRUSHED_LEAST as u32).into()),
        ("CRUSHED_SHIFT", (CRUSHED_SHIFT as u32).into()),
        ("NEAR", NEAR.into()),
        ("SOFTNESS", SOFTNESS.into()),
        ("SAME_SPOT", SAME_SPOT.into()),
        ("SURGE", SURGE.into()),
        ("MIX", MIX.into()),
        ("SQUEEZED", SQUEEZED.into()),
        ("PROGRESS", PROGRESS.into()),
        ("STANDING", STANDING.into()),
        ("NEAR_PASSAGE", NEAR_PASSAGE.into()),
        ("JUST_BEFORE", JUST_BEFORE.into()),
        ("AT_DOOR", AT_DOOR.into()),
        ("LIFT_CLOCKS", (LIFT_CLOCKS as u32).into()),
    ]
}

/// The kernels of the stage.
#[derive(Debug)]
pub(crate) struct MoveKernels {
    predict: Kernel,
    contact: Kernel,
    /// Of passes after the first.
    predict_again: Kernel,
    contact_again: Kernel,
    /// Those for who takes its place in a bin at once, and later.
    moving: [Moving; 2],
    pass_all: Kernel,
}

/// The kernels of the step itself.
#[derive(Debug)]
struct Moving {
    all: Kernel,
    blocked: Kernel,
}

impl Moving {
    fn new(gpu: &Gpu, library: &Library, defs: Defs) -> Result<Self, GpuError> {
        let program = library.program(gpu, &MOVE, defs)?;
        Ok(Self { all: program.kernel("move_all")?, blocked: program.kernel("move_blocked")? })
    }
}

impl MoveKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let contact = library.program(gpu, &CONTACT, READS)?;
        Ok(Self {
            predict: contact.kernel("predict")?,
            contact: contact.kernel("contact")?,
            predict_again: contact.kernel("predict_again")?,
            contact_again: contact.kernel("contact_again")?,
            moving: [Moving::new(gpu, library, RANKS)?, Moving::new(gpu, library, LATER)?],
            pass_all: library.program(gpu, &PASSAGE, &[])?.kernel("pass_all")?,
        })
    }

    /// All passes over the contacts. What comes first is by itself: its result has to be copied to a sheet.
    pub(crate) fn bind_contacts(
        &self,
        b: &Buffers,
        side: usize,
        crowd: &Crowd,
    ) -> Result<[Prepared; 2], GpuError> {
        let passes = crowd.params.movement.contact_passes;
        if passes > MOST_PASSES {
            let (what, value) = ("passes over contacts", u64::from(passes));
            return Err(GpuError::OutOfRange { what, value, least: 0, most: MOST_PASSES.into() });
        }
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let rounds = b.pool.buffer("rounds", STRIDE * u64::from(passes.max(1)), usage)?;
        // The last pass has nothing to append to its list; a binding it must have.
        let spare = List::new(&b.pool, "nobody", 1)?;
        let (mut first, mut work) = (Prepared::new(), Prepared::new());
        for pass in 0..passes {
            let last = u32::from(pass + 1 == passes);
            b.pool.gpu().write(&rounds, u64::from(pass) * STRIDE, &[pass, last]);
            let mut predicting = vec![
                bind(0, &b.constants),
                bind(1, &b.sides[side].state),
                bind(2, &b.scratch),
                lay(4, &b.walls),
                lay(5, &b.tables),
                lay(16, &b.mirror),
            ];
            let next = b.pushed.get(pass as usize).unwrap_or(&spare);
            let mut touching = vec![
                bind(0, &b.constants),
                bind(2, &b.scratch),
                lay(3, &b.first),
                bind(7, &b.marks),
                (8, round(&rounds, pass)),
                lay(16, &b.mirror),
                lay(18, &b.predicted),
                bind(21, &next.words),
            ];
            if pass == 0 {
                let groups = groups_for(b.capacity, GROUP);
                let to = bind(9, &b.predicted_all);
                predicting.extend([lay(3, &b.first), bind(7, &b.marks), to]);
                first.push(self.predict.step(&predicting, groups)?);
                work.push(self.contact.step(&touching, groups)?);
            } else {
                let list = &b.pushed[pass as usize - 1];
                predicting.extend([lay(17, &b.predicted), bind(22, &list.words)]);
                touching.push(bind(22, &list.words));
                work.push(self.predict_again.step(&predicting, list.groups())?);
                work.push(self.contact_again.step(&touching, list.groups())?);
            }
        }
        work.keep(spare.words);
        work.keep(rounds);
        Ok([first, work])
    }

    /// The step of everybody, to its place in a bin unless there are doors or lifts.
    pub(crate) fn bind_move(
        &self,
        b: &Buffers,
        side: usize,
        crowd: &Crowd,
    ) -> Result<Prepared, GpuError> {
        let later = crowd.passages.clocks() > 0;
        let kernels = &self.moving[usize::from(later)];
        let mut common = vec![
            bind(0, &b.constants),
            bind(1, &b.sides[side].state),
            bind(2, &b.scratch),
            lay(4, &b.walls),
            lay(16, &b.mirror),
        ];
        if !later {
            common.extend([bind(10, &b.counts), bind(11, &b.places)]);
        }
        let mut all = common.clone();
        all.extend([lay(3, &b.first), bind(21, &b.blocked.words)]);
        let mut blocked = common;
        blocked.extend([bind(9, &b.tally), bind(22, &b.blocked.words)]);
        let mut work = Prepared::new();
        work.push(kernels.all.step(&all, groups_for(b.capacity, GROUP))?);
        work.push(kernels.blocked.step(&blocked, b.blocked.groups())?);
        Ok(work)
    }
}

impl MoveKernels {
    /// Doors and lifts, where there are any.
    pub(crate) fn bind_passages(
        &self,
        b: &Buffers,
        side: usize,
        crowd: &Crowd,
    ) -> Result<Prepared, GpuError> {
        let mut work = Prepared::new();
        if crowd.passages.clocks() > 0 {
            let bindings = [
                bind(0, &b.constants),
                bind(1, &b.sides[side].state),
                lay(3, &b.first),
                lay(5, &b.tables),
                bind(7, &b.busy),
                lay(16, &b.mirror),
            ];
            work.push(self.pass_all.step(&bindings, [1, 1, 1])?);
        }
        Ok(work)
    }
}

/// The uniform of a pass.
fn round(rounds: &Buffer, pass: u32) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: rounds,
        offset: u64::from(pass) * STRIDE,
        size: std::num::NonZeroU64::new(8),
    })
}
