//! What a step on the GPU asks of it: memory, dispatches, and bytes moved, from a table of what the kernels
//! read and write.

use throng_gpu::Gpu;
use throng_world::World;

use super::GpuCrowd;
use crate::crowd::LONGEST_STEP;
use crate::error::CrowdError;
use crate::gpu::constants::FIELDS;
use crate::gpu::stages::Work;
use crate::turns::Turn;

/// What one stage asks of the GPU in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTraffic {
    /// Its name, as in [`GpuCrowd::times`].
    pub stage: &'static str,
    /// Dispatches.
    pub dispatches: usize,
    /// Bytes read from memory, each once per dispatch.
    pub read: u64,
    /// Bytes written to memory, each once per dispatch.
    pub written: u64,
}

/// Stages that are counted, in the order of a step.
const STAGES: [&str; 7] = ["navigate", "avoid", "behave", "contact", "move", "bin", "instances"];

/// Least number of bytes that memory hands over at a time: a sector, on the cards of all makers.
const SECTOR: u64 = 32;

/// Whose bytes are touched.
#[derive(Clone, Copy, Debug)]
enum Whose {
    /// Everybody's, one after the other.
    All,
    /// Those of the people who decide in a step, here and there among all.
    Deciders,
    /// Those of the people who are looked at again, of all passes over contacts but the first.
    Again,
    /// A word of everybody in every pass over contacts but the first.
    EveryPass,
    /// A word of each bin.
    Bins,
    /// Everybody's, in an order that is not that of memory: a sector each.
    Scattered,
    /// Words of the distances to walls around everybody, where there are walls.
    Walls,
    /// Words of one layer of navigation cells for each goal, around everybody.
    Goals,
    /// Words of one layer of navigation cells for each field, around those who decide.
    Flows,
    /// Words of the heights around everybody, where there are any.
    Heights,
    /// Everybody's, where there are places with a capacity.
    Asked,
}

use Whose::{
    Again, All, Asked, Bins, Deciders, EveryPass, Flows, Goals, Heights, Scattered,
    Walls as Clearance,
};

/// What a stage reads and writes: buffer, bytes a time, whose; negative bytes are written.
///
/// Neighbours, tables and uniforms are not in it: people are sorted by place, so that who is near was read
/// a moment ago and is still in the cache. The state has five arrays of 16 bytes for each: place and
/// velocity; body and heading; clocks, fatigue and fear; mind and traits; target, number and site.
type Row = (usize, &'static str, i32, Whose);

const NAVIGATE: usize = 0;
const AVOID: usize = 1;
const BEHAVE: usize = 2;
const CONTACT: usize = 3;
const MOVE: usize = 4;
const BIN: usize = 5;
const INSTANCES: usize = 6;

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // Who decides: place and number of everybody, starts of bins.
    (NAVIGATE, "state", 32, All),
    (NAVIGATE, "starts", 4, Bins),
    // Who does: body, clocks and traits; fear and traits are written.
    (NAVIGATE, "state", 48, Deciders),
    (NAVIGATE, "state", -32, Deciders),
    (NAVIGATE, "scratch", -16, Deciders),
    (NAVIGATE, "ground", 4, Goals),
    (NAVIGATE, "ground", 4, Flows),
    (NAVIGATE, "walls", 4, Clearance),
    // Traits, number, place and velocity; bodies of all as neighbours; velocities go to scratch memory.
    (AVOID, "state", 64, All),
    (AVOID, "starts", 4, Bins),
    (AVOID, "scratch", -8, All),
    (AVOID, "scratch", 16, Deciders),
    (AVOID, "state", -16, Deciders),
    (AVOID, "walls", 4, Clearance),
    // Everything of everybody; clocks, traits and sites are written, and what they ask for.
    (BEHAVE, "state", 80, All),
    (BEHAVE, "state", -48, All),
    (BEHAVE, "asks", -4, All),
    (BEHAVE, "ground", 4, Goals),
    // Asks are sorted by place: ranked, then spread. Few ask.
    (BEHAVE, "asks", 8, Asked),
    // First pass: prediction from velocity, place, body and mind, then the contacts themselves.
    (CONTACT, "state", 48, All),
    (CONTACT, "scratch", 8, All),
    (CONTACT, "scratch", -16, All),
    (CONTACT, "marks", -4, All),
    (CONTACT, "walls", 4, Clearance),
    (CONTACT, "scratch", 24, All),
    (CONTACT, "state", 16, All),
    (CONTACT, "starts", 4, Bins),
    (CONTACT, "scratch", -8, Again),
    (CONTACT, "marks", -4, Again),
    // Others: both kernels look at everybody's mark, and at those who are marked.
    (CONTACT, "marks", 8, EveryPass),
    (CONTACT, "state", 48, Again),
    (CONTACT, "scratch", 32, Again),
    (CONTACT, "scratch", -16, Again),
    // Place, body and mind; all but clocks and targets are written.
    (MOVE, "state", 48, All),
    (MOVE, "scratch", 8, All),
    (MOVE, "state", -48, All),
    (MOVE, "walls", 4, Clearance),
    // Bins in the order of numbers, which is not that of memory.
    (BIN, "roster", 4, All),
    (BIN, "state", 16, Scattered),
    (BIN, "state", 16, Scattered),
    (BIN, "keys and alive", -8, All),
    // The counting sort: clear, rank, scan, spread, order.
    (BIN, "counts", -4, Bins),
    (BIN, "keys", 4, All),
    (BIN, "counts", 4, Bins),
    (BIN, "counts", -4, Bins),
    (BIN, "ranks", -4, All),
    (BIN, "counts", 4, Bins),
    (BIN, "starts", -4, Bins),
    (BIN, "keys and ranks", 8, All),
    (BIN, "starts", 4, Bins),
    (BIN, "places", -4, All),
    (BIN, "places", 4, All),
    (BIN, "starts and counts", 8, Bins),
    (BIN, "sorted keys and order", -8, All),
    // Everybody is carried to the other side; people move little, so the order is nearly that of memory.
    (BIN, "order", 4, All),
    (BIN, "roster", 4, Scattered),
    (BIN, "state", 80, All),
    (BIN, "places", -4, Scattered),
    (BIN, "sorted", -80, All),
    // The roster without the dead: flags twice, values, output.
    (BIN, "alive and places", 12, All),
    (BIN, "roster", -4, All),
    (INSTANCES, "state", 80, All),
    (INSTANCES, "ground", 4, Heights),
    (INSTANCES, "instances", -32, All),
];

