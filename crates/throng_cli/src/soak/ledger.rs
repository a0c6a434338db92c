//! Everything that must hold after every step, for everybody: fast enough to look at each of a
//! billion agent-steps.
//!
//! The rules are those of `crates/throng_crowd/tests/common/watch.rs`, which checks them the slow and
//! obvious way, and one more: nobody gets farther in a step than its speed allows. Here what is known of somebody lies in flat arrays by the agent's number, and all
//! cores look. The arrays are atomic so that a number that is there twice can be written twice; what
//! is found does not depend on the threads.

use glam::Vec2;
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use throng::Crowd;
use throng::crowd::AT_WALL;
use throng_field::{Edge, Grid};
use throng_world::world::Rect;

/// Agents that one task looks at.
const CHUNK: usize = 2048;

/// Rounding that is allowed: of speeds, of accelerations and turns, of the length of headings.
const SPEED_SLACK: f32 = 1.0001;
const LIMIT_SLACK: f32 = 1.001;
const SMALL: f32 = 1e-3;
/// A wall may stop somebody whose middle is this many times as far from it as it keeps (and what it can walk in a step).
const TOUCHES: f32 = 1.05;

/// A crowd after a step, as plain slices of one length and order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bodies<'a> {
    pub(super) ids: &'a [u32],
    pub(super) x: &'a [f32],
    pub(super) y: &'a [f32],
    pub(super) vx: &'a [f32],
    pub(super) vy: &'a [f32],
    pub(super) heading_x: &'a [f32],
    pub(super) heading_y: &'a [f32],
    pub(super) radius: &'a [f32],
    pub(super) free_speed: &'a [f32],
    /// How many ever appeared, and how many of them are gone.
    pub(super) spawned: u64,
    pub(super) removed: u64,
}

impl<'a> Bodies<'a> {
    pub(super) fn of(crowd: &'a Crowd) -> Self {
        Self {
            ids: crowd.ids(),
            x: crowd.x(),
            y: crowd.y(),
            vx: crowd.vx(),
            vy: crowd.vy(),
            heading_x: crowd.heading_x(),
            heading_y: crowd.heading_y(),
            radius: crowd.radius(),
            free_speed: crowd.free_speed(),
            spawned: crowd.totals().spawned,
            removed: crowd.totals().removed,
        }
    }

    fn place(&self, i: usize) -> Vec2 {
        Vec2::new(self.x[i], self.y[i])
    }

    fn velocity(&self, i: usize) -> Vec2 {
        Vec2::new(self.vx[i], self.vy[i])
    }

    fn heading(&self, i: usize) -> Vec2 {
        Vec2::new(self.heading_x[i], self.heading_y[i])
    }
}

/// What bodies are held to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits<'a> {
    /// Signed distance to the nearest wall (metres).
    pub(super) clearance: &'a Grid<f32>,
    pub(super) bounds: Rect,
    /// Factor of the own free speed that nobody exceeds.
    pub(super) fastest: f32,
    /// Metres per second, per second.
    pub(super) acceleration: f32,
    /// Radians per second.
    pub(super) turn_rate: f32,
    /// Length of the step (seconds).
    pub(super) dt: f32,
}

impl<'a> Limits<'a> {
    pub(super) fn of(crowd: &'a Crowd, dt: f32) -> Self {
        let movement = &crowd.world().params.movement;
        Self {
            clearance: &crowd.world().clearance,
            bounds: crowd.world().bounds(),
            fastest: crowd.fastest(),
            acceleration: movement.jolt / dt,
            turn_rate: movement.turn_rate,
            dt,
        }
    }
}

/// What is wrong, in one line, and with whom if it can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Violation {
    pub(super) agent: Option<u32>,
    pub(super) what: String,
}

