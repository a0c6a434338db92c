//! The memory of a crowd on the GPU.

use throng_gpu::{Buffer, GpuError, Pool};

use super::constants::{
    Constants, DOSE, FIELDS, ID, PARTY, SCRATCH, SITE, TRAITS, field_of, fours,
};
use super::events::TALLY_WORDS;
use super::list::List;
use super::outside::{MOST_COMMANDS, agent_words};
use super::sheet::{Element, Sheet};
use super::{ground, tables};
use crate::bin::gpu::{CROWD, NO_CROWDS};
use crate::crowd::Crowd;
use crate::instance::Instance;

/// Agents.
#[derive(Debug)]
pub(crate) struct Side {
    /// Arrays of four qualities, each with room for as many as there may be.
    pub(crate) state: Buffer,
}

/// Values of [`TALLY`].
pub(crate) type Tally = [u32; TALLY.len()];

/// Newcomers in a step, at the most.
const MOST_NEWCOMERS: u32 = 4096;

/// Sums over all steps, by word.
pub(crate) const TALLY: [&str; 9] = [
    "REMOVALS",
    "ARRIVALS",
    "TRAVELS",
    "STUCK_ONES",
    "IMPACTS",
    "TRAVEL_LOW",
    "TRAVEL_HIGH",
    "SQUEEZED_ONES",
    "FALLEN",
];

/// All buffers. Two sides: a sort carries agents from one to the other.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) pool: Pool,
    /// Room for agents.
    pub(crate) capacity: u32,
    pub(crate) bins: u32,
    /// Arrays of four qualities.
    pub(crate) fours: u32,
    pub(crate) sides: [Side; 2],
    pub(crate) constants: Buffer,
    pub(crate) scratch: Buffer,
    /// Who decides; to whom something may happen, and to whom it does; who has a wall before it; and whom passes over contacts
    /// look at, but the first.
    pub(crate) deciding: List,
    pub(crate) acting: List,
    pub(crate) changing: List,
    pub(crate) blocked: List,
    pub(crate) pushed: Vec<List>,
    /// A bit per agent and pass: whom the pass looks at.
    pub(crate) marks: Buffer,
    /// First agent of each bin, and how many there are: to be copied, and to be looked up.
    pub(crate) starts: Buffer,
    pub(crate) first: Sheet,
    /// The agents as they were when the step began, and where they would be if they did not touch.
    pub(crate) mirror: Sheet,
    pub(crate) predicted_all: Buffer,
    pub(crate) predicted: Sheet,
    pub(crate) walls: Sheet,
    pub(crate) ground: Sheet,
    pub(crate) heights: Sheet,
    pub(crate) tables: Sheet,
    /// People busy at each site; those who left it in this step; those who were admitted.
    pub(crate) busy: Buffer,
    /// Where people of parties are.
    pub(crate) parties: Buffer,
    pub(crate) tally: Buffer,
    pub(crate) commands: Buffer,
    pub(crate) newcomers: Buffer,
    /// How many the gate let in in this step.
    pub(crate) let_in: Buffer,
    pub(crate) most_newcomers: u32,
    pub(crate) instances: Buffer,
    /// Where the agents are that commands are about.
    pub(crate) found: Buffer,
    /// How many are in each bin, and what is said of crowded ones; the bin of everybody and its place there;
    /// the numbers of those in each bin, and room to put them in order.
    pub(crate) counts: Buffer,
    pub(crate) places: Buffer,
    pub(crate) members: Buffer,
    pub(crate) spare_members: Buffer,
    /// A bit for each agent: whether it asks for a site; the site and what it would do there; and all who
    /// ask, in their order.
    pub(crate) asks: Buffer,
    pub(crate) asked: Buffer,
    pub(crate) asking: Buffer,
    pub(crate) packed: tables::Packed,
    pub(crate) parts: ground::Packed,
}

/// A whole buffer at a binding.
pub(crate) fn bind(binding: u32, buffer: &Buffer) -> (u32, wgpu::BindingResource<'_>) {
    (binding, buffer.as_entire_binding())
}

/// The distance to walls, and behind it the open ground around each bin.
fn wall_words(crowd: &Crowd) -> Vec<u32> {
    let bins = crowd.binning.bins();
    crowd.world.clearance.as_slice().iter().chain(bins.room()).map(|v| v.to_bits()).collect()
}

