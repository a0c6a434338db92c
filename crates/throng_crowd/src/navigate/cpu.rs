//! Preferred velocities of all agents, on all cores.

use glam::Vec2;
use rayon::prelude::*;
use throng_field::Grid;
use throng_world::world::Seek;

use super::brink::way_at;
use super::flow::Flow;
use super::narrow::along_passage;
use super::{Fields, PlacedHazard, Sites, TargetFields};
use crate::agents::{Agents, CHUNK, FREE_WAY, HIDDEN, MOVING, NONE, TARGETED, Traits, WAITING};
use crate::party::{NARROW, Parties, stamp};
use crate::tables::Tables;
use crate::turns::Turn;
use crate::walls::{AT_WALL, Walls};

/// A hidden target is looked for again at every so many decisions, agents taking turns.
pub(super) const LOOK_AGAIN: u64 = 3;
/// Nearer than this to a goal one walks straight to it (cells).
pub(super) const CLOSE_BY: f32 = 1.5;
/// To see a goal, this share of the way has to be clear, by this margin (metres).
pub(super) const NEARLY: f32 = 0.98;
pub(super) const HAIR: f32 = 0.02;
/// Nearer than this to a wall, one who flees goes along it (metres).
pub(super) const WALL_NEAR: f32 = 1.5;

/// So far ahead one looks at the steps of a stair (metres).
pub(super) const FOOT: f32 = 0.5;

/// What the stage reads.
#[derive(Clone, Copy)]
pub(crate) struct NavigateInput<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) fields: &'a Fields,
    pub(crate) targets: &'a TargetFields,
    pub(crate) sites: &'a Sites,
    pub(crate) terrain: &'a Grid<f32>,
    pub(crate) ground_speed: Option<&'a Grid<f32>>,
    pub(crate) stairs: Option<&'a Grid<Vec2>>,
    pub(crate) parties: &'a Parties,
    pub(crate) walls: Walls<'a>,
    /// Whether there is any wall at all.
    pub(crate) walled: bool,
    pub(crate) hazards: &'a [PlacedHazard],
    /// Navigation cells from which a hazard can be near enough to fear.
    pub(crate) danger: &'a [bool],
    /// Who decides now, and the shortest time between two decisions (steps).
    pub(crate) turns: &'a [Turn],
    pub(crate) brisk_period: u32,
    pub(crate) step: u64,
}

/// Writes preferred directions and speeds, fear and the flags about them, of those whose turn it is. A direction
/// is a unit vector, or shorter where people take their time: before a stair.
pub(crate) fn navigate(
    input: &NavigateInput<'_>,
    agents: &mut Agents,
    way: &mut [Vec2],
    pace: &mut [f32],
) {
    let len = agents.len();
    let Agents { x, y, speed, radius, tired, id, target_x, target_y, fear, traits, .. } = agents;
    let (extended, dose, party) = (agents.extended, &agents.dose, &agents.party);
    let chunks = way[..len]
        .par_chunks_mut(CHUNK)
        .zip(pace[..len].par_chunks_mut(CHUNK))
        .zip(fear[..len].par_chunks_mut(CHUNK))
        .zip(traits[..len].par_chunks_mut(CHUNK));
    chunks.enumerate().for_each(|(chunk, (((way, pace), fear), traits))| {
        for (k, i) in (chunk * CHUNK..chunk * CHUNK + way.len()).enumerate() {
            if input.turns[i] == Turn::No {
                continue;
            }
            let agent = Walker {
                position: Vec2::new(x[i], y[i]),
                id: id[i],
                speed: speed[i],
                radius: radius[i],
                tired: tired[i],
                target: Vec2::new(target_x[i], target_y[i]),
                down: extended && dose[i] >= 1.0,
                party: if extended { party[i] } else { NONE },
            };
            (way[k], pace[k], fear[k]) = agent.prefers(input, &mut traits[k]);
        }
    });
}

struct Walker {
    position: Vec2,
    id: u32,
    speed: f32,
    radius: f32,
    tired: f32,
    target: Vec2,
    /// Whether it can no more.
    down: bool,
    party: u32,
}

