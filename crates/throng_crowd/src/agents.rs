//! The agents: one array per quality, sorted by bin so that neighbours lie side by side.

use bytemuck::Pod;
use glam::Vec2;
use rayon::prelude::*;

use crate::lanes::WIDTH;

/// Agents that one task takes at a time. Fixed, so that results never depend on the threads.
pub(crate) const CHUNK: usize = 1024;

/// No private target, no site.
pub(crate) const NONE: u32 = u32::MAX;

/// Flag: to be removed at the next step.
pub(crate) const DEAD: u8 = 1;
/// Flag: has a private target.
pub(crate) const TARGETED: u8 = 2;
/// Flag: the way ahead is free (set by the avoid stage).
pub(crate) const FREE_WAY: u8 = 4;
/// Flag: wants to move (set by the navigate stage).
pub(crate) const MOVING: u8 = 8;
/// Flag: has been counted as stuck.
pub(crate) const STUCK: u8 = 16;
/// Flag: has reached its private target.
pub(crate) const ARRIVED: u8 = 32;
/// Flag: the private target is out of sight.
pub(crate) const HIDDEN: u8 = 64;
/// Flag: has not begun to move yet (premovement time).
pub(crate) const WAITING: u8 = 128;

/// What an agent is and does, in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(4))]
pub struct Traits {
    /// Its group (index into the groups of the world).
    pub group: u8,
    /// What it does (index into the actions of the world).
    pub action: u8,
    /// What it did before it was interrupted.
    pub interrupted: u8,
    pub(crate) flags: u8,
}

impl Traits {
    pub(crate) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn set(&mut self, flag: u8, on: bool) {
        self.flags = if on { self.flags | flag } else { self.flags & !flag };
    }
}

/// Calls a macro with the list of all `f32` arrays.
macro_rules! for_f32_fields {
    ($do:ident) => {
        $do! {
            x, y, vx, vy, radius, heading_x, heading_y, speed, left, clip, tired, fear,
            frustration, slow, born, target_x, target_y
        }
    };
}

macro_rules! define_agents {
    ($($name:ident),*) => {
        /// All agents.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Agents {
            len: usize,
            $(pub(crate) $name: Vec<f32>,)*
            pub(crate) id: Vec<u32>,
            pub(crate) traits: Vec<Traits>,
            /// Place where it is busy (index into the sites), or [`NONE`].
            pub(crate) site: Vec<u32>,
            /// Whether the two that follow are kept; empty where the world has no use for them.
            pub(crate) extended: bool,
            /// Dose of poison; at 1 somebody can no more.
            pub(crate) dose: Vec<f32>,
            /// Its place in its party, see [`crate::party`], or [`NONE`].
            pub(crate) party: Vec<u32>,
        }

        impl Agents {
            /// Reorders all arrays: agent `i` becomes what agent `from[i]` was; shortens them to
            /// the length of `from`. `runs` is scratch memory as long as that, `spare` is memory to
            /// reorder into; what is in it is lost.
            pub(crate) fn permute(&mut self, from: &[u32], runs: &mut [u32], spare: Spare<'_>) {
                let order = Order { from, runs: &*find_runs(from, runs) };
                let room = self.id.len();
                let Self { id, site, traits, $($name,)* .. } = self;
                let mut words = [$(words_of($name),)* words_of(id), words_of(site), words_of(traits)];
                let (low, high) = words.split_at_mut(10);
                let [one, other] = spare;
                one.resize(room, 0.0);
                other.resize(room, 0.0);
                // By two at a time: that is half as often that threads wait for each other.
                rayon::join(
                    || order.apply_all(low, one),
                    || order.apply_all(high, other),
                );
                let mut words = words.into_iter();
                $(*$name = words_back(&mut words);)*
                *id = words_back(&mut words);
                *site = words_back(&mut words);
                *traits = words_back(&mut words);
                if self.extended {
                    let mut words = [words_of(&mut self.dose), words_of(&mut self.party)];
                    order.apply_all(&mut words, one);
                    let mut words = words.into_iter();
                    self.dose = words_back(&mut words);
                    self.party = words_back(&mut words);
                }
                self.len = from.len();
            }

            /// Makes room for so many more, so that adding them does not allocate one by one.
            pub(crate) fn reserve(&mut self, more: usize) {
                let room = self.len + more + WIDTH;
                $(grow(&mut self.$name, room);)*
                grow(&mut self.id, room);
                grow(&mut self.site, room);
                grow(&mut self.traits, room);
                if self.extended {
                    grow(&mut self.dose, room);
                    grow(&mut self.party, room);
                }
            }

            /// Gives back the room beyond what there are agents for.
            pub(crate) fn trim(&mut self) {
                let room = self.len + WIDTH;
                $(trim(&mut self.$name, room);)*
                trim(&mut self.id, room);
                trim(&mut self.site, room);
                trim(&mut self.traits, room);
                if self.extended {
                    trim(&mut self.dose, room);
                    trim(&mut self.party, room);
                }
            }

            /// Bytes held by all arrays.
            pub(crate) fn bytes(&self) -> usize {
                let words = 0 $(+ self.$name.capacity())* + self.id.capacity()
                    + self.site.capacity() + self.traits.capacity()
                    + self.dose.capacity() + self.party.capacity();
                words * 4
            }

            /// All `f32` arrays, by name, without padding.
            pub(crate) fn floats(&self) -> [(&'static str, &[f32]); 17] {
                [$((stringify!($name), &self.$name[..self.len]),)*]
            }

            /// All `f32` arrays for writing, for `len` agents.
            pub(crate) fn resize_for(&mut self, len: usize) -> [(&'static str, &mut [f32]); 17] {
                self.len = 0;
                self.reserve(len);
                self.len = len;
                [$((stringify!($name), &mut self.$name[..len]),)*]
            }
        }
    };
}

for_f32_fields!(define_agents);

/// A new agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewAgent {
    pub(crate) id: u32,
    pub(crate) position: Vec2,
    pub(crate) heading: Vec2,
    pub(crate) radius: f32,
    pub(crate) speed: f32,
    pub(crate) traits: Traits,
    pub(crate) left: f32,
    pub(crate) born: f32,
    pub(crate) target: Vec2,
    pub(crate) party: u32,
}