impl Buffers {
    /// Memory for a crowd, with room for at least so many agents.
    pub(crate) fn new(pool: &Pool, crowd: &Crowd, room: usize) -> Result<Self, GpuError> {
        let capacity = room.max(crowd.len()).max(1).next_multiple_of(64) as u32;
        let agents = capacity as usize;
        let fours = fours(crowd.agents.extended);
        let side = || -> Result<Side, GpuError> {
            Ok(Side { state: pool.array::<u32>("agents", agents * 4 * fours as usize)? })
        };
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let bins = crowd.binning.bins().frame.bins() as u32;
        let packed = tables::Packed::new(crowd);
        let mut parts = ground::Packed::new(crowd);
        let words = std::mem::take(&mut parts.words);
        let gpu = pool.gpu();
        let walls = wall_words(crowd);
        let array = |label: &str| pool.array::<u32>(label, agents);
        Ok(Self {
            pool: pool.clone(),
            capacity,
            bins,
            fours,
            sides: [side()?, side()?],
            constants: pool.buffer("constants", size_of::<Constants>() as u64, uniform)?,
            scratch: pool.array::<u32>("scratch", agents * SCRATCH as usize)?,
            deciding: List::new(pool, "deciding", capacity)?,
            acting: List::new(pool, "acting", capacity)?,
            changing: List::new(pool, "changing", capacity)?,
            blocked: List::new(pool, "blocked", capacity)?,
            pushed: (1..crowd.params.movement.contact_passes)
                .map(|_| List::new(pool, "pushed", capacity))
                .collect::<Result<_, _>>()?,
            marks: array("marks")?,
            starts: pool.array::<u32>("starts of bins", bins as usize + 1)?,
            first: Sheet::new(gpu, "first of bins", Element::Word, bins as usize + 1, 1)?,
            mirror: Sheet::new(gpu, "agents before", Element::Four, agents, fours)?,
            predicted_all: pool.array::<[f32; 4]>("predicted", agents)?,
            predicted: Sheet::new(gpu, "predicted", Element::Four, agents, 1)?,
            walls: Sheet::of(gpu, "walls", Element::Word, &walls)?,
            ground: Sheet::of(gpu, "ground", Element::Word, &words)?,
            heights: Sheet::of(
                gpu,
                "heights",
                Element::Word,
                &std::mem::take(&mut parts.height_words),
            )?,
            tables: Sheet::of(gpu, "tables", Element::Four, &packed.words)?,
            busy: pool.array::<u32>("busy", 3 * crowd.busy.len().max(1))?,
            parties: pool.array_of(
                "parties",
                if crowd.parties.is_empty() { &[[0u32; 4]] } else { &crowd.parties.rows[..] },
            )?,
            tally: pool.array_of("tally", &vec![0u32; TALLY_WORDS])?,
            commands: pool.array::<u32>("commands", 1 + 5 * MOST_COMMANDS)?,
            newcomers: pool.array::<u32>("newcomers", (MOST_NEWCOMERS * FIELDS) as usize)?,
            let_in: pool.array_of("let in", &[0u32])?,
            most_newcomers: MOST_NEWCOMERS,
            instances: pool.array::<Instance>("instances", agents)?,
            found: pool.array::<u32>("found", MOST_COMMANDS)?,
            counts: counts(pool, bins, capacity)?,
            places: pool.array::<[u32; 2]>("places in bins", agents)?,
            members: array("members of bins")?,
            spare_members: array("spare members")?,
            asks: pool.array_of("asks", &vec![0u32; agents.div_ceil(32)])?,
            asked: pool.array::<[u32; 2]>("asked", agents)?,
            asking: array("asking")?,
            packed,
            parts,
        })
    }

    /// Puts the agents of a crowd into one side. They must be sorted.
    pub(crate) fn upload(&self, crowd: &Crowd, side: usize) {
        let (gpu, to) = (self.pool.gpu(), &self.sides[side]);
        let agents = &crowd.agents;
        let len = agents.len();
        let mut arrays = vec![Vec::with_capacity(4 * len); self.fours as usize];
        for i in 0..len {
            let words = agent_words(agents, i);
            for (array, four) in arrays.iter_mut().zip(words.chunks_exact(4)) {
                array.extend_from_slice(four);
            }
        }
        for (k, array) in (0u64..).zip(&arrays) {
            gpu.write(&to.state, k * u64::from(self.capacity) * 16, array);
        }
        let bins = crowd.binning.bins();
        let starts: Vec<u32> = (0..=self.bins as usize).map(|bin| bins.start(bin) as u32).collect();
        gpu.write(&self.starts, 0, &starts);
        self.first.write(gpu, &starts);
        let mut busy = vec![0; 3 * crowd.busy.len()];
        busy[..crowd.busy.len()].copy_from_slice(&crowd.busy);
        gpu.write(&self.busy, 0, &busy);
        gpu.write(&self.tally, 0, &[0u32; TALLY.len()]);
    }

