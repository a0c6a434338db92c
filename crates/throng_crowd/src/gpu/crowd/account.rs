//! What a step on the GPU asks of it: memory, dispatches, and bytes moved, from a table of what the kernels
//! read and write.

use throng_gpu::Gpu;
use throng_world::World;

use super::GpuCrowd;
use crate::error::CrowdError;
use crate::gpu::constants::FIELDS;
use crate::gpu::list::List;

/// What one stage asks of the GPU in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTraffic {
    /// Its name, as in [`GpuCrowd::times`].
    pub stage: &'static str,
    /// Dispatches; in steps in which fields are due there are two to five more.
    pub dispatches: usize,
    /// Bytes read from memory, each once per dispatch.
    pub read: u64,
    /// Bytes written to memory, each once per dispatch.
    pub written: u64,
}

/// What the solver of the fields has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldCounts {
    /// Tiles relaxed.
    pub visits: u64,
    /// Solutions handed out.
    pub solutions: u64,
}

/// Least number of bytes that memory hands over at a time: a sector, on the cards of all makers.
const SECTOR: f64 = 32.0;

/// People of whom there is a list.
#[derive(Clone, Copy, Debug)]
enum Who {
    Deciding,
    Acting,
    Blocked,
    /// By those of the pass before, in all passes over contacts but the first.
    Pushed,
}

/// Whose bytes are touched.
#[derive(Clone, Copy, Debug)]
enum Whose {
    /// Everybody's, one after the other.
    All,
    /// A byte of every eight, where there are places with a capacity.
    Asked,
    /// Those of some, here and there among all.
    Some(Who),
    /// The elements of a list, one after the other.
    List(Who),
    /// A bin's.
    Bins,
    /// The distances to walls around everybody, or around some.
    Walls(Option<Who>),
    /// A layer of navigation cells for each goal, around everybody.
    Sites,
    /// A layer of navigation cells for each field, around those who decide.
    Flows,
    /// Everybody's, and the navigation cells', where the crowd is measured for the fields.
    Survey,
    SurveyCells,
    /// The same, where cells around a cell count for it.
    SpreadCells,
    /// The cells of a field that is solved.
    SolvedCells,
    /// Those of a tile, each time it is relaxed.
    Visits,
    /// The navigation cells', where there are private targets.
    TargetCells,
}

use Who::{Acting, Blocked, Deciding, Pushed};
use Whose::{
    All, Asked, Bins, Flows, List as Listed, Sites, SolvedCells, Some as Few, SpreadCells, Survey,
    SurveyCells, TargetCells, Visits, Walls,
};

