//! Doors that let only so many through, and lifts: after everybody has moved, those are put back whom a
//! door holds, and those are carried off whose lift leaves.
//!
//! Time is counted in ticks ([`crate::movement::TICKS`] a second) so that both backends agree to the bit.
//! The clocks stand behind the counts of busy people (`Crowd::busy`): one for each leaf of a door, two for
//! each lift.

use glam::Vec2;
use throng_world::World;
use throng_world::world::{Lift, Shape};

use super::TICKS;
use crate::agents::{Agents, DEAD, NONE, WAITING};
use crate::bin::Bins;
use crate::navigate::depth;

/// Wide doors are this many metres a leaf at most: each lets one through in a step.
const LEAF: f32 = 4.0;
/// Bodies this far from a leaf or a cabin are looked at (metres): farther than anybody goes in a step.
pub(crate) const NEAR_PASSAGE: f32 = 1.0;
/// Share of the way to the door that is left to those it holds.
pub(crate) const JUST_BEFORE: f32 = 0.9;
/// Nearer to a door than this one is held where one is: rounding must not carry anybody over it (metres).
pub(crate) const AT_DOOR: f32 = 1e-3;
/// Clocks of a lift: when it is back, and since when somebody is in.
pub(crate) const LIFT_CLOCKS: usize = 2;

/// Part of a door with its own clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) ends: [Vec2; 2],
    /// Ticks between two who pass.
    pub(crate) interval: u32,
}

/// All doors and lifts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passages {
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) lifts: Vec<Lift>,
}

impl Passages {
    pub(crate) fn new(world: &World) -> Self {
        let mut leaves = Vec::new();
        for door in &world.doors {
            let [a, b] = door.ends;
            let parts = (a.distance(b) / LEAF).ceil().max(1.0);
            let interval = TICKS / (door.flow * a.distance(b) / parts);
            for k in 0..parts as usize {
                let end = |k: usize| a.lerp(b, k as f32 / parts);
                let interval = interval.clamp(1.0, 1e9).round() as u32;
                leaves.push(Leaf { ends: [end(k), end(k + 1)], interval });
            }
        }
        Self { leaves, lifts: world.lifts.clone() }
    }

    /// How many clocks there are.
    pub(crate) fn clocks(&self) -> usize {
        self.leaves.len() + LIFT_CLOCKS * self.lifts.len()
    }

    /// The clocks at the start.
    pub(crate) fn fresh(&self) -> impl Iterator<Item = u32> + use<'_> {
        let lifts = self.lifts.iter().flat_map(|_| [0, NONE]);
        std::iter::repeat_n(0, self.leaves.len()).chain(lifts)
    }
}

/// What the pass reads.
#[derive(Clone, Copy)]
pub(crate) struct PassageInput<'a> {
    pub(crate) passages: &'a Passages,
    /// As everybody was binned when the step began.
    pub(crate) bins: Bins<'a>,
    pub(crate) now: u32,
    pub(crate) dt: f32,
}

/// Whether one tick is not after another, on a clock that goes round.
fn is_due(tick: u32, now: u32) -> bool {
    now.wrapping_sub(tick) < 1 << 31
}

/// The tick from which the next may pass, when somebody passes now. What was lost between two steps is made
/// good, so that as many pass as may; more is not.
fn next_turn(due: u32, now: u32, interval: u32, step: u32) -> u32 {
    if now.wrapping_sub(due) < step { due } else { now }.wrapping_add(interval)
}

/// Holds whom doors hold and carries whom lifts carry. `before` has everybody's place when the step began.
pub(crate) fn pass(
    input: &PassageInput<'_>,
    agents: &mut Agents,
    before: impl Fn(usize) -> Vec2,
    clocks: &mut [u32],
) {
    let step = (input.dt * TICKS).ceil() as u32;
    let (leaves, lifts) = clocks.split_at_mut(input.passages.leaves.len());
    for (leaf, clock) in input.passages.leaves.iter().zip(leaves) {
        let [a, b] = leaf.ends;
        let crosses = |i: usize, agents: &Agents| {
            !agents.traits[i].has(DEAD) && crossed(before(i), agents.position(i), a, b)
        };
        let mut first = NONE;
        each_near(input.bins, a.min(b), a.max(b), |i| {
            if crosses(i, agents) {
                first = first.min(agents.id[i]);
            }
        });
        let passes = if first != NONE && is_due(*clock, input.now) {
            *clock = next_turn(*clock, input.now, leaf.interval, step);
            first
        } else {
            NONE
        };
        each_near(input.bins, a.min(b), a.max(b), |i| {
            if agents.id[i] != passes && crosses(i, agents) {
                let p = held(before(i), agents.position(i), a, b);
                (agents.x[i], agents.y[i]) = (p.x, p.y);
                (agents.vx[i], agents.vy[i]) = (0.0, 0.0);
            }
        });
    }
    for (lift, clocks) in input.passages.lifts.iter().zip(lifts.as_chunks_mut().0) {
        run_lift(input, lift, agents, clocks);
    }
}

