//! The host side of avoidance on the GPU.

use throng_gpu::{Def, Defs, Gpu, GpuError, Kernel, Library, Prepared, Shader};
use throng_world::params::{AvoidParams, Model};

use super::cpu::{CLOSE_BEHIND, IMPATIENT, UNEASY};
pub(crate) use super::neighbours::per_oncoming;
use super::neighbours::{
    HEAD_ON, MOST, MOST_CANDIDATES, NEARLY_TOUCHING, PER_APPROACH, SIDE_SHARPNESS, TOUCHING,
    WARINESS,
};
pub(crate) use super::throng::per_urge;
use super::throng::{
    self, ALONG_WALL, BEND, BESIDE, CLOSING, CORNER, DETOUR, FACING, FAN, FAR, FREE, INTO, KEEP,
    NEAR_DOOR, NEARS, PER_BEHIND, ROUNDABOUT, SHARP_TURN, SLOW, STEP_OFF, TURNING_BACK, URGENT,
};
use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::Named;
use crate::gpu::sheet::lay;
use crate::walls::AT_WALL;

pub(crate) const SHADER: Shader =
    Shader { name: "avoid", source: include_str!("avoid.wgsl"), variants: &[THRONG, FROBLINS] };

const THRONG: Defs = &[];
const FROBLINS: Defs = &[("FROBLINS", Def::Yes)];

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("IMPATIENT", IMPATIENT.into()),
        ("CLOSE_BEHIND", CLOSE_BEHIND.into()),
        ("FAN", (FAN as u32).into()),
        ("MOST_NEIGHBOURS", (MOST as u32).into()),
        ("MOST_CANDIDATES", (MOST_CANDIDATES as u32).into()),
        ("WARINESS", WARINESS.into()),
        ("HEAD_ON", HEAD_ON.into()),
        ("SIDE_SHARPNESS", SIDE_SHARPNESS.into()),
        ("TOUCHING", TOUCHING.into()),
        ("DETOUR", DETOUR.into()),
        ("ROUNDABOUT", ROUNDABOUT.into()),
        ("STEP_OFF", STEP_OFF.into()),
        ("FAR_AHEAD", FAR.into()),
        ("INTO", INTO.into()),
        ("CORNER", CORNER.into()),
        ("NEARS", NEARS.into()),
        ("KEEP", KEEP.into()),
        ("FACING", FACING.into()),
        ("FREE_AHEAD", FREE.into()),
        ("SLOW_WALK", SLOW.into()),
        ("ALONG_WALL", ALONG_WALL.into()),
        ("SHARP_TURN", SHARP_TURN.into()),
        ("URGENT", URGENT.into()),
        ("CLOSING", CLOSING.into()),
        ("NEAR_DOOR", NEAR_DOOR.into()),
        ("BESIDE", BESIDE.into()),
        ("PER_BEHIND", PER_BEHIND.into()),
        ("NEARLY_TOUCHING", NEARLY_TOUCHING.into()),
        ("BEND", BEND.into()),
        ("TURNING_BACK", TURNING_BACK.into()),
        ("PER_APPROACH", PER_APPROACH.into()),
        ("UNEASY", UNEASY.into()),
        ("AT_WALL", AT_WALL.into()),
    ]
}

/// The usual and the wide fan: sines and cosines of eight directions, and for each of seven the six
/// numbers of its parabola, its sine and its cosine.
pub(crate) fn fans(params: &AvoidParams) -> [Vec<u32>; 2] {
    throng::Model::new(params, [1.0; 2]).fans().map(|fan| {
        let (all, parabolas) = fan.split_at(2 * (FAN + 1));
        let rows = parabolas.chunks_exact(6).enumerate();
        let rows = rows.flat_map(|(k, six)| six.iter().chain([&all[k], &all[FAN + 1 + k]]));
        all.iter().chain(rows).map(|v| v.to_bits()).collect()
    })
}

/// The kernel of the stage.
#[derive(Debug)]
pub(crate) struct AvoidKernels {
    throng: Kernel,
    froblins: Kernel,
}

impl AvoidKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let kernel = |defs| library.program(gpu, &SHADER, defs)?.kernel("avoid");
        Ok(Self { throng: kernel(THRONG)?, froblins: kernel(FROBLINS)? })
    }

    /// Turns preferred directions and speeds into velocities.
    pub(crate) fn bind(
        &self,
        b: &Buffers,
        side: usize,
        model: Model,
    ) -> Result<Prepared, GpuError> {
        let bindings = [
            bind(0, &b.constants),
            bind(1, &b.sides[side].state),
            bind(2, &b.scratch),
            lay(3, &b.first),
            lay(4, &b.walls),
            lay(5, &b.tables),
            lay(16, &b.mirror),
            bind(22, &b.deciding.words),
        ];
        let mut work = Prepared::new();
        let kernel = match model {
            Model::Throng => &self.throng,
            Model::Froblins => &self.froblins,
        };
        work.push(kernel.step(&bindings, b.deciding.groups())?);
        Ok(work)
    }
}
