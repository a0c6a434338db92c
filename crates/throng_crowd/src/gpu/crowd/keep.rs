//! Keepsakes: snapshots that nobody waits for. The people are copied on the GPU in the order of its work,
//! and their bytes come back while steps go on; so that a crowd whose device is lost has something to go
//! on from.

use throng_gpu::{Buffer, ReadRing};

use super::GpuCrowd;
use crate::crowd::Crowd;
use crate::edit::check_point;
use crate::error::CrowdError;
use crate::event::AgentId;
use crate::gpu::buffers::{TALLY, Tally, unpack};
use crate::gpu::constants::TICKS;

/// A crowd as it was after one of its steps.
#[derive(Debug)]
pub struct Keepsake {
    step: u64,
    /// Everything but the people: a snapshot of a crowd without anybody.
    rest: Vec<u8>,
    people: Option<People>,
}

/// The people, as they were on the GPU.
#[derive(Debug)]
struct People {
    words: Vec<u32>,
    capacity: usize,
    len: usize,
    busy: Vec<u32>,
    /// How worn the ground was, where that counts.
    wear: Vec<u32>,
    /// Of each stream, how many had been let in; the others wait, and come again.
    entered: Vec<(usize, u32)>,
    /// Sums of the GPU, and what of them is in the totals of the crowd already.
    tally: Tally,
    taken: Tally,
}

impl Keepsake {
    /// Of a crowd on the CPU.
    pub fn of(crowd: &Crowd) -> Self {
        Self { step: crowd.step, rest: crowd.snapshot(), people: None }
    }

    /// The number of steps the crowd had made.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Makes a crowd of the same scene what this one was. Fields are solved for the people as they stand.
    ///
    /// # Errors
    /// When it is of another scene, or a field cannot be solved.
    pub fn restore(&self, crowd: &mut Crowd) -> Result<(), CrowdError> {
        crowd.restore(&self.rest)?;
        let Some(people) = &self.people else { return Ok(()) };
        unpack(&people.words, people.capacity, people.len, crowd);
        crowd.busy.copy_from_slice(&people.busy);
        if let Some(trails) = &mut crowd.fields.trails {
            trails.state_mut().0.copy_from_slice(&people.wear);
        }
        add_tally(crowd, &people.tally, &people.taken);
        for &(stream, entered) in &people.entered {
            let made = std::mem::replace(&mut crowd.spawner.made[stream], entered);
            crowd.totals.spawned -= u64::from(made - entered);
        }
        crowd.sort();
        crowd.refresh_all_fields()
    }
}

/// Adds what the GPU has counted since some of it was `taken` to the sums of a crowd.
pub(super) fn add_tally(crowd: &mut Crowd, tally: &Tally, taken: &Tally) {
    let totals = &mut crowd.totals;
    let since = |at: usize| u64::from(tally[at].wrapping_sub(taken[at]));
    totals.removed += since(0);
    totals.arrived += since(1);
    totals.travels += since(2);
    totals.stuck += since(3);
    totals.impacts += since(4);
    // Two words, the lower first.
    let wide = |tally: &Tally| u64::from(tally[6]) << 32 | u64::from(tally[5]);
    let ticks = wide(tally).wrapping_sub(wide(taken));
    totals.travel_seconds += ticks as f64 / f64::from(TICKS);
    totals.squeezed += since(7);
    totals.incapacitated += since(8);
}

/// Makes keepsakes of a crowd on the GPU, one at a time.
#[derive(Debug, Default)]
pub struct Keeper {
    rings: Option<Rings>,
    pending: Option<Pending>,
}

/// Memory for the way back.
#[derive(Debug)]
struct Rings {
    capacity: u32,
    sites: usize,
    /// Cells whose wear counts.
    cells: usize,
    state: ReadRing,
    /// Sums, the number of people, who is busy where, and how many of each stream were let in, brought
    /// together.
    small: Buffer,
    small_back: ReadRing,
}

/// Words before those of the sites: sums and the number of people.
const HEAD: usize = TALLY.len() + 1;

#[derive(Debug)]
struct Pending {
    step: u64,
    rest: Vec<u8>,
    taken: Tally,
    streams: Vec<usize>,
    state: Option<Vec<u32>>,
    small: Option<Vec<u32>>,
}

impl Keeper {
    /// Has nothing under way.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a keepsake is on its way.
    pub fn is_busy(&self) -> bool {
        self.pending.is_some()
    }