/// What is read or, below zero, written: of what, bytes a time, whose.
type Row = (&'static str, i32, Whose);

/// The stages in the order of a step, with what their kernels read and write.
///
/// The state and the sheet like it have five fours of 16 bytes for each agent: place and velocity; build; clocks;
/// itself (site, number, traits); what stays (target, speed, birth). A kernel that changes one word of a four is
/// taken to write all of it. Not in the table is what stays in the cache or is seldom touched: neighbours
/// (people are sorted by place: who is near was read a moment ago), tables, uniforms, the heads of lists,
/// bins with a crowd, newcomers.
#[rustfmt::skip]
const STAGES: [(&str, &[Row]); 7] = [
    ("fields", &[
        // splat, compose: when fields are due.
        ("agents before", 16, Survey),
        ("survey and terrain", 20, SurveyCells),
        ("survey", -12, SurveyCells),
        // measure, across: where cells around a cell count for it.
        ("densities, means, room", 20, SpreadCells),
        ("densities, means", -12, SpreadCells),
        ("wanted targets", 4, TargetCells),
        // compose, compare, reset, publish: of each solution.
        ("costs, starts, potentials", 40, SolvedCells),
        ("costs, potentials, directions", -24, SolvedCells),
        // relax: potentials of a tile of 16 by 16 with its border, its costs, its place in the list.
        ("potentials, costs, list", 4 * (18 * 18 - 4) + 4 * 256 + 4, Visits),
        ("potentials, list", -(4 * 256 + 4), Visits),
    ]),
    ("navigate", &[
        // find_turns: place, itself; the velocity of who does not decide.
        ("agents before", 32, All),
        ("starts of bins", 4, Bins),
        ("scratch", -8, All),
        ("deciding", -4, Listed(Deciding)),
        // navigate: place, clocks, itself, what stays; fear, traits, direction and speed.
        ("deciding", 4, Listed(Deciding)),
        ("agents before", 64, Few(Deciding)),
        ("ground", 4, Sites),
        ("flows", 4, Flows),
        ("agents", -32, Few(Deciding)),
        ("scratch", -16, Few(Deciding)),
    ]),
    ("avoid", &[
        // Place and build of everybody, as neighbours.
        ("deciding", 4, Listed(Deciding)),
        ("agents before", 32, All),
        ("starts of bins", 4, Bins),
        ("agents", 16, Few(Deciding)),
        ("scratch", 16, Few(Deciding)),
        ("walls", 4, Walls(Some(Deciding))),
        ("agents", -16, Few(Deciding)),
        ("scratch", -8, Few(Deciding)),
    ]),
    ("behave", &[
        // glance: nearly all of everybody, traits and fear as they are now; clocks.
        ("agents before", 64, All),
        ("agents", 32, All),
        ("ground", 4, Sites),
        ("agents", -16, All),
        ("acting", -4, Listed(Acting)),
        // behave: the same of those to whom something may happen; it does to very few.
        ("acting", 4, Listed(Acting)),
        ("agents before", 80, Few(Acting)),
        ("agents", 32, Few(Acting)),
        ("agents", -32, Few(Acting)),
        // admit: a bit of everybody. Few ask.
        ("asks", 1, Asked),
    ]),
    ("contact", &[
        // predict: velocity, place, build, traits.
        ("scratch", 8, All),
        ("agents before", 32, All),
        ("agents", 16, All),
        ("walls", 4, Walls(None)),
        ("predicted of all", -16, All),
        ("marks", -4, All),
        // The copy of what it predicts.
        ("predicted of all", 16, All),
        ("predicted", -16, All),
        // contact: everybody among its neighbours; who is touched, and whom that pushes.
        ("predicted", 16, All),
        ("starts of bins", 4, Bins),
        ("scratch", 8, Few(Pushed)),
        ("scratch", -8, Few(Pushed)),
        ("marks", 4, Few(Pushed)),
        ("marks", -4, Few(Pushed)),
        ("pushed", -4, Listed(Pushed)),
        // predict_again, contact_again: the same of who was pushed.
        ("pushed", 8, Listed(Pushed)),
        ("scratch", 16, Few(Pushed)),
        ("agents before", 32, Few(Pushed)),
        ("agents", 16, Few(Pushed)),
        ("predicted", -16, Few(Pushed)),
        ("predicted", 16, Few(Pushed)),
    ]),
    ("move", &[
        // move_all: place, build, what stays, the velocity that is wanted; traits; place and build; a bin.
        ("agents before", 48, All),
        ("agents", 16, All),
        ("scratch", 8, All),
        ("walls", 4, Walls(None)),
        ("agents", -32, All),
        ("counts", 4, Bins),
        ("counts", -4, Bins),
        ("places in bins", -8, All),
        ("blocked", -4, Listed(Blocked)),
        // move_blocked: the same of who is in front of a wall.
        ("blocked", 4, Listed(Blocked)),
        ("agents before", 48, Few(Blocked)),
        ("agents", 16, Few(Blocked)),
        ("scratch", 8, Few(Blocked)),
    ]),
    ("bin", &[
        // The scan of the counts.
        ("counts", 4, Bins),
        ("starts of bins", -4, Bins),
        // spread: the number of each at its place.
        ("starts of bins", 4, Bins),
        ("counts", -4, Bins),
        ("places in bins", 8, All),
        ("agents", 16, All),
        ("members of bins", -4, All),
        // carry: people move little, so the order is nearly that of memory.
        ("starts of bins", 4, Bins),
        ("places in bins", 8, All),
        ("members of bins", 4, All),
        ("agents", 80, All),
        ("agents, on the other side", -80, All),
        // The copies to the sheets.
        ("agents, on the other side", 80, All),
        ("agents before", -80, All),
        ("starts of bins", 4, Bins),
        ("first of bins", -4, Bins),
    ]),
];

/// How many of what there are in a step.
#[derive(Clone, Debug, Default)]
struct Facts {
    agents: f64,
    asked: f64,
    bins: f64,
    deciding: [f64; 1],
    acting: [f64; 1],
    blocked: [f64; 1],
    /// Of each pass over contacts but the first.
    pushed: Vec<f64>,
    walls: f64,
    /// Navigation cells, and layers of them.
    cells: f64,
    /// Those whose crowding is a mean over cells around them.
    spread: f64,
    goals: f64,
    fields: f64,
    targets: f64,
    surveys: f64,
    solutions: f64,
    visits: f64,
}

impl Facts {
    fn listed(&self, who: Who) -> &[f64] {
        match who {
            Deciding => &self.deciding,
            Acting => &self.acting,
            Blocked => &self.blocked,
            Pushed => &self.pushed,
        }
    }

    /// Bytes of a row.
    fn bytes(&self, bytes: u32, whose: Whose) -> f64 {
        let b = f64::from(bytes);
        // Two rows of cells around a place, unless the whole layer is less.
        let around = |cells: f64, people: f64| (cells * b).min(people * 2.0 * SECTOR);
        match whose {
            All => self.agents * b,
            Asked => self.asked * b,
            Bins => self.bins * b,
            Few(who) => self.listed(who).iter().map(|&few| self.scattered(few, b)).sum(),
            Listed(who) => self.listed(who).iter().sum::<f64>() * b,
            Walls(None) => around(self.walls, self.agents),
            Walls(Some(who)) => around(self.walls, self.listed(who).iter().sum()),
            Sites => around(self.cells * self.goals, self.agents),
            Flows => around(self.cells * self.fields, self.deciding[0]),
            Survey => self.surveys * self.agents * b,
            SurveyCells => self.surveys * self.cells * b,
            SpreadCells => self.surveys * self.spread * b,
            SolvedCells => self.solutions * self.cells * b,
            Visits => self.visits * b,
            TargetCells => self.targets * self.cells * b,
        }
    }

    /// Bytes of a few among all: a sector is touched unless none of its people is one of them.
    fn scattered(&self, few: f64, bytes: f64) -> f64 {
        let per_sector = (SECTOR / bytes.min(16.0)).max(1.0);
        let share = (few / self.agents.max(1.0)).min(1.0);
        self.agents * bytes * (1.0 - (1.0 - share).powf(per_sector))
    }

    /// Bytes read and written by a stage.
    fn of(&self, stage: &[Row]) -> (u64, u64) {
        let sum = |written: bool| {
            let rows = stage.iter().filter(|row| (row.1 < 0) == written);
            rows.map(|row| self.bytes(row.1.unsigned_abs(), row.2)).sum::<f64>() as u64
        };
        (sum(false), sum(true))
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

    /// Bytes of the device's memory that are in use: buffers and sheets.
    pub fn bytes(&self) -> u64 {
        let b = &self.stages.buffers;
        let sheets =
            [&b.first, &b.mirror, &b.predicted, &b.walls, &b.ground, &b.heights, &b.tables];
        self.pool.bytes().used + sheets.iter().map(|sheet| sheet.bytes()).sum::<u64>()
    }

    /// What the solver of the fields has done so far. Waits.
    ///
    /// # Errors
    /// The device is lost.
    pub fn field_counts(&self) -> Result<FieldCounts, CrowdError> {
        let mut counts = FieldCounts::default();
        for group in self.stages.ways.solver.read_state()? {
            counts.visits += u64::from(group.visits);
            counts.solutions += u64::from(group.published);
        }
        Ok(counts)
    }

    /// What each stage asked of the GPU in the last step; of the fields, the mean over the last `steps`
    /// steps, at the beginning of which the counts were `since`. Waits.
    ///
    /// # Errors
    /// The device is lost.
    pub fn traffic(
        &self,
        since: &FieldCounts,
        steps: u64,
    ) -> Result<Vec<StageTraffic>, CrowdError> {
        let facts = self.facts(since, steps)?;
        let stage = |(stage, rows): &(&'static str, &[Row])| {
            let (read, written) = facts.of(rows);
            StageTraffic { stage, dispatches: self.dispatches(stage), read, written }
        };
        Ok(STAGES.iter().map(stage).collect())
    }

    fn facts(&self, since: &FieldCounts, steps: u64) -> Result<Facts, CrowdError> {
        let (b, gpu, crowd) = (&self.stages.buffers, &self.stages.gpu, &self.crowd);
        let agents = f64::from(gpu.read::<u32>(&b.starts, b.bins as usize + 1)?[b.bins as usize]);
        let length = |list: &List| -> Result<f64, CrowdError> {
            Ok(f64::from(gpu.read::<u32>(&list.words, 4)?[3]))
        };
        let done = self.field_counts()?;
        let per_step = |now: u64, then: u64| (now - then) as f64 / steps.max(1) as f64;
        let solutions = per_step(done.solutions, since.solutions);
        let limited = crowd.sites.sites.iter().any(|site| site.place.capacity.is_some());
        let grid = |here: bool, cells: usize| if here { cells as f64 } else { 0.0 };
        Ok(Facts {
            agents,
            asked: if limited { agents / 8.0 } else { 0.0 },
            bins: f64::from(b.bins),
            deciding: [length(&b.deciding)?],
            acting: [length(&b.acting)?],
            blocked: [length(&b.blocked)?],
            pushed: b.pushed.iter().map(length).collect::<Result<_, _>>()?,
            walls: grid(crowd.walled, crowd.world.clearance.cells()),
            cells: crowd.world.terrain.cells() as f64,
            spread: grid(self.stages.ways.spread, crowd.world.terrain.cells()),
            goals: crowd.world.goals.len() as f64,
            fields: crowd.fields.len() as f64,
            targets: f64::from(u32::from(self.stages.ways.slots > 0)),
            // Fields are due one at a time, unless there are more of them than steps in their period.
            surveys: solutions.min(1.0),
            solutions,
            visits: per_step(done.visits, since.visits),
        })
    }

    fn dispatches(&self, stage: &str) -> usize {
        let work = &self.stages.work[self.stages.side];
        let of = match stage {
            "fields" => return work.targets.dispatches() + self.stages.ways.dispatches(),
            "navigate" => [&work.turns, &work.navigate].map(|work| work.dispatches()),
            "bin" => [&work.gate, &work.bin].map(|work| work.dispatches()),
            "avoid" => [work.avoid.dispatches(), 0],
            "behave" => [work.behave.dispatches(), 0],
            "contact" => [work.contact[0].dispatches(), work.contact[1].dispatches()],
            _ => [work.movement.dispatches(), 0],
        };
        of.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{All, Deciding, Facts, Few, SECTOR, STAGES, Walls};

    fn million() -> Facts {
        Facts { agents: 1e6, bins: 2e5, cells: 65_536.0, ..Facts::default() }
    }

    /// If this fails, the table counts some bytes not at all, or those of nobody.
    #[test]
    fn everybody_is_moved_and_nobody_who_is_not_there() {
        for (stage, rows) in &STAGES[1..] {
            assert_eq!(Facts::default().of(rows), (0, 0), "{stage}");
            let (read, written) = Facts { deciding: [2e5], ..million() }.of(rows);
            assert!(read >= 32_000_000 && written > 0, "{stage}: {read} {written}");
            assert!(read + written < 400_000_000, "{stage}: {read} {written}");
        }
        let whole = |facts: &Facts| STAGES.map(|(_, rows)| facts.of(rows)).map(|(r, w)| r + w);
        let few = whole(&Facts { pushed: vec![1e5, 1e4], ..million() });
        let many = whole(&Facts { pushed: vec![9e5, 9e4], ..million() });
        assert!(many[4] > few[4] && many[3] == few[3], "who is pushed counts in its stage alone");
    }

    /// If this fails, a few people here and there are taken to cost as little as if they stood side by side,
    /// or more than all.
    #[test]
    fn few_among_many_cost_a_sector_each() {
        let facts = |deciding| Facts { deciding: [deciding], walls: 1e4, ..million() };
        let bytes = facts(1e3).bytes(16, Few(Deciding));
        assert!((bytes / (1e3 * SECTOR) - 1.0).abs() < 0.01, "{bytes}");
        assert_eq!(facts(1e6).bytes(16, Few(Deciding)), facts(1e6).bytes(16, All));
        assert_eq!(facts(10.0).bytes(4, Walls(Some(Deciding))), 10.0 * 2.0 * SECTOR);
        assert_eq!(facts(1e6).bytes(4, Walls(None)), 4e4, "not more than the whole grid");
    }
}
