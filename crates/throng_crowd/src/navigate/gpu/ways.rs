//! The fields of a crowd on the GPU: what they are made from, whose they are, and their solver.
//!
//! Groups of the solver are first the fields of the goals, then slots for private targets. Fields whose
//! turn it is get a cost from the survey and are asked for; the solver goes on with them for a fixed
//! number of rounds a step, and hands out directions of those that are done.

use throng_field::Grid;
use throng_field::solve::gpu::{
    CostKind, FieldKernels, FieldShape, FieldWork, GpuFieldError, GpuFields, Notice, Solution,
};
use throng_gpu::{
    Buffer, GROUP, Gpu, GpuError, Kernel, Library, Pass, Pool, Prepared, Shader, groups_for,
};

use super::{RANKED, SLOT_WORDS};
use crate::crowd::Crowd;
use crate::gpu::buffers::{Buffers, bind};
use crate::gpu::constants::NOTHING;
use crate::gpu::sheet::lay;
use crate::navigate::brink::Brink;

pub(crate) const SURVEY: Shader =
    Shader { name: "survey", source: include_str!("../survey.wgsl"), variants: &[&[]] };
pub(crate) const BRINKS: Shader =
    Shader { name: "brink", source: include_str!("../brink.wgsl"), variants: &[&[]] };
pub(crate) const TARGETS: Shader =
    Shader { name: "targets", source: include_str!("../targets.wgsl"), variants: &[&[]] };

/// Rounds of the solver in a step: 17 dispatches. A front crosses one tile of 16 cells in a round.
const ROUNDS: u32 = 12;

/// Layers of the survey, of a word for each navigation cell. Shares of people come first; then people per square metre;
/// those that costs are made with; and where cells around a cell count for its crowding, means along rows and the share of
/// open ground.
pub(super) const DENSITY: u32 = 1;
pub(super) const SETTLED: u32 = 2;
pub(super) const MEANS: u32 = 3;
pub(super) const ROOM: u32 = 4;

/// What a slot is; see `targets.wgsl`.
const READY: u32 = 2;

/// The kernels.
#[derive(Debug)]
pub(crate) struct WayKernels {
    splat: Kernel,
    measure: Kernel,
    across: Kernel,
    compose: Kernel,
    ease: Kernel,
    rank: Kernel,
    assign: Kernel,
    solver: FieldKernels,
}

impl WayKernels {
    pub(crate) fn new(gpu: &Gpu, library: &Library) -> Result<Self, GpuError> {
        let survey = library.program(gpu, &SURVEY, &[])?;
        let targets = library.program(gpu, &TARGETS, &[])?;
        Ok(Self {
            splat: survey.kernel("splat")?,
            measure: survey.kernel("measure")?,
            across: survey.kernel("across")?,
            compose: survey.kernel("compose")?,
            ease: library.program(gpu, &BRINKS, &[])?.kernel("ease")?,
            rank: targets.kernel("rank")?,
            assign: targets.kernel("assign")?,
            solver: FieldKernels::new(gpu)?,
        })
    }

    /// Measures the agents and the hazards, and makes the costs of the fields that are due.
    pub(crate) fn bind_survey(&self, b: &Buffers, ways: &Ways) -> Result<Prepared, GpuError> {
        let mut work = Prepared::new();
        let splatting = [
            bind(0, &b.constants),
            lay(3, &b.first),
            bind(7, &ways.survey),
            bind(8, &ways.costs),
            lay(16, &b.mirror),
        ];
        work.push(self.splat.step(&splatting, groups_for(b.capacity, GROUP))?);
        let cells = groups_for(ways.cells as u32, GROUP);
        if ways.spread {
            let measuring = [bind(0, &b.constants), bind(7, &ways.survey)];
            work.push(self.measure.step(&measuring, cells)?);
            work.push(self.across.step(&measuring, cells)?);
        }
        let composing = [
            bind(0, &b.constants),
            lay(5, &b.tables),
            bind(7, &ways.survey),
            bind(8, &ways.costs),
            bind(9, ways.solver.state()),
            bind(10, &ways.wear),
        ];
        work.push(self.compose.step(&composing, cells)?);
        if ways.brinks_count > 0 {
            let easing = [
                bind(0, &b.constants),
                bind(7, ways.solver.directions()),
                bind(8, &ways.costs),
                bind(9, &ways.brinks),
            ];
            work.push(self.ease.step(&easing, groups_for(ways.brinks_count, GROUP))?);
        }
        Ok(work)
    }