/// How many of what there are in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    agents: f64,
    deciders: f64,
    /// People of every pass over contacts but the first, and how many passes that are.
    again: f64,
    passes: f64,
    bins: f64,
    walls: f64,
    goals: f64,
    flows: f64,
    heights: f64,
    asked: f64,
}

impl Facts {
    /// Bytes of a row.
    fn bytes(&self, bytes: u64, whose: Whose) -> f64 {
        let b = bytes as f64;
        let per_sector = (SECTOR as f64 / b.min(16.0)).max(1.0);
        // Some of many, here and there: a sector is touched unless none of its people is one of them.
        let some = |chosen: f64, all: f64| {
            let share = (chosen / all.max(1.0)).min(1.0);
            all * (1.0 - (1.0 - share).powf(per_sector)) * b
        };
        // Two rows of cells around a place, unless the whole layer is less.
        let around = |cells: f64, people: f64| (cells * b).min(people * 2.0 * SECTOR as f64);
        match whose {
            All => self.agents * b,
            Deciders => some(self.deciders, self.agents),
            Again => some(self.again, self.agents * self.passes),
            EveryPass => self.agents * self.passes * b,
            Bins => self.bins * b,
            Scattered => self.agents * b.max(SECTOR as f64),
            Clearance => around(self.walls, self.agents),
            Goals => around(self.goals, self.agents),
            Flows => around(self.flows, self.deciders),
            Heights => around(self.heights, self.agents),
            Asked => self.asked * b,
        }
    }

    /// Bytes read and written by a stage.
    fn of(&self, stage: usize) -> (u64, u64) {
        let rows = |written: bool| {
            let rows = TABLE.iter().filter(|row| row.0 == stage && (row.2 < 0) == written);
            rows.map(|row| self.bytes(u64::from(row.2.unsigned_abs()), row.3)).sum::<f64>() as u64
        };
        (rows(false), rows(true))
    }
}

impl GpuCrowd {
    /// The most agents that a device has room for: the largest of their buffers must fit a binding.
    pub fn most_agents(gpu: &Gpu) -> usize {
        let limits = gpu.device().limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        // Rooms are multiples of 64, and numbers of agents words.
        (most / u64::from(4 * FIELDS) / 64 * 64).min(u64::from(u32::MAX)) as usize
    }

    /// The world it lives in, as it is now.
    pub fn world(&self) -> &World {
        &self.crowd.world
    }

