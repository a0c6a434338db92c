//! A crowd whose people live on the GPU.

mod account;
mod keep;

pub use account::{FieldCounts, StageTraffic};
pub use keep::{Keeper, Keepsake};

use std::sync::atomic::{AtomicBool, Ordering};

use throng_gpu::{Gpu, Pool, Timer};
use throng_world::params::Model;

use super::constants::{Constants, FIELDS, NOTHING};
use super::events::EventRing;
use super::outside::{Command, MOST_COMMANDS, newcomer_words};
use super::{Kernels, Stages};
use crate::agents::Agents;
use crate::crowd::{Crowd, LONGEST_STEP};
use crate::error::CrowdError;
use crate::event::{Event, EventFilter, ObserverId};

/// A crowd on the GPU. Made from a [`Crowd`], with which it shares world, parameters and clock, and which
/// can be had back at any time.
///
/// Fields are refreshed in turn as on the CPU, but solved over some steps: until one is done, people follow
/// what it was before. People of streams who find no room wait on the GPU, and have not come yet for who
/// looks.
#[derive(Debug)]
pub struct GpuCrowd {
    /// Everything but the agents: those are here only between a download and the next step.
    pub(super) crowd: Crowd,
    pub(super) pool: Pool,
    kernels: Kernels,
    pub(super) stages: Stages,
    pub(super) timer: Option<Timer>,
    events: EventRing,
    pub(super) commands: Vec<Command>,
    words: Vec<u32>,
    /// Not more agents than this are on the GPU.
    at_most: usize,
    /// Whether `crowd` has the agents as they are now.
    here: bool,
    taken: super::buffers::Tally,
    /// Whether the instances are those of an earlier step.
    pub(super) stale: AtomicBool,
}

impl GpuCrowd {
    /// Brings a crowd to the GPU.
    ///
    /// # Errors
    /// The device has not the memory, or does not take a shader.
    pub fn new(gpu: &Gpu, crowd: Crowd) -> Result<Self, CrowdError> {
        let room = crowd.len() + crowd.len() / 4;
        Self::with_room(gpu, crowd, room)
    }

    /// Brings a crowd to the GPU, with room for so many agents. When there are more the memory is made
    /// anew, which waits for the GPU.
    ///
    /// # Errors
    /// As [`GpuCrowd::new`].
    pub fn with_room(gpu: &Gpu, mut crowd: Crowd, room: usize) -> Result<Self, CrowdError> {
        crowd.sort();
        let pool = Pool::new(gpu);
        let kernels = Kernels::new(gpu, crowd.agents.extended)?;
        let stages = Stages::new(&pool, &kernels, &crowd, room)?;
        let at_most = crowd.len();
        let mut gpu_crowd = Self {
            crowd,
            kernels,
            stages,
            timer: None,
            events: EventRing::new(&pool)?,
            commands: Vec::new(),
            words: Vec::new(),
            at_most,
            here: true,
            taken: Default::default(),
            stale: AtomicBool::new(false),
            pool,
        };
        gpu_crowd.write_instances();
        Ok(gpu_crowd)
    }