    /// Gives slots to targets that many want.
    pub(crate) fn bind_targets(&self, b: &Buffers, ways: &Ways) -> Result<Prepared, GpuError> {
        let mut work = Prepared::new();
        if ways.slots == 0 {
            return Ok(work);
        }
        let ranking = [bind(0, &b.constants), bind(8, &ways.targets)];
        work.push(self.rank.step(&ranking, groups_for(ways.cells as u32, GROUP * RANKED))?);
        let assigning = [
            bind(0, &b.constants),
            bind(7, &ways.costs),
            bind(8, &ways.targets),
            bind(9, ways.solver.state()),
            bind(10, ways.solver.given_start()),
        ];
        work.push(self.assign.step(&assigning, [1, 1, 1])?);
        Ok(work)
    }
}

/// The fields and all they need.
#[derive(Debug)]
pub(crate) struct Ways {
    cells: usize,
    /// Whether the cells around a cell count for its crowding.
    pub(crate) spread: bool,
    /// Fields of goals.
    pub(crate) fields: u32,
    /// Fields there is room for to private targets.
    pub(crate) slots: u32,
    pub(crate) solver: GpuFields,
    work: FieldWork,
    /// The crowd on the navigation cells; see [`DENSITY`].
    survey: Buffer,
    /// The cost of each field, and that of the bare ground.
    costs: Buffer,
    /// Cells at slanted walls.
    brinks: Buffer,
    brinks_count: u32,
    /// How worn the cells are, where that counts.
    pub(crate) wear: Buffer,
    pub(crate) targets: Buffer,
    /// Solutions handed out that are in the crowd's totals already.
    counted: u64,
}

impl Ways {
    /// The fields of a crowd as they are.
    pub(crate) fn new(
        pool: &Pool,
        kernels: &WayKernels,
        crowd: &Crowd,
    ) -> Result<Self, GpuFieldError> {
        let terrain = &crowd.world.terrain;
        let cells = terrain.cells();
        let fields = crowd.fields.len() as u32;
        let limit = pool.gpu().device().limits().max_storage_buffer_binding_size;
        let slots = slots_of(crowd, limit);
        let shape = FieldShape {
            width: terrain.width() as u32,
            height: terrain.height() as u32,
            groups: (fields + slots).max(1),
            cell_size: terrain.cell_size(),
        };
        let solver = GpuFields::new(pool, shape)?;
        let mut costs: Vec<f32> = Vec::with_capacity((fields as usize + 1) * cells);
        for (group, field) in (0..).zip(crowd.fields.each()) {
            let (cost, potential, directions) = field.state();
            costs.extend(cost.as_slice());
            solver.load(
                group,
                &Solution {
                    cost: cost.as_slice(),
                    sources: field.sources(),
                    potential: potential.as_slice(),
                    directions,
                },
            )?;
        }
        costs.extend(terrain.as_slice());
        let costs = pool.array_of("costs of fields", &costs)?;
        let kind = CostKind::First(fields);
        let work = solver.bind_with(pool, &kernels.solver, &costs, kind, Notice::Asked)?;
        let worn = crowd.fields.trails.as_ref().map_or(&[0][..], |trails| trails.state().0);
        let wear = pool.array_of("wear", worn)?;
        let (density, settled) = crowd.fields.densities();
        let crowding = crowd.fields.crowding();
        let spread = crowding.tent.reach > 0;
        let layers = if spread { ROOM } else { SETTLED } + 1;
        let mut survey = vec![0.0; layers as usize * cells];
        let mut lay_out = |layer: u32, values: &[f32]| {
            survey[layer as usize * cells..][..cells].copy_from_slice(values);
        };
        lay_out(DENSITY, density.as_slice());
        lay_out(SETTLED, settled.as_slice());
        if spread {
            lay_out(ROOM, crowding.room());
        }
        let brinks = crowd.fields.brinks();
        let mut ways = Self {
            cells,
            spread,
            fields,
            slots,
            solver,
            work,
            survey: pool.array_of("survey", &survey)?,
            costs,
            brinks: pool.array_of("brinks", &brink_words(brinks))?,
            brinks_count: brinks.len() as u32,
            wear,
            targets: pool.array_of("private targets", &[0u32])?,
            counted: u64::from(fields),
        };
        if slots > 0 {
            ways.targets = pool.array_of("private targets", &ways.load_targets(pool, crowd))?;
        }
        Ok(ways)
    }