impl Walker {
    #[inline(always)]
    fn prefers(&self, input: &NavigateInput<'_>, traits: &mut Traits) -> (Vec2, f32, f32) {
        let action = &input.tables.actions[usize::from(traits.action)];
        let (fear, away) = self.fear(input, traits.group);
        let way = match action.seek {
            _ if traits.has(WAITING) || self.down => Vec2::ZERO,
            Seek::Nothing => Vec2::ZERO,
            Seek::Goal(goal) => self.to_goal(input, *traits, goal),
            Seek::Target => self.to_target(input, traits),
            Seek::Away => away,
        };
        let slope = input.tables.slow_when_tired * self.tired;
        let mut speed = self.speed * action.speed * (1.0 - slope);
        let mut way = way;
        if self.party != NONE {
            let stamp = stamp(input.step, action.seek);
            let wall = if input.walled { input.walls.distance(self.position) } else { NARROW };
            let place = (self.party, stamp);
            let with = input.parties.company(place, self.position, way, self.speed, wall);
            speed *= with.length();
            way = with.normalize_or_zero();
        }
        if let Some(ground) = input.ground_speed {
            speed *= ground.cell_of(self.position).map_or(1.0, |cell| ground[cell]);
        }
        if let Some(stairs) = input.stairs {
            let group = &input.tables.groups[usize::from(traits.group)];
            let slower = |up: Vec2| if way.dot(up) > 0.0 { group.climb } else { group.descend };
            let up = |at| stairs.cell_of(at).map_or(Vec2::ZERO, |cell| stairs[cell]);
            let (here, ahead) = (up(self.position), up(self.position + way * FOOT));
            if here != Vec2::ZERO {
                speed *= slower(here);
            } else if ahead != Vec2::ZERO {
                // Before the first step one waits until whoever is ahead has gone on by its slower paces, and
                // takes a slower one oneself, and keeps more room: nobody wants to tread on those who climb.
                let share = slower(ahead);
                way *= (share * share * share).min(1.0);
            }
        }
        let fright = input.tables.fright(fear);
        if fright > 0.0 && !self.down {
            // From "around" at the edge of the fear radius to "away" further in.
            way = (way * (1.0 - fright) + away * fright).normalize_or(away);
            speed = speed.max(self.speed * (1.0 + (input.tables.flee_speed - 1.0) * fright));
        }
        let moving = way != Vec2::ZERO && speed > 0.0;
        traits.set(MOVING, moving);
        traits.set(FREE_WAY, moving && traits.has(FREE_WAY));
        if moving { (way, speed, fear) } else { (Vec2::ZERO, 0.0, fear) }
    }

    /// How afraid, 0 to 1, and which way is away from it all.
    #[inline(always)]
    fn fear(&self, input: &NavigateInput<'_>, group: u8) -> (f32, Vec2) {
        if input.hazards.is_empty() {
            return (0.0, Vec2::ZERO);
        }
        let cell = TargetFields::cell_of(input.terrain, self.position) as usize;
        if !input.danger[cell] {
            return (0.0, Vec2::ZERO);
        }
        let (mut worst, mut away) = (0.0f32, Vec2::ZERO);
        for hazard in input.hazards {
            let d = self.position - hazard.position;
            let distance2 = d.length_squared();
            if distance2 < hazard.fear_radius * hazard.fear_radius {
                let distance = distance2.sqrt();
                let near = 1.0 - distance / hazard.fear_radius;
                worst = worst.max(near);
                away += d * (near / distance.max(1e-3));
            }
        }
        let fear = (worst * input.tables.groups[usize::from(group)].fear).min(1.0);
        if fear <= 0.0 {
            return (0.0, Vec2::ZERO);
        }
        let mut away = away.normalize_or(Vec2::X);
        // Not into a wall: along it.
        if input.walled {
            let wall = input.walls.nearest(self.position);
            let into = away.dot(wall.away);
            if wall.distance < WALL_NEAR && into < 0.0 {
                away = (away - wall.away * into * (1.0 - wall.distance / WALL_NEAR).min(1.0))
                    .normalize_or(wall.away);
            }
        }
        (fear, away)
    }