    /// One step of `dt` seconds. Nothing is read back and nobody waits.
    ///
    /// # Errors
    /// When `dt` is not a sensible length, or the device is lost or has no memory for newcomers.
    pub fn step(&mut self, dt: f32) -> Result<(), CrowdError> {
        if !(dt > 0.0 && dt <= LONGEST_STEP) {
            return Err(CrowdError::BadNumber {
                what: "the length of a step",
                value: f64::from(dt),
                must: "above 0 and at most 0.5 seconds",
            });
        }
        if let Some(reason) = self.stages.gpu.lost() {
            return Err(throng_gpu::GpuError::Lost { reason }.into());
        }
        if self.crowd.hours_change(dt) {
            self.edit(|crowd| crowd.open_and_close(dt))?;
        }
        self.leave();
        self.make_room()?;
        self.tell_events()?;
        self.crowd.place_hazards();
        let mut constants = self.constants(dt);
        if !self.commands.is_empty() {
            self.stages.prepare(&self.crowd, constants);
            self.obey();
        }
        let period = self.crowd.params.navigate.refresh_seconds;
        let (first, due) = self.crowd.fields.take_turns(self.crowd.time, period);
        (constants.field_first, constants.fields_due) = (first as u32, due as u32);
        self.crowd.step += 1;
        self.crowd.time += f64::from(dt);
        constants.newcomers = self.send_newcomers()?;
        self.send_visitors(constants.newcomers)?;
        constants.born = self.crowd.time as f32;
        self.stages.prepare(&self.crowd, constants);
        self.record(due > 0, constants.newcomers > 0)?;
        self.stages.side = 1 - self.stages.side;
        self.stale.store(true, Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn constants(&self, dt: f32) -> Constants {
        self.stages.constants(&self.crowd, dt)
    }

    fn record(&mut self, survey: bool, newcomers: bool) -> Result<(), CrowdError> {
        let gpu = self.stages.gpu.clone();
        let mut encoder = gpu.encoder("step");
        let mut pass = match &mut self.timer {
            Some(timer) => timer.pass(&mut encoder, "step"),
            None => gpu.pass(&mut encoder, "step"),
        };
        let work = &self.stages.work[self.stages.side];
        let buffers = &self.stages.buffers;
        let most = self.at_most.min(u32::MAX as usize) as u32;
        let pass_ = &mut pass;
        if survey {
            work.survey.record(pass_);
        }
        self.stages.ways.record(pass_, &work.targets);
        pass_.mark("fields");
        work.turns.record(pass_);
        work.navigate.record(pass_);
        pass_.mark("navigate");
        work.avoid.record(pass_);
        pass_.mark("avoid");
        work.behave.record(pass_);
        pass_.mark("behave");
        if self.crowd.params.avoid.model == Model::Throng {
            let [first, others] = &work.contact;
            first.record(pass_);
            drop(pass);
            buffers.predict(&mut encoder, most);
            pass = match &mut self.timer {
                Some(timer) => timer.resume(&mut encoder, "step"),
                None => gpu.pass(&mut encoder, "step"),
            };
            others.record(&mut pass);
        }
        let pass_ = &mut pass;
        pass_.mark("contact");
        work.movement.record(pass_);
        work.passages.record(pass_);
        pass_.mark("move");
        if newcomers {
            work.join.record(pass_);
        }
        work.gate.record(pass_);
        let [all, coming] = &work.ranks;
        if self.crowd.passages.clocks() > 0 {
            all.record(pass_);
        } else if newcomers || self.stages.gate.streams() > 0 {
            coming.record(pass_);
        }
        work.bin.record(pass_);
        drop(pass);
        buffers.reflect(&mut encoder, 1 - self.stages.side, most);
        if let Some(timer) = &mut self.timer {
            timer.resume(&mut encoder, "sheets").mark("bin");
            timer.resolve(&mut encoder);
        }
        if !self.crowd.observers.is_empty() {
            self.events.send(&mut encoder, &self.stages.buffers.tally, self.crowd.step - 1)?;
        }
        gpu.submit(encoder);
        Ok(())
    }

    /// Tells observers what has come back since. Waits only if nobody has looked for long.
    fn tell_events(&mut self) -> Result<(), CrowdError> {
        if self.crowd.observers.is_empty() {
            return Ok(());
        }
        if self.events.is_full() {
            self.stages.gpu.wait()?;
        }
        let Self { events, crowd, .. } = self;
        events.take(|event| crowd.observers.tell(event));
        EventRing::clear(&self.pool, &self.stages.buffers.tally);
        Ok(())
    }

    /// Calls `callback` for the events that pass the filter, some steps after they happened. Events of a
    /// step come in the order of agents.
    pub fn observe(
        &mut self,
        filter: EventFilter,
        callback: impl FnMut(&Event) + Send + Sync + 'static,
    ) -> ObserverId {
        self.crowd.observe(filter, callback)
    }

    /// Sends an observer away; whether it was there.
    pub fn unobserve(&mut self, observer: ObserverId) -> bool {
        self.crowd.unobserve(observer)
    }

    /// Waits for the events that are on their way, and tells observers of them.
    ///
    /// # Errors
    /// The device is lost.
    pub fn flush_events(&mut self) -> Result<(), CrowdError> {
        self.stages.gpu.wait()?;
        let Self { events, crowd, .. } = self;
        events.take(|event| crowd.observers.tell(event));
        Ok(())
    }

    /// Events that were too many for a step and were not told.
    pub fn lost_events(&self) -> u64 {
        self.events.lost
    }

    /// The agents on this side are no longer what they were.
    pub(super) fn leave(&mut self) {
        if !self.here {
            return;
        }
        self.here = false;
        self.crowd.agents = Agents::none(self.crowd.agents.extended);
        self.crowd.sort();
        self.stages.gate.forget(&mut self.crowd);
    }

    /// Sends those who were put down since, and gives how many.
    fn send_newcomers(&mut self) -> Result<u32, CrowdError> {
        let count = self.crowd.agents.len();
        if count == 0 {
            return Ok(0);
        }
        newcomer_words(&self.crowd.agents, &mut self.words);
        self.crowd.agents = Agents::none(self.crowd.agents.extended);
        let buffers = &mut self.stages.buffers;
        self.at_most += count;
        if count > buffers.most_newcomers as usize || self.at_most > buffers.capacity as usize {
            // Checked by `make_room` before the step for all that come by streams.
            return Err(CrowdError::TooMany {
                what: "newcomers in a step",
                most: buffers.most_newcomers as usize,
            });
        }
        self.stages.gpu.write(&buffers.newcomers, 0, &self.words);
        debug_assert_eq!(self.words.len(), count * FIELDS as usize);
        Ok(count as u32)
    }

    /// Sends the people of streams who are due.
    fn send_visitors(&mut self, newcomers: u32) -> Result<(), CrowdError> {
        let Stages { gate, gpu, buffers, .. } = &mut self.stages;
        let room = buffers.capacity as usize - self.at_most;
        let most = room.min((buffers.most_newcomers - newcomers) as usize) as u32;
        self.at_most += gate.send(gpu, &mut self.crowd, most)? as usize;
        Ok(())
    }

    /// Lets those join at once who were put down since the last step.
    pub(super) fn welcome(&mut self) -> Result<(), CrowdError> {
        let mut constants = self.constants(LONGEST_STEP);
        constants.newcomers = self.send_newcomers()?;
        if constants.newcomers > 0 {
            self.stages.prepare(&self.crowd, constants);
            self.stages.run(|work, pass| {
                work.join.record(pass);
                work.ranks[0].record(pass);
                work.bin.record(pass);
            });
            self.stages.side = 1 - self.stages.side;
            self.stages.reflect();
        }
        Ok(())
    }

    /// Makes room for those who may come in a step.
    pub(super) fn make_room(&mut self) -> Result<(), CrowdError> {
        let buffers = &self.stages.buffers;
        if self.at_most + buffers.most_newcomers as usize <= buffers.capacity as usize
            || self.crowd.agents.len() == 0 && !self.crowd.spawner.more_to_come(self.crowd.time)
        {
            return Ok(());
        }
        let nobody = Agents::none(self.crowd.agents.extended);
        let newcomers = std::mem::replace(&mut self.crowd.agents, nobody);
        self.download()?;
        let len = self.crowd.len();
        let room = len + len / 2 + self.stages.buffers.most_newcomers as usize;
        self.stages.grow(&self.pool, &self.kernels, &self.crowd, room)?;
        self.taken = Default::default();
        self.at_most = len + self.stages.gate.waiting();
        self.leave();
        self.crowd.agents = newcomers;
        Ok(())
    }

    /// Has the commands carried out.
    fn obey(&mut self) {
        for commands in self.commands.chunks(MOST_COMMANDS) {
            let stages = &self.stages;
            stages.gpu.write(&stages.buffers.commands, 0, &[commands.len() as u32]);
            stages.gpu.write(&stages.buffers.commands, 4, commands);
            let mut named: Vec<u32> = commands.iter().map(|command| command[1]).collect();
            named.sort_unstable();
            let at = 4 + (MOST_COMMANDS * size_of::<Command>()) as u64;
            stages.gpu.write(&stages.buffers.commands, at, &named);
            named.fill(NOTHING);
            stages.gpu.write(&stages.buffers.found, 0, &named);
            stages.run(|work, pass| work.commands.record(pass));
            stages.reflect();
        }
        self.commands.clear();
    }

    fn write_instances(&mut self) {
        self.crowd.place_hazards();
        let constants = self.constants(LONGEST_STEP);
        self.stages.prepare(&self.crowd, constants);
        self.stages.run(|work, pass| work.instances.record(pass));
        self.stale.store(false, Ordering::Relaxed);
    }

    fn download(&mut self) -> Result<(), CrowdError> {
        self.obey();
        self.stages.buffers.download(&mut self.crowd, self.stages.side)?;
        let tally = self.stages.buffers.read_tally()?;
        keep::add_tally(&mut self.crowd, &tally, &self.taken);
        self.taken = tally;
        let Stages { ways, gate, gpu, .. } = &mut self.stages;
        ways.download(gpu, &mut self.crowd)?;
        gate.look(gpu, &mut self.crowd)?;
        self.crowd.sort();
        self.here = true;
        Ok(())
    }

    /// The crowd as it is now. Waits for the GPU and reads all agents back, so keep it for rare uses.
    ///
    /// # Errors
    /// The device is lost.
    pub fn crowd(&mut self) -> Result<&Crowd, CrowdError> {
        if !self.here || !self.commands.is_empty() {
            if !self.here {
                self.make_room()?;
                self.welcome()?;
            }
            self.download()?;
        }
        Ok(&self.crowd)
    }

    /// The crowd, to go on with on the CPU.
    ///
    /// # Errors
    /// The device is lost.
    pub fn into_crowd(mut self) -> Result<Crowd, CrowdError> {
        self.crowd()?;
        Ok(self.crowd)
    }

    /// The whole state as bytes, as of [`Crowd::snapshot`]: it restores on either backend.
    ///
    /// # Errors
    /// The device is lost.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, CrowdError> {
        Ok(self.crowd()?.snapshot())
    }

    /// Goes back to a snapshot, made on either backend.
    ///
    /// # Errors
    /// As [`Crowd::restore`]; or the device has not the memory.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), CrowdError> {
        self.edit(|crowd| crowd.restore(snapshot))
    }

