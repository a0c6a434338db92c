//! The stage over all agents, on all cores: neighbours, then the model.

use glam::Vec2;
use rayon::prelude::*;
use throng_world::params::{AvoidParams, Model};

use super::neighbours::{Bodies, Neighbours, Query, Reach};
use super::{froblins, throng};
use crate::agents::{Agents, CHUNK, FREE_WAY, MOVING, Traits};
use crate::bin::Bins;
use crate::lanes::{Isa, Kernel, Lanes, dispatch};
use crate::tables::Tables;
use crate::turns::Turn;
use crate::walls::{AT_WALL, NearestWall, Walls};

/// Beyond this frustration somebody looks all round.
pub(super) const IMPATIENT: f32 = 0.5;

/// Who is farther behind than this is no matter to somebody patient (metres).
pub(super) const CLOSE_BEHIND: f32 = 0.3;

/// A preferred direction that is shorter than this is one of somebody who takes its time.
pub(super) const UNEASY: f32 = 0.99;

/// What the stage reads.
#[derive(Clone, Copy)]
pub(crate) struct AvoidInput<'a> {
    pub(crate) params: &'a AvoidParams,
    pub(crate) tables: &'a Tables,
    /// Largest turn (radians per second), for the model that has it.
    pub(crate) turn_rate: f32,
    pub(crate) bins: Bins<'a>,
    pub(crate) walls: Walls<'a>,
    pub(crate) walled: bool,
    pub(crate) dt: f32,
    /// Who decides now, and the steps between two decisions, usual and brisk.
    pub(crate) turns: &'a [Turn],
    pub(crate) periods: (u32, u32),
    pub(crate) isa: Isa,
}

/// One agent as a model sees it.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) position: Vec2,
    pub(super) walls: Walls<'a>,
    /// Preferred direction (a unit vector) and speed.
    pub(super) goal: Vec2,
    pub(super) pace: f32,
    /// Share of its usual speed at a gap; less than 1 before a stair.
    pub(super) ease: f32,
    /// One over its group's factor on the time gap, and the factor on the standing gap.
    pub(super) keenness: f32,
    pub(super) standing_gap: f32,
    pub(super) velocity: Vec2,
    pub(super) heading: Vec2,
    /// Of its body at a wall.
    pub(super) radius: f32,
    /// How far ahead it looks (metres).
    pub(super) reach: f32,
    /// 0 content, 1 at the end of its patience.
    pub(super) frustration: f32,
    /// How hard it pushes; 1 is usual.
    pub(super) push: f32,
    /// How much of what it does is flight, 0 to 1.
    pub(super) flight: f32,
    pub(super) wall: NearestWall,
}

impl Mover<'_> {
    /// Distance to the nearest wall from somewhere beside it.
    #[inline(always)]
    pub(super) fn clearance(&self, beside: Vec2) -> f32 {
        self.walls.distance(self.position + beside)
    }
}

/// Turns preferred directions and speeds into velocities.
pub(crate) fn avoid(input: &AvoidInput<'_>, agents: &mut Agents, want: &mut [Vec2], pace: &[f32]) {
    let len = agents.len();
    let Agents { x, y, vx, vy, radius, heading_x, heading_y, frustration, fear, traits, .. } =
        agents;
    let bodies = Bodies { x, y, vx, vy, radius, heading_x, heading_y, bins: input.bins };
    let (frustration, fear) = (&*frustration, &*fear);
    let (usual, brisk) = input.periods;
    let intervals = [usual, brisk].map(|period| input.dt * period as f32);
    let model = throng::Model::new(input.params, intervals);
    let chunks = want[..len].par_chunks_mut(CHUNK).zip(traits[..len].par_chunks_mut(CHUNK));
    chunks.enumerate().for_each(|(chunk, (want, traits))| {
        let kernel = Chunk {
            input,
            bodies,
            frustration,
            fear,
            model: &model,
            first: chunk * CHUNK,
            pace,
            want,
            traits,
        };
        dispatch(input.isa, kernel);
    });
}

struct Chunk<'a> {
    input: &'a AvoidInput<'a>,
    bodies: Bodies<'a>,
    frustration: &'a [f32],
    fear: &'a [f32],
    model: &'a throng::Model,
    first: usize,
    pace: &'a [f32],
    /// In: preferred directions. Out: velocities.
    want: &'a mut [Vec2],
    traits: &'a mut [Traits],
}

impl Kernel for Chunk<'_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let mut looking = Looking::new(self.input.params, self.bodies.bins);
        let mut deciding = [0; CHUNK];
        let count = self.sort_out(&mut deciding);
        let deciding = &deciding[..count];
        // The neighbours of the next are gathered before those of the last are looked at: then what was
        // written has arrived, and the processor has two things to do at a time.
        let mut lists = [Neighbours::new(), Neighbours::new()];
        let mut reaches = [looking.reach; 2];
        if let Some(&k) = deciding.first() {
            reaches[0] = self.gather(l, &mut looking, usize::from(k), &mut lists[0]);
        }
        for (n, &k) in deciding.iter().enumerate() {
            let [even, odd] = &mut lists;
            let (list, next) = if n % 2 == 0 { (even, odd) } else { (odd, even) };
            if let Some(&k) = deciding.get(n + 1) {
                reaches[(n + 1) % 2] = self.gather(l, &mut looking, usize::from(k), next);
            }
            self.decide(l, usize::from(k), reaches[n % 2], list);
        }
    }
}