impl Violation {
    fn of(agent: u32, what: impl Into<String>) -> Self {
        Self { agent: Some(agent), what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.agent {
            Some(agent) => write!(f, "agent {agent} {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// How near anybody came to a limit.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(super) struct Worst {
    /// Greatest speed, as a share of the person's maximum.
    pub(super) speed: f32,
    /// Greatest change of velocity away from walls, as a share of the limit.
    pub(super) acceleration: f32,
    /// Greatest turn, as a share of the limit.
    pub(super) turn: f32,
    /// Least distance of anybody's middle to a wall, in metres.
    pub(super) clearance: f32,
}

impl Worst {
    pub(super) const NONE: Self =
        Self { speed: 0.0, acceleration: 0.0, turn: 0.0, clearance: f32::INFINITY };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            speed: self.speed.max(other.speed),
            acceleration: self.acceleration.max(other.acceleration),
            turn: self.turn.max(other.turn),
            clearance: self.clearance.min(other.clearance),
        }
    }
}

/// What one task saw: squares and cosines, so that nobody needs a root or an angle.
#[derive(Clone, Copy)]
struct Tally {
    speed2: f32,
    change2: f32,
    cos: f32,
    clearance: f32,
    /// Agents who were there before, and who are new.
    kept: u64,
    new: u64,
}

impl Tally {
    const NONE: Self =
        Self { speed2: 0.0, change2: 0.0, cos: 1.0, clearance: f32::INFINITY, kept: 0, new: 0 };

    fn and(self, other: Self) -> Self {
        Self {
            speed2: self.speed2.max(other.speed2),
            change2: self.change2.max(other.change2),
            cos: self.cos.min(other.cos),
            clearance: self.clearance.min(other.clearance),
            kept: self.kept + other.kept,
            new: self.new + other.new,
        }
    }
}

/// Numbers that are the same for everybody in a step.
#[derive(Clone, Copy)]
struct Bounds<'a> {
    limits: &'a Limits<'a>,
    outer: Rect,
    /// Square of the greatest change of velocity (metres per second).
    change2: f32,
    /// Greatest turn (radians), and its cosine.
    turn: f32,
    cos: f32,
}

/// Somebody at the look before.
#[derive(Clone, Copy)]
struct Before {
    place: Vec2,
    velocity: Vec2,
    heading: Vec2,
}

/// What is known of somebody, side by side in memory.
#[derive(Debug, Default)]
#[repr(align(32))]
struct Entry {
    place: AtomicU64,
    velocity: AtomicU64,
    heading: AtomicU64,
    /// The look at which it was there last; 0 is never.
    seen: AtomicU32,
}

/// What is known of everybody from the step before.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// By number.
    entries: Vec<Entry>,
    /// Number of the look at hand.
    look: u32,
    /// How many there were, appeared and had gone at the last look.
    people: u64,
    spawned: u64,
    removed: u64,
    /// Numbers below this have been given.
    known: u32,
}

impl Ledger {
    /// Takes a crowd as it is, after edits: who was put aside stands still, who is new is known.
    pub(super) fn take(&mut self, bodies: &Bodies<'_>) -> Result<(), Violation> {
        self.open(bodies)?;
        let tally = self.look_at(bodies, |_, _, _| Ok(Tally::NONE))?;
        self.close(bodies, &tally)
    }

    /// Checks a crowd after a step.
    pub(super) fn check(
        &mut self,
        bodies: &Bodies<'_>,
        limits: &Limits<'_>,
    ) -> Result<Worst, Violation> {
        self.open(bodies)?;
        let change = limits.acceleration * LIMIT_SLACK + SMALL;
        let turn = limits.turn_rate * limits.dt * LIMIT_SLACK + SMALL;
        let bounds = Bounds {
            limits,
            outer: limits.bounds.grown(SMALL),
            change2: (change * limits.dt) * (change * limits.dt),
            turn,
            cos: turn.min(std::f32::consts::PI).cos(),
        };
        let tally =
            self.look_at(bodies, |i, before, tally| bounds.check(bodies, i, before, tally))?;
        self.close(bodies, &tally)?;
        Ok(Worst {
            speed: tally.speed2.sqrt(),
            acceleration: tally.change2.sqrt() / (limits.acceleration * limits.dt),
            turn: tally.cos.clamp(-1.0, 1.0).acos() / (limits.turn_rate * limits.dt),
            clearance: tally.clearance,
        })
    }