    /// Room for agents before memory is made anew.
    pub fn room(&self) -> usize {
        self.stages.buffers.capacity as usize
    }

    /// Bytes of the device's memory that are in use.
    pub fn bytes(&self) -> u64 {
        self.pool.bytes().used
    }

    /// What each stage of the next step asks of the GPU. Waits, and reads everybody back.
    ///
    /// # Errors
    /// The device is lost.
    pub fn traffic(&mut self, dt: f32) -> Result<Vec<StageTraffic>, CrowdError> {
        self.crowd()?;
        let facts = self.facts(dt.min(LONGEST_STEP))?;
        let work = &self.stages.work[self.stages.side];
        let stage = |(at, stage): (usize, &&'static str)| {
            let (read, written) = facts.of(at);
            StageTraffic { stage, dispatches: dispatches(work, at), read, written }
        };
        Ok(STAGES.iter().enumerate().map(stage).collect())
    }

    fn facts(&mut self, dt: f32) -> Result<Facts, CrowdError> {
        self.crowd.find_turns(dt);
        let crowd = &self.crowd;
        let agents = crowd.len();
        let turns = &crowd.scratch.turns[..agents];
        let deciders = turns.iter().filter(|turn| !matches!(turn, Turn::No)).count();
        let passes = crowd.params.movement.contact_passes.saturating_sub(1);
        let again = 'again: {
            if self.crowd.step == 0 {
                break 'again 0;
            }
            // Bits of the passes of the last step.
            let marks = self.stages.gpu.read::<u32>(&self.stages.buffers.marks, agents)?;
            let bits = ((1u64 << (passes + 1)) - 2) as u32;
            marks.iter().map(|mark| u64::from((mark & bits).count_ones())).sum::<u64>()
        };
        let limited = crowd.sites.sites.iter().any(|site| site.place.capacity.is_some());
        let cells = crowd.world.terrain.cells();
        let all = |here: bool, cells: usize| if here { cells as f64 } else { 0.0 };
        Ok(Facts {
            agents: agents as f64,
            deciders: deciders as f64,
            again: again as f64,
            passes: f64::from(passes),
            bins: f64::from(self.stages.buffers.bins),
            walls: all(crowd.walled, crowd.world.clearance.cells()),
            goals: (cells * crowd.world.goals.len()) as f64,
            flows: (cells * crowd.fields.len()) as f64,
            heights: crowd.world.heights.as_ref().map_or(0.0, |grid| grid.cells() as f64),
            asked: all(limited, agents),
        })
    }
}

fn dispatches(work: &Work, stage: usize) -> usize {
    let of = match stage {
        NAVIGATE => &work.navigate,
        AVOID => &work.avoid,
        BEHAVE => &work.behave,
        CONTACT => &work.contact,
        MOVE => &work.movement,
        BIN => &work.bin,
        _ => &work.instances,
    };
    of.dispatches()
}

#[cfg(test)]
mod tests {
    use super::{Facts, STAGES, TABLE};

    /// If this fails, the table counts some bytes not at all, or many times over.
    #[test]
    fn everybody_is_moved_at_least_once_and_nobody_who_is_not_there() {
        let nobody = Facts::default();
        let some = Facts { agents: 1e6, deciders: 2e5, again: 1e5, passes: 3.0, ..nobody };
        for stage in 0..STAGES.len() {
            assert_eq!(nobody.of(stage), (0, 0));
            let (read, written) = some.of(stage);
            assert!(read >= 32_000_000 && written > 0, "{}: {read} {written}", STAGES[stage]);
            assert!(read + written < 600_000_000, "{}: {read} {written}", STAGES[stage]);
        }
        // All decide: the sum of what is written in the table.
        let all = Facts { agents: 1e6, deciders: 1e6, ..nobody };
        let navigate: i64 =
            TABLE.iter().filter(|row| row.0 == 0 && row.2 > 4).map(|r| i64::from(r.2)).sum();
        assert_eq!(all.of(0).0, navigate as u64 * 1_000_000);
    }

    /// If this fails, a few people here and there are taken to cost as little as if they stood side by side.
    #[test]
    fn few_among_many_cost_a_sector_each() {
        let few = Facts { agents: 1e6, deciders: 1e3, ..Facts::default() };
        let bytes = few.bytes(16, super::Deciders);
        assert!((bytes / (1e3 * super::SECTOR as f64) - 1.0).abs() < 0.01, "{bytes}");
    }
}
