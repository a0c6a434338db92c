//! The stage over all agents, on all cores.

use glam::Vec2;
use rayon::prelude::*;
use throng_field::Grid;
use throng_world::params::BehaveParams;
use throng_world::world::{Condition, Seek};

use super::draw;
use crate::agents::{
    ARRIVED, Agents, CHUNK, DEAD, FREE_WAY, MOVING, NONE, STUCK, TARGETED, Traits, WAITING,
};
use crate::bin::Bins;
use crate::navigate::{Sites, deepest, depth};
use crate::random::{self, Purpose};
use crate::tables::{RuleRow, Tables};

/// A private target counts as reached from this far (metres), and from one radius at least.
pub(super) const AT_TARGET: f32 = 0.5;

/// Share of people who are not content with the edge of an area.
pub(super) const INSIDERS: f32 = 0.3;

/// People counted in one row of bins: a rule that asks for thousands has its answer long before.
pub(super) const MOST_COUNTED: usize = 512;

/// Room for what happens to the agents of a chunk in a step; seldom more does, and then the room grows.
const USUAL_NOTES: usize = 64;

/// What the stage reads.
#[derive(Clone, Copy)]
pub(crate) struct BehaveInput<'a> {
    pub(crate) params: &'a BehaveParams,
    pub(crate) tables: &'a Tables,
    pub(crate) sites: &'a Sites,
    /// People busy at each site.
    pub(crate) busy: &'a [u32],
    /// Dose of poison per second.
    pub(crate) dose: Option<&'a Grid<f32>>,
    /// What everybody did when the step began, where any rule goes by it.
    pub(crate) doing: &'a [u8],
    pub(crate) bins: Bins<'a>,
    pub(crate) seed: u64,
    pub(crate) time: f64,
    pub(crate) dt: f32,
}

/// Something that happened to the agent at an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Note {
    /// Reached its goal or target.
    Arrived { agent: u32 },
    /// Reached an exit and is gone.
    Left { agent: u32 },
    /// Does something else.
    Changed { agent: u32, from: u8 },
    /// No longer busy at a site.
    Freed { site: u32 },
    /// Would like to be busy at a site with a capacity.
    Asks { agent: u32, site: u32, to: u8 },
    /// Has got nowhere for long, though the way is free.
    Stuck { agent: u32 },
    /// Can no more.
    Fell { agent: u32 },
}

/// What an agent's own turn reads and changes.
struct Turn<'a> {
    input: &'a BehaveInput<'a>,
    index: usize,
    id: u32,
    position: Vec2,
    target: Vec2,
    radius: f32,
    fear: f32,
    frustration: f32,
    speed2: f32,
    traits: &'a mut Traits,
    left: &'a mut f32,
    clip: &'a mut f32,
    tired: &'a mut f32,
    slow: &'a mut f32,
    site: &'a mut u32,
    /// Whether it can no more.
    down: bool,
    notes: &'a mut Vec<Note>,
}

/// Where an agent is with respect to what it seeks.
#[derive(Clone, Copy)]
struct Near {
    distance: f32,
    arrived: bool,
    site: Option<u32>,
    limited: bool,
    full: bool,
}

/// Lets everybody act. `notes` has one list for each chunk of agents, which is cleared first.
pub(crate) fn behave(input: &BehaveInput<'_>, agents: &mut Agents, notes: &mut Vec<Vec<Note>>) {
    let len = agents.len();
    notes.resize_with(len.div_ceil(CHUNK), || Vec::with_capacity(USUAL_NOTES));
    let Agents {
        x,
        y,
        vx,
        vy,
        radius,
        id,
        target_x,
        target_y,
        fear,
        frustration,
        traits,
        left,
        clip,
        tired,
        slow,
        site,
        dose,
        extended,
        ..
    } = agents;
    let (x, y) = (&*x, &*y);
    let radius = &*radius;
    let chunks = traits[..len]
        .par_chunks_mut(CHUNK)
        .zip(left[..len].par_chunks_mut(CHUNK).zip(clip[..len].par_chunks_mut(CHUNK)))
        .zip(tired[..len].par_chunks_mut(CHUNK).zip(slow[..len].par_chunks_mut(CHUNK)))
        .zip(site[..len].par_chunks_mut(CHUNK))
        .zip(notes.par_iter_mut());
    chunks.enumerate().for_each(
        |(chunk, ((((traits, (left, clip)), (tired, slow)), site), notes))| {
            notes.clear();
            for k in 0..traits.len() {
                let i = chunk * CHUNK + k;
                Turn {
                    input,
                    index: i,
                    id: id[i],
                    position: Vec2::new(x[i], y[i]),
                    target: Vec2::new(target_x[i], target_y[i]),
                    radius: radius[i],
                    fear: fear[i],
                    frustration: frustration[i],
                    speed2: vx[i] * vx[i] + vy[i] * vy[i],
                    traits: &mut traits[k],
                    left: &mut left[k],
                    clip: &mut clip[k],
                    tired: &mut tired[k],
                    slow: &mut slow[k],
                    site: &mut site[k],
                    down: *extended && dose[i] >= 1.0,
                    notes,
                }
                .take(x, y);
            }
        },
    );
    if let Some(rates) = input.dose {
        breathe(input, rates, agents, notes);
    }
}

