//! Contacts: discs that would overlap push each other apart.

use glam::Vec2;
use rayon::prelude::*;

use crate::agents::{Agents, CHUNK};
use crate::bin::Bins;
use crate::lanes::{Isa, Kernel, Lanes, WIDTH, dispatch};
use crate::random::{self, Purpose};
use crate::tables::Tables;
use crate::walls::Walls;

/// More people than this in a row of bins have overlapped beyond all densities.
const CRUSHED: usize = 256;

/// How many of a row are looked at: all of a usual one, fewer the worse a crush is, so that even a million
/// in one spot come apart in bounded time.
fn looked_at(row: usize) -> usize {
    if row <= CRUSHED { row } else { ((CRUSHED << 12) / row).clamp(32, CRUSHED) }
}

/// Who is farther than this from touching anybody is left alone by later passes (metres).
pub(super) const NEAR: f32 = 0.08;

/// Stiffness of the shell, as a share of that of bodies.
pub(super) const SOFTNESS: f32 = 0.3;

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
    /// Distance that bodies keep where they can (metres), and the share of it undone in a pass.
    pub(crate) comfort: f32,
    /// Steps in a second.
    pub(crate) per_dt: f32,
    pub(crate) isa: Isa,
}

/// Who may touch anybody: the places in each chunk of agents, and how many they are. The first pass of a
/// step finds them, later ones look only at those.
#[derive(Debug, Default)]
pub(crate) struct Near {
    places: Vec<u16>,
    counts: Vec<u16>,
}

impl Near {
    /// Makes room for so many agents.
    pub(crate) fn fit(&mut self, len: usize) {
        let chunks = len.div_ceil(CHUNK);
        if self.counts.len() < chunks {
            self.counts.resize(chunks, 0);
            self.places.reserve_exact(chunks * CHUNK - self.places.len());
            self.places.resize(chunks * CHUNK, 0);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        2 * (self.places.capacity() + self.counts.capacity())
    }

    /// Those who are marked.
    #[cfg(test)]
    pub(super) fn marked(marks: &[bool]) -> Self {
        let mut near = Self::default();
        near.fit(marks.len());
        for (i, _) in marks.iter().enumerate().filter(|(_, mark)| **mark) {
            let count = &mut near.counts[i / CHUNK];
            near.places[i / CHUNK * CHUNK + usize::from(*count)] = (i % CHUNK) as u16;
            *count += 1;
        }
        near
    }

    /// A mark for each of so many agents.
    #[cfg(test)]
    pub(super) fn marks(&self, len: usize) -> Vec<bool> {
        let mut marks = vec![false; len];
        for chunk in 0..len.div_ceil(CHUNK) {
            self.of(chunk).iter().for_each(|k| marks[chunk * CHUNK + usize::from(*k)] = true);
        }
        marks
    }

    fn of(&self, chunk: usize) -> &[u16] {
        &self.places[chunk * CHUNK..][..usize::from(self.counts[chunk])]
    }
}

/// Corrects velocities so that discs come apart: those of all agents in the first pass of a step, those
/// of the near ones in later passes.
pub(crate) fn contacts(
    input: &Contact<'_>,
    agents: &Agents,
    first_pass: bool,
    velocity: &mut [Vec2],
    near: &mut Near,
) {
    let len = agents.len();
    let chunks = velocity[..len].par_chunks_mut(CHUNK);
    let near = near.places.par_chunks_mut(CHUNK).zip(&mut near.counts);
    chunks.zip(near).enumerate().for_each(|(chunk, (velocity, (places, count)))| {
        let kernel =
            Chunk { input, agents, first: chunk * CHUNK, first_pass, velocity, places, count };
        dispatch(input.isa, kernel);
    });
}

struct Chunk<'a> {
    input: &'a Contact<'a>,
    agents: &'a Agents,
    first: usize,
    first_pass: bool,
    velocity: &'a mut [Vec2],
    places: &'a mut [u16],
    count: &'a mut u16,
}

impl Kernel for Chunk<'_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let mut count = 0;
        if self.first_pass {
            for k in 0..self.velocity.len() {
                let near = self.correct(l, k);
                self.places[count] = k as u16;
                count += usize::from(near);
            }
        } else {
            for n in 0..usize::from(*self.count) {
                let k = self.places[n];
                let near = self.correct(l, usize::from(k));
                self.places[count] = k;
                count += usize::from(near);
            }
        }
        *self.count = count as u16;
    }
}