    #[inline(always)]
    fn to_goal(&self, input: &NavigateInput<'_>, traits: Traits, goal: u16) -> Vec2 {
        if let Some((_, place)) = input.sites.near(goal, self.position) {
            // Close by, cells are too coarse: straight to the place, where it is in sight.
            let mut to = place.shape.closest_point(self.position) - self.position;
            let inside = to == Vec2::ZERO;
            if inside {
                to = place.shape.bounds().centre() - self.position;
            }
            let close = CLOSE_BY * input.terrain.cell_size();
            if inside || to.length_squared() < close * close {
                let seen = !input.walled
                    || input.walls.distance(self.position) > close
                    || input.walls.sees(self.position, self.position + to * NEARLY, HAIR);
                if seen {
                    return to.normalize_or_zero();
                }
            }
        }
        self.by_field(input, input.fields.flow(traits.group, goal))
    }

    #[inline(always)]
    fn by_field(&self, input: &NavigateInput<'_>, flow: &Flow) -> Vec2 {
        if input.walled {
            let (walls, p) = (&input.walls, self.position);
            let wall = walls.nearest(p);
            let way = way_at(walls, input.terrain.cell_size(), flow, p, wall);
            along_passage(walls, way, p, wall, self.radius + AT_WALL)
        } else {
            flow.at(self.position)
        }
    }

    fn looks_again(&self, input: &NavigateInput<'_>) -> bool {
        let decisions = (input.step + u64::from(self.id)) / u64::from(input.brisk_period);
        decisions.is_multiple_of(LOOK_AGAIN)
    }

    #[inline(always)]
    fn to_target(&self, input: &NavigateInput<'_>, traits: &mut Traits) -> Vec2 {
        if !traits.has(TARGETED) {
            return Vec2::ZERO;
        }
        let to = self.target - self.position;
        if input.walled && self.looks_again(input) {
            let seen = input.walls.sees(self.position, self.target, input.tables.sight_margin);
            traits.set(HIDDEN, !seen);
        }
        if input.walled && traits.has(HIDDEN) {
            let cell = TargetFields::cell_of(input.terrain, self.target);
            if let Some(flow) = input.targets.find(cell) {
                let way = self.by_field(input, flow);
                if way != Vec2::ZERO {
                    return way;
                }
            }
        }
        to.normalize_or_zero()
    }
}

/// Lists the cells of hidden targets, for the fields that are to be solved.
pub(crate) fn hidden_targets(terrain: &Grid<f32>, agents: &Agents, wanted: &mut Vec<u32>) {
    wanted.clear();
    for i in 0..agents.len() {
        if agents.traits[i].has(HIDDEN) && agents.traits[i].has(TARGETED) {
            let target = Vec2::new(agents.target_x[i], agents.target_y[i]);
            wanted.push(TargetFields::cell_of(terrain, target));
        }
    }
}

/// Marks the cells within the fear radius of any hazard, so that the others need not look at them.
pub(crate) fn mark_danger(terrain: &Grid<f32>, hazards: &[PlacedHazard], danger: &mut Vec<bool>) {
    danger.clear();
    danger.resize(terrain.cells(), false);
    let per_cell = 1.0 / terrain.cell_size();
    let last = Vec2::new(terrain.width() as f32 - 1.0, terrain.height() as f32 - 1.0);
    for hazard in hazards.iter().filter(|h| h.fear_radius > 0.0) {
        let middle = (hazard.position - terrain.origin()) * per_cell;
        let reach = hazard.fear_radius * per_cell + 1.0;
        let low = (middle - reach).clamp(Vec2::ZERO, last);
        let high = (middle + reach).clamp(Vec2::ZERO, last);
        for y in low.y as usize..=high.y as usize {
            let row = y * terrain.width();
            danger[row + low.x as usize..=row + high.x as usize].fill(true);
        }
    }
}