/// Adds to everybody's dose of poison what the air of its cell has of it.
fn breathe(
    input: &BehaveInput<'_>,
    rates: &Grid<f32>,
    agents: &mut Agents,
    notes: &mut [Vec<Note>],
) {
    let len = agents.len();
    let Agents { x, y, dose, .. } = agents;
    let chunks = dose[..len].par_chunks_mut(CHUNK).zip(notes.par_iter_mut());
    chunks.enumerate().for_each(|(chunk, (doses, notes))| {
        for (k, dose) in doses.iter_mut().enumerate() {
            let i = chunk * CHUNK + k;
            let cell = rates.cell_of(Vec2::new(x[i], y[i]));
            let rate = cell.map_or(0.0, |cell| rates[cell]);
            let before = *dose;
            *dose += rate * input.dt;
            if before < 1.0 && *dose >= 1.0 {
                notes.push(Note::Fell { agent: i as u32 });
            }
        }
    });
}

impl Turn<'_> {
    #[inline(always)]
    fn take(mut self, x: &[f32], y: &[f32]) {
        let dt = self.input.dt;
        *self.left -= dt;
        *self.clip += dt;
        self.notice_stuck();
        if self.down {
            return;
        }
        if self.traits.has(WAITING) {
            if *self.left <= 0.0 {
                self.traits.set(WAITING, false);
                *self.clip = 0.0;
                *self.left = self.duration(self.traits.action);
            } else {
                return;
            }
        }
        let action = &self.input.tables.actions[usize::from(self.traits.action)];
        *self.tired = (*self.tired + action.tires * dt).clamp(0.0, 1.0);
        let (first, last) = action.rules;
        if first == last && !action.exits && !matches!(action.seek, Seek::Target) {
            return;
        }
        let near = self.near(action.seek, first < last);
        if action.exits && near.arrived {
            self.traits.set(DEAD, true);
            self.free_site();
            self.notes.push(Note::Left { agent: self.index as u32 });
            return;
        }
        if action.seek == Seek::Target && near.arrived && !self.traits.has(ARRIVED) {
            self.traits.set(ARRIVED, true);
            self.notes.push(Note::Arrived { agent: self.index as u32 });
        }
        let around = if action.counts { self.count_around(x, y) } else { 0 };
        let rules = &self.input.tables.rules[first as usize..last as usize];
        for (k, rule) in rules.iter().enumerate() {
            if self.applies(rule, near, around) && self.chooses(&rules[k..], x, y) {
                self.follow(rule, near);
                return;
            }
        }
    }

    /// Where it is; `ruled` says whether rules may ask for the distance.
    #[inline(always)]
    fn near(&self, seek: Seek, ruled: bool) -> Near {
        let far = Near {
            distance: f32::INFINITY,
            arrived: false,
            site: None,
            limited: false,
            full: false,
        };
        match seek {
            Seek::Nothing | Seek::Away => far,
            Seek::Target => {
                let reached = AT_TARGET.max(self.radius);
                let distance2 = self.position.distance_squared(self.target);
                // Most are far off, and nothing is asked of how far.
                if !self.traits.has(TARGETED) || (!ruled && distance2 > 1.01 * reached * reached) {
                    return far;
                }
                let distance = self.position.distance(self.target);
                Near { distance, arrived: distance <= reached, ..far }
            }
            Seek::Goal(goal) => {
                let Some((site, place)) = self.input.sites.near(goal, self.position) else {
                    return far;
                };
                let distance = place.shape.distance(self.position);
                let content =
                    random::unit(self.input.seed, self.id, u64::from(goal), Purpose::Contentment);
                let full = place.capacity.is_some_and(|c| self.input.busy[site as usize] >= c);
                // Some are content at the fuzzy edge, some only further in; nobody insists for long.
                let inside = depth(&place.shape, self.position);
                let arrived = if inside > 0.0 {
                    let wanted = (1.0 - content) * deepest(&place.shape) - AT_TARGET;
                    inside >= wanted * (1.0 - self.frustration)
                } else {
                    let outside = deepest(&place.shape) <= 0.0 || content > INSIDERS;
                    outside && distance <= place.fuzz * content + self.radius
                };
                Near {
                    distance,
                    arrived,
                    site: Some(site),
                    limited: place.capacity.is_some(),
                    full,
                }
            }
        }
    }

    #[inline(always)]
    fn applies(&self, rule: &RuleRow, near: Near, around: u32) -> bool {
        let w: &Condition = &rule.when;
        let finished = *self.left <= 0.0;
        let holds = rule.groups & (1 << (self.traits.group % 64)) != 0
            && w.arrived.is_none_or(|v| v == near.arrived)
            && w.finished.is_none_or(|v| v == finished)
            && w.full.is_none_or(|v| v == near.full)
            && w.distance_below.is_none_or(|v| near.distance < v)
            && w.neighbours_at_least.is_none_or(|v| around >= v)
            && w.neighbours_at_most.is_none_or(|v| around <= v)
            && w.fear_at_least.is_none_or(|v| self.fear >= v)
            && w.fear_at_most.is_none_or(|v| self.fear <= v)
            && w.tired_at_least.is_none_or(|v| *self.tired >= v)
            && w.tired_at_most.is_none_or(|v| *self.tired <= v)
            && w.after.is_none_or(|v| *self.clip >= v);
        let always = rule.chance >= 1.0 || rule.influence > 0.0;
        holds && (always || self.chance(rule, finished) < rule.chance)
    }

    /// Whether the first of some rules is the choice, where that depends on what others do: of this choice
    /// and those after it, each takes its part.
    fn chooses(&self, rules: &[RuleRow], x: &[f32], y: &[f32]) -> bool {
        let rule = &rules[0];
        if rule.influence <= 0.0 {
            return true;
        }
        let mine = |r: &&RuleRow| r.groups & (1 << (self.traits.group % 64)) != 0;
        let choices = rules.iter().filter(mine).filter(|r| r.influence > 0.0);
        let weight = |r: &RuleRow| r.share * (1.0 + r.influence * self.count_at(r.to, x, y) as f32);
        let all: f32 = choices.map(weight).sum();
        let chance = weight(rule) / all;
        chance >= 1.0 || self.chance(rule, *self.left <= 0.0) < chance
    }

    /// How many in sight are at an action.
    fn count_at(&self, action: u8, x: &[f32], y: &[f32]) -> u32 {
        let (p, reach) = (self.position, self.input.params.influence_radius);
        let (bins, doing) = (self.input.bins, self.input.doing);
        let (first, last) = (bins.frame.column(p.x - reach), bins.frame.column(p.x + reach));
        let mut count = 0;
        for row in bins.frame.row(p.y - reach)..=bins.frame.row(p.y + reach) {
            let (start, end) = bins.range(row, first, last);
            for j in start..end {
                let d = Vec2::new(x[j], y[j]) - p;
                let there = doing[j] == action && j != self.index;
                count += u32::from(there && d.length_squared() <= reach * reach);
            }
        }
        count
    }

    /// Once when an action ends, else once a second.
    fn chance(&self, rule: &RuleRow, finished: bool) -> f32 {
        let moment = random::moment(self.input.time);
        let when = if finished { moment } else { moment | 1 << 63 };
        let salt = u64::from(rule.to) << 48;
        random::unit(self.input.seed, self.id, when ^ salt, Purpose::Chance)
    }

    fn follow(&mut self, rule: &RuleRow, near: Near) {
        let to = if rule.resume { self.traits.interrupted } else { rule.to };
        let from = self.traits.action;
        let next = &self.input.tables.actions[usize::from(to)];
        let agent = self.index as u32;
        if near.arrived && next.seek == Seek::Nothing && near.limited {
            if let Some(site) = near.site {
                self.notes.push(Note::Asks { agent, site, to });
            }
            return;
        }
        if near.arrived && !matches!(next.seek, Seek::Away) && near.site.is_some() {
            self.notes.push(Note::Arrived { agent });
        }
        self.free_site();
        if next.seek == Seek::Away {
            self.traits.interrupted = from;
        }
        self.traits.action = to;
        *self.clip = 0.0;
        *self.left = self.duration(to);
        self.notes.push(Note::Changed { agent, from });
    }

    fn duration(&self, action: u8) -> f32 {
        let seconds = &self.input.tables.actions[usize::from(action)].seconds;
        seconds.as_ref().map_or(f32::INFINITY, |seconds| {
            let input = self.input;
            let when = random::moment(input.time);
            draw(seconds, random::bits(input.seed, self.id, when, Purpose::Duration))
        })
    }

    fn free_site(&mut self) {
        if *self.site != NONE {
            self.notes.push(Note::Freed { site: *self.site });
            *self.site = NONE;
        }
    }

    fn notice_stuck(&mut self) {
        let params = self.input.params;
        let slow = self.speed2 < params.stuck_speed * params.stuck_speed;
        let stuck = slow && self.traits.has(MOVING) && self.traits.has(FREE_WAY);
        *self.slow = if stuck { *self.slow + self.input.dt } else { 0.0 };
        let now = *self.slow > params.stuck_seconds;
        if now && !self.traits.has(STUCK) {
            self.notes.push(Note::Stuck { agent: self.index as u32 });
        }
        self.traits.set(STUCK, now);
    }

    fn count_around(&self, x: &[f32], y: &[f32]) -> u32 {
        let (p, reach) = (self.position, self.input.params.crowd_radius);
        let bins = self.input.bins;
        let (first, last) = (bins.frame.column(p.x - reach), bins.frame.column(p.x + reach));
        let mut count = 0;
        for row in bins.frame.row(p.y - reach)..=bins.frame.row(p.y + reach) {
            let (start, end) = bins.range(row, first, last);
            for j in start..end.min(start + MOST_COUNTED) {
                let d = Vec2::new(x[j], y[j]) - p;
                count += u32::from(d.length_squared() <= reach * reach);
            }
        }
        count.saturating_sub(1)
    }
}
