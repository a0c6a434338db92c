//! The agents: one array per quality, sorted by bin so that neighbours lie side by side.

use std::sync::atomic::{AtomicU64, Ordering};

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
#[repr(C)]
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
            spare: Vec<f32>,
            spare_words: Vec<u32>,
            spare_traits: Vec<Traits>,
        }

        impl Agents {
            /// Reorders all arrays: agent `i` becomes what agent `from[i]` (low half) was; shortens
            /// them to the length of `from`.
            pub(crate) fn permute(&mut self, from: &[AtomicU64]) {
                self.fit_spares();
                $(gather(&self.$name, from, &mut self.spare);
                std::mem::swap(&mut self.$name, &mut self.spare);)*
                gather(&self.id, from, &mut self.spare_words);
                std::mem::swap(&mut self.id, &mut self.spare_words);
                gather(&self.site, from, &mut self.spare_words);
                std::mem::swap(&mut self.site, &mut self.spare_words);
                gather(&self.traits, from, &mut self.spare_traits);
                std::mem::swap(&mut self.traits, &mut self.spare_traits);
                self.len = from.len();
            }

            /// Makes room for so many more, so that adding them does not allocate one by one.
            pub(crate) fn reserve(&mut self, more: usize) {
                let room = self.len + more + WIDTH;
                $(grow(&mut self.$name, room);)*
                grow(&mut self.id, room);
                grow(&mut self.site, room);
                grow(&mut self.traits, room);
            }

            /// Gives back the room beyond what there are agents for.
            pub(crate) fn trim(&mut self) {
                let room = self.len + WIDTH;
                $(trim(&mut self.$name, room);)*
                trim(&mut self.id, room);
                trim(&mut self.site, room);
                trim(&mut self.traits, room);
            }

            /// Bytes held by all arrays.
            pub(crate) fn bytes(&self) -> usize {
                let words = 0 $(+ self.$name.capacity())* + self.id.capacity()
                    + self.site.capacity() + self.traits.capacity() + self.spare.capacity()
                    + self.spare_words.capacity() + self.spare_traits.capacity();
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
    }

    /// Where an agent is.
    pub(crate) fn position(&self, i: usize) -> Vec2 {
        Vec2::new(self.x[i], self.y[i])
    }

    fn fit_spares(&mut self) {
        let room = self.x.len();
        grow_exact(&mut self.spare, room);
        grow_exact(&mut self.spare_words, room);
        grow_exact(&mut self.spare_traits, room);
    }
}

/// Lengthens an array to at least `room`, by a quarter more where it has to grow again.
fn grow<T: Clone + Default>(array: &mut Vec<T>, room: usize) {
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

fn gather<T: Copy + Send + Sync>(old: &[T], from: &[AtomicU64], new: &mut [T]) {
    let chunks = new[..from.len()].par_chunks_mut(8 * CHUNK).zip(from.par_chunks(8 * CHUNK));
    chunks.for_each(|(new, from)| {
        for (new, from) in new.iter_mut().zip(from) {
            *new = old[from.load(Ordering::Relaxed) as u32 as usize];
        }
    });
}
