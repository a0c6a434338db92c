//! The crowd: what it holds, and how it is made. Its step is in `step.rs`, what hosts see of it in `view.rs`.

use std::sync::Arc;

use glam::Vec2;
use rayon::ThreadPool;
use throng_world::World;
use throng_world::params::{Model, Params};
use throng_world::world::{MovingHazard, Party};

use crate::agents::{Agents, CHUNK, grow};
use crate::behave::Note;
use crate::bin::{BinFrame, Binning};
use crate::counters::{StageTimes, StepReport, Totals};
use crate::error::CrowdError;
use crate::event::Observers;
use crate::lanes::{Isa, WIDTH};
use crate::movement::{Passages, Pushed};
use crate::navigate::{Fields, PlacedHazard, Sites, TargetFields};
use crate::openings::{Timetable, timetables};
use crate::party::Parties;
use crate::spawn::Spawner;
use crate::tables::Tables;
use crate::turns::Turn;

/// Longest step (seconds): beyond, people would jump over each other.
pub const LONGEST_STEP: f32 = 0.5;

/// How a crowd is run.
#[derive(Clone, Debug, Default)]
pub struct CrowdOptions {
    /// Seed of every random choice; `None`: the world's.
    pub seed: Option<u64>,
    /// Avoidance model; `None`: the world's.
    pub model: Option<Model>,
    /// Threads to start; `None`: as many as the machine has. Ignored where `pool` is given.
    pub threads: Option<usize>,
    /// The host's thread pool to run on.
    pub pool: Option<Arc<ThreadPool>>,
}

/// A crowd in its world.
#[derive(Debug)]
pub struct Crowd {
    pub(crate) world: World,
    pub(crate) params: Params,
    pub(crate) tables: Tables,
    pub(crate) sites: Sites,
    pub(crate) fields: Fields,
    pub(crate) targets: TargetFields,
    pub(crate) hazards: Vec<(u64, MovingHazard)>,
    pub(crate) agents: Agents,
    pub(crate) binning: Binning,
    /// People busy at each site; then the clocks of doors and lifts.
    pub(crate) busy: Vec<u32>,
    pub(crate) passages: Passages,
    pub(crate) parties: Parties,
    pub(crate) timetables: Vec<Timetable>,
    pub(crate) spawner: Spawner,
    pub(crate) observers: Observers,
    pub(crate) totals: Totals,
    pub(crate) seed: u64,
    pub(crate) step: u64,
    pub(crate) time: f64,
    pub(crate) next_id: u32,
    pub(crate) next_hazard: u64,
    pub(crate) walled: bool,
    /// Agents were added since the last sort.
    pub(crate) unsorted: bool,
    pub(crate) pool: Arc<ThreadPool>,
    pub(crate) scratch: Scratch,
    pub(crate) times: StageTimes,
    pub(crate) isa: Isa,
}

/// Memory of one step, kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) velocity: Vec<Vec2>,
    pub(crate) next_x: Vec<f32>,
    pub(crate) next_y: Vec<f32>,
    pub(crate) push: Vec<f32>,
    pub(crate) pushed: Pushed,
    pub(crate) turns: Vec<Turn>,
    pub(crate) hazards: Vec<PlacedHazard>,
    pub(crate) danger: Vec<bool>,
    /// What everybody did when the step began, where others go by it.
    pub(crate) actions: Vec<u8>,
    pub(crate) notes: Vec<Vec<Note>>,
}

