//! The host side of behaviour on the GPU.

use throng_gpu::{Def, Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, groups_for};

use super::cpu::{AT_TARGET, INSIDERS, MOST_COUNTED};
use super::draw::{FOURTH, SECOND, THIRD, TRIES};
use crate::crowd::Crowd;
use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::{Named, wide};
use crate::gpu::sheet::lay;

pub(crate) const SHADER: Shader =
    Shader { name: "behave", source: include_str!("behave.wgsl"), variants: &[DEFS, CHANGES] };

pub(crate) const GLANCE: Shader =
    Shader { name: "glance", source: include_str!("glance.wgsl"), variants: &[DEFS] };

pub(crate) const ADMIT: Shader =
    Shader { name: "admit", source: include_str!("admit.wgsl"), variants: &[DEFS] };

const DEFS: Defs = &[];
const CHANGES: Defs = &[("CHANGES", Def::Yes)];

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    let mut named: Named = vec![
        ("AT_TARGET", AT_TARGET.into()),
        ("INSIDERS", INSIDERS.into()),
        ("MOST_COUNTED", (MOST_COUNTED as u32).into()),
        ("TRIES", TRIES.into()),
    ];
    named.extend(wide("SECOND_LOW", "SECOND_HIGH", SECOND));
    named.extend(wide("THIRD_LOW", "THIRD_HIGH", THIRD));
    named.extend(wide("FOURTH_LOW", "FOURTH_HIGH", FOURTH));
    named
}

/// The kernels of the stage.
#[derive(Debug)]
pub(crate) struct BehaveKernels {
    glance: Kernel,
    behave: Kernel,
    change: Kernel,
    admit: Kernel,
}

impl BehaveKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        Ok(Self {
            glance: library.program(gpu, &GLANCE, DEFS)?.kernel("glance")?,
            behave: library.program(gpu, &SHADER, DEFS)?.kernel("behave")?,
            change: library.program(gpu, &SHADER, CHANGES)?.kernel("behave")?,
            admit: library.program(gpu, &ADMIT, DEFS)?.kernel("admit")?,
        })
    }

    /// Lets everybody act, and admits people to places with a capacity where there are any.
    pub(crate) fn bind(
        &self,
        b: &Buffers,
        side: usize,
        crowd: &Crowd,
    ) -> Result<Prepared, GpuError> {
        let state = &b.sides[side].state;
        let per_agent = groups_for(b.capacity, GROUP);
        let mut work = Prepared::new();
        let (asks, asked) = (&b.asks, &b.asked);
        work.push(self.glance.step(
            &[
                bind(0, &b.constants),
                bind(1, state),
                lay(3, &b.first),
                lay(5, &b.tables),
                lay(6, &b.ground),
                bind(7, &b.busy),
                bind(8, &b.tally),
                lay(16, &b.mirror),
                bind(21, &b.acting.words),
            ],
            per_agent,
        )?);
        let acting = [
            bind(0, &b.constants),
            bind(1, state),
            lay(3, &b.first),
            lay(5, &b.tables),
            lay(6, &b.ground),
            bind(7, &b.busy),
            bind(9, asks),
            bind(10, asked),
            lay(16, &b.mirror),
        ];
        let lists = [bind(22, &b.acting.words), bind(21, &b.changing.words)];
        work.push(self.behave.step(&[&acting[..], &lists].concat(), b.acting.groups())?);
        let list = [bind(22, &b.changing.words), bind(8, &b.tally)];
        work.push(self.change.step(&[&acting[..], &list].concat(), b.changing.groups())?);
        if crowd.sites.sites.iter().all(|site| site.place.capacity.is_none()) {
            return Ok(work);
        }
        work.push(self.admit.step(
            &[
                bind(0, &b.constants),
                bind(1, state),
                lay(3, &b.first),
                lay(5, &b.tables),
                bind(7, &b.busy),
                bind(8, &b.tally),
                bind(9, asks),
                bind(10, asked),
                bind(11, &b.asking),
            ],
            [1, 1, 1],
        )?);
        Ok(work)
    }
}
