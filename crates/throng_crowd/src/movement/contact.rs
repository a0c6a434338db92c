//! Contacts: discs that would overlap push each other apart.

use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec2;
use rayon::prelude::*;

use crate::agents::{Agents, CHUNK};
use crate::bin::Bins;
use crate::lanes::{Isa, Kernel, Lanes, WIDTH, dispatch};
use crate::random::{self, Purpose};
use crate::tables::Tables;
use crate::walls::{AT_WALL, Walls};

/// More people than this in a row of bins have overlapped beyond all densities.
pub(super) const CRUSHED: usize = 256;
/// Of a row of that many times a power of two as many, no fewer than this are looked at.
pub(super) const CRUSHED_LEAST: usize = 32;
pub(super) const CRUSHED_SHIFT: usize = 12;
/// Nearer than this is in the same spot (metres).
pub(super) const SAME_SPOT: f32 = 1e-4;

/// How many of a row are looked at: all of a usual one, fewer the worse a crush is, so that even a million
/// in one spot come apart in bounded time.
fn looked_at(row: usize) -> usize {
    if row <= CRUSHED {
        row
    } else {
        ((CRUSHED << CRUSHED_SHIFT) / row).clamp(CRUSHED_LEAST, CRUSHED)
    }
}

/// Who is farther than this from the reach of somebody pushed is left alone by the next pass (metres).
pub(super) const NEAR: f32 = 0.08;

/// Stiffness of the shell, as a share of that of bodies.
pub(super) const SOFTNESS: f32 = 0.3;

/// Share of an overlap that a step of `dt` seconds leaves, where people come apart within `settle` seconds: they do so
/// at the same speed however short steps are. Undone at once, an overlap would push the harder the shorter a step is.
pub(crate) fn left_over(dt: f32, settle: f32) -> f32 {
    (1.0 - dt / settle.max(1e-6)).max(0.0)
}

/// Share by which somebody at the end of its patience pushes less hard at times, as chance has it: a row of people
/// who all push alike would hold like an arch, and nobody get through a door.
pub(super) const SURGE: f32 = 0.5;
/// How long somebody pushes as hard (seconds).
const SURGE_SECONDS: f64 = 0.5;
/// An odd number whose multiples look like chance, to mix numbers of people and times.
pub(super) const MIX: u32 = 0x9E37_79B9;

/// The time as far as it changes how hard people push.
pub(crate) fn surge_at(time: f64) -> u32 {
    ((time / SURGE_SECONDS) as u32).wrapping_mul(MIX)
}

/// How hard somebody pushes at a time, as a share of what it would.
#[inline(always)]
pub(super) fn surge_of(id: u32, frustration: f32, surge: u32) -> f32 {
    let mixed = ((id ^ surge).wrapping_mul(MIX) >> 16).wrapping_mul(MIX) >> 16;
    1.0 - SURGE * frustration * (mixed as f32 * (1.0 / 65536.0))
}

/// What the pass reads.
#[derive(Clone, Copy)]
pub(crate) struct Contact<'a> {
    pub(crate) bins: Bins<'a>,
    /// Where everybody would be after the step, and how hard it pushes.
    pub(crate) next_x: &'a [f32],
    pub(crate) next_y: &'a [f32],
    pub(crate) push: &'a [f32],
    /// Largest radius, and twice the farthest anybody walks in a step (metres): contacts may push as
    /// far again.
    pub(crate) widest: f32,
    pub(crate) longest: f32,
    pub(crate) stiffness: f32,
    /// Distance that bodies keep where they can (metres).
    pub(crate) comfort: f32,
    /// Share of an overlap at the beginning of the step that may be left at its end, see [`left_over`].
    pub(crate) left_over: f32,
    /// Steps in a second.
    pub(crate) per_dt: f32,
    pub(crate) isa: Isa,
}

/// Whom a pass has to look at: those who were pushed in the pass before, and whoever is near them. The first
/// pass of a step looks at all. A bit for each agent: most are not set, and are passed by 64 at a time.
#[derive(Debug, Default)]
pub(crate) struct Pushed {
    now: Vec<AtomicU64>,
    next: Vec<AtomicU64>,
}

impl Pushed {
    /// Makes room for so many agents.
    pub(crate) fn fit(&mut self, len: usize) {
        let words = len.div_ceil(64);
        for marks in [&mut self.now, &mut self.next] {
            if marks.len() < words {
                marks.reserve_exact(words - marks.len());
                marks.resize_with(words, AtomicU64::default);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * (self.now.capacity() + self.next.capacity())
    }

    /// Those who were marked in the last pass are looked at in the next.
    fn turn(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.iter_mut().for_each(|marks| *marks.get_mut() = 0);
    }

    /// Those of a chunk of agents, counted from its first.
    fn of_chunk(&self, chunk: usize) -> impl Iterator<Item = usize> {
        let words = self.now.iter().skip(chunk * (CHUNK / 64)).take(CHUNK / 64).enumerate();
        words.flat_map(|(word, marks)| {
            let mut bits = marks.load(Ordering::Relaxed);
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(word * 64 + bit)
            })
        })
    }