fn run_lift(
    input: &PassageInput<'_>,
    lift: &Lift,
    agents: &mut Agents,
    [back, since]: &mut [u32; LIFT_CLOCKS],
) {
    if !is_due(*back, input.now) {
        return;
    }
    let inside = |i: usize, agents: &Agents| {
        let idle = agents.traits[i].has(DEAD) || agents.traits[i].has(WAITING);
        !idle && !agents.is_down(i) && is_inside(&lift.cabins[0], agents.position(i))
    };
    let bounds = lift.cabins[0].bounds();
    // Of those who stand in it, as many go as fit in, the lowest numbers first.
    let (mut aboard, mut last) = (0, NONE);
    loop {
        let (mut count, mut next) = (0, NONE);
        each_near(input.bins, bounds.min, bounds.max, |i| {
            let later = last == NONE || agents.id[i] > last;
            if later && inside(i, agents) {
                count += 1;
                next = next.min(agents.id[i]);
            }
        });
        if count == 0 || aboard == lift.capacity {
            break;
        }
        (aboard, last) = (aboard + 1, next);
    }
    if aboard == 0 {
        *since = NONE;
        return;
    }
    if *since == NONE {
        *since = input.now;
    }
    let waited = input.now.wrapping_sub(*since) >= (lift.dwell * TICKS) as u32;
    if aboard < lift.capacity && !waited {
        return;
    }
    let way = lift.way();
    each_near(input.bins, bounds.min, bounds.max, |i| {
        if agents.id[i] <= last && inside(i, agents) {
            agents.x[i] += way.x;
            agents.y[i] += way.y;
            (agents.vx[i], agents.vy[i]) = (0.0, 0.0);
            agents.traits[i].set(WAITING, true);
            agents.left[i] = lift.seconds;
        }
    });
    *back = input.now.wrapping_add((2.0 * lift.seconds * TICKS) as u32);
    *since = NONE;
}

/// Whether a point lies in a cabin.
fn is_inside(cabin: &Shape, p: Vec2) -> bool {
    depth(cabin, p) > 0.0
}

/// Where a door stops somebody who would step over it: just before.
fn held(p: Vec2, q: Vec2, a: Vec2, b: Vec2) -> Vec2 {
    let (before, after) = (side(p, a, b), side(q, a, b));
    if before.abs() < AT_DOOR * (b - a).length() {
        return p;
    }
    p + (q - p) * (JUST_BEFORE * (before / (before - after)))
}

/// Which side of a line a point is on, by sign.
fn side(r: Vec2, a: Vec2, b: Vec2) -> f32 {
    (b.x - a.x) * (r.y - a.y) - (b.y - a.y) * (r.x - a.x)
}

/// Whether a step from one place to another leads over a line.
fn crossed(p: Vec2, q: Vec2, a: Vec2, b: Vec2) -> bool {
    let (before, after) = (side(p, a, b), side(q, a, b));
    if (before < 0.0) == (after < 0.0) {
        return false;
    }
    let along = |r: Vec2| (r.x - a.x) * (b.x - a.x) + (r.y - a.y) * (b.y - a.y);
    let share = before / (before - after);
    let at = along(p) + (along(q) - along(p)) * share;
    at >= 0.0 && at < along(b)
}

/// Calls for everybody who may be near a box.
fn each_near(bins: Bins<'_>, low: Vec2, high: Vec2, mut f: impl FnMut(usize)) {
    let (low, high) = (low - NEAR_PASSAGE, high + NEAR_PASSAGE);
    let (first, last) = (bins.frame.column(low.x), bins.frame.column(high.x));
    for row in bins.frame.row(low.y)..=bins.frame.row(high.y) {
        let (start, end) = bins.range(row, first, last);
        (start..end).for_each(&mut f);
    }
}
