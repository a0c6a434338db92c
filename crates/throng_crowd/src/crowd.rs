//! The crowd and its step.

use std::sync::Arc;
use std::time::Instant;

use glam::Vec2;
use rayon::ThreadPool;
use throng_field::Grid;
use throng_world::World;
use throng_world::params::{Model, Params};
use throng_world::world::MovingHazard;

use crate::agents::{Agents, CHUNK, NONE, Traits};
use crate::avoid::{AvoidInput, avoid};
use crate::behave::{BehaveInput, Note, behave, draw};
use crate::bin::{BinFrame, Binning};
use crate::counters::{StageTimes, StepReport, Totals};
use crate::error::CrowdError;
use crate::event::{AgentId, Event, EventFilter, EventKind, ObserverId, Observers};
use crate::instance::Instance;
use crate::lanes::{Isa, WIDTH};
use crate::movement::{Contact, MoveInput, Prediction, Pushed, contacts, move_all, predict};
use crate::navigate::{
    Fields, NavigateInput, PlacedHazard, Sites, TargetFields, hidden_targets, mark_danger, navigate,
};
use crate::random::{self, Purpose};
use crate::spawn::Spawner;
use crate::tables::Tables;
use crate::turns::{Turn, Turns};
use crate::walls::Walls;

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
    pub(crate) busy: Vec<u32>,
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
    times: StageTimes,
    isa: Isa,
}

/// Memory of one step, kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) velocity: Vec<Vec2>,
    pub(crate) next_x: Vec<f32>,
    next_y: Vec<f32>,
    push: Vec<f32>,
    pushed: Pushed,
    pub(crate) turns: Vec<Turn>,
    pub(crate) hazards: Vec<PlacedHazard>,
    danger: Vec<bool>,
    notes: Vec<Vec<Note>>,
}

impl Scratch {
    fn fit(&mut self, len: usize) {
        let room = len + WIDTH;
        if self.velocity.len() < room {
            let room = if self.velocity.is_empty() { room } else { room + room / 4 };
            self.velocity.reserve_exact(room - self.velocity.len());
            self.velocity.resize(room, Vec2::ZERO);
            self.pushed.fit(room);
            self.turns.reserve_exact(room - self.turns.len());
            self.turns.resize(room, Turn::No);
            for array in [&mut self.next_x, &mut self.next_y, &mut self.push] {
                array.reserve_exact(room - array.len());
                array.resize(room, 0.0);
            }
        }
    }