    /// Brings up the fields to private targets, and gives the words about them.
    fn load_targets(&self, pool: &Pool, crowd: &Crowd) -> Vec<u32> {
        let cells = self.cells;
        let blocks = cells.div_ceil((GROUP * RANKED) as usize);
        let rows = 2 * cells;
        let row_words = SLOT_WORDS as usize;
        let mut words = vec![0; rows + self.slots as usize * row_words + 2 * blocks];
        words[..cells].fill(NOTHING);
        for slot in 0..self.slots as usize {
            words[rows + (slot + 1) * row_words - 1] = NOTHING;
        }
        // Where there is room for fewer, those used last.
        let mut kept: Vec<_> = (0u32..).zip(crowd.targets.kept()).collect();
        kept.sort_by_key(|&(_, (_, used))| std::cmp::Reverse(used));
        kept.truncate(self.slots as usize);
        kept.sort_unstable();
        let flows: Vec<_> = crowd.targets.flows().collect();
        for (slot, &(at, (cell, used))) in kept.iter().enumerate() {
            words[cell as usize] = slot as u32;
            let row = rows + slot * row_words;
            // In the order in which they were solved, all before the next.
            let since = (crowd.step as u32).wrapping_sub((kept.len() - slot) as u32);
            let state = [cell, used as u32, READY, since, NOTHING];
            words[row..row + row_words].copy_from_slice(&state);
            let part = (self.fields as usize + slot) * cells;
            let codes = flows[at as usize].codes();
            pool.gpu().write(self.solver.directions(), 4 * part as u64, codes);
        }
        words
    }

    /// Goes on with the fields.
    pub(crate) fn record(&self, pass: &mut Pass<'_>, targets: &Prepared) {
        if self.fields + self.slots == 0 {
            return;
        }
        targets.record(pass);
        self.work.record(pass, ROUNDS);
    }

    /// Dispatches of a step.
    pub(crate) fn dispatches(&self) -> usize {
        if self.fields + self.slots == 0 { 0 } else { self.work.dispatches(ROUNDS) }
    }

    /// Other directions for a field.
    pub(crate) fn set_flow(&self, gpu: &Gpu, field: usize, codes: &[[i16; 2]]) {
        gpu.write(self.solver.directions(), (4 * field * self.cells) as u64, codes);
    }

    /// Takes the fields back into a crowd, as they were last handed out, and waits for them.
    pub(crate) fn download(&mut self, gpu: &Gpu, crowd: &mut Crowd) -> Result<(), GpuError> {
        let all = self.fields as usize * self.cells;
        if all > 0 {
            let potential = gpu.read::<f32>(self.solver.potential(), all)?;
            let cost = gpu.read::<f32>(self.solver.solved_cost(), all)?;
            let codes = gpu.read::<[i16; 2]>(self.solver.directions(), all)?;
            let survey = gpu.read::<f32>(&self.survey, 3 * self.cells)?;
            let state = self.solver.read_state()?;
            let published = state[..self.fields as usize].iter().map(|s| u64::from(s.published));
            let published = published.sum();
            crowd.fields.refreshed.0 += published - self.counted;
            crowd.totals.refreshed = crowd.fields.refreshed;
            self.counted = published;
            let (_, [density, settled], fields) = crowd.fields.state_mut();
            let layer = |layer: u32| &survey[layer as usize * self.cells..][..self.cells];
            density.as_mut_slice().copy_from_slice(layer(DENSITY));
            settled.as_mut_slice().copy_from_slice(layer(SETTLED));
            for (k, field) in fields.enumerate() {
                let part = k * self.cells..(k + 1) * self.cells;
                let (its_cost, its_potential, its_codes) = field.state_mut();
                its_cost.as_mut_slice().copy_from_slice(&cost[part.clone()]);
                its_potential.as_mut_slice().copy_from_slice(&potential[part.clone()]);
                its_codes.copy_from_slice(&codes[part]);
                field.settle(field.typical_step());
            }
            if let Some(trails) = &mut crowd.fields.trails {
                trails.state_mut().0.copy_from_slice(&gpu.read::<u32>(&self.wear, self.cells)?);
            }
        }
        self.download_targets(gpu, crowd)
    }