impl Chunk<'_> {
    /// Lists who decides now, and gives how many there are. The others go on as they go, or stand.
    #[inline(always)]
    fn sort_out(&mut self, deciding: &mut [u16; CHUNK]) -> usize {
        let mut count = 0;
        for (k, want) in self.want.iter_mut().enumerate() {
            let i = self.first + k;
            let moving = self.traits[k].has(MOVING);
            let decides = moving & (self.input.turns[i] != Turn::No);
            let going = Vec2::new(self.bodies.vx[i], self.bodies.vy[i]);
            let else_want = if moving { going } else { Vec2::ZERO };
            *want = if decides { *want } else { else_want };
            deciding[count] = k as u16;
            count += usize::from(decides);
        }
        count
    }

    /// Whether somebody at the end of its patience looks all round.
    #[inline(always)]
    fn looks_round(&self, i: usize) -> bool {
        self.input.params.model == Model::Froblins || self.frustration[i] > IMPATIENT
    }

    /// The neighbours of an agent, as far as it looks.
    #[inline(always)]
    fn gather<L: Lanes>(
        &self,
        l: L,
        looking: &mut Looking<'_>,
        k: usize,
        list: &mut Neighbours,
    ) -> Reach {
        let i = self.first + k;
        let reach = looking.at(Vec2::new(self.bodies.x[i], self.bodies.y[i]));
        let ahead = eased(self.want[k]).0.into();
        let behind = if self.looks_round(i) { 1e6 } else { CLOSE_BEHIND };
        list.gather(l, &self.bodies, Query { agent: i, ahead, reach, behind });
        reach
    }

    /// Turns what an agent wants into its velocity.
    #[inline(always)]
    fn decide<L: Lanes>(&mut self, l: L, k: usize, reach: Reach, list: &mut Neighbours) {
        let (params, i) = (self.input.params, self.first + k);
        let wall = if self.input.walled {
            self.input.walls.nearest(Vec2::new(self.bodies.x[i], self.bodies.y[i]))
        } else {
            NearestWall { distance: f32::MAX, away: Vec2::ZERO }
        };
        let frustration = self.frustration[i];
        let (goal, ease) = eased(self.want[k]);
        let group = &self.input.tables.groups[usize::from(self.traits[k].group)];
        let mover = Mover {
            position: Vec2::new(self.bodies.x[i], self.bodies.y[i]),
            walls: self.input.walls,
            goal,
            pace: self.pace[i],
            ease,
            keenness: group.keenness,
            standing_gap: group.standing_gap,
            velocity: Vec2::new(self.bodies.vx[i], self.bodies.vy[i]),
            heading: Vec2::new(self.bodies.heading_x[i], self.bodies.heading_y[i]),
            reach: reach.ahead,
            radius: AT_WALL + self.bodies.radius[i],
            frustration,
            push: self.input.tables.push(self.traits[k], frustration),
            flight: self.input.tables.fright(self.fear[i]),
            wall,
        };
        list.measure(l);
        let (velocity, free) = if params.model == Model::Froblins {
            let turn = self.input.turn_rate * self.input.dt;
            froblins::velocity(l, params, turn, self.input.dt, &mover, list)
        } else {
            let brisk = self.input.turns[i] == Turn::Brisk;
            self.model.velocity(l, params, usize::from(brisk), &mover, list)
        };
        self.want[k] = velocity;
        self.traits[k].set(FREE_WAY, free);
    }
}

/// A preferred direction as the navigate stage gives it: a unit vector, or shorter where people take their time.
#[inline(always)]
fn eased(want: Vec2) -> (Vec2, f32) {
    let ease = want.length();
    if ease < UNEASY { (want * (1.0 / ease), ease) } else { (want, 1.0) }
}

/// How far to look, by the density around; the same for all agents of a bin.
struct Looking<'a> {
    bins: Bins<'a>,
    bin: (usize, usize),
    reach: Reach,
    least: f32,
    most: f32,
    per_most: f32,
    /// Length times half width of a half ellipse with as many people as wanted, at one per bin.
    area: f32,
}

impl<'a> Looking<'a> {
    fn new(params: &AvoidParams, bins: Bins<'a>) -> Self {
        let area = bins.frame.size * bins.frame.size;
        Self {
            bins,
            bin: (usize::MAX, usize::MAX),
            reach: Reach { ahead: params.reach, aside: params.reach },
            per_most: 1.0 / params.reach,
            least: params.least_reach.min(params.reach),
            most: params.reach,
            area: params.neighbours * area * 2.0 / std::f32::consts::PI,
        }
    }

    #[inline(always)]
    fn at(&mut self, p: Vec2) -> Reach {
        let bin = (self.bins.frame.column(p.x), self.bins.frame.row(p.y));
        if bin != self.bin {
            self.bin = bin;
            let (agents, room) = self.bins.count_around(bin.0, bin.1);
            let area = self.area * room / (agents as f32).max(1.0);
            // First narrower, then shorter: who comes towards one has to be seen in time.
            let aside = (area * self.per_most).clamp(self.least, self.most);
            let ahead = (area / aside).clamp(self.least, self.most);
            self.reach = Reach { ahead, aside };
        }
        self.reach
    }
}