    /// Brings the sheets in line with the agents of a side, so many at most, and their bins.
    pub(crate) fn reflect(&self, encoder: &mut wgpu::CommandEncoder, side: usize, most: u32) {
        for k in 0..self.fours {
            let from = u64::from(k) * u64::from(self.capacity) * 16;
            let agents = most.min(self.capacity);
            self.mirror.copy(encoder, &self.sides[side].state, from, agents, k);
        }
        self.first.copy(encoder, &self.starts, 0, self.bins + 1, 0);
    }

    /// Brings the sheet of where people would be in line with what was found for all, so many at most.
    pub(crate) fn predict(&self, encoder: &mut wgpu::CommandEncoder, most: u32) {
        self.predicted.copy(encoder, &self.predicted_all, 0, most.min(self.capacity), 0);
    }

    /// Nobody is in any list, and nobody has come.
    pub(crate) fn clear(&self) {
        self.pool.gpu().write(&self.let_in, 0, &[0u32]);
        let lists = [&self.deciding, &self.acting, &self.changing, &self.blocked];
        lists.into_iter().chain(&self.pushed).for_each(|list| list.clear(self.pool.gpu()));
    }

    /// The sums over all steps since the upload.
    pub(crate) fn read_tally(&self) -> Result<Tally, GpuError> {
        let words = self.pool.gpu().read::<u32>(&self.tally, TALLY.len())?;
        Ok(std::array::from_fn(|i| words[i]))
    }

    /// Takes the agents of one side back into a crowd, and waits for them. The bins are not touched.
    pub(crate) fn download(&self, crowd: &mut Crowd, side: usize) -> Result<(), GpuError> {
        let gpu = self.pool.gpu();
        let starts = gpu.read::<u32>(&self.starts, self.bins as usize + 1)?;
        let len = starts[self.bins as usize] as usize;
        let capacity = self.capacity as usize;
        let words = gpu.read::<u32>(&self.sides[side].state, capacity * 4 * self.fours as usize)?;
        unpack(&words, capacity, len, crowd);
        let busy = gpu.read::<u32>(&self.busy, crowd.busy.len())?;
        crowd.busy.copy_from_slice(&busy);
        Ok(())
    }
}

/// Nobody in any bin, and none of them crowded.
fn counts(pool: &Pool, bins: u32, capacity: u32) -> Result<Buffer, GpuError> {
    let usage = wgpu::BufferUsages::STORAGE
        | wgpu::BufferUsages::INDIRECT
        | wgpu::BufferUsages::COPY_SRC
        | wgpu::BufferUsages::COPY_DST;
    let mut words = vec![0; (bins + 1) as usize];
    words.extend(NO_CROWDS);
    words.resize(words.len() + (capacity / CROWD) as usize, 0);
    let counts = pool.buffer("bin counts", 4 * words.len() as u64, usage)?;
    pool.gpu().write(&counts, 0, &words);
    Ok(counts)
}

/// Takes so many agents from the words of a side that has room for `capacity`.
pub(crate) fn unpack(words: &[u32], capacity: usize, len: usize, crowd: &mut Crowd) {
    let word = |field: u32, i: usize| {
        let (array, at) = (field as usize / 4, field as usize % 4);
        words[(array * capacity + i) * 4 + at]
    };
    for (float, (_, values)) in crowd.agents.resize_for(len).into_iter().enumerate() {
        for (i, value) in values.iter_mut().enumerate() {
            *value = f32::from_bits(word(field_of(float), i));
        }
    }
    for i in 0..len {
        crowd.agents.id[i] = word(ID, i);
        crowd.agents.site[i] = word(SITE, i);
        crowd.agents.traits[i] = bytemuck::cast(word(TRAITS, i));
        if crowd.agents.extended {
            crowd.agents.dose[i] = f32::from_bits(word(DOSE, i));
            crowd.agents.party[i] = word(PARTY, i);
        }
    }
}