    fn download_targets(&self, gpu: &Gpu, crowd: &mut Crowd) -> Result<(), GpuError> {
        if self.slots == 0 {
            return Ok(());
        }
        let row_words = SLOT_WORDS as usize;
        let words = 2 * self.cells + self.slots as usize * row_words;
        let words = gpu.read::<u32>(&self.targets, words)?;
        let rows = (0usize..).zip(words[2 * self.cells..].chunks_exact(row_words));
        let mut ready: Vec<_> = rows.filter(|(_, row)| row[2] == READY).collect();
        let age = |since: u32| (crowd.step as u32).wrapping_sub(since);
        ready.sort_by_key(|(_, row)| std::cmp::Reverse(age(row[3])));
        let used = |row: &[u32]| crowd.step.saturating_sub(u64::from(age(row[1])));
        let kept: Vec<_> = ready.iter().map(|(slot, row)| (row[0], used(row), *slot)).collect();
        let missing = kept.iter().any(|&(cell, ..)| crowd.targets.find(cell).is_none());
        let codes = if missing {
            let all = (self.fields + self.slots) as usize * self.cells;
            gpu.read::<[i16; 2]>(self.solver.directions(), all)?
        } else {
            Vec::new()
        };
        let part = |slot: usize| {
            let at = (self.fields as usize + slot) * self.cells;
            codes.get(at..at + self.cells)
        };
        crowd.targets.keep(&crowd.world.terrain, &kept, part);
        Ok(())
    }

    /// Shares, people per square metre, and those that costs are made with.
    #[cfg(test)]
    pub(crate) fn read_survey(&self, gpu: &Gpu) -> Vec<f32> {
        gpu.read(&self.survey, 3 * self.cells).unwrap()
    }

    /// Slots with a field, and the cells they lead to.
    #[cfg(test)]
    pub(crate) fn read_slots(&self, gpu: &Gpu) -> Vec<(usize, u32)> {
        let words = 2 * self.cells + (self.slots * SLOT_WORDS) as usize;
        let words = gpu.read::<u32>(&self.targets, words).unwrap();
        let rows = words[2 * self.cells..].chunks_exact(SLOT_WORDS as usize).enumerate();
        rows.filter(|(_, row)| row[2] != 0).map(|(slot, row)| (slot, row[0])).collect()
    }

    /// The costs of all fields.
    #[cfg(test)]
    pub(crate) fn read_costs(&self, gpu: &Gpu) -> Vec<f32> {
        gpu.read(&self.costs, self.fields as usize * self.cells).unwrap()
    }
}

/// Their number, and two fours of words for each; see `brink.wgsl`.
fn brink_words(brinks: &[Brink]) -> Vec<[u32; 4]> {
    let mut words = vec![[brinks.len() as u32, 0, 0, 0]];
    for Brink { cell, blocked, at, away } in brinks {
        words.push([*cell, *blocked, at.x.to_bits(), at.y.to_bits()]);
        words.push([away.x.to_bits(), away.y.to_bits(), 0, 0]);
    }
    words
}

/// Room for fields to private targets: as on the CPU, as far as they fit into a buffer.
fn slots_of(crowd: &Crowd, limit: u64) -> u32 {
    let terrain: &Grid<f32> = &crowd.world.terrain;
    let seek = |a: &throng_world::world::Action| a.seek == throng_world::world::Seek::Target;
    if !crowd.walled || !crowd.world.actions.iter().any(seek) {
        return 0;
    }
    let fit = (limit / (4 * terrain.cells() as u64)).saturating_sub(crowd.fields.len() as u64);
    (crowd.targets.most() as u64).min(fit) as u32
}