    /// Changes anything about the crowd: agents come back, `change` is made, all goes up again. For rare
    /// uses; walls and goals are edited this way.
    ///
    /// # Errors
    /// What `change` says; the device is lost or has not the memory.
    pub fn edit<T>(
        &mut self,
        change: impl FnOnce(&mut Crowd) -> Result<T, CrowdError>,
    ) -> Result<T, CrowdError> {
        self.crowd()?;
        let done = change(&mut self.crowd);
        self.crowd.sort();
        let room = self.stages.buffers.capacity as usize;
        self.stages = Stages::new(&self.pool, &self.kernels, &self.crowd, room)?;
        self.taken = Default::default();
        self.at_most = self.crowd.len();
        self.write_instances();
        done
    }

    /// Has the CPU measure the crowd and solve all fields anew, and takes them over. Waits. There is no need
    /// for it: a step refreshes them in turn.
    ///
    /// # Errors
    /// A field cannot be solved, or the device is lost.
    pub fn refresh_fields(&mut self) -> Result<(), CrowdError> {
        self.edit(Crowd::refresh_all_fields)
    }

    /// Gives a field (by index) other directions, until it is refreshed: pairs of 16 bits, 32767 being one,
    /// in the order of the navigation cells.
    ///
    /// # Errors
    /// No such field, or not one direction for each cell.
    pub fn set_flow(&mut self, field: usize, codes: &[[i16; 2]]) -> Result<(), CrowdError> {
        let count = self.crowd.fields.len();
        if field >= count {
            return Err(CrowdError::Unknown { what: "field", given: field.to_string(), count });
        }
        if codes.len() != self.crowd.world.terrain.cells() {
            return Err(CrowdError::BadNumber {
                what: "the number of directions of a field",
                value: codes.len() as f64,
                must: "that of the navigation cells",
            });
        }
        self.stages.ways.set_flow(&self.stages.gpu, field, codes);
        Ok(())
    }
}
