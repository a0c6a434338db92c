//! What comes from outside and what goes there: commands, newcomers, instances.

use throng_gpu::{Def, Defs, GROUP, Gpu, GpuError, Kernel, Library, Prepared, Shader, groups_for};

use super::buffers::{Buffers, bind};
use super::constants::{DOSE, FIELDS, ID, Named, PARTY, SITE, TRAITS, field_of};
use super::sheet::lay;
use crate::agents::Agents;

pub(crate) const COMMANDS: Shader =
    Shader { name: "commands", source: include_str!("commands.wgsl"), variants: &[&[]] };
pub(crate) const INSTANCES: Shader =
    Shader { name: "instances", source: include_str!("instances.wgsl"), variants: &[READS] };

const READS: Defs = &[("STATE_READ", Def::Yes)];

/// Words of a command: what, to whom, and two of its own.
pub(crate) type Command = [u32; 4];

pub(crate) const REMOVE: u32 = 0;
pub(crate) const RETARGET: u32 = 1;
pub(crate) const ACT: u32 = 2;

/// Commands carried out at a time; more take several turns.
pub(crate) const MOST_COMMANDS: usize = 1024;

/// Names for the shaders.
pub(crate) fn constants() -> Named {
    vec![
        ("COMMAND_WORDS", (size_of::<Command>() as u32 / 4).into()),
        ("MOST_COMMANDS", (MOST_COMMANDS as u32).into()),
        ("REMOVE", REMOVE.into()),
        ("RETARGET", RETARGET.into()),
        ("ACT", ACT.into()),
    ]
}

/// All words of an agent, in the order of the arrays.
pub(crate) fn newcomer_words(agents: &Agents, out: &mut Vec<u32>) {
    out.clear();
    (0..agents.len()).for_each(|i| out.extend(agent_words(agents, i)));
}

/// The words of one agent.
pub(crate) fn agent_words(agents: &Agents, i: usize) -> [u32; FIELDS as usize] {
    let mut words = [0; FIELDS as usize];
    for (float, (_, values)) in agents.floats().iter().enumerate() {
        words[field_of(float) as usize] = values[i].to_bits();
    }
    words[ID as usize] = agents.id[i];
    words[SITE as usize] = agents.site[i];
    words[TRAITS as usize] = bytemuck::cast(agents.traits[i]);
    if agents.extended {
        words[DOSE as usize] = agents.dose[i].to_bits();
        words[PARTY as usize] = agents.party[i];
    }
    words
}

/// The kernels.
#[derive(Debug)]
pub(crate) struct OutsideKernels {
    obey: Kernel,
    join: Kernel,
    look_up: Kernel,
    instances: Kernel,
}

impl OutsideKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let commands = library.program(gpu, &COMMANDS, &[])?;
        let instances = library.program(gpu, &INSTANCES, READS)?;
        Ok(Self {
            obey: commands.kernel("obey")?,
            join: commands.kernel("join")?,
            look_up: commands.kernel("look_up")?,
            instances: instances.kernel("write_instances")?,
        })
    }

    /// Carries commands out.
    pub(crate) fn bind_commands(&self, b: &Buffers, side: usize) -> Result<Prepared, GpuError> {
        let side = &b.sides[side];
        let bindings = [
            bind(0, &b.constants),
            bind(1, &side.state),
            bind(7, &b.busy),
            bind(8, &b.tally),
            bind(9, &b.found),
            bind(11, &b.commands),
        ];
        let looking = [
            bind(0, &b.constants),
            bind(1, &side.state),
            lay(3, &b.first),
            bind(9, &b.found),
            bind(11, &b.commands),
        ];
        let mut work = Prepared::new();
        work.push(self.look_up.step(&looking, groups_for(b.capacity, GROUP))?);
        work.push(self.obey.step(&bindings, [1, 1, 1])?);
        Ok(work)
    }

    /// Lets newcomers join, before a sort.
    pub(crate) fn bind_join(&self, b: &Buffers, side: usize) -> Result<Prepared, GpuError> {
        let side = &b.sides[side];
        let bindings =
            [bind(0, &b.constants), bind(1, &side.state), lay(3, &b.first), bind(12, &b.newcomers)];
        let mut work = Prepared::new();
        work.push(self.join.step(&bindings, groups_for(b.most_newcomers, GROUP))?);
        Ok(work)
    }

    /// Writes instances of the agents.
    pub(crate) fn bind_instances(&self, b: &Buffers) -> Result<Prepared, GpuError> {
        let bindings = [
            bind(0, &b.constants),
            lay(3, &b.first),
            lay(5, &b.tables),
            lay(6, &b.heights),
            bind(9, &b.instances),
            lay(16, &b.mirror),
        ];
        let mut work = Prepared::new();
        work.push(self.instances.step(&bindings, groups_for(b.capacity, GROUP))?);
        Ok(work)
    }
}