    /// Makes room for the numbers that were given since the last look.
    fn open(&mut self, bodies: &Bodies<'_>) -> Result<(), Violation> {
        let given = u64::from(self.known) + bodies.spawned.saturating_sub(self.spawned);
        let highest = bodies.ids.iter().copied().max().unwrap_or(0);
        if u64::from(highest) >= given && !bodies.ids.is_empty() {
            return Err(Violation::of(highest, format!("has a number beyond the {given} given")));
        }
        let room = given as usize;
        if self.entries.len() < room {
            self.entries.resize_with(room, Entry::default);
        }
        self.look += 1;
        Ok(())
    }

    /// Looks at everybody, with what was known before where there is something.
    fn look_at(
        &self,
        bodies: &Bodies<'_>,
        check: impl Fn(usize, Option<Before>, Tally) -> Result<Tally, Violation> + Sync,
    ) -> Result<Tally, Violation> {
        let chunks = bodies.ids.par_chunks(CHUNK).enumerate();
        let looked = chunks.map(|(chunk, ids)| {
            let mut tally = Tally::NONE;
            for (k, &id) in ids.iter().enumerate() {
                let i = chunk * CHUNK + k;
                let entry = &self.entries[id as usize];
                let last = entry.seen.swap(self.look, Relaxed);
                let was_there = last + 1 == self.look && last > 0;
                if last == self.look {
                    return Err(Violation::of(id, "is there twice"));
                }
                if !was_there && id < self.known {
                    return Err(Violation::of(id, "came back after it was gone"));
                }
                let before = was_there.then(|| Before {
                    place: unpack(&entry.place),
                    velocity: unpack(&entry.velocity),
                    heading: unpack(&entry.heading),
                });
                let seen = check(i, before, tally)?;
                tally = Tally {
                    kept: tally.kept + u64::from(was_there),
                    new: tally.new + u64::from(!was_there),
                    ..seen
                };
                pack(bodies.place(i), &entry.place);
                pack(bodies.velocity(i), &entry.velocity);
                pack(bodies.heading(i), &entry.heading);
            }
            Ok(tally)
        });
        // The first in the order of the slices is told, whoever found it.
        looked.reduce(|| Ok(Tally::NONE), |a, b| Ok(a?.and(b?)))
    }

    /// Closes the account: who is there, who came and who went must add up.
    fn close(&mut self, bodies: &Bodies<'_>, tally: &Tally) -> Result<(), Violation> {
        let came = bodies.spawned.saturating_sub(self.spawned);
        let went = bodies.removed.saturating_sub(self.removed);
        let gone = self.people - tally.kept;
        // Somebody may have appeared and left again between two looks.
        if tally.new > came || gone > went || came - tally.new != went - gone {
            let lost =
                self.entries.iter().position(|entry| entry.seen.load(Relaxed) + 1 == self.look);
            let lost = lost.filter(|_| gone > went && self.look > 1);
            return Err(Violation {
                agent: lost.map(|id| id as u32),
                what: format!(
                    "{}: {} were there, {came} came and {went} went, but {} are there ({} of them \
                     new)",
                    if lost.is_some() { "may be the one that is lost" } else { "agents lost" },
                    self.people,
                    bodies.ids.len(),
                    tally.new
                ),
            });
        }
        self.people = bodies.ids.len() as u64;
        self.known += came as u32;
        (self.spawned, self.removed) = (bodies.spawned, bodies.removed);
        Ok(())
    }
}