    #[inline(always)]
    fn mark(&self, i: usize) {
        // Marks are only ever set in a pass, so it does not matter who comes first.
        let (marks, bit) = (&self.next[i / 64], 1 << (i % 64));
        if marks.load(Ordering::Relaxed) & bit == 0 {
            marks.fetch_or(bit, Ordering::Relaxed);
        }
    }

    #[cfg(test)]
    pub(super) fn marked(marks: &[bool]) -> Self {
        let mut pushed = Self::default();
        pushed.fit(marks.len());
        for (i, _) in marks.iter().enumerate().filter(|(_, mark)| **mark) {
            pushed.mark(i);
        }
        pushed.turn();
        pushed
    }

    #[cfg(test)]
    pub(super) fn marks(&self, len: usize) -> Vec<bool> {
        let mut marks = vec![false; len];
        for chunk in 0..len.div_ceil(CHUNK) {
            self.of_chunk(chunk).for_each(|k| marks[chunk * CHUNK + k] = true);
        }
        marks
    }
}

/// Corrects velocities so that discs come apart: those of all agents in the first pass of a step, later of
/// those that the pass before has marked. Marks those for the next pass.
pub(crate) fn contacts(
    input: &Contact<'_>,
    agents: &Agents,
    first_pass: bool,
    velocity: &mut [Vec2],
    pushed: &mut Pushed,
) {
    let len = agents.len();
    let chunks = velocity[..len].par_chunks_mut(CHUNK);
    let marks = &*pushed;
    chunks.enumerate().for_each(|(chunk, velocity)| {
        dispatch(input.isa, Chunk { input, agents, chunk, first_pass, velocity, pushed: marks });
    });
    pushed.turn();
}

struct Chunk<'a> {
    input: &'a Contact<'a>,
    agents: &'a Agents,
    chunk: usize,
    first_pass: bool,
    velocity: &'a mut [Vec2],
    pushed: &'a Pushed,
}

impl Kernel for Chunk<'_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        if self.first_pass {
            for k in 0..self.velocity.len() {
                self.correct(l, k);
            }
            return;
        }
        let pushed = self.pushed;
        for k in pushed.of_chunk(self.chunk) {
            self.correct(l, k);
        }
    }
}

impl Chunk<'_> {
    /// Corrects the velocity of one agent of the chunk.
    #[inline(always)]
    fn correct<L: Lanes>(&mut self, l: L, k: usize) {
        let i = self.chunk * CHUNK + k;
        let (sum, touching) = correction(l, self.input, self.agents, i);
        if touching > 0 {
            // Several at once would overshoot: each pair corrects its full share.
            let share = self.input.stiffness / (0.5 + 0.5 * touching as f32);
            self.velocity[k] += sum * (share * self.input.per_dt);
            mark_near(l, self.input, self.agents, self.pushed, i);
        }
    }
}

/// Sum of the corrections of one agent (metres), and how many it touches.
#[inline(always)]
fn correction<L: Lanes>(l: L, input: &Contact<'_>, agents: &Agents, i: usize) -> (Vec2, u32) {
    let mut sum = Vec2::ZERO;
    let mut touching = 0;
    for_all_within(l, input, agents, i, input.comfort, |j| {
        sum += apart(input, agents, i, j);
        touching += 1;
    });
    (sum, touching)
}

/// Marks an agent that is pushed, and all who may touch it after that.
#[inline(always)]
fn mark_near<L: Lanes>(l: L, input: &Contact<'_>, agents: &Agents, pushed: &Pushed, i: usize) {
    pushed.mark(i);
    for_all_within(l, input, agents, i, input.comfort + NEAR, |j| pushed.mark(j));
}