    /// Begins a keepsake of the crowd as it is after its last step, and says whether it did: not when one
    /// is under way, nor when edits wait for the next step. Does not wait.
    ///
    /// # Errors
    /// The device is lost or has no memory for the copy.
    pub fn begin(&mut self, crowd: &mut GpuCrowd) -> Result<bool, CrowdError> {
        let edited = crowd.here || !crowd.commands.is_empty() || !crowd.crowd.is_empty();
        if self.pending.is_some() || edited {
            return Ok(false);
        }
        let buffers = &crowd.stages.buffers;
        let gate = &crowd.stages.gate;
        let streams = gate.streams.clone();
        let sites = crowd.crowd.busy.len();
        let cells = crowd.crowd.fields.trails.as_ref().map_or(0, |trails| trails.state().0.len());
        let words = HEAD + sites + cells + streams.len();
        let fit = |rings: &Rings| (rings.capacity, rings.sites) == (buffers.capacity, sites);
        let rings = match self.rings.take().filter(fit) {
            Some(rings) => self.rings.insert(rings),
            None => {
                let small = 4 * words as u64;
                let state = u64::from(buffers.capacity) * u64::from(16 * buffers.fours);
                self.rings.insert(Rings {
                    capacity: buffers.capacity,
                    sites,
                    cells,
                    state: ReadRing::new(&crowd.pool, "keepsake", state, 1)?,
                    small: crowd.pool.storage("keepsake of sums", small)?,
                    small_back: ReadRing::new(&crowd.pool, "keepsake of sums", small, 1)?,
                })
            }
        };
        let gpu = crowd.pool.gpu();
        let mut encoder = gpu.encoder("keepsake");
        let word = |at: usize| 4 * at as u64;
        encoder.copy_buffer_to_buffer(&buffers.tally, 0, &rings.small, 0, word(TALLY.len()));
        let (count, at) = (word(buffers.bins as usize), word(TALLY.len()));
        encoder.copy_buffer_to_buffer(&buffers.starts, count, &rings.small, at, word(1));
        if sites > 0 {
            encoder.copy_buffer_to_buffer(&buffers.busy, 0, &rings.small, word(HEAD), word(sites));
        }
        if cells > 0 {
            let (at, wear) = (word(HEAD + sites), &crowd.stages.ways.wear);
            encoder.copy_buffer_to_buffer(wear, 0, &rings.small, at, word(cells));
        }
        if !streams.is_empty() {
            let (at, bytes) = (word(HEAD + sites + cells), word(streams.len()));
            encoder.copy_buffer_to_buffer(&gate.entered, 0, &rings.small, at, bytes);
        }
        let step = crowd.crowd.step;
        let state = &buffers.sides[crowd.stages.side].state;
        let bytes = u64::from(buffers.capacity) * u64::from(16 * buffers.fours);
        rings.state.copy(&mut encoder, state, 0, bytes, step)?;
        rings.small_back.copy(&mut encoder, &rings.small, 0, word(words), step)?;
        gpu.submit(encoder);
        let (rest, taken) = (crowd.crowd.snapshot(), crowd.taken);
        self.pending = Some(Pending { step, rest, taken, streams, state: None, small: None });
        Ok(true)
    }

    /// The keepsake that was begun, once it is here. Does not wait.
    pub fn take(&mut self) -> Option<Keepsake> {
        let (rings, pending) = (self.rings.as_mut()?, self.pending.as_mut()?);
        let words = |bytes: &[u8]| Some(bytemuck::pod_collect_to_vec(bytes));
        rings.small_back.take(|back| pending.small = words(back.bytes));
        rings.state.take(|back| pending.state = words(back.bytes));
        if rings.small_back.under_way() + rings.state.under_way() > 0 {
            return None;
        }
        let Pending { step, rest, taken, streams, state, small } = self.pending.take()?;
        // A copy that failed came back empty: the device is lost, and the earlier keepsake holds.
        let (words, small) = (state?, small?);
        let after = HEAD + rings.sites + rings.cells;
        let people = People {
            words,
            capacity: rings.capacity as usize,
            len: small[TALLY.len()] as usize,
            busy: small[HEAD..HEAD + rings.sites].to_vec(),
            wear: small[HEAD + rings.sites..after].to_vec(),
            entered: streams.into_iter().zip(small[after..].iter().copied()).collect(),
            tally: std::array::from_fn(|i| small[i]),
            taken,
        };
        Some(Keepsake { step, rest, people: Some(people) })
    }
}

impl GpuCrowd {
    /// Leaves the device behind, with all who are on it. What comes back has the world, the observers and
    /// the clock, and nobody in it: a [`Keepsake`] makes it whole.
    pub fn abandon(mut self) -> Crowd {
        self.leave();
        self.crowd.agents = crate::agents::Agents::none(self.crowd.agents.extended);
        self.crowd.sort();
        self.crowd
    }
}

impl Crowd {
    /// [`Crowd::spawn`] of somebody who already had a number: that of a course of events which is being
    /// repeated. A number that is given by now is not given again.
    ///
    /// # Errors
    /// As [`Crowd::spawn`].
    #[doc(hidden)]
    pub fn spawn_again(
        &mut self,
        agent: AgentId,
        group: usize,
        position: glam::Vec2,
        target: Option<glam::Vec2>,
    ) -> Result<AgentId, CrowdError> {
        check_point("the place of a new agent", position)?;
        self.next_id = self.next_id.max(agent.0);
        self.spawn(group, position, target)
    }
}