#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "what is not a number holds no limit")]
impl Bounds<'_> {
    /// Holds one body to the limits.
    #[inline(always)]
    fn check(
        &self,
        bodies: &Bodies<'_>,
        i: usize,
        before: Option<Before>,
        tally: Tally,
    ) -> Result<Tally, Violation> {
        let limits = self.limits;
        let id = bodies.ids[i];
        let (p, v, h) = (bodies.place(i), bodies.velocity(i), bodies.heading(i));
        if !(p.is_finite() && v.is_finite() && h.is_finite()) {
            return Err(Violation::of(id, format!("is at {p} with velocity {v}, heading {h}")));
        }
        let length2 = h.length_squared();
        if !((1.0 - SMALL) * (1.0 - SMALL)..(1.0 + SMALL) * (1.0 + SMALL)).contains(&length2) {
            return Err(Violation::of(id, format!("has a heading of length {}", length2.sqrt())));
        }
        if !self.outer.contains(p) {
            return Err(Violation::of(id, format!("is off the world, at {p}")));
        }
        let clearance = limits.clearance.sample(p, Edge::Clamp);
        if !(clearance >= 0.0) {
            return Err(Violation::of(id, format!("is {} m inside a wall, at {p}", -clearance)));
        }
        let most = bodies.free_speed[i] * limits.fastest;
        let (speed2, most2) = (v.length_squared(), most * most);
        if !(speed2 <= most2 * (SPEED_SLACK * SPEED_SLACK)) {
            let speed = speed2.sqrt();
            return Err(Violation::of(id, format!("walks at {speed} m/s, its maximum is {most}")));
        }
        let mut tally = tally;
        tally.clearance = tally.clearance.min(clearance);
        tally.speed2 = tally.speed2.max(if most2 > 0.0 { speed2 / most2 } else { 0.0 });
        if let Some(before) = before {
            self.check_change(bodies, i, &before, clearance, &mut tally)?;
        }
        Ok(tally)
    }

    /// Holds what changed since the step before to the limits.
    #[inline(always)]
    fn check_change(
        &self,
        bodies: &Bodies<'_>,
        i: usize,
        before: &Before,
        clearance: f32,
        tally: &mut Tally,
    ) -> Result<(), Violation> {
        let limits = self.limits;
        let id = bodies.ids[i];
        let (p, v, h) = (bodies.place(i), bodies.velocity(i), bodies.heading(i));
        let most = bodies.free_speed[i] * limits.fastest;
        let reach = most * limits.dt * SPEED_SLACK + SMALL;
        if !(p.distance_squared(before.place) <= reach * reach) {
            let way = p.distance(before.place);
            return Err(Violation::of(
                id,
                format!("gets {way} m far in a step, its maximum is {} m", most * limits.dt),
            ));
        }
        let change2 = (v - before.velocity).length_squared();
        // A wall, or the edge of the world, may stop somebody at once.
        let margin = (bodies.radius[i] + AT_WALL) * TOUCHES + most * limits.dt;
        if clearance > margin && limits.bounds.grown(-margin).contains(p) {
            if !(change2 <= self.change2) {
                let rate = change2.sqrt() / limits.dt;
                return Err(Violation::of(
                    id,
                    format!(
                        "accelerates by {rate} m/s², the limit is {}: at {}, then {p}, velocity {}, \
                             then {v}, radius {}, wall at {clearance} m",
                        limits.acceleration, before.place, before.velocity, bodies.radius[i]
                    ),
                ));
            }
            tally.change2 = tally.change2.max(change2);
        }
        let cos = before.heading.dot(h);
        // Near the limit the angle itself is asked, as it is less sensitive to rounding.
        if cos < self.cos + 1e-4 && before.heading.angle_to(h).abs() > self.turn {
            let turn = before.heading.angle_to(h).abs() / limits.dt;
            return Err(Violation::of(
                id,
                format!("turns by {turn} rad/s, the limit is {}", limits.turn_rate),
            ));
        }
        tally.cos = tally.cos.min(cos);
        Ok(())
    }
}

fn pack(v: Vec2, into: &AtomicU64) {
    into.store(u64::from(v.x.to_bits()) << 32 | u64::from(v.y.to_bits()), Relaxed);
}

fn unpack(from: &AtomicU64) -> Vec2 {
    let bits = from.load(Relaxed);
    Vec2::new(f32::from_bits((bits >> 32) as u32), f32::from_bits(bits as u32))
}

#[cfg(test)]
mod tests;