impl Chunk<'_> {
    /// Corrects the velocity of one agent; whether it has to be looked at again.
    #[inline(always)]
    fn correct<L: Lanes>(&mut self, l: L, k: usize) -> bool {
        let (sum, touching, near) = correction(l, self.input, self.agents, self.first + k);
        if touching > 0 {
            // Several at once would overshoot: each pair corrects its full share.
            let share = self.input.stiffness / (0.5 + 0.5 * touching as f32);
            self.velocity[k] += sum * (share * self.input.per_dt);
        }
        near
    }
}

/// Sum of the corrections of one agent (metres), how many it touches, and whether anybody is so near
/// that it may touch it after a correction.
#[inline(always)]
fn correction<L: Lanes>(l: L, input: &Contact<'_>, agents: &Agents, i: usize) -> (Vec2, u32, bool) {
    let (x, y, radius) = (input.next_x[i], input.next_y[i], agents.radius[i]);
    // Bins hold where people were before the step. In short steps who is only near is farther off
    // than who could have come to touch.
    let moved = input.longest.max(NEAR + 0.5 * input.longest);
    let reach = radius + input.widest + input.comfort + moved;
    let frame = input.bins.frame;
    // Half a bin at least: then there are nearly always two rows of two, which is quicker than one or
    // two as it comes.
    let around = reach.max(0.5 * frame.size);
    let (first, last) = (frame.column(x - around), frame.column(x + around));
    let (low, high) = (frame.row(y - around), frame.row(y + around));
    let (lx, ly, lr) = (l.splat(x), l.splat(y), l.splat(radius + input.comfort));
    let mut sum = Vec2::ZERO;
    let (mut touching, mut close) = (0, 0);
    let margin = l.splat(NEAR);
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
            let wide = l.add(touch, margin);
            let mut mask = u32::MAX;
            if end - j < WIDTH {
                mask = (1 << (end - j)) - 1;
            }
            let own = i.wrapping_sub(j);
            if own < WIDTH {
                mask &= !(1 << own);
            }
            close |= l.bits(l.lt(d2, l.mul(wide, wide))) & mask;
            let mut bits = l.bits(l.lt(d2, l.mul(touch, touch))) & mask;
            while bits != 0 {
                let other = j + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                sum += apart(input, agents, i, other);
                touching += 1;
            }
            j += WIDTH;
        }
    }
    (sum, touching, close != 0)
}

/// How far agent `i` moves away from agent `j` (metres).
#[inline(always)]
fn apart(input: &Contact<'_>, agents: &Agents, i: usize, j: usize) -> Vec2 {
    let d = Vec2::new(input.next_x[i] - input.next_x[j], input.next_y[i] - input.next_y[j]);
    let distance = d.length();
    // The shell between bodies is soft, the bodies are not.
    let hard = agents.radius[i] + agents.radius[j] - distance;
    let soft = (hard + input.comfort).min(input.comfort) * SOFTNESS;
    let depth = soft + hard.max(0.0);
    let away = if distance > 1e-4 {
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

/// What is predicted: positions along x and y, and how hard everybody pushes.
pub(crate) struct Prediction<'a> {
    pub(crate) next_x: &'a mut [f32],
    pub(crate) next_y: &'a mut [f32],
    pub(crate) push: &'a mut [f32],
    /// Who is to be predicted again; `None`: all.
    pub(crate) near: Option<&'a Near>,
}

/// Where everybody would be after the step, and how hard it pushes. Who would be in a wall is put
/// beside it, so that the others make room.
pub(crate) fn predict(
    tables: &Tables,
    walls: Option<Walls<'_>>,
    agents: &Agents,
    velocity: &mut [Vec2],
    dt: f32,
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
                let radius = agents.radius[i];
                if walls.distance(next) < radius {
                    let wall = walls.nearest(next);
                    let aside = wall.away * (radius - wall.distance);
                    next += aside;
                    velocity[k] += aside * (1.0 / dt);
                }
            }
            (next_x[k], next_y[k]) = (next.x, next.y);
        };
        if let Some(near) = out.near {
            near.of(chunk).iter().for_each(|&k| one(usize::from(k)));
            return;
        }
        for (k, push) in push.iter_mut().enumerate() {
            one(k);
            let i = chunk * CHUNK + k;
            *push = tables.push(agents.traits[i], agents.frustration[i]);
        }
    });
}
