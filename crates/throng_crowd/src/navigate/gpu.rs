//! The host side of navigation on the GPU.

use throng_gpu::{Defs, Gpu, GpuError, Kernel, Library, Prepared, Shader};

use super::cpu::{CLOSE_BY, HAIR, LOOK_AGAIN, NEARLY, WALL_NEAR};
use super::flow::{LEAST, UNIT, UNREACHABLE};
use super::place::FAR;
use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::Named;
use crate::gpu::ground::flow_word;
use crate::gpu::sheet::lay;

pub(crate) const SHADER: Shader =
    Shader { name: "navigate", source: include_str!("navigate.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[];

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("CLOSE_BY", CLOSE_BY.into()),
        ("HAIR", HAIR.into()),
        ("LOOK_AGAIN", (LOOK_AGAIN as u32).into()),
        ("NEARLY", NEARLY.into()),
        ("WALL_NEAR", WALL_NEAR.into()),
        ("FLOW_LEAST", LEAST.into()),
        ("FLOW_UNIT", UNIT.into()),
        ("UNREACHABLE", flow_word(UNREACHABLE).into()),
        ("FAR_OFF", u32::from(FAR).into()),
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
}

impl NavigateKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        Ok(Self { navigate: library.program(gpu, &SHADER, DEFS)?.kernel("navigate")? })
    }

    /// Preferred directions and speeds, fear and the flags about them.
    pub(crate) fn bind(&self, b: &Buffers, side: usize) -> Result<Prepared, GpuError> {
        let bindings = [
            bind(0, &b.constants),
            bind(1, &b.sides[side].state),
            bind(2, &b.scratch),
            lay(4, &b.walls),
            lay(5, &b.tables),
            bind(6, &b.ground),
            lay(16, &b.mirror),
            bind(22, &b.deciding.words),
        ];
        let mut work = Prepared::new();
        work.push(self.navigate.step(&bindings, b.deciding.groups())?);
        Ok(work)
    }
}