/// Calls `each` for all others whose bodies will be within `gap` metres of an agent's.
#[inline(always)]
fn for_all_within<L: Lanes>(
    l: L,
    input: &Contact<'_>,
    agents: &Agents,
    i: usize,
    gap: f32,
    mut each: impl FnMut(usize),
) {
    let (x, y, radius) = (input.next_x[i], input.next_y[i], agents.radius[i]);
    // Bins hold where people were before the step.
    let reach = radius + input.widest + gap + input.longest;
    let frame = input.bins.frame;
    // Half a bin at least: then there are nearly always two rows of two, which is quicker than one or
    // two as it comes.
    let around = reach.max(0.5 * frame.size);
    let (first, last) = (frame.column(x - around), frame.column(x + around));
    let (low, high) = (frame.row(y - around), frame.row(y + around));
    let (lx, ly, lr) = (l.splat(x), l.splat(y), l.splat(radius + gap));
    for row in low..=high {
        let (start, mut end) = input.bins.range(row, first, last);
        let mut j = start;
        let most = looked_at(end - start);
        if most < end - start {
            // Those next in line, or anywhere in another row: each looks at others.
            let room = end - start - most;
            let own = i >= start && i < end;
            j += if own { (i - start).saturating_sub(most / 2).min(room) } else { i % room };
            end = j + most;
        }
        while j < end {
            let dx = l.sub(l.load(input.next_x, j), lx);
            let dy = l.sub(l.load(input.next_y, j), ly);
            let d2 = l.add(l.mul(dx, dx), l.mul(dy, dy));
            let touch = l.add(l.load(&agents.radius, j), lr);
            // Not beyond the end of the row, and not the agent itself.
            let inside = (1u32 << (end - j).min(WIDTH)) - 1;
            let own = 1u32 << i.wrapping_sub(j).min(31);
            let mut bits = l.bits(l.lt(d2, l.mul(touch, touch))) & inside & !own;
            while bits != 0 {
                each(j + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
            j += WIDTH;
        }
    }
}

/// How far agent `i` moves away from agent `j` (metres).
#[inline(always)]
fn apart(input: &Contact<'_>, agents: &Agents, i: usize, j: usize) -> Vec2 {
    let d = Vec2::new(input.next_x[i] - input.next_x[j], input.next_y[i] - input.next_y[j]);
    let distance = d.length();
    let touch = agents.radius[i] + agents.radius[j];
    let mut depth = depth_of(input, touch - distance);
    if input.left_over > 0.0 {
        let before = agents.position(i).distance(agents.position(j));
        depth = (depth - input.left_over * depth_of(input, touch - before)).max(0.0);
    }
    let away = if distance > SAME_SPOT {
        d / distance
    } else {
        // In the same spot: any direction will do, as long as the other takes the opposite one.
        let (low, high) = (agents.id[i].min(agents.id[j]), agents.id[i].max(agents.id[j]));
        let turn = random::unit(u64::from(low), high, 0, Purpose::Apart);
        let e = Vec2::from_angle(turn * std::f32::consts::TAU);
        if agents.id[i] == low { e } else { -e }
    };
    let share = input.push[j] / (input.push[i] + input.push[j]);
    away * (depth * share)
}

/// How far two come apart who overlap by so much; less than nothing if only their shells do (metres).
#[inline(always)]
fn depth_of(input: &Contact<'_>, hard: f32) -> f32 {
    // The shell between bodies is soft, the bodies are not.
    let soft = (hard + input.comfort).clamp(0.0, input.comfort) * SOFTNESS;
    soft + hard.max(0.0)
}

/// What is predicted: positions along x and y, and how hard everybody pushes.
pub(crate) struct Prediction<'a> {
    pub(crate) next_x: &'a mut [f32],
    pub(crate) next_y: &'a mut [f32],
    pub(crate) push: &'a mut [f32],
    /// Who is to be predicted again; `None`: all.
    pub(crate) pushed: Option<&'a Pushed>,
}

/// Where everybody would be after the step, and how hard it pushes. Who would be in a wall is put
/// beside it, so that the others make room.
pub(crate) fn predict(
    tables: &Tables,
    walls: Option<Walls<'_>>,
    agents: &Agents,
    velocity: &mut [Vec2],
    (dt, surge): (f32, u32),
    out: Prediction<'_>,
) {
    let len = agents.len();
    let chunks = out.next_x[..len]
        .par_chunks_mut(CHUNK)
        .zip(out.next_y[..len].par_chunks_mut(CHUNK))
        .zip(out.push[..len].par_chunks_mut(CHUNK))
        .zip(velocity[..len].par_chunks_mut(CHUNK));
    chunks.enumerate().for_each(|(chunk, (((next_x, next_y), push), velocity))| {
        let mut one = |k: usize| {
            let i = chunk * CHUNK + k;
            let mut next = agents.position(i) + velocity[k] * dt;
            if let Some(walls) = walls {
                let radius = AT_WALL + agents.radius[i];
                if walls.distance(next) < radius {
                    let wall = walls.nearest(next);
                    let aside = wall.away * (radius - wall.distance);
                    next += aside;
                    velocity[k] += aside * (1.0 / dt);
                }
            }
            (next_x[k], next_y[k]) = (next.x, next.y);
        };
        if let Some(pushed) = out.pushed {
            pushed.of_chunk(chunk).for_each(one);
            return;
        }
        for (k, push) in push.iter_mut().enumerate() {
            one(k);
            let i = chunk * CHUNK + k;
            let frustration = agents.frustration[i];
            *push = tables.push(agents.traits[i], frustration)
                * surge_of(agents.id[i], frustration, surge);
        }
    });
}