    fn bytes(&self) -> usize {
        20 * self.velocity.capacity()
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
    pub fn new(world: World, options: CrowdOptions) -> Result<Self, CrowdError> {
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
        let hazards: Vec<_> = (0..).zip(world.hazards.iter().cloned()).collect();
        let mut crowd = Self {
            tables: Tables::new(&world)?,
            sites: Sites::new(&world)?,
            fields: Fields::new(&world)?,
            targets: TargetFields::new(&world.terrain, params.navigate.target_fields as usize),
            next_hazard: hazards.len() as u64,
            hazards,
            agents: Agents::default(),
            binning: Binning::new(BinFrame::over(world.bounds(), params.bin.size)),
            busy: Vec::new(),
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
        crowd.busy = vec![0; crowd.sites.sites.len()];
        let pool = crowd.pool.clone();
        pool.install(|| crowd.populate())?;
        Ok(crowd)
    }

    fn populate(&mut self) -> Result<(), CrowdError> {
        self.spawn_at_start()?;
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

    fn step_inside(&mut self, dt: f32) -> Result<StepReport, CrowdError> {
        let mut times = StageTimes::default();
        let mut clock = Instant::now();
        let mut lap = |slot: &mut std::time::Duration| {
            let now = Instant::now();
            *slot = now - clock;
            clock = now;
        };
        if self.unsorted {
            self.sort();
        }
        self.refresh_fields()?;
        lap(&mut times.fields);
        let turns = self.find_turns(dt);
        self.navigate(turns);
        lap(&mut times.navigate);
        self.avoid(dt, turns);
        lap(&mut times.avoid);
        self.behave(dt);
        lap(&mut times.behave);
        if self.params.avoid.model == Model::Throng {
            self.contact(dt);
        }
        lap(&mut times.contact);
        self.movement(dt);
        lap(&mut times.movement);
        self.step += 1;
        self.time += f64::from(dt);
        self.spawn_due();
        self.sort();
        lap(&mut times.bin);
        self.times.add(&times);
        self.totals.refreshed = self.fields.refreshed;
        Ok(StepReport { step: self.step, agents: self.agents.len(), times })
    }

    /// Brings agents and bins in order, and lets go of the dead.
    pub(crate) fn sort(&mut self) {
        self.scratch.fit(self.agents.len());
        // Until the next step nobody needs the positions that were predicted in this one.
        let words = bytemuck::cast_slice_mut(&mut self.scratch.next_x);
        self.binning.sort(&mut self.agents, words);
        self.unsorted = false;
    }

    pub(crate) fn place_hazards(&mut self) {
        let placed = self.hazards.iter().filter_map(|(_, hazard)| {
            hazard.position(self.time).map(|position| PlacedHazard {
                position,
                radius: hazard.radius,
                strength: hazard.strength,
                fear_radius: hazard.fear_radius,
            })
        });
        self.scratch.hazards.clear();
        self.scratch.hazards.extend(placed);
    }

    /// Measures crowd and hazards for the fields.
    fn survey(&mut self) -> Result<(), CrowdError> {
        self.place_hazards();
        let len = self.agents.len();
        let positions = &mut self.scratch.velocity[..len];
        for (i, position) in positions.iter_mut().enumerate() {
            *position = self.agents.position(i);
        }
        self.fields.survey(&self.world.terrain, positions, &self.scratch.hazards)
    }

    /// Solves all fields for the crowd as it is now.
    #[cfg(feature = "gpu")]
    pub(crate) fn refresh_all_fields(&mut self) -> Result<(), CrowdError> {
        let pool = self.pool.clone();
        pool.install(|| {
            self.survey()?;
            self.fields.refresh_all(&self.world.terrain)
        })
    }

    fn refresh_fields(&mut self) -> Result<(), CrowdError> {
        self.place_hazards();
        let due = self.fields.due(self.time, self.params.navigate.refresh_seconds);
        if due > 0 {
            self.survey()?;
            self.fields.refresh(&self.world.terrain, due)?;
        }
        if self.walled && self.params.navigate.target_fields > 0 {
            hidden_targets(&self.world.terrain, &self.agents, &mut self.targets.wanted);
            self.targets.serve(&self.world.terrain, self.step)?;
        }
        Ok(())
    }

    /// Finds out who decides in the step.
    pub(crate) fn find_turns(&mut self, dt: f32) -> Turns {
        let turns = Turns::new(&self.params.avoid, dt, self.step);
        turns.find(self.binning.bins(), &self.agents, &mut self.scratch.turns);
        turns
    }

    pub(crate) fn navigate(&mut self, turns: Turns) {
        let hazards = std::mem::take(&mut self.scratch.hazards);
        let mut danger = std::mem::take(&mut self.scratch.danger);
        mark_danger(&self.world.terrain, &hazards, &mut danger);
        let Scratch { velocity, next_x, turns: whose, .. } = &mut self.scratch;
        let input = NavigateInput {
            tables: &self.tables,
            fields: &self.fields,
            targets: &self.targets,
            sites: &self.sites,
            terrain: &self.world.terrain,
            ground_speed: self.world.speed.as_ref(),
            walls: Walls::new(&self.world.clearance),
            walled: self.walled,
            hazards: &hazards,
            danger: &danger,
            turns: whose,
            brisk_period: turns.periods().1,
            step: self.step,
        };
        // Until positions are predicted, their memory holds the preferred speeds.
        navigate(&input, &mut self.agents, velocity, next_x);
        self.scratch.hazards = hazards;
        self.scratch.danger = danger;
    }

    pub(crate) fn avoid(&mut self, dt: f32, turns: Turns) {
        let Scratch { velocity, next_x, turns: whose, .. } = &mut self.scratch;
        let input = AvoidInput {
            params: &self.params.avoid,
            tables: &self.tables,
            turn_rate: self.params.movement.turn_rate,
            bins: self.binning.bins(),
            walls: Walls::new(&self.world.clearance),
            walled: self.walled,
            dt,
            turns: whose,
            periods: turns.periods(),
            isa: self.isa,
        };
        avoid(&input, &mut self.agents, velocity, next_x);
    }

    pub(crate) fn behave(&mut self, dt: f32) {
        let input = BehaveInput {
            params: &self.params.behave,
            tables: &self.tables,
            sites: &self.sites,
            busy: &self.busy,
            bins: self.binning.bins(),
            seed: self.seed,
            step: self.step,
            time: self.time,
            dt,
        };
        behave(&input, &mut self.agents, &mut self.scratch.notes);
        self.take_notes();
    }

    /// Goes through what happened in a fixed order: admissions, events, sums.
    fn take_notes(&mut self) {
        let notes = std::mem::take(&mut self.scratch.notes);
        for note in notes.iter().flatten() {
            if let Note::Freed { site } = *note {
                self.busy[site as usize] = self.busy[site as usize].saturating_sub(1);
            }
        }
        for note in notes.iter().flatten() {
            match *note {
                Note::Freed { .. } => {}
                Note::Arrived { agent } => {
                    self.totals.arrived += 1;
                    if self.agents.traits[agent as usize].has(crate::agents::ARRIVED) {
                        self.count_travel(agent);
                    }
                    self.tell(agent, EventKind::Arrived);
                }
                Note::Left { agent } => {
                    self.totals.arrived += 1;
                    self.totals.removed += 1;
                    self.count_travel(agent);
                    self.tell(agent, EventKind::Arrived);
                    self.tell(agent, EventKind::Removed);
                }
                Note::Changed { agent, from } => {
                    let to = self.agents.traits[agent as usize].action;
                    self.tell(agent, EventKind::ActionChanged { from, to });
                }
                Note::Asks { agent, site, to } => self.admit(agent, site, to),
                Note::Stuck { agent } => {
                    self.totals.stuck += 1;
                    self.tell(agent, EventKind::Stuck);
                }
            }
        }
        self.scratch.notes = notes;
    }

    fn count_travel(&mut self, agent: u32) {
        self.totals.travels += 1;
        self.totals.travel_seconds += self.time - f64::from(self.agents.born[agent as usize]);
    }

    /// Lets somebody be busy at a place, if it is not full.
    fn admit(&mut self, agent: u32, site: u32, to: u8) {
        let capacity = self.sites.sites[site as usize].place.capacity.unwrap_or(u32::MAX);
        if self.busy[site as usize] >= capacity {
            return;
        }
        self.busy[site as usize] += 1;
        let i = agent as usize;
        let old = self.agents.site[i];
        if old != NONE {
            self.busy[old as usize] = self.busy[old as usize].saturating_sub(1);
        }
        self.agents.site[i] = site;
        let from = std::mem::replace(&mut self.agents.traits[i].action, to);
        self.agents.clip[i] = 0.0;
        let seconds = &self.tables.actions[usize::from(to)].seconds;
        self.agents.left[i] = seconds.as_ref().map_or(f32::INFINITY, |seconds| {
            let id = self.agents.id[i];
            draw(seconds, random::bits(self.seed, id, self.step, Purpose::Duration))
        });
        self.totals.arrived += 1;
        self.tell(agent, EventKind::Arrived);
        self.tell(agent, EventKind::ActionChanged { from, to });
    }

    pub(crate) fn tell(&mut self, agent: u32, kind: EventKind) {
        if !self.observers.is_empty() {
            let agent = AgentId(self.agents.id[agent as usize]);
            self.observers.tell(&Event { step: self.step, agent, kind });
        }
    }

    pub(crate) fn contact(&mut self, dt: f32) {
        let len = self.agents.len();
        let scratch = &mut self.scratch;
        let fastest = self.spawner.fastest_speed * self.tables.fastest;
        let walls = self.walled.then(|| Walls::new(&self.world.clearance));
        for pass in 0..self.params.movement.contact_passes {
            predict(
                &self.tables,
                walls,
                &self.agents,
                &mut scratch.velocity[..len],
                dt,
                Prediction {
                    next_x: &mut scratch.next_x,
                    next_y: &mut scratch.next_y,
                    push: &mut scratch.push,
                    pushed: (pass > 0).then_some(&scratch.pushed),
                },
            );
            let input = Contact {
                bins: self.binning.bins(),
                next_x: &scratch.next_x,
                next_y: &scratch.next_y,
                push: &scratch.push,
                widest: self.spawner.widest,
                longest: 2.0 * fastest * dt,
                stiffness: self.params.movement.stiffness,
                comfort: self.params.movement.comfort,
                per_dt: 1.0 / dt,
                isa: self.isa,
            };
            let Scratch { velocity, pushed, .. } = scratch;
            contacts(&input, &self.agents, pass == 0, velocity, pushed);
        }
    }

    pub(crate) fn movement(&mut self, dt: f32) {
        let input = MoveInput {
            params: &self.params.movement,
            walls: Walls::new(&self.world.clearance),
            walled: self.walled,
            bounds: self.world.bounds(),
            fastest: self.tables.fastest,
            patience: self.params.avoid.patience,
            dt,
            isa: self.isa,
        };
        self.totals.impacts += move_all(&input, &mut self.agents, &self.scratch.velocity);
    }

    /// The world it lives in, as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Number of steps so far.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Simulated time (seconds).
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.agents.len() == 0
    }

    /// Whether nobody is there and nobody will come any more.
    pub fn is_over(&self) -> bool {
        self.is_empty() && !self.spawner.more_to_come(self.time)
    }

    /// Numbers of the agents. All slices have the same order, which changes from step to step.
    pub fn ids(&self) -> &[u32] {
        &self.agents.id[..self.len()]
    }

    /// Positions along x (metres).
    pub fn x(&self) -> &[f32] {
        &self.agents.x[..self.len()]
    }

    /// Positions along y (metres).
    pub fn y(&self) -> &[f32] {
        &self.agents.y[..self.len()]
    }

    /// Velocities along x (metres per second).
    pub fn vx(&self) -> &[f32] {
        &self.agents.vx[..self.len()]
    }

    /// Velocities along y (metres per second).
    pub fn vy(&self) -> &[f32] {
        &self.agents.vy[..self.len()]
    }

    /// Headings along x (unit vectors).
    pub fn heading_x(&self) -> &[f32] {
        &self.agents.heading_x[..self.len()]
    }

    /// Headings along y (unit vectors).
    pub fn heading_y(&self) -> &[f32] {
        &self.agents.heading_y[..self.len()]
    }

    /// Body radii (metres).
    pub fn radius(&self) -> &[f32] {
        &self.agents.radius[..self.len()]
    }

    /// Groups and actions.
    pub fn traits(&self) -> &[Traits] {
        &self.agents.traits[..self.len()]
    }

    /// Free walking speeds (metres per second).
    pub fn free_speed(&self) -> &[f32] {
        &self.agents.speed[..self.len()]
    }

    /// Fear, 0 to 1.
    pub fn fear(&self) -> &[f32] {
        &self.agents.fear[..self.len()]
    }

    /// Nobody walks faster than this times its free speed.
    pub fn fastest(&self) -> f32 {
        self.tables.fastest
    }

    /// Where the hazards are now: position, and the hazard.
    pub fn hazards(&self) -> impl Iterator<Item = (Vec2, &MovingHazard)> {
        self.hazards.iter().filter_map(|(_, h)| h.position(self.time).map(|p| (p, h)))
    }

    /// Potential of the way of a group to a goal, as of its last refresh.
    pub fn potential(&self, group: u8, goal: u16) -> Option<&Grid<f32>> {
        self.fields.potential(group, goal)
    }

    /// People per square metre on the navigation cells, as of the last refresh.
    pub fn density(&self) -> &Grid<f32> {
        self.fields.density()
    }

    /// Calls `callback` for the events that pass the filter, at the end of the stage they happen in.
    pub fn observe(
        &mut self,
        filter: EventFilter,
        callback: impl FnMut(&Event) + Send + Sync + 'static,
    ) -> ObserverId {
        self.observers.add(filter, Box::new(callback))
    }

    /// Sends an observer away; whether it was there.
    pub fn unobserve(&mut self, observer: ObserverId) -> bool {
        self.observers.remove(observer)
    }

    /// Sums over all steps so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Time per stage over all steps so far.
    pub fn times(&self) -> &StageTimes {
        &self.times
    }

    /// Fills `out` with what a renderer needs, in the order of the slices.
    pub fn instances(&self, out: &mut Vec<Instance>) {
        out.clear();
        let a = &self.agents;
        out.extend((0..self.len()).map(|i| {
            let t = a.traits[i];
            let carries = self.world.actions[usize::from(t.action)].carries;
            Instance {
                position: [a.x[i], a.y[i], self.world.ground_height(a.position(i))],
                group: u32::from(t.group) | a.id[i] << 8,
                direction: [a.heading_x[i], a.heading_y[i]],
                action: u32::from(t.action) | u32::from(carries) << 8,
                clip_time: a.clip[i],
            }
        }));
    }

    /// Bytes held for agents, bins, fields and scratch.
    pub fn bytes(&self) -> usize {
        self.agents.bytes()
            + self.binning.bytes()
            + self.scratch.bytes()
            + self.fields.bytes()
            + self.targets.bytes()
            + self.sites.bytes()
            + 4 * (self.world.clearance.cells() + self.world.terrain.cells())
            + 4 * self.world.heights.as_ref().map_or(0, Grid::cells)
            + 4 * self.world.speed.as_ref().map_or(0, Grid::cells)
    }

    /// A number that differs when anything about any agent differs.
    pub fn hash(&self) -> u64 {
        let mut hash = random::mix(self.step ^ self.seed.rotate_left(17));
        let mut take =
            |word: u32| hash = random::mix(hash ^ u64::from(word)).wrapping_add(hash << 1);
        for (_, values) in self.agents.floats() {
            values.iter().for_each(|v| take(v.to_bits()));
        }
        self.agents.id[..self.len()].iter().for_each(|&v| take(v));
        self.agents.site[..self.len()].iter().for_each(|&v| take(v));
        for t in self.traits() {
            take(u32::from_le_bytes([t.group, t.action, t.interrupted, t.flags]));
        }
        hash
    }

    pub(crate) fn chunks(&self) -> usize {
        self.len().div_ceil(CHUNK)
    }
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

fn check(params: &Params) -> Result<(), CrowdError> {
    let p = params;
    let positive = [
        ("navigate.refresh_seconds", p.navigate.refresh_seconds),
        ("bin.size", p.bin.size),
        ("avoid.reach", p.avoid.reach),
        ("avoid.dense", p.avoid.dense),
        ("avoid.horizon", p.avoid.horizon),
        ("avoid.time_gap", p.avoid.time_gap),
        ("avoid.patience", p.avoid.patience),
        ("move.acceleration", p.movement.acceleration),
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