impl Scratch {
    pub(crate) fn fit(&mut self, len: usize) {
        let room = len + WIDTH;
        grow(&mut self.velocity, room);
        grow(&mut self.turns, room);
        self.pushed.fit(self.velocity.len());
        for array in [&mut self.next_x, &mut self.next_y, &mut self.push] {
            grow(array, room);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let words = [&self.next_x, &self.next_y, &self.push].map(Vec::capacity);
        8 * self.velocity.capacity()
            + 4 * words.iter().sum::<usize>()
            + self.turns.capacity()
            + self.pushed.bytes()
            + self.notes.iter().map(|n| n.capacity() * size_of::<Note>()).sum::<usize>()
    }
}

impl Crowd {
    /// A crowd in a world, with the people its spawns put there at the start.
    ///
    /// # Errors
    /// When a goal stands in a wall, an index in the world's tables is wrong, a parameter makes no
    /// sense or threads cannot be started.
    pub fn new(mut world: World, options: CrowdOptions) -> Result<Self, CrowdError> {
        if world.groups.is_empty() {
            return Err(CrowdError::Missing { what: "groups" });
        }
        if world.actions.is_empty() {
            return Err(CrowdError::Missing { what: "actions" });
        }
        let mut params = world.params.clone();
        if let Some(model) = options.model {
            params.avoid.model = model;
        }
        check(&params)?;
        let pool = match options.pool {
            Some(pool) => pool,
            None => Arc::new(own_pool(options.threads)?),
        };
        let seed = options.seed.unwrap_or(world.seed);
        let timetables = timetables(&mut world);
        let extended = is_extended(&world);
        let hazards: Vec<_> = (0..).zip(world.hazards.iter().cloned()).collect();
        let mut crowd = Self {
            tables: Tables::new(&world)?,
            sites: Sites::new(&world)?,
            fields: Fields::new(&world)?,
            targets: TargetFields::new(&world.terrain, params.navigate.target_fields as usize),
            next_hazard: hazards.len() as u64,
            hazards,
            agents: Agents::none(extended),
            binning: Binning::new(
                BinFrame::over(world.bounds(), params.bin.size),
                &world.clearance,
            ),
            busy: Vec::new(),
            passages: Passages::new(&world),
            parties: Parties::default(),
            timetables,
            spawner: Spawner::new(&world)?,
            observers: Observers::default(),
            totals: Totals::default(),
            seed,
            step: 0,
            time: 0.0,
            next_id: 0,
            walled: is_walled(&world),
            unsorted: false,
            pool,
            scratch: Scratch::default(),
            times: StageTimes::default(),
            isa: Isa::Best,
            params,
            world,
        };
        crowd.forget_sites();
        let pool = crowd.pool.clone();
        pool.install(|| crowd.populate())?;
        Ok(crowd)
    }

    fn populate(&mut self) -> Result<(), CrowdError> {
        self.spawn_at_start()?;
        self.parties = Parties::new(&self.world, &self.spawner);
        self.agents.trim();
        self.sort();
        self.survey()?;
        self.fields.refresh_all(&self.world.terrain)
    }

    /// One step of `dt` seconds.
    ///
    /// # Errors
    /// When `dt` is not a sensible length or a field cannot be solved. The crowd is then as it was
    /// before the step.
    pub fn step(&mut self, dt: f32) -> Result<StepReport, CrowdError> {
        if !(dt > 0.0 && dt <= LONGEST_STEP) {
            return Err(CrowdError::BadNumber {
                what: "the length of a step",
                value: f64::from(dt),
                must: "above 0 and at most 0.5 seconds",
            });
        }
        let pool = self.pool.clone();
        // A caller inside the pool already stays there: no hand-over, no allocation.
        pool.install(|| self.step_inside(dt))
    }

    pub(crate) fn chunks(&self) -> usize {
        self.len().div_ceil(CHUNK)
    }
}

/// Whether people have a dose or a party.
pub(crate) fn is_extended(world: &World) -> bool {
    world.dose.is_some() || world.spawns.iter().any(|spawn| spawn.party != Party::None)
}

fn own_pool(threads: Option<usize>) -> Result<ThreadPool, CrowdError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .thread_name(|i| format!("throng-{i}"))
        .build()
        .map_err(|e| CrowdError::Threads(e.to_string()))
}

/// Whether there is anything to bump into.
pub(crate) fn is_walled(world: &World) -> bool {
    world.clearance.as_slice().iter().any(|&c| c < throng_world::world::CLEARANCE_CAP)
}

pub(crate) fn check(params: &Params) -> Result<(), CrowdError> {
    let p = params;
    let positive = [
        ("navigate.refresh_seconds", p.navigate.refresh_seconds),
        ("bin.size", p.bin.size),
        ("avoid.reach", p.avoid.reach),
        ("avoid.dense", p.avoid.dense),
        ("avoid.horizon", p.avoid.horizon),
        ("avoid.time_gap", p.avoid.time_gap),
        ("avoid.wall_gap", p.avoid.wall_gap),
        ("avoid.patience", p.avoid.patience),
        ("avoid.calm", p.avoid.calm),
        ("move.jolt", p.movement.jolt),
        ("move.turn_rate", p.movement.turn_rate),
    ];
    for (what, value) in positive {
        if !(value > 0.0 && value.is_finite()) {
            return Err(CrowdError::BadNumber {
                what,
                value: f64::from(value),
                must: "a positive number",
            });
        }
    }
    Ok(())
}