impl Agents {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds one at the end.
    pub(crate) fn push(&mut self, new: NewAgent) {
        if self.id.len() < self.len + 1 + WIDTH {
            self.reserve(1);
        }
        let i = self.len;
        self.len += 1;
        self.x[i] = new.position.x;
        self.y[i] = new.position.y;
        for zero in [
            &mut self.vx,
            &mut self.vy,
            &mut self.clip,
            &mut self.tired,
            &mut self.fear,
            &mut self.frustration,
            &mut self.slow,
        ] {
            zero[i] = 0.0;
        }
        self.radius[i] = new.radius;
        self.heading_x[i] = new.heading.x;
        self.heading_y[i] = new.heading.y;
        self.speed[i] = new.speed;
        self.left[i] = new.left;
        self.born[i] = new.born;
        self.target_x[i] = new.target.x;
        self.target_y[i] = new.target.y;
        self.id[i] = new.id;
        self.traits[i] = new.traits;
        self.site[i] = NONE;
        if self.extended {
            self.dose[i] = 0.0;
            self.party[i] = new.party;
        }
    }

    /// Nobody; `extended` as the world asks for.
    pub(crate) fn none(extended: bool) -> Self {
        Self { extended, ..Self::default() }
    }

    /// Whether somebody can no more.
    #[inline(always)]
    pub(crate) fn is_down(&self, i: usize) -> bool {
        self.extended && self.dose[i] >= 1.0
    }

    /// Where an agent is.
    pub(crate) fn position(&self, i: usize) -> Vec2 {
        Vec2::new(self.x[i], self.y[i])
    }
}

/// Lengthens an array to at least `room`, by a quarter more where it has to grow again.
pub(crate) fn grow<T: Clone + Default>(array: &mut Vec<T>, room: usize) {
    if array.len() < room {
        let room = if array.is_empty() { room } else { room + room / 4 };
        grow_exact(array, room);
    }
}

fn trim<T: Clone + Default>(array: &mut Vec<T>, room: usize) {
    array.resize(room, T::default());
    array.shrink_to_fit();
}

fn grow_exact<T: Clone + Default>(array: &mut Vec<T>, room: usize) {
    if array.len() < room {
        array.reserve_exact(room - array.len());
        array.resize(room, T::default());
    }
}

/// Agents of one task of a reordering.
const PART: usize = 8 * CHUNK;

/// Memory to reorder two arrays into at a time.
pub(crate) type Spare<'a> = [&'a mut Vec<f32>; 2];

/// A new order of the agents.
///
/// From one step to the next few agents change their bin, so most of the new order are runs of the old
/// one, which are copied whole.
struct Order<'a> {
    from: &'a [u32],
    /// Where a run begins: its length.
    runs: &'a [u32],
}

/// Writes the length of each run of consecutive numbers to where it begins. No run goes beyond a part.
fn find_runs<'a>(from: &[u32], runs: &'a mut [u32]) -> &'a mut [u32] {
    let runs = &mut runs[..from.len()];
    runs.par_chunks_mut(PART).zip(from.par_chunks(PART)).for_each(|(runs, from)| {
        let (mut begin, mut next) = (0, from[0]);
        for (i, &from) in from.iter().enumerate() {
            if from != next {
                runs[begin] = (i - begin) as u32;
                begin = i;
            }
            next = from + 1;
        }
        runs[begin] = (from.len() - begin) as u32;
    });
    runs
}

/// Takes an array as plain words.
fn words_of<T: Pod>(array: &mut Vec<T>) -> Vec<f32> {
    bytemuck::cast_vec(std::mem::take(array))
}

/// The next array, as what it was.
fn words_back<T: Pod>(words: &mut impl Iterator<Item = Vec<f32>>) -> Vec<T> {
    bytemuck::cast_vec(words.next().unwrap_or_default())
}

impl Order<'_> {
    /// Reorders arrays of words by way of spare memory of the same length.
    fn apply_all(&self, arrays: &mut [Vec<f32>], spare: &mut Vec<f32>) {
        for array in arrays {
            self.apply(array, spare);
            std::mem::swap(array, spare);
        }
    }

    fn apply(&self, old: &[f32], new: &mut [f32]) {
        let parts = new[..self.from.len()].par_chunks_mut(PART).zip(self.runs.par_chunks(PART));
        parts.zip(self.from.par_chunks(PART)).for_each(|((new, runs), from)| {
            let mut at = 0;
            while at < new.len() {
                let length = runs[at] as usize;
                copy_run(&old[from[at] as usize..], &mut new[at..], length);
                at += length;
            }
        });
    }
}

/// Copies `length` elements, and where there is room up to [`WIDTH`] more: runs are short, and what
/// is copied beyond one is overwritten by the next.
#[inline(always)]
fn copy_run(old: &[f32], new: &mut [f32], length: usize) {
    let rounded = length.next_multiple_of(WIDTH);
    if length > 4 * WIDTH || old.len() < rounded || new.len() < rounded {
        new[..length].copy_from_slice(&old[..length]);
        return;
    }
    let (old, _) = old[..rounded].as_chunks::<WIDTH>();
    let (new, _) = new[..rounded].as_chunks_mut::<WIDTH>();
    for (new, old) in new.iter_mut().zip(old) {
        *new = *old;
    }
}
