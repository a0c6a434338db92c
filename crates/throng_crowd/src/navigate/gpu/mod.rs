//! The host side of navigation on the GPU.

mod ways;

#[cfg(test)]
pub(crate) use ways::{BRINKS, SURVEY, TARGETS};
pub(crate) use ways::{WayKernels, Ways};

use throng_gpu::{Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, groups_for};

use throng_field::cost::{MAX_COST, MIN_COST, SPLAT_BITS};
use throng_field::solve::gpu::{ASKED_WORD, BUSY_PHASE, PHASE_WORD, STATE_WORDS};

use super::cpu::{CLOSE_BY, FOOT, HAIR, LOOK_AGAIN, NEARLY, WALL_NEAR};
use super::crowding::{MOST_CROWDING, OTHERS};
use super::fields::{DENSITY_LEAST, DENSITY_SHARE};
use super::flow::{LEAST, UNIT, UNREACHABLE};
use super::place::FAR;
use super::targets::ROTATION;
use super::trails::{FULL, LEVELS};
use super::{brink, narrow};
use crate::crowd::Crowd;
use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::Named;
use crate::gpu::ground::flow_word;
use crate::gpu::sheet::lay;
use crate::walls::{FAINT, OFF_STEP, OFF_STEPS};

pub(crate) const SHADER: Shader =
    Shader { name: "navigate", source: include_str!("../navigate.wgsl"), variants: &[DEFS] };

pub(crate) const MEET: Shader =
    Shader { name: "meet", source: include_str!("../meet.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[];

/// Words of a field's weights, of a slot for a private target, and cells that an invocation ranks.
pub(crate) const WEIGHT_WORDS: u32 = 3;
const SLOT_WORDS: u32 = 5;
const RANKED: u32 = 16;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("CLOSE_BY", CLOSE_BY.into()),
        ("HAIR", HAIR.into()),
        ("LOOK_AGAIN", (LOOK_AGAIN as u32).into()),
        ("NEARLY", NEARLY.into()),
        ("WALL_NEAR", WALL_NEAR.into()),
        ("FOOT", FOOT.into()),
        ("FLOW_LEAST", LEAST.into()),
        ("FLOW_UNIT", UNIT.into()),
        ("UNREACHABLE", flow_word(UNREACHABLE).into()),
        ("FAR_OFF", u32::from(FAR).into()),
        ("SPLAT_BITS", SPLAT_BITS.into()),
        ("DENSITY_LEAST", DENSITY_LEAST.into()),
        ("DENSITY_SHARE", DENSITY_SHARE.into()),
        ("MOST_CROWDING", MOST_CROWDING.into()),
        ("OTHERS", OTHERS.into()),
        ("SURVEY_DENSITY", ways::DENSITY.into()),
        ("SURVEY_SETTLED", ways::SETTLED.into()),
        ("SURVEY_MEANS", ways::MEANS.into()),
        ("SURVEY_ROOM", ways::ROOM.into()),
        ("WORN", FULL.into()),
        ("WEAR_LEVEL", (FULL / LEVELS).into()),
        ("LEAST_COST", MIN_COST.into()),
        ("MOST_COST", MAX_COST.into()),
        ("WEIGHT_WORDS", WEIGHT_WORDS.into()),
        ("SLOT_WORDS", SLOT_WORDS.into()),
        ("RANKED", RANKED.into()),
        ("ROTATION", (ROTATION as u32).into()),
        ("OFF_WALL", brink::OFF_WALL.into()),
        ("SLANT", brink::SLANT.into()),
        ("FAINT", FAINT.into()),
        ("ROOM_NONE", narrow::ROOM.0.into()),
        ("ROOM_ENOUGH", narrow::ROOM.1.into()),
        ("BESIDE_BODY", narrow::BESIDE.into()),
        ("FACING_WALLS", narrow::FACING.into()),
        ("OFF_STEP", OFF_STEP.into()),
        ("OFF_STEPS", OFF_STEPS.into()),
        ("HEAD_ON_FROM", brink::HEAD_ON.0.into()),
        ("HEAD_ON_TO", brink::HEAD_ON.1.into()),
        ("ALONG_FROM", brink::ALONG.0.into()),
        ("ALONG_TO", brink::ALONG.1.into()),
        ("BRINK_SHARES", brink::SHARES.into()),
        ("BRINK_LEFT", brink::LEFT.into()),
        ("BRINK_RIGHT", brink::RIGHT.into()),
        ("BRINK_BELOW", brink::BELOW.into()),
        ("BRINK_ABOVE", brink::ABOVE.into()),
        ("FIELD_WORDS", STATE_WORDS.into()),
        ("FIELD_ASKED", ASKED_WORD.into()),
        ("FIELD_PHASE", PHASE_WORD.into()),
        ("FIELD_BUSY", BUSY_PHASE.into()),
    ]
}

/// How many times those who decide have looked for hidden targets before a step.
pub(crate) fn looks(step: u64, period: u32) -> u32 {
    (step / u64::from(period) % LOOK_AGAIN) as u32
}

/// The kernel of the stage.
#[derive(Debug)]
pub(crate) struct NavigateKernels {
    navigate: Kernel,
    meet: Option<Kernel>,
}

impl NavigateKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library, extended: bool) -> Result<Self, GpuError> {
        let meet = || library.program(gpu, &MEET, DEFS)?.kernel("meet");
        Ok(Self {
            navigate: library.program(gpu, &SHADER, DEFS)?.kernel("navigate")?,
            meet: extended.then(meet).transpose()?,
        })
    }

    /// Preferred directions and speeds, fear and the flags about them.
    pub(crate) fn bind(
        &self,
        b: &Buffers,
        ways: &Ways,
        side: usize,
        crowd: &Crowd,
    ) -> Result<Prepared, GpuError> {
        let bindings = [
            bind(0, &b.constants),
            bind(1, &b.sides[side].state),
            bind(2, &b.scratch),
            lay(4, &b.walls),
            lay(5, &b.tables),
            lay(6, &b.ground),
            bind(7, ways.solver.directions()),
            bind(8, &ways.targets),
            bind(9, &b.parties),
            lay(16, &b.mirror),
            bind(22, &b.deciding.words),
        ];
        let mut work = Prepared::new();
        if let Some(meet) = self.meet.as_ref().filter(|_| !crowd.parties.is_empty()) {
            let bindings = [
                bind(0, &b.constants),
                lay(3, &b.first),
                lay(5, &b.tables),
                bind(9, &b.parties),
                lay(16, &b.mirror),
            ];
            work.push(meet.step(&bindings, groups_for(b.capacity, GROUP))?);
        }
        work.push(self.navigate.step(&bindings, b.deciding.groups())?);
        Ok(work)
    }
}
